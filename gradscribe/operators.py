"""What `jax.lax` calls by names of its own: functions of NumPy's, and those for which NumPy has no function."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from scipy import special

from .nn import sigmoid

acos, acosh, asin, asinh, atan, atan2, atanh = (np.arccos, np.arccosh, np.arcsin, np.arcsinh, np.arctan, np.arctan2,
                                                np.arctanh)
add, mul, neg, sub = np.add, np.multiply, np.negative, np.subtract
eq, ge, gt, le, lt, ne = np.equal, np.greater_equal, np.greater, np.less_equal, np.less, np.not_equal
bitwise_and, bitwise_not, bitwise_or, bitwise_xor = np.bitwise_and, np.invert, np.bitwise_or, np.bitwise_xor
digamma, erf, erf_inv, erfc, lgamma = special.digamma, special.erf, special.erfinv, special.erfc, special.gammaln
is_finite, logistic, rem = np.isfinite, sigmoid, np.fmod


def rsqrt(x):
    """1 / sqrt(x).

    >>> import gradscribe as gs
    >>> gs.lax.rsqrt(4.0)
    np.float64(0.5)
    """
    return 1 / np.sqrt(x)


def div(x, y):
    """x / y; of ints the quotient without its fraction.

    >>> import gradscribe as gs
    >>> gs.lax.div(-7, 2), gs.lax.div(-7.0, 2.0)
    (np.int64(-3), np.float64(-3.5))
    """
    x, y = np.asarray(x)[()], np.asarray(y)[()]
    return (x - np.fmod(x, y)) // y if x.dtype.kind in "iu" and y.dtype.kind in "iu" else x / y


def integer_pow(x, y: int):
    """x**y.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.integer_pow(np.array([2.0, 3.0]), 2)
    array([4., 9.])
    """
    return x**y


def clamp(min, x, max):
    """x, but at least min and at most max.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.clamp(0.0, np.array([-1.0, 0.5, 3.0]), 1.0)
    array([0. , 0.5, 1. ])
    """
    return np.minimum(np.maximum(x, min), max)


# shapes ---------------------------------------------------------------------------------------------------------------
def iota(dtype, size: int):
    """0, 1, ..., size - 1.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.iota(np.float32, 3)
    array([0., 1., 2.], dtype=float32)
    """
    return np.arange(size).astype(dtype)


def broadcasted_iota(dtype, shape: Sequence[int], dimension: int):
    """An array whose elements are their indices along an axis.

    >>> import gradscribe as gs
    >>> gs.lax.broadcasted_iota(int, (2, 3), 1)
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    numbers = np.arange(shape[dimension]).astype(dtype)
    return np.array(np.broadcast_to(np.reshape(numbers, (-1,) + (1,) * (len(shape) - dimension - 1)), shape))


def broadcast(operand, sizes: Sequence[int]):
    """The array again and again, along new axes in front.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.broadcast(np.array([1.0, 2.0]), (2,))
    array([[1., 2.],
           [1., 2.]])
    """
    return np.array(np.broadcast_to(operand, (*sizes, *np.shape(operand))))


def broadcast_in_dim(operand, shape: Sequence[int], broadcast_dimensions: Sequence[int]):
    """An array of this shape; axis k of the operand becomes axis broadcast_dimensions[k], and along the others it is
    the same again.

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


def expand_dims(array, dimensions: Sequence[int]):
    """np.expand_dims.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.expand_dims(np.ones(3), (0, 2)).shape
    (1, 3, 1)
    """
    return np.expand_dims(array, tuple(dimensions))


def squeeze(array, dimensions: Sequence[int]):
    """np.squeeze.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.squeeze(np.ones((1, 3, 1)), (0,)).shape
    (3, 1)
    """
    return np.squeeze(array, tuple(dimensions))


def reshape(operand, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None):
    """np.reshape, of the array with its axes in the order of `dimensions`.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.reshape(np.array([[1.0, 2.0], [3.0, 4.0]]), (4,), (1, 0))
    array([1., 3., 2., 4.])
    """
    return np.reshape(operand if dimensions is None else np.transpose(operand, dimensions), new_sizes)


def transpose(operand, permutation: Sequence[int]):
    """np.transpose.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.transpose(np.ones((2, 3)), (1, 0)).shape
    (3, 2)
    """
    return np.transpose(operand, permutation)


def rev(operand, dimensions: Sequence[int]):
    """np.flip.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.rev(np.array([1.0, 2.0, 3.0]), (0,))
    array([3., 2., 1.])
    """
    return np.flip(operand, tuple(dimensions))


def concatenate(operands: Sequence[Any], dimension: int):
    """np.concatenate.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.concatenate([np.ones(1), np.zeros(2)], 0)
    array([1., 0., 0.])
    """
    return np.concatenate(operands, dimension)


def convert_element_type(operand, new_dtype):
    """The array in another dtype.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.convert_element_type(np.array([1.5, -1.5]), np.int32)
    array([ 1, -1], dtype=int32)
    """
    return np.asarray(operand).astype(new_dtype)[()]


# over axes ------------------------------------------------------------------------------------------------------------
def running(function, operand, axis, reverse):
    return np.flip(function(np.flip(operand, axis), axis), axis) if reverse else function(operand, axis)


def cumsum(operand, axis: int = 0, reverse: bool = False):
    """np.cumsum, or from the end.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cumsum(np.array([1.0, 2.0, 3.0]), reverse=True)
    array([6., 5., 3.])
    """
    return running(np.cumsum, operand, axis, reverse)


def cumprod(operand, axis: int = 0, reverse: bool = False):
    """np.cumprod, or from the end.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cumprod(np.array([1.0, 2.0, 3.0]))
    array([1., 2., 6.])
    """
    return running(np.cumprod, operand, axis, reverse)


def cummax(operand, axis: int = 0, reverse: bool = False):
    """The largest up to each element, or from it on.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cummax(np.array([1.0, 3.0, 2.0]))
    array([1., 3., 3.])
    """
    return running(np.maximum.accumulate, operand, axis, reverse)


def cummin(operand, axis: int = 0, reverse: bool = False):
    """The smallest up to each element, or from it on.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.cummin(np.array([1.0, 3.0, 2.0]), reverse=True)
    array([1., 2., 2.])
    """
    return running(np.minimum.accumulate, operand, axis, reverse)


def argmax(operand, axis: int, index_dtype):
    """np.argmax, in this dtype.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.argmax(np.array([1.0, 3.0, 2.0]), 0, np.int32)
    np.int32(1)
    """
    return np.argmax(operand, axis).astype(index_dtype)


def argmin(operand, axis: int, index_dtype):
    """np.argmin, in this dtype.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.argmin(np.array([1.0, 3.0, 2.0]), 0, np.int32)
    np.int32(0)
    """
    return np.argmin(operand, axis).astype(index_dtype)


def top_k(operand, k: int):
    """(the k largest along the last axis, their indices), the largest first; of equal ones the first.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.top_k(np.array([1.0, 3.0, 2.0]), 2)
    (array([3., 2.]), array([1, 2], dtype=int32))
    """
    # from the end, for what is equal stands in its order: the last of the equal ones of the turned array is the first
    turned = operand[..., ::-1]
    places = operand.shape[-1] - 1 - np.argsort(turned, axis=-1, kind="stable")[..., ::-1][..., :k]
    return np.take_along_axis(operand, places, -1), places.astype(np.int32)


# products -------------------------------------------------------------------------------------------------------------
def dot_general(lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None):
    """The product of two arrays, summed over pairs of axes, for each place of other pairs.

    dimension_numbers  ((axes of lhs, axes of rhs) that are summed over, (axes of lhs, axes of rhs) that both have)
    precision          taken from JAX's signature: products are of full precision
    preferred_element_type  only None: the result has the dtype that NumPy gives both together

    Returns an array with the axes that both have, then the other axes of lhs, then those of rhs.

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


def dot(lhs, rhs, precision=None, preferred_element_type=None):
    """np.dot of vectors and matrices.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    np.float64(11.0)
    """
    if preferred_element_type is not None:
        raise ValueError("preferred_element_type must be None: convert the operands with x.astype")
    if not 1 <= np.ndim(lhs) <= 2 or not 1 <= np.ndim(rhs) <= 2:
        raise TypeError("gs.lax.dot is of vectors and matrices")
    return np.dot(lhs, rhs)


def batch_matmul(lhs, rhs, precision=None):
    """np.matmul of arrays with the same axes before the last two.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.batch_matmul(np.ones((5, 2, 3)), np.ones((5, 3, 4))).shape
    (5, 2, 4)
    """
    if np.ndim(lhs) < 2 or np.shape(lhs)[:-2] != np.shape(rhs)[:-2]:
        raise TypeError("gs.lax.batch_matmul needs the same axes before the last two")
    return np.matmul(lhs, rhs)
