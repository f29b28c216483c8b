"""A number that is Python's on one path and NumPy's on another: it comes back as what it is."""
import numpy as np
import pytest
from agreement import agree



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


FUNCTIONS = [largest, smallest_of_three, conjunction, chosen, far_from, chained, in_a_container, of_two_branches, returned_early, or_none]
WIDE, NARROW = (int, np.int64, np.float64), (np.int8, np.uint8, np.int32, np.float32)


@pytest.mark.parametrize("fun", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("number", [*WIDE, *NARROW], ids=lambda t: t.__name__)
def test_has_the_class_that_python_gives_it(fun, number):
    for x in (0, 1, 2, 3, 6):
        agree(fun, number(x), refused_is_fine=number in NARROW)


@pytest.mark.parametrize("fun", [largest, conjunction, chosen], ids=lambda f: f.__name__)
@pytest.mark.parametrize("number", NARROW, ids=lambda t: t.__name__)
def test_is_accepted(fun, number):
    assert agree(fun, number(3)) and agree(fun, number(0))
