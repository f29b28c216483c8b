"""Sorting: by the places of a vector's elements in their order, and of matrices row by row."""
import numpy as np

from .registry import means
from .shapes import product


def rows_of(a, axis):
    """(a copy of the array with an axis last, the same as a matrix of its rows)"""
    turned = a.swapaxes(axis, -1).copy()
    return turned, turned.reshape(product(turned.shape[:-1]), turned.shape[-1])


@means(np.sort)
def sort(a, axis=-1, kind=None, stable=None):
    a = np.asarray(a)
    if axis is None:
        a, axis = a.flatten(), 0
    if a.ndim == 1:
        return a[np.argsort(a, axis)]
    turned, rows = rows_of(a, axis)
    for k in range(len(rows)):
        rows[k] = rows[k][np.argsort(rows[k])]
    return turned.swapaxes(axis, -1)


@means(method="sort")
def sort_in_place(a, axis=-1, kind=None, stable=None):
    a[...] = np.sort(a, axis)


def argsort_along(a, axis):
    a = np.asarray(a)
    if axis is None or a.ndim == 0:
        return np.argsort(a.flatten(), -1 if axis is None else axis)
    return np.argsort(a.swapaxes(axis, -1)).swapaxes(axis, -1)
