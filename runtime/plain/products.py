"""Products of all elements of a row but some, which derivatives of products are made of: without a division, so that a
row may have zeros in it.  Of stacks of rows."""
import itertools

import numpy as np


def products_before(a):
    """y[i]: the product of the elements before a[i]."""
    return np.concatenate([np.ones_like(a[..., :1]), np.cumprod(a[..., :-1], -1)], -1)


def products_behind(a):
    """y[i]: the product of the elements behind a[i]."""
    return products_before(a[..., ::-1])[..., ::-1]


def recurrence_before(a, b):
    """y[0] = 0, y[i + 1] = a[i] * y[i] + b[i]"""
    a, b = np.broadcast_arrays(a, b)
    y = np.zeros(a.shape, np.result_type(a, b))
    if a.ndim == 1 and y.dtype == np.float64 and len(a):  # Python's floats are faster one by one
        rows = zip(a.tolist(), b.tolist())
        y[1:] = list(itertools.accumulate(rows, lambda t, ab: ab[0] * t + ab[1], initial=0.0))[1:-1]
        return y
    for i in range(a.shape[-1] - 1):
        y[..., i + 1] = a[..., i] * y[..., i] + b[..., i]
    return y


def recurrence_behind(a, b):
    """The same from the last element on: y[i - 1] = a[i] * y[i] + b[i]"""
    a, b = np.broadcast_arrays(a, b)
    return recurrence_before(a[..., ::-1], b[..., ::-1])[..., ::-1]
