"""Small integers beside numbers out of their range, and integers under derivatives."""
import functools
import math

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import Together, agree

SMALL = [np.dtype(t).type for t in "bBhHiIlL"]


def compared_with_a_number(a, n):
    return a > n, a >= n, a < n, a <= n, a == n, a != n, n < a, n == a


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("n", [-1, -129, 300, 70000, 2**31, 2**40, 2**63 - 1, -(2**63), 0, 5])
def test_small_integers_compared_with_numbers_out_of_their_range(dtype, n):
    compared = together(compared_with_a_number)
    compared(np.array([0, 5, 100], dtype), n)
    compared(dtype(5), n)


@functools.cache
def together(fun, **options):
    return Together(fun, **options)


def compared_with_a_constant(a):
    return a > -1, a < 300, a == 300, a != -1, a >= -(2**40), a <= 2**40, -1 < a, 300 > a


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("dtype", SMALL)
def test_small_integers_compared_with_constants_out_of_their_range(dtype):
    agree(compared_with_a_constant, np.array([0, 5, 100], dtype))
    agree(compared_with_a_constant, dtype(5))


NUMPY_TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.bool_, np.float32,
               np.float64]


def math_of_a_numpy_scalar(x):
    return (math.exp(x), math.sin(x), math.cos(x), math.sqrt(x), math.tanh(x), math.atan(x), math.hypot(x, x),
            math.tan(x), math.atan2(x, x))


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("dtype", NUMPY_TYPES)
def test_math_of_numpy_scalars_is_in_double(dtype):
    agree(math_of_a_numpy_scalar, dtype(1))
    if dtype not in (np.bool_,):
        agree(math_of_a_numpy_scalar, dtype(3))


def test_what_is_no_float_has_zeros_where_it_had_to_be_known():
    """The derivative of an int that chose a key was that int."""
    def f(n, flag, x):
        return {1: x, 3: x ** 2}[n] * (2.0 if flag else 1.0), n, flag, "a name"
    assert gs.vjp(f, 3, True, 2.0)[1]((1.0, 0, False, "a name")) == (0, False, 8.0)
    assert gs.jvp(f, (3, True, 2.0), (0, False, 1.0)) == ((8.0, 3, True, "a name"), (8.0, 0, False, "a name"))

    def loss(n, flag, x):
        return f(n, flag, x)[0]
    for transformed in (gs.grad(loss, (0, 1, 2), allow_int=True), lambda *args: gs.vjp(loss, *args)[1](1.0),
                        gs.jit(lambda *args: gs.vjp(loss, *args)[1](1.0))):
        found = transformed(3, True, 2.0)
        assert found == (0, False, 8.0) and list(map(type, found)) == [int, bool, float]


def test_allow_int():
    def f(p):
        return np.sum(p["w"][p["i"]]) * p["n"]
    p = {"w": np.ones(3), "i": np.array([1, 1], np.int32), "n": 2}
    with pytest.raises(gs.GradscribeError, match="has dtype int.*\n.*\n.*\n.*allow_int=True"):
        gs.grad(f)(p)
    for transformed in (gs.grad(f, allow_int=True), gs.jit(gs.grad(f, allow_int=True)),
                        lambda p: gs.value_and_grad(f, allow_int=True)(p)[1]):
        found = transformed(p)
        np.testing.assert_array_equal(found["w"], [0.0, 4.0, 0.0])
        assert found["i"].dtype == np.int32 and not found["i"].any() and type(found["n"]) is int and found["n"] == 0
    with pytest.raises(TypeError, match="allow_int"):
        gs.jacrev(f, allow_int=True)
