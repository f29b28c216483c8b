"""Arrays joined to one, and one taken apart."""
import numpy as np

from .registry import known, means, own, refuse
from .shapes import along, whole


@means(np.append)
def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(own(arr)), np.ravel(own(values))))
    return np.concatenate((np.asarray(arr), values), axis)


@means(np.column_stack)
def column_stack(tup):
    return np.concatenate([np.asarray(x) if np.ndim(x) > 1 else np.reshape(x, (-1, 1)) for x in tup], 1)


@means(np.dstack)
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


@means(np.array_split, unasked=True)
def array_split(ary, indices_or_sections, axis=0):
    sections, axis = known(indices_or_sections, "it says how many parts there are"), place_of(ary, axis)
    if isinstance(sections, (list, tuple)):
        return parts_of(ary, [0, *sections, None], axis)
    sections = whole(sections, "it says how many parts there are")
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    each, more = divmod(known(ary.shape[axis], "it is divided into parts"), sections)
    return parts_of(ary, [k * each + min(k, more) for k in range(sections + 1)], axis)


@means(np.split, unasked=True)
def split(ary, indices_or_sections, axis=0):
    sections, axis = known(indices_or_sections, "it says how many parts there are"), place_of(ary, axis)
    if not isinstance(sections, (list, tuple)) and known(ary.shape[axis], "it is divided into parts") % whole(sections,
            "it says how many parts there are"):
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, sections, axis)
