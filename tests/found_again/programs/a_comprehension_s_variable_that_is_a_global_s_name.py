import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



G0 = -0.5


def f(alpha):
    alpha[None, :-2:-2] = G0
    y = (*[(1.0, 2) for k in alpha], G0)
    s = [y for G0 in alpha]
    if not ((2) in {'a': 1.5, 'b': 2}.values()):
        raise RuntimeError('user: ' + str(G0))
    def h4(u, w=G0):
        v = u * w
        return y[-2][0]
    return y, s


def loss(alpha):
    r = f(alpha)
    return 1.1 * r[0][0][0] + 0.4 * r[0][1] + 1.1 * r[1][0][0][0] + 0.4 * r[1][0][1]


SCRIPT = [
    'f(np.array([[1.5, 0.0, -1.0]], dtype=np.float64))',
    'loss(np.array([[1.5, 0.0, -1.0]], dtype=np.float64))',
    'f(np.float32(1.0))',
    'G0 = 4.0',
    'f(np.array([[1.5, 0.0, -1.0]], dtype=np.float64))',
]
