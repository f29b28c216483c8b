"""Padding, and what is computed of windows, with the names and arguments of `jax.lax`."""
from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from . import tree
from ._operators import max_, min_
from ._types import Array, Number, Padding
from .transformer.library.registry import at_least, known


def one_each(given, n):
    """An int for each spatial axis; of None 1."""
    if given is None:
        return (1,) * n
    given = known(given, "they say which elements a window has")
    if len(given) != n:
        raise ValueError(f"lengths of windows, strides and dilations need {n} numbers, one for each axis")
    return tuple(given)


def padded(x, value, reach, strides, padding, dilation):
    """An array with what `padding` says around it, for windows that reach so far, and values between its elements."""
    if isinstance(padding, str):
        if padding.upper() == "VALID" and all([step == 1 for step in dilation]):
            return x
        pads = pads_of(x.shape, reach, strides, padding.upper())
        return spread(x, value, [(*ends, step - 1) for ends, step in zip(pads, dilation)])
    return pad(x, value, [(*ends, step - 1) for ends, step in zip(padding, dilation)])


def pads_of(lengths, reach, strides, padding):
    """(before, behind) for each axis."""
    if padding == "VALID":
        return [(0, 0)] * len(lengths)
    if padding not in ("SAME", "SAME_LOWER"):
        raise ValueError(f"padding is 'SAME', 'SAME_LOWER', 'VALID', or pairs of numbers, not {padding!r}")
    found = []
    for length, size, stride in zip(lengths, reach, strides):
        total = size - 1 if stride == 1 else not_negative((length - 1) // stride * stride + size - length)
        half = total // 2
        found.append((half, total - half) if padding == "SAME" else (total - half, half))
    return found


def not_negative(n):
    """max(n, 0); of most lengths it is known before the run which of the two it is."""
    return n if at_least(n, 0) else int(np.maximum(n, 0))


def pad(operand: Array, padding_value: Number, padding_config: Sequence[Sequence[int]]) -> Array:
    """Return an array with more around, and between, its elements, or with less.

    Parameters
    ----------
    operand : ndarray
        The array.
    padding_value : number
        What stands where nothing was.
    padding_config : sequence of (int, int, int)
        (before, behind, between) for each axis: how many; what is negative cuts off.

    Returns
    -------
    ndarray
        Of the operand's dtype.

    Raises
    ------
    ValueError
        Where there is not one entry for each axis, or a negative number between elements.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.pad(np.array([1.0, 2.0, 3.0]), 0.0, [(-1, 2, 1)])
    array([0., 2., 0., 3., 0., 0.])
    """
    if len(padding_config) != operand.ndim:
        raise ValueError(f"the padding needs {operand.ndim} entries, one for each axis")
    added, kept = [], []
    for before, behind, between in known(padding_config, "it decides the shape"):
        if between < 0:
            raise ValueError("there cannot be less than nothing between two elements")
        added.append((not_negative(before), not_negative(behind), between))
        kept.append(slice(None if before >= 0 else -before, None if behind >= 0 else behind))
    return spread(operand, padding_value, added)[tuple(kept)]


def spread(x, value, widths):
    """`pad` of widths that are not negative."""
    shape, inside = [], []
    for length, (before, behind, between) in zip(x.shape, widths):
        extent = length if between == 0 else not_negative((length - 1) * (between + 1) + 1)
        shape.append(before + extent + behind)
        inside.append(slice(before, before + extent, None if between == 0 else between + 1))
    out = np.full(shape, value, x.dtype)
    out[tuple(inside)] = x
    return out


# what is computed of windows ------------------------------------------------------------------------------------------
def reduce_window(operand: Array, init_value: Number, computation: Callable[[Any, Any], Any],
                  window_dimensions: Sequence[int], window_strides: Sequence[int] | None, padding: Padding,
                  base_dilation: Sequence[int] | None = None, window_dilation: Sequence[int] | None = None) -> Array:
    """Return what a function of two numbers makes of the elements of each window, one after the other.

    Parameters
    ----------
    operand : ndarray
        The array.
    init_value : number
        What it begins with.
    computation : callable
        A function of arrays that works element by element, and is associative: `np.add`, `gs.lax.max`.
    window_dimensions : sequence of int
        The lengths of a window, one for each axis.
    window_strides : sequence of int or None
        How far apart windows are, one for each axis; None: 1.
    padding : str or sequence of pairs of int
        "SAME", "SAME_LOWER", "VALID", or (before, behind) for each axis: windows reach so far out of the array, where
        there is nothing.
    base_dilation : sequence of int or None
        How far apart the elements of the array are; None: 1.
    window_dilation : sequence of int or None
        How far apart the elements of a window are; None: 1.

    Returns
    -------
    ndarray
        With a place for each window.

    Raises
    ------
    ValueError
        Where there are not as many numbers as axes, or the padding is none of these.

    Notes
    -----
    Where several elements of a window are the largest, the derivative of `max` is that of the first, as JAX's, and
    likewise of `min`.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.reduce_window(np.array([3.0, 1.0, 2.0, 5.0]), -np.inf, gs.lax.max, (2,), (2,), "VALID")
    array([3., 5.])
    """
    n = operand.ndim
    lengths, strides, far = one_each(window_dimensions, n), one_each(window_strides, n), one_each(window_dilation, n)
    reach = [(length - 1) * step + 1 for length, step in zip(lengths, far)]
    shape = reach, strides, padding, one_each(base_dilation, n)
    nothing = identity(computation, operand.dtype)
    if nothing is None:
        return reduced_with_presence(operand, init_value, computation, shape, lengths, strides, far)
    combined = first_of(computation)
    x = padded(operand, nothing, *shape)
    for axis in range(n - 1, -1, -1):
        x = along(x, axis, combined, lengths[axis], strides[axis], far[axis])
    return combined(operand.dtype.type(init_value), x)


def reduced_with_presence(operand, init_value, computation, shape, lengths, strides, far):
    """`reduce_window` of a function of which we know no identity: whether there is an element goes with it."""
    x, present = padded(operand, init_value, *shape), padded(np.ones(operand.shape, bool), False, *shape)

    def of_those_present(a, b):
        return np.where(a[1] & b[1], computation(a[0], b[0]), np.where(a[1], a[0], b[0])), a[1] | b[1]

    for axis in range(operand.ndim - 1, -1, -1):
        x, present = along((x, present), axis, of_those_present, lengths[axis], strides[axis], far[axis])
    return np.where(present, computation(operand.dtype.type(init_value), x), operand.dtype.type(init_value))


def identity(computation, dtype):
    """What changes nothing: f(identity, x) is x; None of what we do not know."""
    if computation is np.add:
        return 0
    if computation is np.multiply:
        return 1
    if not is_larger(computation) and not is_smaller(computation):
        return None
    if dtype.kind == "f":
        return -np.inf if is_larger(computation) else np.inf
    if dtype.kind == "b":
        return is_smaller(computation)
    return np.iinfo(dtype).min if is_larger(computation) else np.iinfo(dtype).max


def is_larger(computation):
    return computation is np.maximum or computation is max_


def is_smaller(computation):
    return computation is np.minimum or computation is min_


def first_of(computation):
    """The computation; maximum and minimum in such a way that of equal elements the first has the derivative."""
    if is_larger(computation):
        return lambda a, b: np.where((a >= b) | (a != a), a, b)
    if is_smaller(computation):
        return lambda a, b: np.where((a <= b) | (a != a), a, b)
    return computation


def along(x, axis, combined, length, stride, step):
    """The windows of one axis, of an array or of each of a pair: slices that are as far apart as windows."""
    if length == 1 and stride == 1:
        return x
    starts = not_negative(np.shape(tree.leaves(x)[0])[axis] - (length - 1) * step)
    total = tree.map(lambda a: a[(slice(None),) * axis + (slice(0, starts, stride),)], x)
    for k in list(range(1, length)):
        index = (slice(None),) * axis + (slice(k * step, k * step + starts, stride),)
        total = combined(total, tree.map(lambda a: a[index], x))
    return total


__all__ = ["pad", "reduce_window"]
