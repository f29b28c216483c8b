import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



def helper0(p: 'array', q: 'array', m=1.0):
    it3 = iter({'a': 1.5, 'b': 2}.items())
    return m


def helper1(p: 'array', key=1.5):
    p[:] = key
    return -np.cosh([1.0, 2.5, -1.0])


def helper1_other(p: 'array', key=1.5):
    g4 = lambda u, w=key: np.logical_not(p[0]) + w
    return range(3)[::-1]


def f(alpha):
    def h3(u, w=alpha):
        v = u * w
        return u
    alpha = [1.0, 2.5, -1.0]
    for j, q in enumerate(alpha, start=2):
        del alpha[j:1]
    z = -1.0
    return q, z


def loss(alpha):
    r = f(alpha)
    return 1.3 * r[0] + 0.4 * r[1]


SCRIPT = [
    'f(1.0)',
    'loss(1.0)',
    'f(2.0)',
    'helper1 = helper1_other',
    'f(1.0)',
    'loss(2.0)',
    'loss(0.0)',
]
