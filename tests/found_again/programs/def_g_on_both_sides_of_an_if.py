import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



def f(alpha, beta, gamma=-1.0):
    if gamma:
        g3 = lambda u: (round(u, ndigits=1) ** 2)
    else:
        g3 = lambda u, w=gamma: gamma / u + w
    n4 = 2
    while n4 > 0 and gamma < (-1):
        n4 -= 1
        for i in range(0, 2):
            gamma = gamma * (beta[i])
            g6 = lambda u, w=2.0: g3(n4) + w
        else:
            x = [1.0, 2.5, -1.0]
    return [n4, alpha, np.array([3.0, -2.5, 0.1, 1.5])]


def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return 1.3 * np.sum(r[1]) + 0.4 * np.sum(r[2])


SCRIPT = [
    'f(np.array([4.0, 3.0, 1.0, 3.0]), np.array([-0.5, 1.0, 3.0, 0.0]), -1.0)',
    'loss(np.array([4.0, 3.0, 1.0, 3.0]), np.array([-0.5, 1.0, 3.0, 0.0]), -1.0)',
    'f(np.float64(0.1), np.array([0.5, 2.0, 4.0, -0.5]), 0)',
    "f(np.array([-np.inf, 4.0, float('inf'), 0.25], dtype=np.float64), np.array([1.25, 1.5, -2.5, -2.5]), 0.5)",
    'loss(np.float64(0.1), np.array([0.5, 2.0, 4.0, -0.5]), 0)',
]
