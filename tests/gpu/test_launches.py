"""When a program for a GPU stores into its arguments themselves: where nothing can stop once a kernel has begun."""

import numpy as np
import pytest

import gradscribe as gs

X = np.ones(5)


def whole(w, g):
    w -= 0.1 * g


def inner(w, g):
    w[1:-1] = 0.5 * (w[2:] + w[:-2])


def in_a_loop(w, n):
    for i in range(n):
        w[:] = w * 0.5


def checks_first(w, n):
    if n > 5:
        raise ValueError("too many")
    w *= n


def a_kernel_checks(w, i):
    w[i] = 1.0


def checks_in_a_loop(w, n):
    for i in range(n):
        if i > 3:
            raise ValueError("too many")
        w *= 0.5


def a_library_after_a_kernel(w, a):
    w *= 2.0
    w[:] = np.linalg.solve(a, w)


def source(f, *args) -> str:
    return gs.jit(f, target="cuda").source(*args, stage="compiled")


@pytest.mark.parametrize("f, other", [(whole, X), (inner, X), (in_a_loop, 3), (checks_first, 3)])
def test_in_the_argument_itself(f, other):
    text = source(f, X, other)
    assert "rm.copy" not in text and "return (w,)" in text


@pytest.mark.parametrize("f, other", [(a_kernel_checks, np.array([0, 1])), (checks_in_a_loop, 3),
                                      (a_library_after_a_kernel, np.eye(5))])
def test_in_a_copy(f, other):
    assert "return (w,)" not in source(f, X, other)


def rounds(x):
    n = 0.0
    while x < 1e3 and n < 50.0:
        x = x * x + 1.0
        n += 1.0
    return np.log(x) * n


def test_each_thread_has_a_tape_of_its_own():
    """The gradient of a loop whose rounds depend on the example: one kernel, not a loop of the host."""
    text = source(gs.vmap(gs.grad(rounds)), X)
    assert "tape" in text and "_all = rm.buffer((room, width)" in text
    host = text[text.rindex("def rounds"):]
    assert "while " not in host and "for " not in host


def rebound(x, n):
    for i in range(n):
        x = np.sin(x) * 0.5
    return x


def traded(x, n):
    y = x * 2.0
    for i in range(n):
        x, y = y, 0.5 * (x + y[::-1])
    return x


@pytest.mark.parametrize("f", [rebound, traded])
def test_what_a_step_makes_is_apart_from_what_it_reads(f):
    """A name is bound again in each round, to memory that is made there: many threads fill it."""
    host = source(f, X, 3).split(f"def {f.__name__}(")[1]
    assert host.count("gpu.launch(") > 0 and ", 1, (" not in host
