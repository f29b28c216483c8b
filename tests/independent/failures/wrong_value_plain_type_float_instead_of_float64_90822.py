# wrong value: plain, type float instead of float64: f(np.array([4, 2, 7], dtype=np.uint16), np.float64(0.5)): result[1][0]: type float -1.0 instead of float64 np.float64(-1.0)
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



class C0(NamedTuple):
    a: float
    b: float


OBJECT_C0 = C0(1.0, -0.5)


def helper2(p, *rest):
    z = min([1.0, 2.5, -1.0], default=p)
    return pow(np.int32(z), (-1.0))


def f(alpha, beta):
    n5 = 2
    while n5 > 0:
        n5 -= 1
        beta = helper2(beta)
        it6 = iter([1.0, 2.5, -1.0])
    if it6:
        y = C0(beta, beta)
    else:
        x, *beta = it6
    alpha[-1] = 2.0
    x = alpha
    if isinstance(beta, np.integer) and callable(np.float64(1e16)):
        raise ValueError('user: ' + str(n5))
    return [n5, y, x]


def loss(alpha, beta):
    r = f(alpha, beta)
    return 0.4 * r[1][0] + 0.4 * r[1][1]


SCRIPT = [
    'f(np.array([7, 1, 3], dtype=np.uint16), -0.5)',
    'loss(np.array([7, 1, 3], dtype=np.uint16), -0.5)',
    'f(np.array([4, 2, 7], dtype=np.uint16), np.float64(0.5))',
    'OBJECT_C0 = C0(2.0, 1.0)',
    'f(np.array([7, 1, 3], dtype=np.uint16), -0.5)',
    'OBJECT_C0 = C0(2.0, 1.0)',
    'f(np.array([7, 1, 3], dtype=np.uint16), -0.5)',
]


