"""Windows that slide over an array."""
import numpy as np
from numpy.lib import stride_tricks

from .registry import at_least, known, means, read_only
from .shapes import axis_of

VIEW = "np.lib.stride_tricks.sliding_window_view gives a view that cannot be written to"
LARGER = "window shape cannot be larger than input array shape"


@means(stride_tricks.sliding_window_view, unasked=True, complex=True)
def sliding_window_view(x, window_shape, axis=None):
    x = np.asarray(x)
    window_shape = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    for n in window_shape:
        if n < 0:
            raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = list(range(x.ndim))
        if len(window_shape) != len(axes):
            raise ValueError(f"Since axis is `None`, must provide window_shape for all dimensions of `x`; got "
                             f"{len(window_shape)} window_shape elements and `x.ndim` is {x.ndim}.")
    else:
        axis = known(axis, "it says over which axes windows slide")
        axes = [axis_of(k, x.ndim) for k in (axis if isinstance(axis, (tuple, list)) else (axis,))]
        if len(window_shape) != len(axes):
            raise ValueError(f"Must provide matching length window_shape and axis; got {len(window_shape)} "
                             f"window_shape elements and {len(axes)} axes elements.")
    view = x
    for k, n in zip(axes, window_shape):
        view = windows(view, k, n)
    return read_only(view, x, VIEW)


def windows(x, axis, n):
    """The windows of n elements along an axis, in a last axis."""
    if not at_least(x.shape[axis] - n, 0) and x.shape[axis] < n:
        raise ValueError(LARGER)
    places = np.arange(x.shape[axis] - n + 1)[:, None] + np.arange(n)
    return np.moveaxis(x[(slice(None),) * axis + (places,)], axis + 1, -1)
