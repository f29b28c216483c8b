"""scipy.linalg: values, derivatives, compiled, for many examples, and what is raised."""
import numpy as np
import pytest
from scipy import linalg as sl

import gradscribe as gs
from gradscribe import GradscribeError
from gradscribe.test_util import check_grads

RNG = np.random.default_rng(5)
A, B, V = RNG.normal(size=(3, 3)) + 3.0 * np.eye(3), RNG.normal(size=(3, 2)), RNG.normal(size=3)


def spd(a):
    return a @ a.T + np.eye(3)


FUNCTIONS = {
    "cholesky": lambda a, b: sl.cholesky(spd(a)) + sl.cholesky(spd(a), lower=True),
    "cho": lambda a, b: sl.cho_solve(sl.cho_factor(spd(a)), b),
    "cho, lower": lambda a, b: sl.cho_solve(sl.cho_factor(spd(a), lower=True), b[:, 0]),
    "triangular": lambda a, b: sl.solve_triangular(a, b)
                               + sl.solve_triangular(a, b, lower=True) * sl.solve_triangular(a, b, trans=1),
    "triangular, more": lambda a, b: sl.solve_triangular(a, b[:, 0], lower=True, trans="T")
                                     + sl.solve_triangular(a / 3.0, b[:, 1], unit_diagonal=True),
    "solve": lambda a, b: sl.solve(a, b) + sl.solve(spd(a), b, assume_a="pos") + sl.solve(a, b, transposed=True),
    "solve, half": lambda a, b: sl.solve(a, b, assume_a="sym") * sl.solve(a, b[:, :1], assume_a="her", lower=True)
                                + sl.solve(a, b, assume_a="lower triangular"),
    "inv and det": lambda a, b: sl.inv(a) * sl.det(a), "expm": lambda a, b: sl.expm(a / 3.0) @ b,
    "eigh": lambda a, b: sl.eigvalsh(spd(a)) + sl.eigh(a, lower=False, eigvals_only=True) + sl.svdvals(a),
    "eigh, vectors": lambda a, b: sl.eigh(a)[1] * sl.eigh(a, spd(b))[1] + sl.eigh(spd(a), spd(b), eigvals_only=True)
                                  + sl.eigh(a, spd(b))[0] * sl.eigh(a)[0] + sl.eigvalsh(a, spd(a)),
    "made": lambda a, b: sl.block_diag(a, b, 2.0)[:4, :3] + sl.toeplitz(a[0], b[:, 0])[0] * sl.hankel(a[1], b[:, 1])[1]
                         + sl.circulant(a[2])[1] + sl.toeplitz(a[1])[2] + sl.hankel(a[0])[0]}


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives(name):
    f = FUNCTIONS[name]
    got, want = gs.test_util.primal(f)(A, B), f(A, B)
    assert type(got) is type(want) and got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-13)
    check_grads(f, (A, B), order=2)
    many = np.stack([A, A.T, 1.1 * A])
    np.testing.assert_allclose(gs.vmap(f, in_axes=(0, None))(many, B), [f(a, B) for a in many], rtol=1e-9, atol=1e-11)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("part", range(2))
def test_compiled(part):
    names = list(FUNCTIONS)[part::2]
    functions = [FUNCTIONS[n] for n in names]
    losses = [gs.grad(lambda a, b, f=f: np.sum(f(a, b)), argnums=(0, 1)) for f in functions]

    def all_of_them(a, b, few):
        return ([(f(a, b), g(a, b)) for f, g in zip(functions, losses)], sl.cho_solve(sl.cho_factor(few), few[0]),
                sl.expm(few))

    few = spd(A).astype(np.float32)
    values, small, exponential = gs.jit(all_of_them)(A, B, few)
    for name, f, g, (value, slopes) in zip(names, functions, losses, values):
        np.testing.assert_allclose(value, f(A, B), rtol=1e-10, atol=1e-12, err_msg=name)
        for got, want in zip(slopes, g(A, B)):
            np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-10, err_msg=name)
    assert small.dtype == exponential.dtype == np.float32
    np.testing.assert_allclose(exponential, sl.expm(few), rtol=1e-4)


@pytest.mark.heavy(one_in=20)
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_what_is_raised(way):
    bad = A.copy()
    bad[1, 1] = np.nan
    for f, args in ((lambda a: sl.cholesky(a), -A),
                    (lambda a: sl.cho_factor(a)[0], bad), (lambda a: sl.solve(a, a), np.zeros((2, 2))),
                    (lambda a: sl.solve_triangular(a, a), np.ones((2, 3))), (lambda a: sl.inv(a), np.zeros((2, 2))),
                    (lambda a: sl.solve_triangular(a, a[0]), np.zeros((2, 2))), (lambda a: sl.expm(a), np.ones((2, 3))),
                    (lambda a: sl.det(a), bad)):
        with pytest.raises(Exception) as raised:
            f(args)
        with pytest.raises(raised.type):
            way(f)(args)


def test_what_is_refused_by_name():
    for f, text in ((lambda a: sl.solve(a, a, assume_a="diagonal"), "assume_a"),
                    (lambda a: sl.eigh(a, -a @ a.T), "not positive definite"),
                    (lambda a: sl.eigh(a, lower=False), "whole matrix"), (lambda a: sl.eigh(1j * a), "np.linalg.eigh"),
                    (lambda a: sl.eigvalsh(a, driver="ev"), "scipy.linalg.eigvalsh with driver="),
                    (lambda a: sl.cosm(a), "scipy.linalg.cosm")):
        with pytest.raises(GradscribeError, match=text):
            gs.grad(lambda a: np.sum(np.real(f(a)[0])))(A)
    with pytest.raises(GradscribeError, match="expm_curve"):
        gs.grad(lambda a: np.sum(gs.hessian(lambda a: np.sum(sl.expm(a)))(a)))(A)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_vectors_have_the_signs_of_scipys(dtype):
    """Of matrices with zeros, where another of LAPACK's functions gives others; with nothing in them, too."""
    f, rng = gs.jit(lambda a, b: (*sl.eigh(a), *sl.eigh(a, b))), np.random.default_rng(3)
    for n in (0, 1, 2, 3, 5, 8) * 4:
        a, b = np.round(2.0 * rng.normal(size=(n, n))).astype(dtype), rng.normal(size=(n, n)).astype(dtype)
        a, b = a + a.T + np.diag(np.arange(n)).astype(dtype), b @ b.T + np.eye(n, dtype=dtype)
        for got, want in zip(f(a, b), (*sl.eigh(a), *sl.eigh(a, b))):
            assert got.dtype == want.dtype and got.shape == want.shape
            np.testing.assert_array_equal(got, want)


@pytest.mark.heavy(one_in=98)
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_sylvesters_equation_of_matrices_whose_eigenvectors_are_dependent(way):
    f = way(lambda a, b, c: sl.solve_sylvester(a, b, c))
    block = np.eye(3) + np.diag([1.0, 1.0], 1)
    for a, b, c in ((block, block, A), (block, A, A.T), (A[:2, :2], block, B.T), (block + 1j, block, A)):
        np.testing.assert_allclose(f(a, b, c), sl.solve_sylvester(a, b, c), rtol=1e-11, atol=1e-13)
    with pytest.raises(ValueError, match="infs or NaNs"):
        f(block * np.nan, block, A)
    with pytest.raises(np.linalg.LinAlgError):
        gs.jit(lambda a, b, c: sl.solve_sylvester(a, b, c))(np.zeros((2, 2)), np.zeros((2, 2)), B[:2])


def test_sylvesters_equation_without_unknowns():
    """SciPy tests neither squares nor lengths then."""
    f = gs.test_util.primal(lambda a, b, c: sl.solve_sylvester(a, b, c))
    for shapes in (((0, 0), (2, 2), (0, 2)), ((0, 3), (2, 2), (0, 2)), ((2, 2), (0, 1), (3, 0))):
        a, b, c = map(np.zeros, shapes)
        got, want = f(a, b, c.astype(complex)), sl.solve_sylvester(a, b, c.astype(complex))
        assert got.shape == want.shape and got.dtype == want.dtype
    with pytest.raises(GradscribeError, match="without unknowns"):
        f(np.zeros((0, 0)), np.ones((2, 2)), np.ones((3, 2)))


@pytest.mark.parametrize("f", [lambda a: sl.sqrtm(spd(a)), lambda a: sl.expm(a / 3.0),
                               lambda a: sl.solve_sylvester(spd(a), spd(a), B[:, :1] * V), lambda a: sl.solve(a, B),
                               lambda a: sl.lu(a)[1]], ids=["sqrtm", "expm", "solve_sylvester", "solve", "lu"])
def test_a_cotangent_that_all_examples_share(f):
    """Of a stack of matrices and one right-hand side there is a stack of results."""
    g, stack = gs.grad(lambda a: np.sum(f(a))), np.stack([A, 1.2 * A, A + 0.3])
    np.testing.assert_allclose(gs.vmap(g)(stack), [g(a) for a in stack], rtol=1e-9)


@pytest.mark.heavy(one_in=4)
def test_roots_that_the_iteration_does_not_find_are_refused():
    """Where the result is not what its square says: of matrices that are singular,
    or scaled by very different numbers."""
    f = gs.jit(lambda a: sl.sqrtm(a))
    for a in (np.array([[0.0, 1.0], [0.0, 0.0]]), np.full((2, 2), np.inf)):
        with pytest.raises(GradscribeError, match="not found"):
            f(a)
    scaled = np.array([[1e200, 1e200j], [1.0, 2.0]])
    try:  # LAPACK finds it on some processors
        np.testing.assert_allclose(f(scaled), sl.sqrtm(scaled), rtol=1e-12)
    except GradscribeError as error:
        assert "not found" in str(error)
    single = spd(A).astype(np.float32)
    np.testing.assert_allclose(f(single), sl.sqrtm(single), rtol=1e-5)
    assert f(single).dtype == np.float32


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_a_system_of_one_equation(way):
    """SciPy divides by the number, whatever is assumed of the matrix, and any right-hand side."""
    for a, b in ((np.array([[-2.0]]), np.arange(3.0)), (np.array([[-2.0]]), np.ones((1, 2))),
                 (np.array([[1j]]), np.ones(1))):
        for f in (lambda a, b: sl.solve(a, b), lambda a, b: sl.solve(a, b, assume_a="pos"),
                  lambda a, b: sl.solve(a, b, assume_a="her", lower=True)):
            np.testing.assert_allclose(way(f)(a, b), f(a, b))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        way(lambda a: sl.solve(a, a))(np.zeros((1, 1)))
