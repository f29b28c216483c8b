"""Medians and quantiles: of the sorted elements, by their places."""
import numpy as np

from .registry import at_least, known, means, refuse
from .running import kept_axes, rows_along
from .shapes import element, product

METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def sorted_rows(a, axis):
    """(the rows that are reduced, as a matrix, sorted; the shape of the result; how many numbers each has; how many
    elements)"""
    if a.dtype.kind not in "f":
        a = a.astype(float)
    rows, shape = rows_along(a, axis)
    rows = rows.reshape(product(shape), rows.shape[-1])
    some, n = np.sum(~np.isnan(rows), axis=1), rows.shape[-1]
    rows = np.sort(rows)
    if not at_least(n, 1):  # of no elements there is no number
        rows = np.concatenate([rows, np.full((rows.shape[0], 1), np.nan, rows.dtype)], 1)
    return rows, shape, some, n


def finished(y, a, shape, axis, keepdims):
    """The result for each row in its shape."""
    y = element(np.reshape(y, shape))
    return kept_axes(y, a.ndim, known(axis, "it is an axis")) if known(keepdims, "it decides the shape") else y


def median_of(a, axis, keepdims, ignore_nan):
    a = np.asarray(a)
    rows, shape, some, n = sorted_rows(a, axis)
    count, n, each = n, some if ignore_nan else np.full(rows.shape[0], n), np.arange(rows.shape[0])
    low, high = rows[each, np.maximum((n - 1) // 2, 0)], rows[each, n // 2]
    y = np.where(n % 2 == 1, low, (low + high) / 2) + 0.0  # a mean, which is never -0.0
    if not ignore_nan:
        y = np.where(some < count, np.full(1, np.nan, rows.dtype), y)
    return finished(y, a, shape, axis, keepdims)


@means(np.median)
def median(a, axis=None, overwrite_input=False, keepdims=False):
    return median_of(a, axis, keepdims, False)


def between(low, high, t):
    """low + t * (high - low), from the nearer side."""
    change = high - low
    return np.where(t >= 0.5, high - change * (1 - t), low + change * t)


def quantiles(a, q, axis, method, keepdims, ignore_nan):
    a, q, method = np.asarray(a), np.asarray(q), known(method, "it says which quantile")
    if not isinstance(method, str) or method not in METHODS:
        refuse(f"a quantile with method={method!r}", "Use 'linear', 'lower', 'higher', 'midpoint' or 'nearest'.")
    if np.any((q < 0) | (q > 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    rows, shape, some, count = sorted_rows(a, axis)
    if not ignore_nan and not at_least(count, 1) and count == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    last = (some if ignore_nan else np.full(rows.shape[0], count)) - 1
    place = q.reshape(q.size, 1) * (last.astype(q.dtype) if q.dtype.kind == "f" else last)
    place = place_by(method, place)
    first = np.floor(place)
    most, each = rows.shape[1] - 1, np.arange(rows.shape[0])
    low = rows[each, np.clip(first.astype(int), 0, most)]
    high = rows[each, np.clip(np.ceil(place).astype(int), 0, most)]
    mixed = q.ndim and q.dtype.kind == "f" and method in ("linear", "midpoint")
    kind = np.result_type(rows.dtype, q.dtype) if mixed else rows.dtype
    y = np.where(low == high, low, between(low, high, (place - first).astype(kind)))
    if not ignore_nan:
        y = np.where(some < count, np.full(1, np.nan, kind), y)
    if not known(keepdims, "it decides the shape"):
        return element(np.reshape(y, q.shape + shape))
    kept = np.shape(kept_axes(np.zeros(shape), a.ndim, known(axis, "it is an axis")))
    return np.reshape(y, q.shape + kept)


def place_by(method, place):
    """Where a method has a quantile, as the number of an element, for a place between two."""
    if method == "lower":
        return np.floor(place)
    if method == "higher":
        return np.ceil(place)
    if method == "nearest":
        return np.rint(place)
    if method == "midpoint":
        return 0.5 * (np.floor(place) + np.ceil(place))
    return place


@means(np.quantile)
def quantile(a, q, axis=None, overwrite_input=False, method="linear", keepdims=False):
    return quantiles(a, q, axis, method, keepdims, False)


def hundredths(q):
    """Percentiles as quantiles."""
    q = np.asarray(q) / 100
    if np.any((q < 0) | (q > 1)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return q


@means(np.percentile)
def percentile(a, q, axis=None, overwrite_input=False, method="linear", keepdims=False):
    return quantiles(a, hundredths(q), axis, method, keepdims, False)
