"""Lists and arrays that are as long as the run says, and what is refused of them."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal
from tests.support.cases import assert_equal, ran

X = np.array([0.3, 0.7, -0.2])


# lists and arrays as long as the run says --------------------------------------------------------------
def halved(x, n):
    """In a while."""
    v, out = 5.0 * x[0] + n, []
    while v > 0.3:
        out.append(v)
        v = v * 0.4
    return np.sum(np.array(out) ** 2), len(out), out[-1] * out[0]


def steps_of_any_size(x, n):
    """Times and states of an adaptive integration."""
    times, states, t, y = [0.0], [x[1]], 0.0, x[1]
    while t < 1.0:
        h = 0.2 / (1.0 + abs(y))
        t, y = t + h, y - h * y * y
        times.append(t)
        states.append(y)
    return np.trapezoid(np.array(states), np.array(times))


def of_each_sign(x, n):
    """On one path each."""
    above, below = [], []
    for v in x:
        if v > 0.0:
            above.append(v * n)
        else:
            below.append(v)
    return np.mean(above) * sum(below) + len(above)


def rows_that_fit(x, n):
    kept = []
    for k in range(n):
        row = x * k + np.sin(k)
        if row[0] > 0.2:
            kept.append(row)
    return np.stack(kept).mean(axis=0)


def places(x, n):
    """A list of indices."""
    at = []
    for k in range(len(x)):
        if x[k] > 0.0:
            at.append(k)
    return np.sum(x[at] ** 2) * at[-1]


def filtered(x, n):
    """Comprehensions with conditions of the run."""
    large = [v * v for v in x if v > 0.1]
    return np.sum(np.array(large)) + sum([v for v in x if v < 0.5]) * len(large)


def kept_by_a_function(x, n):
    def keep(into, v):
        if v > 0.0:
            into.append((v, 2.0 * v))

    pairs = []
    for v in x:
        keep(pairs, v)
    total = 0.0
    for a, b in pairs:
        total = total + a * b
    return total


def an_array_that_grows(x, n):
    out, v = np.zeros(0), 2.0 + x[0] * n
    while v > 0.3:
        out = np.append(out, v)
        v = 0.5 * v
    if x[2] < 0.0:
        out = np.concatenate([out, x])
    return np.sum(out**3)


def once_more(x, n):
    """Of one element on one path, of several on another."""
    y = x[:1]
    if x[0] > 0.0:
        y = np.concatenate([y, x])
    return np.sum(y**2)


def near(x, n):
    """A list made in each round of a loop around."""
    total = 0.0
    for w in x:
        close = []
        for v in x:
            if abs(v - w) < 0.6:
                close.append(v)
        total = total + np.mean(np.array(close)) ** 2
    return total


def left(x, n):
    """Left by a break, and by a return."""
    out, v = [], abs(x[1])
    while True:
        v = 1.3 * v + 0.1
        out.append(v)
        if v > 3.0:
            break
    for w in x:
        if w > 0.0:
            out.append(w)
        if len(out) > 9:
            return np.sum(np.array(out)) * 2.0
    return np.sum(np.array(out) ** 2)


FREE = [halved, steps_of_any_size, of_each_sign, rows_that_fit, places, filtered, kept_by_a_function,
        an_array_that_grows, once_more, near, left]


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("f", FREE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_as_long_as_the_run_says(f, make):
    made = make(f)
    for n in (3, 6):
        for x in (X, -X, 2.0 * X):
            want, got = ran(f, lambda: (x.copy(), n)), ran(made, lambda: (x.copy(), n))
            assert want.error is None and got.error is None, (want.error, got.error)
            assert_equal(got.out, want.out, 1e-12)


@pytest.mark.heavy(one_in=32)
@pytest.mark.parametrize("f", FREE, ids=lambda f: f.__name__)
def test_their_gradients(f):
    def first(x):
        out = f(x, 4)
        return out[0] if isinstance(out, tuple) else out
    check_grads(first, (X,), order=2)
    check_grads(gs.jit(first), (X,), order=1)
    np.testing.assert_allclose(gs.vmap(lambda x: first(x))(np.stack([X, 1.1 * X])), [first(X), first(1.1 * X)],
                               rtol=1e-12)


def test_another_number_of_items_makes_no_program():
    made = Primal(halved)
    for scale in (1.0, 10.0, 100.0):
        made(scale * X, 3)
    assert sum(map(len, made._cache.programs.values())) == 1


# refused -----------------------------------------------------------------------------------------
def refused(f, *args):
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(f)(*args)
    return str(caught.value)


def test_a_list_where_only_the_run_time_knows_the_length():
    def f(x):
        out, n = [], 0
        while n < x:
            n += 1
        for i in range(n):
            out.append(x * i)
        return out == [0.0, x]

    message = refused(f, 3.0)
    assert "is used as a list" in message and "np.stack(out)" in message


def above(x, floor):
    kept = []
    for v in x:
        if v > floor:
            kept.append(v * v)
    return np.sum(np.array(kept))


def test_how_many_items_there_are_is_called_count():
    text = gs.grad(above).source(np.arange(5.0), 1.5)
    assert "count += 1" in text and "kept_bar[count]" in text and "list" not in text
    np.testing.assert_array_equal(gs.grad(above)(np.arange(5.0), 1.5), [0.0, 0.0, 4.0, 6.0, 8.0])


def test_what_is_refused_is_not_a_length_that_the_run_may_decide():
    def f(x):
        kept = [v for v in x if v > 0.0]
        return len(kept) * len({v for v in x})

    with pytest.raises(gs.GradscribeError) as caught:
        gs.grad(f)(X)
    assert "how long a list" not in str(caught.value) and "len({v for v in x})" in str(caught.value)
