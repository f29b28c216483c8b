# exception: plain AttributeError iteration.py:_advance_zip: _ object has _ attribute _: f(1.25): raised AttributeError: 'Num' object has no attribute 'value'
# compiled: False
import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np



G0 = [-0.5, -1.0, -1]


G1 = True


@dataclass
class C2:
    a: np.ndarray
    b: float
    total: float = field(init=False, default=0.0)
    def __post_init__(self):
        self.total = self.a * 2
    scale = None
    def by_scale(self, u):
        return u if self.scale is None else u * self.scale
    def __iter__(self):
        return iter([v * 2 for v in (1.5, (G1))])
    def __contains__(self, u):
        return self.b <= G1
    def __hash__(self):
        return 7
    def __eq__(self, other):
        return self.b == G1


OBJECT_C2 = C2(np.array([-0.5, -1.0, 0.25], dtype=np.float64), 1.0)


def helper4(p: 'list', q, r: 'array', key=1.5):
    for i in range(2):
        if not (range(3) == range(3)):
            raise ValueError('user: no')
        r = r * ((w1 := key))
    n10 = 1
    while n10 > 0 and G1:
        n10 -= 1
        r = p
    x = (np.array([5, 7, 7], dtype=np.uint32)).copy()
    return None


def f(alpha):
    alpha = alpha = np.array([0.1, 0.75, 0.75])
    if (G0 if ([1.0, 2.5, -1.0] == (1.0, 2)) else G0) != list(zip([1.0, 2.5, -1.0], G0, strict=G1)):
        for j, q in enumerate(alpha, start=2):
            q /= np.tanh(alpha)
            alpha = j
            y = alpha
    else:
        s = tuple(G0)
        x = helper4(G0, j, np.array([0.1, -1e300, 2.0]))
    j = [np.ceil(q) for v in OBJECT_C2 if q is OBJECT_C2]
    s = C2.scale
    z = C2(True, 1.5)
    j.sort()
    s = C2(y, y)
    u = C2(2.0, alpha)
    return s, z, u, [1.0, 2.5, -1.0]


def loss(alpha):
    r = f(alpha)
    return 1.3 * r[1].b + 0.4 * r[2].a + 1.3 * r[2].total + 0.7 * r[3][0] + 0.7 * r[3][1]


SCRIPT = [
    'f(1.25)',
    'loss(1.25)',
    'f(np.int64(-3))',
    'G1 = np.float64(0.75)',
    'f(1.25)',
    'loss(1.25)',
]


