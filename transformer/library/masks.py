"""What is true where: places of elements, and what is picked or counted by them."""
import operator

import numpy as np

from .registry import known, means, refuse


def by_axes(places, shape):
    """Places counted through all of an array, as one index for each axis."""
    found = []
    for n in shape[:0:-1]:
        found.append(places % n)
        places = places // n
    found.append(places)
    return tuple(found[::-1])


@means(np.nonzero, method="nonzero", unasked=True, complex=True)
def nonzero(a):
    a = np.asarray(a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. "
                         "If the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`.")
    return by_axes(np.flatnonzero(a), a.shape)


@means(np.argwhere, unasked=True, complex=True)
def argwhere(a):
    a = np.asarray(a)
    if a.ndim == 0:
        refuse("np.argwhere of an array without axes", "Write an if.")
    return np.stack(np.nonzero(a), axis=1)


@means(np.count_nonzero, complex=True)
def count_nonzero(a, axis=None, *, keepdims=False):
    a = np.asarray(a)
    if axis is None and not keepdims:
        keepdims = False
    return np.sum(a if a.dtype == np.bool_ else a != 0, axis=axis, keepdims=keepdims, dtype=np.intp)


@means(np.extract, unasked=True, complex=True)
def extract(condition, arr):
    return np.ravel(arr)[np.flatnonzero(condition)]


@means(np.compress, unasked=True, complex=True)
def compress(condition, a, axis=None):
    condition, axis = np.asarray(condition), known(axis, "it is an axis")
    if isinstance(axis, bool):
        raise TypeError("an integer is required for the axis")
    axis = axis if axis is None else operator.index(axis)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    a = np.asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    return np.take(a, np.flatnonzero(condition), axis)


@means(np.unique, unasked=True, complex=True)
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
           sorted=True):
    if axis is not None:
        refuse("np.unique along an axis", "Compare the rows in a loop.")
    a = np.asarray(ar).ravel()
    order = np.argsort(a, kind="stable")
    values = a[order]
    new = np.ones(len(values), dtype=np.bool_)
    new[1:] = values[1:] != values[:-1]
    if equal_nan:
        new[1:] &= (values[1:] == values[1:]) | (values[:-1] == values[:-1])
    first = np.flatnonzero(new)
    found = (values[first],)
    if return_index:
        found += (order[first],)
    if return_inverse:
        inverse = np.empty(len(a), dtype=np.intp)
        inverse[order] = np.cumsum(new) - 1
        found += (inverse.reshape(np.shape(ar)),)
    if return_counts:
        found += (np.diff(np.append(first, len(a))),)
    return found if len(found) > 1 else found[0]


UniqueAll, UniqueCounts, UniqueInverse = [type(f([1])) for f in (np.unique_all, np.unique_counts, np.unique_inverse)]


@means(np.unique_all, unasked=True, complex=True)
def unique_all(x):
    return UniqueAll(*unique(x, True, True, True, equal_nan=False))


@means(np.unique_counts, unasked=True, complex=True)
def unique_counts(x):
    return UniqueCounts(*unique(x, return_counts=True, equal_nan=False))


@means(np.unique_inverse, unasked=True, complex=True)
def unique_inverse(x):
    return UniqueInverse(*unique(x, return_inverse=True, equal_nan=False))
