"""Sorting: by the places of elements in their order."""
import numpy as np

from .registry import known, means, refuse, rows_in_order
from .shapes import axis_of


@means(np.sort, complex=True)
def sort(a, axis=-1, kind=None, stable=None):
    a = np.asarray(a)
    if axis is None:
        a, axis = a.flatten(), 0
    if a.ndim == 1:
        return a[np.argsort(a, axis)]
    rows = a.swapaxes(axis, -1)
    return rows_in_order(rows, np.argsort(rows)).swapaxes(axis, -1)


@means(method="sort", complex=True)
def sort_in_place(a, axis=-1, kind=None, stable=None):
    a[...] = np.sort(a, axis)


def argsort_along(a, axis):
    a = np.asarray(a)
    if axis is None or a.ndim == 0:
        return np.argsort(a.flatten(), -1 if axis is None else axis)
    return np.argsort(a.swapaxes(axis, -1)).swapaxes(axis, -1)


def argsort_of_complex(a, axis):
    """By real parts, then by imaginary ones; behind those are what has a nan as its imaginary part, as its real one, as
    both."""
    a = np.asarray(a)
    if axis is None:
        a, axis = a.flatten(), -1
    if a.ndim == 0:
        return np.argsort(a.real, axis)
    return np.lexsort((a.imag, a.real, 2 * np.isnan(a.real) + np.isnan(a.imag)), axis)


def place_in_complex(z, axis, keepdims, largest):
    """np.argmax or np.argmin: by real parts, then by imaginary ones; what is no number comes first."""
    z, axis = np.asarray(z), known(axis, "it is an axis")
    along, at = (z.reshape(-1), 0) if axis is None or z.ndim == 0 else (z, axis)
    none = np.isnan(along)
    least = np.full(1, -np.inf, z.real.dtype)
    sides = [np.where(none, 0, part) if largest else np.where(none, 0, -part) for part in (along.real, along.imag)]
    best = sides[0] == np.max(sides[0], at, keepdims=True)
    second = np.where(best, sides[1], least)
    hit = best & (second == np.max(second, at, keepdims=True))
    place = np.argmax(np.where(np.any(none, at, keepdims=True), none, hit), at)
    if not known(keepdims, "it decides the shape"):
        return place
    return place.reshape((1,) * z.ndim) if axis is None else np.expand_dims(place, axis)


def extreme_of_complex(z, axis, keepdims, largest):
    """np.max or np.min along one axis, or of all elements."""
    z, axis = np.asarray(z), known(axis, "it is an axis")
    if isinstance(axis, tuple):
        refuse("np.max or np.min of complex numbers along several axes", "Take one axis after the other.")
    if axis is None or z.ndim == 0:
        found = z.reshape(-1)[place_in_complex(z, None, False, largest)]
        return found.reshape((1,) * z.ndim) if keepdims else found
    found = np.take_along_axis(z, place_in_complex(z, axis, True, largest), axis)
    return found if keepdims else np.squeeze(found, axis)


@means(np.sort_complex, complex=True)
def sort_complex(a):
    a = np.sort(a)
    if a.dtype.kind == "c":
        return a
    return a.astype(np.complex64 if a.dtype.itemsize < 4 and a.dtype.kind in "iu" else np.complex128)


@means(np.partition, unasked=True, complex=True)
def partition(a, kth, axis=-1, kind="introselect"):
    """Sorted, which is one of the orders that it may give."""
    check_places(a, kth, axis)
    return np.sort(a, axis)


@means(np.argpartition, unasked=True, complex=True)
def argpartition(a, kth, axis=-1, kind="introselect"):
    check_places(a, kth, axis)
    return np.argsort(a, axis)


def check_places(a, kth, axis):
    """Raise what NumPy raises of a place that no axis has."""
    if np.ndim(a) == 0:
        refuse("a part of an array without axes", "Leave it out.")
    n = np.size(a) if axis is None else np.shape(a)[axis_of(axis, np.ndim(a))]
    for k in kth if isinstance(kth, (list, tuple)) or np.ndim(kth) else (kth,):
        if np.size(a) > 0 and (k >= n or k < -n):
            raise ValueError(f"kth(={k}) out of bounds ({n})")


@means(np.lexsort, unasked=True)
def lexsort(keys, axis=-1):
    keys = [np.asarray(k) for k in keys]
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if keys[0].ndim == 0:
        refuse("np.lexsort of one vector, which is its one key each", "Use np.argsort.")
    for key in keys[1:]:
        if key.shape != keys[0].shape:
            raise ValueError("all keys need to be the same shape")
    axis = axis_of(axis, keys[0].ndim)
    order = np.argsort(keys[0], axis, kind="stable")
    for key in keys[1:]:
        order = np.take_along_axis(order, np.argsort(np.take_along_axis(key, order, axis), axis, kind="stable"), axis)
    return order


@means(np.digitize, unasked=True)
def digitize(x, bins, right=False):
    bins, side = np.asarray(bins), "left" if known(right, "it is a flag") else "right"
    if bins.ndim != 1:
        raise ValueError("object of too small depth for desired array" if bins.ndim == 0
                         else "object too deep for desired array")
    if np.all(bins[1:] >= bins[:-1]):
        return np.searchsorted(bins, x, side)
    if not np.all(bins[1:] <= bins[:-1]):
        raise ValueError("bins must be monotonically increasing or decreasing")
    return len(bins) - np.searchsorted(bins[::-1], x, side)
