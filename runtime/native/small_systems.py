"""Factors and solutions of small matrices of doubles, where a call of LAPACK takes several times as long as the
arithmetic.

Operations come in the order of OpenBLAS: a product of a row and a column is summed before it is subtracted, a column of
L is multiplied by the reciprocal of its pivot, a solution is subtracted column by column. With fused multiply-adds,
where the CPU has them, the factors and the solution for one right-hand side are OpenBLAS's to the bit (Cholesky's up to
4 rows), and so is what is singular. What comes to infinities or NaN is left to LAPACK, and so are matrices of other
dtypes: for these the functions are typed, since callers are one text for all, and never run.
"""
from __future__ import annotations

import numpy as np
from numba import njit
from numba.core import types

from ..compiler import stock
from ..compiler.kept import OPTIONS, kept_kernel

SMALL = 5
FUSED = dict(OPTIONS, pipeline_class=stock.way({})[0], fastmath={"contract"})
LEAST = float(np.finfo(np.float64).tiny)


def small_rows(dtype) -> int:
    """How many rows a matrix of this dtype has at most that is small."""
    return SMALL if dtype == types.float64 else 0


def all_finite(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j] * 0.0
    return total == 0.0


def exchange_rows(x, i, j):
    if i != j:
        for c in range(x.shape[1]):
            x[i, c], x[j, c] = x[j, c], x[i, c]


def eliminate(columns, exchanged):
    """LU factors in place of a matrix whose columns are the rows here; which row each was exchanged with, from 1."""
    n = columns.shape[0]
    for j in range(n):
        for k in range(j):
            at = int(exchanged[k].real) - 1
            columns[j, k], columns[j, at] = columns[j, at], columns[j, k]
        for i in range(1, n):
            total = 0.0
            for k in range(min(i, j)):
                total += columns[k, i] * columns[j, k]
            columns[j, i] -= total
        at = j
        for i in range(j + 1, n):
            if abs(columns[j, i]) > abs(columns[j, at]):
                at = i
        exchanged[j] = at + 1
        pivot = columns[j, at]
        if pivot == 0.0:
            continue
        for k in range(j + 1):
            columns[k, j], columns[k, at] = columns[k, at], columns[k, j]
        for i in range(j + 1, n):  # the reciprocal of what is tiny is infinite
            columns[j, i] = columns[j, i] / pivot if abs(pivot) < LEAST else columns[j, i] * (1.0 / pivot)


def substitute_small(columns, exchanged, x):
    """x = the solution for the right-hand sides x."""
    n, count = x.shape
    for i in range(n):
        exchange_rows(x, i, int(exchanged[i].real) - 1)
    for c in range(count):
        for k in range(n):
            y = x[k, c]
            for i in range(k + 1, n):
                x[i, c] -= columns[k, i] * y
        for step in range(n):
            k = n - 1 - step
            y = x[k, c] / columns[k, k]
            x[k, c] = y
            for i in range(k):
                x[i, c] -= columns[k, i] * y


def substitute_transposed_small(columns, exchanged, x):
    """The same for the transpose of the matrix."""
    n, count = x.shape
    for c in range(count):
        for k in range(n):
            total = 0.0
            for i in range(k):
                total += columns[k, i] * x[i, c]
            x[k, c] = (x[k, c] - total) / columns[k, k]
        for step in range(n):
            k = n - 1 - step
            total = 0.0
            for i in range(k + 1, n):
                total += columns[k, i] * x[i, c]
            x[k, c] -= total
    for step in range(n):
        exchange_rows(x, n - 1 - step, int(exchanged[n - 1 - step].real) - 1)


def small_cholesky(a, y, upper):
    """The lower factor, or the upper one; 1 where a is not positive definite."""
    n = a.shape[0]
    for j in range(n):
        total = 0.0
        for k in range(j):
            total += y[k, j] * y[k, j] if upper else y[j, k] * y[j, k]
        square = (a[j, j] - total).real
        if square <= 0.0:
            return 1
        root = np.sqrt(square)
        reciprocal = 1.0 / root
        y[j, j] = root
        for i in range(j + 1, n):
            total = 0.0
            for k in range(j):
                total += y[k, i] * y[k, j] if upper else y[i, k] * y[j, k]
            if upper:
                y[j, i], y[i, j] = (a[j, i] - total) * reciprocal, 0.0
            else:
                y[i, j], y[j, i] = (a[i, j] - total) * reciprocal, 0.0
    return 0


def small_triangular(a, x, upper):
    """x = the solution of a triangular matrix for the right-hand sides x."""
    n, count = x.shape
    for step in range(n):
        i = n - 1 - step if upper else step
        for c in range(count):
            total = 0.0
            for k in range(i + 1 if upper else 0, n if upper else i):
                total += a[i, k] * x[k, c]
            x[i, c] = (x[i, c] - total) / a[i, i]


exchange_rows = njit(**FUSED)(exchange_rows)
all_finite, eliminate, substitute_small, substitute_transposed_small, small_cholesky, small_triangular = [
    kept_kernel(function, **FUSED) for function in (
        all_finite, eliminate, substitute_small, substitute_transposed_small, small_cholesky, small_triangular)]
