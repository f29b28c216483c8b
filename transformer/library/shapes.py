"""Shapes: the same elements, seen otherwise."""
import operator

import numpy as np

from .registry import at_least, constant, known, means, own, part, refuse, rolled


def along(axis, part, rank):
    """The index that takes this part of an axis, and all of the others."""
    return tuple([part if k == axis else slice(None) for k in range(rank)])


def axis_of(axis, rank):
    """An axis, which must be known before the run, counted from the front."""
    axis = operator.index(known(axis, "it is an axis"))
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(axis, rank)
    return axis % rank


def several_axes(axis, rank):
    """One axis or several, each counted from the front."""
    return [axis_of(k, rank) for k in (axis if isinstance(axis, tuple) else (axis,))]


def product(lengths):
    count = 1
    for n in lengths:
        count = count * n
    return count


def whole(value, why):
    """An int that must be known before the run; of floats NumPy makes something else in each function."""
    value = known(value, why)
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        refuse(f"{value!r} where an int is needed: {why}", "Write an int.")
    return int(value)


def integer(value, why):
    """An int, which only the run time may know."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return operator.index(value)
    return whole(value, why)


def surely(n, number):
    """Is an int this number, for all calls of the program?"""
    return constant(n) and n == number


def counted(n, message):
    """An int that is 0 or more, and known to be that."""
    if at_least(n, 0):
        return n
    if n < 0:
        raise ValueError(message)
    return len(range(n))


def times(n, why):
    """How often something is repeated."""
    return counted(integer(n, why), "negative dimensions are not allowed")


def before(a, axis, k):
    """What stands before a place of an axis, which is between 0 and its length, or a constant."""
    return a[along(axis, slice(None, k), a.ndim)] if constant(k) else part(a, axis, 0, k)


def behind(a, axis, k):
    """What stands at a place of an axis and behind it."""
    return a[along(axis, slice(k, None), a.ndim)] if constant(k) else part(a, axis, k, a.shape[axis])


def must_be_arrays(name, *values):
    """Refuse lists and numbers where NumPy asks for attributes of arrays."""
    for x in values:
        if not isinstance(x, np.ndarray):
            refuse(f"{name} of what is no array", "Make an array of it: np.asarray(x).")


def single_axis(axis, rank):
    """An axis where a tuple or a flag is no axis to some functions, and one to others."""
    axis = known(axis, "it is an axis")
    if isinstance(axis, (tuple, bool)):
        refuse(f"the axis {axis!r}", "Give an int.")
    return axis_of(axis, rank)


def element(x):
    """What NumPy gives for an array without axes: its element."""
    return x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x


@means(np.size, complex=True)
def size(a, axis=None):
    shape = np.shape(a)
    return product(shape if axis is None else [shape[k] for k in (axis if isinstance(axis, tuple) else (axis,))])


@means(np.moveaxis, complex=True)
def moveaxis(a, source, destination):
    rank = np.ndim(a)
    source, destination = [[k % rank for k in (x if isinstance(x, (tuple, list)) else (x,))]
                           for x in (source, destination)]
    order = [k for k in range(rank) if k not in source]
    for place, k in sorted(zip(destination, source)):
        order.insert(place, k)
    return np.transpose(a, order)


@means(np.swapaxes, method="swapaxes", complex=True)
def swapaxes(a, axis1, axis2):
    order = list(range(np.ndim(a)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return np.transpose(a, order)


@means(method="view", unasked=True, complex=True)
def view(self, dtype=None, type=None):
    """Of the same dtype, as an array: what `x.view()` and `x.view(np.ndarray)` are."""
    dtype, type = known(dtype, "it is a dtype"), known(type, "it is a class")
    must_be_arrays("the method view", self)
    if dtype is not None and dtype is not np.ndarray and dtype != self.dtype or type not in (None, np.ndarray):
        refuse("a view of another dtype or class", "Convert it: x.astype(dtype).")
    return self[...]


@means(np.expand_dims, complex=True)
def expand_dims(a, axis):
    axis = known(axis, "it says where the new axes are")
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = np.ndim(a) + len(axes)
    axes = [k % rank for k in axes]
    return np.asarray(a)[tuple([None if k in axes else slice(None) for k in range(rank)])]


@means(np.atleast_1d, complex=True)
def atleast_1d(*arys):
    made = [np.reshape(x, (1,)) if np.ndim(x) == 0 else np.asarray(x) for x in arys]
    return made[0] if len(made) == 1 else tuple(made)


@means(np.atleast_2d, complex=True)
def atleast_2d(*arys):
    made = [np.reshape(x, (1, 1)) if np.ndim(x) == 0 else np.asarray(x)[None] if np.ndim(x) == 1
            else np.asarray(x) for x in arys]
    return made[0] if len(made) == 1 else tuple(made)


@means(np.atleast_3d, complex=True)
def atleast_3d(*arys):
    made = [np.reshape(x, (1, 1, 1)) if np.ndim(x) == 0 else np.asarray(x)[None, :, None] if np.ndim(x) == 1
            else np.asarray(x)[:, :, None] if np.ndim(x) == 2 else np.asarray(x) for x in arys]
    return made[0] if len(made) == 1 else tuple(made)


# the order of elements along an axis ---------------------------------------------------------------------
@means(np.flip, complex=True)
def flip(m, axis=None):
    m = np.asarray(m)
    axis = known(axis, "it is an axis")
    axes = range(m.ndim) if axis is None else several_axes(axis, m.ndim)
    return m[tuple([slice(None, None, -1) if k in axes else slice(None) for k in range(m.ndim)])]


@means(np.flipud, complex=True)
def flipud(m):
    m = np.asarray(m)
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return m[::-1]


@means(np.fliplr, complex=True)
def fliplr(m):
    m = np.asarray(m)
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return m[:, ::-1]


@means(np.roll, complex=True)
def roll(a, shift, axis=None):
    a = np.asarray(a)
    axis = known(axis, "it is an axis")
    if axis is None:
        return np.reshape(roll(np.ravel(own(a)), sum(shift) if isinstance(shift, (tuple, list)) else shift, 0), a.shape)
    if not isinstance(axis, tuple) and not isinstance(shift, (tuple, list)):  # as most calls are
        axis, shift = axis_of(axis, a.ndim), integer(shift, "it says where the array is cut")
        return own(a) if surely(shift, 0) else rolled(a, shift, axis)
    return roll_each(a, shift if isinstance(shift, (tuple, list)) else (shift,), several_axes(axis, a.ndim))


def roll_each(a, shift, axes):
    """The array rolled along several axes, or one several times; one shift or axis is for all."""
    shifts = [integer(n, "it says where the array is cut") for n in shift]
    if len(axes) > 1 and len(shifts) > 1 and len(axes) != len(shifts):
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.")
    count = max(len(axes), len(shifts)) if axes and shifts else 0
    moved = [(axes[k % len(axes)], shifts[k % len(shifts)]) for k in range(count)
             if not surely(shifts[k % len(shifts)], 0)]
    for k, n in moved:
        a = rolled(a, n, k)
    return a if moved else own(a)


@means(np.tile, complex=True)
def tile(A, reps):
    A, reps = own(A), reps if isinstance(reps, (tuple, list)) else (reps,)
    reps = tuple([times(n, "it decides the shape") for n in reps])
    more = max(len(reps) - A.ndim, 0)  # axes in front
    reps = (1,) * (A.ndim - len(reps)) + reps
    apart = [(n,) if surely(r, 1) else (1, n) for r, n in zip(reps[more:], A.shape)]
    places = (reps[:more]
              + tuple([n for r, own in zip(reps[more:], apart) for n in (own if len(own) == 1 else (r, own[1]))]))
    spread = np.broadcast_to(np.reshape(A, tuple([n for own in apart for n in own])), places)
    return own(np.reshape(spread, reps[:more] + tuple([r * n for r, n in zip(reps[more:], A.shape)])))


@means(np.repeat, method="repeat", complex=True)
def repeat(a, repeats, axis=None):
    a = own(a)
    if axis is None or a.ndim == 0:
        a, axis = np.ravel(own(a)), 0 if axis is None else axis
    axis = axis_of(axis, a.ndim)
    if isinstance(repeats, (list, tuple)):
        repeats = known(repeats, "it decides the length")
        if len(repeats) > 1:
            if len(repeats) != known(a.shape[axis], "each element is repeated as often as a list says"):
                raise ValueError(f"operands could not be broadcast together with shape ({a.shape[axis]},) "
                                 f"({len(repeats)},)")
            return a[along(axis, [k for k, n in enumerate(repeats) for _ in range(n)], a.ndim)]
        repeats = repeats[0]
    if isinstance(repeats, np.ndarray) and repeats.ndim == 1 and repeats.dtype.kind in "iu":
        if len(repeats) != a.shape[axis] and len(repeats) != 1:
            raise ValueError(f"operands could not be broadcast together with shape ({a.shape[axis]},) "
                             f"({len(repeats)},)")
        if np.any(repeats < 0):
            raise ValueError("repeats may not contain negative values.")
        repeats = np.broadcast_to(repeats, (a.shape[axis],))
        ends = np.cumsum(repeats.astype(np.intp))
        return a[along(axis, np.searchsorted(ends, np.arange(np.sum(repeats)), "right"), a.ndim)]
    repeats = times(repeats, "it decides the length")
    shape = a.shape[:axis + 1] + (repeats,) + a.shape[axis + 1:]
    spread = np.broadcast_to(a[along(axis + 1, None, a.ndim + 1)], shape)
    return own(np.reshape(spread, a.shape[:axis] + (a.shape[axis] * repeats,) + a.shape[axis + 1:]))


@means(np.take, method="take", unasked=True, complex=True)
def take(a, indices, axis=None, mode="raise"):
    a = own(a)
    if axis is None or a.ndim == 0:
        a, axis = np.ravel(own(a)), 0 if axis is None else axis
    axis = axis_of(whole(axis, "it is an axis"), a.ndim)
    indices = within(numbers(indices), a.shape[axis], known(mode, "it says what happens outside"))
    return a[along(axis, indices, a.ndim)]


def numbers(indices):
    """Places: a bool is one as well, not a mask."""
    if np.ndim(indices) == 0:
        return int(indices) if isinstance(indices, (bool, np.bool_)) else indices
    listed, indices = isinstance(indices, (list, tuple)), np.asarray(indices)
    return indices.astype(np.intp) if indices.dtype.kind == "b" or listed and indices.size == 0 else indices


def within(indices, n, mode):
    """Places in an axis of this length, as a mode has those that are outside."""
    if mode == "raise":
        return indices
    if mode not in ("wrap", "clip"):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    indices = np.asarray(indices)
    if indices.dtype.kind not in "iu":
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    indices = indices.astype(np.intp)
    return element(indices % n if mode == "wrap" else np.clip(indices, 0, n - 1))
