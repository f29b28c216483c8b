"""Windows that slide over an array, and those that strides describe."""
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib import stride_tricks

from .read_only import ReadOnly
from .registry import at_least, ensure, known, means, read_only, refuse
from .shapes import axis_of, counted, must_be_arrays, surely

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


# as_strided -----------------------------------------------------------------------------------------------------
WRITABLE = "np.lib.stride_tricks.as_strided gives a view of which a store may change several elements"
AS_STRIDED, SLIDING = "np.lib.stride_tricks.as_strided {}", "Write np.lib.stride_tricks.sliding_window_view(x, shape)."


@dataclass(frozen=True, eq=False)
class Stride(ReadOnly):
    """How far a step goes in the memory of an array.  Where that lies nobody knows here: it goes so many elements along
    each of the axes."""

    of: Any
    steps: tuple

    def __mul__(self, n):
        if not isinstance(n, (int, np.integer)):
            refuse("a product of a stride and what is no int", SLIDING)
        return Stride(self.of, tuple([k * n for k in self.steps]))

    __rmul__ = __mul__

    def __add__(self, other):
        if not isinstance(other, Stride) or other.of is not self.of:
            refuse("a sum of strides of two arrays", SLIDING)
        return Stride(self.of, tuple([j + k for j, k in zip(self.steps, other.steps)]))

    def __getattr__(self, name):
        refuse(f"{name} of a stride, of which only as_strided knows what to make", SLIDING)


def strides_of(x):
    """x.strides"""
    return tuple([Stride(x, tuple([int(j == k) for j in range(x.ndim)])) for k in range(x.ndim)])


@means(stride_tricks.as_strided, unasked=True, complex=True)
def as_strided(x, shape=None, strides=None, writeable=True):
    """By places along the axes, which no step may leave."""
    must_be_arrays("np.lib.stride_tricks.as_strided", x)
    if strides is None and shape is not None:
        refuse(AS_STRIDED.format("without strides, which then depend on how an array lies in memory"), SLIDING)
    shape = x.shape if shape is None else tuple([counted(n, "negative dimensions are not allowed") for n in shape])
    strides = strides_of(x) if strides is None else tuple(strides)
    if len(shape) != len(strides):
        raise ValueError("strides, if given, must be the same length as shape")
    steps = [steps_along(x, stride) for stride in strides]
    places = tuple([places_of(x.shape[k], shape, [along[k] for along in steps]) for k in range(x.ndim)])
    return read_only(np.broadcast_to(x[places], shape), x, WRITABLE)


def steps_along(x, stride):
    """How many elements of each axis of x a stride passes."""
    if isinstance(stride, Stride):
        if stride.of is not x:
            refuse(AS_STRIDED.format("by the strides of another array"), SLIDING)
        return stride.steps
    if not isinstance(stride, (int, np.integer)) or not surely(stride, 0):
        refuse(AS_STRIDED.format("by numbers of bytes, which depend on how an array lies in memory"), SLIDING)
    return (0,) * x.ndim


def places_of(length, shape, steps):
    """The places along an axis of this length to which so many steps along each axis of the result lead."""
    places = last = 0
    for k, (n, step) in enumerate(zip(shape, steps)):
        if not surely(step, 0):
            hold(step)
            more = (step * np.arange(n)).reshape((1,) * k + (n,) + (1,) * (len(shape) - k - 1))
            places = more if isinstance(places, int) else places + more
            last = last + step * (n - 1)
    hold(length - 1 - last)
    return places


def hold(n):
    if not at_least(n, 0):
        ensure(n >= 0, AS_STRIDED.format("beyond the ends of an axis, where sliding_window_view has no window"))
