"""Indices that are asked for before a loop give what they give when each iteration asks."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree

RNG = np.random.default_rng(7)


def triangle(packed, t):
    """The rows of a triangle stand behind each other."""
    total, c = 0.0, 0
    for a in range(len(t)):
        row = 0.0
        for b in range(a, len(t)):
            row += packed[c] * t[b]
            c += 1
        total += row * row
    return total


def flat(x, n, m):
    """A matrix whose rows stand behind each other."""
    total = 0.0
    for i in range(n):
        row = 0.0
        for j in range(m):
            row += x[i * m + j] * x[i * m + m - 1 - j]
        total += row * row
    return total


def rows(data, x, columns, starts):
    total = 0.0
    for i in range(len(starts) - 1):
        y = 0.0
        for k in range(starts[i], starts[i + 1]):
            y += data[k] * x[columns[k]]
        total += y * y
    return total


def moved(x, by):
    """Also to places that are counted from the end, or are none."""
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i - by] ** 2
    return np.sum(y * x)


def stored_until_one_is_missing(x, y, by):
    for i in range(len(x)):
        y[i + by] = x[i]
    return np.sum(y)


def there_and_back(x, by):
    s = 0.0
    for i in range(3):
        s += x[i + by - by]
    return s


TRIANGLE, T = RNG.normal(size=6), RNG.normal(size=3)
SPARSE = (RNG.normal(size=6), RNG.normal(size=3), np.array([0, 2, 1, 1, 0, 1]), np.array([0, 2, 2, 5, 6]))


@pytest.mark.parametrize("f, args", [(triangle, (TRIANGLE, T)), (flat, (RNG.normal(size=6), 2, 3)), (rows, SPARSE)])
def test_one_question_for_a_loop(f, args):
    text = gs.jit(f).source(*args, stage="compiled")
    first, second = text.split("else:")
    assert " & " in first and ("rs.index" in first) == (f is rows) and "rs.index" in second
    assert agree(f, *args, gradient=0) and (f is flat or agree(f, *args, gradient=1))


@pytest.mark.parametrize("packed", [TRIANGLE, np.append(TRIANGLE, 1.0), TRIANGLE[:5], TRIANGLE[:0]])
@pytest.mark.parametrize("t", [T, T[:1], T[:0]])
def test_a_triangle(packed, t):
    agree(triangle, packed, t)


@pytest.mark.parametrize("n, m", [(2, 3), (3, 2), (1, 6), (2, 4), (0, 3), (3, 0), (-1, 2), (2, -1), (1, 7)])
def test_rows_behind_each_other(n, m):
    agree(flat, RNG.normal(size=6), n, m)


@pytest.mark.parametrize("starts", [
    [0, 2, 2, 5, 6], [0, 2, 7], [5, 2, 6], [-2, 1, 3], [-9, -7], [6, 6], [0], [7, 9], [2, 0, 6], [2**62, 2**62 + 1],
    [-2**62, 2**62], [-2**63, 2**63 - 1]])
def test_rows_that_begin_anywhere(starts):
    agree(rows, *SPARSE[:3], np.array(starts))


@pytest.mark.parametrize("by", [0, 1, 4, 5, -1, -9, 2**62, -2**62])
def test_places_from_the_end(by):
    agree(moved, RNG.normal(size=4), by)


@pytest.mark.parametrize("by", [0, 1, -1, 3, 9])
def test_what_was_stored_before_one_is_missing(by):
    """An exception leaves the argument as Python does."""
    x, want, got = RNG.normal(size=3), np.zeros(4), np.zeros(4)
    errors = []
    for f, y in ((stored_until_one_is_missing, want), (gs.jit(stored_until_one_is_missing), got)):
        try:
            f(x, y, by)
        except IndexError as error:
            errors.append(str(error))
    assert np.array_equal(want, got) and errors[:1] == errors[1:]


@pytest.mark.parametrize("by", [0, 2, -5, 2**62, 2**63 - 1])
def test_integers_that_may_overflow(by):
    agree(there_and_back, RNG.normal(size=3), by, compiled_refuses="64-bit integer" if by == 2**63 - 1 else "")
