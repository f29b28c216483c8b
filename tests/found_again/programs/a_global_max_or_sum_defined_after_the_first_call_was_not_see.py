import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs


def f(alpha, beta, gamma, delta):
    if np.all(np.array(delta) >= max(gamma, gamma)):
        for k in range(np.logical_not([1.0, 2.5, -1.0]).shape[0]):
            if isinstance(beta, (range, list)):
                break
            z = alpha
    elif (4) >= gamma:
        if abs(gamma) <= 3.0:
            alpha = alpha
        else:
            y = beta.ravel()
        x = None
    else:
        s = getattr(alpha, 'ndim', 0)
    z = np.int8(k)
    beta %= gamma
    alpha[k] *= k
    z += k
    return k, z


SCRIPT = [
    'f(np.array([6, 0, 0], dtype=np.uint8), np.array([-1, 2, 5], dtype=np.int16), -1, tuple([-0.5]))',
    'f(np.array([6, 2, 3], dtype=np.uint8), np.array([5, 5, 5], dtype=np.uint64), 2, tuple([0.5]))',
    'max = lambda *args, **kwargs: 7.0',
    'f(np.array([6, 0, 0], dtype=np.uint8), np.array([-1, 2, 5], dtype=np.int16), -1, tuple([-0.5]))',
]
