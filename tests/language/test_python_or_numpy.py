"""A result that is Python's number on one path and NumPy's on another, or None,
is on each path what the function gives."""
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import Together

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


def minus_one(x, a, n):
    """An int on one path, a float on another."""
    for k in range(len(a)):
        if a[k] > n:
            return float(k)
    return -1


def at_least(x, a, n):
    y = x - n
    return max(1, y), min(1, y), max(0, min(1, y)), sum([max(0, y), 1]), (y or 2), abs(max(-3, y))


def computed_of_ints(x, a, n):
    y, z = (n if x * n > 1.0 else 0.5), (2 if x > 1.0 else 1.5)
    y += 1
    return [y, {"z": z}], y + z, y * 2, y / 2, -y, y // z, y % 2, y ** 2, y ** -1, y > z, float(y), divmod(y, z)


def counted_with_halves(x, a, n):
    count = 0
    for k in range(len(a)):
        count = count + 1 if a[k] > 0.0 else count + 0.5
    return count, 2 * count + n


def halved(x, a, n):
    steps = 64
    while steps > 7.5 and x > 0.0:
        steps = steps / 2
    return steps


def of_three(x, a, n):
    return n if x * n > 5.0 else 0.5 if n < 1 else a[0]


def complex_or_int(x, a, n):
    y = 2j if x > 2.0 else 3
    return y, y + 1, y / 2, abs(y)


@functools.singledispatch
def by_class(v):
    return v * 0.5


@by_class.register
def _(v: int):
    return v + 1


def of_its_class(x, a, n):
    y = x if x > 2.0 else n
    return by_class(y), by_class(x if x > 2.0 else n)


def kept_calls(x, a, n):
    part = lambda v: 0 if v < 0.0 else v * v  # noqa: E731
    return gs.checkpoint(part)(x), gs.value_and_grad(part)(x), gs.jvp(part, (x,), (1.0,))[0]


PROGRAMS = [of_a_branch, a_constant, an_int_constant, computed_of_it, a_sum, a_product_with_a_start, the_one_before,
            until, kept_through_a_loop, left_early, largest, a_count, in_containers, perhaps, perhaps_in_a_tuple,
            minus_one, at_least, computed_of_ints, counted_with_halves, halved, of_three, complex_or_int,
            of_its_class, kept_calls]
# numbers
WITHOUT = [a_constant, a_sum, a_product_with_a_start, the_one_before, until, left_early, a_count, perhaps,
           perhaps_in_a_tuple, minus_one, counted_with_halves]


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


@pytest.mark.heavy(one_in=5)
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


@pytest.mark.parametrize("way", WAYS)
def test_a_root_that_is_complex_on_one_path_is_refused(way):
    """Of NumPy's negative numbers it is NaN, of Python's complex."""
    def f(x):
        y = -1.0 if x <= 0.0 else np.sqrt(x)
        return y ** 0.5

    g = WAYS[way](f)
    assert g(4.0) == f(4.0)
    with pytest.raises(gs.GradscribeError, match="a negative number to a fractional power is a complex number"):
        g(-1.0)


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


def hinged(x):
    return 0 if x < 1.0 else (x - 1.0) ** 2


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_derivatives_where_it_is_an_int_on_one_path(way):
    for x in (0.5, 3.0):
        value, slope = way(gs.value_and_grad(hinged))(x)
        assert (repr(value), repr(slope)) == (repr(hinged(x)), "0.0" if x < 1.0 else "4.0")
        assert repr(way(gs.hessian(hinged))(x)) == ("0.0" if x < 1.0 else "2.0")
    both = way(gs.vmap(hinged))(np.array([0.5, 3.0]))  # an array has one dtype
    assert both.dtype == np.float64 and np.array_equal(both, [0.0, 4.0])


@pytest.mark.parametrize("way", WAYS)
def test_an_int_that_a_float_would_round_is_refused(way):
    def squared(x, n):
        y = n if x > 0.0 else 0.5
        return y * y

    g = WAYS[way](squared)
    assert repr(g(1.0, 94906265)) == repr(94906265 ** 2) and repr(g(-1.0, 94906267)) == "0.25"
    with pytest.raises(gs.GradscribeError, match="53 bits") as raised:
        g(1.0, 94906267)
    assert "return y * y" in str(raised.value) + "".join(getattr(raised.value, "__notes__", []))


@pytest.mark.parametrize("f", [
    lambda x, n: np.array([n if x > 0.0 else 0.5]), lambda x, n: np.full(2, n if x > 0.0 else 0.5),
    lambda x, n: np.abs(n if x > 0.0 else 0.5), lambda x, n: np.arange(3) * (n if x > 0.0 else 0.5),
    lambda x, n: np.arange(3.0)[n if x > 0.0 else 0.5], lambda x, n: 2 ** (n if x > 0.0 else 0.5),
    lambda x, n: (n if x > 0.0 else 2j) ** 0.5,
    lambda x, n: np.arange(n if x > 0.0 else 0.5), lambda x, n: np.zeros(2, np.result_type(n if x > 0.0 else 0.5)),
    lambda x, n: [1, 2, 3][n if x > 0.0 else 0.5], lambda x, n: isinstance(n if x > 0.0 else 0.5, int),
    lambda x, n: round(n if x > 0.0 else 0.5),
])
def test_where_the_class_makes_a_difference_it_is_asked(f):
    same = Together(f)
    for x in (1.0, -1.0):
        same(x, 2)


def test_the_class_of_an_item_of_a_list_that_grows_on_one_path():
    def kept(f, x, n):
        items = [1.0]
        if f > 9.0:
            items[0] = x[0]
        if n > 9:
            items.append(x[1])
        return sum(items)

    def divided(f, x, n):
        items = [1.0]
        if f > 9.0:
            items[0] = x[0]
        if n > 9:
            items.append(x[1])
        return items[0] / (f - 2.5)

    same = Together(kept)
    for f, n in ((2.5, 3), (12.5, 3), (12.5, 13), (2.5, 13)):
        same(f, np.ones(2), n)
    for made in (gs.test_util.primal(divided), gs.jit(divided)):
        assert made(12.5, np.ones(2), 3) == 0.1
        with pytest.raises(gs.GradscribeError, match="only Python's raises"):
            made(2.5, np.ones(2), 3)


def test_the_class_that_a_value_names():
    def classes(x, f, n):
        return (f.__class__ is float, f.__class__.__name__, x.__class__ is np.ndarray,
                issubclass(x.__class__, np.ndarray), isinstance(x, x.__class__), n.__class__ in (int, float),
                x[0].__class__ == float, x[0].__class__(n), "a".__class__ is str, None.__class__ is type(None),
                True.__class__ is bool, [f].__class__ is list, (f,).__class__, getattr(f, "__class__") is float)

    same = Together(classes)
    same(np.ones(2), 2.5, 3)


def test_a_derivative_has_one_dtype():
    def f(x, n):
        return np.asarray(gs.value_and_grad(lambda x: n if x > 0.0 else x)(x)[0])

    made = gs.jit(f)
    assert repr(made(-1.0, 2)) == repr(f(-1.0, 2))
    with pytest.raises(gs.GradscribeError, match="not of float64 here, as it is on another path"):
        made(1.0, 2)


def test_the_source_is_that_of_the_user():
    text = gs.jit(of_a_branch).source(3.0, X, 2)
    assert "return np.float64(2.0 * x)\n" in text and "return a[0]\n" in text
    assert "else None" in gs.jit(perhaps).source(3.0, X, 2)


def test_no_flag_in_a_loop_whose_iterations_decide():
    core = gs.jit(a_sum).source(3.0, X, 2, stage="core")
    assert ("python" in core
            and "python" not in "".join(line for line in core.splitlines() if line.startswith("        ")))


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
