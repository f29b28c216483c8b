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
           (cholesky_slices, positive_definite, cholesky_bar), (lu_loops, dominant, lu_bar),
           (lu_rows, dominant, lu_bar), (lu_slices, dominant, lu_bar)]


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
        from tests.derivatives import test_reverse_through_while as tests

        factor, matrix, bar = tests.{factor.__name__}, tests.{matrix.__name__}, tests.{bar.__name__}

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
