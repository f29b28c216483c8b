import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs


class C0(NamedTuple):
    def __neg__(self):
        return C0((-1) // 2)
    scale = (1) >> 2


def helper1(p, q):
    p *= q
    q += max(1.25, int('-1'))
    for i, q in enumerate(range(4), start=2):
        x = np.array((1.0, 2))
    return math.tanh(q)


def f(alpha, beta, gamma, delta):
    z = C0.scale
    *x, = {}
    s = C0()
    return z, x, s, alpha, [1.0, 2.5, -1.0]


def loss(alpha, beta, gamma, delta):
    r = f(alpha, beta, gamma, delta)
    return 1.1 * r[3] + 1.3 * r[4][0] + 0.4 * r[4][1] + 0.7 * r[4][2]


SCRIPT = [
    'f(0.1, 2.0, -1.0, True)',
    'loss(0.1, 2.0, -1.0, True)',
    'f(1.5, 1.0, np.float32(-0.5), False)',
    'C0.scale = 3',
    'f(0.1, 2.0, -1.0, True)',
    'loss(0.0, 0.0, 0.0, True)',
]
