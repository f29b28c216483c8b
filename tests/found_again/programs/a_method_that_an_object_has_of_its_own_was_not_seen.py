import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



G0 = np.array([-0.5, -1.0, 0.75], dtype=np.float64)


G1 = 'a'


@dataclass
class C2:
    def __eq__(self, other):
        return 3 == (-1.0)
    @property
    def norm(self):
        return (False - 1)
    def method(self, u):
        return G0[-3]
    def __setitem__(self, k, u):
        self.a = u + ({'a': 1.5, 'b': 2}.get('a', u))


OBJECT_C2 = C2()


def f(alpha, beta, gamma, delta=np.array([-3, 1, 3], dtype=np.int64)):
    assert True, 'user: assertion'
    if OBJECT_C2:
        delta = delta[-2]
        if gamma[2] > np.abs(delta):
            y = int(delta)
        elif not math.isnan(delta):
            s = OBJECT_C2.method(delta)
    else:
        beta %= max(((w1 := delta)), delta, delta)
        z = gamma.T
    return s, (np.array([1, 7, -4], dtype=np.int8)).argsort()


SCRIPT = [
    'f(0.75, np.array([1, 1, 2, -1], dtype=np.int64), np.array([1.5, 0.25, 0.25]), np.array([-3, 1, 3], dtype=np.int64))',
    'f(0.0, np.int64(7), np.array([1.5, 3.0, 4.0], dtype=np.float64), np.array([-1, -2, -2, 4, 2], dtype=np.int64))',
    'G0 = np.array([-1.0, 1.0, 1.5], dtype=np.float32)',
    'f(0.75, np.array([1, 1, 2, -1], dtype=np.int64), np.array([1.5, 0.25, 0.25]), np.array([-3, 1, 3], dtype=np.int64))',
    "object.__setattr__(OBJECT_C2, 'method', lambda u: 3.5)",
    'f(0.75, np.array([1, 1, 2, -1], dtype=np.int64), np.array([1.5, 0.25, 0.25]), np.array([-3, 1, 3], dtype=np.int64))',
    'f(delta=np.array([-2, 1, 0], dtype=np.int64), gamma=np.array([-2.5, 2.0, 0.25]), beta=np.array([9, 2, 7, 7], dtype=np.int64), alpha=2.0)',
]
