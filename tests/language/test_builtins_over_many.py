"""max, min, sorted, any, all and sum over as many items as the run decides: Python's answers,
exceptions and ties, with derivatives."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree, differences


def peaks(x, c):
    z = x[x < c]
    return max(z), min(z), max([np.sin(v) * np.sum(z) for v in z]), min([v * w for v, w in zip(z, z[::-1])])


def by_a_key(x, c):
    z = x[x < c]
    k = min(range(len(z)), key=lambda k: abs(z[k] - 0.2))
    return z[k], max(z, key=lambda v: -v), max(enumerate(z), key=lambda p: p[1])[1], min(zip(z, np.exp(z)))[1]


def of_iterators(x, c):
    z = x[x < c]
    return (max(map(np.sin, z)), sum(map(np.cos, z)), sum([v * k for k, v in enumerate(z)]), min(reversed(z)), sum(z),
            sum(z, x[1]))


def with_a_default(x, c):
    return max([v * v for v in x[x < c - 5.0]], default=x[0]), min(x[x < c], default=0.0)


def in_order(x, c):
    z = x[x < c]
    down, ties = sorted(z, reverse=True), sorted(zip(z, range(len(z))), key=lambda p: round(p[0]), reverse=True)
    return sorted([np.sin(v) for v in z])[1], down[0] * down[-1], ties[1][0], sorted(map(np.cos, z))[0]


def picked_in_order(x, c):
    nearest = sorted([k for k in range(len(x)) if x[k] < c], key=lambda k: -x[k])
    return sum(x[k] / (1.0 + j) for j, k in enumerate(nearest))


def left_early(x, c):
    z = x[x < c]
    return any([v > 0.6 for v in z]), all([v > 0.0 for v in z]), any(z > 0.6), all(map(np.isfinite, z)), x[0]


X = np.array([0.31, 0.75, -0.43, 0.14, 0.9, 0.63])
PROGRAMS = [peaks, by_a_key, of_iterators, with_a_default, in_order, picked_in_order, left_early]
named = pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)


def loss(f):
    def total(x, c):
        found, s = f(x, c), 0.0
        for k, part in enumerate(found if isinstance(found, tuple) else (found,)):
            s = s + np.sin(k + 1.0) * part
        return s
    return total


@named
def test_values_and_exceptions(f):
    for c in (0.95, 0.7, 0.2, -0.1, -0.5):  # six of them, four, two, one, none
        agree(f, X, c, compiled=False)


@pytest.mark.heavy(one_in=17)
@named
def test_compiled(f):
    slope = gs.jit(gs.grad(loss(f)))
    for c in (0.95, 0.7, 0.5):
        agree(f, X, c, compiled="only")
        np.testing.assert_allclose(slope(X, c), differences(loss(f), (X, c), 0), rtol=1e-6, atol=1e-8)


@pytest.mark.heavy(one_in=2)
@named
def test_gradients_of_one_program(f):
    slope = gs.grad(loss(f))
    for c in (0.95, 0.7, 0.5):
        np.testing.assert_allclose(slope(X, c), differences(loss(f), (X, c), 0), rtol=1e-6, atol=1e-8)
    assert slope.source(X, 0.95) == slope.source(np.append(X, 0.8), 0.5)


def test_the_derivative_of_the_largest_is_that_of_one_item():
    """It keeps where that is, and nothing for each item."""
    source = gs.grad(lambda x, c: max(x[x < c])).source(X, 0.7)
    assert "tape" not in source and "t_bar[best] = 1.0" in source, source


@named
def test_many_examples(f):
    cuts = np.array([0.95, 0.5, 0.7])
    np.testing.assert_allclose(gs.vmap(loss(f), in_axes=(None, 0))(X, cuts), [loss(f)(X, c) for c in cuts])


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.bool_, np.uint8], ids=lambda d: d.__name__)
def test_dtypes_are_those_of_the_items(dtype):
    x = np.array([3, 1, 2, 2, 5]).astype(dtype)
    assert agree(lambda x: (max(x), min([v for v in x]), sorted(x)[1], sum(x), any(x), all(x)), x)


def test_not_a_number_is_where_python_leaves_it():
    for x in (np.array([np.nan, 2.0, 1.0]), np.array([2.0, np.nan, 3.0]), np.array([-0.0, 0.0])):
        agree(lambda x: (max(x), min(x), max([v * 1.0 for v in x]), any(x)), x)
    # by no rule that compares: the places that Python gives follow from its algorithm
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(gs.errors.RefusedValue, match="NaN"):
            way(lambda x: sorted(x)[0])(np.array([np.nan, 2.0]))


def test_what_has_no_order():
    assert agree(lambda A: max(A)[0], np.eye(2)), "the truth of an array"
    agree(lambda z: max(z), np.array([1j, 2.0]), refused="of complex numbers")
    with pytest.raises(gs.UnsupportedError, match="not numbers"):
        gs.jit(lambda x: sorted(zip(x, x), key=lambda p: np.array(p))[0][1])(X)


def by_both(x, y):
    return sum([(k + 1) * a * b for k, (a, b) in enumerate(sorted(zip(x, y)))])


def by_both_falling(x, y):
    pairs = [[a, (b, k)] for k, (a, b) in enumerate(zip(x.tolist(), y.tolist()))]
    pairs.sort(reverse=True)
    return sum([(j + 1) * a * y[k] + b * k for j, (a, (b, k)) in enumerate(pairs)])


def by_the_first(x, y):
    a, b = map(np.array, zip(*sorted(zip(x, y), key=lambda p: p[0], reverse=True)))
    return np.sum(a * b ** 2 * np.arange(len(a)))


def by_a_key_of_two(x, y):
    order = sorted(range(len(x)), key=lambda k: (x[k], -y[k]))
    return sum([(j + 1) * y[k] * x[k] for j, k in enumerate(order)])


def of_three(x, y):
    out = sorted(zip([x[0], x[1], x[2]], [y[0], y[1], y[2]]))
    return out[0][0] * out[1][1] ** 2 + out[2][1]


def ties_of_what_is_known(x, y):
    out = sorted([(1, y[0]), (1, y[1]), (0, y[2])], reverse=bool(x[0] > 5.0))
    return out[0][1] + out[1][1] ** 2 + out[0][0]


def known_keys(x, y):
    """Python orders them, so they may be of several kinds."""
    out = sorted([(2, y[0]), (1, y), (3, x)])
    return np.sum(out[0][1] * out[2][1]) + out[1][1]


TIED, TIES = np.array([1.0, 0.5, 1.0, 0.5, 2.0]), np.array([3.0, 1.0, 2.0, 0.25, -1.0])


@pytest.mark.parametrize("f", [by_both, by_both_falling, by_the_first, by_a_key_of_two, of_three,
                               ties_of_what_is_known, known_keys], ids=lambda f: f.__name__)
def test_order_of_tuples(f):
    for x, y in ((TIED, TIES), (TIES, TIED)):
        agree(f, x, y)
    for k in (0, 1):
        agree(f, TIED + 0.01 * np.arange(5), TIES, gradient=k)


def test_a_nan_in_tuples_has_no_order():
    for f in (by_both, of_three):
        for way in (gs.test_util.primal, gs.jit):
            with pytest.raises(gs.errors.RefusedValue, match="NaN"):
                way(f)(TIED, np.where(TIES < 1.5, np.nan, TIES))
