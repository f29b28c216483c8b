# exception: plain IndexError arrays.py:require: too many indices for array: array _ _-dimensional, but _ wer: f(1.25, np.array(-3, dtype=np.int16), np.zeros((3, 0), np.float32), np.array([[[2.0, 3.0, -1.0], [0.75, -2.5, 0.1], [2.0, 1.25, 1.0]], [[1.25, 1.0, 0.
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



G0 = 0.25


G1 = (-0.5, (0.75, 'b'))


def helper2(p, q, m=1.25):
    y = 0.75
    for i in range(2, -1, -1):
        n7 = i
        while n7 > 0 and 2.0 > G0:
            n7 -= 1
            y, s, z = [*G1, m] or [1.0, 2.5, -1.0]
            s += G1
    q = 'a'.startswith('abc')
    return -np.array([0.1, -1.0, -1.0])


def helper3(p, q):
    y = (1.0, 2)
    return np.uint64((4)) << 3


def f(alpha, beta, gamma, delta):
    delta //= np.float64(1.5) % alpha
    gamma
    beta[True] = (alpha * 0.25) + alpha
    y = alpha
    if alpha > G0 + G0:
        x = delta[...]
    else:
        z = ((1), alpha)
    for i in range(len([1.0, 2.5, -1.0])):
        x[1:2:2] = G0 if (G0 in G1) else y
        z = y
        x = beta.ravel()
    return x, i, z, list(map(lambda u, w: u + w, 'k-v'.split('b'), list({'a': 1.5, 'b': 2})))


def loss(alpha, beta, gamma, delta):
    r = f(alpha, beta, gamma, delta)
    return 1.3 * r[2]


SCRIPT = [
    'f(1.25, np.array(-3, dtype=np.int16), np.zeros((3, 0), np.float32), np.array([[[2.0, 3.0, -1.0], [0.75, -2.5, 0.1], [2.0, 1.25, 1.0]], [[1.25, 1.0, 0.75], [3.0, 1.25, 1.25], [4.0, 4.0, 0.5]]], dtype=np.float64))',
    'loss(1.25, np.array(-3, dtype=np.int16), np.zeros((3, 0), np.float32), np.array([[[2.0, 3.0, -1.0], [0.75, -2.5, 0.1], [2.0, 1.25, 1.0]], [[1.25, 1.0, 0.75], [3.0, 1.25, 1.25], [4.0, 4.0, 0.5]]], dtype=np.float64))',
    'f(1.25, np.int16(2), np.float32(-2.5), np.array([[[2, 1, -2], [3, 2, -3], [3, -1, 0]]], dtype=np.int64))',
    'G0 = np.int64(-2)',
    'f(1.25, np.array(-3, dtype=np.int16), np.zeros((3, 0), np.float32), np.array([[[2.0, 3.0, -1.0], [0.75, -2.5, 0.1], [2.0, 1.25, 1.0]], [[1.25, 1.0, 0.75], [3.0, 1.25, 1.25], [4.0, 4.0, 0.5]]], dtype=np.float64))',
]


