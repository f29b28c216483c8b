"""What a loop adds to each place once it stores; what it may add twice it adds."""
import re

import numpy as np
import pytest

import gradscribe as gs

X = np.random.default_rng(5).normal(size=7)
M = np.random.default_rng(6).normal(size=(4, 5))


def each(x):
    total = 0.0
    for k in range(len(x)):
        total = total + np.sin(x[k]) * k
    return total


def backwards(x):
    total = 0.0
    for k in range(len(x) - 1, -1, -1):
        total = total * 0.5 + x[k] ** 2
    return total


def rows(m):
    total = 0.0
    for k in range(m.shape[0]):
        total = total + np.sum(np.tanh(m[k]) * total) + np.sum(m[k] ** 3)
    return total


def cells(m):
    total = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            total = total * 0.9 + np.sin(m[i, j] * total + 1.0)
    return total


def some(x):
    """The places that it leaves are 0."""
    total = 0.0
    for k in range(1, len(x) - 1, 2):
        total = total + x[k] ** 2 * total + x[k]
    return total


def neighbours(x):
    total = 0.0
    for k in range(len(x) - 1):
        total = total + x[k] * x[k + 1] * np.cos(total)
    return total


def from_the_end(x):
    """An index below 0 is a place that another round has, too."""
    total = 0.0
    for k in range(-3, 3):
        total = total + x[k] ** 2 * (k + 4) + np.sin(total)
    return total


def the_same_in_each_round(m):
    total = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            total = total * 0.9 + np.sin(m[i, 2] * total + m[j % 4, 1])
    return total


def on_a_branch(x):
    total = 0.0
    for k in range(len(x)):
        if x[k] > 0:
            total = total + x[k] ** 2 + np.sin(total)
    return total


def outer_products(m):
    total = 0.0
    for k in range(m.shape[0]):
        a = np.outer(m[k], np.cos(m[k])) + total
        total = total + np.mean(a * a)
    return total


@pytest.mark.parametrize("f, x", [(each, X), (backwards, X), (rows, M), (cells, M), (some, X),
                                  (neighbours, X), (from_the_end, X), (the_same_in_each_round, M), (on_a_branch, X),
                                  (outer_products, M)], ids=lambda x: getattr(x, "__name__", ""))
def test_as_in_plain_source(f, x):
    value, slope = gs.value_and_grad(f)(x)
    got_value, got = gs.jit(gs.value_and_grad(f))(x)
    np.testing.assert_allclose(got_value, value, rtol=1e-13)
    np.testing.assert_allclose(got, slope, rtol=1e-11, atol=1e-13)
    direction = np.random.default_rng(8).normal(size=x.shape)
    ahead = (f(x + 1e-6 * direction) - f(x - 1e-6 * direction)) / 2e-6
    np.testing.assert_allclose(np.sum(slope * direction), ahead, rtol=1e-6)
    np.testing.assert_allclose(gs.jit(gs.vmap(gs.grad(f)))(np.stack([x, 2 * x]))[0], slope, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("f, x, added", [(rows, M, 0), (backwards, X, 0), (from_the_end, X, 1), (neighbours, X, 2)],
                         ids=["rows", "backwards", "from_the_end", "neighbours"])
def test_what_is_stored(f, x, added):
    """A loop may be there twice, with its indices checked and without."""
    text = gs.jit(gs.grad(f)).source(x, stage="compiled")
    unchecked = re.sub(r"rs\.index\((\w+), \w+, \d+\)", r"\1", text)
    lines = map(str.strip, unchecked.splitlines())
    stores = {line for line in lines if "_bar" in line.split("[")[0] and "] +=" in line}
    assert len(stores) == added, text
