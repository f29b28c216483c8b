"""Containers, iterators, enums and flags as people use them: each program gives what Python gives,
plain and compiled."""
import pytest

import gradscribe as gs
from tests.corpus.containers.table import PROGRAMS
from tests.support.agreement import agree


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("fun, args, refused", PROGRAMS)
def test_containers(fun, args, refused):
    agree(fun, *args, refused=refused)


# a loop over zip or enumerate of lists that is left where the run time says
def lookup_in_segments(t, times, values):
    for length, value in zip(times, values):
        if t <= length:
            return t * value
        t = t - length
    return t


def place_of(t, times, values):
    for k, (a, b) in enumerate(zip(times[::-1], values), start=1):
        if t <= a:
            break
        values[k % len(values)] = b * 2.0
        t = t - b
    else:
        k = -1
    return t * k


def goes_on_after_a_break(t, times, values):
    pairs = zip(times, values)
    for a, _ in pairs:
        if t <= a:
            break
        t = t - a
    return t * len(list(pairs))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("f", [lookup_in_segments, lambda t, a, b: place_of(t, a, list(b))])
def test_a_loop_over_a_zip_that_is_left_early(f, compiled):
    g = gs.jit(gs.value_and_grad(f)) if compiled else gs.value_and_grad(f)
    for t in 0.2, 1.2, 3.7, 100.0:
        for lengths, values in ([1.0, 0.5, 3.0], [1.5, 2.0, 3.0]), ((2.0, 0.5), [1.5, 2.0, 3.0]):
            value, slope = g(t, lengths, values)
            assert value == f(t, lengths, values)
            assert abs(slope - (f(t + 1e-6, lengths, values) - f(t - 1e-6, lengths, values)) / 2e-6) < 1e-6


def test_a_zip_of_lists_that_is_read_after_the_break_is_refused():
    with pytest.raises(gs.GradscribeError, match="must be known before"):
        gs.jit(goes_on_after_a_break)(1.2, [1.0, 0.5, 3.0], [1.0, 2.0, 3.0])
