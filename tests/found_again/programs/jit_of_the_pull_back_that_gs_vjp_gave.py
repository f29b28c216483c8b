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


G1 = [2.0, 2, -1]


def helper2(p, q: 'list', **named):
    return abs(q[slice(1, None)][0])


def f(alpha, beta):
    for v in alpha:
        alpha = 'k-v'
        if isinstance(v, dict):
            break
    y = G1[-3]
    return v, y, beta, np.array([-1.0, 3.0])


def loss(alpha, beta):
    r = f(alpha, beta)
    return 1.1 * r[1] + 1.3 * r[2] + 1.1 * np.sum(r[3])


SCRIPT = [
    'f(np.array([0.75, 1.25, 2.0], dtype=np.float32), 0.75)',
    'loss(np.array([0.75, 1.25, 2.0], dtype=np.float32), 0.75)',
    'f(np.zeros((0,), np.float32), 0.5)',
    'G0 = 128',
    'f(np.array([0.75, 1.25, 2.0], dtype=np.float32), 0.75)',
]
