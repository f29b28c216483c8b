"""Reductions with `initial=` and `where=`: what is left out is what changes nothing."""
import numpy as np

from .registry import at_least, known, refuse
from .shapes import several_axes


def kept_in(a, where, neutral):
    """The array with something neutral where it is left out."""
    return a if where is True else np.where(np.broadcast_to(where, a.shape), a, np.full(1, neutral, a.dtype))


def sum_where(a, axis, dtype, keepdims, initial, where):
    a = np.asarray(a)
    y = np.sum(kept_in(a, where, 0), axis=axis, dtype=dtype, keepdims=keepdims)
    return y if initial is None else y + np.asarray(initial).astype(y.dtype)[()]


def mean_where(a, axis, dtype, keepdims, initial, where):
    a = np.asarray(a)
    total = np.sum(kept_in(a, where, 0), axis=axis, dtype=dtype if dtype is not None or a.dtype.kind in "fc" else float,
                   keepdims=keepdims)
    count = np.sum(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims)
    return (total / count).astype(total.dtype)


def least_of(dtype):
    """What nothing is smaller than, in a dtype."""
    if dtype.kind == "c":
        refuse("the largest of complex numbers that are chosen", "Pick them first: np.max(z[mask]).")
    return -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min


def largest_of(dtype):
    if dtype.kind == "c":
        refuse("the smallest of complex numbers that are chosen", "Pick them first: np.min(z[mask]).")
    return np.inf if dtype.kind == "f" else True if dtype.kind == "b" else np.iinfo(dtype).max


def with_layer(a, axis, value):
    """The array; where it has no elements, a layer of them."""
    axis = known(axis, "it is an axis")
    if axis is None or a.ndim == 0:
        a, axis = np.reshape(a, (-1,)), 0
    for k in several_axes(axis, a.ndim):
        if not at_least(a.shape[k], 1):
            a = np.concatenate([np.full(a.shape[:k] + (1,) + a.shape[k + 1:], value, a.dtype), a], k)
    return a


def max_where(a, axis, dtype, keepdims, initial, where):
    a = np.asarray(a)
    neutral = least_of(a.dtype)
    full = with_layer(kept_in(a, where, neutral), axis, neutral)
    y = np.max(full, axis=axis, keepdims=keepdims if full.ndim == a.ndim else False)
    y = np.maximum(y, np.asarray(initial).astype(a.dtype)[()])
    return np.reshape(y, (1,) * a.ndim) if keepdims and full.ndim != a.ndim else y


def min_where(a, axis, dtype, keepdims, initial, where):
    a = np.asarray(a)
    neutral = largest_of(a.dtype)
    full = with_layer(kept_in(a, where, neutral), axis, neutral)
    y = np.min(full, axis=axis, keepdims=keepdims if full.ndim == a.ndim else False)
    y = np.minimum(y, np.asarray(initial).astype(a.dtype)[()])
    return np.reshape(y, (1,) * a.ndim) if keepdims and full.ndim != a.ndim else y


def any_where(a, axis, dtype, keepdims, initial, where):
    return np.any(kept_in(np.asarray(a), where, False), axis=axis, keepdims=keepdims)


def all_where(a, axis, dtype, keepdims, initial, where):
    return np.all(kept_in(np.asarray(a), where, True), axis=axis, keepdims=keepdims)


MASKED = {"np.sum": sum_where, "np.mean": mean_where, "np.max": max_where, "np.min": min_where, "np.any": any_where,
          "np.all": all_where}
