import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs


@dataclass(frozen=True)
class C0:
    a: int
    b: int
    c: int = 4.0
    def __mul__(self, other):
        return C0(((-3) ^ 1), {'a': 1.5, 'b': 2}['a'], other.a * self.a)
    def __neg__(self):
        return type(self)(([*[1.0, 2.5, -1.0]][0]), self.a - (-2.5), (round((-3))))
    def __eq__(self, other):
        return True is False
    def __len__(self):
        return 1


class C1:
    def __init__(self, a, b=0.75):
        self.a = a
        self.b = b
    def __neg__(self):
        return C1((self.a), (self.a))
    scale = (abs((-2)))
    def __radd__(self, other):
        return (-1 & (3))


def helper2(p: 'array', m=-1.0):
    g4 = lambda u: p[-1]
    return p[-3]


def gen3(p, k=3):
    if k > 0:
        yield p
        yield from gen3((helper2(p, 4.0)), k - 1)
    else:
        yield from (p, k)


def f(alpha, beta, gamma, delta):
    delta = None
    z = sorted((gamma + [1.0, 2.5, -1.0]), key=lambda u: -u)
    for p, q in zip([1.0, 2.5, -1.0], [1.0, 2.5, -1.0]):
        if bool(q):
            continue
    s = beta - np.array([1.25, 0.25, 2.0, -0.5])
    for v in (1.0, 2):
        if q >= v:
            continue
    s **= 1
    if v > p:
        y = C0(q, 10, -2)
    elif alpha >= beta:
        s[:0:2, None] /= False
    else:
        x = 4.0 < p
    if beta <= np.int32(v) == (q - v):
        alpha = v if (v >= q) else q
    return p, q, s, v, y, gamma


def loss(alpha, beta, gamma, delta):
    r = f(alpha, beta, gamma, delta)
    return 0.7 * r[0] + 0.7 * r[1] + 0.4 * np.sum(r[2]) + 1.3 * r[4].a


SCRIPT = [
    'f(1.0, 4.0, [1.5, 0.5, 3.0], 1.0)',
    'loss(1.0, 4.0, [1.5, 0.5, 3.0], 1.0)',
    'f(np.float64(np.nan), 0.75, [0.25, 1.25, 0.1], np.int64(-3))',
    'C1.scale = 5',
    'f(1.0, 4.0, [1.5, 0.5, 3.0], 1.0)',
]
