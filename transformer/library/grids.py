"""Grids of numbers, places counted in several ways, and what is written as an index: np.r_[...], np.mgrid[...]."""
import numpy as np

from .joining import common
from .registry import INDEXED, known, means, refuse
from .shapes import element, product, whole


@means(np.logspace, unasked=True)
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if np.ndim(base):
        refuse("np.logspace with several bases", "Write base ** np.linspace(start, stop, num).")
    y = np.power(base, np.linspace(start, stop, num=num, endpoint=endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype)


@means(np.geomspace, unasked=True)
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    start, stop = np.multiply(start, 1.0).astype(float), np.multiply(stop, 1.0).astype(float)
    if isinstance(num, bool) or num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    if np.any(start == 0) or np.any(stop == 0):
        raise ValueError("Geometric sequence cannot include zero")
    if np.ndim(start) or np.ndim(stop):
        start, stop = np.broadcast_arrays(start, stop)
    if axis != 0:
        refuse("np.geomspace with axis=", "Turn the result: np.moveaxis(y, 0, axis).")
    sign = np.sign(start)
    y = sign * 10.0 ** np.linspace(np.log10(sign * start), np.log10(sign * stop), num=num, endpoint=endpoint)
    if num > 0:
        y[0] = start
        if num > 1 and endpoint:
            y[num - 1] = stop
    return y if dtype is None else y.astype(dtype)


@means(np.indices, unasked=True)
def indices(dimensions, dtype=int, sparse=False):
    if dtype is None:
        refuse("np.indices with dtype=None", "Give the dtype.")
    rank = len(dimensions)
    lines = [np.arange(n, dtype=dtype).reshape((1,) * k + (-1,) + (1,) * (rank - k - 1))
             for k, n in enumerate(dimensions)]
    if known(sparse, "it decides the shapes"):
        return tuple(lines)
    if rank == 0:
        return np.zeros((0,), dtype)
    return np.stack([np.broadcast_to(x, tuple(dimensions)) for x in lines])


@means(np.fromfunction, unasked=True)
def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    if like is not None:
        refuse("np.fromfunction with like=", "Leave it out.")
    return function(*indices(shape, dtype), **kwargs)


@means(np.ix_, unasked=True)
def ix_(*args):
    found = []
    for k, x in enumerate(args):
        x = np.asarray(x)
        if x.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if x.dtype.kind == "b":
            x = np.flatnonzero(x)
        found.append(x.reshape((1,) * k + (-1,) + (1,) * (len(args) - k - 1)))
    return tuple(found)


@means(np.tril_indices, unasked=True)
def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tri(n, m, k, dtype=bool))


@means(np.triu_indices, unasked=True)
def triu_indices(n, k=0, m=None):
    return np.nonzero(~np.tri(n, m, k - 1, dtype=bool))


@means(np.tril_indices_from, unasked=True)
def tril_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return tril_indices(arr.shape[0], k, arr.shape[1])


@means(np.triu_indices_from, unasked=True)
def triu_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return triu_indices(arr.shape[0], k, arr.shape[1])


@means(np.mask_indices, unasked=True)
def mask_indices(n, mask_func, k=0):
    return np.nonzero(mask_func(np.ones((n, n), int), k) != 0)


@means(np.diag_indices, unasked=True)
def diag_indices(n, ndim=2):
    return (np.arange(n),) * whole(ndim, "it is a number of axes")


@means(np.diag_indices_from, unasked=True)
def diag_indices_from(arr):
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    for n in arr.shape[1:]:
        if n != arr.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


@means(np.ravel_multi_index, unasked=True, complex=True)
def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    mode, order = known(mode, "it says what happens outside"), known(order, "it is a memory order")
    if order not in ("C", "F") or mode not in ("raise", "clip", "wrap"):
        refuse("np.ravel_multi_index with such a mode or order", "Use 'raise', 'wrap' or 'clip', and 'C' or 'F'.")
    dims = dims if isinstance(dims, (tuple, list)) else (dims,)
    if len(multi_index) != len(dims):
        raise ValueError("parameter multi_index must be a sequence of length " + str(len(dims)))
    place, pairs = 0, list(zip(multi_index, dims))
    for k, n in pairs if order == "C" else pairs[::-1]:
        k = np.asarray(k)
        if k.dtype.kind not in "iu":
            raise TypeError("only int indices permitted")
        if mode == "raise" and np.any((k < 0) | (k >= n)):
            raise ValueError("invalid entry in coordinates array")
        k = k.astype(np.intp)
        k = np.clip(k, 0, n - 1) if mode == "clip" else k % n if mode == "wrap" else k
        place = place * n + k
    return element(place)


@means(np.unravel_index, unasked=True, complex=True)
def unravel_index(indices, shape, order="C"):
    places, shape = np.asarray(indices), shape if isinstance(shape, (tuple, list)) else (shape,)
    if places.dtype.kind not in "iu":
        raise TypeError("only int indices permitted")
    places = places.astype(np.intp)
    if np.any((places < 0) | (places >= product(shape))):
        raise ValueError("index is out of bounds for array with size")
    order, found = known(order, "it is a memory order"), []
    if order not in ("C", "F"):
        refuse(f"np.unravel_index with order={order!r}", "Use 'C' or 'F'.")
    for n in shape[::-1] if order == "C" else shape:
        found.append(element(places % n))
        places = places // n
    return tuple(found[::-1] if order == "C" else found)


@means(np.vander, complex=True)
def vander(x, N=None, increasing=False):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = known(len(x) if N is None else N, "it is a number of columns")
    x = x.astype(np.result_type(x.dtype, int))
    powers = [np.ones_like(x)]
    for _ in range(count - 1):
        powers.append(powers[-1] * x)
    if not known(increasing, "it is an order"):
        powers = powers[:count][::-1]
    return np.stack(powers[:max(count, 0)], 1) if count > 0 else np.zeros((len(x), 0), x.dtype)


@means(np.fromiter, unasked=True)
def fromiter(iter, dtype, count=-1):
    if known(count, "it is a number of items") != -1:
        refuse("np.fromiter with count=", "Leave it out.")
    return np.array([x for x in iter], dtype=dtype)


# what is written as an index --------------------------------------------------------------------------------
def line(part):
    """The numbers of a slice: a complex step says how many there are."""
    start, step = 0 if part.start is None else part.start, 1 if part.step is None else part.step
    if isinstance(step, complex):
        count = int(abs(step))
        return np.linspace(start, part.stop, count)
    return np.arange(start, part.stop, step)


def lines_of(key):
    lines = [line(part) for part in (key if isinstance(key, tuple) else (key,))]
    kind = np.result_type(*[x.dtype for x in lines])
    return [x.astype(kind) for x in lines]


def open_grid(key):
    lines = lines_of(key)
    if not isinstance(key, tuple):
        return lines[0]
    return tuple([x.reshape((1,) * k + (-1,) + (1,) * (len(lines) - k - 1)) for k, x in enumerate(lines)])


def whole_grid(key):
    lines = open_grid(key)
    if not isinstance(key, tuple):
        return lines
    shape = common([np.shape(x) for x in lines])
    return np.stack([np.broadcast_to(x, shape) for x in lines])


def rows_joined(key):
    parts = [line(part) if isinstance(part, slice) else part for part in (key if isinstance(key, tuple) else (key,))]
    check_parts(parts, "np.r_")
    return np.concatenate([np.atleast_1d(x) for x in parts])


def columns_joined(key):
    parts = [line(part) if isinstance(part, slice) else part for part in (key if isinstance(key, tuple) else (key,))]
    check_parts(parts, "np.c_")
    return np.concatenate([x if np.ndim(x) > 1 else np.reshape(x, (-1, 1)) for x in parts], -1)


WIDE = (np.int64, np.uint64, np.float64, np.complex128)


def check_parts(parts, name):
    """Refuse what says how they are joined, and Python's numbers beside small ones, which NumPy joins as weak ones."""
    for x in parts:
        if isinstance(x, str):
            refuse(f"{name} with a text that says how parts are joined", "Use np.concatenate or np.stack.")
        if isinstance(x, (int, float, complex)) and not isinstance(x, np.generic):
            for y in parts:
                if not isinstance(y, (int, float, complex, str)) and np.asarray(y).dtype not in WIDE:
                    refuse(f"{name} of a Python number beside {np.asarray(y).dtype}", "Use np.concatenate.")


INDEXED.update({type(np.mgrid): whole_grid, type(np.ogrid): open_grid, type(np.r_): rows_joined,
                type(np.c_): columns_joined})
