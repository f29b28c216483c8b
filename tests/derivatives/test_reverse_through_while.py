"""Reverse mode through `while`, through loops that overwrite what they read, through triangular loops and early exits.

What is expected is known on paper: Cholesky and LU have adjoints in closed form, and the iterations here have
derivatives that a line of algebra or the same loop with tangents by hand gives.
"""
import subprocess
import sys
import textwrap
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


def gradient(f, compiled, argnums=0):
    return gs.jit(gs.grad(f, argnums=argnums)) if compiled else gs.grad(f, argnums=argnums)


# ---- while, the number of iterations is in the data

def halved_until_small(x, a, limit):
    k = 0
    while x > limit:
        x = a * x
        k += 1
    return x + 0.0 * k


@COMPILED
@pytest.mark.parametrize("steps", [0, 1, 63, 64, 65, 1000])
def test_a_linear_iteration(compiled, steps):
    """x a^k. The lengths go around those at which a tape grows."""
    x, a = 1.5, 0.99
    limit = x * a ** (steps - 0.5)
    df = gradient(halved_until_small, compiled, (0, 1))
    np.testing.assert_allclose(df(x, a, limit), (a**steps, steps * x * a ** (steps - 1)), rtol=1e-11)


def logistic_until(x, a, level):
    while x < level:
        x = a * x * (1.0 - x)
    return x * x


@COMPILED
def test_a_nonlinear_iteration(compiled):
    df = gradient(logistic_until, compiled, (0, 1))
    for start in (0.3, 0.01, 0.9999):
        x, dx, da, a, level = start, 1.0, 0.0, 3.9, 0.93
        while x < level:  # the same with its tangents by hand
            dx, da = a * (1.0 - 2.0 * x) * dx, x * (1.0 - x) + a * (1.0 - 2.0 * x) * da
            x = a * x * (1.0 - x)
        np.testing.assert_allclose(df(start, a, level), (2 * x * dx, 2 * x * da), rtol=1e-10)


def newton_root(c, tolerance):
    x = 1.0
    while abs(x * x - c) > tolerance:
        x = 0.5 * (x + c / x)
    return x


@COMPILED
def test_newton(compiled):
    df = gradient(newton_root, compiled)
    for c in (0.25, 2.0, 1e4):
        np.testing.assert_allclose(df(c, 1e-14 * c), 0.5 / np.sqrt(c), rtol=1e-9)


def power_method(A, tolerance):
    v = np.ones(len(A))
    old, value = 0.0, 1.0
    while abs(value - old) > tolerance:
        w = A @ v
        old, value = value, np.sqrt(np.sum(w * w))
        v = w / value
    return value


@pytest.mark.heavy(one_in=2)
@COMPILED
def test_an_iteration_on_arrays(compiled):
    """The largest eigenvalue of a symmetric matrix has the derivative v v'."""
    A = np.random.default_rng(0).uniform(size=(5, 5))
    A = A + A.T
    v = np.linalg.eigh(A)[1][:, -1]
    np.testing.assert_allclose(gradient(power_method, compiled)(A, 1e-14), np.outer(v, v), atol=1e-6)


def nested_whiles(x):
    total, k = 0.0, 0
    while k < 4:
        y = x * (k + 1)
        while y > 1.0:
            y = 0.5 * y
            total = total + y * y
        k += 1
    return total


@COMPILED
def test_nested_whiles(compiled):
    def on_paper(x):
        bars = 0.0
        for k in range(4):
            y, dy = x * (k + 1), k + 1.0
            while y > 1.0:
                y, dy = 0.5 * y, 0.5 * dy
                bars += 2 * y * dy
        return bars

    for x in (0.1, 0.9, 3.3, 100.0):
        np.testing.assert_allclose(gradient(nested_whiles, compiled)(x), on_paper(x), rtol=1e-12)


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
        np.testing.assert_allclose(gradient(relaxed, compiled)(x, steps), [tangent(v, steps) for v in np.eye(8)], rtol=1e-11)


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


# ---- Cholesky and LU

def cholesky_loops(A):
    n = len(A)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return L


def cholesky_in_place(A):
    """The lower triangle is overwritten, column by column, in terms of itself."""
    L = A.copy()
    n = len(L)
    for k in range(n):
        L[k, k] = np.sqrt(L[k, k])
        for i in range(k + 1, n):
            L[i, k] /= L[k, k]
        for j in range(k + 1, n):
            for i in range(j, n):
                L[i, j] -= L[i, k] * L[j, k]
            L[k, j] = 0.0
    return L


def cholesky_slices(A):
    n = len(A)
    L = np.zeros((n, n))
    for j in range(n):
        column = A[j:, j] - L[j:, :j] @ L[j, :j]
        L[j:, j] = column / np.sqrt(column[0])
    return L


def lu_loops(A):
    LU = A.copy()
    n = len(LU)
    for k in range(n - 1):
        for i in range(k + 1, n):
            LU[i, k] /= LU[k, k]
            for j in range(k + 1, n):
                LU[i, j] -= LU[i, k] * LU[k, j]
    return LU


def lu_rows(A):
    """The same, a row at a time."""
    LU = A.copy()
    n = len(LU)
    for k in range(n - 1):
        for i in range(k + 1, n):
            LU[i, k] /= LU[k, k]
            LU[i, k + 1:] -= LU[i, k] * LU[k, k + 1:]
    return LU


def lu_slices(A):
    LU = A.copy()
    for k in range(len(LU) - 1):
        LU[k + 1:, k] /= LU[k, k]
        LU[k + 1:, k + 1:] -= np.outer(LU[k + 1:, k], LU[k, k + 1:])
    return LU


def cholesky_bar(A, L_bar):
    """The adjoint of the lower triangle of A (Murray, 2016)."""
    L = np.linalg.cholesky(A)
    P = np.tril(L.T @ np.tril(L_bar))
    P[np.diag_indices(len(A))] *= 0.5
    S = np.linalg.solve(L.T, np.linalg.solve(L.T, P.T).T)
    return np.tril(S + S.T) - np.diag(np.diag(S))


def lu_bar(A, LU_bar):
    """With X = inv(L) dA inv(U): dL = L stril(X), dU = triu(X) U."""
    LU = lu_slices(A)
    L, U = np.tril(LU, -1) + np.eye(len(A)), np.triu(LU)
    G = np.tril(L.T @ np.tril(LU_bar, -1), -1) + np.triu(np.triu(LU_bar) @ U.T)
    return np.linalg.solve(L.T, np.linalg.solve(U, G.T).T)


def positive_definite(n, rng):
    A = rng.normal(size=(n, n))
    return A @ A.T + n * np.eye(n)


def dominant(n, rng):
    return rng.uniform(size=(n, n)) + n * np.eye(n)


FACTORS = [(cholesky_loops, positive_definite, cholesky_bar), (cholesky_in_place, positive_definite, cholesky_bar),
           (cholesky_slices, positive_definite, cholesky_bar), (lu_loops, dominant, lu_bar), (lu_rows, dominant, lu_bar), (lu_slices, dominant, lu_bar)]


@pytest.mark.heavy(one_in=37)
@COMPILED
@pytest.mark.parametrize("n", [1, 2, 3, 17])
@pytest.mark.parametrize("factor, matrix, bar", FACTORS, ids=[f.__name__ for f, _, _ in FACTORS])
def test_factorisations(compiled, n, factor, matrix, bar):
    rng = np.random.default_rng(n)
    A, weights = matrix(n, rng), rng.normal(size=(n, n))

    def f(A, weights):
        return np.sum(factor(A) * weights)

    got = gradient(f, compiled)(A, weights)
    np.testing.assert_allclose(got, bar(A, weights), rtol=1e-9, atol=1e-9 * np.abs(got).max())


# ---- what the tape takes

@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("factor, matrix", [(f, m) for f, m, _ in FACTORS], ids=[f.__name__ for f, _, _ in FACTORS])
def test_the_tape_is_of_the_order_of_the_matrix(factor, matrix):
    """The peak of what the gradient allocates grows as n^2, where n^3 values are computed."""
    def f(A):
        return np.sum(factor(A))

    df, sizes = gs.grad(f), (20, 40, 80)
    peaks = [peak(df, matrix(n, np.random.default_rng(0))) for n in sizes]
    exponent = np.polyfit(np.log(sizes), np.log(peaks), 1)[0]
    assert exponent <= 2.3, f"{dict(zip(sizes, peaks))}: exponent {exponent:.2f}"


def peak(df, A) -> int:
    """The most bytes that a call has allocated at a time."""
    df(A[:2, :2])
    tracemalloc.start()
    try:
        df(A)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.heavy(one_in=49)
@pytest.mark.parametrize("factor, matrix, bar", FACTORS, ids=[f.__name__ for f, _, _ in FACTORS])
def test_compiled_at_400(factor, matrix, bar, tmp_path):
    """400^3 / 3 floats are 170 MB, a matrix is 1.3 MB. In a process of its own, whose memory is watched."""
    script = tmp_path / "factor.py"
    script.write_text(textwrap.dedent(f"""
        import resource, sys
        sys.path.insert(0, {str(Path(__file__).parents[2])!r})
        import gradscribe as gs
        import numpy as np
        from tests.derivatives.test_reverse_through_while import {factor.__name__} as factor, {matrix.__name__} as matrix, {bar.__name__} as bar

        def f(A):
            return np.sum(factor(A))

        df = gs.jit(gs.grad(f))
        df(matrix(9, np.random.default_rng(0)))
        A = matrix(400, np.random.default_rng(0))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        got = df(A)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        want = bar(A, np.ones((400, 400)))
        print(grown * (1 if sys.platform == "darwin" else 1024), np.abs(got - want).max() / np.abs(want).max())
        """))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    grown, error = map(float, done.stdout.split())
    assert error < 1e-8 and grown < 40e6, f"{grown / 1e6:.0f} MB, error {error}"


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
