"""NumPy's functions that are made of others, in plain Python: the specialiser reads them like functions of the user's.

They have NumPy's parameters, as far as they implement them, and compute as NumPy does.
"""
from __future__ import annotations

import operator

import numpy as np


def var(a, axis=None, dtype=None, ddof=0, keepdims=False):
    a = np.asarray(a)
    d = a - np.mean(a, axis=axis, dtype=dtype, keepdims=True)
    free = np.size(a, axis) - ddof
    return np.sum(d * d, axis=axis, dtype=dtype, keepdims=keepdims) / (free * (free > 0) + 0)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    start = start * 1.0 if np.isscalar(start) else np.asarray(start) * 1.0
    stop = stop * 1.0 if np.isscalar(stop) else np.asarray(stop) * 1.0
    delta = stop - start
    count = num - 1 if endpoint else num
    step = delta / (count + (count == 0))
    k = np.arange(num, dtype=np.result_type(delta))
    if np.ndim(delta):
        k = np.reshape(k, (num,) + (1,) * np.ndim(delta))
    y = k * step + start
    if endpoint and num > 1:
        y[num - 1] = stop  # exactly
    if dtype is not None:
        y = (np.floor(y) if np.issubdtype(dtype, np.integer) else y).astype(dtype)
    if axis != 0:
        y = np.moveaxis(y, 0, axis)
    return (y, np.multiply(step, 1) if count > 0 else np.nan) if retstep else y


def eye(N, M=None, k=0, dtype=float):
    rows, columns = np.arange(operator.index(N)), np.arange(operator.index(N if M is None else M))
    return (columns - rows[:, None] == operator.index(k)).astype(dtype)


def moveaxis(a, source, destination):
    rank = np.ndim(a)
    source, destination = [[k % rank for k in (x if isinstance(x, (tuple, list)) else (x,))] for x in (source, destination)]
    order = [k for k in range(rank) if k not in source]
    for place, k in sorted(zip(destination, source)):
        order.insert(place, k)
    return np.transpose(a, order)


def swapaxes(a, axis1, axis2):
    order = list(range(np.ndim(a)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return np.transpose(a, order)


def expand_dims(a, axis):
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = np.ndim(a) + len(axes)
    axes = [k % rank for k in axes]
    return np.asarray(a)[tuple([None if k in axes else slice(None) for k in range(rank)])]


def product(lengths):
    count = 1
    for n in lengths:
        count = count * n
    return count


def size(a, axis=None):
    shape = np.shape(a)
    return product(shape if axis is None else [shape[k] for k in (axis if isinstance(axis, tuple) else (axis,))])


def identity(n, dtype=None):
    return np.eye(n, dtype=dtype)


def fill(a, value):
    a[...] = value


def rows_of(a, axis):
    """(a copy of the array with an axis last, the same as a matrix of its rows)"""
    turned = a.swapaxes(axis, -1).copy()
    return turned, turned.reshape(product(turned.shape[:-1]), turned.shape[-1])


def sort(a, axis=-1, kind=None, stable=None):
    a = np.asarray(a)
    if axis is None:
        a, axis = a.flatten(), 0
    if a.ndim == 1:
        return a[np.argsort(a)]
    turned, rows = rows_of(a, axis)
    for k in range(len(rows)):
        rows[k] = rows[k][np.argsort(rows[k])]
    return turned.swapaxes(axis, -1)


def sort_in_place(a, axis=-1, kind=None, stable=None):
    a[...] = np.sort(a, axis)


def argsort(a, axis=-1, kind=None, stable=None):
    """Always stable, which is one of the orders that any kind may give."""
    a = np.asarray(a)
    if axis is None or a.ndim == 0:
        return np.argsort(a.flatten())
    turned, rows = rows_of(a, axis)
    places = np.zeros(turned.shape, np.int64)
    for k in range(len(rows)):
        places.reshape(rows.shape)[k] = np.argsort(rows[k])
    return places.swapaxes(axis, -1)


def inner(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    return np.dot(a, b if b.ndim == 1 else b.swapaxes(-1, -2))


def vdot(a, b):
    return np.ravel(a) @ np.ravel(b)


def product_with_vector(a, b):
    return (a[None] @ b)[..., 0, :] if a.ndim == 1 else (a @ b[:, None])[..., 0]


def dot(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if b.ndim <= 2:
        return a @ b
    rows, columns = a.shape[:-1], b.shape[:-2] + b.shape[-1:]
    b = b.swapaxes(-2, -1).reshape(product(columns), b.shape[-2]).T
    return (a.reshape(product(rows), a.shape[-1]) @ b).reshape(rows + columns)


# range(n) of a length that only the run time knows ---------------------------------------------------
def in_range(k, start, stop, step):
    inside = (start <= k) & (k < stop) if step > 0 else (stop < k) & (k <= start)
    return inside & ((k - start) % step == 0)


def item_of_range(k, count, start, step):
    if k < -count or k >= count:
        raise IndexError("range object index out of range")
    return start + (k if k >= 0 else count + k) * step
