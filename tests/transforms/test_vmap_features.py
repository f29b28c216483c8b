"""gs.vmap's arguments, its errors, and what runs example by example: only what must."""
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Vjp

X = np.random.default_rng(0).normal(size=(5, 3))
W = np.random.default_rng(1).normal(size=(4, 3))
ways = pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])


# ---- arguments

@ways
def test_axes(way):
    f = lambda w, x: np.tanh(w @ x)  # noqa: E731
    want = np.stack([f(W, x) for x in X])
    np.testing.assert_allclose(way(gs.vmap(f, in_axes=(None, 0)))(W, X), want, rtol=1e-14)
    np.testing.assert_allclose(way(gs.vmap(f, (None, 1)))(W, np.ascontiguousarray(X.T)), want, rtol=1e-14)
    np.testing.assert_allclose(way(gs.vmap(f, (None, -1), -1))(W, X.T), want.T, rtol=1e-14)
    np.testing.assert_allclose(way(gs.vmap(f, (0, None)))(np.stack([W, 2 * W]), X[0]),
                               np.stack([f(W, X[0]), f(2 * W, X[0])]), rtol=1e-14)
    cube = np.random.default_rng(2).normal(size=(4, 5, 3))
    got = way(gs.vmap(lambda m: m * 2.0, in_axes=1, out_axes=2))(cube)
    np.testing.assert_array_equal(got, np.moveaxis(cube * 2.0, 1, 2))


@ways
def test_trees(way):
    def f(p, x, scale):
        return {"y": p["w"] @ x * scale, "p": (p["b"], x[0])}

    p, scale = {"w": W, "b": np.arange(5.0)}, 3.0
    got = way(gs.vmap(f, in_axes=({"w": None, "b": 0}, 0, None), out_axes={"y": 1, "p": 0}))(p, X, scale)
    np.testing.assert_allclose(got["y"], (X @ W.T * 3.0).T, rtol=1e-14)
    np.testing.assert_array_equal(got["p"][0], p["b"])
    np.testing.assert_array_equal(got["p"][1], X[:, 0])
    same, _ = gs.vmap(lambda x, c: (c + 1.0, x), in_axes=(0, None), out_axes=(None, 0))(X, 2.0)
    assert same == 3.0


@dataclass
class Layer:
    w: np.ndarray
    b: np.ndarray
    width: int = field(default=3, metadata={"static": True})


class Ends(NamedTuple):
    low: np.ndarray
    high: np.ndarray


def test_axes_are_trees_of_the_classes_of_the_arguments():
    got = gs.vmap(lambda p: Layer(p.w * p.b, p.w + p.b, p.width), in_axes=(Layer(0, None),),
                  out_axes=Layer(0, 1))(Layer(X, 2.0))
    np.testing.assert_array_equal(got.w, X * 2.0)
    np.testing.assert_array_equal(got.b, X.T + 2.0)
    assert got.width == 3
    got = gs.vmap(lambda p: Ends(p.low, p.high * p.low), in_axes=(Ends(1, None),),
                  out_axes=Ends(1, np.int64(0)))(Ends(X, 2.0))
    np.testing.assert_array_equal(got.low, X)
    np.testing.assert_array_equal(got.high, 2.0 * X.T)


def test_keywords_are_mapped_along_the_first_axis():
    got = gs.vmap(lambda x, y: x * y)(X, y=np.arange(5.0))
    np.testing.assert_array_equal(got, X * np.arange(5.0)[:, None])


def test_as_a_decorator_and_inside_a_function():
    @gs.vmap
    def rows(x):
        return np.sum(x)

    @gs.jit
    def total(x):
        return np.sum(gs.vmap(lambda r: np.max(r) - rows_plain(r))(x)) + np.sum(rows(x))

    def rows_plain(r):
        return np.min(r)

    np.testing.assert_allclose(rows(X), X.sum(1))
    np.testing.assert_allclose(total(X), np.sum(X.max(1) - X.min(1)) + X.sum(), rtol=1e-14)
    ones = gs.vmap(lambda: 1.5, axis_size=4)()
    np.testing.assert_array_equal(ones, np.full(4, 1.5))


@ways
def test_results_that_are_the_same_for_all_are_repeated(way):
    y, k, none = way(gs.vmap(lambda x: (2.0, 3, None)))(X)
    np.testing.assert_array_equal(y, np.full(5, 2.0))
    np.testing.assert_array_equal(k, np.full(5, 3))
    assert k.dtype == np.int64 and none is None


@pytest.mark.heavy(one_in=2)
@ways
def test_sizes_0_and_1(way):
    f = way(gs.vmap(lambda x: np.where(np.sum(x) > 0.0, x, -x)))
    np.testing.assert_array_equal(f(np.zeros((0, 3))), np.zeros((0, 3)))
    np.testing.assert_array_equal(f(-np.ones((1, 3))), np.ones((1, 3)))
    np.testing.assert_array_equal(f(-np.ones((2, 1))), np.ones((2, 1)))
    g = way(gs.vmap(loop_of_example))
    assert g(np.zeros(0)).shape == (0,)
    np.testing.assert_allclose(g(np.array([0.5])), [loop_of_example(0.5)])


@ways
def test_dtypes(way):
    f = way(gs.vmap(lambda x, k: (x * 2.0, k + 1, x > 0.0, x * k)))
    x, k = np.float32([1.5, -2.5]), np.int64([1, 2])
    got = f(x, k)
    want = [np.stack([np.asarray(y) for y in ys])
            for ys in zip(*[(a * 2.0, b + 1, a > 0.0, a * b) for a, b in zip(x, k)])]
    assert [g.dtype for g in got] == [w.dtype for w in want]
    for g, w in zip(got, want):
        np.testing.assert_array_equal(g, w)


# ---- errors

def check_error(call, *texts, kind=gs.SpecialisationError):
    with pytest.raises(kind) as error:
        call()
    for text in texts:
        assert text in str(error.value)


def test_errors():
    def f(x, y):
        return x + y

    check_error(lambda: gs.vmap(f)(X, 2.0), "maps y along axis 0", "in_axes=(0, None)", "test_vmap_features.py")
    check_error(lambda: gs.vmap(f, in_axes=(0, 3))(X, X), "maps y along axis 3", "2 axes")
    check_error(lambda: gs.vmap(f, in_axes=(0,))(X, X), "1 entries", "2 positional arguments")
    check_error(lambda: gs.vmap(f, in_axes=({"a": 0}, 0))(X, X), "for x, which", "structure")
    check_error(lambda: gs.vmap(f, in_axes=None)(X, X), "maps no argument")
    check_error(lambda: gs.vmap(f, out_axes=None)(X, X), "out_axes")
    check_error(lambda: gs.vmap(f, out_axes=5)(X, X), "out_axes")
    check_error(lambda: gs.vmap(f)(X, X[:4]), "5 examples in x", "4 in y", kind=ValueError)
    check_error(lambda: gs.jit(gs.vmap(f))(X, X[:4]), "5 examples in x", "4 in y", kind=ValueError)
    check_error(lambda: gs.vmap(lambda p: p["w"] + p["b"][0])({"w": X, "b": [X[:4]]}), '5 examples in p["w"]',
                '4 in p["b"][0]', kind=ValueError)
    check_error(lambda: gs.vmap(f)(X, X[:1]), "in x", "in y")


def test_what_is_no_axis_is_said():
    for axis in ("a", 1.0, True):
        check_error(lambda: gs.vmap(lambda x: x, in_axes=axis)(X), "in_axes", repr(axis))
        check_error(lambda: gs.vmap(lambda x: x, in_axes=(axis,))(X), "in_axes", repr(axis))
        check_error(lambda: gs.vmap(lambda x: x, out_axes=axis)(X), "out_axes", repr(axis))
    for size in (-1, 2.0, True):
        check_error(lambda: gs.vmap(lambda: 1.0, axis_size=size)(), "axis_size", repr(size))


def test_a_registered_class_is_a_container():
    class Interval:
        def __init__(self, low):
            self.low = low

    gs.tree.register(Interval, lambda i: ((i.low,), None), lambda _, parts: Interval(*parts))
    np.testing.assert_allclose(gs.vmap(lambda i, x: i.low * x)(Interval(X), X), X * X)
    np.testing.assert_array_equal(gs.grad(lambda i: np.sum(i.low * 2.0))(Interval(X)).low, np.full(X.shape, 2.0))


def test_a_result_whose_size_differs_is_refused():
    def f(n):
        return np.ones(n)

    check_error(lambda: gs.vmap(f)(np.array([1, 2])), "differs from example to example", "test_vmap_features.py")


@ways
def test_a_size_that_differs_inside_is_no_matter(way):
    def f(n, x):
        y = np.zeros(n)
        for i in range(n):
            y[i] = x * i
        return np.sum(y * y)

    n, x = np.array([1, 4, 2, 0]), np.array([1.0, 2.0, 3.0, 4.0])
    want = [f(int(a), b) for a, b in zip(n, x)]
    np.testing.assert_allclose(way(gs.vmap(f))(n, x), want)
    np.testing.assert_allclose(way(gs.vmap(gs.grad(f, argnums=1)))(n, x), [2 * w / b for w, b in zip(want, x)])


# ---- example by example

def loop_of_example(x):
    s, n = 0.0, 0
    while s < 3.0:
        s = s + x * x + 0.1
        n = n + 1
        if n > 40:
            break
    if x < 0.0:
        return s * x
    return np.sqrt(s)


@pytest.mark.heavy(one_in=4)
@ways
def test_ten_thousand_examples_with_gradients(way):
    x = np.random.default_rng(3).normal(size=10_000)
    np.testing.assert_allclose(way(gs.vmap(loop_of_example))(x)[::100], [loop_of_example(v) for v in x[::100]],
                               rtol=1e-12)
    got = way(gs.vmap(gs.grad(loop_of_example)))(x)
    np.testing.assert_allclose(got[::500], [gs.grad(loop_of_example)(v) for v in x[::500]], rtol=1e-12)
    total = way(gs.grad(lambda x: np.sum(gs.vmap(loop_of_example)(x))))(x)
    np.testing.assert_allclose(total, got, rtol=1e-12)


@ways
def test_no_example_runs_a_branch_that_it_does_not_take(way):
    def f(x):
        if x < 0.0:
            if x > -100.0:
                raise ValueError("a negative number")
            return 0.0
        return np.log(x)

    with np.errstate(all="raise"):
        np.testing.assert_allclose(way(gs.vmap(f))(np.array([1.0, -200.0, 2.0])), [0.0, 0.0, np.log(2.0)])
        np.testing.assert_allclose(way(gs.vmap(gs.grad(f)))(np.array([1.0, -200.0, 2.0])), [1.0, 0.0, 0.5])
    with pytest.raises(ValueError, match="a negative number"):
        way(gs.vmap(f))(np.array([1.0, -2.0]))


@pytest.mark.heavy(one_in=5)
@ways
def test_a_nan_stays_in_its_example(way):
    def f(x):
        y = np.tanh(W @ x)
        if y[0] > 0.0:
            y = y * 2.0
        while np.sum(y) < 1.0:
            y = y + 0.5
        return np.sum(y * y)

    bad = X.copy()
    bad[2, 1] = np.nan
    good = np.arange(5) != 2
    for g in (gs.vmap(f), gs.vmap(gs.grad(f))):
        np.testing.assert_array_equal(way(g)(bad)[good], way(g)(X)[good])
        assert np.isnan(way(g)(bad)[2]).all()


def branch_behind_a_layer(weights, x):
    h = np.tanh(weights @ x)
    if h[0] > 0.0:
        h = h * h
    return np.sum(h)


def test_a_layer_before_a_branch_stays_a_product_of_matrices():
    weights, x = np.ones((512, 784)), np.ones((256, 784))
    for f in (gs.vmap(branch_behind_a_layer, in_axes=(None, 0)),
              gs.vmap(gs.grad(branch_behind_a_layer), in_axes=(None, 0))):
        before, _, loop = f.source(weights, x).partition("for ")
        assert "np.tanh(x @ weights.T)" in before and loop
        assert not any("@" in line.partition("#")[0] for line in loop.splitlines())
    text = gs.vmap(branch_behind_a_layer, in_axes=(None, 0)).explain(weights, x)
    assert "if h[0] > 0.0:" in text.splitlines()[1] and "its test differs between examples" in text.splitlines()[2]
    assert "# one example at a time: its test differs between examples" in f.source(weights, x)


def test_two_branches_side_by_side_are_one_loop():
    def f(x, y):
        a = np.sin(x) if x > 0.0 else x
        b = np.cos(y) if y > 0.0 else y
        return a, b

    assert gs.vmap(f).source(X[:, 0], X[:, 1]).count("for ") == 1


# ---- pull-backs of each example, against a loop

def lengths_named_by_types(x, a, c, k):
    if k < 4:
        a[:, -2] = 0.4 * (np.cos(x) if x[1] / c < 1.37 else 0.8 * (a[-2] @ a))
    return a


def lengths_of_two_names(x, y):
    if len(x) > 1:
        x = y[:] * 0.9
    return np.where(x < 0.32, x, y[::-1]) + 0.5 * x


def groups_that_need_each_other(x, a):
    n = a.shape[0]
    s = 1.0
    for i in range(n - 1, -1, -1):
        x[-2], x[i] = x[i], x[-2]
        if x[-1 - i] / (2.0 + s * s) < -1.06 and x[n - 1 - i] - x[i] <= -1.04:
            t = 0
            for j in range(a.shape[0] - 1):
                t += np.sin(abs(x[i]) * 0.99)
                a[-1, -1 - j] -= s
                if np.tanh(0.7 * a.T[j, j] - s) > -0.17:
                    continue
            return np.tanh(a[i]) + x[:], np.sin(x[:, np.newaxis] - 0.7 * a[1:2, ::-1]), 0.7 * a
        b = np.tanh(a[1:, :])
        s = s + np.sum(b[i % (n - 1)] / (2.0 + b.T[-1 - i, -1] * b.T[-1 - i, -1]))
    return x, a, np.outer(x, x) + 0.7 * s + 0.5 * a + 0.2 * np.sum(x * x)


PULLED = [(lengths_named_by_types, ((2,), (2, 2), (), 1)), (lengths_of_two_names, ((2,), (2,))),
          (groups_that_need_each_other, ((2,), (2, 2)))]


@pytest.mark.parametrize("f, shapes", PULLED, ids=[f.__name__ for f, _ in PULLED])
def test_pull_backs(f, shapes):
    rng = np.random.default_rng(4)
    axes = tuple(0 if isinstance(s, tuple) else None for s in shapes)
    args = tuple(rng.normal(size=(4, *s)) if isinstance(s, tuple) else s for s in shapes)

    def one(k):
        return tuple((a[k].copy() if a.ndim > 1 else a[k]) if axis == 0 else a for a, axis in zip(args, axes))

    def seeds(out):
        return tuple(map(seeds, out)) if isinstance(out, tuple) else np.cos(np.arange(out.size)).reshape(out.shape)

    ct = seeds(f(*one(0)))
    got = gs.vmap(Vjp(f), in_axes=(axes, None))(args, ct)
    for k in range(4):
        for g, w, axis in zip(got, Vjp(f)(one(k), ct), axes):
            if axis == 0:
                np.testing.assert_allclose(g[k], w, rtol=1e-11, atol=1e-13)


@ways
def test_a_read_that_nobody_needs_raises_too(way):
    def f(x, k):
        unused = x[k]  # noqa: F841
        if x[0] > 0.0:
            unused = x[k + 1]  # noqa: F841
        return x[0]

    x = np.array([[1.0, 2.0], [-1.0, 2.0]])
    np.testing.assert_array_equal(way(gs.vmap(f))(x, np.array([0, 1])), x[:, 0])
    for k in ([0, 2], [1, 0]):
        with pytest.raises(IndexError):
            way(gs.vmap(f))(x, np.array(k))
