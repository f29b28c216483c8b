"""What runs in the trades."""
import numpy as np

from tests.corpus.from_outside.table import item


# ---- what runs in the trades
@item(np.array([[0.1, 0.2], [1.3, 0.4], [0.6, 1.5], [2.0, 0.3]]),
      more=[(np.ones((2, 2)),), (np.ones((1, 2)),), (np.ones((0, 2)),)], gradient=0)
def energy_of_pairs_within_a_cutoff(x):
    i, j = np.triu_indices(len(x), k=1)
    d = x[i] - x[j]
    square = np.einsum("ij,ij->i", d, d)
    near = square[square < 3.0] + 0.3
    return np.sum(near ** -6 - near ** -3) + np.einsum("i,i->", near, near)


@item(np.array([[0.1, -0.2, 0.9], [1.3, 0.4, 0.3]]),
      more=[(np.ones((2, 1)),), (np.ones((2, 0)),), (np.eye(3, dtype=np.float32),), (np.arange(6).reshape(2, 3),)],
      gradient=0)
def sums_of_exponentials_and_squares(x):
    rows, columns = np.logaddexp.reduce(x, axis=1), np.logaddexp2.reduce(x)
    return np.sum(rows * rows) + np.sum(columns ** 3) + np.hypot.reduce(x, axis=None) + np.logaddexp.reduce(-x[0])


@item(np.array([0.1, -0.2, 0.9, 0.4, 0.7]), more=[(np.array([0.1, -0.2, 0.9, 0.4], np.float32),)], gradient=0)
def quantiles_of_a_list(x):
    places = np.concatenate([np.quantile(x, [0.25, 0.75]), np.percentile(x, [10.0, 50.0])])
    return np.sum(places ** 2) + np.sum(np.quantile(x, [0.3, 0.6], method="lower"))


@item(0.625, 2, more=[(0.625, 4), (60.0, 3), (0.625, 0)], gradient=0)
def set_where_two_loops_are_left(x, n):
    i, rows = x, [x]
    for _ in range(n):
        for v in (x, 2 * x):
            if v > 100.0:
                i += 1
                return 0.5 * i
        rows.append(x)
    return i * len(rows)


@item(0.625, 2, more=[(0.05, 3), (0.5, 0)])
def a_test_that_is_certain_to_raise_in_the_end(x, n):
    best, c, w = None, x, 0
    if x < 0.5:
        while w < n and best is None or best < c:
            w += 1
            c = c * 0.5
    return c
