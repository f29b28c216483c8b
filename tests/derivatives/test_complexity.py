"""A gradient is in the complexity class of its value: time and memory grow with the same power of n, to 0.1.

Programs as people write them, at three sizes; the work is counted (`tests/support/work.py`), never timed.
"""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import differences
from tests.support.work import exponent, peak, work

SIZES = (24, 48, 96)
LONG = (200, 400, 800)  # where bytes are asked for, as the size of Python's own objects is in them


def after_the_first(y):
    s = 0.0
    for v in y[1:]:
        s += v * v
    return s


def neighbours(y):
    s = 0.0
    for u, v in zip(y[:-1], y[1:]):
        s += (v - u) ** 2
    return s


def three_in_a_row(y):
    s = 0.0
    for a, b, c in zip(y[:-2], y[1:-1], y[2:]):
        s += (a - 2.0 * b + c) ** 2
    return s


def horner(c):
    s = 0.0
    for a in c[::-1]:
        s = 0.5 * s + a
    return s * s


def horner_reversed(c):
    s = 0.0
    for a in reversed(c):
        s = 0.5 * s + a
    return s * s


def every_other(y):
    s = 0.0
    for k, v in enumerate(y[::2]):
        s += k * v * v
    return s


def inside(y):
    s = 0.0
    for i, v in enumerate(y[2:-2]):
        s += v * v * i
    return s


def last_ones(y):
    s = 0.0
    for v in y[-8:]:
        s += v * y[0]
    return s


def rows(y):
    s = 0.0
    for row in y.reshape(-1, 4):
        for v in row:
            s += v * v
    return s


def rows_but_the_first(y):
    s = 0.0
    for row in y.reshape(-1, 4)[1:]:
        for v in row[1:]:
            s += v * v * row[0]
    return s


def pairs_by_while(y):
    s, i = 0.0, 0
    while i < len(y) - 1:
        a, b = y[i:i + 2]
        s += a * b
        i += 1
    return s


def windows(y):
    s = 0.0
    for i in range(len(y) - 3):
        s += np.sum(y[i:i + 3] ** 2)
    return s


def windows_of_a_part(y):
    part, s = y[1:], 0.0
    for i in range(len(part) - 3):
        s += np.sum(part[i:i + 3] ** 2)
    return s


def a_part_by_path(y):
    s = 0.0
    for i in range(1, len(y)):
        if y[i] > 0.3:
            s += y[1:][i - 1] * y[i]
    return s


def columns(y):
    x, s = y.reshape(-1, 4), 0.0
    for column in x.T:
        s += np.sum(column * column)
    return s


def columns_by_elements(y):
    s = 0.0
    for column in y.reshape(-1, 4).T:
        for v in column[1:]:
            s += v * v
    return s


def recurrence(y):
    s = 0.1
    for v in y:
        s = np.sin(s) + v * s
    return s


def euler(y):
    x, v = 1.0, 0.0
    for a in y:
        x, v = x + 0.01 * v, v - 0.01 * np.sin(x) * a
    return x


def runge_kutta(y):
    state = np.array([1.0, 0.0])

    def slope(s, a):
        return np.array([s[1], -np.sin(s[0]) * a])

    for a in y:
        k1 = slope(state, a)
        k2 = slope(state + 0.005 * k1, a)
        k3 = slope(state + 0.005 * k2, a)
        k4 = slope(state + 0.01 * k3, a)
        state = state + 0.01 / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return state[0]


def in_place(y):
    x = np.zeros(len(y))
    for i in range(1, len(y)):
        x[i] = 0.5 * x[i - 1] + y[i] * y[i]
    return np.sum(x * x)


def appended(y):
    out = [0.0]
    for v in y:
        out.append(0.5 * out[-1] + v * v)
    return sum(out)


def stencil(y):
    x = y * 1.0
    for _ in range(3):
        x[1:-1] = x[1:-1] + 0.1 * (x[2:] - 2.0 * x[1:-1] + x[:-2])
    return np.sum(x * x)


def steps_of_a_stencil(y):
    x = np.linspace(0.0, 1.0, 8)
    for a in y:
        x[1:-1] = x[1:-1] + 0.1 * a * (x[2:] - 2.0 * x[1:-1] + x[:-2])
    return np.sum(x * x)


def running_total(y):
    total, s = 0.0, 0.0
    for i in range(len(y)):
        total += y[i]
        s += total * y[i]
    return s


def counted(y):
    c, s = 0, 0.0
    for i in range(len(y) // 4):
        for j in range(4):
            s += y[c] * y[c] * (i + j)
            c += 1
    return s


def counted_by_path(y):
    c, s = 0, 0.0
    for v in y:
        if v > 0.0:
            s += v * c
            c += 1
    return s


def pairs(y):
    s = 0.0
    for i in range(len(y)):
        for j in range(i):
            s += 1.0 / (1.0 + (y[i] - y[j]) ** 2)
    return s


def forces(y):
    f = np.zeros_like(y)
    for i in range(len(y)):
        for j in range(len(y)):
            if i != j:
                f[i] += (y[j] - y[i]) / (1.0 + (y[j] - y[i]) ** 2)
    return np.sum(f * f)


def nearest(y):
    centres, s = y[:4], 0.0
    for v in y[4:]:
        best = np.inf
        for c in centres:
            d = (v - c) ** 2
            if d < best:
                best = d
        s += best
    return s


def prefixes(y):
    s = 0.0
    for k in range(1, len(y)):
        s += np.dot(y[:k], y[:k]) * y[k]
    return s


def triangle(y):
    n = len(y)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            L[i, j] = y[i] * y[j] + (i == j)
    return np.sum(L * L)


def first_above(y):
    s = 0.0
    for v in y:
        s += v * v
        if s > 1e9:
            break
    return s


def newton(y):
    s = 0.0
    for a in y:
        x = 1.0
        while abs(x * x - a * a - 1.0) > 1e-9:
            x = 0.5 * (x + (a * a + 1.0) / x)
        s += x
    return s


def stack(y):
    out = np.empty((len(y), 2))
    for i, v in enumerate(y):
        out[i] = np.array([np.cos(v), np.sin(v)])
    return np.sum(out[1:] * out[:-1])


def swapped(y):
    x = y * 1.0
    for i in range(len(x) - 1):
        x[i], x[i + 1] = x[i + 1], 0.5 * x[i]
    return np.sum(x * x)


def exponential_average(y):
    s, out = y[0], []
    for v in y[1:]:
        s = 0.9 * s + 0.1 * v
        out.append(s)
    return np.sum(np.array(out) ** 2)


def maximum_so_far(y):
    best, s = y[0], 0.0
    for v in y[1:]:
        best = max(best, v)
        s += best - v
    return s * s


def inner_part(y):
    x, s = y.reshape(4, -1), 0.0
    for i in range(1, 3):
        for v in x[i, 1:-1]:
            s += v * v
    return s


def dictionary(y):
    parts, s = {"head": y[:4], "tail": y[4:]}, 0.0
    for v in parts["tail"]:
        s += v * parts["head"][1]
    return s * s


PROGRAMS = [x for x in list(globals().values()) if callable(x) and getattr(x, "__module__", "") == __name__]


# of the list that is a list, whose loop is written out
QUIET = pytest.mark.filterwarnings("ignore::gradscribe.ConstantSizesWarning", "ignore::gradscribe.UnrolledWarning")


def values(n):
    return (np.random.default_rng(n).normal(size=n),)


@pytest.mark.heavy(one_in=5)
@QUIET
@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(fun):
    y = values(24)[0]
    want = differences(fun, (y,), 0)
    np.testing.assert_allclose(gs.grad(fun)(y), want, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(gs.jit(gs.grad(fun))(y), want, rtol=1e-5, atol=1e-6)


@pytest.mark.heavy(one_in=5)
@QUIET
@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_a_gradient_does_as_much_work_as_its_value(fun):
    of_value = exponent(lambda n: work(fun, values(n)), SIZES)
    of_gradient = exponent(lambda n: work(gs.grad(fun), values(n)), SIZES)
    assert of_gradient <= max(of_value, 1.0) + 0.1


@pytest.mark.heavy(one_in=5)
@QUIET
@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_a_gradient_holds_no_more_than_its_value_does_work(fun):
    of_work = exponent(lambda n: work(fun, values(n)), SIZES)
    of_gradient = exponent(lambda n: peak(gs.grad(fun), values(n)), LONG if of_work < 1.2 else SIZES)
    assert of_gradient <= max(of_work, 1.0) + 0.1
