# wrong value: plain, type instead of int: f(np.array([0.75, 1.5, 70000.0]), np.int16(7)): result[0][0]: type int16 np.int16(1) instead of int 1
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



def f(alpha, beta):
    alpha = alpha.T
    z = beta
    if (y := beta) != z:
        x = None
    else:
        y = alpha.ndim
    x = [y]
    t = x[-1]
    return x, t


SCRIPT = [
    'f(np.array([1.5, 1.0, 3.0]), 1)',
    'f(np.array([0.75, 1.5, 70000.0]), np.int16(7))',
    'f(np.array([4.0, 0.75, 3.0], dtype=np.float64), -1)',
]


