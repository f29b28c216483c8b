"""Random numbers without state: a key and a shape in, numbers out; the same key gives the same numbers.

    key = gs.random.key(42)
    key, subkey = gs.random.split(key)          # never use a key twice
    x = gs.random.normal(subkey, (3,))

Names, arguments and numbers are those of `jax.random`: keys, `split`, `fold_in` and `bits` bit by bit, what is made of
them to rounding.  A key is a uint32 array of shape (2,), a batch of keys one of shape (n, 2), which `gs.vmap` maps
over.  The functions are plain NumPy, read and compiled like a user's own; the results are float32 unless `dtype=` says
float64, or `gs.config.update("jax_enable_x64", True)` has made that the default.
"""
from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from gradscribe.runtime import erf, erfinv, lgamma, stop_gradient

from .gammas import log_gamma, normal_of
from .keys import (PRNGKey, as_shape, bits, bits32, bits64, float_type, fold_in, int_type, key, key_data, partitionable,
                   size_of, split, unit)
from .transformer.library.registry import stays_call


def uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0):
    """Uniform numbers, minval <= x < maxval.

    key             uint32 array of shape (2,)
    shape           tuple of ints, or an int
    dtype           np.float32 or np.float64; None: float32 (`gs.config`)
    minval, maxval  numbers or arrays that broadcast to the shape; the result has a derivative with respect to them

    Returns an array of this shape, or a NumPy scalar for shape ().

    >>> import gradscribe as gs
    >>> gs.random.uniform(gs.random.key(42), (3,)).round(4)
    array([0.4887, 0.6798, 0.6163], dtype=float32)
    """
    dtype = float_type(dtype)
    minval, maxval = dtype(minval), dtype(maxval)
    return np.maximum(minval, unit(key, as_shape(shape), dtype) * (maxval - minval) + minval)


def bernoulli(key, p=0.5, shape=None):
    """True with probability p.

    key    uint32 array of shape (2,)
    p      number or array that broadcasts to the shape; one of float64 has its numbers drawn in float64
    shape  tuple of ints, or an int; None: that of p

    Returns a bool array of this shape, or a NumPy bool for shape ().

    >>> import gradscribe as gs
    >>> gs.random.bernoulli(gs.random.key(42), 0.6, (4,))
    array([ True, False, False,  True])
    """
    shape = np.shape(p) if shape is None else as_shape(shape)
    numpy = isinstance(p, (np.ndarray, np.generic))
    dtype = (np.float64 if p.dtype == np.float64 else np.float32) if numpy else float_type(None)
    return unit(key, shape, dtype) < dtype(p)


def randint(key, shape, minval, maxval, dtype=None):
    """Integers, minval <= k < maxval; minval where there are none.

    key             uint32 array of shape (2,)
    shape           tuple of ints, or an int
    minval, maxval  ints, or arrays of them that broadcast to the shape
    dtype           an integer dtype other than np.uint64; None: int32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().

    >>> import gradscribe as gs
    >>> gs.random.randint(gs.random.key(42), (5,), 0, 10)
    array([4, 4, 1, 9, 9], dtype=int32)
    """
    shape, dtype = as_shape(shape), int_type(dtype)
    if np.dtype(dtype).kind not in "iu" or dtype == np.uint64:
        raise TypeError("dtype must be an integer dtype other than np.uint64")
    if len(shape) == 0:
        return randint(key, (1,), minval, maxval, dtype)[0]
    smallest, largest, width = np.iinfo(dtype).min, np.iinfo(dtype).max, max(32, np.iinfo(dtype).bits)
    first, second = split(key)
    high, low = ((bits64(first, shape), bits64(second, shape)) if width == 64
                 else (bits32(first, shape).astype(np.uint64), bits32(second, shape).astype(np.uint64)))
    start = np.minimum(np.maximum(minval, smallest), largest)
    stop = np.minimum(np.maximum(maxval, smallest), largest if width == 64 else largest + 1)
    if width == 64:
        # arrays wrap around, and are right
        start, stop = np.zeros(shape, np.int64) + start, np.zeros(shape, np.int64) + stop
        span = np.where(stop > start, stop.astype(np.uint64) - start.astype(np.uint64), np.uint64(1))
    else:
        span = np.maximum(stop - start, 1).astype(np.uint64)
    mask = np.uint64(2**width - 1)
    # 2**width % span, of which the product below makes one number of twice the bits
    factor = np.uint64(2 ** (width // 2)) % span
    factor = (factor * factor & mask) % span
    offset = ((high % span * factor & mask) + low % span & mask) % span
    return (start + offset.astype(np.int64)).astype(dtype)


# continuous distributions ---------------------------------------------------------------------------------------------
def normal(key, shape=(), dtype=None):
    """Normal numbers of mean 0 and variance 1.

    key    uint32 array of shape (2,)
    shape  tuple of ints, or an int
    dtype  np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().

    >>> import gradscribe as gs
    >>> gs.random.normal(gs.random.key(42), (3,)).round(4)
    array([-0.0283,  0.4671,  0.2957], dtype=float32)
    """
    dtype = float_type(dtype)
    return normal_of(unit(key, as_shape(shape), dtype), dtype)


def truncated_normal(key, lower, upper, shape=None, dtype=None):
    """Normal numbers of mean 0 and variance 1 under the condition lower < x < upper.

    key           uint32 array of shape (2,)
    lower, upper  numbers or arrays that broadcast to the shape; the result has a derivative with respect to them
    shape         tuple of ints, or an int; None: that to which lower and upper broadcast
    dtype         np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().

    >>> import gradscribe as gs
    >>> gs.random.truncated_normal(gs.random.key(42), -1.0, 2.0, (3,)).round(4)
    array([0.1477, 0.5684, 0.421 ], dtype=float32)
    """
    shape, dtype = np.shape(np.maximum(lower, upper)) if shape is None else as_shape(shape), float_type(dtype)
    lower, upper, root = dtype(lower), dtype(upper), dtype(math.sqrt(2.0))
    u = uniform(key, shape, dtype, erf(lower / root), erf(upper / root))
    inside = np.nextafter(stop_gradient(lower), dtype(np.inf)), np.nextafter(stop_gradient(upper), dtype(-np.inf))
    return np.minimum(np.maximum(root * erfinv(u), inside[0]), inside[1])


def exponential(key, shape=(), dtype=None):
    """Exponential numbers of mean 1.

    key    uint32 array of shape (2,)
    shape  tuple of ints, or an int
    dtype  np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().

    >>> import gradscribe as gs
    >>> gs.random.exponential(gs.random.key(42), (3,)).round(4)
    array([0.6708, 1.1388, 0.9578], dtype=float32)
    """
    return -np.log1p(-unit(key, as_shape(shape), float_type(dtype)))


def laplace(key, shape=(), dtype=None):
    """Laplace numbers of mean 0 and scale 1.

    key    uint32 array of shape (2,)
    shape  tuple of ints, or an int
    dtype  np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().

    >>> import gradscribe as gs
    >>> gs.random.laplace(gs.random.key(42), (3,)).round(4)
    array([ 0.0228, -0.4457, -0.2647], dtype=float32)
    """
    dtype = float_type(dtype)
    u = uniform(key, shape, dtype, -1.0 + (2.0**-24 if dtype == np.float32 else 2.0**-53), 1.0)
    return np.sign(u) * np.log1p(-np.abs(u))


def gumbel(key, shape=(), dtype=None):
    """Gumbel numbers: -log(-log(u)) of uniform u.

    key    uint32 array of shape (2,)
    shape  tuple of ints, or an int
    dtype  np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().

    >>> import gradscribe as gs
    >>> gs.random.gumbel(gs.random.key(42), (3,)).round(4)
    array([0.3341, 0.952 , 0.7255], dtype=float32)
    """
    dtype = float_type(dtype)
    return -np.log(-np.log(uniform(key, shape, dtype, np.finfo(dtype).tiny, 1.0)))


def multivariate_normal(key, mean, cov, shape=None, dtype=None):
    """Normal vectors of this mean and covariance.

    key    uint32 array of shape (2,)
    mean   array (..., n)
    cov    array (n, n), symmetric and positive definite: its lower triangle is read
    shape  tuple of ints, or an int, without n; None: that of the mean
    dtype  np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array (*shape, n), with a derivative with respect to mean and cov.

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
def gamma(key, a, shape=None, dtype=None):
    """Gamma numbers of shape a and scale 1.

    key    uint32 array of shape (2,)
    a      the parameter, > 0: number or array that broadcasts to the shape
    shape  tuple of ints, or an int; None: that of a
    dtype  np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().  Its derivative with respect to a is that which
    keeps the quantile of each number (M. Figurnov, S. Mohamed, A. Mnih, "Implicit reparameterization gradients", 2018);
    there is no second.

    >>> import gradscribe as gs
    >>> bool(abs(gs.random.gamma(gs.random.key(42), 3.0, (1000,)).mean() - 3.0) < 0.2)
    True
    """
    shape, dtype = np.shape(a) if shape is None else as_shape(shape), float_type(dtype)
    wide = np.broadcast_to(dtype(a), shape if len(shape) > 0 else (1,))
    z = np.exp(log_gamma(key, wide, dtype))
    return z if len(shape) > 0 else z[0]


def beta(key, a, b, shape=None, dtype=None):
    """Beta numbers: x / (x + y) of gamma numbers x of shape a and y of shape b.

    key    uint32 array of shape (2,)
    a, b   the parameters, > 0: numbers or arrays that broadcast to the shape
    shape  tuple of ints, or an int; None: that to which a and b broadcast
    dtype  np.float32 or np.float64; None: float32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape (), with the derivatives that `gamma` has.

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


# counts and choices ---------------------------------------------------------------------------------------------------
def poisson(key, lam, shape=None, dtype=None):
    """Poisson numbers of mean lam.

    key    uint32 array of shape (2,)
    lam    number or array that broadcasts to the shape, >= 0; -1 is given where it is not
    shape  tuple of ints, or an int; None: that of lam
    dtype  np.int32 or np.int64; None: int32 (`gs.config`)

    Returns an array of this shape, or a NumPy scalar for shape ().  No derivative.

    >>> import gradscribe as gs
    >>> gs.random.poisson(gs.random.key(42), 3.0, (5,))
    array([6, 2, 2, 1, 5], dtype=int32)
    """
    shape = np.shape(lam) if shape is None else as_shape(shape)
    rate = np.broadcast_to(np.float32(stop_gradient(lam)), shape if len(shape) > 0 else (1,))
    small = rate < 10
    count = np.where(rate >= 0, np.float32(0.0), np.float32(-1.0))
    if np.any(small):
        count = np.where(small & (rate > 0), _poisson_by_product(key, np.where(small & (rate > 0), rate, 0)), count)
    if np.any(rate >= 10):
        count = np.where(rate >= 10, _poisson_by_rejection(key, np.where(rate >= 10, rate, 1e5)), count)
    count = count.astype(int_type(dtype))
    return count if len(shape) > 0 else count[0]


def _poisson_by_product(key, rate):
    """How many uniform numbers have a product above exp(-rate) (D. E.
    Knuth, The Art of Computer Programming, volume 2)."""
    count, log_product = np.zeros_like(rate), np.zeros_like(rate)
    while np.any(log_product > -rate):
        key, subkey = split(key)
        count = np.where(log_product > -rate, count + 1, count)
        log_product = log_product + np.log(np.maximum(unit(subkey, rate.shape, np.float32), np.float32(1e-45)))
    return np.maximum(count - 1, 0)


def _poisson_by_rejection(key, rate):
    """W. Hormann, "The transformed rejection method for generating Poisson random variables" (1993): PTRS."""
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)
    count, done = np.full_like(rate, -1), rate != rate
    while not np.all(done):
        key, first, second = split(key, 3)
        u, v = unit(first, rate.shape, np.float32) - 0.5, unit(second, rate.shape, np.float32)
        distance = np.maximum(0.5 - np.abs(u), np.float32(1e-10))
        k = np.floor((2 * a / distance + b) * u + rate + 0.43)
        s = np.log(np.maximum(v, np.float32(1e-45)) * inverse_alpha / (a / (distance * distance) + b))
        t = -rate + np.maximum(k, 0) * np.log(rate) - lgamma(np.maximum(k, 0) + 1)
        surely = (distance >= 0.07) & (v <= v_r)
        refused = (k < 0) | ((distance < 0.013) & (v > distance))
        accepted = surely | ~refused & (s <= t)
        count = np.where(accepted, k, count)  # as JAX: the last of the numbers that were accepted
        done = done | accepted
    return count


def categorical(key, logits, axis=-1, shape=None):
    """Classes, each with probability proportional to exp(logit).

    key     uint32 array of shape (2,)
    logits  array: unnormalised log-probabilities along the axis
    axis    int
    shape   of the result: a tuple of ints that ends as logits without the axis; None: just that

    Returns an int64 array of this shape, or a NumPy scalar for shape ().

    >>> import numpy as np, gradscribe as gs
    >>> gs.random.categorical(gs.random.key(42), np.log(np.array([0.1, 0.2, 0.7])), shape=(5,))
    array([2, 2, 2, 2, 2])
    """
    axis = axis % logits.ndim - logits.ndim
    batch = logits.shape[:axis] + (logits.shape[axis + 1:] if axis < -1 else ())
    shape = batch if shape is None else as_shape(shape)
    prefix = shape[:len(shape) - len(batch)]
    dtype = np.float64 if logits.dtype == np.float64 else np.float32
    return np.argmax(gumbel(key, (*prefix, *logits.shape), dtype) + logits, axis=axis)


def permutation(key, x, axis=0):
    """The elements of x along an axis in random order, each order as likely as any other.

    key   uint32 array of shape (2,)
    x     array; or an int n, for the numbers 0 ... n - 1
    axis  int

    Returns an array of the shape and dtype of x.

    >>> import gradscribe as gs
    >>> gs.random.permutation(gs.random.key(42), 5)
    array([4, 2, 3, 0, 1])
    """
    if np.ndim(x) == 0:
        return _shuffled(key, x)
    n = x.shape[axis]
    if x.ndim == 1:
        return x[_shuffled(key, n)]
    return x[(slice(None),) * (axis % x.ndim) + (_shuffled(key, n),)]


def _shuffled(key, n):
    """The numbers 0 ... n - 1 in random order: sorted by random keys, so often that equal keys do not matter."""
    order = np.arange(n)
    rounds = int(np.ceil(3.0 * np.log(np.maximum(n, 1)) / math.log(2.0**32 - 1.0)))
    for _ in range(rounds):
        key, subkey = split(key)
        order = order[np.argsort(bits32(subkey, (n,)), kind="stable")]
    return order


def choice(key, a, shape=(), replace=True, p=None, axis=0):
    """Elements of a.

    key      uint32 array of shape (2,)
    a        array, of which the parts along the axis are drawn; or an int n, for the numbers 0 ... n - 1
    shape    tuple of ints, or an int: how many are drawn
    replace  may a part be drawn again?
    p        vector of their probabilities; None: all the same
    axis     int

    Returns an array like a, with the axis replaced by the axes of the shape.  Raises ValueError where more are to be
    drawn than there are.

    >>> import numpy as np, gradscribe as gs
    >>> gs.random.choice(gs.random.key(42), np.array([10.0, 20.0, 30.0]), (4,))
    array([10., 10., 10., 20.])
    """
    shape = as_shape(shape)
    numbers = np.ndim(a) == 0
    n = a if numbers else a.shape[axis]
    draws = size_of(shape)
    if n <= 0 < draws:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not replace and draws > n:
        raise ValueError("more samples than there are elements, without replacement")
    if p is None:
        places = randint(key, shape, 0, n) if replace else np.reshape(_shuffled(key, n)[:draws], shape)
    else:
        dtype = np.float64 if p.dtype == np.float64 else np.float32
        if replace:
            sums = np.cumsum(p.astype(dtype))
            places = np.searchsorted(sums, sums[-1] * (1 - unit(key, shape, dtype)))
        else:
            places = np.reshape(np.argsort(-(gumbel(key, (n,), dtype) + np.log(p.astype(dtype))),
                                           kind="stable")[:draws], shape)
    return places if numbers else a[(slice(None),) * (axis % a.ndim) + (places,)]


__all__ = ["PRNGKey", "bernoulli", "beta", "bits", "categorical", "choice", "exponential", "fold_in", "gamma", "gumbel",
           "key", "key_data", "laplace", "multivariate_normal", "normal", "partitionable", "permutation", "poisson",
           "randint", "split", "truncated_normal", "uniform"]
for function in (split, fold_in, bits, uniform, bernoulli, randint, normal, exponential, laplace, gumbel, permutation):
    stays_call(f"gs.random.{function.__name__}", function)
