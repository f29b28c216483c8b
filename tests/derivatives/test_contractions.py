"""Sums of products that are larger than their factors: values, derivatives, texts, and what is allocated."""
import re
import tracemalloc

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads


def two(a, b):
    return np.sum(a[:, :, None] * b[None, :, :], axis=1)


def two_transposed(a, b):
    return (a[:, None, :] * b[None]).sum(-1)


def first_summed(a, b):
    return np.sum(a.T[:, :, None] * b[:, None, :], axis=0)


def kept(a, b):
    return np.sum(a[:, :, None] * b[None, :, :], axis=1, keepdims=True)


def two_sums(a, b):
    """Over i and k of a[i, k] c[k, i, j]."""
    c = b[:, None, :] + np.cos(a.T)[:, :, None]
    d = np.sin(a[0])[:, None] * np.ones(3)
    return np.sum(a.T[:, :, None, None] * c[:, :, :, None] * d[:, None, None, :], axis=(0, 1))


def chain(a, b):
    c = np.tanh(b.T)
    return np.sum(a[:, :, None, None] * b[None, :, :, None] * c[None, None], axis=(1, 2))


def weighted(a, b):
    return np.sum(np.cos(b[:, 0])[:, None, None] * a.T[:, :, None] * b[:, None, :], axis=0)


def stacks(a, b):
    """A matrix of each component meets its vectors of all points."""
    d = np.sin(a[:, None, :] - b[:, 0][None, :, None])
    factors = np.cos(b[:, :, None] * b[:, None, :2])
    return np.sum(d[:, :, None, :2] * factors[None], axis=3)


def by_matmul(a, b):
    d = np.sin(a[:, None, :2] - b[:, 0][None, :, None])
    factors = np.cos(b[:, :, None] * b[:, None, :2])
    return (factors[None] @ d[..., None])[..., 0]


def rows_by_matmul(a, b):
    d = np.sin(a[:, None, :2] - b[:, 0][None, :, None])
    factors = np.cos(b[:, :, None] * b[:, None, :2])
    return (d[..., None, :] @ np.swapaxes(factors, -1, -2)[None])[..., 0, :]


def mixture(a, b):
    d = a[:, None, :] - b.T[None, :, :]
    factors = np.cos(b.T[:, :, None] * b.T[:, None, :])
    y = (d[:, :, None, :] * factors[None]).sum(-1)
    e = -0.5 * np.sum(y * y, axis=-1)
    top = np.max(e, axis=1)
    return top + np.log(np.sum(np.exp(e - top[:, None]), axis=1))


def attention(a, b):
    q, k = np.sin(a), b.T
    s = (q[:, None, :] * k[None, :, :]).sum(-1)
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return (p[:, :, None] * k[None, :, :]).sum(1)


PROGRAMS = [two, two_transposed, first_summed, kept, two_sums, chain, weighted, stacks, by_matmul, rows_by_matmul,
            mixture, attention]


def arguments(f, n=12, k=9, m=11, dtype=float):
    rng = np.random.default_rng(7)
    b = rng.standard_normal((m, k) if f is two_transposed else (k, m)).astype(dtype)
    return rng.standard_normal((n, k)).astype(dtype), b


def scalar(f):
    def of(a, b):
        y = f(a, b)
        return np.sum(np.cos(y) * y)

    return of


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_values(f, way):
    args = arguments(f)
    np.testing.assert_allclose(way(f)(*args), f(*args), rtol=1e-12, atol=1e-12)
    short = arguments(f, dtype=np.float32)
    got, want = way(f)(*short), f(*short)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f):
    args = arguments(f, 4, 3, 5)
    check_grads(scalar(f), args, order=2)
    check_grads(gs.jit(scalar(f)), args, order=1)


@pytest.mark.parametrize("lengths", [(0, 9, 11), (12, 0, 11), (12, 9, 0), (1, 9, 11), (12, 1, 11), (12, 9, 1)],
                         ids=str)
@pytest.mark.parametrize("f", [two, two_transposed, first_summed, kept, chain], ids=lambda f: f.__name__)
def test_axes_of_no_and_of_one_element(f, lengths):
    args = arguments(f, *lengths)
    for way in gs.test_util.primal, gs.jit:
        np.testing.assert_allclose(way(f)(*args), f(*args), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("f", [two, two_transposed, first_summed, kept], ids=lambda f: f.__name__)
def test_numbers_that_are_none_and_infinite_ones_go_where_a_sum_takes_them(f):
    a, b = arguments(f)
    a[2, 3], a[4, 1], b[1, 2] = np.nan, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        want = f(a, b)
        for way in gs.test_util.primal, gs.jit:
            np.testing.assert_allclose(way(f)(a, b), want, rtol=1e-12)


def test_integers_and_short_floats_stay_sums_of_products():
    a, b = np.arange(108, dtype=np.int32).reshape(12, 9), np.arange(99, dtype=np.int32).reshape(9, 11)
    for way in gs.test_util.primal, gs.jit:
        got = way(two)(a, b)
        assert got.dtype == two(a, b).dtype
        np.testing.assert_array_equal(got, two(a, b))
    halves = [np.sin(x).astype(np.float16) for x in (a, b)]
    np.testing.assert_array_equal(gs.test_util.primal(two)(*halves), two(*halves))


def test_complex_numbers():
    a, b = [x * (1 + 0.5j) + 0.25j for x in arguments(two)]
    for way in gs.test_util.primal, gs.jit:
        np.testing.assert_allclose(way(two)(a, b), two(a, b), rtol=1e-12)
    check_grads(lambda a, b: np.sum(np.abs(two(a, b))), (a[:4], b), order=1)


def test_examples_at_once():
    a, b = arguments(two)
    many = np.stack([a, 2 * a, np.cos(a)])
    for f in two, weighted, by_matmul, mixture:
        for way in (lambda f: f), gs.jit:
            got = way(gs.vmap(gs.grad(scalar(f)), (0, None)))(many, b)
            np.testing.assert_allclose(got, [gs.grad(scalar(f))(x, b) for x in many], rtol=1e-9, atol=1e-11)


def test_lengths_that_do_not_agree_are_refused_as_by_a_product():
    a, b = arguments(two)
    for f in two, mixture:
        with pytest.raises(ValueError) as numpys:
            f(a, b[:4])
        for way in gs.test_util.primal, gs.jit, lambda f: gs.grad(scalar(f)):
            with pytest.raises(ValueError, match="^" + re.escape(str(numpys.value))):
                way(f)(a, b[:4])


def test_the_product_is_not_allocated():
    def f(a, b):
        return np.sum(np.cos(two(a, b)))

    a, b = arguments(two, 100, 100, 100)
    gradient = gs.grad(f, (0, 1))
    gradient(a, b)
    tracemalloc.start()
    gradient(a, b)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 12 * a.nbytes  # a product has 100 times as many


def test_what_people_read():
    a, b = arguments(two)
    lines = gs.value_and_grad(scalar(two), (0, 1)).source(a, b)
    assert "a @ b_checked" in lines and "y_bar @ b_checked.T" in lines and "a.T @ y_bar" in lines
    assert "None" not in re.sub("#.*", "", lines)
    lines = gs.grad(scalar(stacks), (0, 1)).source(a, b)
    assert lines.count("np.einsum(") == 3


def test_a_small_known_product_is_left_to_a_loop():
    def f(x):
        a = np.cos(x) * np.array([[1.0, 2.0, 3.0], [0.5, 0.25, 2.0], [3.0, 1.0, 0.5]])
        return np.sum(a[:, :, None] * a.T[None, :, :], axis=1)

    assert "@" not in gs.jit(f).source(0.5, stage="core")
    np.testing.assert_allclose(gs.jit(f)(0.5), f(0.5))
