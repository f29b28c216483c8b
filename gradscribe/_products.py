"""Products of arrays, as jax.lax has them."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._types import Array, ArrayLike, ArrayOrScalar


def dot_general(lhs: Array, rhs: Array, dimension_numbers: Sequence[Sequence[Sequence[int]]], precision: Any = None,
                preferred_element_type: None = None) -> ArrayOrScalar:
    """Return the product of two arrays, summed over pairs of axes, for each place of other pairs.

    Parameters
    ----------
    lhs, rhs : ndarray
        The two arrays.
    dimension_numbers : tuple of two pairs of sequences of int
        ((axes of lhs, axes of rhs) that are summed over, (axes of lhs, axes of rhs) that both have).
    precision : any
        Taken from JAX's signature: products are of full precision.
    preferred_element_type : None
        Only None: the result has the dtype that NumPy gives both together.

    Returns
    -------
    ndarray or NumPy scalar
        With the axes that both have, then the other axes of lhs, then those of rhs.

    Raises
    ------
    ValueError
        Where `preferred_element_type` is given.
    TypeError
        Where the axes of the two arrays do not come in pairs.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dot_general(np.ones((5, 2, 3)), np.ones((5, 3, 4)), (([2], [1]), ([0], [0]))).shape
    (5, 2, 4)
    """
    if preferred_element_type is not None:
        raise ValueError("preferred_element_type must be None: convert the operands with x.astype")
    (summed, with_), (both, and_) = dimension_numbers
    summed, with_, both, and_ = tuple(summed), tuple(with_), tuple(both), tuple(and_)
    if len(summed) != len(with_) or len(both) != len(and_):
        raise TypeError("the axes of the two arrays come in pairs")
    left = tuple([k for k in range(lhs.ndim) if k not in summed + both])
    right = tuple([k for k in range(rhs.ndim) if k not in with_ + and_])
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [""] * rhs.ndim
    for k, axis in enumerate(right):
        names[axis] = letters[lhs.ndim + k]
    for k, axis in zip(summed + both, with_ + and_):
        names[axis] = letters[k]
    result = "".join([letters[k] for k in both + left] + [letters[lhs.ndim + k] for k in range(len(right))])
    return np.einsum(letters[:lhs.ndim] + "," + "".join(names) + "->" + result, lhs, rhs)


def dot(lhs: ArrayLike, rhs: ArrayLike, precision: Any = None, preferred_element_type: None = None) -> ArrayOrScalar:
    """Return `np.dot` of vectors and matrices.

    Parameters
    ----------
    lhs, rhs : array_like of one or two axes
        The factors.
    precision : any
        Taken from JAX's signature: products are of full precision.
    preferred_element_type : None
        Only None: the result has the dtype that NumPy gives both together.

    Returns
    -------
    ndarray or NumPy scalar
        The product.

    Raises
    ------
    ValueError
        Where `preferred_element_type` is given.
    TypeError
        Where a factor has no axis, or more than two.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    np.float64(11.0)
    """
    if preferred_element_type is not None:
        raise ValueError("preferred_element_type must be None: convert the operands with x.astype")
    if not 1 <= np.ndim(lhs) <= 2 or not 1 <= np.ndim(rhs) <= 2:
        raise TypeError("gs.lax.dot is of vectors and matrices")
    return np.dot(lhs, rhs)


def batch_matmul(lhs: ArrayLike, rhs: ArrayLike, precision: Any = None) -> Array:
    """Return `np.matmul` of arrays with the same axes before the last two.

    Parameters
    ----------
    lhs, rhs : array_like, shapes (..., n, m) and (..., m, k)
        The factors.
    precision : any
        Taken from JAX's signature: products are of full precision.

    Returns
    -------
    ndarray, shape (..., n, k)
        The product.

    Raises
    ------
    TypeError
        Where a factor has fewer than two axes, or the axes before the last two differ.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.batch_matmul(np.ones((5, 2, 3)), np.ones((5, 3, 4))).shape
    (5, 2, 4)
    """
    if np.ndim(lhs) < 2 or np.shape(lhs)[:-2] != np.shape(rhs)[:-2]:
        raise TypeError("gs.lax.batch_matmul needs the same axes before the last two")
    return np.matmul(lhs, rhs)
