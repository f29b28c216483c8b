import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs


def helper0(p, q: 'list'):
    p = np.array(object=np.array([3.0, 0.1, 0.75], dtype=np.float64))
    p[-1] = ((-2), 1.25)[(False == 3.0)]
    p[1] = (lambda u: u * (1))((2))
    return getattr(np.tanh(p), 'ndim', 0)


def helper0_other(p, q: 'list'):
    q = y = (1.0, 2)
    return np.array([1.5, 0.1, -2.5])


def helper2(p, q: 'array', r: 'array'):
    n4 = 2
    while n4 > 0:
        n4 -= 1
        z, z = {1: p, 'k': helper0(n4, q=[1.0, 2.5, -1.0])}
        z = np.copysign(q * n4, (q * r) * n4)
    return n4 + n4


def helper2_other(p, q: 'array', r: 'array'):
    p *= min((1.0, 2)) if np.any(q) else math.tan(p)
    return q.reshape((3, 1))


def f(alpha, beta, gamma):
    if gamma < gamma + gamma:
        for k in range(3, -1, -1):
            x = helper2(0.25, alpha, alpha)
            *y, s = ({'a': gamma, **(beta | beta)})
            alpha[-3] += math.fmod(1, sum([1.0, 2.5, -1.0]))
        else:
            gamma *= math.atan2(beta['a'], 3.0)
    return alpha


SCRIPT = [
    "f(np.array([-1.0, 0.5, 1.5], dtype=np.float32), {'a': 3}, np.float32(-0.5))",
    "f(np.broadcast_to(np.float32(0.25), (0,)), {None: -3, 'a': 3, 'b': 5}, np.float64(2.0))",
    'helper0 = helper0_other',
    "f(np.array([-1.0, 0.5, 1.5], dtype=np.float32), {'a': 3}, np.float32(-0.5))",
    'helper0 = helper0_other',
    "f(np.array([-1.0, 0.5, 1.5], dtype=np.float32), {'a': 3}, np.float32(-0.5))",
]
