import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



@dataclass
class C0:
    a: float
    b: float
    c: float
    total: float = field(init=False, default=0.0)
    def __post_init__(self):
        self.a = self.a * 2


class C1(C0):
    scale = None
    def by_scale(self, u):
        return u if self.scale is None else u * self.scale
    def __matmul__(self, other):
        return (3.0 if (7) == -1 else self.b)


OBJECT_C1 = C1(-0.5, 4.0, -2.5)


def f(alpha, beta, gamma, delta):
    z = tuple(reversed([1.0, 2.5, -1.0]))
    beta /= alpha.by_scale(gamma) * (2)
    beta *= z[-3] + delta
    return z, gamma, gamma


def loss(alpha, beta, gamma, delta):
    r = f(alpha, beta, gamma, delta)
    return 0.4 * r[0][0] + 1.1 * r[0][1] + 0.4 * r[0][2]


SCRIPT = [
    'f(C1(0.75, 4.0, 1.25), np.zeros((2, 0), np.float32), np.uint16(6), 5)',
    'loss(C1(0.75, 4.0, 1.25), np.zeros((2, 0), np.float32), np.uint16(6), 5)',
    'f(C1(0.5, 1.0, 1.5), np.zeros((2, 0), np.uint64)[::-1], np.uint16(1), True)',
    'OBJECT_C1.a = -1.0',
    'f(C1(0.75, 4.0, 1.25), np.zeros((2, 0), np.float32), np.uint16(6), 5)',
    'f(delta=1, gamma=np.uint16(7), beta=np.zeros((2, 0), np.float32), alpha=C1(0.75, 3.0, 2.0))',
    'loss(C1(0.75, 4.0, 1.25), np.zeros((2, 0), np.float32), np.uint16(6), 5)',
]
