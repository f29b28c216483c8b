import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs


def helper0(p: 'array', q, m=-2.5):
    for v in zip([1.0, 2.5, -1.0], p):
        m = m + (m) * (m * m)
        if abs(q) < q:
            p = p * (m + m)
        else:
            q = np.tanh(m)
            y = tuple([np.uint16(2) for p in v])
        for j in range(2, -1, -1):
            y = round(j) if (y is not m) else math.atan(j)
    if m <= j:
        z = p.copy()
        v = ({'a': (3), **{k: m for k, w in zip('ab', [1.0, 2.5, -1.0])}})
    else:
        t = (lambda u: u * (j + q))(((q ** 2.0)))
        v.update(c=v['a'])
    [t,] = [j]
    return y


def helper0_other(p: 'array', q, m=-2.5):
    q -= np.int64(bool(m))
    return q


def helper2(p, q: 'array'):
    return (np.array([2, -4], dtype=np.int8)).dot(getattr(q, 'ndim', 0))


def f(alpha, beta, gamma):
    if (7) >= getattr(np.array([2.0, 2.0], dtype=np.float32), 'ndim', 0):
        alpha **= 2
    else:
        gamma = (1.0, 2)
    return beta, len(dict.fromkeys(('a', 'b'), 0.5))


SCRIPT = [
    'f(np.array([[-1.0, 1.5], [0.75, 0.25]], dtype=np.float32), np.array([7, -3], dtype=np.int64), np.array(-0.5))',
    'f(np.array([[-1.0, -1.0], [0.1, -0.5]], dtype=np.float32), np.array([1.25, 1.25], dtype=np.float32), '
        'np.array(0.0, dtype=np.float64))',
    'SHARED = np.array([[-1.0, 1.5], [0.75, 0.25]], dtype=np.float32)',
    'f(SHARED, SHARED, np.array(-0.5))',
]
