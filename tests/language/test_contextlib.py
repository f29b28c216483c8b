"""contextlib.closing and contextlib.ExitStack: what is done at their ends, and what becomes of exceptions."""
import contextlib

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree

UP, DOWN, MIXED = np.array([0.5, 2.0, 1.5]), np.array([-0.5, -2.0, -1.5]), np.array([-0.5, 3.0, 0.25])


class Meter:
    def __init__(self):
        self.reading, self.closed = 1.0, 0.0

    def close(self):
        self.closed += 1.0


class Noted:
    """Writes down that it is entered and left, and ends exceptions of one class."""

    def __init__(self, notes, number, ends=()):
        self.notes, self.number, self.ends = notes, number, ends

    def __enter__(self):
        self.notes.append(self.number)
        return 2.0 * self.number

    def __exit__(self, cls, problem, trace):
        self.notes.append(-self.number if problem is None else -10.0 * self.number)
        return cls is not None and issubclass(cls, self.ends)


def weighed(notes):
    return sum([(k + 1) * note for k, note in enumerate(notes)])


def closed_at_the_end(x):
    meter = Meter()
    with contextlib.closing(meter) as same:
        y = np.sum(x**2) * same.reading * (1.0 + meter.closed)
    return y + meter.closed


def closed_when_it_raises(x):
    meter = Meter()
    try:
        with contextlib.closing(meter):
            if x[0] > 0:
                raise ValueError("above")
            y = np.sum(x)
    except ValueError:
        y = np.sum(x**2)
    return y * (1.0 + meter.closed)


def entered_in_a_loop(x):
    notes = []
    with contextlib.ExitStack() as stack:
        total = sum([stack.enter_context(Noted(notes, float(k))) for k in range(3)])
        y = np.sum(x**3) * total
    return y + weighed(notes)


def in_their_order(x):
    notes, meter = [], Meter()
    with contextlib.ExitStack() as stack:
        stack.callback(notes.append, 7.0)
        meter = stack.enter_context(contextlib.closing(meter))

        @stack.push
        def leave(cls, problem, trace):
            notes.append(5.0)

        stack.push(Noted(notes, 3.0))
        y = np.sum(x**2) * meter.reading
    return y + weighed(notes) + meter.closed


def ended_in_between(x):
    notes, y = [], 0.0
    with contextlib.ExitStack() as stack:
        stack.enter_context(Noted(notes, 1.0))
        stack.enter_context(Noted(notes, 2.0, ValueError))
        stack.enter_context(Noted(notes, 3.0))
        if x[0] > 0:
            raise ValueError("above")
        y = np.sum(x**2)
    return y + weighed(notes) * x[1]


def raised_on_the_way_out(x):
    notes = []

    def fails():
        if x[1] > 2.5:
            raise KeyError("on the way out")

    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(Noted(notes, 1.0))
            stack.callback(fails)
            stack.enter_context(Noted(notes, 2.0))
            y = np.sum(x)
    except KeyError:
        y = np.sum(x**2)
    return y * x[0] + weighed(notes)


def passed_on(x):
    notes = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(Noted(notes, 1.0))
        later = stack.pop_all()
    y = np.sum(x**2) * len(notes)
    later.close()
    return y + weighed(notes)


def not_ended(x):
    notes = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(Noted(notes, 1.0, KeyError))
        if x[0] > 0:
            raise ValueError(f"{x[0]} is above")
        return np.sum(x**2)


PROGRAMS = [closed_at_the_end, closed_when_it_raises, entered_in_a_loop, in_their_order, ended_in_between,
            raised_on_the_way_out, passed_on, not_ended]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_blocks_of_contextlib(f):
    for x in (UP, DOWN, MIXED):
        agree(f, x)
    agree(f, DOWN, gradient=0)
    if f is not not_ended:
        agree(f, UP, gradient=0)


@contextlib.contextmanager
def doubled(x):
    yield 2.0 * x


@pytest.mark.parametrize("make", [lambda: doubled(2.0), lambda: contextlib.nullcontext(2.0),
                                  lambda: contextlib.suppress(ValueError)])
def test_what_a_stack_does_not_enter(make):
    def f(x):
        with contextlib.ExitStack() as stack:
            y = stack.enter_context(make())
            return x * y

    with pytest.raises(gs.UnsupportedError, match="that an ExitStack enters.*\n.*\n.*\nWrite a with block inside"):
        gs.grad(f)(2.0)


def test_a_block_inside_of_a_stack():
    def f(x):
        notes = []
        with contextlib.ExitStack() as stack:
            stack.enter_context(Noted(notes, 1.0))
            with doubled(x) as y, contextlib.nullcontext(x) as z:
                return np.sum(y * z)

    agree(f, UP, gradient=0)
