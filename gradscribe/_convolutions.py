"""Convolutions, with the names and arguments of `jax.lax`.

A convolution is one matrix product: the elements of all windows are gathered into an array, with a row for each place.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from ._types import Array, Padding
from ._windows import one_each, padded


class ConvDimensionNumbers(NamedTuple):
    """Which axes of the operand, of the kernel and of the result are what.

    Parameters
    ----------
    lhs_spec : sequence of int
        The axes of the operand: (examples, channels, the spatial axes ...).
    rhs_spec : sequence of int
        Those of the kernel: (channels of the result, channels of the operand, the spatial axes ...).
    out_spec : sequence of int
        Those of the result: (examples, channels, the spatial axes ...).

    Examples
    --------
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
                           dimension_numbers: ConvDimensionNumbers | tuple[str, str, str] | None
                           ) -> ConvDimensionNumbers:
    """Return the axes that `dimension_numbers` of a convolution names.

    Parameters
    ----------
    lhs_shape, rhs_shape : sequence of int
        The shapes of the operand and of the kernel.
    dimension_numbers : tuple of three str, ConvDimensionNumbers, or None
        Three texts with a letter for each axis, as ("NHWC", "HWIO", "NHWC"): N the examples, C the channels, O and I
        those of the result and of the operand, others spatial; None: ("NCHW", "OIHW", "NCHW") and its like.

    Returns
    -------
    ConvDimensionNumbers
        The axes by their numbers.

    Raises
    ------
    ValueError
        Where they do not fit the shapes.

    Examples
    --------
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


def conv_general_dilated(lhs: Array, rhs: Array, window_strides: Sequence[int], padding: Padding,
                         lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None,
                         dimension_numbers: ConvDimensionNumbers | tuple[str, str, str] | None = None,
                         feature_group_count: int = 1, batch_group_count: int = 1, precision: Any = None,
                         preferred_element_type: None = None) -> Array:
    """Return a convolution as networks have it, with all that one may ask of it.

    It is the sum over a window of its elements times those of a kernel, at all places.

    Parameters
    ----------
    lhs : ndarray
        The operand: examples, channels and spatial axes, in the order that dimension_numbers say.
    rhs : ndarray
        The kernel.
    window_strides : sequence of int
        How far apart the windows are, one for each spatial axis.
    padding : str or sequence of pairs of int
        Zeros around: "SAME", "SAME_LOWER", "VALID", or (before, behind) for each spatial axis; what is negative cuts
        off.
    lhs_dilation : sequence of int or None
        So many, less one, zeros come between two elements of the operand (a transposed convolution); None: 1.
    rhs_dilation : sequence of int or None
        How far apart the elements of a window are; None: 1.
    dimension_numbers : tuple of three str, ConvDimensionNumbers, or None
        See `conv_dimension_numbers`.
    feature_group_count : int
        So many groups of channels, each with a kernel of its own.
    batch_group_count : int
        Only 1.
    precision : any
        Taken from JAX's signature: products are of full precision.
    preferred_element_type : None
        Only None: the result has the dtype that NumPy gives operand and kernel together.

    Returns
    -------
    ndarray
        Examples, channels and spatial axes, in the order that dimension_numbers say.

    Raises
    ------
    ValueError
        Where shapes do not fit, or what can only be 1 or None is not.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> x, w = np.arange(6.0).reshape(1, 6, 1), np.array([1.0, 0.0, -1.0]).reshape(3, 1, 1)
    >>> gs.lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))[0, :, 0]
    array([-1., -2., -2., -2., -2.,  4.])
    """
    if batch_group_count != 1:
        raise ValueError("batch_group_count must be 1: split the examples, and concatenate the results")
    if preferred_element_type is not None:
        raise ValueError("preferred_element_type must be None: convert the operands with x.astype")
    numbers = conv_dimension_numbers(lhs.shape, rhs.shape, dimension_numbers)
    x, kernel = channels_last(lhs, rhs, numbers, feature_group_count)
    out = convolved(x, kernel, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count)
    return np.moveaxis(out, (0, lhs.ndim - 1, *range(1, lhs.ndim - 1)), numbers.out_spec)


def channels_last(lhs, rhs, numbers, groups):
    """The operand as (N, spatial, C), the kernel as (spatial, I, O)."""
    examples, channels, *spatial = numbers.lhs_spec
    x = np.transpose(lhs, (examples, *spatial, channels))
    to, of, *spatial = numbers.rhs_spec
    kernel = np.transpose(rhs, (*spatial, of, to))
    if kernel.shape[-2] * groups != x.shape[-1]:
        raise ValueError("the channels of the operand must be feature_group_count times those of the kernel")
    if groups != 1 and kernel.shape[-1] % groups != 0:
        raise ValueError("feature_group_count must divide the channels of the result")
    return x, kernel


def convolved(x, kernel, window_strides, padding, lhs_dilation, rhs_dilation, groups):
    """(N, spatial, C) with (spatial, I, O): (N, spatial, O)."""
    n = x.ndim - 2
    strides, far, apart = one_each(window_strides, n), one_each(rhs_dilation, n), one_each(lhs_dilation, n)
    if isinstance(padding, str) and any([step != 1 for step in apart]):
        raise ValueError(f"padding must be pairs of numbers, not {padding!r}, where lhs_dilation is not 1")
    reach = [(length - 1) * step + 1 for length, step in zip(kernel.shape, far)]
    if not isinstance(padding, str):
        padding = [(0, 0), *padding, (0, 0)]
    x = padded(x, 0, (1, *reach, 1), (1, *strides, 1), padding, (1, *apart, 1))
    return products(windows_of(x, kernel.shape[:n], strides, far), kernel, n, groups)


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


def conv(lhs: Array, rhs: Array, window_strides: Sequence[int], padding: Padding, precision: Any = None,
         preferred_element_type: None = None) -> Array:
    """Return `conv_general_dilated` of (N, C, spatial) with (O, I, spatial), without dilations and groups.

    Parameters
    ----------
    lhs : ndarray, shape (N, C, spatial)
        The operand.
    rhs : ndarray, shape (O, I, spatial)
        The kernel.
    window_strides : sequence of int
        How far apart the windows are, one for each spatial axis.
    padding : str or sequence of pairs of int
        Zeros around: "SAME", "SAME_LOWER", "VALID", or (before, behind) for each spatial axis; what is negative cuts
        off.
    precision : any
        Taken from JAX's signature: products are of full precision.
    preferred_element_type : None
        Only None: the result has the dtype that NumPy gives operand and kernel together.

    Returns
    -------
    ndarray, shape (N, O, spatial)
        The convolution.

    Raises
    ------
    ValueError
        Where shapes do not fit, or `preferred_element_type` is given.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.conv(np.ones((1, 1, 4)), np.ones((1, 1, 2)), (2,), "VALID")
    array([[[2., 2.]]])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, precision=precision,
                                preferred_element_type=preferred_element_type)


def conv_with_general_padding(lhs: Array, rhs: Array, window_strides: Sequence[int], padding: Padding,
                              lhs_dilation: Sequence[int] | None, rhs_dilation: Sequence[int] | None,
                              precision: Any = None, preferred_element_type: None = None) -> Array:
    """Return `conv_general_dilated` of (N, C, spatial) with (O, I, spatial).

    Parameters
    ----------
    lhs : ndarray, shape (N, C, spatial)
        The operand.
    rhs : ndarray, shape (O, I, spatial)
        The kernel.
    window_strides : sequence of int
        How far apart the windows are, one for each spatial axis.
    padding : str or sequence of pairs of int
        Zeros around: "SAME", "SAME_LOWER", "VALID", or (before, behind) for each spatial axis; what is negative cuts
        off.
    lhs_dilation : sequence of int or None
        So many, less one, zeros come between two elements of the operand (a transposed convolution); None: 1.
    rhs_dilation : sequence of int or None
        How far apart the elements of a window are; None: 1.
    precision : any
        Taken from JAX's signature: products are of full precision.
    preferred_element_type : None
        Only None: the result has the dtype that NumPy gives operand and kernel together.

    Returns
    -------
    ndarray, shape (N, O, spatial)
        The convolution.

    Raises
    ------
    ValueError
        Where shapes do not fit, or `preferred_element_type` is given.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.conv_with_general_padding(np.ones((1, 1, 3)), np.ones((1, 1, 2)), (1,), [(1, 0)], (1,), (2,))
    array([[[1., 2.]]])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, precision=precision,
                                preferred_element_type=preferred_element_type)


__all__ = ["ConvDimensionNumbers", "conv", "conv_dimension_numbers", "conv_general_dilated",
           "conv_with_general_padding"]
