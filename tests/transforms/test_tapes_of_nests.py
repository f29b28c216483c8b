"""Loops in loops save into one tape: no row of it is made, filled and copied in each round."""
import ast

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import differences

X = np.random.default_rng(5).normal(size=6)


def nest(x):
    s = 0.0
    for i in range(len(x)):
        t = 1.0
        for j in range(len(x)):
            t = np.sin(t * x[j]) + x[i]
        s += t * t
    return s


def three_deep(x):
    s = 0.0
    for i in range(3):
        for j in range(len(x)):
            t = 1.0
            for _ in range(4):
                t = np.sin(t * x[j]) + x[i]
            s += t * t
    return s


def arrays(x):
    y = x
    for _ in range(3):
        for _ in range(2):
            y = np.sin(y * x) + np.sum(y)
    return np.sum(y)


def branches(x):
    s = 0.0
    for i in range(len(x)):
        t = 1.0
        for j in range(len(x)):
            if x[j] > 0.0:
                t = np.sin(t * x[j]) + x[i]
        s += t * t
    return s


def triangle(x):
    s = 0.0
    for i in range(len(x)):
        t = 1.0
        for j in range(i):
            t = np.sin(t * x[j]) + x[i]
        s += t * t
    return s


def downwards_by_two(x):
    s = 0.0
    for i in range(len(x) - 1, -1, -2):
        t = 1.0
        for j in range(1, len(x), 2):
            t = np.sin(t * x[j]) + x[i]
        s += t * t
    return s


def within_a_while(x):
    s, i = 0.0, 0
    while i < len(x):
        t = 1.0
        for j in range(len(x)):
            t = np.sin(t * x[j]) + x[i]
        s += t * t
        i += 1
    return s


PROGRAMS = (nest, three_deep, arrays, branches, triangle, downwards_by_two, within_a_while)


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(fun):
    gradient = gs.grad(fun)
    np.testing.assert_allclose(gradient(X), differences(fun, (X,), 0), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(gs.jit(gradient)(X), gradient(X), rtol=1e-12)
    np.testing.assert_allclose(gs.hessian(fun)(X), gs.jacfwd(gs.grad(fun))(X), rtol=1e-9, atol=1e-12)


def cooled(x):
    y, t = x, 0.0
    while t < 1.0:
        hottest = 0.0
        for v in y:
            hottest = max(hottest, v)
        y = y - 0.1 * y * y / hottest
        t += 0.4
    return np.sum(y * y)


@pytest.mark.parametrize("fun", (*PROGRAMS, cooled), ids=lambda f: f.__name__)
def test_a_value_and_its_gradient_of_one_function(fun):
    """Both run the same loops, the second with tapes: what an inner loop ends with is not what its rounds see."""
    def both(x):
        return fun(x), gs.grad(fun)(x)

    x = np.abs(X)
    value, gradient = gs.jit(both)(x)
    np.testing.assert_allclose(value, fun(x), rtol=1e-12)
    np.testing.assert_allclose(gradient, gs.grad(fun)(x), rtol=1e-12)
    hessian = np.stack([gs.jvp(gs.grad(fun), (x,), (e,))[1] for e in np.eye(len(x))], axis=1)
    np.testing.assert_allclose(gs.hessian(fun)(x), hessian, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("fun", (nest, three_deep, arrays, branches, downwards_by_two), ids=lambda f: f.__name__)
def test_no_tape_is_made_within_a_loop(fun):
    tree = ast.parse(gs.grad(fun).source(X))
    loops = [loop for loop in ast.walk(tree) if isinstance(loop, ast.For)]
    assert loops
    made = [ast.unparse(call) for loop in loops for call in ast.walk(loop)
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "np.empty"]
    assert not made
