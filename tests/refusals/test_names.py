"""What is refused is called as users call it, and says more where it is in the text of a library."""
import bisect
import collections
import functools
import heapq
import inspect
import operator
import os
import random
import struct

import numpy as np
import pytest
import scipy.interpolate
import scipy.sparse
import scipy.spatial
import scipy.stats

import gradscribe as gs
from gradscribe.transformer.specialise.refusals.impure import title_of

X = np.array([0.5, 1.5, -0.5])
LINE = scipy.interpolate.interp1d([0.0, 1.0], [1.0, 2.0])


@pytest.mark.parametrize("f, name", [
    (bisect.bisect, "bisect.bisect_right"), (heapq.heappop, "heapq.heappop"), (operator.add, "operator.add"),
    (functools.reduce, "functools.reduce"), (random.random, "random.random"), (random.gauss, "random.gauss"),
    (os.getcwd, "os.getcwd"), (struct.pack, "struct.pack"), (collections.OrderedDict, "collections.OrderedDict"),
    (np.add.reduceat, "np.add.reduceat"), (np.linalg.norm, "np.linalg.norm"), (np.random.rand, "np.random.rand"),
    (scipy.spatial.distance.cdist, "scipy.spatial.distance.cdist"), (scipy.stats.norm.pdf, "scipy.stats.norm.pdf"),
    (scipy.sparse.issparse, "scipy.sparse.issparse"), (LINE, "scipy.interpolate.interp1d"), (open, "open"),
    (scipy.spatial.transform.Rotation.from_euler, "scipy.spatial.transform.Rotation.from_euler"),
    (type.__dict__["__mro__"].__get__, "member_descriptor.__get__"), (gs.grad, "gs.grad"),
])
def test_functions_have_the_names_that_users_know(f, name):
    assert title_of(f) == name



def in_a_library(x):
    return np.sum(x) * inspect.getattr_static(gs, "five", 5.0)


def test_in_a_library_there_is_a_way_around_its_function():
    with pytest.raises(gs.GradscribeError) as caught:
        gs.grad(in_a_library)(X)
    assert "inspect.py:" in caught.value.message and "write what its function computes" in caught.value.instead


def called_locals(x, locals=2.0, globals=3.0):
    return x * locals + globals


def test_parameters_may_be_called_as_functions_of_python():
    for f in (lambda x: called_locals(x), lambda x: called_locals(x, locals=2.0)):
        assert gs.grad(f)(1.0) == gs.jit(gs.grad(f))(1.0) == 2.0 and gs.jit(f)(1.0) == 5.0


def test_what_is_in_the_own_text_is_not_said_to_be_in_a_library():
    def caught(x):
        try:
            y = int(x)
        except OverflowError:
            y = 0
        return y * x
    with pytest.raises(gs.GradscribeError, match="an except block for what only the run time knows") as error:
        gs.grad(caught)(2.0)
    assert "library" not in str(error.value) and "(in " not in str(error.value)


class Low(ValueError):
    def __init__(self, least=0.5):
        super().__init__(f"below {least}")
        self.least = least


@pytest.mark.parametrize("use", [lambda e: len(e.args), lambda e: e.least])
def test_what_a_constructor_makes_of_an_exception_is_what_it_makes(use):
    def caught(x):
        y = x
        try:
            if x < 1.0:
                raise Low
        except ValueError as problem:
            y = use(problem)
        return y * x
    for x in (0.5, 2.0):
        assert gs.jit(caught)(x) == caught(x)
