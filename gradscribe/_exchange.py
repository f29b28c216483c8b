"""gs.lax.psum_scatter, all_to_all and pshuffle, and collectives within groups: written with psum and all_gather.

The functions are read like a user's, wherever they are called.
"""
from __future__ import annotations

from typing import Any, Hashable

import numpy as np

from gradscribe.transformer.library.collectives import all_gather, axis_index, axis_size, ppermute, psum
from gradscribe.transformer.specialise.staged_calls.collectives import ALONG_MESH, IN_GROUPS, OVER_SEVERAL

from .tree import map as tree_map

AxisName = Hashable
Groups = Any


def psum_scatter(x: Any, axis_name: AxisName, *, scatter_dimension: int = 0, axis_index_groups: Groups = None,
                 tiled: bool = False) -> Any:
    """Return the sum over all examples, of which each gets its part.

    Parameters
    ----------
    x : ndarray, or a tree of them
        With one part along `scatter_dimension` for each example.
    axis_name : hashable
        The name of a vmap or pmap around.
    scatter_dimension : int
        The axis of the parts.
    axis_index_groups : sequence of sequence of int, or None
        Lists of examples, equally long, each example in one: the sum is over those of the own list.
    tiled : bool
        A part is a block of that axis; else it is one place of it, and the axis goes.

    Returns
    -------
    tree
        Of the structure of x.

    Raises
    ------
    ValueError
        Where there are not as many parts as examples.
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: gs.lax.psum_scatter(x, "i"), axis_name="i")(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([4., 6.])
    """
    return tree_map(lambda leaf: scattered(leaf, axis_name, scatter_dimension, axis_index_groups, tiled), x)


def scattered(x, axis_name, scatter_dimension, axis_index_groups, tiled):
    count = axis_size(axis_name) if axis_index_groups is None else len(axis_index_groups[0])
    k = axis_index(axis_name) if axis_index_groups is None else place_in_group(axis_name, axis_index_groups)
    total = np.moveaxis(psum(x, axis_name, axis_index_groups=axis_index_groups), scatter_dimension, 0)
    if not tiled:
        if total.shape[0] != count:
            raise ValueError("psum_scatter needs one place for each example, or tiled=True")
        return total[k]
    if total.shape[0] % count != 0:
        raise ValueError("psum_scatter needs an axis that can be cut into one block for each example")
    parts = total.reshape((count, total.shape[0] // count) + total.shape[1:])
    return np.moveaxis(parts[k], 0, scatter_dimension)


def all_to_all(x: Any, axis_name: AxisName, split_axis: int, concat_axis: int, *, axis_index_groups: Groups = None,
               tiled: bool = False) -> Any:
    """Send a part from each example to each, and join what comes: a transpose between examples and an axis.

    Parameters
    ----------
    x : ndarray, or a tree of them
        What is sent.
    axis_name : hashable
        The name of a vmap or pmap around.
    split_axis : int
        The axis that is cut into a part for each example.
    concat_axis : int
        The axis along which the parts are joined that come from each.
    axis_index_groups : sequence of sequence of int, or None
        Lists of examples, equally long: each sends to those of its own list.
    tiled : bool
        Parts are blocks; else `split_axis` has one place for each example and goes, and `concat_axis` is new.

    Returns
    -------
    tree
        Of the structure of x.

    Raises
    ------
    ValueError
        Where there are not as many parts as examples.
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: gs.lax.all_to_all(x, "i", 0, 0), axis_name="i")(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """
    return tree_map(lambda leaf: exchanged(leaf, axis_name, split_axis, concat_axis, axis_index_groups, tiled), x)


def exchanged(x, axis_name, split_axis, concat_axis, axis_index_groups, tiled):
    count = axis_size(axis_name) if axis_index_groups is None else len(axis_index_groups[0])
    k = axis_index(axis_name) if axis_index_groups is None else place_in_group(axis_name, axis_index_groups)
    x = np.moveaxis(x, split_axis, 0)
    if x.shape[0] % count != 0 if tiled else x.shape[0] != count:
        raise ValueError("all_to_all needs a part of the axis for each example")
    parts = x.reshape((count, x.shape[0] // count) + x.shape[1:]) if tiled else x
    everyone = all_gather(parts, axis_name) if axis_index_groups is None else of_group(parts, axis_name,
                                                                                       axis_index_groups)
    mine = everyone[:, k]
    if not tiled:
        return np.moveaxis(mine, 0, concat_axis)
    return np.concatenate([np.moveaxis(mine[j], 0, split_axis) for j in range(count)], axis=concat_axis)


def pshuffle(x: Any, axis_name: AxisName, perm: Any) -> Any:
    """Send values from example to example: example k gets the x of example perm[k].

    Parameters
    ----------
    x : number, ndarray, or a tree of them
        What is sent.
    axis_name : hashable
        The name of a vmap or pmap around.
    perm : sequence of int
        Each example once.

    Returns
    -------
    tree
        Of the structure and shapes of x.

    Raises
    ------
    ValueError
        Where perm is no permutation.
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: gs.lax.pshuffle(x, "i", [1, 2, 0]), axis_name="i")(np.array([1.0, 2.0, 3.0]))
    array([2., 3., 1.])
    """
    if sorted(perm) != list(range(axis_size(axis_name))):
        raise ValueError("pshuffle needs a permutation of all examples")
    return ppermute(x, axis_name, [(perm[k], k) for k in range(len(perm))])


def permuted(x, axis_name, perm):
    """ppermute of the examples of several axes, numbered as axis_index does; zeros where nobody sends."""
    count, sources = axis_size(axis_name), [-1 for k in range(axis_size(axis_name))]
    for source, target in perm:
        if source >= count or target >= count:
            raise ValueError("ppermute names an example that there is not")
        sources[target] = source
    source = np.array(sources)[axis_index(axis_name)]
    return np.where(source >= 0, all_gather(x, axis_name)[source], np.zeros_like(x))


# within groups ----------------------------------------------------------------------------------------------
def of_group(x, axis_name, groups):
    """The values of the examples of the own group, along a new first axis."""
    if not all([isinstance(group, (list, tuple)) for group in groups]):
        raise ValueError("axis_index_groups is a list of lists of ints, each the number of an example")
    if (sorted([k for group in groups for k in group]) != list(range(axis_size(axis_name)))
            or len({len(group) for group in groups}) != 1):
        raise ValueError("axis_index_groups needs each example once, in groups of one length")
    own = [group for k in range(axis_size(axis_name)) for group in groups if k in group]
    return all_gather(x, axis_name)[np.array(own)[axis_index(axis_name)]]


def place_in_group(axis_name, groups):
    """The place of this example in its group."""
    own = [group.index(k) for k in range(axis_size(axis_name)) for group in groups if k in group]
    return np.array(own)[axis_index(axis_name)]


def summed(each):
    total = np.sum(each, axis=0)
    return total.astype(each.dtype) if each.dtype.kind in "iu" else total  # ints stay as wide as they are


def group_sum(x, axis_name, groups):
    return summed(of_group(x, axis_name, groups))


def group_mean(x, axis_name, groups):
    return np.mean(of_group(x, axis_name, groups), axis=0)


def group_max(x, axis_name, groups):
    return np.max(of_group(x, axis_name, groups), axis=0)


def group_min(x, axis_name, groups):
    return np.min(of_group(x, axis_name, groups), axis=0)


# along one axis of a mesh: `count` long, with so many devices along those before it and after it ------------------
def neighbours_along(x, mesh, before, count, after):
    """The values of the devices that differ from this one in the axis alone, along a new first axis."""
    each, number = all_gather(x, mesh), axis_index(mesh)
    return each.reshape((before, count, after) + each.shape[1:])[number // (count * after), :, number % after]


def place_along(mesh, before, count, after):
    return axis_index(mesh) // after % count


def sum_along(x, mesh, before, count, after):
    return summed(neighbours_along(x, mesh, before, count, after))


def max_along(x, mesh, before, count, after):
    return np.max(neighbours_along(x, mesh, before, count, after), axis=0)


def min_along(x, mesh, before, count, after):
    return np.min(neighbours_along(x, mesh, before, count, after), axis=0)


IN_GROUPS.update(psum=group_sum, pmean=group_mean, pmax=group_max, pmin=group_min, all_gather=of_group)
OVER_SEVERAL.update(ppermute=permuted)
ALONG_MESH.update(psum=sum_along, pmax=max_along, pmin=min_along, all_gather=neighbours_along, axis_index=place_along)
