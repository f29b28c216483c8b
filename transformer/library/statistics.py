"""Statistics: what is made of sums and means."""
import numpy as np

from .registry import known, means, refuse
from .shapes import several_axes

ABSENT = np._NoValue  # what NumPy has for an argument that is not given


def squared(d):
    """The square of the distance from 0."""
    return np.real(d * np.conjugate(d)) if d.dtype.kind == "c" else d * d


@means(np.var, method="var", complex=True)
def var(a, axis=None, dtype=None, ddof=0, keepdims=False, *, where=True, mean=ABSENT, correction=ABSENT):
    a, ddof = np.asarray(a), ddof if correction is ABSENT else correction
    if where is not True:
        return masked_var(a, axis, dtype, ddof, keepdims, where, mean)
    d = a - (np.mean(a, axis=axis, dtype=dtype, keepdims=True) if mean is ABSENT else mean)
    if ddof == 0:
        return np.mean(squared(d), axis=axis, dtype=dtype, keepdims=keepdims)
    free = np.size(a, axis) - ddof
    return np.sum(squared(d), axis=axis, dtype=dtype, keepdims=keepdims) / (free * (free > 0) + 0)


def masked_var(a, axis, dtype, ddof, keepdims, where, mean):
    """Of what a mask chooses."""
    mean = np.mean(a, axis=axis, dtype=dtype, keepdims=True, where=where) if mean is ABSENT else mean
    d = a - mean
    d = np.where(where, d, np.zeros(1, d.dtype))
    free = np.sum(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims) - ddof
    if d.dtype.kind == "c":
        refuse("np.var of complex numbers with where=", "Pick the elements first: np.var(z[mask]).")
    y = np.sum(d * d, axis=axis, keepdims=keepdims) / (free * (free > 0))
    return y.astype(a.dtype if a.dtype.kind == "f" and dtype is None else float if dtype is None else dtype)


@means(np.std, method="std", complex=True)
def std(a, axis=None, dtype=None, ddof=0, keepdims=False, *, where=True, mean=ABSENT, correction=ABSENT):
    return np.sqrt(np.var(a, axis, dtype, ddof=ddof if correction is ABSENT else correction, keepdims=keepdims,
                          where=where, mean=mean))


@means(np.ptp)
def ptp(a, axis=None, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


@means(np.average, unasked=True, complex=True)
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if known(returned, "it decides what is given"):
        y = average(a, axis, weights, keepdims=keepdims)
        one = np.ones(np.shape(a), y.dtype) if weights is None else weights
        if np.shape(one) != np.shape(a):
            refuse("np.average with returned= and weights of another shape", "Sum the weights: np.sum(weights).")
        return y, np.broadcast_to(np.sum(one, axis, keepdims=keepdims, dtype=y.dtype), np.shape(y)) + 0
    a, axis = np.asarray(a), known(axis, "it is an axis")
    if axis is not None:
        axis = tuple(several_axes(axis, a.ndim))
    if weights is None:
        return np.mean(a, axis, keepdims=keepdims)
    weights = np.asarray(weights)
    if weights.shape != a.shape:
        weights = weights_along(weights, a, axis)
    kind = (np.result_type(a.dtype, weights.dtype, "f8") if a.dtype.kind in "iub"
            else np.result_type(a.dtype, weights.dtype))
    total = np.sum(weights, axis, dtype=kind, keepdims=keepdims)
    if np.any(total == 0.0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(np.multiply(a, weights, dtype=kind), axis, keepdims=keepdims) / total


def weights_along(weights, a, axis):
    """Weights of some axes, so that they broadcast against the array."""
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if weights.shape != tuple([a.shape[k] for k in axis]):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    order = sorted(range(len(axis)), key=lambda k: axis[k])
    return np.transpose(weights, order).reshape(tuple([a.shape[k] if k in axis else 1 for k in range(a.ndim)]))


@means(np.cov, unasked=True)
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    x, rowvar = np.asarray(m), known(rowvar, "it says what a row is")
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    if x.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    x = variables_in_rows(x.astype(float), rowvar)
    if y is not None:
        x = np.concatenate([x, variables_in_rows(np.asarray(y), rowvar)], 0)
    ddof = (1 if known(bias, "it is a flag") == 0 else 0) if ddof is None else ddof
    w = None
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        if weights is not None:
            weights = checked_weights(name, weights, x.shape[1])
            w = weights.astype(float) if w is None else w * weights
    if w is None:
        x = x - np.mean(x, 1, keepdims=True)
        free, weighted = x.shape[1] - ddof, x
    else:
        total = np.sum(w)
        if total == 0:
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        x = x - np.sum(x * w, 1, keepdims=True) / total
        again = w if aweights is None else w * np.asarray(aweights)
        free, weighted = total - ddof * np.sum(again) / total, x * w
    c = x @ weighted.T / (free * (free > 0) + 0.0)
    one = c.shape[0] == 1  # of one variable the variance
    return c.reshape(()) if one else c


def variables_in_rows(x, rowvar):
    """A matrix with a variable in each row."""
    matrix = np.atleast_2d(x)
    return matrix.T if not rowvar and x.ndim != 1 else matrix


def checked_weights(name, weights, count):
    """The weights of `count` samples as an array."""
    weights = np.asarray(weights)
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if np.any(weights < 0):
        raise ValueError(f"{name} cannot be negative")
    if name == "fweights" and weights.dtype.kind not in "iu" and np.any(weights != np.around(weights)):
        raise TypeError("fweights must be integer")
    return weights


@means(np.corrcoef, unasked=True)
def corrcoef(x, y=None, rowvar=True):
    c = np.cov(x, y, rowvar)
    if c.ndim == 0:
        return (c / c)[()]
    deviations = np.sqrt(np.diag(c))
    return np.clip(c / deviations[:, None] / deviations, -1, 1)
