"""The table PROGRAMS, what enters a program there, and arguments."""
import numpy as np
import pytest

PROGRAMS = []


def program(*argsets, grads=True, refused=False):
    def register(f):
        PROGRAMS.append(pytest.param(f, argsets, grads, refused, id=f.__name__))
        return f
    return register


def r(*shape, seed=1):
    return np.random.default_rng(seed + sum(shape)).normal(size=shape)


UP, DOWN = abs(r(5)), -abs(r(5))
BOTH = (UP,), (DOWN,)
PAIRS = [(r(n), r(m, seed=7)) for n in (3, 1, 2, 0) for m in (3, 1, 2, 0)]
