# wrong value: plain, keys: f(tuple([4.0, 4.0]), C0(2, 1.25), np.uint16(6)): result[4].__dict__: keys ['a', 'b', 'total'] instead of ['a', 'b']
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



@dataclass
class C0:
    a: int
    b: float
    total: float = field(init=False, default=0.0)
    def __post_init__(self):
        self.a = self.a + 1
    def __add__(self, other):
        if not isinstance(other, C0):
            return NotImplemented
        return type(self)(other.b, (np.square((3))))
    def __index__(self):
        return 1
    def grow(self, u):
        self.a = self.a + u
        return self


OBJECT_C0 = C0(-1, 0.25)


class C2:
    def __init__(self, a, b):
        self.a = a
        self.b = b * 2
    def __eq__(self, other):
        return self.b != other.a
    def __iter__(self):
        return iter([v * 2 for v in (1.5, getattr(OBJECT_C0, 'shape', 0.1))])
    def __iter__(self):
        return iter((self.a, ((10) - self.a)))


def f(alpha, beta, gamma):
    for k, v in enumerate(alpha, start=0):
        y = gamma
        if y == gamma:
            continue
    z = y
    return [k, v, y, z, beta]


def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return 0.4 * r[1] + 1.3 * r[4].b


SCRIPT = [
    'f(tuple([4.0, 4.0]), C0(2, 1.25), np.uint16(6))',
    'loss(tuple([4.0, 4.0]), C0(2, 1.25), np.uint16(6))',
    'f(tuple([4.0, 0.25]), C0(7, 0.75), np.float64(3.0))',
    'f(tuple([2.0, 4.0]), C0(-3, -2.5), np.int32(4))',
    'loss(tuple([4.0, 0.25]), C0(7, 0.75), np.float64(3.0))',
]


