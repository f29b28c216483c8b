"""Counters that loops count: the mirror has them by a formula, and no tape."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import differences

X = np.random.default_rng(3).normal(size=40)


def triangle(x, n):
    c, s = n, 0.0
    for j in range(n):
        for i in range(j + 1, n):
            s += x[c] * x[i] * x[j]
            c += 1
    return s


def downwards(x, n):
    c, s = len(x) - 1, 0.0
    for j in range(n - 1, -1, -1):
        for i in range(j, -1, -1):
            s += x[c] ** 2 * x[i] * (j + 1)
            c -= 1
    return s


def three_deep(x, n):
    c, s = 0, 0.0
    for k in range(3):
        for j in range(n):
            for i in range(j, n):
                s += x[c % 40] ** 2 * x[i]
                c += 1
        c += 2 * k
    return s


def by_lengths(x, n):
    y, c, s = x[:5], 0, 0.0
    for k in range(2):
        for j in range(len(y)):
            for i in range(j, len(y)):
                s += x[c] ** 2 * y[i]
                c += 1
        c += 2 * k
    return s + n


def by_what_is_given(x, n):
    c, s = 1, 0.0
    for j in range(4):
        s += x[c] ** 2 * x[j]
        c += n + j
    return s * x[c]


def two_counters(x, n):
    a, b, s = 0, 39, 0.0
    for j in range(n):
        s += x[a] * x[b] ** 2
        a, b = a + 2, b - j
    return s * x[a] * x[b]


def each_the_other(x, n):
    a, b, s = 0, 1, 0.0
    for _ in range(n):
        s += x[a] ** 2 * x[b]
        a, b = b, a + 1
    return s


def perhaps_no_round(x, n):
    c, s = 0, 0.0
    for j in range(n):
        for _ in range(3, j):
            s += x[c] ** 2
            c += 1
        s += x[c] ** 2 * x[j]
    return s


def by_path(x, n):
    c, s = 0, 0.0
    for j in range(n):
        s += x[c] ** 2 * x[j]
        if x[j] > 0.0:
            c += 1
    return s


def left_early(x, n):
    c, s = 0, 0.0
    for j in range(n):
        for i in range(j + 1):
            s += x[c] ** 2 * x[i]
            c += 1
        if c > 9:
            break
    return s * x[c]


def while_in_for(x, n):
    c, s = 0, 0.0
    for j in range(n):
        i = 0
        while i < j:
            s += x[c] ** 2 * x[i]
            i, c = i + 1, c + 1
    return s * x[c]


def products(x, n):
    p, s = 1, 0.0
    for j in range(4):
        s += x[p] ** 2 * x[j]
        p *= 2
    return s


def steps_of_two(x, n):
    c, s = 0, 0.0
    for j in range(0, 2 * n, 2):
        s += x[c] ** 2 * x[j]
        c += 3
    return s


PROGRAMS = [x for x in list(globals().values()) if callable(x) and getattr(x, "__module__", "") == __name__]
BY_FORMULA = (triangle, downwards, by_lengths, by_what_is_given, two_counters)


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", (0, 1, 2, 5))
def test_gradients(fun, n):
    np.testing.assert_allclose(gs.grad(fun)(X, n), differences(fun, (X, n), 0), rtol=1e-6, atol=1e-7)


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_compiled_gradients(fun):
    gradient = gs.jit(gs.grad(fun))
    for n in (0, 1, 5):
        np.testing.assert_allclose(gradient(X, n), gs.grad(fun)(X, n), rtol=1e-12)


@pytest.mark.parametrize("fun", BY_FORMULA, ids=lambda f: f.__name__)
def test_no_tape_of_counters(fun):
    assert "_tape" not in gs.grad(fun).source(X, 5)


@pytest.mark.parametrize("fun", (triangle, downwards), ids=lambda f: f.__name__)
def test_second_derivatives(fun):
    hessian, gradient, h = gs.hessian(fun)(X, 4), gs.grad(fun), 1e-5
    np.testing.assert_allclose(hessian, gs.jacrev(gradient)(X, 4), rtol=1e-10, atol=1e-12)
    columns = [(gradient(X + h * e, 4) - gradient(X - h * e, 4)) / (2.0 * h) for e in np.eye(len(X))]
    np.testing.assert_allclose(hessian, np.stack(columns, 1), rtol=1e-6, atol=1e-7)
