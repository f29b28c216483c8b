"""Shapes: the same elements, seen otherwise."""
import numpy as np

from .registry import known, means


def product(lengths):
    count = 1
    for n in lengths:
        count = count * n
    return count


@means(np.size)
def size(a, axis=None):
    shape = np.shape(a)
    return product(shape if axis is None else [shape[k] for k in (axis if isinstance(axis, tuple) else (axis,))])


@means(np.moveaxis)
def moveaxis(a, source, destination):
    rank = np.ndim(a)
    source, destination = [[k % rank for k in (x if isinstance(x, (tuple, list)) else (x,))] for x in (source, destination)]
    order = [k for k in range(rank) if k not in source]
    for place, k in sorted(zip(destination, source)):
        order.insert(place, k)
    return np.transpose(a, order)


@means(np.swapaxes, method="swapaxes")
def swapaxes(a, axis1, axis2):
    order = list(range(np.ndim(a)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return np.transpose(a, order)


@means(np.expand_dims)
def expand_dims(a, axis):
    axis = known(axis, "it says where the new axes are")
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = np.ndim(a) + len(axes)
    axes = [k % rank for k in axes]
    return np.asarray(a)[tuple([None if k in axes else slice(None) for k in range(rank)])]
