"""Eigenvalues of matrices that are not symmetric: against NumPy, plain and compiled, and against differences."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.support.agreement import Together

RNG = np.random.default_rng(0)
A = RNG.normal(size=(4, 4)) + 1j * RNG.normal(size=(4, 4))
D = RNG.normal(size=(4, 4)) + 1j * RNG.normal(size=(4, 4))


def both(a):
    w, v = np.linalg.eig(a)
    return w, v, np.linalg.eigvals(a), type(np.linalg.eig(a)).__name__ == "EigResult"


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("a", [A, np.stack([A, 2 * A + 1]), A.T, A.astype(np.complex64), np.zeros((0, 0), complex),
                               np.zeros((0, 3, 3), complex)])
def test_values(a):
    for f in (api.Primal(both), gs.jit(both)):
        for got, want in zip(f(a), both(a), strict=True):
            assert np.asarray(got).dtype == np.asarray(want).dtype and np.shape(got) == np.shape(want)
            np.testing.assert_allclose(got, want, rtol=1e-4 if a.dtype == np.complex64 else 1e-12)


@pytest.mark.parametrize("a", [A * np.nan, A[:2], A[0], A[0, 0]])
def test_errors(a):
    for f in (lambda a: np.linalg.eigvals(a), lambda a: np.linalg.eig(a)):
        for g in (f, api.Primal(f), gs.jit(f)):
            with pytest.raises(np.linalg.LinAlgError):
                g(a)


def loss(a):
    w = np.linalg.eigvals(a)
    return np.sum(np.abs(w) ** 3) + np.max(w.real)


def of_eig(a):
    return np.sum(np.abs(np.linalg.eig(a)[0]) ** 3) + np.max(np.linalg.eigvals(a).real)


def test_derivatives():
    h = 1e-6
    slope = (loss(A + h * D) - loss(A - h * D)) / (2 * h)
    for grad in (gs.grad(loss), gs.jit(gs.grad(loss)), gs.grad(of_eig)):
        np.testing.assert_allclose(np.sum(np.real(grad(A) * D)), slope, rtol=1e-6)
    np.testing.assert_allclose(gs.jvp(loss, (A,), (D,))[1], slope, rtol=1e-6)
    np.testing.assert_allclose(gs.vmap(gs.grad(loss))(np.stack([D, A]))[1], gs.grad(loss)(A), rtol=1e-10)


def test_what_is_refused():
    with pytest.raises(gs.GradscribeError, match="eigvals, which has one"):
        gs.grad(lambda a: np.abs(np.linalg.eig(a)[1][0, 0]))(A)
    with pytest.raises(gs.GradscribeError, match="not of complex128 here"):
        gs.vmap(np.linalg.eigvals)(np.stack([A.real, np.eye(4)]))


@pytest.mark.parametrize("f", [lambda a: np.linalg.eigvals(a), lambda a: tuple(np.linalg.eig(a)),
                               lambda a: np.roots([1.0, a[0, 0], a[0, 1], 0.0]),
                               lambda a: np.sort(np.linalg.eigvals(a)), lambda a: np.linalg.eigvals(a).dtype.kind])
def test_real_where_all_of_them_are(f):
    same = Together(f)
    for a in (np.diag([1.0, 2.0, 3.0]), A, np.array([[0.0, 1.0], [1.0, 0.0]]), np.eye(2, dtype=np.float32),
              np.arange(4).reshape(2, 2)):
        same(a)


def test_eigenvalues_of_a_real_matrix():
    """As NumPy has them, in its order, also those that are real beside complex ones."""
    a = np.array([[1.0, -2.0, 0.3], [3.0, 0.5, -0.4], [0.2, 0.7, 2.0]])
    for dtype, rtol in ((np.float64, 1e-13), (np.float32, 1e-5)):
        for f in (lambda a: np.linalg.eigvals(a), lambda a: np.linalg.eig(a)[1]):
            for run in (api.Primal(f), gs.jit(f)):
                got, want = run(a.astype(dtype)), f(a.astype(dtype))
                assert got.dtype == want.dtype
                np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)
    slope = lambda a: np.sum(np.abs(np.linalg.eigvals(a)) ** 3)
    gs.test_util.check_grads(slope, (a,), order=2, modes=["fwd", "rev"])


@pytest.mark.heavy(one_in=3)
def test_second_order():
    of_direction = lambda t: loss(A + t * D)
    h = 1e-4
    want = (of_direction(h) - 2 * of_direction(0.0) + of_direction(-h)) / h**2
    for second in (gs.grad(gs.grad(of_direction)), gs.hessian(of_direction), gs.jit(gs.grad(gs.grad(of_direction)))):
        np.testing.assert_allclose(second(0.0), want, rtol=1e-5)
