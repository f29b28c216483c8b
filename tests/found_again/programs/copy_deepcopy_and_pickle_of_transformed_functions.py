import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



class C0(NamedTuple):
    a: float
    b: float
    c: np.ndarray = -2.5
    def __pow__(self, other):
        return (self[2][-3])


def f(alpha, beta, gamma, delta):
    n5 = 3
    while n5 > 0:
        n5 -= 1
        beta = alpha >= n5 <= delta[2][n5]
        alpha = max(alpha, (alpha << 1))
    else:
        y = beta = gamma
        y //= np.full_like(y, gamma)
    z = beta
    gamma = delta
    x = gamma[-1][n5]
    t = gamma
    if round(x, 0) > gamma[n5] >= alpha:
        for v in gamma:
            t = [1.0, 2.5, -1.0]
            g11 = lambda u, w=x: (alpha ** 2.0) + w
        beta = g11(alpha)
    return [x, t, v]


def loss(alpha, beta, gamma, delta):
    r = f(alpha, beta, gamma, delta)
    return 0.7 * r[0] + 1.1 * r[1][0] + 1.1 * r[1][1] + 0.7 * r[1][2] + 0.4 * np.sum(r[2])


SCRIPT = [
    'f(-2, [np.array([4.0, 0.75, -0.0]), np.array([0.75, 3.0, 0.75]), np.array([0.1, 1.25, 0.5])], np.array([[3, 6, 5], [0, 5, 0], [2, 2, 4]], dtype=np.uint16), C0(-0.5, 0.5, np.array([0.25, 4.0, 2.0])))',
    'loss(-2, [np.array([4.0, 0.75, -0.0]), np.array([0.75, 3.0, 0.75]), np.array([0.1, 1.25, 0.5])], np.array([[3, 6, 5], [0, 5, 0], [2, 2, 4]], dtype=np.uint16), C0(-0.5, 0.5, np.array([0.25, 4.0, 2.0])))',
    'f(np.int16(-300), [np.array([0.0, 0.25, 0.75]), np.array([-0.5, 2.0, 1.5], dtype=np.float64), np.array([0.25, 0.5, 0.75]), np.array([-0.5, 4.0, -0.5])], np.array([[1, 6, -3], [2, 4, 127], [7, 7, 3]], dtype=np.int8), C0(0.75, 0.1, np.array([0.1, 0.75, -0.5])))',
    'f(-2, [np.array([0.1, 0.25, -0.5]), np.array([0.25, 1.25, 0.25], dtype=np.float64), np.array([0.25, 1.0, 0.25])], np.array([[5, 7, 0], [6, 4, 3], [3, 4, 5]], dtype=np.uint16), C0(0.5, -0.5, np.array([0.75, -1.0, 1.0], dtype=np.float64)))',
]
