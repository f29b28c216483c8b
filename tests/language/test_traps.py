"""The traps, plain and compiled: values and derivatives; and those that need a story around the function."""
from dataclasses import dataclass

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer import api
from gradscribe.transformer.testing import numeric_leaves
from tests.corpus.traps import TRAPS
from tests.language.trapping import gradient, transformed
from tests.support.cases import assert_equal, assert_same, over, ran, tolerance

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
LARGE = 1_000_000


def refused(p, error) -> bool:
    """Is this error as good as the right answer?  It is ours, or what Python raises for numbers that do not fit."""
    return p.may_refuse and isinstance(error, (gs.GradscribeError, ValueError, OverflowError))


def size(args) -> int:
    return sum(np.size(x) for x in numeric_leaves(args))


# ---- values, types, what is stored, what is raised

@pytest.mark.heavy(one_in=13)
@COMPILED
@over(TRAPS)
def test_value(p, compiled):
    want, got = ran(p.fun, p.make_args), ran(transformed(api.Primal, p.fun, compiled), p.make_args)
    if refused(p, got.error) or p.leaves_int64 and compiled and got.error is not None:
        return
    if p.joins:
        want.out = type(got.out)(want.out)
    assert_same(got, want, rtol=max(p.rtol, tolerance(p.make_args()) or 0.0) if compiled else None)


# ---- derivatives

def ones(out):
    """The cotangent under which the gradient is that of the sum of all results."""
    from gradscribe.transformer.testing import is_float, leaf_like, with_leaves
    return with_leaves(out,
                       iter([leaf_like(x, np.ones(np.shape(x))) if is_float(x) else x for x in numeric_leaves(out)]))


@pytest.mark.heavy(one_in=13)
@COMPILED
@over([p for p in TRAPS if p.gradient])
def test_gradient_on_paper(p, compiled):
    cotangent = ones(p.fun(*p.make_args()))
    got = ran(lambda *args: transformed(api.Vjp, p.fun, compiled, has_aux=False)(args, cotangent), p.make_args)
    if refused(p, got.error) or p.leaves_int64 and compiled and got.error is not None:
        return
    want = p.gradient(*p.make_args())
    bars = got.out if got.error is None else assert_same(got, ran(p.fun, p.make_args))
    for k, x in zip(p.argnums, want, strict=True):
        assert np.shape(bars[k]) == np.shape(x)
        np.testing.assert_allclose(bars[k], x, rtol=max(p.rtol, 1e-12), atol=max(p.rtol, 1e-12))


@pytest.mark.heavy(one_in=38)
@COMPILED
@over([p for p in TRAPS
       if p.smooth and not p.raises and not p.may_refuse and not p.joins and size(p.make_args()) < LARGE])
def test_gradient_against_differences(p, compiled):
    order = 1 if compiled else 2
    check_grads(gs.jit(p.fun) if compiled else p.fun, p.make_args(), order=order)


@COMPILED
def test_gradient_of_a_long_mean(compiled):
    """The sum of 20 million has its gradient among the traps; that of the mean of squares is 2 x / n."""
    x = np.full(20_000_000, 0.1, dtype=np.float32)
    (bar,) = transformed(api.Vjp, next(p.fun for p in TRAPS if p.name == "large_mean_of_squares"), compiled,
                         has_aux=False)((x,), np.float32(1))
    assert bar.dtype == np.float32 and bar.shape == x.shape
    np.testing.assert_allclose(bar[::999_999], 2 * x[::999_999] / x.size, rtol=1e-5)
    assert bar.min() == bar.max()


# ---- memory

def arrays(x):
    return [a for a in numeric_leaves(x) if isinstance(a, np.ndarray) and a.size]


@pytest.mark.heavy(one_in=18)
@COMPILED
@over([p for p in TRAPS if not p.raises and not p.may_refuse and size(p.make_args()) < LARGE])
def test_gradients_share_no_memory(p, compiled):
    """With each other, with the arguments, or with the cotangent."""
    args, cotangent = p.make_args(), ones(p.fun(*p.make_args()))
    bars = arrays(transformed(api.Vjp, p.fun, compiled, has_aux=False)(args, cotangent))
    others = arrays(args) + arrays(cotangent)
    for k, bar in enumerate(bars):
        assert bar.flags.writeable
        assert not any(np.shares_memory(bar, x) for x in others + bars[k + 1:])


@pytest.mark.heavy(one_in=15)
@COMPILED
@over([p for p in TRAPS if not p.raises and not p.may_refuse and size(p.make_args()) < LARGE])
def test_derivatives_leave_their_arguments_alone(p, compiled):
    args, cotangent = p.make_args(), ones(p.fun(*p.make_args()))
    transformed(api.Vjp, p.fun, compiled, has_aux=False)(args, cotangent)
    assert_equal(args, p.make_args(), rtol=0.0)
    assert_equal(cotangent, ones(p.fun(*p.make_args())), rtol=0.0)


# ---- a pull-back called again and again

@pytest.mark.parametrize("p", [p for p in TRAPS if "pull-back" in p.construct], ids=lambda p: p.construct)
def test_a_pull_back_called_twice(p):
    out, pullback = gs.vjp(p.fun, *p.make_args())
    first, other = pullback(ones(out)), pullback(2 * ones(out))
    assert_equal(pullback(ones(out)), first, rtol=0.0)
    for bar, twice in zip(first, other):
        np.testing.assert_allclose(twice, 2 * np.asarray(bar), rtol=1e-12)


@COMPILED
def test_a_pull_back_called_twice_inside(compiled):
    def f(x):
        y, pullback = gs.vjp(lambda u: np.sin(u) * u, x)
        (a,) = pullback(np.ones_like(y))
        (b,) = pullback(a)
        return np.sum(a * b + y)

    check_grads(gs.jit(f) if compiled else f, (np.array([0.3, -0.8]),), order=1)


@pytest.mark.parametrize("p", [p for p in TRAPS if p.name in ("overwritten_many_times", "inner_product", "sum_of_two")],
                         ids=lambda p: p.name)
def test_a_pull_back_keeps_what_its_arguments_were(p):
    args = p.make_args()
    out, pullback = gs.vjp(p.fun, *args)
    want = pullback(ones(out))
    for x in arrays(args):
        x[...] = 99.0
    got = pullback(ones(out))
    for x in arrays(got):
        x[...] = 77.0  # what was returned is the caller's
    assert_equal(pullback(ones(out)), want, rtol=0.0)


# ---- arrays in the caller's containers

@dataclass
class State:
    q: np.ndarray


def scales_in_place(params, state, pair):
    params["w"] *= 2.0
    state.q += params["w"]
    pair[0][1:] = state.q[:-1]
    pair[1][0] *= 3.0
    return np.sum(pair[0] * pair[1])


@pytest.mark.heavy(one_in=2)
@COMPILED
def test_arrays_in_containers_are_stored_into(compiled):
    def make_args():
        return {"w": np.array([0.5, 1.5])}, State(np.array([1.0, -2.0])), [np.ones(2), np.array([0.3, 0.7])]

    assert_same(ran(transformed(api.Primal, scales_in_place, compiled), make_args), ran(scales_in_place, make_args))
    check_grads(gs.jit(scales_in_place) if compiled else scales_in_place, make_args(), order=1)


# ---- aliasing by memory order

@COMPILED
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_store_through_reshape_follows_the_memory_order(compiled, order):
    """Of an array in C order reshape(-1) is a view, of one in F order a copy; also of what is computed from it."""
    def f(x):
        y = x * 2.0
        flat = y.reshape(-1)
        flat[1] = 100.0
        return y

    def g(x, y):
        y[...] = x
        flat = y.reshape(-1)
        flat[1] = 100.0
        return np.sum(y)

    made = transformed(api.Primal, f, compiled)
    both = transformed(api.Primal, g, compiled)
    A = np.arange(6.0).reshape(2, 3)
    for other in ("C", "F", order):  # each after the other: neither may be taken for the other
        x = np.asarray(A, order=other)
        assert_equal(made(x), f(x))
        mine, theirs = np.zeros_like(x), np.zeros_like(x)
        assert both(x, mine) == g(x, theirs)
        assert_equal(mine, theirs)


# ---- one compiled function, arguments of every layout

@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("layout",
                         [lambda x: x, np.asfortranarray, lambda x: np.repeat(np.repeat(x, 2, 0), 3, 1)[::2, ::3],
                          lambda x: x[::-1, ::-1], lambda x: np.broadcast_to(x[:1], x.shape)],
                         ids=["C", "F", "strided", "reversed", "broadcast"])
@COMPILED
def test_layouts(compiled, layout):
    def f(x):
        return np.sum(np.tanh(x[1:] * x[:-1]) @ np.ones(x.shape[1])) + np.sum(x.T @ x)

    df = gradient(f, compiled)
    x = layout(np.random.default_rng(0).normal(size=(3, 4)))
    want = gs.grad(f)(np.ascontiguousarray(x))
    np.testing.assert_allclose(df(x), want, rtol=1e-12)
