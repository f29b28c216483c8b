"""Continuous distributions of `gs.random`: numbers, and vectors, that are drawn of a key."""
from __future__ import annotations

import math
from typing import Any, overload

import numpy as np
from scipy.special import expit

from gradscribe.runtime import erf, erfinv, stop_gradient

from ._gammas import log_gamma, normal_of
from ._keys import as_shape, float_type, split, unit
from ._types import Array, ArrayLike, ArrayOrScalar, DTypeLike, Key, Scalar, Size


@overload
def uniform(key: Key, shape: tuple[()] = (), dtype: DTypeLike | None = None, minval: ArrayLike = 0.0,
            maxval: ArrayLike = 1.0) -> Scalar: ...
@overload
def uniform(key: Key, shape: Size, dtype: DTypeLike | None = None, minval: ArrayLike = 0.0,
            maxval: ArrayLike = 1.0) -> Array: ...
def uniform(key: Key, shape: Size = (), dtype: DTypeLike | None = None, minval: ArrayLike = 0.0,
            maxval: ArrayLike = 1.0) -> Array | np.floating[Any]:
    """Draw uniform numbers, minval <= x < maxval.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).
    minval, maxval : array_like of floats
        The bounds; they broadcast to the shape, and the result has a derivative with respect to them.

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.uniform(gs.random.key(42), (3,)).round(4)
    array([0.4887, 0.6798, 0.6163], dtype=float32)
    """
    dtype = float_type(dtype)
    minval, maxval = dtype(minval), dtype(maxval)
    return np.maximum(minval, unit(key, as_shape(shape), dtype) * (maxval - minval) + minval)


@overload
def normal(key: Key, shape: tuple[()] = (), dtype: DTypeLike | None = None) -> Scalar: ...
@overload
def normal(key: Key, shape: Size, dtype: DTypeLike | None = None) -> Array: ...
def normal(key: Key, shape: Size = (), dtype: DTypeLike | None = None) -> Array | np.floating[Any]:
    """Draw normal numbers of mean 0 and variance 1.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.normal(gs.random.key(42), (3,)).round(4)
    array([-0.0283,  0.4671,  0.2957], dtype=float32)
    """
    dtype = float_type(dtype)
    return normal_of(unit(key, as_shape(shape), dtype), dtype)


@overload
def truncated_normal(key: Key, lower: ArrayLike, upper: ArrayLike, shape: tuple[()] | None = None,
                     dtype: DTypeLike | None = None) -> ArrayOrScalar: ...
@overload
def truncated_normal(key: Key, lower: ArrayLike, upper: ArrayLike, shape: Size,
                     dtype: DTypeLike | None = None) -> Array: ...
def truncated_normal(key: Key, lower: ArrayLike, upper: ArrayLike, shape: Size | None = None,
                     dtype: DTypeLike | None = None) -> ArrayOrScalar:
    """Draw normal numbers of mean 0 and variance 1 under the condition lower < x < upper.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    lower, upper : array_like of floats
        The bounds; they broadcast to the shape, and the result has a derivative with respect to them.
    shape : int, tuple of int, or None
        The shape of the result; None: that to which lower and upper broadcast.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.truncated_normal(gs.random.key(42), -1.0, 2.0, (3,)).round(4)
    array([0.1477, 0.5684, 0.421 ], dtype=float32)
    """
    shape, dtype = np.shape(np.maximum(lower, upper)) if shape is None else as_shape(shape), float_type(dtype)
    lower, upper, root = dtype(lower), dtype(upper), dtype(math.sqrt(2.0))
    u = uniform(key, shape, dtype, erf(lower / root), erf(upper / root))
    inside = np.nextafter(stop_gradient(lower), dtype(np.inf)), np.nextafter(stop_gradient(upper), dtype(-np.inf))
    return np.minimum(np.maximum(root * erfinv(u), inside[0]), inside[1])


@overload
def exponential(key: Key, shape: tuple[()] = (), dtype: DTypeLike | None = None) -> Scalar: ...
@overload
def exponential(key: Key, shape: Size, dtype: DTypeLike | None = None) -> Array: ...
def exponential(key: Key, shape: Size = (), dtype: DTypeLike | None = None) -> Array | np.floating[Any]:
    """Draw exponential numbers of mean 1.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.exponential(gs.random.key(42), (3,)).round(4)
    array([0.6708, 1.1388, 0.9578], dtype=float32)
    """
    return -np.log1p(-unit(key, as_shape(shape), float_type(dtype)))


@overload
def laplace(key: Key, shape: tuple[()] = (), dtype: DTypeLike | None = None) -> Scalar: ...
@overload
def laplace(key: Key, shape: Size, dtype: DTypeLike | None = None) -> Array: ...
def laplace(key: Key, shape: Size = (), dtype: DTypeLike | None = None) -> Array | np.floating[Any]:
    """Draw Laplace numbers of mean 0 and scale 1.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.laplace(gs.random.key(42), (3,)).round(4)
    array([ 0.0228, -0.4457, -0.2647], dtype=float32)
    """
    dtype = float_type(dtype)
    u = uniform(key, shape, dtype, -1.0 + (2.0**-24 if dtype == np.float32 else 2.0**-53), 1.0)
    return np.sign(u) * np.log1p(-np.abs(u))


@overload
def gumbel(key: Key, shape: tuple[()] = (), dtype: DTypeLike | None = None) -> Scalar: ...
@overload
def gumbel(key: Key, shape: Size, dtype: DTypeLike | None = None) -> Array: ...
def gumbel(key: Key, shape: Size = (), dtype: DTypeLike | None = None) -> Array | np.floating[Any]:
    """Draw Gumbel numbers: -log(-log(u)) of uniform u.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.gumbel(gs.random.key(42), (3,)).round(4)
    array([0.3341, 0.952 , 0.7255], dtype=float32)
    """
    dtype = float_type(dtype)
    return -np.log(-np.log(uniform(key, shape, dtype, np.finfo(dtype).tiny, 1.0)))


def multivariate_normal(key: Key, mean: ArrayLike, cov: ArrayLike, shape: Size | None = None,
                        dtype: DTypeLike | None = None) -> Array:
    """Draw normal vectors of this mean and covariance.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    mean : array_like, shape (..., n)
        The mean.
    cov : array_like, shape (n, n)
        The covariance, symmetric and positive definite: its lower triangle is read.
    shape : int, tuple of int, or None
        The shape of the result without n; None: that of the mean.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, shape (*shape, n)
        With a derivative with respect to mean and cov.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the mean has no axis, the covariance has not two, or the key has not two words.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> cov = np.array([[4.0, 2.0], [2.0, 2.0]])
    >>> gs.random.multivariate_normal(gs.random.key(42), np.array([1.0, 2.0]), cov).round(4)
    array([0.9434, 2.4388], dtype=float32)
    """
    mean, cov, dtype = np.asarray(mean), np.asarray(cov), float_type(dtype)
    if mean.ndim < 1 or cov.ndim != 2:
        raise ValueError("mean must have at least one axis and cov two; use gs.vmap for several covariances")
    shape = mean.shape[:-1] if shape is None else as_shape(shape)
    factor = np.linalg.cholesky(cov.astype(dtype))
    return mean.astype(dtype) + normal(key, (*shape, mean.shape[-1]), dtype) @ factor.T


# gamma and what is made of it -----------------------------------------------------------------------------------------
@overload
def gamma(key: Key, a: ArrayLike, shape: tuple[()] | None = None, dtype: DTypeLike | None = None) -> ArrayOrScalar: ...
@overload
def gamma(key: Key, a: ArrayLike, shape: Size, dtype: DTypeLike | None = None) -> Array: ...
def gamma(key: Key, a: ArrayLike, shape: Size | None = None, dtype: DTypeLike | None = None) -> ArrayOrScalar:
    """Draw gamma numbers of shape a and scale 1.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    a : array_like of floats
        The parameter, > 0; it broadcasts to the shape.
    shape : int, tuple of int, or None
        The shape of the result; None: that of a.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Notes
    -----
    The derivative with respect to a is that which keeps the quantile of each number; there is no second.

    References
    ----------
    M. Figurnov, S. Mohamed, A. Mnih, "Implicit reparameterization gradients", 2018.

    Examples
    --------
    >>> import gradscribe as gs
    >>> bool(abs(gs.random.gamma(gs.random.key(42), 3.0, (1000,)).mean() - 3.0) < 0.2)
    True
    """
    shape, dtype = np.shape(a) if shape is None else as_shape(shape), float_type(dtype)
    wide = np.broadcast_to(dtype(a), shape if len(shape) > 0 else (1,))
    z = np.exp(log_gamma(key, wide, dtype))
    return z if len(shape) > 0 else z[0]


@overload
def beta(key: Key, a: ArrayLike, b: ArrayLike, shape: tuple[()] | None = None,
         dtype: DTypeLike | None = None) -> ArrayOrScalar: ...
@overload
def beta(key: Key, a: ArrayLike, b: ArrayLike, shape: Size, dtype: DTypeLike | None = None) -> Array: ...
def beta(key: Key, a: ArrayLike, b: ArrayLike, shape: Size | None = None,
         dtype: DTypeLike | None = None) -> ArrayOrScalar:
    """Draw beta numbers: x / (x + y) of gamma numbers x of shape a and y of shape b.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    a, b : array_like of floats
        The parameters, > 0; they broadcast to the shape.
    shape : int, tuple of int, or None
        The shape of the result; None: that to which a and b broadcast.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape, with the derivatives that `gamma` has.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis, or the dtype is none of these.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> bool(abs(gs.random.beta(gs.random.key(42), 3.0, 1.0, (1000,)).mean() - 0.75) < 0.02)
    True
    """
    shape, dtype = np.shape(np.maximum(a, b)) if shape is None else as_shape(shape), float_type(dtype)
    first, second = split(key)
    wide = shape if len(shape) > 0 else (1,)
    x = log_gamma(first, np.broadcast_to(dtype(a), wide), dtype)
    y = log_gamma(second, np.broadcast_to(dtype(b), wide), dtype)
    z = expit(x - y)
    return z if len(shape) > 0 else z[0]
