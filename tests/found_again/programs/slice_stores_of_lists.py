import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



G0 = 'a'


G1 = np.array([3.0, 0.1, -1.0])


def helper2(p: 'list'):
    z = np.int8(math.exp2(((np.float32(2) ** (0)))))
    s = x = p
    return z if (z <= 0.1 <= z) is True else {'a': 1.5, 'b': 2}['a']


def f(alpha, beta, gamma):
    def h6(u, w=3):
        v = u * w
        return (u if isinstance(u, np.integer) else u) / (lambda u: u * u)((-1.0))
    (beta, y), x, gamma = zip([1.0, 2.5, -1.0], gamma)
    [alpha, y] = (math.atan2(beta, (5)), getattr(G1, 'ndim', 0))
    t = None
    if True:
        n10 = 3
        while n10 > 0:
            n10 -= 1
            s = 3 * list(map(lambda u: (u, u), gamma))
            s[0:-2] = np.array([4.0, 0.5, 3.0], dtype=np.float32).shape
        z = None
    elif 0.75 in G1:
        gamma = G1
    else:
        range(1)[::-1]
        if (y,) == gamma.shape:
            w = (beta, x)
            alpha, t, beta = (np.array([-2, 7, -2], dtype=np.int8)).reshape(3)
        elif y != 0.75:
            s.pop(2)
        else:
            gamma[3:3] += h6(n10, n10)
            -1
    return x, t, n10, s, z, beta, G1[...][-1:0]


def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return 1.3 * r[0][0] + 1.1 * r[3][1][0] + 1.1 * r[3][1][1]


SCRIPT = [
    "f('key', None, np.array([1, -2, 3], dtype=np.int32))",
    "loss('key', None, np.array([1, -2, 3], dtype=np.int32))",
    "f('key', None, np.int32(-5))",
    'G1 = np.array([4.0, -1.0, 1.5], dtype=np.float32)',
    "f('key', None, np.array([1, -2, 3], dtype=np.int32))",
    'G1 = G1 * 2',
    "f('key', None, np.array([1, -2, 3], dtype=np.int32))",
    "loss('key', None, np.int32(-5))",
]
