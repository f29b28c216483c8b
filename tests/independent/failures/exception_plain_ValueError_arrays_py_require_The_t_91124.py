# exception: plain ValueError arrays.py:require: The truth value _ _ array with more than one element _ ambig: f(np.array([0.25, 0.25], dtype=np.float64), np.float64(0.5), tuple([7, 3, 7]), 3): raised ValueError: The truth value of an array with more than one e
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



G0 = {'a': 2, 'b': 0.5}


def f(alpha, beta, gamma, delta):
    z = bool([1.0, 2.5, -1.0])
    delta = False
    alpha[-1] = delta
    y = z if bool(gamma) else delta
    delta -= (z ** 2)
    return [z, y, alpha, np.log1p((z + alpha))]


def loss(alpha, beta, gamma, delta):
    r = f(alpha, beta, gamma, delta)
    return 1.1 * np.sum(r[2]) + 1.3 * np.sum(r[3])


SCRIPT = [
    'f(np.array([0.25, 0.25], dtype=np.float64), np.float64(0.5), tuple([7, 3, 7]), 3)',
    'loss(np.array([0.25, 0.25], dtype=np.float64), np.float64(0.5), tuple([7, 3, 7]), 3)',
    'f(np.zeros((0,), np.float64), np.float32(-2.5), tuple([-1, 7, 2]), 300)',
    "G0['z'] = 2",
    'f(np.array([0.25, 0.25], dtype=np.float64), np.float64(0.5), tuple([7, 3, 7]), 3)',
    "G0['a'] = -0.5",
    'f(np.array([0.25, 0.25], dtype=np.float64), np.float64(0.5), tuple([7, 3, 7]), 3)',
]


