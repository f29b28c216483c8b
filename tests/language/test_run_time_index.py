"""An index of a list or tuple that only the run time knows: counters, bins, permutations, tables."""
import numpy as np
import pytest

import gradscribe as gs

from .test_language import as_python


def table(x):
    ys = [1.0, 4.0, x, 2.0 * x]
    k = int(x)
    return ys[k] + ys[-k - 1] * (x - k)


def pairs(x):
    table = ((0.0, 1.0), (1.0, 3.0), (2.0, 2.0))
    (x0, y0), (x1, y1) = table[int(x)], table[int(x) + 1]
    return y0 + (x - x0) / (x1 - x0) * (y1 - y0)


def bins(xs):
    counts, sums = [0] * 3, [0.0] * 3
    for x in xs:
        k = int(x)
        counts[k] += 1
        sums[k] += x * x
    return [s / c if c else 0.0 for s, c in zip(sums, counts)], counts


def places(xs):
    place = [0] * len(xs)
    for k, x in enumerate(xs):
        place[sum([y < x for y in xs])] = k
    return place


def chained(x):
    grid = [[x, 2.0], [3.0, x * x]]
    i = int(x) % 2
    grid[i][1 - i] += 1.0
    return grid


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [table, pairs])
def test_read(f, compiled):
    for x in (0.5, 1.25, 3.5, -2.5, 7.0):
        as_python(f, x, compiled=compiled)
        if 0 < x < 2:
            grad = gs.jit(gs.grad(f)) if compiled else gs.grad(f)
            assert grad(x) == pytest.approx((f(x + 1e-6) - f(x - 1e-6)) / 2e-6)


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_stored(compiled):
    for xs in ([0.5, 2.5, 0.25], [1.5], [0.5, 3.5], [-1.5, 0.5]):
        as_python(bins, xs, compiled=compiled)
        as_python(places, xs, compiled=compiled)
    as_python(bins, np.array([0.5, 2.5, 0.25]).tolist(), compiled=compiled)
    loss = lambda xs: sum([(k + 1) * m for k, m in enumerate(bins(xs)[0])])  # noqa: E731
    assert gs.grad(loss)([0.5, 2.5, 0.25]) == pytest.approx([0.5, 15.0, 0.25])


def test_stored_into_one_of_several():
    """Which list is changed only the run time knows."""
    with pytest.raises(gs.GradscribeError, match="may be the same"):
        gs.jit(chained)(0.5)


def binned(xs):
    counts = [0.0, 0.0, 0.0]
    for x in xs:
        counts[int(x)] += x
    return counts[0] * counts[1] + counts[2]


def test_the_loop_stays_a_loop():
    xs = np.array([0.5, 1.5, 1.25, 2.5, 0.25])
    f = gs.jit(binned)
    assert f(xs) == pytest.approx(binned(xs)) and "for" in f.source(xs)
    assert gs.grad(binned)(xs) == pytest.approx([2.75, 0.75, 0.75, 1.0, 2.75])
