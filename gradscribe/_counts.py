"""Bools, integers and choices of `gs.random`, that are drawn of a key."""
from __future__ import annotations

import math
from typing import Any, overload

import numpy as np

from gradscribe.runtime import lgamma, stop_gradient

from ._continuous import gumbel
from ._keys import as_shape, bits32, bits64, float_type, int_type, size_of, split, unit
from ._types import Array, ArrayLike, ArrayOrScalar, DTypeLike, Int, Key, Mask, Real, Scalar, Size


@overload
def bernoulli(key: Key, p: Real | Array = 0.5, shape: tuple[()] | None = None) -> ArrayOrScalar: ...
@overload
def bernoulli(key: Key, p: Real | Array = 0.5, *, shape: Size) -> Mask: ...
@overload
def bernoulli(key: Key, p: Real | Array, shape: Size) -> Mask: ...
def bernoulli(key: Key, p: Real | Array = 0.5, shape: Size | None = None) -> ArrayOrScalar:
    """Draw bools: True with probability p.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    p : number or ndarray
        The probability; it broadcasts to the shape.  One of float64 has its numbers drawn in float64.
    shape : int, tuple of int, or None
        The shape of the result; None: that of p.

    Returns
    -------
    ndarray of bool, or a NumPy bool for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.bernoulli(gs.random.key(42), 0.6, (4,))
    array([ True, False, False,  True])
    """
    shape = np.shape(p) if shape is None else as_shape(shape)
    numpy = isinstance(p, (np.ndarray, np.generic))
    dtype = (np.float64 if p.dtype == np.float64 else np.float32) if numpy else float_type(None)
    return unit(key, shape, dtype) < dtype(p)


@overload
def randint(key: Key, shape: tuple[()], minval: ArrayLike, maxval: ArrayLike,
            dtype: DTypeLike | None = None) -> Scalar: ...
@overload
def randint(key: Key, shape: Size, minval: ArrayLike, maxval: ArrayLike, dtype: DTypeLike | None = None) -> Array: ...
def randint(key: Key, shape: Size, minval: ArrayLike, maxval: ArrayLike,
            dtype: DTypeLike | None = None) -> Array | np.integer[Any]:
    """Draw integers, minval <= k < maxval; minval where there are none.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    shape : int or tuple of int
        The shape of the result.
    minval, maxval : array_like of int
        The bounds; they broadcast to the shape.
    dtype : dtype or None
        An integer dtype other than np.uint64; None: int32 (`gs.config`).

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


@overload
def poisson(key: Key, lam: ArrayLike, shape: tuple[()] | None = None,
            dtype: DTypeLike | None = None) -> ArrayOrScalar: ...
@overload
def poisson(key: Key, lam: ArrayLike, shape: Size, dtype: DTypeLike | None = None) -> Array: ...
def poisson(key: Key, lam: ArrayLike, shape: Size | None = None, dtype: DTypeLike | None = None) -> ArrayOrScalar:
    """Draw Poisson numbers of mean lam.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    lam : array_like of floats
        The mean, >= 0; -1 is given where it is not.  It broadcasts to the shape.
    shape : int, tuple of int, or None
        The shape of the result; None: that of lam.
    dtype : dtype or None
        Either np.int32 or np.int64; None: int32 (`gs.config`).

    Returns
    -------
    ndarray, or a NumPy scalar for shape ()
        Of this shape.  It has no derivative.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis.
    ValueError
        Where the key has not two words.

    References
    ----------
    D. E. Knuth, The Art of Computer Programming, volume 2; W. Hormann, "The transformed rejection method for generating
    Poisson random variables", 1993: PTRS, for means of at least 10.

    Examples
    --------
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


@overload
def categorical(key: Key, logits: Array, axis: int = -1, shape: tuple[()] | None = None) -> ArrayOrScalar: ...
@overload
def categorical(key: Key, logits: Array, axis: int = -1, *, shape: Size) -> Array: ...
@overload
def categorical(key: Key, logits: Array, axis: int, shape: Size) -> Array: ...
def categorical(key: Key, logits: Array, axis: int = -1, shape: Size | None = None) -> ArrayOrScalar:
    """Draw classes, each with probability proportional to exp(logit).

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    logits : ndarray
        Unnormalised log-probabilities along the axis; those of float64 have their numbers drawn in float64.
    axis : int
        The axis of the classes.
    shape : int, tuple of int, or None
        The shape of the result, which ends as that of logits without the axis; None: just that.

    Returns
    -------
    ndarray of int64, or a NumPy scalar for shape ()
        Of this shape.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis.
    ValueError
        Where the key has not two words.

    Examples
    --------
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


def permutation(key: Key, x: Array | Int, axis: int = 0) -> Array:
    """Return the elements of x along an axis in random order, each order as likely as any other.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    x : ndarray or int
        An array; or n, for the numbers 0 ... n - 1.
    axis : int
        The axis along which elements change places.

    Returns
    -------
    ndarray
        Of the shape and dtype of x; of an int, a vector.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis.
    ValueError
        Where the key has not two words.

    Examples
    --------
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


@overload
def choice(key: Key, a: Array | Int, shape: tuple[()] = (), replace: bool = True, p: Array | None = None,
           axis: int = 0) -> ArrayOrScalar: ...
@overload
def choice(key: Key, a: Array | Int, shape: Size, replace: bool = True, p: Array | None = None,
           axis: int = 0) -> Array: ...
def choice(key: Key, a: Array | Int, shape: Size = (), replace: bool = True, p: Array | None = None,
           axis: int = 0) -> ArrayOrScalar:
    """Draw elements of a.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    a : ndarray or int
        An array, of which the parts along the axis are drawn; or n, for the numbers 0 ... n - 1.
    shape : int or tuple of int
        How many are drawn.
    replace : bool
        Whether a part may be drawn again.
    p : ndarray, shape (n,), or None
        The probabilities of the parts; None: all the same.
    axis : int
        The axis along which a has its parts.

    Returns
    -------
    ndarray, or a NumPy scalar
        Like a, with the axis replaced by the axes of the shape.

    Raises
    ------
    ValueError
        Where more are to be drawn than there are, or the key has not two words.
    TypeError
        Where the key is no uint32 array of one axis.

    Examples
    --------
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
