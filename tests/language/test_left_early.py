"""Loops over lists that are left early where only the run time knows: `break` and `return` in zip, enumerate, reversed,
map, items(). What a loop is left with, and what only its next rounds read."""
import numpy as np
import pytest

import gradscribe as gs

from .test_language import as_python


class Held:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


def bucket(x):
    for k, edge in enumerate([0.0, 1.0, 2.0]):
        if x < edge:
            return k * x
    return -x


def table(x):
    xs, ys = [0.0, 1.0, 3.0], (1.0, 4.0, 2.0)
    for x0, x1, (y0, y1) in zip(xs, xs[1:], zip(ys, ys[1:])):
        if x <= x1:
            break
    return y0 + (x - x0) / (x1 - x0) * (y1 - y0)


def last(x):
    total = 0.0
    for v in reversed([1.0, x, 3.0]):
        if total > x:
            break
        total += v * x
    else:
        total = -total
    return total


def not_called_after(x):
    total = 0.0
    for v in map(lambda v: 1 / (2.0 - v), [1.0, 2.0 * x, 2.0]):
        total += v
        if total < 1.5 or x > 1.0:
            break
    return total


def rows(x):
    d = {"a": 1.0, "b": x, "c": 3.0}
    for k, (key, v) in enumerate(d.items()):
        if v > 1.5:
            return k * v + len(key)
    return x


def of_class(x):
    for v in Held([x, 2.0 * x, 1.0]):
        if v > 1.5:
            return v
    return 0.0


def counted(xs):
    counts = [0, 0, 0]
    for x in xs:
        for k, (lo, hi) in enumerate(zip([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])):
            if lo <= x < hi:
                counts[k] += 1
                break
    return counts


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [bucket, table, last, not_called_after, rows, of_class])
def test_left_early(f, compiled):
    for x in (0.4, 0.8, 1.6, 5.0):
        as_python(f, x, compiled=compiled)
        try:
            want = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        except ZeroDivisionError:
            continue
        grad = gs.grad(f)
        assert (gs.jit(grad) if compiled else grad)(x) == pytest.approx(want, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_counts(compiled):
    as_python(counted, [0.5, 2.5, 0.1, 7.0], compiled=compiled)


def continued(x):
    numbers = zip([1.0, 2.0, 3.0], [x, 2.0 * x, 3.0 * x])
    for _, v in numbers:
        if v > 3.0:
            break
    return next(numbers, (0.0, x))[1]


def test_an_iterator_that_goes_on():
    """Where it is after a break only the run time knows."""
    with pytest.raises(gs.GradscribeError, match="must be known"):
        gs.jit(continued)(1.2)


# what a loop is left with, and what only its next rounds read -------------------------------------
def root(x):
    """In place, and given by an early return."""
    z = x.copy()
    for _ in range(25):
        step = (z * z - x) / (2.0 * z)
        z -= step
        if np.max(np.abs(step)) < 1e-12:
            return z
    raise ArithmeticError("no root")


def roots(x):
    y, k = x, 0.0
    while k < 2.0:
        y = root(y)
        k += 1.0
    return np.sum(y)


def kept(x):
    z = x.copy()
    for _ in range(7):
        z *= 0.9
        if np.sum(z) < 3.0:
            best = z
            break
    else:
        best = 2.0 * z
        z += 1.0
    return np.sum(best * z)


def out_of_two_loops(x):
    z = x.copy()
    for i in range(4):
        for _ in range(3):
            z *= 0.9
            if np.sum(z) < 2.5:
                return np.sum(z * i)
        z += 0.1
    return -np.sum(z)


def copied_each_time(x):
    best, z, total = x, x.copy(), 0.0
    for i in range(4):
        total += np.sum(best * x)
        for _ in range(3):
            z *= 0.8
            if np.sum(z) < 3.0 - i:
                best = z.copy()
                break
    return total + np.sum(best)


def history(x):
    pairs = []
    for _ in range(30):
        g = 2.0 * x
        if np.sum(g**2) < 1e-3:
            break
        d = -0.1 * g
        for p, _ in pairs:
            d = d + 0.01 * p
        pairs.append((d, g))
        if len(pairs) > 3:
            pairs.pop(0)
        x = x + d
    return np.sum(x)


class Memory:
    def __init__(self):
        self.items = []

    def add(self, x):
        self.items.append(x)
        if len(self.items) > 2:
            self.items.pop(0)


def history_of_an_object(x):
    memory = Memory()
    while True:
        if np.sum(x) < 2.0:
            return np.sum(x)
        memory.add(x)
        x = x * 0.8 + 0.01 * memory.items[0]


def another_length(x):
    w = x
    for _ in range(7):
        if np.sum(x) < 2.0:
            w = w[:1]
            break
        w = np.append(w, 1.0)[1:]
        x = 0.8 * x + 0.01 * np.sum(w)
    return np.sum(x)


def kept_and_changed(x):
    best, z = x, x.copy()
    for _ in range(9):
        z *= 0.9
        if np.sum(z) < 2.0:
            best = z
            break
    z += 1.0
    return np.sum(best * x)


def the_same_before(x):
    z = x.copy()
    best, total = z, 0.0
    for _ in range(9):
        total = total + np.sum(best * x)
        z += 1.0
        total = total + np.sum(best * x)
        if total > 50.0:
            best = x
            break
        z = z * 2.0
    return total + np.sum(best)


def the_same_on_a_path(x):
    z = x.copy()
    best, total = z, 0.0
    for _ in range(9):
        z += 1.0
        total = total + np.sum(best * x)
        if total > 50.0:
            z = z * 3.0
            best = x
            break
        if total > 20.0:
            z = z * 2.0
    return total + np.sum(best) + np.sum(z)


def read_by_a_function(x):
    best, z, total = x, x.copy(), 0.0

    def gain(v):
        return np.sum(v * best)
    for _ in range(5):
        total += gain(z)
        z *= 0.9
        if total > 10.0:
            best = z
            break
    return total + gain(x)


def read_in_finally(x):
    seen, total = [], 0.0
    for _ in range(6):
        try:
            if np.sum(x) < 2.0:
                break
            seen.append(x)
            x = x * 0.8
        finally:
            total = total + len(seen) * np.sum(x)
    return total


def read_by_the_caller(x):
    def fill(x, out):
        for _ in range(6):
            if np.sum(x) < 2.0:
                break
            out.append(np.sum(x))
            x = x * 0.8
        return x
    out = []
    return np.sum(fill(x, out)) + sum(out)


@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [roots, kept, out_of_two_loops, copied_each_time, history, history_of_an_object,
                               another_length])
def test_what_a_loop_is_left_with(f, compiled):
    gradient = gs.value_and_grad(f)
    check_gradient(f, gs.jit(gradient) if compiled else gradient)


# the loops above make some rounds, end in their first, and make more
LONG, AT_ONCE, LONGER = np.array([2.0, 3.0]), np.array([0.2, 0.3]), np.array([20.0, 3.0])


@pytest.mark.parametrize("f", [kept_and_changed, the_same_before, the_same_on_a_path, read_by_a_function,
                               read_in_finally, read_by_the_caller])
def test_what_others_see_is_right_or_refused(f):
    try:
        check_gradient(f, gs.value_and_grad(f))
    except gs.UnsupportedError as error:
        assert "may share memory" in str(error) or "on one path only" in str(error)
    except gs.errors.RefusedValue as error:  # of the run: no list is there where the loop ends at once
        assert "a list gets longer in the first rounds of this loop" in str(error)
        check_gradient(f, gs.value_and_grad(f), (LONG, LONGER))


def check_gradient(f, value_and_grad, points=(LONG, AT_ONCE, LONGER)):
    for x in points:
        value, gradient = value_and_grad(x)
        assert value == pytest.approx(f(x), rel=1e-12)
        differences = [(f(x + 1e-6 * d) - f(x - 1e-6 * d)) / 2e-6 for d in np.eye(2)]
        np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-7)


def settled(X, w):
    """The first w has the length of the argument, the later ones that of a row of X."""
    for _ in range(20):
        r = 1.0 / (1.0 + np.exp(-X @ w))
        if np.sum(r) < 1e-3:
            break
        w = (X.T @ r) / np.sum(r)
    return np.sum(w**2)


def test_derivatives_of_the_gradient_where_a_length_has_two_names():
    X, w = np.array([[1.0, 0.3], [-0.5, 0.8], [0.2, -0.4]]), np.array([0.3, 0.4])
    gradient = gs.grad(settled, argnums=(0, 1))
    got = gs.hvp(settled, (X, w), (X, w))
    above, below = [gradient(s * X, s * w) for s in (1.0 + 1e-6, 1.0 - 1e-6)]
    for product, a, b in zip(got, above, below, strict=True):
        np.testing.assert_allclose(product, (a - b) / 2e-6, atol=1e-8)
