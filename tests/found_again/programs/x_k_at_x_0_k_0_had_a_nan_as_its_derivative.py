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
    a: int
    b: int
    c: np.ndarray = 2.0


def f(alpha, beta, gamma):
    y = alpha = gamma
    n5 = 1
    while n5 > 0:
        n5 -= 1
        gamma = beta.b
        alpha = alpha + (np.array([2.0, 1.0, 2.0], dtype=np.float64)).reshape((3,))
    g6 = lambda u, w=0.1: u + w
    g7 = lambda u, w=gamma: alpha[-2] + w
    return y, n5, alpha, np.mod((~np.array([2, 2], dtype=np.int64)), gamma)


def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return 1.3 * np.sum(r[0]) + 0.4 * np.sum(r[2])


SCRIPT = [
    'f(2, C0(-1, -2, np.array([0.1, 0.1, -2.5])), np.array([1.0, 0.0, 0.25]))',
    'loss(2, C0(-1, -2, np.array([0.1, 0.1, -2.5])), np.array([1.0, 0.0, 0.25]))',
    'f(True, C0(4, 5, np.array([1.5, 0.75, 1.5])), np.float64(0.5))',
    'f(True, C0(5, 2, np.array([0.1, 0.5, 1.5])), np.array([0.0, 0.1, 0.1]))',
    'loss(True, C0(5, 2, np.array([0.1, 0.5, 1.5])), np.array([0.0, 0.1, 0.1]))',
]
