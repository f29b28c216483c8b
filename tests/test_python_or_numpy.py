"""A result that is Python's number on one path and NumPy's on another, or None, is on each path what the function gives."""
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gradscribe as gs

X = np.array([1.0, -2.0, 4.0])
NOTHING = np.zeros(0)
WAYS = {"plain": gs.test_util.primal, "compiled": gs.jit}


def of_a_branch(x, a, n):
    if n > 1:
        return 2.0 * x
    return a[0]


def a_constant(x, a, n):
    if n > 1:
        return 1e10
    return np.sum(a)


def an_int_constant(x, a, n):
    best = 0
    if n > 1:
        best = np.max(a)
    return best


def computed_of_it(x, a, n):
    y = x if n > 1 else a[0]
    return -(y * 2 + 1.0) / 4, y > 0, y + a[1], x // y


def a_sum(x, a, n):
    s = 0.0
    for v in a:
        s += v
    return s


def a_product_with_a_start(x, a, n):
    s = x
    for v in a:
        if v > 3.0:
            continue
        s = s * v
    return s


def the_one_before(x, a, n):
    """What is Python's in the first round is NumPy's in the next."""
    s, before = x, x
    for v in a:
        before = s
        s = s + v
    return before, s


def until(x, a, n):
    s, k = 0.0, 0
    while k < len(a) and s < 1.5:
        s = s + abs(a[k])
        k += 1
    return s


def kept_through_a_loop(x, a, n):
    y = x if n > 1 else a[0]
    for _ in range(n):
        y = y * 0.5
    return y


def left_early(x, a, n):
    for v in a:
        if v > n:
            return v
    return -1.0


def largest(x, a, n):
    return max(x, a[0]), min(a[0], 0.0), min(max(a[1], 0.0), 1.0), a[0] and 1.5


def a_count(x, a, n):
    count = 0
    for v in a:
        if v > 0:
            count = np.sum(a > 0)
    return count


@dataclass
class Fit:
    value: float
    extra: Any


def in_containers(x, a, n):
    return Fit(x if n > 1 else a[0], {"low": [0.0 if n < 2 else a[1]]})


def perhaps(x, a, n):
    if n > 1:
        return None
    return a * x


def perhaps_in_a_tuple(x, a, n):
    at, low = None, 0.0
    for k in range(len(a)):
        if a[k] < low:
            at, low = k, a[k]
    return at, [low, None if n > 1 else x]


PROGRAMS = [of_a_branch, a_constant, an_int_constant, computed_of_it, a_sum, a_product_with_a_start, the_one_before, until, kept_through_a_loop, left_early,
            largest, a_count, in_containers, perhaps, perhaps_in_a_tuple]
WITHOUT = [a_constant, a_sum, a_product_with_a_start, the_one_before, until, left_early, a_count, perhaps, perhaps_in_a_tuple]  # numbers


def classes(x):
    """The classes of what is in a result."""
    if isinstance(x, (tuple, list)):
        return type(x), [classes(i) for i in x]
    if isinstance(x, dict):
        return dict, {k: classes(i) for k, i in x.items()}
    return (Fit, classes(vars(x))) if isinstance(x, Fit) else type(x)


def check(f, g, *args):
    want, got = f(*args), g(*args)
    assert classes(got) == classes(want), (got, want)
    assert repr(got) == repr(want)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_is_what_python_gives(f, way):
    g = WAYS[way](f)
    for args in [(3.0, X, 2), (3.0, X, 1), (0.5, -X, 0), (-3.0, X, 2), (3.0, X, 3), (3.0, X[:1], 1)]:
        if len(args[1]) > 1 or f in WITHOUT:
            check(f, g, *args)
    if f in WITHOUT:
        check(f, g, 3.0, NOTHING, 1)
        check(f, g, 3.0, X, 1)


@pytest.mark.parametrize("compiled", [False, True])
def test_beside_a_gradient(compiled):
    for f in of_a_branch, a_constant, a_sum, a_product_with_a_start, until:
        g = gs.value_and_grad(f, argnums=(0, 1))
        g = gs.jit(g) if compiled else g
        for args in (3.0, X, 2), (3.0, X, 1), (3.0, NOTHING, 2):
            if len(args[1]) or f in (a_sum, a_product_with_a_start, until):
                value, bars = g(*args)
                assert type(value) is type(f(*args)) and value == f(*args)
                assert type(bars[0]) is float and bars[1].shape == args[1].shape


def test_the_source_is_that_of_the_user():
    text = gs.jit(of_a_branch).source(3.0, X, 2)
    assert "return np.float64(2.0 * x)\n" in text and "return a[0]\n" in text
    assert "else None" in gs.jit(perhaps).source(3.0, X, 2)


def test_no_flag_in_a_loop_whose_iterations_decide():
    core = gs.jit(a_sum).source(3.0, X, 2, stage="core")
    assert "python" in core and "python" not in "".join(line for line in core.splitlines() if line.startswith("        "))


# ---- None where a loop is left
def marched(o, steps):
    t = 0.0
    for _ in range(steps):
        d = o - t
        if d < 1e-3:
            return t
        t += 0.5 * d
        if t > 5.0:
            return None
    return t


def first_above(a, least):
    for k in range(len(a)):
        if a[k] > least:
            return k, a * a[k]


def twice_the_first(a, least):
    found = first_above(a, least)
    return None if found is None else (found[0], 2.0 * found[1][0])


@pytest.mark.parametrize("way", WAYS)
def test_a_loop_that_is_left_with_none(way):
    for args in (3.0, 30), (3.0, 1), (80.0, 30):
        check(marched, WAYS[way](marched), *args)
    for f in first_above, twice_the_first:
        for args in (X, 0.0), (X, 2.0), (X, 9.0), (NOTHING, 1.0):
            check(f, WAYS[way](f), *args)


def test_none_has_no_derivative():
    for transform in gs.grad, lambda f: gs.jit(gs.grad(f)):
        assert transform(marched)(3.0, 30) == pytest.approx(1.0, abs=1e-3)
        with pytest.raises(gs.GradscribeError, match="None"):
            transform(marched)(80.0, 30)
