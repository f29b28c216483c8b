"""Diagonals and triangles of matrices."""
import operator

import numpy as np

from .registry import at_least, means, read_only
from .shapes import axis_of, integer, surely

VIEW = "np.diagonal gives a view that cannot be written to"


def length_of_diagonal(rows, columns, offset):
    """How many places it has."""
    if at_least(rows, 1 + abs(offset)) and at_least(columns, rows + abs(offset)):
        return rows if offset >= 0 else rows + offset
    return max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)


@means(np.diagonal, method="diagonal", complex=True)
def diagonal(a, offset=0, axis1=0, axis2=1):
    a, offset = np.asarray(a), operator.index(offset)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = axis_of(axis1, a.ndim), axis_of(axis2, a.ndim)
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    turned = np.moveaxis(a, (first, second), (-2, -1))
    places = np.arange(length_of_diagonal(a.shape[first], a.shape[second], offset))
    rows, columns = places - min(offset, 0), places + max(offset, 0)
    return read_only(turned[rows, columns] if a.ndim == 2 else turned[..., rows, columns], a, VIEW)


@means(np.diag, complex=True)
def diag(v, k=0):
    v, k = np.asarray(v), operator.index(k)
    if v.ndim == 2:
        return np.diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    parts = [np.zeros(max(k, 0), v.dtype), v, np.zeros(max(-k, 0), v.dtype)]
    row = v if surely(k, 0) else np.concatenate([x for x in parts if not surely(len(x), 0)])
    return np.where(np.eye(len(row), k=k, dtype=bool), row, np.zeros(1, v.dtype))


@means(np.trace, method="trace", complex=True)
def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    return np.sum(np.diagonal(a, offset, axis1, axis2), -1, dtype=dtype)


def below(rows, columns, k):
    """Is a place of a matrix on this diagonal or below?"""
    k = integer(k, "it is the number of a diagonal")
    return np.arange(rows)[:, None] >= np.arange(columns) - k


@means(np.tri, unasked=True)
def tri(N, M=None, k=0, dtype=float):
    return below(N, N if M is None else M, k).astype(dtype)


@means(np.tril, complex=True)
def tril(m, k=0):
    m = np.asarray(m)
    return np.where(below(m.shape[-min(m.ndim, 2)], m.shape[-1], k), m, np.zeros(1, m.dtype))


@means(np.triu, complex=True)
def triu(m, k=0):
    m = np.asarray(m)
    return np.where(below(m.shape[-min(m.ndim, 2)], m.shape[-1], k - 1), np.zeros(1, m.dtype), m)
