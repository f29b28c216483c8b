"""What a backward loop needs of an array that the loop stores into: that before the loop, or what stores overwrote."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import differences

RNG = np.random.default_rng(8)
W, X = RNG.normal(size=(6, 6)), RNG.normal(size=6)


# read where no earlier iteration has stored ----------------------------------------------------------
def rows_below(W, x):
    W = W.copy()
    for i in range(len(W)):
        W[i] += np.sin(x[i + 1:] @ W[i + 1:])
    return np.sum(W * W)


def columns_of_rows_below(W, x):
    W = W.copy()
    for i in range(len(W)):
        for j in range(len(W)):
            W[i, j] *= x[i + 1:] @ W[i + 1:, j]
    return np.sum(W * W)


def rows_above_from_the_last(W, x):
    W = W.copy()
    for i in range(len(W) - 1, -1, -2):
        W[i] *= x[:i] @ W[:i]
    return np.sum(W * W)


def rest_of_a_while(W, x):
    x = x.copy()
    i = 0
    while i < len(x) - 1:
        x[i] = W[i, i] * np.sum(np.sin(x[i:]))
        i += 1
    return np.sum(x * x)


def its_own_row_too(W, x):
    W = W.copy()
    for i in range(len(W)):
        W[i] = np.sin(x[i:] @ W[i:])
    return np.sum(W * W)


FROM_BEFORE = [rows_below, columns_of_rows_below, rows_above_from_the_last, rest_of_a_while, its_own_row_too]


# read after an earlier iteration has stored ----------------------------------------------------------
def hopfield(W, x):
    x = x.copy()
    for i in range(len(x)):
        x[i] = np.tanh(W[i] @ x)
    return np.sum(x * x)


def sweeps(W, x):
    x = x.copy()
    for _ in range(3):
        for i in range(len(x)):
            x[i] = np.tanh(W[i] @ x)
    return np.sum(x * x)


def stores_before_and_after(W, x):
    x = x.copy()
    for i in range(len(x)):
        x[i] = 0.5 * x[i] + 1.0
        s = np.sum(np.sin(W[i] * x))
        x[-1 - i] = s * x[0]
    return np.sum(x * x)


def found_places(W, x):
    x = x.copy()
    for i in range(len(W)):
        k = np.argmax(x)
        x[k] = 0.3 * np.tanh(W[i] @ x)
    return np.sum(x * x)


def places_of_what_is_undone(W, x):
    x = x.copy()
    for i in range(len(W)):
        k = int(abs(x[1])) % len(x)
        x[k] += np.sum(np.cos(W[i] * x))
    return np.sum(x * x)


def whole_rows(W, x):
    W = W.copy()
    for i in range(len(W)):
        W[i] = np.sin(x @ W)
    return np.sum(W * W)


def nest(W, x):
    W = W.copy()
    for i in range(len(W)):
        for j in range(len(W)):
            W[i, j] = np.sum(np.sin(W)) * x[j] * 0.1
    return np.sum(W * W)


def nest_between_stores(W, x):
    W = W.copy()
    for i in range(len(W)):
        W[0] = x
        for j in range(i):
            W[i, j] = np.sum(np.sin(W)) * x[j] * 0.1
        W[i, 0] = x[i]
    return np.sum(W * W)


def by_a_while(W, x):
    x = x.copy()
    i = 0
    while i < len(x):
        x[i] = np.tanh(W[i] @ x)
        i += 1
    return np.sum(x * x) + x[0]


UNDONE = [hopfield, sweeps, stores_before_and_after, found_places, places_of_what_is_undone, whole_rows, nest,
          nest_between_stores, by_a_while]


# saved whole: what is overwritten is not known to exist, or there are many places, or the array is another -----------
def in_branches(W, x):
    x = x.copy()
    for i in range(len(x)):
        if x[i] > 0:
            x[i] = np.tanh(W[i] @ x)
        else:
            x[0] = 0.7 * np.sum(np.cos(x))
    return np.sum(x * x)


def two_versions(W, x):
    x = x.copy()
    for i in range(len(x)):
        s = np.sum(np.sin(x * W[i]))
        x[i] = s
        x[0] += np.sum(np.cos(x * W[i]))
    return np.sum(x * x)


def permuted(W, x):
    x = x.copy()
    for i in range(len(x)):
        x[np.array([2, 0, 1])] = x[:3] * np.sum(np.sin(x * W[i]))
    return np.sum(x * x)


def exchanged(W, x):
    x, y = x.copy(), x * 2.0
    for i in range(len(x)):
        x[i] = np.sum(np.sin(x * W[i]))
        x, y = y, x
    return np.sum(x * y)


OTHERS = [in_branches, two_versions, permuted, exchanged]


@pytest.mark.parametrize("f", [*FROM_BEFORE, *UNDONE, *OTHERS], ids=lambda f: f.__name__)
def test_gradients(f):
    for g in (gs.grad(f, argnums=(0, 1)), gs.jit(gs.grad(f, argnums=(0, 1)))):
        for k, found in enumerate(g(W, X)):
            np.testing.assert_allclose(found, differences(f, (W, X), k), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("f", [*FROM_BEFORE, *UNDONE], ids=lambda f: f.__name__)
def test_what_is_saved(f, monkeypatch):
    """Of a loop of n rounds no n arrays: a few elements or a row a round."""
    n, made, empty = 24, [], np.empty
    args, gradient = (RNG.normal(size=(n, n)), RNG.normal(size=n)), gs.grad(f, argnums=(0, 1))
    gradient(*args)

    def counted(shape, *kind, **kinds):
        made.append(np.prod(shape, dtype=int))
        return empty(shape, *kind, **kinds)

    monkeypatch.setattr(np, "empty", counted)
    gradient(*args)
    rows = "W = W.copy()" in gs.grad(f).source(*args)
    assert sum(made) < (4 * n * n if rows else n * n // 2)


@pytest.mark.parametrize("f", [rows_below, sweeps, stores_before_and_after, nest], ids=lambda f: f.__name__)
def test_second_derivatives(f):
    def slope(W, x):
        return np.sum(gs.grad(f, argnums=1)(W, x) * W[0])

    for g in (gs.grad(slope, argnums=1), gs.jit(gs.grad(slope, argnums=1)), gs.jit(gs.jacfwd(slope, argnums=1))):
        np.testing.assert_allclose(g(W, X), differences(slope, (W, X), 1), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", [rows_below, sweeps, found_places, nest], ids=lambda f: f.__name__)
def test_batches(f):
    many, g = np.stack([X, X[::-1], 2.0 * X]), gs.grad(f, argnums=(0, 1))
    for batched in (gs.vmap(g, in_axes=(None, 0)), gs.jit(gs.vmap(g, in_axes=(None, 0)))):
        for found, one in zip(batched(W, many), zip(*[g(W, x) for x in many])):
            np.testing.assert_allclose(found, np.stack(one), rtol=1e-9)


def test_a_pull_back_is_called_again():
    _, pull = gs.vjp(sweeps, W, X)
    for one, other in zip(pull(1.0), pull(1.0)):
        np.testing.assert_array_equal(one, other)
