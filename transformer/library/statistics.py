"""Statistics: what is made of sums and means."""
import numpy as np

from .registry import means


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
