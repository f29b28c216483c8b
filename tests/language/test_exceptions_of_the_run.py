"""try blocks in which the run decides what is raised: value, derivatives, compiled, and example by example."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from tests.corpus.context_programs import Notes  # enters its programs, and those that it stands on
from tests.corpus.raised_programs import FIRST, PROGRAMS, SECOND, THIRD, OutOfRange, root
from tests.corpus.retried_programs import until_it_succeeds  # enters its programs

WAYS = (FIRST, SECOND, THIRD)


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_value_and_derivatives(fun):
    compiled, slope = gs.jit(gs.value_and_grad(fun)), gs.grad(fun)
    for x in WAYS:
        given, want = x.copy(), fun(x.copy())
        got, compiled_slope = compiled(given)
        for value in (got, gs.test_util.primal(fun)(given)):
            np.testing.assert_allclose(value, want, rtol=1e-12)
            assert np.asarray(value).dtype == np.asarray(want).dtype
        check_grads(fun, (x,), order=2, modes=("rev",))
        np.testing.assert_allclose(compiled_slope, slope(given), rtol=1e-10, atol=1e-12)
        assert np.array_equal(x, given)


def test_a_loop_that_is_left_where_nothing_is_raised_breaks_there():
    """The break is behind what raises, and what a round has changed before it raises goes into the next one."""
    text = gs.jit(until_it_succeeds).source(FIRST, stage="readable")
    assert text.count("break") == 1 and "damping *= 2.0" in text and "_gs" not in text


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_examples_go_different_ways(fun):
    rows = np.stack(WAYS)
    np.testing.assert_allclose(gs.vmap(fun)(rows), [fun(x.copy()) for x in WAYS], rtol=1e-12)
    np.testing.assert_allclose(gs.vmap(gs.grad(fun))(rows), [gs.grad(fun)(x) for x in WAYS], rtol=1e-10, atol=1e-12)


def not_for_this(x):
    try:
        if x[0] > 0.5:
            raise OutOfRange("much")
        return root(x[2])
    except KeyError:
        return 0.0


def reworded(x):
    try:
        return root(x[2])
    except ValueError as problem:
        raise OutOfRange(f"of {problem.args[1]}") from problem


def raises_in_finally(x):
    try:
        if x[0] > 0.5:
            raise ValueError("first")
    finally:
        if x[2] < 0:
            raise KeyError("second")
    return x[1]


def certain_with_a_finally(x):
    try:
        if x[0] > 0.25:
            raise KeyError("first")
        raise ValueError("first")
    finally:
        if x[2] < 0:
            raise OutOfRange(f"{x[0]} then")


class RaisesThen:
    def __enter__(self):
        return self

    def __exit__(self, cls, problem, _):
        if cls is not None and len(problem.args) > 1:
            raise KeyError("instead")


def replaced_by_a_context(x):
    with RaisesThen():
        return root(x[2])


class Closed(RaisesThen):
    def __enter__(self):
        raise RuntimeError("closed")

    def __exit__(self, *_):
        return True


def not_entered(x):
    with Closed():
        return x[0]


@pytest.mark.parametrize(("fun", "x", "cls", "says"), [
    (not_for_this, SECOND, OutOfRange, "much"), (not_for_this, -FIRST, ValueError, "a negative number"),
    (reworded, SECOND, OutOfRange, "of -2.5"),
    (raises_in_finally, SECOND, KeyError, "second"), (raises_in_finally, -THIRD, KeyError, "second"),
    (raises_in_finally, np.ones(4), ValueError, "first"), (certain_with_a_finally, SECOND, OutOfRange, "0.9 then"),
    (certain_with_a_finally, THIRD, ValueError, "first"), (certain_with_a_finally, FIRST, KeyError, "first"),
    (replaced_by_a_context, SECOND, KeyError, "instead"), (not_entered, FIRST, RuntimeError, "closed")])
def test_what_no_handler_takes_is_raised(fun, x, cls, says):
    for way in (fun, gs.test_util.primal(fun), gs.jit(fun), gs.grad(fun), gs.jit(gs.grad(fun))):
        with pytest.raises(cls, match=says):
            way(x)
    if fun in (not_for_this, reworded):
        gs.jit(fun)(FIRST)


def through_a_derivative(x):
    try:
        return np.sum(gs.grad(lambda y: root(y[2]))(x))
    except ValueError:
        return x[0]


def of_a_library_in_a_context(x):
    with Notes(ValueError):
        return np.linalg.eigh(np.outer(x, x))[0][0]
    return x[0]


def asked_in_a_finally(x):
    try:
        y = np.linalg.eigh(np.outer(x, x))[0][0]
    finally:
        if x[0] > 0.5:
            raise ValueError("first")
    return y


@pytest.mark.parametrize("fun", [through_a_derivative, of_a_library_in_a_context, asked_in_a_finally])
def test_what_stays_refused(fun):
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.jit(fun)(FIRST)
    assert "Test for the bad case" in str(caught.value) or "Let what is known" in str(caught.value)
