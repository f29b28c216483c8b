"""np.linalg beyond LINALG of test_library.py: factorisations of any shape, and what is made of them."""
import contextlib
from fractions import Fraction

import numpy as np
import pytest

import gradscribe as gs
from gradscribe import GradscribeError
from gradscribe.test_util import check_grads
from tests.support.agreement import agree

RNG = np.random.default_rng(3)
L = np.linalg
TALL, SQUARE, STACK = RNG.normal(size=(4, 3)), RNG.normal(size=(3, 3)) + 3.0 * np.eye(3), RNG.normal(size=(2, 4, 2))
WIDE = TALL.T.copy()
FUNCTIONS = {  # what the loss is made of: results with a derivative
    "eigh": (lambda a: L.eigh(a + a.T), SQUARE),
    "eigh, upper": (lambda a: L.eigh(a, UPLO="U")[0], SQUARE), "eigvalsh": (lambda a: L.eigvalsh(a), SQUARE),
    "eigh, stack": (lambda a: L.eigh(a @ a.swapaxes(-1, -2))[0], RNG.normal(size=(2, 2, 2))),
    "svd, tall": (lambda a: L.svd(a, full_matrices=False), TALL),
    "svd, wide": (lambda a: L.svd(a, full_matrices=False), WIDE), "svd, square": (lambda a: L.svd(a), SQUARE),
    "svd, stack": (lambda a: L.svd(a, False), STACK),
    "svd, values": (lambda a: L.svd(a, compute_uv=False) + L.svdvals(a.T), WIDE),
    "qr": (lambda a: L.qr(a), TALL), "qr, wide": (lambda a: L.qr(a), WIDE),
    "qr, complete": (lambda a: L.qr(a, mode="complete"), SQUARE), "qr, stack": (lambda a: L.qr(a), STACK),
    "r": (lambda a: L.qr(a, "r"), TALL), "pinv": (lambda a: L.pinv(a) @ np.ones(4), TALL),
    "pinv, wide": (lambda a: L.pinv(a), WIDE), "lstsq": (lambda a: L.lstsq(a, np.arange(4.0), rcond=None)[:2], TALL),
    "lstsq, wide": (lambda a: L.lstsq(a, np.ones((3, 2)))[0], WIDE),
    "cond": (lambda a: L.cond(a) * L.cond(a, -2), TALL),
    "powers": (lambda a: L.matrix_power(a, 5) + L.matrix_power(a, -2) + L.matrix_power(a, 0) + L.matrix_power(a, 1),
               0.3 * SQUARE),
    "norms": (lambda a: L.norm(a, "nuc") + L.norm(a, 2) * L.norm(a, -2), TALL),
    "norms of a stack": (lambda a: L.norm(a, 2, axis=(0, 2)) + L.norm(a, "nuc", axis=(2, 0), keepdims=True)[0, :, 0],
                         STACK),
    "multi_dot": (lambda a: L.multi_dot([a, a, a[0]]), SQUARE),
    "tensorsolve": (lambda a: L.tensorsolve(a.reshape(2, 2, 4) + 3.0 * np.eye(4).reshape(2, 2, 4), np.ones((2, 2))),
                    RNG.normal(size=(4, 4))),
    "tensorinv": (lambda a: L.tensorinv(a.reshape(2, 2, 2, 2) + 3.0 * np.eye(4).reshape(2, 2, 2, 2)),
                  RNG.normal(size=(4, 4))),
    "array api": (lambda a: L.vector_norm(a, axis=0) + L.matrix_norm(a) + L.trace(a) + L.vecdot(a, a)
                            + L.diagonal(a) + L.cross(a, a + 1.0)[0] + L.matrix_transpose(a)[0] + L.outer(a[0], a[1])[2]
                            + L.matmul(a, a)[1] + L.tensordot(a, a, axes=1)[0], SQUARE),
    "vector norms": (lambda a: L.vector_norm(a, axis=(0, 1)) + L.vector_norm(a, ord=3)
                               + L.vector_norm(a, keepdims=True)[0, 0], TALL)}


def results(r):
    return r if isinstance(r, tuple) else (r,)


def same(got, want, rtol):
    assert type(got) is type(want)
    for g, w in zip(results(got), results(want), strict=True):
        assert type(g) is type(w) and np.asarray(g).dtype == np.asarray(w).dtype and np.shape(g) == np.shape(w)
        np.testing.assert_allclose(g, w, rtol=rtol, atol=rtol)


def loss_of(f):
    return lambda a: sum([np.sum(np.sin(r)) for r in results(f(a))])


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives(name):
    f, a = FUNCTIONS[name]
    same(gs.test_util.primal(f)(a), f(a), 1e-13)
    check_grads(loss_of(f), (a,), order=2)
    many = np.stack([a, a + 0.1, 1.2 * a])
    for k in range(3):
        same(gs.vmap(lambda a: results(f(a)))(many)[0][k], results(f(many[k]))[0], 1e-10)


@pytest.mark.heavy(one_in=16)
@pytest.mark.parametrize("part", range(4))
def test_compiled(part):
    chosen = list(FUNCTIONS.values())[part::4]
    functions, args = [f for f, _ in chosen], [a for _, a in chosen]
    losses = [gs.grad(loss_of(f)) for f in functions]

    def all_of_them(args):
        return [(f(a), g(a)) for f, g, a in zip(functions, losses, args)]

    for f, g, a, (value, slope) in zip(functions, losses, args, gs.jit(all_of_them)(args)):
        same(value, f(a), 1e-12)
        same(slope, g(a), 1e-9)


ODD = [np.eye(3, dtype=np.float32), np.eye(3, dtype=int), np.zeros((0, 0)), np.zeros((3, 0)), np.zeros((0, 3)),
       np.ones((1, 1)), np.asfortranarray(TALL), TALL[::2, ::-1], np.zeros((2, 0, 0)), np.ones(3), 2.0,
       np.full((2, 2), np.nan), np.array([[1.0, np.inf], [2.0, 3.0]]), np.zeros((2, 2)), [[2.0, 1.0], [1.0, 3.0]]]
PLAINLY = [lambda a: L.eigh(a), lambda a: L.eigvalsh(a), lambda a: L.svd(a), lambda a: L.svd(a, full_matrices=False),
           lambda a: L.svdvals(a), lambda a: L.qr(a), lambda a: L.pinv(a), lambda a: L.matrix_rank(a),
           lambda a: L.cond(a), lambda a: L.matrix_power(a, 3), lambda a: L.norm(a, 2), lambda a: L.norm(a, "nuc"),
           lambda a: L.lstsq(a, a), lambda a: L.matrix_norm(a), lambda a: L.vector_norm(a), lambda a: L.trace(a),
           lambda a: L.matrix_transpose(a)]

@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.heavy(one_in=99)
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("k", range(len(PLAINLY)))
def test_odd_arguments(k, way):
    """What NumPy gives or raises."""
    f = PLAINLY[k]
    for a in ODD:
        try:
            want = f(a)
        except Exception as error:
            with pytest.raises((type(error), GradscribeError)):
                way(f)(a)
            continue
        same(way(f)(a), want, 1e-5 if np.asarray(a).dtype == np.float32 else 1e-12)


@pytest.mark.heavy(one_in=4)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("order", [None, 1, -1, 2, -2, np.inf, -np.inf, 3, 0, "fro", "nuc"])
def test_norms_of_no_elements(order):
    """Nothing can change them."""
    for a in (np.zeros(0), np.zeros((0, 2)), np.zeros((2, 0)), np.zeros(0, np.float32)):
        assert agree(lambda a: L.norm(a, order), a, compiled=False)
        assert agree(lambda a: L.norm(a, order, axis=-1, keepdims=True), a, compiled=False)
        with contextlib.suppress(ValueError):
            value, change = gs.jvp(lambda a: L.norm(a, order), (a,), (a,))
            assert change == 0.0 and change.dtype == value.dtype
    order = order if order in (1, 2, 3, np.inf) else None
    some = lambda x, level: L.norm(x[x > level], order)  # noqa: E731
    x = np.array([0.5, -1.0, 2.0])
    assert agree(some, x, 0.0, gradient=0, compiled=False) and agree(some, x, 9.0, gradient=0, compiled=False)
    assert gs.jvp(some, (x, 9.0), (x, 0.0)) == (0.0, 0.0)


@pytest.mark.heavy(one_in=2)
def test_all_of_the_singular_vectors_of_a_matrix_that_is_not_square():
    same(gs.test_util.primal(lambda a: L.svd(a))(TALL), L.svd(TALL), 1e-13)
    same(gs.jit(lambda a: L.svd(a))(WIDE), L.svd(WIDE), 1e-12)
    same(gs.grad(lambda a: np.sum(L.svd(a)[1] ** 2))(TALL), 2.0 * TALL, 1e-12)
    with pytest.raises(GradscribeError, match="full_matrices=False") as raised:
        gs.grad(lambda a: np.sum(L.svd(a)[0]))(TALL)
    assert "test_linalg_factors.py" in str(raised.value)


@pytest.mark.heavy(one_in=3)
def test_rank_that_is_not_full():
    low = np.outer(np.arange(4.0), np.ones(2))
    agree(lambda a: L.matrix_rank(a), low)
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(GradscribeError, match="full rank"):
            way(lambda a: L.lstsq(a, np.ones(4))[0])(low)


SELECTED = [lambda a: L.svd(a, full_matrices=False), lambda a: L.svd(a)[1], lambda a: L.svdvals(a),
            lambda a: L.lstsq(a, a[:, 0] ** 2, rcond=None), lambda a: L.qr(a), lambda a: L.matrix_rank(a) * L.norm(a),
            lambda a: L.cond(a), lambda a: L.pinv(a), lambda a: L.pinv(a.T @ a + np.eye(3), hermitian=True),
            lambda a: L.norm(a, "nuc")]


@pytest.mark.heavy(one_in=22)
@pytest.mark.parametrize("f", SELECTED)
def test_rows_of_which_only_the_run_time_knows_how_many_there_are(f):
    """Whether a matrix is tall or wide is asked when it runs."""
    rows = np.random.default_rng(5).normal(size=(6, 3))

    def selected(a, key):
        return f(a[key > 0])

    def loss(a, key):
        r = f(a[key > 0])
        r = r if isinstance(r, tuple) else (r,)
        return np.sum(r[0] ** 2) + np.sum(r[-1] ** 4)

    ways = [gs.test_util.primal(selected), gs.jit(selected), gs.grad(loss)]
    for key in (np.ones(6), np.array([1, 0, 0, 1, 0, 1]), np.array([0, 1, 0, 1, 0, 0])):
        want = f(rows[key > 0])
        for way in ways[:2]:
            same(way(rows, key), want, 1e-11)
        d = np.cos(np.arange(18.0)).reshape(6, 3)
        slope = (loss(rows + 1e-6 * d, key) - loss(rows - 1e-6 * d, key)) / 2e-6
        np.testing.assert_allclose(np.sum(ways[2](rows, key) * d), slope, rtol=1e-6, atol=1e-7)


@pytest.mark.heavy(one_in=4)
def test_what_is_known_of_lengths_decides_the_shape():
    f = gs.jit(lambda a: L.qr(a)[1])
    for shape in ((3, 2), (2, 3), (2, 2), (5, 1), (1, 5)):
        a = RNG.normal(size=shape)
        np.testing.assert_allclose(f(a), L.qr(a)[1], rtol=1e-12, atol=1e-14)


def cofactors_of(a):
    """They by definition, from determinants of exact fractions."""
    def det(rows):
        return (sum([(-1) ** j * rows[0][j] * det([r[:j] + r[j + 1:] for r in rows[1:]]) for j in range(len(rows))])
                if rows else Fraction(1))
    rows = [[Fraction(float(x)) for x in row] for row in a]
    return np.array([[float((-1) ** (i + j) * det([r[:j] + r[j + 1:] for k, r in enumerate(rows) if k != i]))
                      for j in range(len(rows))] for i in range(len(rows))])


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_derivative_of_det_is_accurate_however_near_a_matrix_is_to_a_singular_one(dtype):
    def f(a):
        return np.sum(np.linalg.det(a))

    def matrix(n, last, size):
        u, _, v = L.svd(RNG.normal(size=(n, n)))
        return size * (u * np.append(np.ones(n - 1), last) @ v)

    plain, compiled = gs.grad(f), gs.jit(gs.grad(f))
    few, many = (1e-5, 1e5) if dtype == np.float32 else (1e-70, 1e70)
    for n in (1, 2, 3, 4):
        stack = [matrix(n, last, size) for last in (1.0, 1e-3, 1e-5, 1e-8, 1e-13, 0.0) for size in (1.0, few, many)]
        stack += [np.zeros((n, n)), np.ones((n, n)), np.arange(float(n * n)).reshape(n, n), np.eye(n)[::-1] * few ** 2]
        a = np.array(stack).astype(dtype)
        want = np.array([cofactors_of(x) for x in a])
        rounded = 100 * np.finfo(dtype).eps * L.norm(a.astype(np.float64), axis=(1, 2), keepdims=True) ** (n - 1)
        error = ((1e-11 if dtype == np.float64 else 1e-4) * abs(want).max(axis=(1, 2), keepdims=True)
                 + np.where(want.any(axis=(1, 2), keepdims=True), 0, rounded))
        for g in (plain, compiled):
            got = g(a)
            assert got.dtype == dtype
            assert (abs(got - want) <= error).all()
        a[::2, 0, 0], a[1::5, n - 1, 0] = np.nan, np.inf
        unknown = ~np.isfinite(a).all(axis=(1, 2))
        for g in (plain, compiled):
            got = g(a)
            assert np.isnan(got[unknown]).all() and (abs(got - want) <= error)[~unknown].all()


def systems(a, b):
    x = L.solve(a, b)
    y = L.solve(a, 2.0 * x + b)
    return x, y, L.solve(a.mT, x)


def slope_of_systems(a, b):
    return gs.grad(lambda a, b: sum([np.sum(np.abs(x) ** 2) for x in systems(a, b)]), argnums=(0, 1))(a, b)


@pytest.mark.heavy(one_in=125)
@pytest.mark.parametrize("part", range(4))
def test_systems_share_factors(part):
    def run(cases):
        return [(systems(a, b), slope_of_systems(a, b)) for a, b in cases]

    def matrix(*shape):
        return RNG.normal(size=shape) + 3.0 * np.eye(shape[-1])

    cases = [(matrix(3, 3), np.ones(3)), (matrix(9, 9), RNG.normal(size=(9, 17))),
             (matrix(2, 3, 3), RNG.normal(size=(2, 3, 1))), (matrix(3, 3), RNG.normal(size=(2, 3, 2))),
             (matrix(2, 3, 3), RNG.normal(size=(3, 2))), (matrix(8, 8)[:, ::-1], RNG.normal(size=(16, 3))[::2]),
             (matrix(3, 3).T, RNG.normal(size=3)[::-1]), (np.eye(0), np.ones((0, 2))), (matrix(2, 2), np.ones((2, 0)))]
    cases += [(matrix(3, 3).astype(np.float32), np.ones(3)),
              (matrix(3, 3).astype(np.float32), np.ones((3, 2), np.float32)),
              (matrix(3, 3) + 1j * matrix(3, 3), np.ones((3, 1)) + 2j), (matrix(3, 3) * (1.0 + 0.5j), np.ones(3))]
    cases = cases[part::4]
    for (got, slope), (a, b) in zip(gs.jit(run)(cases), cases, strict=True):
        rtol = 1e-4 if np.float32 in (a.dtype, b.dtype) else 1e-11
        same(got, systems(a, b), rtol)
        same(slope, slope_of_systems(a, b), 10 * rtol)


def test_which_systems_share_factors():
    def calls(f, *args):
        assert "rt.factorise" not in gs.jit(f).source(*args)
        text = gs.jit(f).source(*args, stage="compiled")
        return [text.count(f" = _{name}_kernel(")
                for name in ("solve", "factorise", "substitute", "substitute_transposed")]

    def several(a, b, c):  # a system of the user's is solved as NumPy solves it: rounding decides what is singular
        return L.solve(a, b), L.solve(c, b), L.solve(a.T, b), L.solve(a, c)

    assert calls(several, SQUARE, SQUARE[0], SQUARE[1:].T @ SQUARE[1:]) == [2, 1, 2, 0]
    assert calls(gs.grad(lambda a, b: np.sum(L.solve(a, b) ** 2), argnums=(0, 1)), SQUARE, SQUARE[0]) == [0, 1, 1, 1]
    assert calls(lambda a, b: gs.jvp(lambda a: L.solve(a, b), (a,), (a,)), SQUARE, SQUARE[0]) == [0, 1, 2, 0]
    assert calls(lambda a, b: L.solve(a, b), SQUARE, SQUARE[0]) == [1, 0, 0, 0]


@pytest.mark.heavy(one_in=8)
def test_a_singular_matrix_of_several_systems():
    def f(a, b, one):
        if one:
            return np.sum(L.solve(a, b) ** 2)
        return L.slogdet(a)[1] * b[0]

    for g in (gs.jit(f), gs.jit(gs.grad(f)), gs.jit(gs.grad(f, argnums=1))):
        with pytest.raises(L.LinAlgError, match="Singular matrix"):
            g(np.ones((2, 2)), np.ones(2), True)
    assert gs.jit(f)(np.ones((2, 2)), np.ones(2), False) == -np.inf
