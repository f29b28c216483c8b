"""np.linalg: each function against NumPy and differences, what it raises, its source."""
import itertools

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from tests.library.tabled import whole_table
from tests.support.agreement import agree

RNG = np.random.default_rng(7)


def numbers(*shape):
    return RNG.normal(size=shape)


def matrix(*shape):
    """Matrices that are far from singular."""
    return numbers(*shape) + 3.0 * np.eye(shape[-1])


# np.linalg ------------------------------------------------------------------------------------------------------------
def symmetric(a):
    return a @ a.swapaxes(-1, -2)


LINALG = {
    "solve, vector": (lambda a, b: np.linalg.solve(a, b), (matrix(3, 3), numbers(3))),
    "solve, matrix": (lambda a, b: np.linalg.solve(a, b), (matrix(3, 3), numbers(3, 2))),
    "solve, stacks": (lambda a, b: np.linalg.solve(a, b), (matrix(2, 1, 3, 3), numbers(2, 3, 2))),
    "solve, a stack and a vector": (lambda a, b: np.linalg.solve(a, b), (matrix(2, 3, 3), numbers(3))),
    "inv": (lambda a: np.linalg.inv(a), (matrix(3, 3),)),
    "inv, stack": (lambda a: np.linalg.inv(a), (matrix(2, 2, 2),)),
    "det": (lambda a: np.linalg.det(a), (matrix(3, 3),)),
    "det, stack": (lambda a: np.linalg.det(a), (matrix(2, 2, 2),)),
    "slogdet": (lambda a: np.linalg.slogdet(a)[1], (matrix(3, 3),)),
    "slogdet, stack": (lambda a: np.linalg.slogdet(-a).logabsdet, (matrix(2, 3, 3),)),
    "cholesky": (lambda a: np.linalg.cholesky(symmetric(a)), (matrix(3, 3),)),
    "cholesky, stack": (lambda a: np.linalg.cholesky(symmetric(a)), (matrix(2, 2, 2),)),
}


@pytest.mark.heavy(one_in=73)
@pytest.mark.parametrize("name", LINALG)
def test_linalg(name):
    whole_table(*LINALG[name])


def test_one_matrix_and_many_right_hand_sides_are_factorised_once():
    assert "np.linalg.solve(a, b.T).T" in gs.vmap(lambda a, b: np.linalg.solve(a, b),
                                                  in_axes=(None, 0)).source(matrix(3, 3), numbers(5, 3))


@pytest.mark.heavy(one_in=37)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int8, bool])
@pytest.mark.parametrize("order", ["C", "F", "strided"])
def test_linalg_of_any_dtype_and_memory_order(dtype, order):
    a = (np.array([[2, 1, 0, 0], [1, 3, 0, 1], [0, 0, 1, 0], [0, 1, 0, 4]]) if dtype != bool
         else np.eye(4)).astype(dtype)
    a = (np.asfortranarray(a) if order == "F"
         else np.repeat(np.repeat(a, 2, 0), 2, 1)[::2, ::2] if order == "strided" else a)
    b = np.arange(8).astype(dtype)[::2] if order == "strided" else np.arange(4).astype(dtype)

    def f(a, b):
        return (np.linalg.solve(a, b), np.linalg.det(a), np.linalg.inv(a), np.linalg.slogdet(a), np.linalg.cholesky(a),
                np.linalg.solve(a.T, a[:, :2]))

    if dtype != np.float32:
        agree(f, a, b)
    for h in (gs.test_util.primal(f), gs.jit(f)):
        for got, want in zip(h(a, b), f(a, b)):
            assert type(got) is type(want) and np.asarray(got).dtype == np.asarray(want).dtype
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
    if a.dtype.kind == "f":
        g = gs.grad(lambda a, b: np.sum(np.linalg.solve(a, b)) + np.linalg.det(a), argnums=(0, 1))
        for got, want in zip(gs.jit(g)(a, b), g(a.astype(float), b.astype(float))):
            assert got.dtype == dtype
            np.testing.assert_allclose(got, want, rtol=2e-4 if dtype == np.float32 else 1e-9,
                                       atol=1e-4 if dtype == np.float32 else 1e-9)


WRONG = [np.ones((3, 3)), np.ones((2, 3)), np.ones(3), 2.0, np.ones((2, 2, 3)), np.zeros((2, 2, 2)),
         np.eye(0), np.zeros((0, 2, 2)), -np.eye(2), np.full((2, 2), np.nan), np.array([[np.inf, 1.0], [0.0, 1.0]]),
         [[1.0, 2.0], [3.0, 5.0]], [[1.0, 2.0]]]


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("function", [np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.cholesky])
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_what_linalg_raises(function):
    for a in WRONG:
        agree(lambda a: function(a), a)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("a, b", [
    (np.ones((3, 3)), np.ones(3)), (matrix(3, 3), np.ones(4)), (matrix(3, 3), np.ones((2, 2))),
    (np.ones((3, 2)), np.ones(3)), (np.ones(3), np.ones(3)), (matrix(3, 3), 2.0), (matrix(2, 3, 3), np.ones((3, 3, 1))),
    (matrix(2, 3, 3), np.ones((2, 3))), (np.eye(0), np.ones(0)), (matrix(3, 3), np.ones((3, 0)))])
def test_what_solve_raises(a, b):
    agree(lambda a, b: np.linalg.solve(a, b), a, b)


@pytest.mark.heavy(one_in=18)
def test_what_raises_stays_where_nobody_reads_it():
    def unread(a, b):
        np.linalg.solve(a, b)
        return b * 2.0

    def untaken(a, b):
        return np.linalg.solve(a, b) if b[0] > 0.0 else b * 2.0

    def sliced(a, b, n):
        return np.linalg.solve(a[:n, :n], b[:n]), np.linalg.det(a[:n])

    for f, args in itertools.product((unread, untaken), ((np.ones((2, 2)), np.ones(2)), (np.ones((2, 3)), np.ones(2)),
                                                         (np.ones((2, 3)), -np.ones(2)))):
        agree(f, *args)
    for n in (2, 4, 7):
        agree(sliced, matrix(4, 4), np.ones(4), n)


@pytest.mark.heavy(one_in=2)
def test_the_derivative_of_det_is_there_for_singular_matrices():
    def f(a):
        return np.linalg.det(a)

    for a in (np.ones((2, 2)), np.zeros((1, 1)), np.arange(9.0).reshape(3, 3), np.diag([1.0, 2.0, 0.0]),
              np.zeros((3, 3))):
        check_grads(f, (a,), order=1)
        np.testing.assert_allclose(gs.jit(gs.grad(f))(a), gs.grad(f)(a), atol=1e-12)
    assert (np.isnan(gs.grad(f)(np.full((2, 2), np.nan))).all()
            and np.isnan(gs.jit(gs.grad(f))(np.full((2, 2), np.nan))).all())
    assert np.isfinite(gs.hessian(f)(np.ones((2, 2)))).all()


def test_cholesky_reads_the_lower_half():
    a = symmetric(matrix(3, 3))
    check_grads(lambda a: np.linalg.cholesky(a), (a,), order=1)
    assert not np.triu(gs.grad(lambda a: np.sum(np.linalg.cholesky(a)))(a), 1).any()


def test_the_source_is_what_a_person_writes():
    def loss(A, b):
        x = np.linalg.solve(A, b)
        return np.sum(x * x)

    source = gs.grad(loss, argnums=(0, 1)).source(matrix(3, 3), numbers(3))
    assert ("b_bar = np.linalg.solve(A.T, x_bar)" in source and "A_bar = -np.outer(b_bar, x)" in source
            and "rt." not in source)
    assert "x[1:] - x[:-1]" in gs.grad(lambda x: np.sum(np.diff(x) ** 2)).source(numbers(4))


@pytest.mark.heavy(one_in=8)
def test_a_filter_with_linear_algebra_in_its_loop():
    def smooth(A, xs, P):
        m, total = xs[0], 0.0
        for x in xs:
            S = A @ P @ A.T + np.eye(3)
            K = np.linalg.solve(S, A @ P).T
            m, P = m + K @ (x - m), P - K @ A @ P
            total += np.linalg.slogdet(S)[1] + (x - m) @ np.linalg.inv(S) @ (x - m)
        return total

    args = matrix(3, 3), numbers(5, 3), np.eye(3)
    for k in range(3):
        agree(smooth, *args, gradient=k)
