"""`global` and `nonlocal` of what is outside: assigned as under Python, also where the function raises;
a derivative leaves it."""
import sys

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal

count, total, last, best, mode = 0, 0.0, None, None, "a"
history = np.zeros(4)
HERE = sys.modules[__name__]
NAMES = ("count", "total", "last", "best", "mode", "fresh")


def counts(x):
    global count, total
    count += 1
    total = total + x
    return total * count


def bumped(x):
    global count
    for k in range(3):
        if x > k:
            count += k
    return count


def by_helpers(x):
    bumped(x)
    return bumped(x + 1.0) * x + HERE.count + getattr(HERE, "count")


def of_none(x):
    global last, best
    last = np.array([x, 2.0 * x]), count
    if best is None or x < best:
        best = x
    return np.sum(last[0]) + best


def beside_stores(x):
    global count
    history[count % 4] = x
    count += 1
    if x > 2.0:
        raise ValueError(f"too large, in call {count}")
    return history


def in_a_while(x):
    global total
    while total < x:
        total += 0.5
    return total


def of_strings(x):
    global mode
    mode = "b" if mode == "a" else "a"
    return x if mode == "a" else 2.0 * x


def a_new_array(x):
    global history
    history = history + x
    history[0] = 7.0
    return np.sum(history)


def in_place(x):
    global history
    history += x
    return history[1]


def of_no_value_before(x):
    global fresh
    fresh = 2.0 * x
    return fresh


def read_before_it_is_there(x):
    global fresh
    x = x * fresh
    fresh = 2.0
    return x


def left_early(x):
    global count
    for k in range(3):
        if x > k:
            count = count + 2
            if count > 7:
                return count
    else:
        total = count
    return total


def _counter():
    n = 0

    def of_a_closure(x):
        nonlocal n
        n += 1
        return n * x

    return of_a_closure


of_a_closure = _counter()
FUNCTIONS = (counts, by_helpers, of_none, beside_stores, in_a_while, of_strings, a_new_array, in_place,
             of_no_value_before, read_before_it_is_there, left_early, of_a_closure)


def reset():
    global count, total, last, best, mode, history
    count, total, last, best, mode, history = 0, 0.0, None, None, "a", np.zeros(4)
    globals().pop("fresh", None)
    of_a_closure.__closure__[0].cell_contents = 0


def state():
    return [globals().get(name) for name in NAMES] + [history.copy(), of_a_closure.__closure__[0].cell_contents]


def course(f):
    """What four calls give, and what is outside after each."""
    reset()
    given = []
    for x in (1.5, 0.5, 2.5, 1.5):
        try:
            given.append(np.array(f(x)))
        except Exception as error:
            given.append((type(error), str(error)))
        given.append(state())
    reset()
    return given


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("way", [Primal, gs.jit, lambda f: gs.jit(f, wait=False)], ids=["plain", "compiled", "later"])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_as_python(f, way):
    assert repr(course(way(f))) == repr(course(f))


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f is not read_before_it_is_there])
def test_a_derivative_and_vmap_leave_it(f):
    def loss(x):
        return np.sum(f(x)) * x

    reset()
    above, _, below, _ = loss(1.4 + 1e-6), reset(), loss(1.4 - 1e-6), reset()
    before = repr(state())
    for got in (gs.grad(loss)(1.4), gs.jit(gs.grad(loss))(1.4), gs.jvp(loss, (1.4,), (1.0,))[1],
                gs.grad(lambda x: np.sum(gs.vmap(loss)(x)))(np.array([1.4, 1.4]))[1]):
        np.testing.assert_allclose(got, (above - below) / 2e-6, rtol=1e-6)
    assert repr(state()) == before


def a_list(x):
    global last
    last = [x]
    return x


def a_second_name(x):
    global last
    last = np.array([x])
    return last


def on_some_paths(x):
    global fresh
    if x > 0.0:
        fresh = x
    return x


def under_a_checkpoint(x):
    return gs.checkpoint(bumped)(x)


@pytest.mark.parametrize("f, says", [(a_list, "is assigned a list"), (a_second_name, "an array that others see, too"),
                                     (on_some_paths, "no value on some path"),
                                     (under_a_checkpoint, "changes a variable, array or list from outside")])
def test_what_is_refused(f, says):
    reset()
    with pytest.raises(gs.GradscribeError, match=says):
        gs.jit(f)(1.0)
    assert repr(state()) == repr([0, 0.0, None, None, "a", None, np.zeros(4), 0])


def test_devices_do_not_assign_it():
    with pytest.raises(gs.UnsupportedError, match="count is assigned, which all devices have"):
        gs.pmap(bumped)(np.ones(1))
