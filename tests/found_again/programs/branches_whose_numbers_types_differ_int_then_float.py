import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



def helper0(x, n=2):
    if n <= 0:
        return x
    return {'a': 1.5, 'b': 2}.get('a') * helper0(x, n - 1)


def helper1(p, q, key=1.5):
    n4 = 2
    while n4 > 0:
        n4 -= 1
        key = ((4) << 2) * np.array([-5, -2, 6], dtype=np.int64)
    return math.hypot(n4, min((1.0, 2)))


def helper1_other(p, q, key=1.5):
    *q, = tuple([q for helper0 in {'a': 1.5, 'b': 2}])[:0]
    return np.array([0.75, 4.0, -1.0])


def f(alpha):
    z = np.array([[4, 7, 6], [5, 7, 2]], dtype=np.int64) / np.array([[-0.5, -2.5, 0.25], [1.5, 1.25, 0.25]])
    for v in [1.0, 2.5, -1.0]:
        if ((type(helper1) is tuple) and (1.5 == True)) and any((1.0, 2)):
            continue
        if (x := alpha) < alpha:
            x, y = iter([1.5, 2.0])
            v -= -3
        else:
            x = int('-1')
    return z, v, x


def loss(alpha):
    r = f(alpha)
    return 1.1 * np.sum(r[0]) + 1.3 * r[1]


SCRIPT = [
    'f(-3)',
    'loss(-3)',
    'f(np.float64(2.0))',
    'helper1 = helper1_other',
    'f(-3)',
]
