"""Loops over lists that are left early where only the run time knows: `break` and `return` in zip, enumerate, reversed, map, items()."""
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
