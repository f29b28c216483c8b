"""Convolutions and what is computed of windows, with the names and arguments of `jax.lax`.

A convolution is one matrix product: the elements of all windows are gathered into an array, with a row for each place.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from . import tree
from .transformer.library.registry import at_least, known


class ConvDimensionNumbers(NamedTuple):
    """Which axes of the operand, of the kernel and of the result are what.

    lhs_spec, out_spec  (examples, channels, the spatial axes ...)
    rhs_spec            (channels of the result, channels of the operand, the spatial axes ...)

    >>> import numpy as np, gradscribe as gs
    >>> numbers = gs.lax.ConvDimensionNumbers((0, 2, 1), (2, 1, 0), (0, 2, 1))
    >>> gs.lax.conv_general_dilated(np.ones((1, 3, 1)), np.ones((2, 1, 1)), (1,), "VALID", dimension_numbers=numbers)
    array([[[2.],
            [2.]]])
    """

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


def conv_dimension_numbers(lhs_shape: Sequence[int], rhs_shape: Sequence[int],
                           dimension_numbers: Any) -> ConvDimensionNumbers:
    """The axes that `dimension_numbers` of a convolution names.

    lhs_shape, rhs_shape  of the operand and of the kernel
    dimension_numbers     three texts with a letter for each axis, as ("NHWC", "HWIO", "NHWC"): N the examples, C the
                          channels, O and I those of the result and of the operand, others spatial;
                          ConvDimensionNumbers; None: ("NCHW", "OIHW", "NCHW") and its like

    Raises ValueError where they do not fit the shapes.

    >>> import gradscribe as gs
    >>> gs.lax.conv_dimension_numbers((8, 32, 32, 3), (5, 5, 3, 16), ("NHWC", "HWIO", "NHWC")).rhs_spec
    (3, 2, 0, 1)
    """
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if len(lhs_shape) != len(rhs_shape):
        raise ValueError("the operand and the kernel need the same number of axes")
    if dimension_numbers is None:
        axes = tuple(range(len(lhs_shape)))
        return ConvDimensionNumbers(axes, axes, axes)
    lhs, rhs, out = dimension_numbers
    spatial = [letter for letter in rhs if letter not in "OI"]
    found = []
    for text, two in ((lhs, "NC"), (rhs, "OI"), (out, "NC")):
        if sorted(text) != sorted([*two, *spatial]) or len(text) != len(lhs_shape) or len(set(text)) != len(text):
            raise ValueError(f"dimension_numbers need {two[0]}, {two[1]} and the same letters of the spatial axes, one "
                             f"for each axis: {text!r} does not")
        found.append(tuple([text.index(letter) for letter in [*two, *spatial]]))
    return ConvDimensionNumbers(*found)


def conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation=None, rhs_dilation=None,
                         dimension_numbers=None, feature_group_count=1, batch_group_count=1, precision=None,
                         preferred_element_type=None):
    """A convolution as networks have it: the sum over a window of its elements times those of a kernel, at all places.

    lhs                  the operand: examples, channels and spatial axes, in the order that dimension_numbers say
    rhs                  the kernel
    window_strides       how far apart the windows are: an int for each spatial axis
    padding              zeros around: "SAME", "SAME_LOWER", "VALID", or (before, behind) for each spatial axis; what is
                         negative cuts off
    lhs_dilation         n - 1 zeros come between two elements of the operand (a transposed convolution); None: 1
    rhs_dilation         the elements of a window are n apart; None: 1
    dimension_numbers    see `conv_dimension_numbers`
    feature_group_count  so many groups of channels, each with a kernel of its own
    batch_group_count    only 1
    precision            taken from JAX's signature: products are of full precision
    preferred_element_type  only None: the result has the dtype that NumPy gives operand and kernel together

    Raises ValueError where shapes do not fit.

    >>> import numpy as np, gradscribe as gs
    >>> x, w = np.arange(6.0).reshape(1, 6, 1), np.array([1.0, 0.0, -1.0]).reshape(3, 1, 1)
    >>> gs.lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))[0, :, 0]
    array([-1., -2., -2., -2., -2.,  4.])
    """
    if batch_group_count != 1:
        raise ValueError("batch_group_count must be 1: split the examples, and concatenate the results")
    if preferred_element_type is not None:
        raise ValueError("preferred_element_type must be None: convert the operands with x.astype")
    n = lhs.ndim - 2
    numbers = conv_dimension_numbers(lhs.shape, rhs.shape, dimension_numbers)
    examples, channels, *spatial = numbers.lhs_spec
    x = np.transpose(lhs, (examples, *spatial, channels))
    to, of, *spatial = numbers.rhs_spec
    kernel = np.transpose(rhs, (*spatial, of, to))
    if kernel.shape[-2] * feature_group_count != x.shape[-1]:
        raise ValueError("the channels of the operand must be feature_group_count times those of the kernel")
    if feature_group_count != 1 and kernel.shape[-1] % feature_group_count != 0:
        raise ValueError("feature_group_count must divide the channels of the result")
    strides, far, apart = one_each(window_strides, n), one_each(rhs_dilation, n), one_each(lhs_dilation, n)
    if isinstance(padding, str) and any([step != 1 for step in apart]):
        raise ValueError(f"padding must be pairs of numbers, not {padding!r}, where lhs_dilation is not 1")
    reach = [(length - 1) * step + 1 for length, step in zip(kernel.shape, far)]
    if not isinstance(padding, str):
        padding = [(0, 0), *padding, (0, 0)]
    x = padded(x, 0, (1, *reach, 1), (1, *strides, 1), padding, (1, *apart, 1))
    out = products(windows_of(x, kernel.shape[:n], strides, far), kernel, n, feature_group_count)
    return np.moveaxis(out, (0, n + 1, *range(1, n + 1)), numbers.out_spec)


def windows_of(x, lengths, strides, far):
    """(N, spatial, C) -> (N, spatial, window, C): the elements of the windows at all places."""
    n, index = len(lengths), []
    for k, (length, stride, step) in enumerate(zip(lengths, strides, far)):
        starts = np.arange(0, x.shape[k + 1] - (length - 1) * step, stride)
        first = np.reshape(starts, (-1,) + (1,) * (2 * n - k - 1))
        index.append(first + np.reshape(np.arange(length) * step, (-1,) + (1,) * (n - k - 1)))
    return x[(slice(None), *index)]


def products(windows, kernel, n, groups):
    """(N, spatial, window, C) times (window, I, O), summed over the window and I = C / groups: (N, spatial, O)."""
    shape, terms, of, to = windows.shape[:n + 1], product(kernel.shape[:n]), kernel.shape[-2], kernel.shape[-1]
    if groups == 1:
        out = np.reshape(windows, (product(shape), terms * of)) @ np.reshape(kernel, (terms * of, to))
    else:
        parts = np.reshape(windows, (product(shape), terms, groups, of)).transpose(2, 0, 1, 3)
        weights = np.reshape(kernel, (terms, of, groups, to // groups)).transpose(2, 0, 1, 3)
        out = (np.reshape(parts, (groups, product(shape), terms * of))
               @ np.reshape(weights, (groups, terms * of, to // groups))).transpose(1, 0, 2)
    return np.reshape(out, (*shape, to))


def product(lengths):
    total = 1
    for length in lengths:
        total = total * length
    return total


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


def pad(operand, padding_value, padding_config):
    """An array with more around, and between, its elements, or with less.

    operand         an array
    padding_value   what stands there
    padding_config  (before, behind, between) for each axis: how many; what is negative cuts off

    Returns an array of the operand's dtype.

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


def conv(lhs, rhs, window_strides, padding, precision=None, preferred_element_type=None):
    """`conv_general_dilated` of (N, C, spatial) with (O, I, spatial), without dilations and groups.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.conv(np.ones((1, 1, 4)), np.ones((1, 1, 2)), (2,), "VALID")
    array([[[2., 2.]]])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, precision=precision,
                                preferred_element_type=preferred_element_type)


def conv_with_general_padding(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, precision=None,
                              preferred_element_type=None):
    """`conv_general_dilated` of (N, C, spatial) with (O, I, spatial).

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.conv_with_general_padding(np.ones((1, 1, 3)), np.ones((1, 1, 2)), (1,), [(1, 0)], (1,), (2,))
    array([[[1., 2.]]])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, precision=precision,
                                preferred_element_type=preferred_element_type)


# what is computed of windows ------------------------------------------------------------------------------------------
def reduce_window(operand, init_value, computation, window_dimensions, window_strides, padding, base_dilation=None,
                  window_dilation=None):
    """What a function of two numbers makes of the elements of each window, one after the other.

    operand            an array
    init_value         what it begins with
    computation        a function of arrays that works element by element, and is associative: `np.add`, `gs.lax.max`
    window_dimensions  the lengths of a window: an int for each axis
    window_strides     how far apart windows are: an int for each axis; None: 1
    padding            "SAME", "SAME_LOWER", "VALID", or (before, behind) for each axis: windows reach so far out of the
                       array, where there is nothing
    base_dilation      the elements of the array are n apart; None: 1
    window_dilation    the elements of a window are n apart; None: 1

    Where several elements of a window are the largest, the derivative of `max` is that of the first, as JAX's, and
    likewise of `min`.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.reduce_window(np.array([3.0, 1.0, 2.0, 5.0]), -np.inf, gs.lax.max, (2,), (2,), "VALID")
    array([3., 5.])
    """
    n = operand.ndim
    lengths, strides, far = one_each(window_dimensions, n), one_each(window_strides, n), one_each(window_dilation, n)
    reach = [(length - 1) * step + 1 for length, step in zip(lengths, far)]
    nothing = identity(computation, operand.dtype)
    shape = reach, strides, padding, one_each(base_dilation, n)
    if nothing is not None:
        combined = first_of(computation)
        x = padded(operand, nothing, *shape)
        for axis in range(n - 1, -1, -1):
            x = along(x, axis, combined, lengths[axis], strides[axis], far[axis])
        return combined(operand.dtype.type(init_value), x)
    # whether there is an element goes with it
    x, there = padded(operand, init_value, *shape), padded(np.ones(operand.shape, bool), False, *shape)

    def of_those_there(a, b):
        return np.where(a[1] & b[1], computation(a[0], b[0]), np.where(a[1], a[0], b[0])), a[1] | b[1]

    for axis in range(n - 1, -1, -1):
        x, there = along((x, there), axis, of_those_there, lengths[axis], strides[axis], far[axis])
    return np.where(there, computation(operand.dtype.type(init_value), x), operand.dtype.type(init_value))


def identity(computation, dtype):
    """What changes nothing: f(identity, x) is x; None of what we do not know."""
    if computation is np.add:
        return 0
    if computation is np.multiply:
        return 1
    if computation is not np.maximum and computation is not np.minimum:
        return None
    if dtype.kind == "f":
        return -np.inf if computation is np.maximum else np.inf
    if dtype.kind == "b":
        return computation is np.minimum
    return np.iinfo(dtype).min if computation is np.maximum else np.iinfo(dtype).max


def first_of(computation):
    """The computation; maximum and minimum in such a way that of equal elements the first has the derivative."""
    if computation is np.maximum:
        return lambda a, b: np.where((a >= b) | (a != a), a, b)
    if computation is np.minimum:
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


__all__ = ["ConvDimensionNumbers", "conv", "conv_dimension_numbers", "conv_general_dilated",
           "conv_with_general_padding", "pad", "reduce_window"]
