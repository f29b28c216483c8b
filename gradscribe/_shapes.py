"""What `jax.lax` makes of shapes, by its names: arrays repeated, turned, joined and reshaped, and in another dtype."""
from __future__ import annotations

from typing import Sequence

import numpy as np

from ._types import Array, ArrayLike, ArrayOrScalar, DTypeLike, Shape


def iota(dtype: DTypeLike, size: int) -> Array:
    """Return 0, 1, ..., size - 1.

    Parameters
    ----------
    dtype : dtype
        Of the result.
    size : int
        How many numbers there are.

    Returns
    -------
    ndarray, shape (size,)
        The numbers.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.iota(np.float32, 3)
    array([0., 1., 2.], dtype=float32)
    """
    return np.arange(size).astype(dtype)


def broadcasted_iota(dtype: DTypeLike, shape: Shape, dimension: int) -> Array:
    """Return an array whose elements are their indices along an axis.

    Parameters
    ----------
    dtype : dtype
        Of the result.
    shape : sequence of int
        Of the result.
    dimension : int
        The axis along which elements are counted.

    Returns
    -------
    ndarray
        Of this shape and dtype.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.lax.broadcasted_iota(int, (2, 3), 1)
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    numbers = np.arange(shape[dimension]).astype(dtype)
    return np.array(np.broadcast_to(np.reshape(numbers, (-1,) + (1,) * (len(shape) - dimension - 1)), shape))


def broadcast(operand: ArrayLike, sizes: Shape) -> Array:
    """Return the array again and again, along new axes in front.

    Parameters
    ----------
    operand : array_like
        What is repeated.
    sizes : sequence of int
        The lengths of the new axes.

    Returns
    -------
    ndarray, shape (*sizes, *operand.shape)
        A new array.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.broadcast(np.array([1.0, 2.0]), (2,))
    array([[1., 2.],
           [1., 2.]])
    """
    return np.array(np.broadcast_to(operand, (*sizes, *np.shape(operand))))


def broadcast_in_dim(operand: ArrayLike, shape: Shape, broadcast_dimensions: Sequence[int]) -> Array:
    """Return an array of this shape, whose axis broadcast_dimensions[k] is axis k of the operand.

    Parameters
    ----------
    operand : array_like
        What is repeated: along the other axes it is the same again.
    shape : sequence of int
        Of the result.
    broadcast_dimensions : sequence of int
        An axis of the result for each axis of the operand.

    Returns
    -------
    ndarray
        A new array of this shape.

    Raises
    ------
    ValueError
        Where broadcast_dimensions has not a number for each axis of the operand.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.broadcast_in_dim(np.array([1.0, 2.0]), (2, 3), (0,))
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if len(broadcast_dimensions) != np.ndim(operand):
        raise ValueError("broadcast_dimensions must have a number for each axis of the operand")
    lengths = [1] * len(shape)
    for length, axis in zip(np.shape(operand), broadcast_dimensions):
        lengths[axis] = length
    return np.array(np.broadcast_to(np.reshape(operand, lengths), shape))


def expand_dims(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Return the array with new axes of length 1, as `np.expand_dims`.

    Parameters
    ----------
    array : array_like
        What gets new axes.
    dimensions : sequence of int
        Where they stand in the result.

    Returns
    -------
    ndarray
        With as many axes more.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.expand_dims(np.ones(3), (0, 2)).shape
    (1, 3, 1)
    """
    return np.expand_dims(array, tuple(dimensions))


def squeeze(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Return the array without axes of length 1, as `np.squeeze`.

    Parameters
    ----------
    array : array_like
        What loses axes.
    dimensions : sequence of int
        Which axes go.

    Returns
    -------
    ndarray
        With as many axes fewer.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.squeeze(np.ones((1, 3, 1)), (0,)).shape
    (3, 1)
    """
    return np.squeeze(array, tuple(dimensions))


def reshape(operand: ArrayLike, new_sizes: Shape, dimensions: Sequence[int] | None = None) -> Array:
    """Return the array in another shape, as `np.reshape`.

    Parameters
    ----------
    operand : array_like
        What is reshaped.
    new_sizes : sequence of int
        The shape of the result.
    dimensions : sequence of int or None
        The order in which the operand's axes are put first; None: as they are.

    Returns
    -------
    ndarray
        Of the new shape.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.reshape(np.array([[1.0, 2.0], [3.0, 4.0]]), (4,), (1, 0))
    array([1., 3., 2., 4.])
    """
    return np.reshape(operand if dimensions is None else np.transpose(operand, dimensions), new_sizes)


def transpose(operand: ArrayLike, permutation: Sequence[int]) -> Array:
    """Return the array with its axes in another order, as `np.transpose`.

    Parameters
    ----------
    operand : array_like
        What is turned.
    permutation : sequence of int
        For each axis of the result, which of the operand's it is.

    Returns
    -------
    ndarray
        The operand with its axes so.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.transpose(np.ones((2, 3)), (1, 0)).shape
    (3, 2)
    """
    return np.transpose(operand, permutation)


def rev(operand: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Return the array with its elements in reverse order along axes, as `np.flip`.

    Parameters
    ----------
    operand : array_like
        What is turned.
    dimensions : sequence of int
        The axes along which it is.

    Returns
    -------
    ndarray
        Of the shape of the operand.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.rev(np.array([1.0, 2.0, 3.0]), (0,))
    array([3., 2., 1.])
    """
    return np.flip(operand, tuple(dimensions))


def concatenate(operands: Sequence[ArrayLike], dimension: int) -> Array:
    """Return the arrays joined along an axis, as `np.concatenate`.

    Parameters
    ----------
    operands : sequence of array_like
        What is joined.
    dimension : int
        The axis along which it is.

    Returns
    -------
    ndarray
        All of them, one after the other.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.concatenate([np.ones(1), np.zeros(2)], 0)
    array([1., 0., 0.])
    """
    return np.concatenate(operands, dimension)


def convert_element_type(operand: ArrayLike, new_dtype: DTypeLike) -> ArrayOrScalar:
    """Return the array in another dtype.

    Parameters
    ----------
    operand : array_like
        What is converted.
    new_dtype : dtype
        Of the result.

    Returns
    -------
    ndarray or NumPy scalar
        Of the shape of the operand.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.convert_element_type(np.array([1.5, -1.5]), np.int32)
    array([ 1, -1], dtype=int32)
    """
    return np.asarray(operand).astype(new_dtype)[()]
