import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs

G0 = {'a': -1, 'b': 1.25}


class C1(NamedTuple):
    a: int
    b: np.ndarray = 4.0


OBJECT_C1 = C1(-1, np.array([1.5, 1.5, 1.25, 1.5]))


class C3:
    def __init__(self, a):
        self.a = a * 2
    def __getitem__(self, k):
        return (self.a, (k << k), 1.5)[k]
    @classmethod
    def make(cls, u):
        return type(self)(u)


def gen4(p, k=3):
    def inner(u):
        nonlocal p
        for j in range(k):
            p = p + u
            yield p
    yield from inner(OBJECT_C1[-1][-2])
    yield p


def f(alpha, beta):
    for v in OBJECT_C1:
        if 'k-v'.startswith('abc'):
            continue
    for k in range(len([1.0, 2.5, -1.0])):
        if isinstance(alpha, (np.float64, np.integer)):
            continue
        if alpha <= beta:
            break
    else:
        alpha, *x, beta, z = C3(beta)
        y = len(G0)
    x = gen4(k)
    v[-4] /= int(' 2 ')
    return [v, k]


def loss(alpha, beta):
    r = f(alpha, beta)
    return 0.7 * np.sum(r[0])


SCRIPT = [
    'f(-0.5, 1.0)',
    'loss(-0.5, 1.0)',
    'f(-1, 0.5)',
    "G0['a'] = -1.0",
    'f(-0.5, 1.0)',
    'loss(-1, 0.5)',
    'loss(0.0, 0.0)',
]
