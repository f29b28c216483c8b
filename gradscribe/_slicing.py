"""Parts of arrays, by the names that they have in `jax.lax`: NumPy's slices, but for what happens out of range."""
from __future__ import annotations

from typing import Sequence

import numpy as np

from ._types import Array, ArrayLike, ArrayOrScalar, Index, Shape
from .transformer.library.registry import part


def moved(operand, start_indices, sizes):
    """The part of an array of these sizes from these indices on, a view; a negative index counts from the end, and what
    would reach out of the array is moved into it."""
    if len(start_indices) != operand.ndim or len(sizes) != operand.ndim:
        raise ValueError(f"a part of this array needs {operand.ndim} indices, and as many sizes")
    for axis, (start, size) in enumerate(zip(start_indices, sizes)):
        operand = moved_along(operand, axis, start, size)
    return operand


def moved_along(operand, axis, index, size):
    length = operand.shape[axis]
    if not 0 <= size <= length:
        raise TypeError("the sizes of a part must be at most those of the array, and at least 0")
    start = int(np.maximum(np.minimum(np.where(index < 0, index + length, index), length - size), 0))
    return part(operand, axis % operand.ndim, start, start + size)


def along(ndim, axis, index):
    return (slice(None),) * (axis % ndim) + (index,)


def dynamic_slice(operand: Array, start_indices: Sequence[Index], slice_sizes: Shape) -> Array:
    """Return the part of an array of these sizes that begins at these indices.

    A part that would reach out of the array is moved into it; a negative index counts from the end.

    Parameters
    ----------
    operand : ndarray
        What the part is taken of.
    start_indices : sequence of int
        Where the part begins, one for each axis.
    slice_sizes : sequence of int
        How long it is, one for each axis.

    Returns
    -------
    ndarray
        Of shape slice_sizes.

    Raises
    ------
    ValueError
        Where there is not one index and one size for each axis.
    TypeError
        Where a size is negative, or larger than the array's.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dynamic_slice(np.arange(5.0), (4,), (2,))
    array([3., 4.])
    """
    return moved(operand, start_indices, slice_sizes)


def dynamic_update_slice(operand: Array, update: Array, start_indices: Sequence[Index]) -> Array:
    """Return the array with another one stored into it, from these indices on.

    A part that would reach out of the array is moved into it, as by `dynamic_slice`.

    Parameters
    ----------
    operand : ndarray
        The array, which stays as it is.
    update : ndarray
        What is stored, with as many axes.
    start_indices : sequence of int
        Where the part begins, one for each axis.

    Returns
    -------
    ndarray
        Of the shape and dtype of the operand.

    Raises
    ------
    ValueError
        Where there is not one index for each axis.
    TypeError
        Where the update is larger than the array.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dynamic_update_slice(np.zeros(4), np.array([1.0, 2.0]), (1,))
    array([0., 1., 2., 0.])
    """
    new = np.array(operand)
    moved(new, start_indices, update.shape)[...] = update
    return new


def dynamic_slice_in_dim(operand: Array, start_index: Index, slice_size: int, axis: int = 0) -> Array:
    """Return the part that begins at an index along one axis: `dynamic_slice` along it.

    Parameters
    ----------
    operand : ndarray
        What the part is taken of.
    start_index : int
        Where the part begins.
    slice_size : int
        How long it is.
    axis : int
        Along which axis.

    Returns
    -------
    ndarray
        Of the operand's shape, with slice_size in the place of the length of the axis.

    Raises
    ------
    TypeError
        Where the size is negative, or larger than the array's.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dynamic_slice_in_dim(np.arange(6.0).reshape(2, 3), 1, 2, axis=1)
    array([[1., 2.],
           [4., 5.]])
    """
    return moved_along(operand, axis, start_index, slice_size)


def dynamic_index_in_dim(operand: Array, index: Index, axis: int = 0, keepdims: bool = True) -> Array:
    """Return one place of an axis, which is kept or not: `dynamic_slice` of one place.

    Parameters
    ----------
    operand : ndarray
        What the part is taken of.
    index : int
        Which place; one out of range is the nearest that there is.
    axis : int
        Along which axis.
    keepdims : bool
        Keep the axis, with length 1.

    Returns
    -------
    ndarray
        The part; without the axis, where keepdims is False.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dynamic_index_in_dim(np.arange(3.0), 7)
    array([2.])
    """
    found = dynamic_slice_in_dim(operand, index, 1, axis)
    return found if keepdims else np.squeeze(found, axis)


def dynamic_update_slice_in_dim(operand: Array, update: Array, start_index: Index, axis: int) -> Array:
    """Return the array with another one stored into it, from an index on along one axis.

    It is `dynamic_update_slice` along that axis.

    Parameters
    ----------
    operand : ndarray
        The array, which stays as it is.
    update : ndarray
        What is stored; along the other axes it has the lengths of the array.
    start_index : int
        Where the part begins.
    axis : int
        Along which axis.

    Returns
    -------
    ndarray
        Of the shape and dtype of the operand.

    Raises
    ------
    TypeError
        Where the update is longer than the array.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dynamic_update_slice_in_dim(np.zeros(3), np.ones(2), 5, axis=0)
    array([0., 1., 1.])
    """
    new = np.array(operand)
    moved_along(new, axis, start_index, update.shape[axis])[...] = update
    return new


def dynamic_update_index_in_dim(operand: Array, update: ArrayLike, index: Index, axis: int) -> Array:
    """Return the array with one place of an axis stored anew: `dynamic_update_slice` of one place.

    Parameters
    ----------
    operand : ndarray
        The array, which stays as it is.
    update : array_like
        What is stored; it may lack the axis.
    index : int
        Which place; one out of range is the nearest that there is.
    axis : int
        Along which axis.

    Returns
    -------
    ndarray
        Of the shape and dtype of the operand.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dynamic_update_index_in_dim(np.zeros(3), 5.0, 1, axis=0)
    array([0., 5., 0.])
    """
    update = np.asarray(update)
    update = np.expand_dims(update, axis) if update.ndim != operand.ndim else update
    return dynamic_update_slice_in_dim(operand, update, index, axis)


def slice_(operand: Array, start_indices: Sequence[int], limit_indices: Sequence[int],
           strides: Sequence[int] | None = None) -> Array:
    """Return operand[start:limit:stride], with a number of each for each axis; named `gs.lax.slice`.

    Parameters
    ----------
    operand : ndarray
        What the part is taken of.
    start_indices, limit_indices : sequence of int
        Where the part begins and ends, one for each axis.
    strides : sequence of int or None
        The step along each axis; None: 1.

    Returns
    -------
    ndarray
        The part.

    Raises
    ------
    ValueError
        Where there is not one index for each axis, or not 0 <= start <= limit <= length, or a stride below 1.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.slice(np.arange(6.0), (1,), (5,), (2,))
    array([1., 3.])
    """
    if len(start_indices) != operand.ndim or len(limit_indices) != operand.ndim:
        raise ValueError(f"a part of this array needs {operand.ndim} indices where it begins and ends")
    strides = (1,) * operand.ndim if strides is None else strides
    for length, start, limit, stride in zip(operand.shape, start_indices, limit_indices, strides):
        if not 0 <= start <= limit <= length or stride < 1:
            raise ValueError("a part needs 0 <= start <= limit <= length, and a positive stride")
    return operand[tuple([slice(*three) for three in zip(start_indices, limit_indices, strides)])]


def slice_in_dim(operand: Array, start_index: int | None, limit_index: int | None, stride: int = 1,
                 axis: int = 0) -> Array:
    """Return operand[start:limit:stride] along one axis, as NumPy has it.

    Parameters
    ----------
    operand : ndarray
        What the part is taken of.
    start_index, limit_index : int or None
        Where the part begins and ends; negative indices count from the end; None: where the axis does.
    stride : int
        The step.
    axis : int
        Along which axis.

    Returns
    -------
    ndarray
        The part.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.slice_in_dim(np.arange(6.0), 1, -1, 2)
    array([1., 3.])
    """
    return operand[along(operand.ndim, axis, slice(start_index, limit_index, stride))]


def index_in_dim(operand: Array, index: int, axis: int = 0, keepdims: bool = True) -> ArrayOrScalar:
    """Return one place of an axis, which is kept or not.

    Parameters
    ----------
    operand : ndarray
        What the part is taken of.
    index : int
        Which place; negative ones count from the end.
    axis : int
        Along which axis.
    keepdims : bool
        Keep the axis, with length 1.

    Returns
    -------
    ndarray
        The part; without the axis, where keepdims is False.

    Raises
    ------
    IndexError
        Where there is no such place.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.index_in_dim(np.arange(3.0), -1)
    array([2.])
    """
    found = operand[along(operand.ndim, axis, index)]
    return np.expand_dims(found, axis) if keepdims else found


__all__ = ["dynamic_index_in_dim", "dynamic_slice", "dynamic_slice_in_dim", "dynamic_update_index_in_dim",
           "dynamic_update_slice", "dynamic_update_slice_in_dim", "index_in_dim", "slice_", "slice_in_dim"]
