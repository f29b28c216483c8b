import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs

G0 = None


G1 = {'a': 0.75, 'b': True}


def helper2(p, q: 'list', m=0.5):
    if any((q + q)):
        m *= m
    return p


def helper2_other(p, q: 'list', m=0.5):
    x = np.array([[True, True, True], [False, True, False]], dtype=np.bool_)
    return ~np.int32(-1)


def f(alpha, _zeta):
    x = sorted(np.where(_zeta > 0, (np.sin(_zeta) / _zeta), -50.0))[-1]
    y = (np.sin(_zeta) / _zeta)
    y[~(_zeta > 0)] = 0
    y = y.sum() * (-2.5)
    for k in range(2):
        y = x / ((k * y) if (k != alpha) else y)
    alpha /= k
    return x, y, k


def loss(alpha, _zeta):
    r = f(alpha, _zeta)
    return 0.4 * r[0] + 0.4 * r[1]


SCRIPT = [
    'f(4.0, np.array([3.0, 0.0, 2.0]))',
    'loss(4.0, np.array([3.0, 0.0, 2.0]))',
    'f(4.0, np.array([0.5, 0.0, 2.0]))',
    "G1 = {'a': 4.0}",
    'f(4.0, np.array([3.0, 0.0, 2.0]))',
]
