"""Functions of neural networks: plain NumPy, with the names, arguments and defaults of `jax.nn`.

They are ordinary functions, read and differentiated like a user's own.  Each is written so that neither it nor its
derivative overflows where the result does not: an exponential only ever has an argument of at most 0, and the side
of an `np.where` that is not chosen has a finite derivative.  float32 stays float32.
"""
from __future__ import annotations

import math

import numpy as np

from gradscribe.runtime import erfc, stop_gradient

from . import initializers
from .transformer.library.registry import at_least

SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


# activations, of every element ----------------------------------------------------------------------------------------
def relu(x):
    """max(x, 0), with derivative 0 at 0.

    x  array or number of any shape; the result has its shape and dtype

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.relu(np.array([-1.0, 0.0, 2.0]))
    array([0., 0., 2.])
    """
    return np.where(x <= 0, 0, x)[()]


def leaky_relu(x, negative_slope=1e-2):
    """x where it is not negative, else negative_slope * x.

    x               array or number of any shape
    negative_slope  number, or array that broadcasts against x

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.leaky_relu(np.array([-1.0, 2.0]))
    array([-0.01,  2.  ])
    """
    return np.where(x >= 0, x, negative_slope * x)[()]


def elu(x, alpha=1.0):
    """x where it is positive, else alpha * (exp(x) - 1).

    x      array or number of any shape
    alpha  number, or array that broadcasts against x

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.elu(np.array([-1e3, 2.0]))
    array([-1.,  2.])
    """
    return np.where(x > 0, x, alpha * np.expm1(np.where(x > 0, 0, x)))[()]


def selu(x):
    """The scaled `elu` that keeps mean 0 and variance 1 (Klambauer and others, 2017).

    x  array or number of any shape

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.selu(np.array([-1e3, 1.0])).round(6)
    array([-1.758099,  1.050701])
    """
    return SELU_SCALE * elu(x, SELU_ALPHA)


def gelu(x, approximate=True):
    """x times the normal distribution function at x (Hendrycks and Gimpel, 2016).

    x            array or number of any shape
    approximate  by the hyperbolic tangent; False: by the error function

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.gelu(np.array([-1.0, 0.0, 1.0]), approximate=False).round(6)
    array([-0.158655,  0.      ,  0.841345])
    """
    if approximate:
        return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * erfc(-math.sqrt(0.5) * x)


def sigmoid(x):
    """1 / (1 + exp(-x)), to full relative accuracy on both sides.

    x  array or number of any shape

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.sigmoid(np.array([-1e3, 0.0, 1e3]))
    array([0. , 0.5, 1. ])
    """
    t = np.exp(np.where(x >= 0, -x, x))
    return np.where(x >= 0, 1, t) / (1 + t)


def silu(x):
    """x * sigmoid(x), also called swish.

    x  array or number of any shape

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.silu(np.array([-1e3, 0.0, 1e3]))
    array([  -0.,    0., 1000.])
    """
    return x * sigmoid(x)


def softplus(x):
    """log(1 + exp(x)).

    x  array or number of any shape

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.softplus(np.array([-1e3, 0.0, 1e3])).tolist()
    [0.0, 0.6931471805599453, 1000.0]
    """
    t = np.exp(np.where(x >= 0, -x, x))
    return np.where(x >= 0, x, 0) + np.log1p(t)


def log_sigmoid(x):
    """log(sigmoid(x)) = -softplus(-x).

    x  array or number of any shape

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.log_sigmoid(np.array([-1e3, 0.0, 1e3])).tolist()
    [-1000.0, -0.6931471805599453, -0.0]
    """
    return -softplus(-x)


def glu(x, axis=-1):
    """The first half of x along an axis, times the sigmoid of the second.

    x     array with an even number of elements along the axis
    axis  int

    Returns an array with half as many elements along the axis.  Raises ValueError where their number is odd.

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.glu(np.array([[1.0, 2.0, 0.0, 1e3]]))
    array([[0.5, 2. ]])
    """
    half, rest = divmod(x.shape[axis], 2)
    if rest:
        raise ValueError("the number of elements along the axis must be even")
    before = (slice(None),) * (axis % x.ndim)
    return x[before + (slice(None, half),)] * sigmoid(x[before + (slice(half, None),)])


# over an axis ---------------------------------------------------------------------------------------------------------
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None):
    """log(sum(b * exp(a))), without overflow.

    a            array
    axis         int, tuple of ints, or None: over all axes
    b            weights of the exponentials, an array that broadcasts against a; None: 1
    keepdims     keep the reduced axes, with length 1
    return_sign  return (log(abs(s)), sign(s)) of the sum s
    where        bool array that broadcasts against a: what is summed; None: all of it

    Without `return_sign` a negative sum gives not-a-number.

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


def log_softmax(x, axis=-1, where=None):
    """log(softmax(x)), without cancellation.

    x      array
    axis   int, tuple of ints, or None: over all axes
    where  bool array that broadcasts against x: what takes part; the rest is -inf

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.log_softmax(np.array([0.0, -np.inf, -1e3])).tolist()
    [0.0, -inf, -1000.0]
    """
    if where is not None:
        x = np.where(where, x, -np.inf)
    shifted = x - _largest(x, axis)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def softmax(x, axis=-1, where=None):
    """exp(x) / sum(exp(x)): positive, and 1 in sum over the axis.

    x      array
    axis   int, tuple of ints, or None: over all axes
    where  bool array that broadcasts against x: what takes part; the rest is 0

    >>> import numpy as np, gradscribe as gs
    >>> gs.nn.softmax(np.array([1e3, 1e3, -np.inf]))
    array([0.5, 0.5, 0. ])
    """
    if where is not None:
        x = np.where(where, x, -np.inf)
    e = np.exp(x - _largest(x, axis))
    return e / np.sum(e, axis=axis, keepdims=True)


def standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-5, where=None):
    """(x - mean) / sqrt(variance + epsilon).

    x               array
    axis            int, tuple of ints, or None: over all axes
    mean, variance  arrays that broadcast against x; None: those of x over the axis
    epsilon         number
    where           bool array that broadcasts against x: what mean and variance are taken of; None: all of it

    The variance is the mean of the squared differences from the mean, where `jax.nn` by default subtracts squares.

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


# classes --------------------------------------------------------------------------------------------------------------
def one_hot(x, num_classes, *, dtype=np.float32, axis=-1):
    """1 at the place that x names, 0 elsewhere.

    x            array of ints; a number that is no class gives zeros
    num_classes  how many classes there are: the length of the new axis
    dtype        of the result
    axis         int: where the new axis stands in the result

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
