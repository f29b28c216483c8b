import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs

G0 = np.array([3.0, 4.0, -1.0, -1.0])


class C1:
    def __init__(self, a, b, c):
        self.a = a
        self.b = b * 2
        self.c = c * 2
    def __lt__(self, other):
        return (3) >= other.a
    @gs.checkpoint
    def checked(self, u, w=2.0):
        return (u ** (-1)) * w


OBJECT_C1 = C1(2, np.array([4.0, 0.5, 0.1, 1.0]), 0.75)


def f(alpha):
    x = OBJECT_C1.checked(u=alpha, w=alpha)
    alpha *= x
    g5 = lambda u, w=x: u + w
    s = C1(x, alpha, x)
    if x < (x + x):
        if not (np.any(G0)):
            raise IndexError('user: no')
    else:
        it7 = filter(lambda u: u != 2, G0)
        t = s
    if 1.0 is None:
        if 1.0 >= alpha:
            x = sum([x], start=((10) & 1))
        else:
            x += x
            x = g5(x)
        z = g5(x, np.float64(0.1))
    else:
        y = ()
    return x, s, y, alpha, getattr(C1(a=x, b=alpha, c=0.1), 'shape', ((-2 ** alpha)))


def loss(alpha):
    r = f(alpha)
    return 1.1 * r[0] + 1.1 * r[1].a + 1.1 * r[1].b + 0.4 * r[1].c + 1.1 * r[3]


SCRIPT = [
    'f(-2)',
    'loss(-2)',
    'f(0)',
    'OBJECT_C1.a = 4.0',
    'f(-2)',
]
