"""What is taken, put, inserted and deleted along an axis, and what is chosen among arrays."""
import operator

import numpy as np

from .registry import at_least, known, means, own, refuse
from .shapes import along, axis_of, before, behind, must_be_arrays, within


def places_along(shape, indices, axis):
    """The index of elements along an axis: for each other axis all of its places."""
    rank = len(shape)
    return tuple([indices if k == axis else np.arange(shape[k]).reshape((1,) * k + (-1,) + (1,) * (rank - k - 1))
                  for k in range(rank)])


@means(np.take_along_axis, unasked=True, complex=True)
def take_along_axis(arr, indices, axis=-1):
    axis = known(axis, "it is an axis")
    must_be_arrays("np.take_along_axis", arr, indices)
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        return np.ravel(arr)[indices]
    axis = axis_of(axis, arr.ndim)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if indices.ndim != arr.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    return arr[places_along(arr.shape, indices, axis)]


@means(np.put_along_axis, unasked=True, complex=True)
def put_along_axis(arr, indices, values, axis):
    axis = known(axis, "it is an axis")
    must_be_arrays("np.put_along_axis", arr, indices)
    if axis is None:
        refuse("np.put_along_axis with axis=None", "Store into x.ravel().")
    axis = axis_of(axis, arr.ndim)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if indices.ndim != arr.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    arr[places_along(arr.shape, indices, axis)] = values


def by_shape(places, shape):
    """Places counted through all of an array, negative ones from behind, as one index for each axis."""
    found = []
    for n in shape[:0:-1]:
        found.append(places % n)
        places = places // n
    return (places, *found[::-1])


@means(np.put, unasked=True, complex=True)
def put(a, ind, v, mode="raise"):
    must_be_arrays("np.put", a)
    ind, v = np.ravel(np.asarray(ind)), np.ravel(np.asarray(v))
    ind = within(ind, a.size, known(mode, "it says what happens outside"))
    if ind.dtype.kind not in "iu":
        refuse("np.put at places that are no integers", "Convert them: ind.astype(int).")
    if np.any((ind >= a.size) | (ind < -a.size)):
        raise IndexError("index is out of bounds")
    if a.ndim == 0:
        refuse("np.put into an array without axes", "Store the number: a[...] = v.")
    if len(v) > 0:
        a[by_shape(np.where(ind < 0, ind + a.size, ind), a.shape)] = v[np.arange(len(ind)) % len(v)]


@means(np.choose, unasked=True, complex=True)
def choose(a, choices, mode="raise"):
    a, mode = np.asarray(a), known(mode, "it says what happens outside")
    choices = [np.asarray(c) for c in choices]
    if a.dtype.kind not in "iub":
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    n, kind = len(choices), np.result_type(*[c.dtype for c in choices])
    if mode == "raise" and np.any((a < 0) | (a >= n)):
        raise ValueError("invalid entry in choice array")
    a = np.clip(a, 0, n - 1) if mode == "clip" else a % n
    shape = np.broadcast_shapes(a.shape, *[c.shape for c in choices])
    y = np.broadcast_to(choices[0], shape).astype(kind)
    for k in range(1, n):
        y = np.where(a == k, choices[k].astype(kind), y)
    return y if y.ndim else y[()]


@means(np.select, unasked=True, complex=True)
def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    conditions = [np.asarray(c) for c in condlist]
    for c in conditions:
        if c.dtype != np.bool_:
            raise TypeError("invalid entry in condlist: should be boolean ndarray")
    choicelist = [x if isinstance(x, (int, float, complex)) else np.asarray(x) for x in choicelist]
    if not isinstance(default, (int, float, complex)):
        default = np.asarray(default)
    kind = np.result_type(*choicelist, default)
    y = np.asarray(default).astype(kind)
    for condition, choice in zip(conditions[::-1], choicelist[::-1]):
        y = np.where(condition, np.asarray(choice).astype(kind), y)
    return y


@means(np.piecewise, unasked=True)
def piecewise(x, condlist, funclist, *args, **kw):
    x, y = np.asarray(x), np.zeros_like(x)
    if x.ndim == 0:  # one condition for the one element each
        given = rows_of(condlist) if isinstance(condlist, (list, tuple)) or np.ndim(condlist) > 0 else [condlist]
        for c in given:
            if np.size(c) != 1:
                raise IndexError("too many indices for array: array is 0-dimensional, "
                                 f"but {np.ndim(c)} were indexed")
        return piecewise(x.reshape(1), [np.reshape(c, (1,)) for c in given], funclist, *args, **kw).reshape(())
    conditions = [np.asarray(c).astype(np.bool_) for c in conditions_in(condlist)]
    if len(funclist) == len(conditions) + 1:
        none = ~conditions[0]
        for c in conditions[1:]:
            none = none & ~c
        conditions = [*conditions, none]
    elif len(funclist) != len(conditions):
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} "
                         "functions are expected")
    for c, f in zip(conditions, funclist):
        if callable(f):
            chosen = x[c]
            if len(chosen) > 0:
                y[c] = f(chosen, *args, **kw)
        else:
            y[c] = f
    return y


def conditions_in(condlist):
    """Each condition of np.piecewise, for elements of an array with axes."""
    if not isinstance(condlist, (list, tuple)) and np.ndim(condlist) == 0:
        refuse("np.piecewise with one condition for all elements", "Write an if.")
    conditions = condlist if isinstance(condlist, (list, tuple)) else [condlist]
    if isinstance(condlist, np.ndarray) and condlist.ndim > 1:
        conditions = rows_of(condlist)
    if not isinstance(conditions[0], (list, tuple, np.ndarray)) or np.ndim(conditions[0]) == 0:
        conditions = [conditions]
    return conditions


def rows_of(condlist):
    if isinstance(condlist, (list, tuple)):
        return condlist
    return [condlist[k] for k in range(known(len(condlist), "it is a number of conditions"))]


def safe(values, into):
    """Arrays are stored only where no value can change; of numbers NumPy asks nothing."""
    if isinstance(values, np.ndarray) and not np.can_cast(values.dtype, into, "safe"):
        raise TypeError(f"Cannot cast array data from {values.dtype!r} to {into!r} according to the rule 'safe'")


@means(np.place, unasked=True, complex=True)
def place(arr, mask, vals):
    must_be_arrays("np.place", arr)
    if np.size(mask) != arr.size:
        raise ValueError("place: mask and data must be the same size")
    safe(vals, arr.dtype)
    vals = np.ravel(np.asarray(vals))
    if arr.ndim == 0:
        refuse("np.place into an array without axes", "Store the number: a[...] = v.")
    places = np.flatnonzero(mask)
    if len(places) > 0:
        if len(vals) == 0:
            raise ValueError("Cannot insert from an empty array!")
        arr[by_shape(places, arr.shape)] = vals[np.arange(len(places)) % len(vals)]


@means(np.copyto, unasked=True, complex=True)
def copyto(dst, src, where=True):
    must_be_arrays("np.copyto", dst)
    src = np.asarray(src)
    if not np.can_cast(src.dtype, dst.dtype, "same_kind"):
        refuse(f"np.copyto of {src.dtype} into {dst.dtype}", "Convert it before: src.astype(dst.dtype).")
    dst[...] = src if where is True else np.where(where, src.astype(dst.dtype), dst)


@means(np.putmask, unasked=True, complex=True)
def putmask(a, /, mask, values):
    must_be_arrays("np.putmask", a)
    given, values, mask = values, np.ravel(np.asarray(values)), np.asarray(mask)
    if mask.shape != a.shape:
        raise ValueError("putmask: mask and data must be the same size")
    safe(given, a.dtype)
    if not at_least(len(values), 1):
        refuse("np.putmask with no values", "Give one.")
    a[...] = np.where(mask, values[np.arange(a.size).reshape(a.shape) % len(values)].astype(a.dtype), a)


@means(np.fill_diagonal, unasked=True, complex=True)
def fill_diagonal(a, val, wrap=False):
    if known(wrap, "it is a flag"):
        refuse("np.fill_diagonal with wrap=", "Leave it out.")
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2:
        for n in a.shape[1:]:
            if n != a.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
    n = min(a.shape) if a.ndim == 2 else a.shape[0]
    places = np.arange(n)
    val = np.asarray(val)
    a[(places,) * a.ndim] = val if val.ndim == 0 else np.ravel(val)[places % val.size]


@means(np.insert, unasked=True, complex=True)
def insert(arr, obj, values, axis=None):
    arr, axis = np.asarray(arr), known(axis, "it is an axis")
    if axis is None:
        arr, axis = np.ravel(own(arr)), 0
    axis = axis_of(axis, arr.ndim)
    n = arr.shape[axis]
    values = np.asarray(values)
    if isinstance(obj, (int, np.integer)) and not isinstance(obj, bool):
        return insert_at(arr, operator.index(obj), values, axis, n)
    obj = known(obj, "it says where something is inserted")
    if not isinstance(obj, (list, tuple)) or any([isinstance(k, bool) for k in obj]):
        refuse(f"np.insert at {obj!r}", "Give an int or a list of ints.")
    where = [k + n if k < 0 else k for k in obj]
    for k in where:
        if not 0 <= k <= n:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
    order = sorted(range(len(where)), key=lambda k: where[k])
    each = np.broadcast_to(values.astype(arr.dtype), arr.shape[:axis] + (len(where),) + arr.shape[axis + 1:])
    parts, last = [], 0
    for k in order:
        parts += [arr[along(axis, slice(last, where[k]), arr.ndim)], each[along(axis, slice(k, k + 1), arr.ndim)]]
        last = where[k]
    return np.concatenate([*parts, arr[along(axis, slice(last, None), arr.ndim)]], axis)


def insert_at(arr, k, values, axis, n):
    """With something inserted at one place."""
    if not -n <= k <= n:
        raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
    k = k + n if k < 0 else k
    values = values.astype(arr.dtype)
    if values.ndim == arr.ndim and values.ndim > 0:  # a block of as many layers
        layer = values if arr.ndim == 1 else np.moveaxis(values, 0, axis)
    else:
        layer = values if values.ndim == 0 or arr.ndim == 1 else values[along(axis, None, values.ndim + 1)]
    count = layer.shape[axis] if layer.ndim == arr.ndim else 1
    layer = np.broadcast_to(layer, arr.shape[:axis] + (count,) + arr.shape[axis + 1:])
    return np.concatenate([before(arr, axis, k), layer, behind(arr, axis, k)], axis)


@means(np.delete, unasked=True, complex=True)
def delete(arr, obj, axis=None):
    arr, axis = np.asarray(arr), known(axis, "it is an axis")
    if axis is None:
        arr, axis = np.ravel(own(arr)), 0
    axis = axis_of(axis, arr.ndim)
    n = arr.shape[axis]
    if isinstance(obj, (int, np.integer)) and not isinstance(obj, bool):
        k = operator.index(obj)
        if not -n <= k < n:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
        k = k + n if k < 0 else k
        return np.concatenate([before(arr, axis, k), behind(arr, axis, k + 1)], axis)
    gone = known(obj, "it says what is deleted")
    if isinstance(gone, slice):
        n = known(n, "a slice of it is deleted")
        gone = list(range(*gone.indices(n)))
    if not isinstance(gone, (list, tuple)) or any([isinstance(k, bool) for k in gone]):
        refuse(f"np.delete of {gone!r}", "Give an int, a slice or a list of ints.")
    n = known(n, "some of it is deleted")
    for k in gone:
        if not -n <= k < n:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
    left = [k for k in range(n) if k not in gone and k - n not in gone]
    return arr[along(axis, np.array(left, dtype=int), arr.ndim)]


@means(np.resize, unasked=True, complex=True)
def resize(a, new_shape):
    a = np.ravel(own(a))
    shape = tuple(new_shape) if np.ndim(new_shape) else (new_shape,)
    count = 1
    for n in shape:
        if n < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        count = count * n
    if not at_least(len(a), 1) and len(a) == 0:
        return np.zeros(shape, a.dtype)
    return a[np.arange(count) % len(a)].reshape(shape)


@means(np.trim_zeros, unasked=True)
def trim_zeros(filt, trim="fb", axis=None):
    trim = known(trim, "it says where zeros are removed")
    must_be_arrays("np.trim_zeros", filt)
    if trim.lower() not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    if axis is not None or filt.ndim != 1:
        refuse("np.trim_zeros of more than one axis", "Slice the array.")
    some = np.flatnonzero(filt != 0)
    if len(some) == 0:
        return filt[:0].copy()
    first = some[0] if "f" in trim.lower() else 0
    last = some[-1] + 1 if "b" in trim.lower() else len(filt)
    return filt[np.arange(first, last)]
