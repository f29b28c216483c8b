import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



G0 = -0.5


G1 = [-1.0, -1.0, 0.25]


@dataclass
class C2:
    a: int
    start: dataclasses.InitVar[float] = 1.0
    def __post_init__(self, start):
        self.a = self.a * 2
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)
    def __rmul__(self, other):
        return self.__mul__(other)


class C3(NamedTuple):
    a: int
    b: float
    def __rmul__(self, other):
        return self.__mul__(other)
    def __eq__(self, other):
        return issubclass(type(self.a), np.float64)
    def __abs__(self):
        return abs(self.a) + float('-1')


def f(alpha):
    z = G0 + G0
    for p, q in zip(np.array([0.25, 4.0]), G1):
        n8 = 2
        while n8 > 0 and 'abc'.startswith('k-v'):
            n8 -= 1
            if False:
                break
            q, s = {1: (p and n8), 'k': G0}
        n8 = z
    p += (2 ** G1[-2])
    x = copy.copy(C3(n8, q))
    return z, p, q, n8, x


def loss(alpha):
    r = f(alpha)
    return 0.7 * r[0] + 1.3 * r[1] + 0.7 * r[2] + 0.7 * r[3] + 1.1 * r[4][0]


SCRIPT = [
    'f(3.0)',
    'loss(3.0)',
    'f(0)',
    'G1.append(-1.0)',
    'f(3.0)',
    'G1.pop()',
    'f(3.0)',
    'loss(0.0)',
]
