import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



def f(alpha):
    if 'k-v'.startswith('k-v') or 'k-v'.startswith('k-v'):
        alpha //= alpha[-1, -1] * ((2 ** False))
    elif np.any(alpha):
        alpha[0, -4] = -3
    else:
        x = alpha
    if isinstance('b', int):
        alpha %= -0.5
    else:
        for i in range(2, 3):
            z = alpha.argsort(None)
    return i, z, np.rint(z)


def loss(alpha):
    r = f(alpha)
    return 1.1 * np.sum(r[2])


SCRIPT = [
    'f(np.array([[4.0, 1.5, 1.25, 2.0], [3.0, 3.0, 0.75, -2.5], [0.5, 2.0, 1.0, 1.5], [1.0, -1.0, 1.25, 3.0]], dtype=np.float64))',
    'loss(np.array([[4.0, 1.5, 1.25, 2.0], [3.0, 3.0, 0.75, -2.5], [0.5, 2.0, 1.0, 1.5], [1.0, -1.0, 1.25, 3.0]], dtype=np.float64))',
    'f(np.array([[0.1, -0.5, 1.5, -2.5], [1.25, 0.25, -2.5, 2.0], [-2.5, 1.25, 3.0, 0.25], [3.0, 0.0, -0.0, 0.75], [1.0, -0.5, 3.0, -2.5]]))',
    'f(np.array([[0.25, 0.25, 1e16, -2.5], [0.25, 0.1, -0.5, 0.1], [1.5, 0.5, 0.75, 0.5], [1.0, 2.0, 2.0, 0.1]]))',
]
