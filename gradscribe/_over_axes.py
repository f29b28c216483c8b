"""Functions of `gs.nn` that take the elements along axes together: sums of exponentials, and what is made of them."""
from __future__ import annotations

from typing import Literal, overload

import numpy as np

from gradscribe.runtime import stop_gradient

from ._types import Array, ArrayOrScalar, Axis, Mask, Real
from .transformer.library.registry import at_least


@overload
def logsumexp(a: Array, axis: Axis = None, b: Array | None = None, keepdims: bool = False, *,
              return_sign: Literal[True], where: Mask | None = None) -> tuple[ArrayOrScalar, ArrayOrScalar]: ...
@overload
def logsumexp(a: Array, axis: Axis, b: Array | None, keepdims: bool, return_sign: Literal[True],
              where: Mask | None = None) -> tuple[ArrayOrScalar, ArrayOrScalar]: ...
@overload
def logsumexp(a: Array, axis: Axis = None, b: Array | None = None, keepdims: bool = False,
              return_sign: bool = False, where: Mask | None = None) -> ArrayOrScalar: ...
def logsumexp(a: Array, axis: Axis = None, b: Array | None = None, keepdims: bool = False, return_sign: bool = False,
              where: Mask | None = None) -> ArrayOrScalar | tuple[ArrayOrScalar, ArrayOrScalar]:
    """Return log(sum(b * exp(a))), without overflow.

    Parameters
    ----------
    a : ndarray
        The exponents.
    axis : int, tuple of int, or None
        What is summed over; None: all axes.
    b : ndarray that broadcasts against a, or None
        Weights of the exponentials; None: 1.
    keepdims : bool
        Keep the reduced axes, with length 1.
    return_sign : bool
        Return the sign of the sum, too.
    where : ndarray of bool that broadcasts against a, or None
        What is summed; None: all of it.

    Returns
    -------
    ndarray or number, or a tuple of two
        The logarithm; with `return_sign` (log(abs(s)), sign(s)) of the sum s.  Without it a negative sum gives
        not-a-number.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.logsumexp(np.array([1000.0, 1000.0])).round(6)
    np.float64(1000.693147)
    >>> gs.nn.logsumexp(np.array([0.0, -np.inf]), b=np.array([-2.0, 1.0]), return_sign=True)
    (np.float64(0.6931471805599453), np.float64(-1.0))
    """
    if where is not None:
        a = np.where(where, a, -np.inf)
    top = _largest(a, axis)
    top = np.where(np.isfinite(top), top, 0)  # what is infinite stays in the sum
    e = np.exp(a - top)
    if b is not None:
        e = b * e
    if where is not None:
        e = np.where(where, e, 0)
    total = np.sum(e, axis=axis, keepdims=keepdims)
    top = np.reshape(top, total.shape)
    if return_sign:
        return np.log(np.abs(total)) + top, np.sign(total)
    return np.log(total) + top


def _largest(x, axis):
    """The largest numbers along the axes, which stay with length 1, without a derivative; 0 where there are none."""
    axes, shape = (axis,) if isinstance(axis, int) else axis, np.shape(x)
    among = [axes is None or k in axes or k - len(shape) in axes for k in range(len(shape))]
    count = 1
    for n, reduced in zip(shape, among):
        count = count * n if reduced else count
    if not at_least(count, 1) and count == 0:
        return np.zeros(tuple([1 if reduced else n for n, reduced in zip(shape, among)]), np.asarray(x).dtype)
    largest = stop_gradient(np.max(x, axis=axis, keepdims=True))
    return largest


def log_softmax(x: Array, axis: Axis = -1, where: Mask | None = None) -> Array:
    """Return log(softmax(x)), without cancellation.

    Parameters
    ----------
    x : ndarray
        Logarithms of weights.
    axis : int, tuple of int, or None
        What the weights are summed over; None: all axes.
    where : ndarray of bool that broadcasts against x, or None
        What takes part; the rest is -inf.

    Returns
    -------
    ndarray
        Of the shape of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.log_softmax(np.array([0.0, -np.inf, -1e3])).tolist()
    [0.0, -inf, -1000.0]
    """
    if where is not None:
        x = np.where(where, x, -np.inf)
    shifted = x - _largest(x, axis)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def softmax(x: Array, axis: Axis = -1, where: Mask | None = None) -> Array:
    """Return exp(x) / sum(exp(x)): positive, and 1 in sum over the axis.

    Parameters
    ----------
    x : ndarray
        Logarithms of weights.
    axis : int, tuple of int, or None
        What the weights are summed over; None: all axes.
    where : ndarray of bool that broadcasts against x, or None
        What takes part; the rest is 0.

    Returns
    -------
    ndarray
        Of the shape of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.softmax(np.array([1e3, 1e3, -np.inf]))
    array([0.5, 0.5, 0. ])
    """
    if where is not None:
        x = np.where(where, x, -np.inf)
    e = np.exp(x - _largest(x, axis))
    return e / np.sum(e, axis=axis, keepdims=True)


def standardize(x: Array, axis: Axis = -1, mean: Array | Real | None = None, variance: Array | Real | None = None,
                epsilon: Real = 1e-5, where: Mask | None = None) -> Array:
    """Return (x - mean) / sqrt(variance + epsilon).

    Parameters
    ----------
    x : ndarray
        What is shifted and scaled.
    axis : int, tuple of int, or None
        What mean and variance are taken over; None: all axes.
    mean, variance : ndarray that broadcasts against x, or None
        None: those of x over the axis.
    epsilon : number
        Added to the variance.
    where : ndarray of bool that broadcasts against x, or None
        What mean and variance are taken of; None: all of it.

    Returns
    -------
    ndarray
        Of the shape of x.

    Notes
    -----
    The variance is the mean of the squared differences from the mean, where `jax.nn` by default subtracts squares.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.standardize(np.array([1.0, 3.0]), epsilon=0.0)
    array([-1.,  1.])
    """
    if mean is None:
        mean = _mean(x, axis, where)
    if variance is None:
        variance = _mean((x - mean) ** 2, axis, where)
    return (x - mean) / (variance + epsilon) ** 0.5  # a Python number stays one, so that float32 stays float32


def _mean(x, axis, where):
    if where is None:
        return np.mean(x, axis=axis, keepdims=True)
    chosen = np.broadcast_to(where, x.shape)
    return (np.sum(np.where(chosen, x, 0), axis=axis, keepdims=True)
            / np.sum(chosen, axis=axis, keepdims=True).astype(x.dtype))
