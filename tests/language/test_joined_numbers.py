"""A number that is Python's on one path and NumPy's on another: it comes back as what it is."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree


def largest(x):
    return max(x, 2)


def smallest_of_three(x):
    return min(5, x, 2)


def conjunction(x):
    return x and 2


def chosen(x):
    return x if x > 1 else 0


def far_from(x):
    return max([x, -3], key=abs)


def chained(x):
    return 0 < x < 3


def in_a_container(x):
    y = x if x > 1 else 0
    return {"y": y, "more": [y * 3, (y + 0.5, y > 1), -y]}


def of_two_branches(x):
    y = max(x, 0) if x < 5 else 2
    return y * y + 1


def returned_early(x):
    if x > 5:
        return 1
    if x > 2:
        return x
    return 2


def or_none(x):
    y = None
    if x != 0:
        y = x if x > 1 else 0
    return y if y is not None else 7


FUNCTIONS = [largest, smallest_of_three, conjunction, chosen, far_from, chained, in_a_container, of_two_branches,
             returned_early, or_none]
WIDE, NARROW = (int, np.int64, np.float64), (np.int8, np.uint8, np.int32, np.float32)


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("fun", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("number", [*WIDE, *NARROW], ids=lambda t: t.__name__)
def test_has_the_class_that_python_gives_it(fun, number):
    for x in (0, 1, 2, 3, 6):
        agree(fun, number(x))


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("fun", [largest, conjunction, chosen], ids=lambda f: f.__name__)
@pytest.mark.parametrize("number", NARROW, ids=lambda t: t.__name__)
def test_is_accepted(fun, number):
    assert agree(fun, number(3)) and agree(fun, number(0))


def summed_where_a_number_is_one(x):
    total, v = 0.0, 1.0
    for _ in range(2):
        t = v - 0.5
        total += np.sum(t) + np.sum(x * v)
        v = x
    return total


def decides_with_a_number(x):
    count, v = 0, 1.0
    for k in range(2):
        if k == 0 and v * 2 > 1:
            count += 1
        v = x
    return count + x[0]


def none_or_more_rounds(x, rounds):
    s, k = 2.0, rounds * 1.0
    while k > 0.5:
        s = np.abs(s % 3.5) + x[0]
        k = k - 1
    return s * 2


def an_inner_loop_that_is_empty_at_first(x):
    total = 0.0
    for i in range(np.int64(x[0]) - 1):
        s = 2.0
        for _ in range(i):
            s = np.abs(s % 3.5) + x[0]
        total = total + s * s
    return total


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("fun, args", [(summed_where_a_number_is_one, ()), (decides_with_a_number, ()),
                                       (none_or_more_rounds, (0.0,)), (none_or_more_rounds, (1.0,)),
                                       (none_or_more_rounds, (3.0,)), (an_inner_loop_that_is_empty_at_first, ())])
def test_a_first_iteration_that_is_another(fun, args):
    """An array from the second iteration on is a number in the first,
    and a loop without iterations leaves what was before it."""
    for x in (np.array([4.375, 0.25]), np.array([4.375])):
        if fun is not decides_with_a_number or len(x) == 1:
            agree(fun, x, *args, gradient=0)


def solved(lower, b):
    """A loop without rounds, at first, leaves s the float32 that it was."""
    x = np.zeros_like(b)
    for i in range(len(b)):
        s = b[i]
        for k in range(i):
            s = s - lower[i, k] * x[k]
        x[i] = s / lower[i, i]
    return x


def single_at_first(lower, b):
    s, k = b[0], 0
    while k < b[1]:
        s = s - lower[0, k]
        k += 1
    return s / np.float32(3.0)


def convolved(kernel, image):
    """Two loops of which each may have no rounds: 0.5 * s is of Python, or of float32."""
    out = np.zeros(2)
    for i in range(2):
        s = 0.0
        for a in range(kernel.shape[0]):
            for c in range(kernel.shape[1]):
                s += kernel[a, c] * image[i + a, c]
        out[i] = s if s > 0 else 0.1 * s
    return out


def single(*shape):
    """Sums of their products are exact."""
    return (np.random.default_rng(5).normal(size=shape) * 8).round().astype(np.float32) / 8


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("fun, args", [
    (solved, (np.eye(4) + np.tri(4), single(4))), (single_at_first, (np.eye(3), np.float32([0.5, 2.0]))),
    (convolved, (single(2, 3), single(4, 3))), (convolved, (single(2, 0), single(4, 3)))])
def test_a_number_of_another_dtype_where_a_loop_does_not_run(fun, args):
    agree(fun, *args)
    agree(fun, *[np.zeros_like(a) if fun is single_at_first else a for a in args])  # no rounds: the result is single
    gradients = [way(gs.grad(lambda *args: np.sum(fun(*args)), argnums=(0, 1))) for way in (lambda g: g, gs.jit)]
    (plain, compiled), wide = [g(*args) for g in gradients], gradients[0](*[a.astype(float) for a in args])
    for a, p, c, w in zip(args, plain, compiled, wide):
        assert p.dtype == c.dtype == a.dtype
        np.testing.assert_allclose(p, w, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(c, w, rtol=1e-4, atol=1e-5)
