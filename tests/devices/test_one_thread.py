"""Loops that stay in one thread, because their iterations depend on each other."""
import numpy as np
import pytest

import gradscribe as gs
from benchmarks.row17_branches import energy, root
from gradscribe.transformer.loop_core import long_nests
from tests.devices.shared_loops import X0, A, X, same, text

RNG = np.random.default_rng(3)


# what stays in one thread --------------------------------------------------------------------------
def recurrence(x):
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        if x[i] > 0.0:
            out[i] = out[i - 1] + x[i]
    return out


def neighbour(x):
    out = np.zeros(len(x) + 1)
    for i in range(len(x)):
        if x[i] > 0.0:
            out[i + 1] = x[i]
        out[i] += 1.0
    return out


def total(x):
    out, s = np.zeros(len(x)), 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            s += x[i]
        out[i] = s
    return out


def histogram(x):
    out = np.zeros(5)
    for i in range(len(x)):
        k = 0
        while k < 4 and x[i] > k - 1.5:
            k += 1
        out[k] += 1.0
    return out


def through_a_view(x):
    out = np.zeros(len(x) + 1)
    later = out[1:]
    for i in range(len(x)):
        if x[i] > 0.0:
            later[i] = x[i] + out[i]
    return out


def at_two_axes(x):
    out = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(3):
            out[i, j] = x[i]
            out[j, i] = -x[i]
    return out


def wraps_around(x):
    out = np.zeros(4)
    for i in range(-4, 4):
        for j in range(3):
            out[i] = 2.0 * out[i] + x[j]
    return out


def left_behind(x):
    """Room that one iteration fills and the next one reads."""
    out, room = np.zeros(len(x)), np.empty(2)
    for i in range(len(x)):
        if i > 0:
            out[i] = room[0]
        for j in range(2):
            room[j] = x[i] + j
    return out


def into_the_argument(x):
    for i in range(len(x)):
        if x[i] > 0.0:
            x[i] = 0.0
    return x * 2.0


def in_a_loop_of_the_user(x):
    """Each round of the inner loop is independent, but there may be too little in it to look at the clock each time."""
    for t in range(3):
        out = np.zeros(len(x))
        for i in range(len(x)):
            if x[i] > 0.0:
                out[i] = np.sin(x[i])
        x = out
    return x


def swapped(x):
    """Two arrays that take turns: the one that is read is another one than the one that is stored into."""
    old, new = x.copy(), np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0.0:
            old, new = new, old
        new[i] = old[i] + x[i]
    return old + new


DEPENDENT = {f.__name__: f for f in (recurrence, neighbour, total, histogram, through_a_view, at_two_axes, wraps_around,
                                     left_behind, into_the_argument, in_a_loop_of_the_user, swapped)}


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", DEPENDENT)
def test_what_stays_in_one_thread(name, monkeypatch):
    """Other loops of these functions are shared where they have much to do."""
    monkeypatch.setattr(long_nests, "LONG", 0)
    f, x = DEPENDENT[name], RNG.normal(size=600)
    g, want = gs.jit(f, parallel=True), f(x.copy())
    assert "rp.share(" not in text(f, x)
    for _ in range(10):
        np.testing.assert_allclose(g(x.copy()), want, rtol=1e-12)


def test_a_sum_over_the_examples_stays_in_one_thread():
    """The cotangent of what is the same for all examples is added up by all of them."""
    def kinked(w, x):
        if x > 0.0:
            return np.sum(np.sin(w * x))
        return w[0] * x

    f, w = gs.grad(lambda w: np.sum(gs.vmap(kinked, in_axes=(None, 0))(w, X))), np.array([0.1, 0.2, 0.3])
    assert "for " in text(f, w) and "rp.share(" not in text(f, w)
    assert "rp.share(" in text(gs.vmap(gs.grad(kinked), in_axes=(None, 0)), w, X)
    same(gs.jit(f, parallel=True)(w), gs.jit(f, parallel=False)(w))


@pytest.mark.heavy(one_in=2)
def test_a_loop_in_a_loop_that_is_shared_is_not():
    f = gs.vmap(gs.vmap(root))
    args = A.reshape(50, 10), X0.reshape(50, 10)
    assert text(f, *args).count("rp.share(") == 1
    same(gs.jit(f, parallel=True)(*args), gs.jit(f, parallel=False)(*args))


def test_explain_says_which_loops_threads_share():
    said = gs.jit(gs.vmap(energy)).explain(X).split("# ----")
    section, = [part for part in said if "loops that run on threads when compiled" in part]
    assert ": if x > 0.0:" in section
    assert "run on threads" not in gs.jit(gs.vmap(energy), parallel=False).explain(X)


def test_parallel_is_one_of_three():
    with pytest.raises(ValueError, match='parallel=2: it is "auto", True or False'):
        gs.jit(energy, parallel=2)
    assert repr(gs.jit(energy)) == "gradscribe.jit(energy)"
