"""Reverse mode: dot products with forward mode, finite differences, second order, and what is on the tape."""
import numpy as np
import pytest

from gradscribe.transformer.core import runnable
from gradscribe.transformer.core.types import PY_FLOAT, PY_INT, Type, array
from gradscribe.transformer.transform.vjp import vjp
from tests.transformer.reverse import check_derivatives, rand

from .programs import program

V, M, F8 = array("f8", "n"), array("f8", "n", "n"), Type("np", np.dtype("f8"))


# straight lines ---------------------------------------------------------------------------------
def test_fan_out():
    def f(t, x, y):
        s = np.sin(x)
        return s * s + s * y, np.exp(s)
    check_derivatives(program(f, x=V, y=V), [rand(3), rand(3, seed=1)])


def test_broadcast():
    def f(t, x, y, a, c):
        return t.sum((x * y + a) ** 2 / c, axis=(0,)), x - c
    check_derivatives(program(f, x=M, y=V, a=PY_FLOAT, c=F8), [rand(3, 3), rand(3), 0.7, np.float64(1.3)])


def test_reductions_and_products():
    def f(t, w, x):
        h = np.tanh(w @ x)
        return t.op("np.max", h, axis=(0,), keepdims=False), t.op("np.mean", h @ w, axis=(0,), keepdims=False), h @ x
    check_derivatives(program(f, w=M, x=V), [rand(4, 4), rand(4)])


def test_float32_stays():
    def f(t, x):
        return t.sum(x * 2.0) * x
    args = [rand(3).astype("f4")]
    reverse = vjp(program(f, x=array("f4", "n")), (True,))
    _, bar = runnable(reverse)(*args, np.ones(3, "f4"))
    assert bar.dtype == np.float32


def test_unused_parameter_and_constant_result():
    def f(t, x, y, k):
        return x * 2.0, y, 3.0, k
    fun = program(f, x=V, y=PY_FLOAT, k=PY_INT)
    *_, x_bar, y_bar = runnable(vjp(fun, (True, True, True)))(rand(3), 2.0, 4, rand(3), 0.5, 1.0)
    assert y_bar == 0.5 and type(y_bar) is float
    *_, x_bar, y_bar = runnable(vjp(fun, (True, True, True), (0,)))(rand(3), 2.0, 4, rand(3))
    assert y_bar == 0.0 and type(y_bar) is float


def test_turned_and_whole():
    """The cotangent of x[::-1] is g[::-1], also where x is read elsewhere, too."""
    def f(t, x, y):
        back = slice(None, None, -1)
        return t.get(x, back) * y * t.get(y, back, back) * x, t.get(t.get(y, back), slice(None), back)
    fun = program(f, x=V, y=M)
    check_derivatives(fun, [rand(3), rand(3, 3)])
    assert "update" not in str(vjp(fun, (True, True)))


def test_update_and_getitem():
    def f(t, x, y):
        a = t.set(x, t.get(x, 0) * t.get(y, 1), 1)
        a = t.set(a, t.get(a, slice(1, None, None), dims=[t.size(x) - 1]) * 2.0, slice(1, None, None),
                  dims=[t.size(x) - 1])
        a = t.set(a, t.get(a, -1), 0, add=True)
        return a * a, t.sum(x) + t.get(x, 0) ** 2
    check_derivatives(program(f, x=V, y=V), [rand(4), rand(4, seed=1)])


def test_index_arrays():
    def f(t, x, k, v):
        gathered = t.get(x, k) * v
        return t.set(x, gathered, k), t.set(x, gathered * v, k, add=True)
    check_derivatives(program(f, x=V, k=array("i8", "m"), v=array("f8", "m")),
                      [rand(4), np.array([0, 2, 0, 3, 2]), rand(5, seed=2)])


# branches ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("x", [0.5, 2.0])
def test_if(x):
    def f(t, x, y):
        s = np.sin(x)
        r, q = t.if_(s > 0.7, lambda: (t.sum(s * np.exp(y) * y), y * x), lambda: (s * x, y))
        return r * r, q
    check_derivatives(program(f, x=PY_FLOAT, y=V), [x, rand(3)])


def test_if_saves_a_reduction():
    def f(t, x):
        def then():
            s = t.sum(x * x)
            return np.sin(s) * s
        return t.if_(t.get(x, 0) > 0.1, then, lambda: t.get(x, 1))
    check_derivatives(program(f, x=V), [rand(3)])
