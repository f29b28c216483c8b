"""Arrays joined to one, and one taken apart."""
import numpy as np

from .registry import at_least, known, means, own, part, refuse
from .shapes import along, whole


@means(np.append, complex=True)
def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(own(arr)), np.ravel(own(values))))
    return np.concatenate((np.asarray(arr), values), axis)


def common(shapes):
    """The shape that arrays of these shapes broadcast to."""
    together = np.zeros((), dtype=np.bool_)
    for shape in shapes:
        together = together | np.zeros(shape, dtype=np.bool_)
    return np.shape(together)


@means(np.broadcast_shapes, unasked=True)
def broadcast_shapes(*args):
    return common(args)


@means(np.broadcast_arrays, unasked=True, complex=True)
def broadcast_arrays(*args):
    shape = common([np.shape(x) for x in args])
    return tuple([np.broadcast_to(x, shape) for x in args])


@means(np.column_stack, complex=True)
def column_stack(tup):
    return np.concatenate([np.asarray(x) if np.ndim(x) > 1 else np.reshape(x, (-1, 1)) for x in tup], 1)


@means(np.dstack, complex=True)
def dstack(tup):
    return np.concatenate([np.atleast_3d(x) for x in tup], 2)


def parts_of(ary, bounds, axis):
    """Views of what is between these places of an axis."""
    return [ary[along(axis, slice(start, stop), ary.ndim)] for start, stop in zip(bounds[:-1], bounds[1:])]


def place_of(ary, axis):
    """The axis, as these functions have it: NumPy asks for a length of the shape, which raises IndexError."""
    if not isinstance(ary, np.ndarray):
        refuse("np.split of what is no array", "Make an array of it: np.asarray(x).")
    axis = known(axis, "it is an axis")
    return axis if ary.shape[axis] is None else axis % ary.ndim


@means(np.array_split, unasked=True, complex=True)
def array_split(ary, indices_or_sections, axis=0):
    axis = place_of(ary, axis)
    if isinstance(indices_or_sections, (list, tuple)):
        return parts_of(ary, [0, *indices_or_sections, None], axis)
    sections = whole(indices_or_sections, "it says how many parts there are")
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    each, more = ary.shape[axis] // sections, ary.shape[axis] % sections
    if at_least(0, more):
        return equal_parts(ary, sections, axis)
    return parts_of(ary, [k * each + min(k, more) for k in range(sections + 1)], axis)


def equal_parts(ary, count, axis):
    """Views of the parts of an axis whose length they divide."""
    each = ary.shape[axis] // count
    return [part(ary, axis, k * each if k else 0, (k + 1) * each) for k in range(count)]


@means(np.split, unasked=True, complex=True)
def split(ary, indices_or_sections, axis=0):
    axis = place_of(ary, axis)
    if isinstance(indices_or_sections, (list, tuple)):
        return array_split(ary, indices_or_sections, axis)
    sections = whole(indices_or_sections, "it says how many parts there are")
    if not at_least(0, ary.shape[axis] % sections) and ary.shape[axis] % sections != 0:
        raise ValueError("array split does not result in an equal division")
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    return equal_parts(ary, sections, axis)
