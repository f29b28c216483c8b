# wrong value: plain, value: f('b', 0.25): result[0]: value array([26.25, 2. ], dtype=float32) instead of array([-10., 2.], dtype=float32)
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



G0 = 'a'


def helper1(p: 'list'):
    y = divmod(getattr(np.array([[7, 3], [4, 2]], dtype=np.int32), 'ndim', 0), ((5) and 0.5))
    z = G0.startswith(G0)
    p.append(np.array([0.5, 3.0]))
    return z + (z / np.array([[3.0, 2.0], [3.0, 0.25]]))


def helper1_other(p: 'list'):
    x = 4
    return np.array([-4, 3], dtype=np.int16)


def helper3(x, n=2):
    if n <= 0:
        return n
    return (-1 ** x) - helper3(x, n - 1)


def f(alpha, beta):
    for v in (1.0, 2):
        x = v = np.floor_divide(np.array([0.5, -2.5], dtype=np.float32), beta)
        for p, q in zip(np.array([1.0, 0.5], dtype=np.float64), list(map(lambda u: u + 1.5, x))):
            if p != q:
                continue
        else:
            v = (1.0) - v
        v = 0.5 * (v + (getattr(v, 'ndim', 0)))
    v[[[0, 1], [1, 0]]] *= (q - beta) * (-beta)
    y = v[-2]
    for p, q in zip([1.0, 2.5, -1.0], (1.0, 2)):
        if (y is not None) is True:
            z, s = np.array([-3, 2], dtype=np.int64)
    if hasattr(z, '__len__'):
        x[-1] = v[-1] * {'a': 1.5, 'b': 2}.get('b')
    for v in v:
        p = x[::-1]
        q = np.cumsum(q)
    return p, q, y, z, s, alpha.split(sep=G0) + [(1.0, 2) for v in p]


SCRIPT = [
    "f('b', 0.25)",
    "f('key', 1e300)",
    "G0 = 'b'",
    "f('b', 0.25)",
]


