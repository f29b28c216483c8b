"""Gradients of `while` loops that count: run backwards like a `for`, over the values of the user's own counter; and
elements that no later iteration stores into are read from the final array, not from a tape."""
import numpy as np
import pytest

import gradscribe as gs


def thomas(a, b, c, d):
    n = len(d)
    c_new, d_new, x = np.zeros(n), np.zeros(n), np.zeros(n)
    c_new[0] = c[0] / b[0]
    d_new[0] = d[0] / b[0]
    i = 1
    while i < n:
        m = b[i] - a[i] * c_new[i - 1]
        c_new[i] = c[i] / m
        d_new[i] = (d[i] - a[i] * d_new[i - 1]) / m
        i += 1
    x[n - 1] = d_new[n - 1]
    i = n - 2
    while i >= 0:
        x[i] = d_new[i] - c_new[i] * x[i + 1]
        i -= 1
    return np.sum(x ** 2)


def tridiagonal(x):
    n = len(x)
    return thomas(0.1 * x, 2.0 + x * x, 0.2 * x[::-1], np.sin(x)) * n


def stores_behind(x):
    y = x.copy()
    k = 0
    while k < len(x) - 1:
        y[k] = y[k + 1] * y[k + 1] * x[k]  # what is read is stored into by the next iteration
        k += 1
    return np.sum(y ** 3)


def stores_ahead(x):
    y = x.copy()
    k = 1
    while k < len(x) and y[k] < 3.0:
        y[k] = x[k] * y[k - 1] ** 2
        k += 1
    return np.sum(y) * k


def downwards(x):
    y = x.copy()
    k = len(x) - 1
    while k > 0:
        y[k - 1] = x[k - 1] * y[k] ** 2
        k -= 1
    return np.sum(y)


def two_counters(x):
    y = x.copy()
    k, j = 0, 5
    while k < len(x):
        y[k] = y[k] * y[k - 1] + y[j] ** 2
        k += 2
        j -= 1
    return np.sum(y ** 2) + j


def from_a_negative_place(x):
    y = x.copy()
    k = -2
    while k < 3:  # the last places, and then from the first
        y[k] = y[k] ** 2 * y[k + 1]
        k += 1
    return np.sum(y)


def starts_again(x):
    y = x.copy()
    k = n = 0
    while n < 7:
        y[k] = y[k] * y[k] + x[n % 3]
        k += 1
        n += 1
        if k == 3:
            k = 0
    return np.sum(y)


def within_each_other(x):
    y = np.outer(x, x)
    i = 0
    while i < len(x):
        j = 0
        while j <= i:
            y[i, j] = y[i, j] * np.sin(y[j, i]) + y[i, 0]
            j += 1
        i += 1
    return np.sum(y ** 2)


def rows(x):
    y = np.outer(x, x)
    for r in range(len(x)):
        i = 1
        while i < len(x):
            y[r, i] = y[r, i - 1] ** 2 * x[i]
            i += 1
    return np.sum(y)


def to_a_place_from_the_end(x):
    j = -1
    while j > -2:
        x = np.sin(x)
        j -= 1
    return np.sum(x[j:] ** 2)


def never(x):
    y = x.copy()
    k = len(x)
    while k < len(x):
        y[k] = y[k - 1] ** 2
        k += 1
    return np.sum(y * y)


# how many tapes the gradient has
TAPES = {tridiagonal: 1, stores_behind: 1, stores_ahead: 0, downwards: 1, two_counters: 3, from_a_negative_place: 2,
         starts_again: 2, within_each_other: None, rows: 0, to_a_place_from_the_end: None, never: 1}
X = np.random.default_rng(0).normal(size=7) * 0.7


def differences(f, x, h=1e-6):
    return np.array([(f(x + e) - f(x - e)) / (2.0 * h) for e in h * np.eye(len(x))])


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("f", TAPES, ids=lambda f: f.__name__)
def test_gradient(f):
    np.testing.assert_allclose(gs.grad(f)(X), differences(f, X), rtol=1e-6, atol=1e-8)
    for made in (gs.hessian, lambda f: gs.jacrev(gs.grad(f))):
        np.testing.assert_allclose(made(f)(X), differences(gs.grad(f), X), rtol=1e-5, atol=1e-6)
    batch = np.stack([X, -X])
    np.testing.assert_allclose(gs.vmap(gs.grad(f))(batch), [gs.grad(f)(x) for x in batch], rtol=1e-12)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", [tridiagonal, two_counters, from_a_negative_place, rows], ids=lambda f: f.__name__)
def test_compiled(f):
    np.testing.assert_allclose(gs.jit(gs.grad(f))(X), gs.grad(f)(X), rtol=1e-12)


@pytest.mark.parametrize("f", [f for f in TAPES if TAPES[f] is not None], ids=lambda f: f.__name__)
def test_only_what_is_stored_over_is_on_a_tape(f):
    source = gs.grad(f).source(X)
    assert source.count("_tape = []") + source.count("= rt.tape(") == TAPES[f], source
    assert "count += 1" not in source, source


def test_the_mirror_runs_over_the_users_counter():
    source = gs.grad(thomas).source(*np.ones((4, 5)))
    assert "for i in range(i - 1, 0, -1):" in source, source


# ---- loops whose test is known before the run: walks along objects, lists of what is to be done
class Link:
    def __init__(self, mass, parent=None):
        self.mass, self.parent = mass, parent


OUTSIDE = Link(1.0, Link(2.0))


def mass_from_outside(x):
    link, total = OUTSIDE, 0.0
    while link:
        total, link = total * x + link.mass, link.parent
    return total


def mass_of_a_chain(x):
    link, total, depth = Link(x, Link(x * x, Link(2.0))), 0.0, 0
    while link is not None:
        total += link.mass * (depth + 1)
        link, depth = link.parent, depth + 1
    return total * depth


def heavy_ancestor(x):
    link = Link(x, Link(x * x, Link(2.0)))
    while link is not None:
        if link.mass > 3.0:
            return link.mass * x
        link = link.parent
    return x


def work_to_do(x):
    todo, done, count = [3.0 * x, x], [], 0
    while todo:
        value = todo.pop()
        done.append(value)
        if count < 3:
            todo.append(value * x)
        count += 1
    return sum(done)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("f", [mass_of_a_chain, mass_from_outside, heavy_ancestor, work_to_do])
def test_a_loop_whose_test_is_known_is_written_out(f, compiled):
    g = gs.jit(gs.value_and_grad(f)) if compiled else gs.value_and_grad(f)
    for x in 0.5, 1.9, 4.0:
        value, slope = g(x)
        assert value == pytest.approx(f(x), rel=1e-14)
        assert slope == pytest.approx((f(x + 1e-6) - f(x - 1e-6)) / 2e-6, rel=1e-6)


def test_where_the_run_time_decides_on_it_a_list_grows():
    def f(x):
        out, k = [], 0
        while k < 4:
            out.append(x * k)
            if x > 1.0:
                k += 1
            k += 1
        return out[-1]

    for x in (2.0, 0.5):
        assert gs.jit(f)(x) == f(x)
