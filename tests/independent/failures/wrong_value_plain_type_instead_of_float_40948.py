# wrong value: plain, type instead of float: f(0.1, np.array([[2.0**53, -1.0, 1.0, 0.5], [-0.5, 1.5, 1.0, 1e-300], [3.0, 0.25, 4.0, 0.75], [3.0, -0.5, 1.0, -1.0]], dtype=np.float64), C0(0.25, 0.7
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



class C0(NamedTuple):
    a: float
    b: float


def f(alpha, beta, gamma):
    alpha **= 1
    y = alpha < ((+0.5) * bool(alpha))
    z = y / (functools.reduce(max, gamma, np.float64(1.25)) if (y <= 0.1) else 1.5 // y)
    return y, z, abs(beta) // y


SCRIPT = [
    'f(0.1, np.array([[2.0**53, -1.0, 1.0, 0.5], [-0.5, 1.5, 1.0, 1e-300], [3.0, 0.25, 4.0, 0.75], [3.0, -0.5, 1.0, -1.0]], dtype=np.float64), C0(0.25, 0.75))',
    'f(1.25, np.array([[1.5, 2.0, 0.1, 0.25], [0.5, 2.0, 4.0, 0.75], [-1.0, -1.0, 0.1, 1.0], [2.0, 1.0, 1.25, -1.0]]), C0(0.1, -1.0))',
    'f(1, np.broadcast_to(np.float64(0.75), (4, 4)), C0(4.0, 4.0))',
]


