"""Differences of neighbours, and sums of strips."""
import numpy as np

from .registry import known, means
from .shapes import along, axis_of

ABSENT = np._NoValue  # what NumPy has for an argument that is not given


def beside(x, a, axis):
    """What is put before or behind an array: a number becomes a layer of it."""
    x = np.asarray(x)
    return x if x.ndim > 0 else np.broadcast_to(x, a.shape[:axis] + (1,) + a.shape[axis + 1:])


@means(np.diff, complex=True)
def diff(a, n=1, axis=-1, prepend=ABSENT, append=ABSENT):
    n = known(n, "it says how often differences are taken")
    if n == 0:
        return a
    if n < 0:
        raise ValueError("order must be non-negative but got " + repr(n))
    a = np.asarray(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = axis_of(axis, a.ndim)
    parts = [beside(x, a, axis) for x in (prepend, a, append) if x is not ABSENT]
    if len(parts) > 1:
        a = np.concatenate(parts, axis)
    later, earlier = along(axis, slice(1, None), a.ndim), along(axis, slice(None, -1), a.ndim)
    for _ in (None,) * n:  # written out, so that the lengths are known
        a = a[later] != a[earlier] if a.dtype == np.bool_ else a[later] - a[earlier]
    return a


@means(np.trapezoid, complex=True)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.asarray(y)
    own = axis_of(axis, y.ndim)  # the axis of y: of an x with more axes, and of the products, it is another
    if x is None:
        d = dx
    else:
        x = np.asarray(x)
        d = np.diff(x, axis=axis if x.ndim > 1 else -1)
        if x.ndim == 1:
            d = d.reshape(tuple([-1 if k == own else 1 for k in range(y.ndim)]))
    later, earlier = along(own, slice(1, None), y.ndim), along(own, slice(None, -1), y.ndim)
    return np.sum(d * (y[later] + y[earlier]) / 2.0, axis)
