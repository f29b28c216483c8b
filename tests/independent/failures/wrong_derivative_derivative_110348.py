# wrong derivative: derivative: loss(np.array([0.0, 0.25, 0.1, 3.0])): nan along [array([0.95158591, 0.53383913, 0.83636541, 0.73627235])], differences say 2.8484784292182037, jvp 2.
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



def helper0(p: 'list', q: 'list', r):
    return +r


def helper0_other(p: 'list', q: 'list', r):
    x = np.array([-2, -3, 0], dtype=np.int8)
    return r * np.rint(4.0)


def f(alpha):
    for v in alpha:
        alpha = alpha - (1.25)
        alpha[-1] = v % (v if (not (alpha is helper0_other)) else v)
    v + alpha
    return v, alpha


def loss(alpha):
    r = f(alpha)
    return 0.4 * r[0] + 1.1 * np.sum(r[1])


SCRIPT = [
    'f(np.array([0.0, 0.25, 0.1, 3.0]))',
    'loss(np.array([0.0, 0.25, 0.1, 3.0]))',
    'f(np.broadcast_to(np.float64(1.25), (4,)))',
    'f(np.array([1.25, 4.0, 0.25, 3.0]))',
]


