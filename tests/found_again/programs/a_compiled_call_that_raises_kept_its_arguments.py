import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



class C0:
    def __init__(self, a, b):
        self.a = a * 2
        self.b = b
    @staticmethod
    def twice(u):
        return u * 2
    def __len__(self):
        return 2
    def scaled(self, u, w=2.0):
        v = self.b
        return v * w
    def __rmul__(self, other):
        return (3 ** self.a)


def helper1(p, q: 'array', r, m=False, *rest):
    q[r] = np.rint(((r ** (-1.0))))
    y = q * r
    for i in range(y.shape[0]):
        if bool(i):
            continue
        q = q
        assert p < r
    return np.int64(p)


def f(alpha, beta, gamma):
    beta[gamma, None] = gamma
    beta, gamma = (lambda *u: u)((gamma >> 2), -1)
    for k, q in enumerate([1.0, 2.5, -1.0]):
        z = list(enumerate([1.0, 2.5, -1.0]))
        gamma = max(gamma, (gamma))
    s = np.array([3.0, 0.25, 1.25, -0.5], dtype=np.float64)
    x = helper1(k, np.array([4, 3, 2, 1], dtype=np.uint8), beta, beta, 1.5)
    return [z, s]


SCRIPT = [
    'f(C0(2, 0), np.array([[2, -4, 6, 5], [1, -4, -1, 3], [-1, 3, 7, -3], [7, 7, 6, -4]], dtype=np.int32), -1)',
    'f(C0(-1, 4), np.array([[4.0, 3.0, -0.5, -1.0], [0.1, 0.1, 0.0, 3.0], [0.0, 0.25, -1.0, 1.0], [4.0, 0.5, 0.75, -2.5]]), 2)',
    'C0.twice = staticmethod(lambda u: u * 3)',
    'f(C0(2, 0), np.array([[2, -4, 6, 5], [1, -4, -1, 3], [-1, 3, 7, -3], [7, 7, 6, -4]], dtype=np.int32), -1)',
]
