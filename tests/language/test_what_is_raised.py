"""Exceptions carry what Python's carry: the arguments of a KeyError, a class that `except` can name,
Python's own words for what it shows."""
import copy
import enum
import itertools
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.specialise.evaluator.objects import iteration
from tests.support.agreement import agree, outcome


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Missing(Exception):
    pass


TABLE = {"a": 1.0, 2: 2.0}


def none(x):
    return {"a": x}[None]


def pair(x):
    return {"a": x}[(1, "b")]


def nothing(x):
    return {"a": x}[()]


def member(x):
    return {Color.RED: x}[Color.BLUE]


def a_class(x):
    return {"a": x}[float]


def a_range(x):
    return {"a": x}[range(3)]


def outside(x):
    return TABLE[None] * x


def popped(x):
    return {"a": x}.pop(None)


def deleted(x):
    d = {"a": x}
    del d[Color.RED]
    return d


def raised(x):
    if x > 0.0:
        raise KeyError(None)
    return x


def raised_with_a_member(x):
    if x > 0.0:
        raise Missing(Color.RED, float, (None, x))
    return x


def number(x):
    return {}.pop(x)


def of_no_list(x):
    return [].index((1, 2.5))


def added_to_keys(x):
    return x + {"a": x}.keys()


def keys_behind_a_list(x):
    return [x] + {"a": x}.keys()


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("fun", [none, pair, nothing, member, a_class, a_range, outside, popped, deleted, raised,
                                 raised_with_a_member, number, of_no_list, added_to_keys, keys_behind_a_list],
                         ids=lambda f: f.__name__)
def test_arguments(fun):
    agree(fun, 1.5)
    want = outcome(fun, (1.5,)).error
    for way in (gs.test_util.primal, gs.jit):
        got = outcome(way(fun), (1.5,)).error
        assert got.args == want.args and list(map(type, got.args)) == list(map(type, want.args))


def text_before_a_number(x):
    return "ab" < x


def with_a_dtype_that_it_cannot_hold(x):
    y = np.array([1, 2])
    y **= x
    return y


def with_another_shape_as_well(x):
    y = np.array([1, 2])
    y %= np.array([x, x, x])
    return y


def bits_of_floats(x):
    return np.array([x, x]) ^ np.array([1, 2, 3])


@pytest.mark.parametrize("fun", [text_before_a_number, with_a_dtype_that_it_cannot_hold, with_another_shape_as_well,
                                 bits_of_floats], ids=lambda f: f.__name__)
def test_what_numpy_has_a_class_of_its_own_for_is_the_typeerror_that_is_caught(fun):
    agree(fun, np.float64(1.5), message=False)
    with pytest.raises(TypeError):
        gs.jit(fun)(np.float64(1.5))


def formatted(x):
    return "%s and %r" % (Color.RED.name, [1, (2.0, None)])


class Shown:
    def __init__(self, v):
        self.v = v

    def __str__(self):
        return f"shown {self.v}"


def formatted_object(x):
    return "%s" % Shown(3), "%5s|" % Shown("a")


def formatted_list_of_objects(x):
    return str([Color.RED.value, {"a": "b"}]), "%s" % ([1, 2],)


@pytest.mark.parametrize("fun", [formatted, formatted_object, formatted_list_of_objects], ids=lambda f: f.__name__)
def test_texts(fun):
    agree(fun, 1.5)


def a_store_that_nobody_reads(x, n):
    made = np.array([7], dtype=np.uint64)
    made[0] = n
    return x


def a_conversion_that_nobody_reads(x, n):
    np.int64(x)
    return n


def an_int_that_does_not_fit_on_one_path(x, n):
    if n < 0:
        c = -3
        c &= np.arange(2, dtype=np.uint8)
    return x


def filled_with_an_array(x, n):
    return np.full((n,), np.arange(3.0)[:, None]) if n < 0 else np.full((n,), np.array([[x]]))


def filled_with_too_many(x, n):
    return np.full((), np.arange(3.0) + x)


@pytest.mark.parametrize("fun", [a_store_that_nobody_reads, a_conversion_that_nobody_reads,
                                 an_int_that_does_not_fit_on_one_path, filled_with_an_array, filled_with_too_many])
@pytest.mark.parametrize("n", [2, -2])
def test_whoever_reads_the_result(fun, n):
    for x in (1.5, 1e30):
        agree(fun, x, n, compiled_refuses="cannot convert this float"
                                          if (fun, x) == (a_conversion_that_nobody_reads, 1e30) else "")


class Pair(NamedTuple):
    a: int
    b: float

    def __iter__(self):
        return iter((self.b, 2 * self.b))


def indexed_by_either(x, c):
    k = 1
    if c > 0:
        k = 0.5
    return x[k]


def divided_by_either(x, c):
    return x / (np.float32(0.5) * c and 2.0)


def rounded_either(x, c):
    return round(max(np.float64(c), 2), 1)


def copied_by_its_items(x, c):
    return list(copy.deepcopy(Pair(1, c)))


def unpacked_without_end(x, c):
    first, *rest = range(2**64)
    return first


def counted_without_end(x, c):
    return sum(itertools.count(2, 3))


def repeated_without_end(x, c):
    return list(itertools.cycle(x)), [*itertools.repeat(c)]


def sliced_by_a_float(x, c):
    return np.arange(4.0)[1:c], np.arange(4.0)[np.float32(c):]


def a_method_of_either(x, c):
    n = 5
    if c > 0:
        n = c
    return n.bit_length()


def a_truth_of_numpy_s(x, c):
    if np.sum([]) <= c:
        z = np.trunc(True)
    else:
        t = 1.0
    return z


def inside_itself(x, c):
    x[1:] = [(x,)]
    return c


def added_to_either(x, c):
    return (np.uint8(4) if c > 0 else 2) + -2


def an_element_of_either(x, c):
    y = np.zeros(2)
    y[1] = np.sqrt(c) if c > 1.0 else 0.5
    return y[1] > 0.7


WITHOUT_END = "more than 100000 items"


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("fun, refused", [
    (added_to_either, ""), (an_element_of_either, ""), (indexed_by_either, ""),
    (divided_by_either, ""), (rounded_either, ""), (copied_by_its_items, "whose class has a __iter__"),
    (unpacked_without_end, WITHOUT_END), (counted_without_end, WITHOUT_END),
    (repeated_without_end, WITHOUT_END), (inside_itself, "a list that holds itself"),
    (sliced_by_a_float, ""), (a_method_of_either, ""), (a_truth_of_numpy_s, "")])
@pytest.mark.parametrize("c", [0.0, 1.5])
def test_what_the_path_decides_is_right_or_refused(fun, refused, c):
    """An exception, or a class, that only some paths have is never taken for that of all."""
    for ours in (gs.test_util.primal(fun), gs.jit(fun)):
        got = outcome(ours, ([2.0, 3.0], c))
        if refused:
            assert isinstance(got.error, gs.GradscribeError) and refused in str(got.error)
            continue
        want = outcome(fun, ([2.0, 3.0], c))
        assert (type(got.error) is type(want.error) and np.array_equal(got.out, want.out)
                and type(got.out) is type(want.out)), (got, want)


def test_what_never_ends_is_refused_at_once(monkeypatch):
    """And not after as many items as may be known before the run."""
    asked = []
    advance = iteration.advance
    monkeypatch.setattr(iteration, "advance", lambda *args: asked.append(args) or advance(*args))
    for fun in (unpacked_without_end, counted_without_end, repeated_without_end):
        assert WITHOUT_END in str(outcome(gs.jit(fun), ([2.0, 3.0], 1.5)).error)
    assert len(asked) < 20


def too_many_axes(x):
    y = np.zeros(3)
    y[:] = np.ones((2, 3)) * x
    return np.sum(y)


def either_way(x):
    if x > 0:
        return too_many_axes(x)
    return x


def test_an_exception_of_a_branch_is_caught():
    """An exception that is certain in a branch is caught around it."""
    def guarded(x):
        try:
            return either_way(x)
        except ValueError:
            return 7.0

    for x in (2.0, -2.0):
        assert gs.test_util.primal(guarded)(x) == gs.jit(guarded)(x) == guarded(x)


@pytest.mark.parametrize("fun", [gs.grad(too_many_axes)], ids=["recorded"])
def test_a_store_that_never_fits_is_caught_or_refused(fun):
    """An exception that is certain in a function that is recorded is not lost to who catches it."""
    def guarded(x):
        try:
            return fun(x)
        except ValueError:
            return 7.0

    assert guarded(2.0) == 7.0
    for ours in (gs.test_util.primal(guarded), gs.jit(guarded)):
        with pytest.raises(gs.UnsupportedError, match="whether ValueError ends this"):
            ours(2.0)
