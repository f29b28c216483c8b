# wrong value: plain, keys: f(C1(np.array([0.25, 0.75], dtype=np.float64), -1), np.bool_(True), np.array([0, 2], dtype=np.uint64)): result[0][0].__dict__: keys ['a', 'b', 'total'
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



G0 = -3


@dataclass
class C1:
    a: np.ndarray
    b: int
    total: float = field(init=False, default=0.0)
    def __post_init__(self):
        self.a = self.a * 1.5
    TABLE = [1.5, 2.0]
    def of_table(self, k=0):
        return self.TABLE[k] + C1.TABLE[-1]
    def __float__(self):
        return float(self.b)
    def __add__(self, other):
        return C1(1.5 / self.b, (math.tanh(G0)))
    scale = None
    def by_scale(self, u):
        return u if self.scale is None else u * self.scale
    def __radd__(self, other):
        return G0 * G0


@dataclass
class C2:
    a: float
    def __lt__(self, other):
        return self.a > self.a <= self.a
    def __sub__(self, other):
        return (self.a)


OBJECT_C2 = C2(-0.0)


def helper4(p: 'list', q):
    y = np.asarray(p)
    if math.tanh(q) != math.atan2(q, q) >= q:
        x = y
    else:
        s = y.astype(np.int16)
    return q


def helper5(p):
    if range(2):
        p -= (p - G0) % p
    else:
        for p, q in zip({'a': 1.5, 'b': 2}, [1.0, 2.5, -1.0]):
            p = any([])
            x = () + (1.0, 2)
    g6 = lambda u: (G0 + (-1)) << 2
    return (1.0, 2)


def f(alpha, beta, gamma=np.array([0, 2], dtype=np.uint64)):
    y = [alpha, alpha]
    beta -= (lambda w: w * math.exp(0.25))(np.isnan(G0))
    return [y, gamma]


def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return 0.7 * np.sum(r[0][0].a) + 1.1 * np.sum(r[0][1].a)


SCRIPT = [
    'f(C1(np.array([0.25, 0.75], dtype=np.float64), -1), np.bool_(True), np.array([0, 2], dtype=np.uint64))',
    'loss(C1(np.array([0.25, 0.75], dtype=np.float64), -1), np.bool_(True), np.array([0, 2], dtype=np.uint64))',
    'f(C1(np.array([1.5, 3.0], dtype=np.float64), -1), np.bool_(False), np.array([6, 5], dtype=np.uint64))',
    'G0 = np.float64(-0.5)',
    'f(C1(np.array([0.25, 0.75], dtype=np.float64), -1), np.bool_(True), np.array([0, 2], dtype=np.uint64))',
    'OBJECT_C2 = C2(2.0)',
    'f(C1(np.array([0.25, 0.75], dtype=np.float64), -1), np.bool_(True), np.array([0, 2], dtype=np.uint64))',
]


