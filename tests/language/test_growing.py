"""Lists that grow in loops of the run time: values, aliases and exceptions are Python's;
they are no reason to unroll a loop."""
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


LOOPS = [states, running_sums, before_the_sum, from_the_last, nested, nested_with_more, backwards, each_second,
         in_branches, two_lists, comprehensions, of_matrices, of_vectors, rebound, by_a_function, parts_of_vectors]


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


AS_LISTS = [stored_into_after, stored_into_at_the_end, stored_through_the_list, the_list_itself, of_other_shapes,
            taken_off, longer_while_it_is_read]


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


@pytest.mark.parametrize("f", [states, running_sums, lambda x, n: np.array(the_list_itself(x, n)),
                               lambda x, n: np.concatenate(the_list_itself(x, n))],
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


def nothing_in_each(x):
    found = []
    for v in x:
        if v > 0:
            found.append(())
    return found


def test_a_list_of_items_with_nothing_in_them_is_no_result():
    """No row says how many there are."""
    with pytest.raises(gs.GradscribeError, match="is used as a list"):
        gs.jit(nothing_in_each)(np.ones(2))


def neighbours(x):
    """Lists in a list that have nothing in them at first."""
    n = len(x)
    near, total = [[] for _ in range(n)], 0.0
    for i in range(n - 1):
        near[i].append(i + 1)
        near[i + 1].append(i)
    for i in range(n):
        for j in near[i]:
            total += x[i] * x[j]
    return total


class Node:
    def __init__(self):
        self.kids = []


def a_tree(x):
    nodes = [Node() for _ in x]
    for k in range(1, len(x)):
        nodes[(k - 1) // 2].kids.append(k)
    return sum(x[k] * x[j] for k, node in enumerate(nodes) for j in node.kids) + len(nodes[0].kids)


def of_dicts(x):
    found = [{} for _ in x]
    found[1]["a"] = x[0]
    return x[1] + found[1]["a"]


def on_one_path(x):
    found = []
    for v in x:
        if v > 0:
            found.append([])
    found[-1].append(x[0])
    return x[1] + sum(sum(s) for s in found)


@pytest.mark.parametrize("f", [neighbours, a_tree, of_dicts], ids=lambda f: f.__name__)
def test_items_that_are_filled_later(f):
    for n in (5, 3):
        x = np.linspace(0.5, 2.0, n)
        check_grads(f, (x,), order=1)
        check_grads(gs.jit(f), (x,), order=1)
        np.testing.assert_allclose(gs.jit(f)(x), f(x), rtol=1e-14)


def test_items_that_are_filled_later_and_appended_on_one_path_are_refused():
    with pytest.raises(gs.GradscribeError, match="another length, or other keys, on each path"):
        gs.grad(on_one_path)(np.ones(3))
