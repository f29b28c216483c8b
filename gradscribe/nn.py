"""Functions of neural networks: plain NumPy, with the names, arguments and defaults of `jax.nn`.

They are ordinary functions, read and differentiated like a user's own.  Each is written so that neither it nor its
derivative overflows where the result does not: an exponential only ever has an argument of at most 0, and the side
of an `np.where` that is not chosen has a finite derivative.  float32 stays float32.
"""
from __future__ import annotations

import math
from typing import overload

import numpy as np

from gradscribe.runtime import erfc

from . import initializers
from ._over_axes import log_softmax, logsumexp, softmax, standardize
from ._types import Array, ArrayLike, ArrayOrScalar, DTypeLike, Real, Scalar

SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


# activations, of every element ----------------------------------------------------------------------------------------
@overload
def relu(x: Array) -> Array: ...
@overload
def relu(x: Real) -> Scalar: ...
def relu(x: Array | Real) -> ArrayOrScalar:
    """Return max(x, 0), with derivative 0 at 0.

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.

    Returns
    -------
    ndarray or number
        Of the shape and dtype of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.relu(np.array([-1.0, 0.0, 2.0]))
    array([0., 0., 2.])
    """
    return np.where(x <= 0, 0, x)[()]


@overload
def leaky_relu(x: Array, negative_slope: Array | Real = 1e-2) -> Array: ...
@overload
def leaky_relu(x: Real, negative_slope: Array | Real = 1e-2) -> ArrayOrScalar: ...
def leaky_relu(x: Array | Real, negative_slope: Array | Real = 1e-2) -> ArrayOrScalar:
    """Return x where it is not negative, else negative_slope * x.

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.
    negative_slope : number or ndarray that broadcasts against x
        The slope below 0.

    Returns
    -------
    ndarray or number
        Of the shape to which both broadcast.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.leaky_relu(np.array([-1.0, 2.0]))
    array([-0.01,  2.  ])
    """
    return np.where(x >= 0, x, negative_slope * x)[()]


@overload
def elu(x: Array, alpha: Array | Real = 1.0) -> Array: ...
@overload
def elu(x: Real, alpha: Array | Real = 1.0) -> ArrayOrScalar: ...
def elu(x: Array | Real, alpha: Array | Real = 1.0) -> ArrayOrScalar:
    """Return x where it is positive, else alpha * (exp(x) - 1).

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.
    alpha : number or ndarray that broadcasts against x
        The function tends to -alpha on the left.

    Returns
    -------
    ndarray or number
        Of the shape to which both broadcast.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.elu(np.array([-1e3, 2.0]))
    array([-1.,  2.])
    """
    return np.where(x > 0, x, alpha * np.expm1(np.where(x > 0, 0, x)))[()]


@overload
def selu(x: Array) -> Array: ...
@overload
def selu(x: Real) -> Scalar: ...
def selu(x: Array | Real) -> ArrayOrScalar:
    """Return the scaled `elu` that keeps mean 0 and variance 1.

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.

    Returns
    -------
    ndarray or number
        Of the shape of x.

    References
    ----------
    Klambauer and others, 2017.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.selu(np.array([-1e3, 1.0])).round(6)
    array([-1.758099,  1.050701])
    """
    return SELU_SCALE * elu(x, SELU_ALPHA)


@overload
def gelu(x: Array, approximate: bool = True) -> Array: ...
@overload
def gelu(x: Real, approximate: bool = True) -> Scalar: ...
def gelu(x: Array | Real, approximate: bool = True) -> ArrayOrScalar:
    """Return x times the normal distribution function at x.

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.
    approximate : bool
        By the hyperbolic tangent; False: by the error function.

    Returns
    -------
    ndarray or number
        Of the shape of x.

    References
    ----------
    Hendrycks and Gimpel, 2016.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.gelu(np.array([-1.0, 0.0, 1.0]), approximate=False).round(6)
    array([-0.158655,  0.      ,  0.841345])
    """
    if approximate:
        return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * erfc(-math.sqrt(0.5) * x)


@overload
def sigmoid(x: Array) -> Array: ...
@overload
def sigmoid(x: Real) -> Scalar: ...
def sigmoid(x: Array | Real) -> ArrayOrScalar:
    """Return 1 / (1 + exp(-x)), to full relative accuracy on both sides.

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.

    Returns
    -------
    ndarray or number
        Of the shape of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.sigmoid(np.array([-1e3, 0.0, 1e3]))
    array([0. , 0.5, 1. ])
    """
    decayed = np.exp(np.where(x >= 0, -x, x))
    return np.where(x >= 0, 1, decayed) / (1 + decayed)


@overload
def silu(x: Array) -> Array: ...
@overload
def silu(x: Real) -> Scalar: ...
def silu(x: Array | Real) -> ArrayOrScalar:
    """Return x * sigmoid(x), also called swish.

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.

    Returns
    -------
    ndarray or number
        Of the shape of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.silu(np.array([-1e3, 0.0, 1e3]))
    array([  -0.,    0., 1000.])
    """
    return x * sigmoid(x)


@overload
def softplus(x: Array) -> Array: ...
@overload
def softplus(x: Real) -> Scalar: ...
def softplus(x: Array | Real) -> ArrayOrScalar:
    """Return log(1 + exp(x)).

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.

    Returns
    -------
    ndarray or number
        Of the shape of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.softplus(np.array([-1e3, 0.0, 1e3])).tolist()
    [0.0, 0.6931471805599453, 1000.0]
    """
    decayed = np.exp(np.where(x >= 0, -x, x))
    return np.where(x >= 0, x, 0) + np.log1p(decayed)


@overload
def log_sigmoid(x: Array) -> Array: ...
@overload
def log_sigmoid(x: Real) -> Scalar: ...
def log_sigmoid(x: Array | Real) -> ArrayOrScalar:
    """Return log(sigmoid(x)) = -softplus(-x).

    Parameters
    ----------
    x : ndarray or number, of any shape
        Where the function is taken, element by element.

    Returns
    -------
    ndarray or number
        Of the shape of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.log_sigmoid(np.array([-1e3, 0.0, 1e3])).tolist()
    [-1000.0, -0.6931471805599453, -0.0]
    """
    return -softplus(-x)


def glu(x: Array, axis: int = -1) -> Array:
    """Return the first half of x along an axis, times the sigmoid of the second.

    Parameters
    ----------
    x : ndarray
        With an even number of elements along the axis.
    axis : int
        The axis that is halved.

    Returns
    -------
    ndarray
        With half as many elements along the axis.

    Raises
    ------
    ValueError
        Where the number of elements along the axis is odd.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.glu(np.array([[1.0, 2.0, 0.0, 1e3]]))
    array([[0.5, 2. ]])
    """
    half, rest = divmod(x.shape[axis], 2)
    if rest:
        raise ValueError("the number of elements along the axis must be even")
    before = (slice(None),) * (axis % x.ndim)
    return x[before + (slice(None, half),)] * sigmoid(x[before + (slice(half, None),)])


# classes --------------------------------------------------------------------------------------------------------------
def one_hot(x: ArrayLike, num_classes: int, *, dtype: DTypeLike = np.float32, axis: int = -1) -> Array:
    """Return 1 at the place that x names, 0 elsewhere.

    Parameters
    ----------
    x : array_like of int
        The classes; a number that is no class gives zeros.
    num_classes : int
        How many classes there are: the length of the new axis.
    dtype : dtype
        Of the result.
    axis : int
        Where the new axis stands in the result.

    Returns
    -------
    ndarray
        Of this dtype, with one axis more than x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.one_hot(np.array([1, 0, -1]), 2)
    array([[0., 1.],
           [1., 0.],
           [0., 0.]], dtype=float32)
    """
    x = np.asarray(x)
    shape = [1] * (x.ndim + 1)
    shape[axis] = num_classes
    classes = np.reshape(np.arange(num_classes), shape)
    return (np.expand_dims(x, axis) == classes).astype(dtype)


__all__ = ["elu", "gelu", "glu", "initializers", "leaky_relu", "log_sigmoid", "log_softmax", "logsumexp", "one_hot",
           "relu", "selu", "sigmoid", "silu", "softmax", "softplus", "standardize"]
