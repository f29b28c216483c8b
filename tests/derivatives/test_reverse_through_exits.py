"""Reverse mode through loops that overwrite what they read, and through break, continue and early return."""
import numpy as np
import pytest

import gradscribe as gs

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


def gradient(f, compiled, argnums=0):
    return gs.jit(gs.grad(f, argnums=argnums)) if compiled else gs.grad(f, argnums=argnums)


# ---- loops that overwrite what they read

def products_in_place(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] = y[i] * y[i - 1]
    return np.sum(y)


@COMPILED
@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_cumulative_product(compiled, n):
    x = np.linspace(0.5, 1.5, n)
    tails = [sum(np.prod(np.delete(x[:k], i)) for k in range(i + 1, n + 1)) for i in range(n)]
    np.testing.assert_allclose(gradient(products_in_place, compiled)(x), tails, rtol=1e-12)


def relaxed(x, steps):
    u = x.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * u[1:-1] * (u[:-2] - 2.0 * u[1:-1] + u[2:])
    return np.sum(u * u)


@COMPILED
def test_a_stencil_in_place(compiled):
    x = np.random.default_rng(1).uniform(size=8)

    def tangent(v, steps):
        u, du = x.copy(), v.copy()
        for _ in range(steps):
            lap, dlap = (w[:-2] - 2.0 * w[1:-1] + w[2:] for w in (u, du))
            du[1:-1] += 0.1 * (du[1:-1] * lap + u[1:-1] * dlap)
            u[1:-1] += 0.1 * u[1:-1] * lap
        return 2 * u @ du

    for steps in (0, 1, 5):
        np.testing.assert_allclose(gradient(relaxed, compiled)(x, steps), [tangent(v, steps) for v in np.eye(8)],
                                   rtol=1e-11)


def overwritten_by_element(x, steps):
    for _ in range(steps):
        for i in range(len(x)):
            x[i] = np.sin(x[i]) * x[i - 1]
    return np.sum(x)


@COMPILED
def test_an_argument_overwritten_many_times(compiled):
    x = np.array([0.5, 1.5, -0.7])

    def tangent(v, steps):
        u, du = x.copy(), v.copy()
        for _ in range(steps):
            for i in range(len(u)):
                u[i], du[i] = np.sin(u[i]) * u[i - 1], np.cos(u[i]) * du[i] * u[i - 1] + np.sin(u[i]) * du[i - 1]
        return np.sum(du)

    for steps in (0, 1, 4):
        got = gradient(overwritten_by_element, compiled)(x.copy(), steps)
        np.testing.assert_allclose(got, [tangent(v, steps) for v in np.eye(3)], rtol=1e-11)


# ---- break, continue and early return

def until_enough(x, limit):
    total = 0.0
    for v in x:
        if total > limit:
            break
        total += v * v
    return total


def first_above(x, level):
    total = 1.0
    for i in range(len(x)):
        if x[i] > level:
            return x[i] * total
        total = total * (1.0 + x[i])
    return total


def only_positive(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] <= 0.0:
            continue
        total += np.log(x[i]) * total + x[i]
    return total


def search_rows(A, level):
    for i in range(A.shape[0]):
        s = 0.0
        for j in range(A.shape[1]):
            s = s + A[i, j] ** 2
            if s > level:
                return s * (i + 1)
    return np.sum(A)


@COMPILED
@pytest.mark.parametrize("limit", [-1.0, 0.0, 1.0, 3.0, 100.0])
def test_break(compiled, limit):
    x = np.array([0.5, -1.0, 0.8, 1.2, 0.1])
    read = np.concatenate([[0.0], np.cumsum(x * x)[:-1]]) <= limit
    np.testing.assert_allclose(gradient(until_enough, compiled)(x, limit), np.where(read, 2 * x, 0.0))


@COMPILED
@pytest.mark.parametrize("level", [0.3, 0.7, 5.0])
def test_early_return(compiled, level):
    x = np.array([0.2, 0.5, 0.9, 0.1])
    want = np.zeros(4)
    above = np.flatnonzero(x > level)
    k = above[0] if len(above) else 4
    product = np.prod(1.0 + x[:k])
    want[:k] = product / (1.0 + x[:k]) * (x[k] if k < 4 else 1.0)
    if k < 4:
        want[k] = product
    np.testing.assert_allclose(gradient(first_above, compiled)(x, level), want, rtol=1e-12)


@COMPILED
def test_continue(compiled):
    x = np.array([0.5, -1.0, 1.5, 0.0, 0.7])

    def tangent(v):
        total = dot = 0.0
        for a, da in zip(x, v):
            if a > 0.0:
                dot += da / a * total + np.log(a) * dot + da
                total += np.log(a) * total + a
        return dot

    np.testing.assert_allclose(gradient(only_positive, compiled)(x), [tangent(v) for v in np.eye(5)], rtol=1e-12)


@pytest.mark.heavy(one_in=2)
@COMPILED
@pytest.mark.parametrize("level", [0.1, 1.0, 4.0, 99.0])
def test_return_out_of_nested_loops(compiled, level):
    A = np.array([[0.2, 0.5, 0.6], [1.1, -0.7, 2.0]])
    want = np.ones((2, 3))
    sums = np.cumsum(A * A, axis=1)
    found = np.argwhere(sums > level)
    if len(found):
        i, j = found[0]
        want = np.zeros((2, 3))
        want[i, :j + 1] = 2 * A[i, :j + 1] * (i + 1)
    np.testing.assert_allclose(gradient(search_rows, compiled)(A, level), want, rtol=1e-12)
