"""Loops over and through a deque: value, gradient, batches."""
import collections
from collections import deque

import numpy as np
import pytest

import gradscribe as gs

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
X = np.array([0.1, 0.2, 0.3])


# loops ---------------------------------------------------------------------------------------
def moving_average(x, n):
    window, total = deque(maxlen=3), 0.0
    for k in range(n):
        x = np.sin(x) + 0.1 * k
        window.append(x)
        total = total + np.sum(sum(window) * window[0]) / len(window)
    return total


def memory(x, n):
    """An L-BFGS, as far as its deques go."""
    moves, changes = deque([], 2), collections.deque(maxlen=2)
    g = np.tanh(x)
    for _ in range(n):
        q = g
        for s, d in zip(reversed(moves), reversed(changes)):
            q = q - d * (s @ q) / (1.0 + d @ d)
        x = x - 0.5 * q
        after = np.tanh(x)
        moves.append(-0.5 * q)
        changes.appendleft(after - g)
        g = after
    return np.sum(x ** 2)


def delay_line(x, n):
    line, out = deque([0.0] * 4), 0.0
    for k in range(n):
        y = x[k % 3] + 0.5 * line.popleft()
        line.append(y)
        out = out + y ** 2
    return out


def ring(x, n):
    d = deque([x, 2.0 * x, np.cos(x)])
    for k in range(n):
        d.rotate(1)
        d[0] = d[0] * 0.5 + np.sin(d[1])
    return np.sum(np.stack(d)[0] * d[-1])


class Smoother:
    def __init__(self, most):
        self.last = deque(maxlen=most)

    def step(self, x):
        self.last.append(x)
        return np.mean(np.array(self.last), axis=0)


def of_an_object(x, n):
    smoother = Smoother(3)
    for _ in range(n):
        x = np.cos(smoother.step(x))
    return np.sum(x)


def in_a_while(x, n):
    window, k = deque(maxlen=2), 0
    while k < n:
        window.append(x)
        x = np.sin(sum(window)) + 0.1 * k
        k += 1
    return np.sum(x)


def left_early(x, n):
    window = deque(maxlen=2)
    for k in range(n):
        window.append(np.sin(x) + 0.1 * k)
        if np.sum(x) > 5.0:
            break
        x = x + 0.3 * sum(window)
    return np.sum(x)


def minimised(x, tol):
    """L-BFGS: how often it steps is known at the end, and is at most 20."""
    moves, changes = deque(maxlen=3), deque(maxlen=3)
    g = np.tanh(x) + 0.1 * x
    for k in range(20):
        q, weights = g, []
        for s, y in zip(reversed(moves), reversed(changes)):
            weights.append((s @ q) / (s @ y))
            q = q - weights[-1] * y
        if moves:
            q = q * (moves[-1] @ changes[-1]) / (changes[-1] @ changes[-1])
        for s, y, a in zip(moves, changes, reversed(weights)):
            q = q + s * (a - (y @ q) / (s @ y))
        new = x - 0.7 * q
        after = np.tanh(new) + 0.1 * new
        moves.append(new - x)
        changes.append(after - g)
        x, g = new, after
        if np.sqrt(g @ g) < tol:
            break
    return np.sum(x ** 2) + k


@pytest.mark.heavy(one_in=2)
def test_lbfgs_that_ends_where_it_has_converged():
    g = gs.value_and_grad(minimised)
    for tol in (1e-4, 0.01, 0.5):
        value, gradient = g(X, tol)
        np.testing.assert_allclose(value, minimised(X, tol), rtol=1e-12)
        np.testing.assert_allclose(gradient, differences(minimised, X, tol), atol=1e-6)
    assert sum(map(len, g._cache.programs.values())) == 1 and g.source(X, 0.1).count("while ") == 1


FUNCTIONS = {f.__name__: f for f in (moving_average, memory, delay_line, ring, of_an_object, in_a_while, left_early)}


def differences(f, x, *args, eps=1e-6):
    return np.array([(f(x + eps * d, *args) - f(x - eps * d, *args)) / (2 * eps) for d in np.eye(len(x))])


@pytest.mark.heavy(one_in=14)
@COMPILED
@pytest.mark.parametrize("name", FUNCTIONS)
def test_value_and_gradient_for_any_number_of_rounds(name, compiled):
    f = FUNCTIONS[name]
    g = gs.value_and_grad(f)
    g = gs.jit(g) if compiled else g
    for n in ([7, 30] if compiled else [9, 0, 1, 2, 3, 4, 5, 30]):
        value, gradient = g(X, n)
        np.testing.assert_allclose(value, f(X, n), rtol=1e-12)
        np.testing.assert_allclose(gradient, differences(f, X, n), atol=1e-7, rtol=1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_more_rounds_make_no_program(name, recwarn):
    g = gs.grad(FUNCTIONS[name])
    for n in (20, 7, 100, 8):
        g(X, n)
    assert sum(map(len, g._cache.programs.values())) == 1 and not recwarn.list
    assert g.source(X, 50) == g.source(X, 60)


def test_forwards_in_batches_and_twice():
    gradient = gs.grad(moving_average)
    assert gs.jvp(moving_average, (X, 12), (np.ones(3), 0))[1] == pytest.approx(np.sum(gradient(X, 12)))
    xs = np.stack([X, 2.0 * X])
    np.testing.assert_allclose(gs.vmap(gradient, in_axes=(0, None))(xs, 9), [gradient(x, 9) for x in xs], rtol=1e-12)
    np.testing.assert_allclose(gs.hessian(moving_average)(X, 7)[0],
                               differences(lambda x: gradient(x, 7)[0], X), atol=1e-6)


def test_as_an_argument_of_functions_inside():
    product = lambda d: np.sum(d[0] * d[1]) + d.maxlen  # noqa: E731
    f = lambda x: np.sum(gs.grad(product)(deque([x, 2.0 * x], 2))[0] ** 2) + gs.checkpoint(product)(deque([x, x], 3))
    np.testing.assert_allclose(gs.grad(f)(X), 8.0 * X + 2.0 * X)
