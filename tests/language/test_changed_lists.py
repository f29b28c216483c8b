"""Lists as long as the run says that are sorted, turned round, cleared, cut, joined, and begun anew on one path."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal
from tests.support.cases import assert_equal, ran

X = np.array([0.5, -1.0, 2.0, 0.3, 1.7, -0.2, 0.9])
INPUTS = X, X[::-1].copy(), -X, X + 2.0


def rising(y):
    """A stack whose items fall from the bottom to the top."""
    stack, total = [], 0.0
    for v in y:
        while stack and stack[-1] <= v:
            stack.pop()
        if stack:
            total += stack[-1] * v
        stack.append(v)
    return total + len(stack)


def rectangles(y):
    """The largest rectangle below a histogram."""
    stack, best = [], 0.0
    for k, v in enumerate(y):
        start = k
        while stack and stack[-1][1] > v:
            start, height = stack.pop()
            best = max(best, height * (k - start))
        stack.append((start, v))
    for start, height in stack:
        best = max(best, height * (len(y) - start))
    return best


def hull(y):
    """The area below the convex hull of points."""
    points = []
    for k in range(len(y)):
        p = (float(k), y[k])
        while (len(points) >= 2 and (points[-1][0] - points[-2][0]) * (p[1] - points[-2][1])
               - (points[-1][1] - points[-2][1]) * (p[0] - points[-2][0]) >= 0):
            points.pop()
        points.append(p)
    area = 0.0
    for (x0, y0), (x1, y1) in zip(points[:-1], points[1:]):
        area += 0.5 * (x1 - x0) * (y0 + y1)
    return area


def positive(y):
    found = []
    for v in y:
        if v > 0.1:
            found.append(v)
    return found


def in_order(y):
    found = positive(y)
    found.sort()
    first = found[0]
    found.sort(reverse=True, key=lambda v: abs(v - 1.0))
    return first * 2.0 + found[0] * found[-1]


def turned_round(y):
    found = positive(y)
    for _ in range(3):
        found.reverse()
        found[0] *= 1.5
    return found[0] * 2.0 + found[-1]


def cut(y):
    found = positive(y)
    found[1:2] = [v * v for v in y]
    found[:0] = [y[0], y[1]]
    found[-1:] = []
    found[len(found):] = found[-2:]
    return sum(found) * 1.5 + len(found) + found[-1] ** 2


def joined(y):
    below, above = [], []
    for v in y:
        if v > 0.1:
            above.append(v)
        else:
            below.append(v)
    both = above + below + [y[0]]
    both += above
    return both[0] * both[-1] + sum(u * w for u, w in zip(both, both[1:]))


def cleared(y):
    total, found = 0.0, []
    for v in y:
        if v > 1.0:
            total += sum(found)
            found.clear()
        found.append(v)
    return total + len(found)


def begun_anew(y):
    total, found = 0.0, []
    for v in y:
        if v > 1.0:
            total += sum(w * w for w in found)
            found = []
        found.append(v)
    return total + len(found)


def the_largest_three(y):
    found = []
    for v in y:
        found.append(v)
        found.sort()
        if len(found) > 3:
            found.pop(0)
    return found[0] * 3.0 + found[-1]


LISTS = [rising, rectangles, hull, in_order, turned_round, cut, joined, cleared, begun_anew, the_largest_three]


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("f", LISTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_as_python_has_it(f, make):
    made = make(f)
    for y in INPUTS:
        want, got = ran(f, lambda: (y.copy(),)), ran(made, lambda: (y.copy(),))
        assert (want.error and type(want.error)) == (got.error and type(got.error)), (want.error, got.error)
        if want.error is None:
            assert_equal(got.out, want.out, 1e-12)


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("f", LISTS, ids=lambda f: f.__name__)
def test_their_gradients(f):
    for y in (X, X + 2.0):
        check_grads(f, (y,), order=2)
        check_grads(gs.jit(f), (y,), order=1)
    np.testing.assert_allclose(gs.vmap(f)(np.stack([X, X[::-1]])), [f(X), f(X[::-1])], rtol=1e-12)


# a change that another name would see ---------------------------------------------------------
def one_of_two(y):
    below, above = [], []
    for v in y:
        if v > 0.1:
            above.append(v)
        else:
            below.append(v)
    return above, below, above if y[0] > 0.2 else below


def of_the_chosen(y):
    above, below, chosen = one_of_two(y)
    chosen.append(3.0)
    return sum(above) + 2.0 * sum(below)


def of_one_to_choose(y):
    above, below, chosen = one_of_two(y)
    above.append(3.0)
    return sum(chosen) + 2.0 * sum(below)


def of_the_one_before(y):
    found, total = [], 0.0
    for v in y:
        before = found
        if v > 1.0:
            found = []
        found.append(v)
        total += len(before) * v
    return total


@pytest.mark.parametrize("f", [of_the_chosen, of_one_to_choose, of_the_one_before], ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [gs.grad, gs.jit], ids=["gradient", "jitted"])
def test_a_change_that_another_name_may_see_is_refused(f, make):
    with pytest.raises(gs.GradscribeError, match="a change of a list: another variable may be the same"):
        make(f)(X)


def every_second(y):
    found = positive(y)
    found[::2] = [1.0, 2.0]
    return sum(found)


def test_a_store_into_every_second_item_is_refused():
    with pytest.raises(gs.GradscribeError, match="is used as a list, or an item of it is stored into"):
        gs.grad(every_second)(X)
