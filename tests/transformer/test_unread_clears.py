"""Elements of adjoints are cleared where a later iteration or statement may look at them, and only there."""
import numpy as np
import pytest

import gradscribe as gs


def own(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = np.sin(x[i]) * x[i]
    return np.sum(y * y)


def nested(x):
    n = len(x)
    y = np.ones((n, n))
    for i in range(n):
        for j in range(1, n):
            y[i, j - 1] = x[i] * x[j]
    return np.sum(y ** 3)


def rows(x):
    y = np.zeros((len(x), 2))
    for i in range(len(x)):
        y[i] = x[i] * np.array([1.0, 2.0]) + x
    return np.sum(np.tanh(y))


def appended(x):
    h, parts = 0.5, []
    for v in x:
        h = np.tanh(h + v)
        parts.append(h)
    return sum(p ** 2 for p in parts)


def around(x):
    """Each element is stored into twice: index -1 is n - 1."""
    y = np.zeros(len(x))
    for i in range(-2, 2):
        y[i] = x[i] * (i + 4.0)
    return np.sum(y * x)


def twice(x):
    y = np.zeros(len(x))
    for k in range(3):
        for i in range(len(x)):
            y[i] = x[i] * (k + 1.0)
    return np.sum(y * y)


def same(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[0] = x[i] * (i + 1.0)
    return np.sum(y * y)


def earlier(x):
    """The array has values before the loop, and its adjoint is read after it."""
    y = x * 3.0
    for i in range(1):
        y[i] = np.cos(x[i])
    return np.sum(y * y)


def neighbours(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = np.sin(y[i - 1]) * x[i]
    return np.sum(y * y)


@pytest.mark.parametrize("f, clears", [(own, False), (nested, False), (rows, False), (appended, False), (around, True),
                                       (twice, True), (same, True), (earlier, True), (neighbours, True)])
def test_what_is_cleared(f, clears):
    x = np.array([0.4, -0.7]) if f in (around, rows) else np.array([0.3, -0.8, 1.1, 0.2])
    g = gs.grad(f)
    text = g.source(x, stage="core")
    assert ("0.0" in "".join(line for line in text.splitlines() if "rt.update(" in line)) == clears
    for run in (g, gs.jit(g)):
        np.testing.assert_allclose(run(x), gs.jacfwd(f)(x), rtol=1e-12)
    np.testing.assert_allclose(gs.hessian(f)(x), gs.jacfwd(gs.jacfwd(f))(x), rtol=1e-10, atol=1e-12)
