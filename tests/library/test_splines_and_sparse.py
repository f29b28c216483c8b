"""Objects of SciPy's that are read as ours: splines of any ends and lengths, and products with sparse matrices."""
import numpy as np
import pytest
from scipy import sparse
from scipy.interpolate import CubicSpline

import gradscribe as gs

RNG = np.random.default_rng(0)
ENDS = ["not-a-knot", "natural", "clamped", "periodic", ((1, 0.3), (2, -0.7)), ((2, 0.5), "not-a-knot"),
        ("natural", (1, 1.5))]
T = np.linspace(-1.0, 6.0, 23)


@pytest.mark.heavy(one_in=52)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("ends", ENDS, ids=str)
def test_splines(n, ends):
    x, y = np.cumsum(RNG.uniform(0.3, 1.5, n)), RNG.normal(size=n)
    y[-1] = y[0] if ends == "periodic" else y[-1]
    for beyond in (None, False, "periodic"):
        def f(x, y, t, beyond=beyond):
            s = CubicSpline(x, y, bc_type=ends, extrapolate=beyond)
            return s(t), s(t, 1), s(t, nu=2), s.c
        for got, want in zip(gs.test_util.primal(f)(x, y, T), f(x, y, T)):
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)
    if ends != "periodic":
        gs.test_util.check_grads(lambda x, y: CubicSpline(x, y, bc_type=ends)(T), (x, y), order=1)


MADE = CubicSpline([0.0, 1.0, 2.5, 4.0], [1.0, -0.5, 0.25, 2.0])


@pytest.mark.heavy(one_in=5)
def test_a_spline_from_outside_and_compiled():
    def f(t):
        return MADE(t) + MADE(t, 1) * CubicSpline([0.0, 1.0, 3.0], np.array([1.0, 0.5, 2.0]) * t[0])(t)

    t = np.array([0.3, 1.7, 3.9])
    np.testing.assert_allclose(gs.jit(f)(t), f(t), rtol=1e-12)
    gs.test_util.check_grads(f, (t,), order=2)
    gs.test_util.check_grads(gs.jit(f), (t,), order=1)
    with pytest.raises(gs.GradscribeError, match="zeros of a spline"):
        gs.jit(lambda t: MADE.roots() * t)(t)


DENSE = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [4.0, 3.0, 0.0], [0.0, 5.0, 0.5]])
MATRICES = [kind(DENSE) for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array)]


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("matrix", MATRICES, ids=lambda m: type(m).__name__)
def test_products_with_sparse_matrices(matrix):
    def f(v, m):
        return (matrix @ v, matrix.T @ (matrix @ v), v @ matrix.T, m.T @ matrix, matrix.dot((m.T @ m)[:3, :3] @ v),
                matrix @ m[:3])

    args = RNG.normal(size=3), RNG.normal(size=(4, 4))
    for way in (gs.test_util.primal, gs.jit):
        for got, want in zip(way(f)(*args), f(*args), strict=True):
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)
    gs.test_util.check_grads(f, args, order=2)
    many = RNG.normal(size=(5, 3))
    np.testing.assert_allclose(gs.vmap(lambda v: matrix @ v)(many), (DENSE @ many.T).T)
    for wrong, error in ((lambda v: matrix @ v[:2], ValueError), (lambda v: matrix @ matrix.T @ v, gs.GradscribeError),
                         (lambda v: matrix.sum() * v, gs.GradscribeError)):
        with pytest.raises(error):
            gs.test_util.primal(wrong)(args[0])


def test_another_format_says_which_one_is_read():
    matrix = sparse.coo_matrix(DENSE)
    with pytest.raises(gs.GradscribeError, match="tocsr"):
        gs.grad(lambda v: np.sum(matrix @ v))(np.ones(3))


def test_what_is_in_a_sparse_matrix_is_read_at_each_call():
    matrix = sparse.csr_matrix(DENSE)
    f = gs.jit(lambda v: matrix @ v)
    v = np.ones(3)
    np.testing.assert_allclose(f(v), DENSE @ v)
    matrix.data *= 2.0
    np.testing.assert_allclose(f(v), 2.0 * DENSE @ v)


def test_the_product_of_a_transposed_matrix_is_written_like_that_of_the_matrix():
    A = sparse.csr_matrix(DENSE)
    v, w = np.arange(1.0, DENSE.shape[0] + 1), np.arange(1.0, DENSE.shape[1] + 1)
    f = lambda v, w: np.sum((A.T * v) ** 2) - np.sum(A.T.T * w)  # noqa: E731
    np.testing.assert_allclose(gs.test_util.primal(f)(v, w), f(v, w), rtol=1e-13)
    np.testing.assert_allclose(gs.grad(f)(v, w), 2.0 * DENSE @ (DENSE.T @ v), rtol=1e-13)


def test_a_spline_through_points_that_a_mask_selects_is_refused():
    """How many there are decides what is solved, and it was said that there are too few."""
    x = np.arange(6.0)
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(gs.GradscribeError, match="only the run time knows"):
            way(lambda x: CubicSpline(x[x > 1.0], x[x > 1.0] ** 2)(2.5))(x)
        with pytest.raises(ValueError, match="at least 2"):
            way(lambda x: CubicSpline(x[:1], x[:1])(2.5))(x)
