"""Lists that grow in loops of the run time: values, aliases and exceptions are Python's; they are no reason to unroll a loop."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal
from tests.support.cases import assert_equal, ran

X = np.array([0.3, 0.7, -0.2])


def states(x, n):
    out = []
    for _ in range(n):
        x = np.sin(x) * 1.1
        out.append(x)
    return np.stack(out)


def running_sums(x, n):
    sums, s = [], 0
    for v in x:
        s = s + v * v
        sums.append(s)
    return np.array(sums) * n


def before_the_sum(x, n):
    """Its items are an int, and then floats."""
    sums, s = [], 0
    for v in x:
        sums.append(s)
        s = s + v
    return np.array(sums)


def from_the_last(x, n):
    out = [x]
    for k in range(n):
        out.append(np.tanh(out[-1]) * (1.5 + k))
    return np.stack(out, axis=1), len(out), out[0], out[2], out[-1]


def nested(x, n):
    out = []
    for i in range(n):
        for j in range(3):
            out.append(x * i + j)
    return np.array(out)


def nested_with_more(x, n):
    out = [x[0]]
    for i in range(n):
        out.append(x[0] * i)
        for j in range(n + 1):
            out.append(x[1] * j)
        out.append(x[2])
    out.append(7.0)
    return np.array(out) * len(out)


def backwards(x, n):
    out = []
    for i in range(n - 1, -1, -1):
        out.append((x * i, {"i": i}))
    s = 0.0
    for a, d in out:
        s = s + np.sum(a) * d["i"]
    return s


def each_second(x, n):
    out = []
    for i in range(0, n, 2):
        out.append(x[i % 3])
    out.append(7.0)
    return np.array(out)


def in_branches(x, n):
    log = {"loss": [], "last": 0.0}
    for i in range(n):
        x = x * 1.5
        if x[0] > 1.0:
            log["loss"].append(x[0])
        else:
            log["loss"].append(-x[0])
    return np.array(log["loss"]) * len(log["loss"])


def two_lists(x, n):
    xs, ys = [], []
    for i in range(n):
        xs.append(x[i % 3])
        ys.append(xs[-1] * 2.0)
    return np.sum([a * b for a, b in zip(xs, ys)]) + np.sum(xs) + np.mean(ys)


def comprehensions(x, n):
    squares = [v * v for v in x]
    table = [np.array([v * i for v in squares]) for i in range(n)]
    pairs = np.array([a - b for a in x for b in range(n)])
    return np.array([np.sum(row) for row in table]) * np.sum(pairs)


def of_matrices(x, n):
    rows = []
    for i in range(n):
        rows.append(np.outer(x, x) * i)
    return np.concatenate(rows), np.vstack(rows), np.stack(rows, axis=-1)


def of_vectors(x, n):
    rows = []
    for i in range(n):
        rows.append(x ** i)
    return np.vstack(rows)


def rebound(x, n):
    """A list made anew in each iteration of the loop around."""
    total = 0.0
    for i in range(n):
        parts = []
        for v in x:
            parts.append(v * i)
        total = total + np.sum(np.array(parts) ** 2)
    return total


def grows(parts, x):
    parts.append(x * 2.0)


def by_a_function(x, n):
    parts = []
    for i in range(n):
        grows(parts, x * i)
    return np.stack(parts)


def parts_of_vectors(x, n):
    """The lengths of its items are quotients that the body computes."""
    halves, gates = [], []
    for k in range(n):
        z = np.outer(x, [1.0, -1.0]).ravel() * (k + 1.0)
        first, second = np.split(z, 2)
        x = np.tanh(x) + 0.1 * np.sum(first * second)
        halves.append(second)
        gates.append((z[len(z) // 3:], z[:len(z) % 4]))
    return np.stack(halves), np.stack([g for g, _ in gates]), np.stack([r for _, r in gates])


LOOPS = [states, running_sums, before_the_sum, from_the_last, nested, nested_with_more, backwards, each_second, in_branches, two_lists, comprehensions,
         of_matrices, of_vectors, rebound, by_a_function, parts_of_vectors]


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_as_python_has_it(f, make):
    made = make(f)
    for n in (2, 5, 4):
        assert_equal(made(X.copy(), n), f(X.copy(), n))
    assert sum(map(len, made._cache.programs.values())) == 1, "a loop is unrolled for each number of iterations"


@pytest.mark.heavy(one_in=125)
@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
def test_gradients(f):
    def floats(x):
        out = f(x, 4)
        return [a for a in out if not isinstance(a, int)] if isinstance(out, tuple) else out
    check_grads(floats, (X,), order=2)
    check_grads(gs.jit(floats), (X,), order=1)


@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
def test_batched(f):
    xs = np.stack([X, 2.0 * X])
    each = [f(x.copy(), 4) for x in xs]
    got = gs.vmap(f, in_axes=(0, None))(xs, 4)
    want = tuple(np.stack(parts) for parts in zip(*each)) if isinstance(each[0], tuple) else np.stack(each)
    assert_equal(got, want, 1e-12)


def test_the_source_has_an_array_and_a_loop():
    source = Primal(states).source(X, 3)
    assert "for i in range(n):" in source and "out[i] = x" in source and "np.stack" not in source


# aliases: an item is the array that was appended -----------------------------------------------------
def stored_into_after(x, n):
    x, out = x.copy(), []
    for _ in range(n):
        x *= 1.5
        out.append(x)
    return np.stack(out)


def stored_into_at_the_end(x, n):
    out = []
    for _ in range(n):
        x = x * 1.5
        out.append(x)
    x[0] = 100.0
    return np.stack(out)


def stored_through_the_list(x, n):
    out = []
    for _ in range(n):
        x = x * 1.5
        out.append(x)
    out[-1][0] = 100.0
    return np.stack(out), x


def the_list_itself(x, n):
    out = []
    for i in range(n):
        out.append(x[i % 3] * 2.0)
    return out


def of_other_shapes(x, n):
    out = []
    for i in range(n):
        out.append(x[:i + 1])
    return np.concatenate(out)


def taken_off(x, n):
    out = []
    for i in range(n):
        out.append(x[i % 3])
    last = out.pop()
    return last + len(out)


def longer_while_it_is_read(x, n):
    out = [x[0]]
    for i in range(n):
        out.append(x[1])
    for v in out:
        if len(out) < 6:
            out.append(v * 2.0)
    return np.array(out)


AS_LISTS = [stored_into_after, stored_into_at_the_end, stored_through_the_list, the_list_itself, of_other_shapes, taken_off, longer_while_it_is_read]


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", AS_LISTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_where_rows_cannot_stand_for_items_the_loop_is_unrolled(f, make):
    for n in (3, 2):
        assert_equal(make(f)(X.copy(), n), f(X.copy(), n))


def test_a_store_once_the_list_is_gone():
    def f(x, n):
        x, out = x + 0.0, []
        for _ in range(n):
            x = x * 1.5
            out.append(x)
        y = np.stack(out)
        del out
        x[0] = 100.0
        return y, x

    made = Primal(f)
    for n in (2, 3):
        assert_equal(made(X.copy(), n), f(X.copy(), n))
    assert sum(map(len, made._cache.programs.values())) == 1


@pytest.mark.parametrize("f", [states, running_sums, lambda x, n: np.array(the_list_itself(x, n)), lambda x, n: np.concatenate(the_list_itself(x, n))],
                         ids=["stack", "array of floats", "array", "concatenate"])
def test_of_nothing(f):
    empty = np.zeros(0) if f is running_sums else X
    want = ran(f, lambda: (empty, 0))
    got = ran(Primal(f), lambda: (empty, 0))
    assert (type(got.error), str(got.error)) == (type(want.error), str(want.error))
    if want.error is None:
        assert_equal(got.out, want.out)


def test_no_such_item():
    def f(x, n):
        out = []
        for i in range(n):
            out.append(x[i % 3])
        return out[4] + out[-5]

    for make in (Primal, gs.jit):
        assert make(f)(X, 5) == f(X, 5)
        with pytest.raises(IndexError):
            make(f)(X, 4)


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


FREE = [halved, steps_of_any_size, of_each_sign, rows_that_fit, places, filtered, kept_by_a_function, an_array_that_grows, once_more, near, left]


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
    np.testing.assert_allclose(gs.vmap(lambda x: first(x))(np.stack([X, 1.1 * X])), [first(X), first(1.1 * X)], rtol=1e-12)


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
        return out.pop()

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
