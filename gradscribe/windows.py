"""Convolutions and what is computed of windows, with the names and arguments of `jax.lax`.

A convolution is one matrix product: the elements of all windows are gathered into an array, with a row for each place.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from .transformer.library.registry import at_least


class ConvDimensionNumbers(NamedTuple):
    """Which axes of the operand, of the kernel and of the result are what.

    lhs_spec, out_spec  (examples, channels, the spatial axes ...)
    rhs_spec            (channels of the result, channels of the operand, the spatial axes ...)
    """

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


def conv_dimension_numbers(lhs_shape: Sequence[int], rhs_shape: Sequence[int],
                           dimension_numbers: Any) -> ConvDimensionNumbers:
    """The axes that `dimension_numbers` of a convolution names.

    lhs_shape, rhs_shape  of the operand and of the kernel
    dimension_numbers     three texts with a letter for each axis, as ("NHWC", "HWIO", "NHWC"): N the examples, C the
                          channels, O and I those of the result and of the operand, others spatial; ConvDimensionNumbers;
                          None: ("NCHW", "OIHW", "NCHW") and its like

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
    strides, far = one_each(window_strides, n), one_each(rhs_dilation, n)
    reach = [(length - 1) * step + 1 for length, step in zip(kernel.shape, far)]
    if not isinstance(padding, str):
        padding = [(0, 0), *padding, (0, 0)]
    x = padded(x, 0, (1, *reach, 1), (1, *strides, 1), padding, (1, *one_each(lhs_dilation, n), 1))
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
    if len(given) != n:
        raise ValueError(f"strides and dilations need {n} numbers, one for each spatial axis")
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
    for before, behind, between in padding_config:
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
    init_value         what it begins with, and what stands around
    computation        a function of arrays that works element by element, and may take neighbours together first:
                       `np.add`, `gs.lax.max`, ...
    window_dimensions  the lengths of a window: an int for each axis
    window_strides     how far apart windows are: an int for each axis; None: 1
    padding            "SAME", "SAME_LOWER", "VALID", or (before, behind) for each axis
    base_dilation      n - 1 of init_value come between two elements; None: 1
    window_dilation    the elements of a window are n apart; None: 1

    Where several elements of a window are the largest, the derivative of `max` is that of the first, as JAX's, and
    likewise of `min`.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.reduce_window(np.array([3.0, 1.0, 2.0, 5.0]), -np.inf, gs.lax.max, (2,), (2,), "VALID")
    array([3., 5.])
    """
    n = operand.ndim
    if len(window_dimensions) != n:
        raise ValueError(f"window_dimensions need {n} numbers, one for each axis")
    strides, far = one_each(window_strides, n), one_each(window_dilation, n)
    reach = [(length - 1) * step + 1 for length, step in zip(window_dimensions, far)]
    x = padded(operand, init_value, reach, strides, padding, one_each(base_dilation, n))
    combined = first_of(computation)
    for axis in range(n - 1, -1, -1):
        x = along(x, axis, combined, window_dimensions[axis], strides[axis], far[axis])
    return combined(operand.dtype.type(init_value), x)


def along(x, axis, combined, length, stride, step):
    """The windows of one axis: slices that are as far apart as windows."""
    if length == 1 and stride == 1:
        return x
    starts = not_negative(x.shape[axis] - (length - 1) * step)
    parts = [x[(slice(None),) * axis + (slice(k * step, k * step + starts, stride),)] for k in range(length)]
    total = parts[0]
    for part in parts[1:]:
        total = combined(total, part)
    return total


def first_of(computation):
    """The computation; maximum and minimum in such a way that of equal elements the first has the derivative."""
    if computation is np.maximum:
        return lambda a, b: np.where((a >= b) | (a != a), a, b)
    if computation is np.minimum:
        return lambda a, b: np.where((a <= b) | (a != a), a, b)
    return computation


__all__ = ["ConvDimensionNumbers", "conv", "conv_dimension_numbers", "conv_general_dilated",
           "conv_with_general_padding", "pad", "reduce_window"]
