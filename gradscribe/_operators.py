"""What `jax.lax` calls by names of its own: functions of NumPy's, and those for which NumPy has no function."""
from __future__ import annotations

from typing import overload

import numpy as np
import numpy.typing as npt
from scipy import special

from ._types import Array, ArrayLike, ArrayOrScalar, DTypeLike, Number, Scalar
from .nn import sigmoid

acos, acosh, asin, asinh, atan, atan2, atanh = (np.arccos, np.arccosh, np.arcsin, np.arcsinh, np.arctan, np.arctan2,
                                                np.arctanh)
add, mul, neg, sub = np.add, np.multiply, np.negative, np.subtract
eq, ge, gt, le, lt, ne = np.equal, np.greater_equal, np.greater, np.less_equal, np.less, np.not_equal
bitwise_and, bitwise_not, bitwise_or, bitwise_xor = np.bitwise_and, np.invert, np.bitwise_or, np.bitwise_xor
digamma, erf, erf_inv, erfc, lgamma = special.digamma, special.erf, special.erfinv, special.erfc, special.gammaln
is_finite, logistic, rem = np.isfinite, sigmoid, np.fmod


@overload
def rsqrt(x: Array) -> Array: ...
@overload
def rsqrt(x: Number) -> Scalar: ...
def rsqrt(x: Array | Number) -> ArrayOrScalar:
    """Return 1 / sqrt(x).

    Parameters
    ----------
    x : ndarray or number
        Where the function is taken, element by element.

    Returns
    -------
    ndarray or NumPy scalar
        Of the shape of x.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.lax.rsqrt(4.0)
    np.float64(0.5)
    """
    return 1 / np.sqrt(x)


def div(x: ArrayLike, y: ArrayLike) -> ArrayOrScalar:
    """Return x / y; of ints the quotient without its fraction.

    Parameters
    ----------
    x, y : array_like
        Dividend and divisor; they broadcast against each other.

    Returns
    -------
    ndarray or NumPy scalar
        The quotients; of ints, where both are.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.lax.div(-7, 2), gs.lax.div(-7.0, 2.0)
    (np.int64(-3), np.float64(-3.5))
    """
    x, y = np.asarray(x)[()], np.asarray(y)[()]
    return (x - np.fmod(x, y)) // y if x.dtype.kind in "iu" and y.dtype.kind in "iu" else x / y


@overload
def integer_pow(x: Array, y: int) -> Array: ...
@overload
def integer_pow(x: Number, y: int) -> Scalar: ...
def integer_pow(x: Array | Number, y: int) -> ArrayOrScalar:
    """Return x**y.

    Parameters
    ----------
    x : ndarray or number
        The base.
    y : int
        The exponent.

    Returns
    -------
    ndarray or number
        Of the shape of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.integer_pow(np.array([2.0, 3.0]), 2)
    array([4., 9.])
    """
    return x**y


def clamp(min: ArrayLike, x: ArrayLike, max: ArrayLike) -> ArrayOrScalar:
    """Return x, but at least min and at most max.

    Parameters
    ----------
    min : array_like
        The lower bound; it broadcasts against x.
    x : array_like
        What is bounded.
    max : array_like
        The upper bound; it broadcasts against x.

    Returns
    -------
    ndarray or NumPy scalar
        Of the shape to which the three broadcast.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.clamp(0.0, np.array([-1.0, 0.5, 3.0]), 1.0)
    array([0. , 0.5, 1. ])
    """
    return np.minimum(np.maximum(x, min), max)


@overload
def max_(x: Array, y: ArrayLike) -> Array: ...
@overload
def max_(x: Number, y: Number) -> Scalar: ...
def max_(x: ArrayLike, y: ArrayLike) -> ArrayOrScalar:
    """Return the larger of two numbers, element by element: np.maximum.

    Parameters
    ----------
    x, y : array_like
        They broadcast against each other; NaN where either is.

    Returns
    -------
    ndarray or NumPy scalar
        Of the shape to which they broadcast.  Where they are equal each has half of the derivative.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.max(np.array([1.0, 5.0]), 3.0)
    array([3., 5.])
    """
    return np.maximum(x, y)


@overload
def min_(x: Array, y: ArrayLike) -> Array: ...
@overload
def min_(x: Number, y: Number) -> Scalar: ...
def min_(x: ArrayLike, y: ArrayLike) -> ArrayOrScalar:
    """Return the smaller of two numbers, element by element: np.minimum.

    Parameters
    ----------
    x, y : array_like
        They broadcast against each other; NaN where either is.

    Returns
    -------
    ndarray or NumPy scalar
        Of the shape to which they broadcast.  Where they are equal each has half of the derivative.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.min(np.array([1.0, 5.0]), 3.0)
    array([1., 3.])
    """
    return np.minimum(x, y)


# over axes ------------------------------------------------------------------------------------------------------------
def running(function, operand, axis, reverse):
    return np.flip(function(np.flip(operand, axis), axis), axis) if reverse else function(operand, axis)


def cumsum(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Return the sums of the elements up to each, or from each on.

    Parameters
    ----------
    operand : ndarray
        What is summed.
    axis : int
        The axis along which it is.
    reverse : bool
        Begin at the end.

    Returns
    -------
    ndarray
        Of the shape of the operand, as of `np.cumsum`.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cumsum(np.array([1.0, 2.0, 3.0]), reverse=True)
    array([6., 5., 3.])
    """
    return running(np.cumsum, operand, axis, reverse)


def cumprod(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Return the products of the elements up to each, or from each on.

    Parameters
    ----------
    operand : ndarray
        What is multiplied.
    axis : int
        The axis along which it is.
    reverse : bool
        Begin at the end.

    Returns
    -------
    ndarray
        Of the shape of the operand, as of `np.cumprod`.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cumprod(np.array([1.0, 2.0, 3.0]))
    array([1., 2., 6.])
    """
    return running(np.cumprod, operand, axis, reverse)


def cummax(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Return the largest element up to each, or from each on.

    Parameters
    ----------
    operand : ndarray
        What is compared.
    axis : int
        The axis along which it is.
    reverse : bool
        Begin at the end.

    Returns
    -------
    ndarray
        Of the shape and dtype of the operand.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cummax(np.array([1.0, 3.0, 2.0]))
    array([1., 3., 3.])
    """
    return running(np.maximum.accumulate, operand, axis, reverse)


def cummin(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Return the smallest element up to each, or from each on.

    Parameters
    ----------
    operand : ndarray
        What is compared.
    axis : int
        The axis along which it is.
    reverse : bool
        Begin at the end.

    Returns
    -------
    ndarray
        Of the shape and dtype of the operand.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cummin(np.array([1.0, 3.0, 2.0]), reverse=True)
    array([1., 2., 2.])
    """
    return running(np.minimum.accumulate, operand, axis, reverse)


def argmax(operand: Array, axis: int, index_dtype: DTypeLike) -> ArrayOrScalar:
    """Return the index of the largest element, as `np.argmax`, in this dtype.

    Parameters
    ----------
    operand : ndarray
        What is compared.
    axis : int
        The axis along which it is.
    index_dtype : dtype
        Of the result.

    Returns
    -------
    ndarray or NumPy scalar
        The indices, of the operand's shape without the axis.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.argmax(np.array([1.0, 3.0, 2.0]), 0, np.int32)
    np.int32(1)
    """
    return np.argmax(operand, axis).astype(index_dtype)


def argmin(operand: Array, axis: int, index_dtype: DTypeLike) -> ArrayOrScalar:
    """Return the index of the smallest element, as `np.argmin`, in this dtype.

    Parameters
    ----------
    operand : ndarray
        What is compared.
    axis : int
        The axis along which it is.
    index_dtype : dtype
        Of the result.

    Returns
    -------
    ndarray or NumPy scalar
        The indices, of the operand's shape without the axis.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.argmin(np.array([1.0, 3.0, 2.0]), 0, np.int32)
    np.int32(0)
    """
    return np.argmin(operand, axis).astype(index_dtype)


def top_k(operand: Array, k: int) -> tuple[Array, npt.NDArray[np.int32]]:
    """Return the k largest along the last axis, and their indices.

    Parameters
    ----------
    operand : ndarray
        What is compared.
    k : int
        How many are chosen.

    Returns
    -------
    values : ndarray
        The k largest, the largest first; of equal ones the first.
    indices : ndarray of int32
        Where they stand along the last axis.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.top_k(np.array([1.0, 3.0, 2.0]), 2)
    (array([3., 2.]), array([1, 2], dtype=int32))
    """
    # from the end, for what is equal stands in its order: the last of the equal ones of the turned array is the first
    turned = operand[..., ::-1]
    places = operand.shape[-1] - 1 - np.argsort(turned, axis=-1, kind="stable")[..., ::-1][..., :k]
    return np.take_along_axis(operand, places, -1), places.astype(np.int32)


# products -------------------------------------------------------------------------------------------------------------
