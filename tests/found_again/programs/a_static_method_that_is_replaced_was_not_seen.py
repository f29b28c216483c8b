import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs


@dataclass
class C0:
    a: float
    b: float
    def __eq__(self, other):
        return math.isclose(self.a, self.a)


class C1(NamedTuple):
    a: int
    def __setattr__(self, name, u):
        object.__setattr__(self, name, u)
    @staticmethod
    def twice(u):
        return u * 2
    def moved(self, u):
        return type(self)(np.trunc(np.int32(2)))
    def __eq__(self, other):
        return (-1.0) > 0


def f(alpha, beta, gamma):
    for v in (1.0, 2):
        gamma, = {'a': None}
    if alpha - beta <= v + beta:
        if C1.a:
            g6 = lambda u, w=v: -2 ^ v + w
            gamma = [1.0, 2.5, -1.0].copy()
    else:
        z = C1.twice(beta)
    return v, z, None


def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return 1.1 * r[1]


SCRIPT = [
    'f(5, -0.5, 5)',
    'loss(5, -0.5, 5)',
    'f(1.0, 0.1, np.float64(2.0))',
    'C1.twice = staticmethod(lambda u: u * 3)',
    'f(5, -0.5, 5)',
    'loss(1.0, 0.1, np.float64(2.0))',
]
