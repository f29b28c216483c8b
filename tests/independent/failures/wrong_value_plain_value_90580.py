# wrong value: plain, value: f(-1, 3): result[2]: value 0.9950041770935059 instead of 0.9950041651292624
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



G0 = -0.5


def f(alpha, beta):
    beta, *beta, alpha = (1.0, 2)
    for i, q in enumerate(range(3)):
        q /= (w1 := G0)
        w1 = (w1) - w1
        if alpha <= q:
            continue
    z = [1.0, 2.5, -1.0]
    beta.sort(reverse=True)
    z.extend(z)
    i = (np.array([0.1, 0.75, 1.25], dtype=np.float32)).flatten()
    def h7(u, w=G0):
        v = u * w
        return G0
    q = [beta, beta]
    return w1, z, math.cos(i[0])


def loss(alpha, beta):
    r = f(alpha, beta)
    return 1.1 * r[0] + 0.4 * r[1][0] + 0.7 * r[1][1] + 0.7 * r[1][2] + 0.4 * r[1][3]


SCRIPT = [
    'f(-1, 3)',
    'loss(-1, 3)',
    'f(3, np.uint8(5))',
    'G0 = False',
    'f(-1, 3)',
    'loss(3, np.uint8(5))',
]


