"""Indices that are no integers: one bool, nothing, and what raises; loops over all places of an array."""
import numpy as np

from tests.corpus.from_outside.table import X, item

M = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@item(X, 1.0, gradient=0, more=[(X, -1.0), (M, 1.0), (M, -1.0)])
def of_one_flag(x, c):
    return np.sum(x[c > 0.0] ** 2)


@item(X, True, more=[(X, False), (M, True), (M, np.False_), (np.float64(2.0), True)])
def of_a_bool_that_is_passed(x, flag):
    return x[flag] * 2.0


@item(X, 1.0, gradient=0, more=[(X, -1.0), (M, 1.0), (M, -1.0)])
def stores_at_one_flag(x, c):
    y = x * 1.0
    y[c > 0.0] = 3.0 * x
    y[c < 5.0] += x
    y[c < 4.0] *= x
    y[c == 0.0] *= 7.0
    return np.sum(y**2)


@item(X, more=[(M,)])
def of_constant_bools(x):
    y = x.copy()
    y[True] = x * 2.0
    y[False] = 9.0
    return y[True], y[False], x[np.True_]


@item(2.0, gradient=0, more=[(0.5,)])
def a_flag_of_an_array_without_axes(x):
    a = np.array(x * 1.0)
    a[a > 1.0] *= 3.0
    a[a > 2.0] -= a
    return a + x


@item(X, more=[(M,)])
def of_an_empty_list(x):
    y = x * 2.0
    y[[]] = 5.0
    return y, x[[]], x[[[]]], y[[]].sum()


@item(M)
def of_empty_lists_for_each_axis(x):
    return x[[], []], x[:, []], x[[], 1]


@item(X, more=[(M,)])
def of_a_float(x):
    return x[1.0]


@item(X, 1.0, more=[(X, np.float64(1.0)), (X, np.array([1.0])), (X, np.array(1.0)), (X, 1j), (X, "a")])
def of_what_is_no_index(x, k):
    return x[k]


@item(X)
def stores_at_a_list_of_floats(x):
    x[[1.0]] = 2.0
    return x


@item(X, gradient=0)
def what_is_no_index_is_caught(x):
    try:
        return x[1.0]
    except IndexError:
        return x[0] * 2.0


@item(0.0, more=[(1.0,)])
def an_int_or_a_float_as_a_bound(c):
    start = 2.5 if c else 0
    return list(range(4)[start:10:2])


@item(M, True, refused="a bool as an index")
def a_bool_beside_an_integer(x, flag):
    return x[flag, 0]


@item(M, gradient=0, more=[(np.ones((0, 2)),), (np.ones((2, 1)),)])
def over_all_places(x):
    y = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        if x[place] > 4.5:
            continue
        y[place] = x[place] ** 2 * (place[0] + 1)
    total = 0.0
    for (i, j), value in np.ndenumerate(x):
        total += value**3 * (i - j)
    for i, j in np.ndindex(*x.shape):
        total += y[i, j] * j
    return total + np.sum(y)


@item(X)
def places_that_are_listed(x):
    return list(np.ndindex(2, 2)), list(np.ndindex((1, 2))), [*np.ndindex()], list(np.ndenumerate(x * 2.0))
