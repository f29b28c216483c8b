"""Small systems without LAPACK: as NumPy solves and refuses them, in any memory order, for each dtype."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.compiler import references
from gradscribe.runtime.native.small_systems import SMALL, eliminate
from gradscribe.test_util import check_grads

DTYPES = (np.float64, np.float32, np.complex128)
sizes = pytest.mark.parametrize("n", range(1, SMALL + 2))
SOLVED = gs.jit(gs.vmap(lambda a, b: (np.linalg.solve(a, b), np.linalg.solve(a.T, b), np.linalg.inv(a))))
FACTORED = gs.jit(gs.vmap(lambda a: (np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True))))


def matrices(n, dtype, count=40):
    rng = np.random.default_rng(n)
    a = rng.normal(size=(count, n, n)) + (1j * rng.normal(size=(count, n, n)) if dtype == np.complex128 else 0)
    a[1::2, 0, 0] = 0.0  # there rows are exchanged
    if n == 1:
        a += 3.0
    return a.astype(dtype)


def as_numpy_has_it(got, want, dtype):
    scale = np.abs(want).max(axis=(1, 2), keepdims=True)
    np.testing.assert_allclose(got / scale, want / scale, rtol=0, atol=3000 * np.finfo(dtype).eps)


@sizes
@pytest.mark.parametrize("dtype", DTYPES)
def test_solutions_and_inverses(n, dtype):
    a, b = matrices(n, dtype), matrices(n, dtype)[:, :, :2]
    for x in (a, np.asfortranarray(a), np.repeat(a, 2, axis=2)[:, :, ::2]):
        found = SOLVED(x, b)
        for got, want in zip(found, (np.linalg.solve(a, b), np.linalg.solve(a.mT, b), np.linalg.inv(a))):
            as_numpy_has_it(got, want, dtype)
    assert dtype != np.float64 or n > SMALL or eliminate.overloads


@sizes
@pytest.mark.parametrize("dtype", DTYPES)
def test_both_factors_of_cholesky(n, dtype):
    a = matrices(n, dtype)
    a = a @ np.conj(a.mT) + np.eye(n, dtype=dtype)
    lower, upper = FACTORED(a)
    np.testing.assert_allclose(lower, np.linalg.cholesky(a), rtol=0, atol=3000 * np.finfo(dtype).eps)
    np.testing.assert_allclose(upper, np.conj(lower.mT), rtol=0, atol=3000 * np.finfo(dtype).eps)


@sizes
def test_derivatives_of_small_systems(n):
    a, b = matrices(n, np.float64, 2) + 5.0 * np.eye(n), matrices(n, np.float64, 2)[:, :, 0]
    check_grads(gs.jit(lambda a, b: np.sum(np.sin(gs.vmap(np.linalg.solve)(a, b)))), (a, b))
    check_grads(gs.jit(lambda a: np.sum(gs.vmap(lambda a: np.linalg.cholesky(a @ a.T + np.eye(n)))(a))), (a,))


ONE_IS_NAN = np.eye(3)
ONE_IS_NAN[0, 0] = np.nan
SINGULAR = [[[0.0]], [[1.0, 2.0], [2.0, 4.0]], [[49.0, 1.0], [49.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]],
            [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [[1e-310, 1.0], [1.0, 1.0]],
            [[1e-310, 1.0], [0.0, 1.0]],
            [[np.nan, 1.0], [1.0, 1.0]], [[np.inf, 1.0], [1.0, 2.0]], np.ones((4, 4)), np.zeros((5, 5)), ONE_IS_NAN]


def outcome_of(f, *args):
    with np.errstate(all="ignore"):
        try:
            return f(*args)
        except np.linalg.LinAlgError as error:
            return str(error)


@pytest.mark.parametrize("a", SINGULAR)
def test_what_is_singular(a):
    a = np.array(a)
    for f, arguments in ((np.linalg.solve, (a, np.ones(len(a)))), (np.linalg.inv, (a,)), (np.linalg.cholesky, (a,))):
        got, want = outcome_of(gs.jit(lambda *args: f(*args)), *arguments), outcome_of(f, *arguments)
        if isinstance(want, str):
            assert str(got).splitlines()[0] == want
        else:
            np.testing.assert_allclose(got, want, rtol=1e-12)


def test_views_of_one_round_are_not_counted(monkeypatch, tmp_path):
    """Such as what a kernel is given of each matrix; what is bound anew, or read in another round, is counted."""
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path))
    lent, original = [], references.References.lent_for_a_block
    monkeypatch.setattr(references.References, "lent_for_a_block",
                        lambda self, *args: lent.append(original(self, *args)) or lent[-1])

    def sums(a, n):
        y, total = np.linalg.solve(a, a), np.zeros(3)
        for _ in range(n):
            before = y[1]
            y = y @ a + 1.0
            total = total + before[:, 0] + y[0, 0]
        return total

    a = np.random.default_rng(3).normal(size=(4, 3, 3))
    np.testing.assert_allclose(gs.jit(sums)(a, 20), sums(a, 20), rtol=1e-9)
    assert any(lent)
