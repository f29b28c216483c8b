"""Debugging tools on programs as people write them: what they raise has its line, and blocks end in any order."""
import contextvars
import logging
import sys
import threading
import warnings

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.programs.unseen import unseen
from gradscribe.transformer.tools import watches
from gradscribe.transformer.tools.slopes import RIGHT, UNDEFINED


def diverging(x):
    for _ in range(30):
        x = x * 1.5
        if x > 1000:
            raise RuntimeError("diverged")
    return x


def rate(p, temperature):
    return p["A"] * np.exp(-p["E"] / temperature)


def decay(p, temperature, y):
    k = rate(p, temperature)
    for _ in range(5):
        y = y - 0.1 * k * y
    return np.sum(y)


def checked(x, n: int, strict: bool = True):
    if strict and n < 0:
        raise ValueError("n is negative")
    return np.sum(x * n)


@gs.custom_vjp
def square(x):
    return x * x


def square_backward(x, g):
    if np.any(x > 2):
        raise ValueError("too large for a slope")
    return (2 * x * g,)


square.defvjp(lambda x: (square(x), x), square_backward)


def squares(x):
    y = square(x)
    return np.sum(y)


RAISING = [(diverging, (1.0,)), (decay, ({"A": 2.0, "E": 1.0}, 0.0, np.ones(3))), (checked, (np.ones(2), -3)),
           (squares, (np.array([3.0]),))]


def raised_by(call):
    """The class of an exception, its words, and its notes."""
    try:
        call()
    except Exception as error:
        return type(error), str(error), error.__notes__
    raise AssertionError("it raises nothing")


@pytest.mark.parametrize("f, args", RAISING)
def test_verify_raises_what_a_gradient_does(f, args):
    assert raised_by(lambda: gs.verify(f, *args)) == raised_by(lambda: gs.grad(f)(*args))


@pytest.mark.parametrize("made", [gs.grad, lambda f: gs.jit(gs.grad(f))], ids=["plain", "compiled"])
@pytest.mark.parametrize("f, args", RAISING)
def test_profile_raises_what_a_call_does(f, args, made):
    g = made(f)
    assert raised_by(lambda: g.profile(*args)) == raised_by(lambda: g(*args))


# a fault in a round that is not visited ---------------------------------------------------------------
def leaks_in_for(x):
    total = 0.0
    for _ in range(10):
        for _ in range(30):
            x = x - 0.01
            total = total + np.sqrt(x)  # fault
    return total


def leaks_in_while(x):
    k = 0
    while k < 40:
        x = x - 1.0
        x = np.sqrt(x)  # fault
        k += 1
    return np.sum(x)


@pytest.mark.parametrize("f, args", [(leaks_in_for, (2.0,)), (leaks_in_while, (3.0 * np.ones(2),))])
def test_the_round_where_values_go_wrong_is_visited(f, args):
    found = gs.verify(f, *args)
    assert [line.text.endswith("# fault") for line in found.failures] == [True, False]
    assert found.failures[0].verdict == UNDEFINED and found.failures[1] is found.whole


def best_of_rounds(x):
    best, out = np.inf, np.full(50, np.nan)
    for k in range(50):
        x = 0.9 * x
        out[k] = x * x
        best = min(best, x)
    return np.sum(out) + best


def test_infinities_that_are_written_are_no_fault_of_a_loop():
    found = gs.verify(best_of_rounds, 2.0)
    assert found and {line.verdict for line in found.lines} == {RIGHT}


# numbers that have fewer digits ------------------------------------------------------------------------
@pytest.mark.parametrize("f, x", [(lambda x: np.exp(-x), 740.0), (lambda x: np.exp(-x * x / 2), 38.2),
                                  (lambda x: np.sum(x * x), np.full(3, 1e-160)),
                                  (lambda x: np.sum(np.exp(-x)), np.array([95.0, 1.0], np.float32))])
def test_numbers_that_are_almost_zero_are_no_fault(f, x):
    assert gs.verify(f, x)


def test_what_is_zero_is_right():
    assert gs.verify(lambda x: np.sum(np.maximum(x, 0.0)), -np.ones(2)).whole.verdict == RIGHT


@pytest.mark.parametrize("args, kwargs", [((), {"x": 3.0}), ((), {})])
def test_there_is_something_to_verify(args, kwargs):
    with pytest.raises(gs.GradscribeError, match="no float among its positional arguments"):
        gs.verify(lambda x=2.0: x * x, *args, **kwargs)


# blocks --------------------------------------------------------------------------------------------------
def log_of(x):
    return np.log(x)


@pytest.fixture
def is_heard():
    """A function that says whether NaN is looked for."""
    g = gs.test_util.primal(log_of)

    def heard() -> bool:
        with np.errstate(all="ignore"):
            try:
                g(np.float64(-1.0))
            except FloatingPointError:
                return True
            return False
    assert not heard()
    yield heard
    assert not heard() and watches.active == 0


def test_a_block_may_be_entered_again(is_heard):
    block = gs.debug.nans()
    with block:
        with block:
            pass
        assert is_heard()
    with block:
        assert is_heard()


def test_a_block_around_a_function(is_heard):
    watched = gs.debug.nans()(is_heard)
    assert watched() and watched()


def looking():
    with gs.debug.nans():
        yield


def test_blocks_end_in_any_order(is_heard):
    first = looking()
    next(first)
    with gs.debug.checks():
        first.close()
        assert not is_heard() and watches.watched_here().same


def test_a_block_may_end_in_another_context(is_heard):
    first = looking()
    contextvars.copy_context().run(next, first)
    assert not is_heard()
    first.close()


def talking(x):
    print("unseen")
    return x * x


def test_threads_keep_what_they_print(capsys):
    both_run = threading.Barrier(2)
    left = threading.Event()

    def first():
        with unseen():
            both_run.wait(10)
            print("unseen")
        left.set()

    def second():
        with unseen():
            both_run.wait(10)
            left.wait(10)
            print("unseen")
    out, level, filters = sys.stdout, logging.root.manager.disable, list(warnings.filters)
    threads = [threading.Thread(target=run) for run in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    print("seen")
    assert sys.stdout is out and logging.root.manager.disable == level and warnings.filters == filters
    assert capsys.readouterr().out == "seen\n"


def test_others_print_meanwhile(capsys):
    with unseen():
        thread = threading.Thread(target=print, args=("of another thread",))
        thread.start()
        thread.join(10)
        gs.test_util.primal(talking)(2.0)
    assert capsys.readouterr().out == "of another thread\n"
