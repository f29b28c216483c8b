# exception: plain AttributeError heads.py:grown: _ object has _ attribute _: f(np.int16(1), False, np.array([[1.0, -0.5], [-0.5, 1.5], [0.75, -0.5]], dtype=np.float32)): raised AttributeError: 'NoneType' object has no attribute
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



G0 = True


G1 = [10, 0.5, 0.1]


def f(alpha, beta, gamma):
    for j, q in enumerate(G1, start=2):
        if isinstance(np.float64(-2.5), type(None)):
            continue
        n7 = 3
        while n7 > 0 and G0:
            n7 -= 1
            z = [j for v in gamma]
        gamma[:, -1:0] = math.sqrt(j)
    if (1.0, 2) is None:
        gamma[n7, n7] *= operator.mul((n7 * n7), ((7) - beta))
    else:
        z.remove(z[n7])
    return j, q, n7, z, alpha, gamma


def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return 0.4 * r[1]


SCRIPT = [
    'f(np.int16(1), False, np.array([[1.0, -0.5], [-0.5, 1.5], [0.75, -0.5]], dtype=np.float32))',
    'loss(np.int16(1), False, np.array([[1.0, -0.5], [-0.5, 1.5], [0.75, -0.5]], dtype=np.float32))',
    'f(np.int16(3), False, np.array([[1.5, 1.0], [1.5, 3.0], [4.0, 1.5]], dtype=np.float32))',
    'G1.pop()',
    'f(np.int16(1), False, np.array([[1.0, -0.5], [-0.5, 1.5], [0.75, -0.5]], dtype=np.float32))',
    'G0 = 1',
    'f(np.int16(1), False, np.array([[1.0, -0.5], [-0.5, 1.5], [0.75, -0.5]], dtype=np.float32))',
]


