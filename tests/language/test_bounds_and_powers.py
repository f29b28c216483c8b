"""Slices of which the run says whether they have a bound, and powers of ints of which it says whether they are ints."""
import numpy as np
import pytest

import gradscribe as gs

X = np.array([1.0, -2.0, 3.0, 4.0, 5.0])
WAYS = {"plain": gs.test_util.primal, "compiled": gs.jit}
either = pytest.mark.parametrize("way", WAYS)


def same(got, want):
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for a, b in zip(got, want):
            same(a, b)
    elif isinstance(want, np.ndarray):
        assert got.dtype == want.dtype and np.array_equal(got, want), (got, want)
    else:
        assert type(got) is type(want) and repr(got) == repr(want), (got, want)


# ---- slices
def up_to_the_first(x, n):
    stop = None
    for k in range(len(x)):
        if x[k] > n:
            stop = k
            break
    return x[:stop], x[stop:], np.sum(x[:stop] ** 2)


def all_bounds(x, n):
    start, stop, step = (None, None, None) if x[0] > n else (1, -1, 2)
    return (x[start:stop], x[::step], x[start:stop:step], x[stop:start:-1], x[::-1][start:],
            np.stack([x, x])[:, start:stop])


def backwards(x, n):
    step = None if x[0] > n else -1
    start = 3 if x[0] * n > 3.0 else None
    return x[start::step], x[:start:step], x[::step]


def stored(x, n):
    y, stop = x * 1.0, None if x[0] > n else 2
    y[:stop] = 0.0
    y[stop:] += 1.0
    return y


def without_a_bound(x, n):
    return x[:None if x[0] > n else 2]


SLICES = [up_to_the_first, all_bounds, backwards, stored, without_a_bound]


@pytest.mark.heavy(one_in=4)
@either
@pytest.mark.parametrize("f", SLICES, ids=lambda f: f.__name__)
def test_a_bound_that_may_be_none(f, way):
    g = WAYS[way](f)
    for x in (X, X[:2], X[:1]):
        for n in (0.5, 2.5, 4.0, 9.0):
            same(g(x, n), f(x, n))


def squares(x, n):
    return up_to_the_first(x, n)[2]


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_a_derivative_of_such_a_slice(way):
    slope = way(gs.grad(squares))
    for n in (2.5, 9.0):
        k = next((k for k in range(len(X)) if X[k] > n), None)
        assert np.array_equal(slope(X, n), [*(2 * X[:k]), *([] if k is None else np.zeros(len(X) - k))])


# ---- powers
def of_an_argument(x, n):
    return 2 ** n, 2 ** -n, (-1) ** n * x, pow(n, -n), 10 ** (n - 1)


def series(x, n):
    s = 0.0
    for k in range(n):
        s = s + (-1) ** k * x ** (2 * k + 1) / (2 * k + 1) + 2 ** (n - k)
    return s


def of_both_signs(x, n):
    found = []
    for k in range(-2, 3):
        found.append(float(2 ** (k * n)) + (-1) ** (k - n))
    return found


def all_negative(x, n):
    s = 0
    for k in range(1, n + 1):
        s += 2 ** -k
    return s


def of_a_while(x, n):
    k = n
    while x * k > 1.0:
        k -= 2
    return (-1) ** k, 2 ** k, k ** k if k else 1


def of_a_float(x, n):
    m = int(x * n)
    y = 3 ** m
    y *= 2
    return y, 2.0 ** m, (m > 0) ** m if m >= 0 else 0


def places(x, n):
    k = int(x)
    return X[2 ** k], sum([2 ** i for i in range(k)]), np.arange(2 ** k)


POWERS = [of_an_argument, series, of_both_signs, all_negative, of_a_while, of_a_float]


@pytest.mark.heavy(one_in=3)
@either
@pytest.mark.parametrize("f", POWERS, ids=lambda f: f.__name__)
def test_a_power_is_an_int_or_a_float_as_its_exponent_says(f, way):
    g = WAYS[way](f)
    for x, n in ((1.5, 3), (1.5, 2), (2.0, 1), (0.5, 4), (1.5, -3), (-1.5, 2)):
        same(g(x, n), f(x, n))


@either
def test_where_an_int_is_needed_it_is_one(way):
    g = WAYS[way](places)
    for x in (0.0, 1.0, 2.0):
        same(g(x, 1), places(x, 1))
    with pytest.raises(gs.GradscribeError, match="negative integer powers"):
        g(-1.0, 1)


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_a_derivative_beside_such_powers(way):
    def f(x, n):
        return x * 2 ** n + (x * (-1) ** (n - int(x))) ** 2

    for n, slope in ((3, 8.0 + 2 * 1.5), (-3, 0.125 + 2 * 1.5)):
        assert repr(way(gs.grad(f))(1.5, n)) == repr(slope)


def test_no_check_where_the_sign_is_known():
    text = gs.jit(series).source(1.5, 3)
    assert "require" not in text and "if " not in text


def test_the_slope_of_a_power_that_a_bool_is():
    for flag in (False, True, np.bool_(True)):
        assert gs.grad(lambda flag, z: z ** flag, argnums=1)(flag, 2.5) == float(flag)
