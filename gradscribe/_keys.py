"""Keys and random bits: `key`, `split`, `fold_in` and `bits` of gs.random, bit by bit those of `jax.random`.

All random bits are words of threefry, a function of a key and a counter (Salmon, Moraes, Dror, Shaw 2011, "Parallel
random numbers: as easy as 1, 2, 3").
"""
from __future__ import annotations

from typing import Any, overload

import numpy as np

from gradscribe.runtime import threefry

from ._types import Array, DTypeLike, Int, Key, Scalar, Size

LOW_WORD = 0xFFFFFFFF
_scheme = "partitionable"
_width = "32"  # bits of numbers whose dtype is not said; gradscribe/config.py changes it. Programs check strings


class partitionable:
    """Choose the scheme by which bits are made of a key.

    Parameters
    ----------
    on : bool
        JAX's present scheme; False: that of JAX before version 0.5.

    Notes
    -----
    It holds from the call on; as a context manager, until its end.  What is compiled is compiled again for another
    scheme.

    Examples
    --------
    >>> import gradscribe as gs
    >>> with gs.random.partitionable(False):
    ...     print(gs.random.bits(gs.random.key(42)))
    1832780943
    >>> print(gs.random.bits(gs.random.key(42)))
    2098992034
    """

    def __init__(self, on: bool) -> None:
        global _scheme
        self.before = _scheme
        _scheme = "partitionable" if on else "original"

    def __enter__(self) -> partitionable:
        return self

    def __exit__(self, *error: object) -> None:
        global _scheme
        _scheme = self.before


# keys -----------------------------------------------------------------------------------------------------------------
def key(seed: Int) -> Key:
    """Make a key from a seed.

    Parameters
    ----------
    seed : int
        Its low 32 bits count, so that -5 is 2**32 - 5; with "jax_enable_x64" (`gs.config`) all 64.

    Returns
    -------
    ndarray of uint32, shape (2,)
        The key.

    Raises
    ------
    TypeError
        Where the seed is no int.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.key(42)
    array([ 0, 42], dtype=uint32)
    """
    if np.ndim(seed) != 0:
        raise TypeError("a seed is one number; use gs.vmap for several")
    kind = np.asarray(seed).dtype
    if kind.kind not in "iub":
        raise TypeError("a seed is an int")
    words = int(seed)
    high = words >> 32 & LOW_WORD if _width == "64" and kind.itemsize == 8 else 0
    return np.array([high, words & LOW_WORD]).astype(np.uint32)


def PRNGKey(seed: Int) -> Key:
    """Make a key from a seed: `key`, by JAX's older name.

    Parameters
    ----------
    seed : int
        Its low 32 bits count, so that -5 is 2**32 - 5; with "jax_enable_x64" (`gs.config`) all 64.

    Returns
    -------
    ndarray of uint32, shape (2,)
        The key.

    Raises
    ------
    TypeError
        Where the seed is no int.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.PRNGKey(42)
    array([ 0, 42], dtype=uint32)
    """
    return key(seed)


def key_data(keys: Key) -> Key:
    """Return the words of a key.

    Parameters
    ----------
    keys : ndarray of uint32, shape (..., 2)
        A key, or an array of them.

    Returns
    -------
    ndarray of uint32, of the same shape
        A copy: here a key is its words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.key_data(gs.random.fold_in(gs.random.key(42), 43))
    array([ 710795722, 2748409863], dtype=uint32)
    """
    return np.copy(keys)


def split(key: Key, num: Size = 2) -> Key:
    """Return new keys, independent of each other and of what the key gives otherwise.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    num : int or tuple of int
        How many.

    Returns
    -------
    ndarray of uint32, shape (num, 2) or (*num, 2)
        The keys.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> a, b = gs.random.split(gs.random.key(42))
    >>> a
    array([1832780943,  270669613], dtype=uint32)
    """
    shape = as_shape(num)
    n = size_of(shape)
    words = counted(key, n)
    if _scheme == "partitionable":
        keys = np.stack([words >> 32, words & LOW_WORD], axis=1)
    else:
        keys = np.concatenate([words >> 32, words & LOW_WORD])
    return np.reshape(keys.astype(np.uint32), (*shape, 2))


def fold_in(key: Key, data: Int) -> Key:
    """Make a new key from a key and a number: of the step of a loop, the index of a device.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key.
    data : int
        Its low 32 bits count.

    Returns
    -------
    ndarray of uint32, shape (2,)
        The new key.

    Raises
    ------
    TypeError
        Where the key is no uint32 array of one axis.
    ValueError
        Where the key has not two words.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.random.fold_in(gs.random.key(42), 43)
    array([ 710795722, 2748409863], dtype=uint32)
    """
    first, second = words_of(key)
    words = threefry(first, second, np.uint32(0), np.uint32(data & LOW_WORD))
    return np.array([words >> 32, words & LOW_WORD]).astype(np.uint32)


def words_of(key):
    """The two words of a key."""
    if not isinstance(key, np.ndarray) or key.dtype != np.uint32 or key.ndim != 1:
        raise TypeError("a key is a uint32 array of shape (2,), as gs.random.key(seed) makes it; use gs.vmap for an "
                        "array of keys")
    if len(key) != 2:
        raise ValueError("a key has two words")
    return key[0], key[1]


def as_shape(shape):
    return (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)


def size_of(shape):
    n = 1
    for length in shape:
        n = n * length
    return n


# bits -----------------------------------------------------------------------------------------------------------------
def counted(key, n):
    """n numbers of 64 random bits."""
    first, second = words_of(key)
    count = np.arange(n, dtype=np.uint32)
    if _scheme == "partitionable":
        return threefry(first, second, np.uint32(0), count)
    return threefry(first, second, count, count + np.uint32(n))


def bits64(key, shape):
    if len(shape) == 0:
        first, second = words_of(key)
        return threefry(first, second, np.uint32(0), np.uint32(0 if _scheme == "partitionable" else 1))
    words = counted(key, size_of(shape))
    return words if len(shape) == 1 else np.reshape(words, shape)


def bits32(key, shape):
    if len(shape) == 0:
        first, second = words_of(key)
        words = threefry(first, second, np.uint32(0), np.uint32(0))
        return ((words >> 32) ^ words if _scheme == "partitionable" else words >> 32).astype(np.uint32)
    n = size_of(shape)
    if _scheme == "partitionable":
        words = counted(key, n)
        mixed = ((words >> 32) ^ words).astype(np.uint32)
    else:
        mixed = words32(key, n)
    return mixed if len(shape) == 1 else np.reshape(mixed, shape)


def words32(key, n):
    """n words in the original scheme: the counters' first half gives one word each, the second half the other."""
    first, second = words_of(key)
    low = np.arange((n + 1) // 2, dtype=np.uint32)
    high = low + np.uint32((n + 1) // 2)
    words = threefry(first, second, low, np.where(high < n, high, np.uint32(0)))
    return np.concatenate([words >> 32, words & LOW_WORD])[:n].astype(np.uint32)


def narrow_bits(key, shape, width):
    """Bits of 8 or 16 a number; in the original scheme a word gives several, its low bits first."""
    if _scheme == "partitionable":
        return bits32(key, shape)
    n, parts = size_of(shape), 32 // width
    words = words32(key, (n + parts - 1) // parts)
    spread = (words[:, None] >> (width * np.arange(parts)).astype(np.uint32)) & np.uint32(2**width - 1)
    return np.reshape(np.reshape(spread, -1)[:n], shape)


@overload
def bits(key: Key, shape: tuple[()] = (), dtype: DTypeLike = np.uint32) -> Scalar: ...
@overload
def bits(key: Key, shape: Size, dtype: DTypeLike = np.uint32) -> Array: ...
def bits(key: Key, shape: Size = (), dtype: DTypeLike = np.uint32) -> Array | np.unsignedinteger[Any]:
    """Draw random bits: unsigned integers, each as likely as any other.

    Parameters
    ----------
    key : ndarray of uint32, shape (2,)
        A key, which is used only once.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype
        One of np.uint8, np.uint16, np.uint32 and np.uint64.

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
    >>> gs.random.bits(gs.random.key(42), (4,))
    array([2098992034, 2919706841, 2646866425, 2409546199], dtype=uint32)
    """
    shape, width = as_shape(shape), 8 * np.dtype(dtype).itemsize
    if np.dtype(dtype).kind != "u":
        raise TypeError("dtype must be np.uint8, np.uint16, np.uint32 or np.uint64")
    if width == 64:
        return bits64(key, shape)
    if width == 32:
        return bits32(key, shape)
    return narrow_bits(key, shape, width).astype(dtype)


# many keys at once ----------------------------------------------------------------------------------------------------
def split_each(keys, num):
    """`split` of many keys, given by their two words: `num` of such pairs."""
    if _scheme == "partitionable":
        made = [threefry(*keys, np.uint32(0), np.uint32(k)) for k in range(num)]
        words = [w for both in made for w in (both >> 32, both & LOW_WORD)]
    else:
        made = [threefry(*keys, np.uint32(k), np.uint32(k + num)) for k in range(num)]
        words = [both >> 32 for both in made] + [both & LOW_WORD for both in made]
    words = [w.astype(np.uint32) for w in words]
    return [(words[2 * k], words[2 * k + 1]) for k in range(num)]


def unit_of_each(keys, dtype):
    """A number that is uniform in [0, 1) of each key: what `unit` gives of it for the shape ()."""
    second = np.uint32(0 if dtype == np.float32 or _scheme == "partitionable" else 1)
    words = threefry(*keys, np.uint32(0), second)
    if dtype == np.float32:
        words = (words >> 32) ^ words if _scheme == "partitionable" else words >> 32
        return (words.astype(np.uint32) >> 9).astype(np.float32) * np.float32(2.0**-23)
    return (words >> 12).astype(np.float64) * 2.0**-52


def float_type(dtype):
    """np.float32 or np.float64; the default of None."""
    if dtype is None:
        return np.float64 if _width == "64" else np.float32
    if np.dtype(dtype) == np.float32:
        return np.float32
    if np.dtype(dtype) == np.float64:
        return np.float64
    raise TypeError("dtype must be np.float32 or np.float64")


def int_type(dtype):
    """The class of an integer dtype; the default of None."""
    if dtype is None:
        return np.int64 if _width == "64" else np.int32
    return np.dtype(dtype).type


def unit(key, shape, dtype):
    """Uniform in [0, 1): the multiples of 2**-23, of 2**-52 in float64."""
    if dtype == np.float32:
        return (bits32(key, shape) >> 9).astype(np.float32) * np.float32(2.0**-23)
    return (bits64(key, shape) >> 12).astype(np.float64) * 2.0**-52
