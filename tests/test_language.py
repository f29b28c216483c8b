"""Python's own semantics, from outside: each program gives what Python gives (value, type, exception and its message), or is refused."""
import copy

import gradscribe as gs
import numpy as np
import pytest
from language import PROGRAMS

from gradscribe.transformer import api

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


def outcome(fun, args):
    """(value or None, exception or None, the arguments afterwards)"""
    args = copy.deepcopy(args)
    try:
        return fun(*args), None, args
    except Exception as error:
        return None, error, args


def transformed(fun, compiled):
    return gs.jit(fun) if compiled else api.Primal(fun)


def same(got, want):
    """Equal in type, dtype, shape and value, all the way down."""
    assert type(got) is type(want), (got, want)
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            same(g, w)
    elif isinstance(want, dict):
        assert list(got) == list(want)
        same(list(got.values()), list(want.values()))
    elif isinstance(want, (np.ndarray, np.generic, float)):
        assert np.shape(got) == np.shape(want) and np.asarray(got).dtype == np.asarray(want).dtype
        np.testing.assert_allclose(got, want, rtol=1e-12)
    else:
        assert got == want


def as_python(fun, *args, compiled):
    """The transformed function does what Python does."""
    want, raised, after = outcome(fun, args)
    got, error, stored = outcome(transformed(fun, compiled), args)
    if raised is not None or error is not None:
        assert (type(error), str(error)) == (type(raised), str(raised)) and len(error.args) == len(raised.args), repr(error)
        same(error.args, raised.args)
        assert repr(error.__cause__) == repr(raised.__cause__)
        return
    same(got, want)
    same(stored, after)


# ---- what is first met inside a loop or a branch

TABLEAU = [[0.0, 0.0], [0.5, 0.0]]
WEIGHTS = [0.0, 1.0]
VECTOR = np.array([1.0, 2.0, 3.0])
NESTED = {"W": np.array([[1.0, 2.0], [0.5, -1.0]]), "b": [np.array([1.0, 2.0]), 3.0]}


def runge_kutta(x, n):
    for _ in range(n):
        slopes = []
        for i in range(2):
            inner = x
            for j in range(i):
                inner = inner + 0.1 * TABLEAU[i][j] * slopes[j]
            slopes.append(-inner * inner)
        for i in range(2):
            x = x + 0.1 * WEIGHTS[i] * slopes[i]
    return x


def met_in_a_while(x, n):
    while n > 0:
        if x > 2.0:
            x = x * WEIGHTS[1] - 0.5
        else:
            x = x + NESTED["b"][1] * x
        n = n - 1
    return x


def met_in_a_function(x, n):
    def step(x):
        return x + NESTED["b"][1] * TABLEAU[1][0]
    best = None
    for k in range(n):
        if best is None or step(x) > best:
            best = step(x) * k
    return x if best is None else best


def lengths_met_in_a_loop(x, n):
    y = x
    for _ in range(n):
        y = y + VECTOR * x
    return np.sum(y)


@gs.custom_vjp
def scaled(x):
    return x * WEIGHTS[1]


scaled.defvjp(lambda x: (scaled(x), None), lambda _, g: (g * WEIGHTS[1],))


def rule_met_in_a_loop(x, n):
    for _ in range(n):
        x = x + scaled(x) * gs.grad(lambda y: y * TABLEAU[1][0])(x)
    return x


@COMPILED
@pytest.mark.parametrize("fun", [runge_kutta, met_in_a_while, met_in_a_function, lengths_met_in_a_loop, rule_met_in_a_loop], ids=lambda f: f.__name__)
def test_lists_from_outside_in_loops(fun, compiled):
    for n in (0, 1, 4):
        as_python(fun, 0.6, n, compiled=compiled)
    slope = (fun(0.6 + 1e-6, 4) - fun(0.6 - 1e-6, 4)) / 2e-6
    grad, batch = gs.grad(fun), gs.vmap(fun, in_axes=(0, None))
    np.testing.assert_allclose((gs.jit(grad) if compiled else grad)(0.6, 4), slope, rtol=1e-6)
    np.testing.assert_allclose((gs.jit(batch) if compiled else batch)(np.array([0.6, 3.0]), 4), [fun(0.6, 4), fun(3.0, 4)], rtol=1e-12)


@COMPILED
@pytest.mark.parametrize("fun, sets", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_as_python(fun, sets, compiled):
    for args in sets:
        as_python(fun, *args, compiled=compiled)
