"""np.roll inside of loops: it is read through, in pieces of the innermost loop, forwards, backwards,
for many examples and on a GPU."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree, differences


def stencil(x):
    return 0.5 * np.roll(x, 1) - x + 0.25 * np.roll(x, -1)


def wide_stencil(x):
    """Seven cuts, some of them equal in a short array."""
    return sum([c * np.roll(x, k) for k, c in ((-3, 0.1), (-2, 0.2), (-1, 0.3), (1, 0.4), (2, 0.5), (3, 0.6),
                                               (7, 0.7))]) * np.cos(x)


def energy(x):
    return (np.sum((np.roll(x, 1) - x) ** 2), np.max(np.roll(x, 2) * x, initial=-1.0),
            np.mean(np.roll(x, -1) * np.roll(x, 1)))


def laplacian(x):
    a = np.sin(x)[:, None] + x
    return np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1) - 4.0 * a


def of_other_kinds(x):
    a = np.outer(x, x[:-1]) + 1.0
    return (np.roll(a, 2), np.roll(a.T, 1, axis=0) * a.T, np.roll(a, (1, -1), axis=(0, 1)) - a,
            np.roll(np.roll(a, 1, 1) * 2.0, -1, 1), np.roll(a[::-1], 1, axis=1) + a[:, ::-1],
            np.roll(a, 1, axis=0)[1:, None] * x[:-1], np.roll(x, 1)[:, None] * np.roll(a, 1, axis=1),
            np.roll(np.roll(a[None], 1, 0), 1, -1) + 1.0)


def rows(x):
    a = np.roll(np.outer(x, x) + x, 1, axis=1)
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return (np.roll(p, 1, axis=0) * p, np.sum(np.roll(p, 2, axis=1) * p, axis=0),
            np.sum(np.roll(p, 1, axis=1) * a, axis=1))


def stored_after(x):
    """A roll is what its argument was, whatever is stored there later."""
    y = x.copy()
    before = np.roll(y, 1)
    y[0] = 2.0
    y[1:] += before[:-1]
    after = np.roll(y, 1) + before
    y *= 2.0
    before[0] = 7.0
    return before + after, y, after


def in_place(x):
    y = x.copy()
    for k in range(3):
        y += 0.1 * np.roll(y, 1)
        y[:] = np.roll(y, -1) * 0.9
        y[1:] = np.roll(y, 2)[1:] + y[1:]
        y[:-1] -= np.roll(y[:-1], 1)
    return y


def in_loops(x):
    u, total = x, 0.0
    for k in range(4):
        u = u + 0.1 * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
        total = total + np.sum(np.roll(u, k) * x)
    return u, total


def on_a_branch(x):
    y = np.roll(x, 1)
    if np.sum(x) > 0.3:
        return y * x
    return np.where(y > 0.0, np.roll(y, 1), x)


FUNCTIONS = [stencil, wide_stencil, energy, laplacian, of_other_kinds, rows, stored_after, in_place, in_loops,
             on_a_branch]
KINDS = pytest.mark.parametrize("f", FUNCTIONS, ids=[f.__name__ for f in FUNCTIONS])


@pytest.mark.parametrize("n", [2, 3, 5, 40])
@KINDS
def test_values(f, n):
    x = np.random.default_rng(n).normal(size=n)
    agree(f, x)
    agree(f, x.astype(np.float32), compiled=n == 5)


@KINDS
def test_values_of_1100(f):
    """More than a block of a sum."""
    if f not in (laplacian, of_other_kinds, rows):
        agree(f, 0.5 + np.random.default_rng(1).random(1100))


def loss_of(f):
    return lambda x: sum([np.sum(np.cos(r) * (k + 1.0)) for k, r in enumerate(gs.tree.leaves(f(x)))])


@KINDS
def test_derivatives(f):
    x = np.random.default_rng(4).normal(size=6)
    loss = loss_of(f)
    want = differences(loss, (x,), 0)
    for g in (gs.grad(loss), gs.jit(gs.grad(loss)), gs.jacfwd(loss), gs.jit(gs.jacfwd(loss))):
        np.testing.assert_allclose(g(x), want, rtol=2e-6, atol=2e-8)
    v = np.cos(x)
    second = differences(lambda x: gs.grad(loss)(x) @ v, (x,), 0)
    along = lambda x: gs.jvp(gs.grad(loss), (x,), (v,))[1]  # noqa: E731
    for g in (gs.hessian(loss), gs.jit(along)):
        np.testing.assert_allclose(g(x) if g(x).ndim == 1 else g(x) @ v, second, rtol=2e-6, atol=2e-7)


@KINDS
def test_many_examples(f):
    xs = np.random.default_rng(5).normal(size=(3, 7))
    for g in (gs.vmap(f), gs.jit(gs.vmap(f))):
        for got, want in zip(gs.tree.leaves(g(xs)), zip(*[gs.tree.leaves(f(x)) for x in xs]), strict=True):
            np.testing.assert_allclose(got, np.stack(want), rtol=1e-11, atol=1e-12)


def test_shifts_that_the_run_decides_and_other_dtypes():
    def f(x, s):
        n = int(s)
        return np.roll(x, n) + x, np.roll(x, -n) * np.roll(x, n), np.roll(x > 0, n) | (x > 0)

    for x in (np.arange(6.0) - 2.0, np.arange(6) - 2, np.arange(6, dtype=np.int8), np.exp(1j * np.arange(6.0)).real,
              np.zeros(0)):
        for s in (0.0, 1.0, -8.0, 13.0):
            agree(f, x, s)
    agree(lambda z: np.roll(z, 1) * z + np.roll(z, -2).conj(), np.exp(1j * np.arange(5.0)))


def test_a_gradient_says_roll():
    f = lambda x: np.sum(np.roll(x, 2, -1) * np.cos(x))  # noqa: E731
    assert "np.roll(np.cos(x), -2)" in gs.grad(f).source(np.ones(4))
    assert "np.roll(np.cos(x), -2, axis=1)" in gs.grad(f).source(np.ones((4, 3)))


def test_no_array_between():
    """Compiled, a stencil has one loop, in pieces, and allocates nothing beside its result."""
    text = gs.jit(stencil).source(np.ones(4), stage="compiled")
    assert "rm.empty" not in text and text.count("for ") == 2


@pytest.mark.parametrize("n", [2 ** 63, -2 ** 63 - 1, 10 ** 30])
def test_places_of_more_than_64_bits_are_refused_where_they_are_compiled(n):
    """As an unsigned number of 64 bits 2 ** 63 would be another place."""
    for f in (lambda x: np.roll(x, n), lambda x: x[:n] * 1.0, lambda x: x[n:] * 1.0):
        agree(f, np.arange(7.0), compiled_refuses="an int of more than 64 bits")
