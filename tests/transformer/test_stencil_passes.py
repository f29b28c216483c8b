"""The passes before stencils gather: where values are read again, where sums begin, which loops become arrays."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.optimise.clears import clears
from gradscribe.transformer.optimise.stored import read_where_stored

from .becoming import becomes

CLEARED = """
        def f(g: "f8[n]", m: int):
            n = g.shape[0]
            y = np.zeros((n,), dtype=np.float64)
            y__1 = y
            for k in range(0, m, 1):
                y__2 = rt.update_add(y__1, 1.0, np.s_[1:])
                s = np.sum(y__2, axis=(0,), keepdims=False)
                y__3 = rt.update(y__2, 0.0, np.s_[:])
                y__1 = y__3
            return (y__1,)
"""


def test_zeros_are_stored_where_the_next_iteration_adds():
    becomes(clears, CLEARED, """
        def f(g, m):
            n = g.shape[0]
            y = np.zeros((n,), dtype=np.float64)
            y__1 = y
            for k in range(0, m, 1):
                y__4 = rt.update(y__1, 0.0, np.s_[:])
                y__2 = rt.update_add(y__4, 1.0, np.s_[1:])
                s = np.sum(y__2, axis=(0,), keepdims=False)
                y__1 = y__2
            y__5 = rt.update(y__1, 0.0, np.s_[:])
            return (y__5,)
    """)


@pytest.mark.parametrize("what", ["np.ones((n,), dtype=np.float64)", "rt.update(y__2, 1.0, np.s_[:])"])
def test_what_is_not_zero_stays(what):
    old = "np.zeros((n,), dtype=np.float64)" if "ones" in what else "rt.update(y__2, 0.0, np.s_[:])"
    text = CLEARED.replace(old, what)
    becomes(clears, text, text.replace(': "f8[n]"', "").replace(": int", ""))


def test_a_value_is_read_where_it_was_stored():
    becomes(read_where_stored, """
        def f(x: "f8[n]", y: "f8[n]", w: "f8[n]"):
            v = x * 2.0
            y__1 = rt.update(y, v, np.s_[:])
            u = y__1[::-1]
            z = v + u
            q = v * w
            return (z, q, y__1)
    """, """
        def f(x, y, w):
            v = x * 2.0
            y__1 = rt.update(y, v, np.s_[:])
            u = y__1[::-1]
            v__1 = y__1[:]
            z = v__1 + u
            q = v * w
            return (z, q, y__1)
    """)


def test_not_after_the_next_store_into_it():
    text = """
        def f(x: "f8[n]", y: "f8[n]"):
            v = x * 2.0
            y__1 = rt.update(y, v, np.s_[:])
            y__2 = rt.update(y__1, 1.0, np.s_[:])
            z = v + y__2
            return (z, y__2)
    """
    becomes(read_where_stored, text, text.replace(': "f8[n]"', ""))


def touches_two(x, steps):
    x = x.copy()
    for _ in range(steps):
        for i in range(1, len(x) - 1):
            x[i] = x[i - 1] * 0.5 + x[i + 1]  # each waits for the one before it
    return np.sum(x * x)


def wraps(x, steps):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] - 0.5 * x[i - 1]  # the first one's neighbour is the last
    return np.sum(y ** 3)


def strides(x, steps):
    y = np.zeros(len(x))
    for i in range(0, len(x) - 1, 2):
        y[i] = x[i] * x[i + 1]
    return np.sum(y ** 2)


@pytest.mark.parametrize("f", [touches_two, wraps, strides])
def test_loops_that_stay(f):
    x = np.random.default_rng(8).normal(size=7)
    compiled = gs.jit(gs.grad(f))(x, 2)
    for k in range(len(x)):
        step = 1e-6 * (np.arange(len(x)) == k)
        np.testing.assert_allclose(compiled[k], (f(x + step, 2) - f(x - step, 2)) / 2e-6, rtol=1e-6, atol=1e-7)
