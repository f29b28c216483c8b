"""Statistics: what is made of sums and means."""
import numpy as np

from .registry import known, means
from .shapes import axis_of


@means(np.var, method="var")
def var(a, axis=None, dtype=None, ddof=0, keepdims=False):
    a = np.asarray(a)
    d = a - np.mean(a, axis=axis, dtype=dtype, keepdims=True)
    if ddof == 0:
        return np.mean(d * d, axis=axis, dtype=dtype, keepdims=keepdims)
    free = np.size(a, axis) - ddof
    return np.sum(d * d, axis=axis, dtype=dtype, keepdims=keepdims) / (free * (free > 0) + 0)


@means(np.std, method="std")
def std(a, axis=None, dtype=None, ddof=0, keepdims=False):
    return np.sqrt(np.var(a, axis, dtype, ddof=ddof, keepdims=keepdims))


@means(np.ptp)
def ptp(a, axis=None, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


@means(np.average, unasked=True)
def average(a, axis=None, weights=None):
    a, axis = np.asarray(a), known(axis, "it is an axis")
    if axis is not None:
        axis = tuple([axis_of(k, a.ndim) for k in (axis if isinstance(axis, tuple) else (axis,))])
    if weights is None:
        return np.mean(a, axis)
    weights = np.asarray(weights)
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if weights.shape != tuple([a.shape[k] for k in axis]):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = sorted(range(len(axis)), key=lambda k: axis[k])
        weights = np.transpose(weights, order).reshape(tuple([a.shape[k] if k in axis else 1 for k in range(a.ndim)]))
    kind = (np.result_type(a.dtype, weights.dtype, "f8") if a.dtype.kind in "iub"
            else np.result_type(a.dtype, weights.dtype))
    total = np.sum(weights, axis, dtype=kind)
    if np.any(total == 0.0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(np.multiply(a, weights, dtype=kind), axis) / total
