"""Arrays of a few elements at known places are numbers in compiled code, in loops and outside of them."""
import re

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import differences


def leapfrog(x, n):
    y, v = np.array([x[0], x[1]]), np.array([0.75, 0.0])
    for _ in range(n):
        r = np.sqrt(y[0] ** 2 + y[1] ** 2)
        v = v - 0.1 * x[2] * y / r ** 3
        y = y + 0.1 * v
    return np.sum(y * v)


def swapped(x, n):
    a, b = x[:2] * 2.0, np.array([x[2], 1.0])
    for _ in range(n):
        a, b = b, a + 0.5 * np.sin(b)
    return a[0] * b[1] + a[-1]


def stored_after_a_second_name(x, n):
    y = np.array([x[0], x[1], x[2]])
    z = y
    for k in range(n):
        y[0] += z[1] * x[2]
        z[2] *= 1.0 + 0.1 * k
    return y[0] * z[0] + y[2]


def kept_and_stored(x, n):
    y, total = np.zeros(3), 0.0
    for k in range(n):
        before = y.copy()
        y[k % 3] += x[0] * x[1]
        y[0] = before[1] + x[2]
        total += y @ before
    return total


def stored_at_places_found_then(x, n):
    y = np.zeros(3)
    for k in range(n):
        y[k % 3] += x[k % 3] ** 2
    return y[0] * y[1] + y[2]


def made_on_one_side(x, n):
    y, s = np.zeros(2), 0.0
    for k in range(n):
        if x[0] > k:
            y = np.array([x[1] * k, x[2]])
        s += y[0] * y[1] + x[0]
    return s


def rows_of_a_matrix(x, n):
    a = np.array([[1.0, 0.2], [0.3, 1.0]]) * x[0]
    s = np.eye(2)
    for _ in range(n):
        s = np.array([[a[0, 0] * s[0, 0] + a[0, 1] * s[1, 0], s[0, 1]], [s[1, 0] + x[1], a[1, 1] * s[1, 1]]])
    return np.sum(s) * x[2]


def while_it_falls(x, n):
    y, v, k = np.array([0.0, 2.0]) + x[:2], np.array([1.0, 0.0]), 0
    while y[1] > 0.0 and k < 10 * n:
        v = v - 0.1 * np.array([0.0, 1.0]) * x[2]
        y = y + 0.1 * v
        k += 1
    return y[0] - y[1]


def with_complex_numbers(x, n):
    z = np.array([x[0] + 1j * x[1], 1j * x[2]])
    for _ in range(n):
        z = z * z[::-1] + 0.5
    return np.abs(z[0]) + z[1].real


def given_to_a_function(x, n):
    y = np.array([x[0], x[1]])
    for _ in range(n):
        y = y / np.linalg.norm(y) + x[2]
    return np.sum(y)


X = np.array([1.1, -0.73, 0.4])
NUMBERS = (leapfrog, swapped, made_on_one_side, rows_of_a_matrix, while_it_falls)
PROGRAMS = (*NUMBERS, stored_after_a_second_name, kept_and_stored, stored_at_places_found_then, with_complex_numbers,
            given_to_a_function)


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", (0, 1, 2, 5))
def test_values_and_derivatives(fun, n):
    np.testing.assert_allclose(gs.jit(fun)(X, n), fun(X, n), rtol=1e-13)
    want = differences(fun, (X, n), 0)
    np.testing.assert_allclose(gs.jit(gs.grad(fun))(X, n), want, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(gs.jit(gs.jacfwd(fun))(X, n), want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("fun", NUMBERS, ids=lambda f: f.__name__)
def test_no_memory_is_taken(fun):
    text = gs.jit(fun).source(X, 5, stage="compiled")
    assert not re.search(r"rm\.(empty|zeros|buffer|copy)\(", text), text


def test_what_is_returned_keeps_its_memory():
    def path(x):
        y, ys = np.array([x, 1.0]), []
        for _ in range(3):
            y = y * x
            ys.append(y)
        return ys

    for got, want in zip(gs.jit(path)(2.0), path(2.0)):
        np.testing.assert_array_equal(got, want)
