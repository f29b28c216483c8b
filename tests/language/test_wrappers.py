"""Functions behind wrappers: marked ones, and those that choose by a class."""
import functools

import numpy as np
import pytest

import gradscribe as gs

CALLS = []


def counted(f):
    @functools.wraps(f)
    def call(*args):
        CALLS.append(f.__name__)
        return f(*args)
    return gs.opaque(call)


@counted
def cube(x):
    return x**3


def test_a_marked_wrapper_is_not_read():
    CALLS.clear()
    assert cube(2.0) == 8.0 and CALLS == ["cube"]
    assert gs.grad(cube)(2.0) == 12.0 and gs.jit(gs.grad(lambda x: cube(x) * x))(2.0) == 32.0
    assert CALLS == ["cube"]


def test_a_mark_needs_a_wrapped_function():
    with pytest.raises(gs.SpecialisationError, match="no __wrapped__") as caught:
        gs.opaque(lambda x: x)
    assert "functools.wraps" in caught.value.instead


def test_what_is_registered_later_is_chosen():
    @functools.singledispatch
    def weight(x):
        return 2.0 * x

    def f(x):
        return np.sum(weight(x))

    slope = gs.jit(gs.grad(f))
    assert np.array_equal(slope(np.ones(2)), [2.0, 2.0])
    weight.register(np.ndarray, lambda x: 5.0 * x)
    assert np.array_equal(slope(np.ones(2)), [5.0, 5.0])
    weight.register(np.ndarray, lambda x: 7.0 * x)
    assert np.array_equal(slope(np.ones(2)), [7.0, 7.0])
