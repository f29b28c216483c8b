"""The control flow of gs.lax: JAX's values and gradients, which tests/data holds; plain, transformed and compiled."""
import json
from pathlib import Path

import numpy as np
import optree
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal
from tests.corpus.control_flow import BATCH, A, X, programs
from tests.support.cases import rotating

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "control_flow.json").read_text())
OURS = programs(gs.lax, np)


def assert_leaves(tree, want, rtol=1e-12):
    got = optree.tree_leaves(tree)
    assert len(got) == len(want)
    for x, y in zip(got, want):
        assert list(np.shape(x)) == y["shape"]
        np.testing.assert_allclose(np.ravel(x), y["values"], rtol=rtol)


def test_all_programs_are_recorded():
    assert set(RECORDED) - {"jax"} == set(OURS)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("make", [lambda f: f, Primal, gs.jit], ids=["python", "plain", "jitted"])
def test_values(name, make):
    assert_leaves(make(OURS[name])(X), RECORDED[name]["value"])


@pytest.mark.heavy(one_in=25)
@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("make", [lambda f: f, gs.jit], ids=["plain", "jitted"])
def test_gradients(name, make):
    f = make(OURS[name])
    check_grads(f, (X,), order=1)
    if RECORDED[name]["gradient"] is not None:  # JAX has none of a while loop
        value, pullback = gs.vjp(f, X)
        (bar,) = pullback(optree.tree_map(np.cos, value))  # of sum(sin(y)) over all results y
        np.testing.assert_allclose(bar, RECORDED[name]["gradient"], rtol=1e-10)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("name", rotating(OURS))
def test_second_order(name):
    check_grads(OURS[name], (X,), order=2)


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("make", [lambda f: f, gs.jit], ids=["plain", "jitted"])
def test_over_a_batch(name, make):
    assert_leaves(make(gs.vmap(OURS[name]))(BATCH), RECORDED[name]["batch"])


# where they go further than JAX ------------------------------------------------------------------
def test_only_the_branch_that_is_taken_runs():
    def guarded(x):
        return gs.lax.cond(x > 0.0, np.log, lambda x: x, x)

    with np.errstate(all="raise"):
        np.testing.assert_array_equal(gs.vmap(gs.grad(guarded))(np.array([2.0, -1.0])), [0.5, 1.0])


def test_each_example_runs_its_own_number_of_iterations():
    def doubled(x):
        return gs.lax.while_loop(lambda v: v[0] < 10.0, lambda v: (v[0] * 2.0, v[1] + 1), (x, 0))

    values, rounds = gs.jit(gs.vmap(doubled))(np.array([1.0, 5.0, 20.0]))
    assert values.tolist() == [16.0, 10.0, 20.0] and rounds.tolist() == [4, 1, 0]
    np.testing.assert_array_equal(gs.vmap(gs.grad(lambda x: doubled(x)[0]))(np.array([1.0, 5.0, 20.0])),
                                  [16.0, 2.0, 1.0])


@pytest.mark.parametrize("make", [lambda f: f, Primal, gs.jit], ids=["python", "plain", "jitted"])
def test_how_long_a_scan_is_may_be_known_at_run_time(make):
    def powers(x, n):
        return gs.lax.scan(lambda c, _: (c * x, c), 1.0, None, n)

    made = make(powers)
    for n in (3, 0, 5):
        last, all_ = made(2.0, n)
        assert last == 2.0**n and all_.tolist() == [2.0**k for k in range(n)] and all_.dtype == np.float64
    if isinstance(made, Primal):
        assert "for i in range(n)" in made.source(2.0, 3)


def test_a_scan_is_a_loop_over_arrays_in_the_source():
    source = gs.jit(OURS["scan"]).source(X)
    assert source.count("for ") == 1 and "ys = np.zeros(" in source and "ys[i] = " in source


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtypes(dtype):
    for make in (Primal, gs.jit):
        last, ys = make(lambda x: gs.lax.scan(lambda c, a: (c + a, c * 2.0), x[0], x))(X.astype(dtype))
        assert last.dtype == ys.dtype == dtype


def test_results_of_other_shapes():
    """Not in JAX: the loop is unrolled, and NumPy says what is wrong."""
    with pytest.raises(ValueError, match="same shape"):
        gs.lax.scan(lambda c, i: (c, X[:i + 1]), 0.0, np.arange(3))
    with pytest.raises(ValueError, match="same shape"):
        Primal(lambda x: gs.lax.scan(lambda c, i: (c, x[:i + 1]), 0.0, np.arange(3)))(X)


@pytest.mark.parametrize("make", [lambda f: f, Primal], ids=["python", "plain"])
def test_a_carry_that_begins_as_a_number_of_pythons(make):
    """It may become NumPy's: an int a float64, a bool a np.bool."""
    last, ys = make(lambda xs: gs.lax.scan(lambda c, x: ((c[0] + x, c[1] | (x > 1.0)), c[0]), (0, False), xs))(X)
    assert last[0] == pytest.approx(np.sum(X)) and last[1] == np.any(X > 1.0) and ys.dtype == np.float64
    np.testing.assert_allclose(ys, np.cumsum(X) - X, atol=1e-15)


# errors ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [lambda f: f, Primal, gs.jit], ids=["python", "plain", "jitted"])
@pytest.mark.parametrize("call, message", [
    (lambda x: gs.lax.scan(lambda c, a: (c, a), 0.0), "no values to scan over, and no length"),
    (lambda x: gs.lax.scan(lambda c, a: (c, a), 0.0, x[0]), "without an axis"),
    (lambda x: gs.lax.scan(lambda c, a: (c, a[0]), 0.0, (x, A[:2])), "different lengths"),
    (lambda x: gs.lax.scan(lambda c, a: (c, a), 0.0, x, length=7), "different lengths"),
    (lambda x: gs.lax.switch(0, [], x), "at least one branch"),
], ids=["nothing", "a number", "lengths", "length", "no branch"])
def test_what_is_called_wrongly(make, call, message):
    with pytest.raises((ValueError, gs.GradscribeError), match=message):
        make(call)(X)


def test_select_of_two_shapes():
    for make in (lambda f: f, Primal, gs.jit):
        with pytest.raises(TypeError, match="one shape"):
            make(lambda x: gs.lax.select(x > 0.0, x, x[:1]))(X)


def refused(f, *args):
    with pytest.raises(gs.GradscribeError) as caught:
        gs.jit(f)(*args)
    return str(caught.value)


def test_branches_that_do_not_fit_together():
    def f(x):
        y = gs.lax.cond(x[0] > 0.0, lambda: x, lambda: (x, x))
        return y

    message = refused(f, X)
    assert ("the results of the paths of this function do not fit together: it is float64[" in message
            and "on one path and a tuple on another" in message and "test_lax.py" in message
            and "gs.lax.cond(x[0] > 0.0" in message)


def test_a_carry_that_gets_another_axis_each_time():
    def f(x):
        return gs.lax.while_loop(lambda v: np.sum(v) < 10.0, lambda v: np.stack([v, v]), x)

    message = refused(f, X)
    assert "test_lax.py" in message and "gs.lax.while_loop(" in message


def test_what_the_functions_refuse_is_theirs():
    def f(x):
        def body(c, a):
            class Pi:
                pass
            return c, Pi
        return gs.lax.scan(body, 0.0, x)

    message = refused(f, X)
    assert "cannot transform a class inside a function" in message and "class Pi:" in message


def test_a_scan_of_gates():
    """Of a product in parts, which is what recurrent networks are made of, the scan stays a loop, over nothing too."""
    def outputs(xs, W):
        def cell(h, x):
            forget, new = np.split(np.concatenate([x, h]) @ W, 2)
            h = gs.nn.sigmoid(forget) * h + np.tanh(new)
            return h, new
        return gs.lax.scan(cell, np.zeros(2), xs)

    W = np.linspace(-1.0, 1.0, 20).reshape(5, 4)
    source = gs.jit(outputs).source(np.ones((50, 3)), W)
    assert len(source.splitlines()) < 30 and "for " in source
    last, news = outputs(np.zeros((0, 3)), W)
    assert last.tolist() == [0.0, 0.0] and news.shape == (0, 2)


def test_a_scan_over_nothing_whose_carry_has_one_element():
    """Its first round would be done apart, since the carry may have another length after it, and there is none."""
    def outputs(xs, W):
        def cell(h, x):
            forget, new = np.split(x @ W, 2)
            return gs.nn.sigmoid(forget) * h, new
        return gs.lax.scan(cell, np.zeros(1), xs)

    W = np.ones((3, 2))
    for f in (outputs, Primal(outputs), gs.jit(outputs)):
        last, news = f(np.zeros((0, 3)), W)
        assert last.tolist() == [0.0] and news.shape == (0, 1)
        last, news = f(np.ones((2, 3)), W)
        assert last.shape == (1,) and news.shape == (2, 1)
