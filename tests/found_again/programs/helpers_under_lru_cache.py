import copy
import dataclasses
import functools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np



def helper0(p):
    y = None
    s = {'a': p, 'b': p}
    return (1e300 or p) * s['a']


@functools.lru_cache(maxsize=None)
def helper1(p, m=-3):
    x = np.isfinite(math.atan2(m, m))
    p, y = np.array([0.75, -1.0], dtype=np.float32)
    return x


def f(alpha, beta):
    for j in range(np.array([True, False], dtype=np.bool_).shape[0]):
        z = beta
        z = z[None]
    beta = 2
    if (j * beta) <= helper1(p=j, m=beta):
        if (j if ((10) > (-0.5)) else j) >= (2) | j:
            s, = ((+np.int64(3)),)
        else:
            z += z[0, -2]
        x = None
    else:
        t = dict(enumerate([1.0, 2.5, -1.0]))
    z, *y = (1.0, 2)
    s = helper1(t[0], m=j and 0.25)
    return [t, y, s, beta, z]


SCRIPT = [
    'f(False, np.array([0.25, 3.0], dtype=np.float32))',
    'f(False, np.array([-0.5, 4.0], dtype=np.float32).T)',
    'f(False, np.array([2.0, 2.0], dtype=np.float32))',
]
