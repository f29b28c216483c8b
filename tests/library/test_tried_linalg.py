"""try blocks that begin with a factorisation, a solution or an inverse, which LAPACK may refuse:
the program asks before, and branches."""
import numpy as np
import pytest
from scipy import linalg

import gradscribe as gs
from gradscribe.transformer.api import Primal

GOOD, INDEFINITE, SINGULAR = (np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([[1.0, 2.0], [2.0, 1.3]]),
                              np.array([[1.0, 2.0], [2.0, 4.0]]))
MATRICES = (GOOD, INDEFINITE, SINGULAR, np.array([[np.nan, 1.0], [1.0, 1.0]]), np.zeros((0, 0)), np.eye(3),
            GOOD.astype(np.float32))


def likelihood(K):
    y = np.arange(1.0, len(K) + 1.0)
    try:
        L = np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return np.inf
    z = np.linalg.solve(L, y)
    return 0.5 * z @ z + np.sum(np.log(np.diag(L)))


def once_more(K):
    try:
        L = np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        L = np.linalg.cholesky(K + 10.0 * np.eye(len(K)))
    return np.sum(L * L)


def more_and_more(K):
    jitter = 0.001
    for _ in range(5):
        try:
            L = np.linalg.cholesky(K + jitter * np.eye(len(K)))
            break
        except np.linalg.LinAlgError:
            jitter *= 10.0
    else:
        raise ValueError(f"not even with {jitter}")
    return np.sum(L) * jitter


def with_all_clauses(K):
    y = np.ones(len(K))
    try:
        x = np.linalg.solve(K, y)
        x = x * 2.0
    except (ZeroDivisionError, np.linalg.LinAlgError) as problem:
        x = y * len(str(problem))
    else:
        x = x + 1.0
    finally:
        y = y * 2.0
    return np.sum(x * y)


def another_exception(K):
    try:
        P = np.linalg.inv(K)
    except Exception:
        raise RuntimeError("bad matrix") from None
    return np.sum(P * P)


def by_factors_of_scipy(K):
    y = np.arange(1.0, len(K) + 1.0)
    try:
        x = linalg.cho_solve(linalg.cho_factor(K), y)
    except np.linalg.LinAlgError:
        x = 3.0 * y
    return np.sum(x * x)


def by_options_of_scipy(K):
    y = np.arange(1.0, len(K) + 1.0)
    for step in range(3):
        try:
            U = linalg.cholesky(K)
            y = linalg.solve_triangular(U, y, trans=1)
        except linalg.LinAlgError:
            y = 0.5 * y
            continue
        y = y + linalg.solve(K, y, assume_a="pos")
    return np.sum(y * y)


def by_a_triangle(K):
    y = np.arange(1.0, len(K) + 1.0)
    try:
        return np.sum(linalg.solve_triangular(K - K[0, 0] * np.diag(np.arange(len(K)) == 1), y, lower=True))
    except Exception:
        return np.sum(y) * 2.0


def first_rows(K):
    count = 0
    try:
        P = np.linalg.inv(K[:2, :2])
        count += 1
        P = np.linalg.inv(P)
    except ValueError:
        count -= 1
        P = K
    return count


FUNCTIONS = (likelihood, once_more, more_and_more, with_all_clauses, another_exception, by_factors_of_scipy,
             by_options_of_scipy, by_a_triangle)


def outcome(f, K):
    try:
        return f(K.copy())
    except Exception as error:
        return type(error), str(error)


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("way", [Primal, gs.jit])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_as_python(f, way):
    function = way(f)
    for K in MATRICES:
        got, want = outcome(function, K), outcome(f, K)
        if isinstance(want, tuple):
            assert got == want
        else:
            assert type(got) is type(want)
            np.testing.assert_allclose(got, want, rtol=1e-5 if K.dtype == np.float32 else 1e-12)


@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("f", FUNCTIONS)
def test_derivatives_and_vmap(f):
    E = np.array([[0.3, 0.1], [0.1, 0.2]])
    for K in (GOOD, INDEFINITE):
        try:
            want = (f(K + 1e-6 * E) - f(K - 1e-6 * E)) / 2e-6
        except RuntimeError:
            continue
        want = 0.0 if f(K) == np.inf else want
        np.testing.assert_allclose(np.sum(gs.grad(f)(K) * E), want, rtol=1e-5)
        np.testing.assert_allclose(gs.jit(lambda K: gs.jvp(f, (K,), (E,))[1])(K), want, rtol=1e-5)
    if f is not another_exception:
        np.testing.assert_allclose(gs.vmap(f)(np.stack([GOOD, INDEFINITE])), [f(GOOD), f(INDEFINITE)])


def test_what_is_no_square():
    for way in (Primal, gs.jit):
        got = outcome(way(likelihood), np.ones((2, 3)))
        assert got == likelihood(np.ones((2, 3))) or issubclass(got[0], gs.GradscribeError)
