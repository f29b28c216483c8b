"""What takes all items of a generator, a map or a generator expression: Python's answers, and its order of effects."""
import functools
import itertools
import math

import numpy as np
import pytest

import gradscribe as gs


def parts(x, c):
    yield c
    for v in x:
        yield v * c


class Pairs:
    def __init__(self, c):
        self.c = c

    def __iter__(self):
        yield "ab"
        yield "cd"


class Mapping(Pairs):
    def keys(self):
        return ["ab", "cd"]

    def __getitem__(self, key):
        return self.c


def said(text, value):
    print(text)
    return value


def of_a_generator(x, c):
    more = [c]
    more.extend(parts(x[:2], c))
    first = next(iter(itertools.product(parts((), c), [2.0])))
    return sum(more), first[0] * first[1], len(list(parts(x, c))), math.prod(parts((), c)), max(parts(x, c), default=c)


def of_an_object_that_has_keys(x, c):
    return dict(Mapping(c))["cd"], dict(Pairs(c))["a"]


def reduced_one_by_one(x, c):
    return functools.reduce(lambda a, b: said("add", a + b), (said("make", c * k) for k in (1.0, 2.0, 3.0)))


def compared_one_by_one(x, c):
    return min(map(lambda k: said("make", c * k), (3.0, 2.0)), key=lambda v: said("key", v))


def keys_one_by_one(x, c):
    return {k: said("value", c) for k in map(lambda k: said("key", k), ("a", "b"))}["b"]


@pytest.mark.parametrize("fun", [of_a_generator, of_an_object_that_has_keys, reduced_one_by_one, compared_one_by_one,
                                 keys_one_by_one])
def test_values_and_effects(fun, capsys):
    args = np.array([0.4, 1.1, -0.3]), 0.7
    expected = fun(*args)
    shown = capsys.readouterr().out
    assert repr(gs.test_util.primal(fun)(*args)) == repr(expected)
    assert capsys.readouterr().out == shown


def test_a_list_of_a_generator_is_made_once():
    source = gs.grad(lambda x: sum(list(parts(x, 2.0)))).source(np.ones(3))
    assert source.count("np.zeros(") <= 1, source


@pytest.mark.parametrize("fun", [lambda x: functools.reduce(max, parts(x, 2.0)),
                                 lambda x: min(parts(x, 2.0), key=abs)])
def test_what_does_something_between_two_values_of_a_generator_is_refused(fun):
    with pytest.raises(gs.UnsupportedError, match="taken one by one"):
        gs.grad(fun)(np.ones(3))
