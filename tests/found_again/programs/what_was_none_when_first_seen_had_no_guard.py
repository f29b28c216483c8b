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


def f(alpha, beta):
    if G0:
        y = alpha = -1.0
        n4 = 3
        while n4 > 0:
            n4 -= 1
            beta = beta * (np.tanh(n4))
    else:
        for j in range(3):
            beta /= math.atan2(beta, j) / np.arctan(1.0)
            x = 1.25
    alpha, y, alpha = [1.0, 2.5, -1.0][:].copy()
    beta /= beta
    return j, x, y, [1.0, 2.5, -1.0]


SCRIPT = [
    'f(0.5, -2.5)',
    'f(-1.0, np.float64(0.75))',
    'G0 = 4.0',
    'f(0.5, -2.5)',
]
