"""Lists that are changed once the run has decided how long they are, and iterators that it ends."""
import heapq
import itertools

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal
from tests.support.cases import assert_equal, ran

X, OTHER, LABELS = np.array([2.4, 0.7, 1.5, -0.3]), np.array([3.1, -0.2, 0.4, 0.9]), np.array([3, 1, 3, 2])


def counted(x):
    return int(np.ceil(x[0]))


def filled(x):
    out = []
    while len(out) < x[0]:
        out.append(x[1] * len(out))
    return out


# lists ----------------------------------------------------------------------------------------
def repeated(x, labels):
    u, squares = [0.0] * counted(x), [0] * counted(x)
    for k in range(len(u)):
        squares[k] = k * k
        u[k] += x[k] * k
    u[0], u[-1] = u[-1], u[0]
    return np.array(u) @ np.array(squares) + u[-1] * x[1]


def a_buffer(x, labels):
    """Shifts by one in each round, as unit hydrographs do."""
    store, out = [0.0] * counted(x), []
    for v in x:
        for k in range(len(store) - 1):
            store[k] = store[k + 1] + v / (k + 1)
        store[-1] = v * v
        out.append(store[0])
    return np.array(out[1:]) @ x[1:]


def filled_by_a_function(x, labels):
    def fill(z, v):
        for k in range(len(z)):
            z[k] = v * k

    u = [0.0] * counted(x)
    fill(u, x[1])
    return np.sum(np.array(u) ** 2)


def on_one_path(x, labels):
    u = [0.0] * counted(x)
    if x[1] > 0.5:
        u[1] = x[1]
    else:
        u[0] = 2.0
    return sum(u) * x[0]


def of_pairs(x, labels):
    rows = [(0.0, 0.0)] * counted(x)
    rows[1] = (x[0], x[1])
    return sum(a * b for a, b in rows) * x[0]


def parts(x, labels):
    path = [abs(x[0])]
    while path[-1] > 0.1:
        path.append(path[-1] * 0.6)
    return sum(path[1:]) - sum(path[:-1]) * x[1] + path[::-1][0] + len(path[1:-1])


def a_stack(x, labels):
    stack, total = [x[0]], 0.0
    while stack:
        v = stack.pop()
        total += v * v
        if v > 0.5:
            stack.append(v / 2)
            stack.append(v / 3)
    return total


def methods(x, labels):
    out = filled(x)
    out.insert(1, x[2])
    del out[0]
    out.extend([x[2], x[3]])
    out.extend(out)
    again = out.copy()
    again[0] = x[0]
    again.append(x[1])
    return np.array(again) @ np.arange(len(again)) + len(out)


def looked_for(x, labels):
    places = []
    while len(places) < x[0]:
        places.append(int(labels[len(places) % 4]))
    places.remove(1)
    return places.count(3), places.index(3), len(places)


def taken_off_on_some_paths(x, labels):
    out = filled(x)
    for v in x:
        if v > 1.0 and out:
            out.pop()
    return len(out) * x[0] + sum(out)


def a_heap(x, labels):
    """Of a length that only the run knows."""
    heap = [0.1]
    for v in x:
        if v > 0.45:
            heapq.heappush(heap, v)
    return heapq.heappop(heap) * x[0] + heapq.heappop(heap) ** 2


LISTS = [a_heap, repeated, a_buffer, filled_by_a_function, on_one_path, of_pairs, parts, a_stack, methods, looked_for,
         taken_off_on_some_paths]


# iterators, and what else an item is --------------------------------------------------------------
def taken_while(x, labels):
    first = list(itertools.takewhile(lambda v: v > 0.5, x))
    rest = itertools.dropwhile(lambda v: v > 1.0, x)
    return len(first) * x[0] + sum(v * v for v in rest)


def left_out(x, labels):
    return sum(v * v for v in itertools.filterfalse(lambda v: v > 0.3, x)) + x[0]


def while_the_total_is_small(x, labels):
    """The test sees what the loop has changed."""
    total = x[0] * 0.0
    for v in itertools.takewhile(lambda v: total < 3.0, x):
        total = total + v
    return total


def of_names(x, labels):
    names = []
    for v in x:
        if v > 1.0:
            names.append("large")
        elif v < 0.0:
            names.append("negative")
    return len(names) * x[0]


OTHERS = [taken_while, left_out, while_the_total_is_small, of_names]
ALL = LISTS + OTHERS


def agrees(f, made):
    """What is made of f gives the same for lists of other lengths, and labels in another order."""
    for x in (X, OTHER):
        for labels in (LABELS, LABELS[::-1].copy()):
            want, got = ran(f, lambda: (x.copy(), labels)), ran(made, lambda: (x.copy(), labels))
            assert want.error is None and got.error is None, (want.error, got.error)
            assert_equal(got.out, want.out, 1e-12)


def has_slopes(f):
    """The derivatives of its first result against differences, and `vmap` against a loop."""
    def first(x):
        out = f(x, LABELS)
        return out[0] if isinstance(out, tuple) else out

    for x in (X, OTHER):
        check_grads(first, (x,), order=2)
        check_grads(gs.jit(first), (x,), order=1)
    np.testing.assert_allclose(gs.vmap(lambda x: first(x))(np.stack([X, OTHER, 1.1 * X])),
                               [first(X), first(OTHER), first(1.1 * X)], rtol=1e-12)


@pytest.mark.heavy(one_in=16)
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_as_python_has_it(f, make):
    agrees(f, make(f))


@pytest.mark.heavy(one_in=32)
@pytest.mark.parametrize("f", [f for f in ALL if f not in (looked_for,)], ids=lambda f: f.__name__)
def test_their_gradients(f):
    has_slopes(f)


# what is raised -------------------------------------------------------------------------------
def no_such_item(x):
    return ([0.0] * counted(x))[5]


def stored_beyond(x):
    u = [0.0] * counted(x)
    u[counted(x)] = 1.0
    return u[0]


def empty(x):
    out = filled(x)
    while True:
        out.pop()


def removed_without(x):
    out = filled(x)
    out.remove(77.0)
    return len(out)


@pytest.mark.parametrize("f", [no_such_item, stored_beyond, empty, removed_without],
                         ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_what_python_raises(f, make):
    want, got = ran(f, lambda: (X.copy(),)), ran(make(f), lambda: (X.copy(),))
    assert want.error is not None and type(got.error) is type(want.error) and str(got.error) == str(want.error)


# what stays refused ---------------------------------------------------------------------------
def shorter_while_it_is_run_over(x):
    out, total = filled(x), 0.0
    for v in out:
        total += v
        out.pop()
    return total


def items_in_two_places(x):
    rows = [np.zeros(2)] * counted(x)
    rows[0][1] = x[0]
    return rows[1][1]


def a_list_in_two_places(x):
    rows = [[0.0, 0.0]] * counted(x)
    rows[0][1] = x[0]
    return rows[1][1]


def which_name_it_is(x):
    names = []
    for v in x:
        if v > 1.0:
            names.append("large")
        elif v < 0.0:
            names.append("negative")
    return x[0] if names[0] == "large" else x[1]


@pytest.mark.parametrize("f", [shorter_while_it_is_run_over, items_in_two_places, a_list_in_two_places,
                               which_name_it_is], ids=lambda f: f.__name__)
def test_refused(f):
    with pytest.raises(gs.GradscribeError):
        gs.grad(f)(X)


def test_which_class_a_result_has_is_known():
    def f(x):
        u = [0.0] * counted(x)
        u[1] = x[0]
        return u[int(x[1])]

    with pytest.raises(gs.UnsupportedError, match=r"float\(...\)"):
        gs.jit(f)(X)
    assert type(gs.jit(lambda x: float(f(x)))(X)) is float
    np.testing.assert_array_equal(gs.grad(f)(X), np.zeros(4))


ADMITTED = [(5.0, 1, 2.0), (2.0, 0, 1.5), (5.0, 1, 0.5), (8.0, 1, 1.0)]


def by_time(x):
    """Floats outside decide an order, and are keys."""
    at, steps = 0.0, {}
    for time, died, weight in sorted(ADMITTED, key=lambda row: -row[0]):
        at = at + died / (x * weight + 1.0)
        steps[time] = at
    for time, group in itertools.groupby(sorted(ADMITTED), key=lambda row: row[0]):
        at = at + len(list(group)) * time * x
    return at + np.interp(4.0, list(steps)[::-1], list(steps.values())[::-1])


def test_numbers_outside_are_known_where_they_must_be():
    assert Primal(by_time)(1.5) == by_time(1.5) and gs.jit(by_time)(1.5) == pytest.approx(by_time(1.5), rel=1e-14)
    check_grads(by_time, (1.5,), order=2)
    ADMITTED.append((9.0, 1, 3.0))
    try:
        assert gs.jit(by_time)(1.5) == pytest.approx(by_time(1.5), rel=1e-14)
    finally:
        ADMITTED.pop()
