"""What each device has of the arguments of a call, and how the results of all are joined."""
from __future__ import annotations

import numpy as np

from gradscribe.runtime.cuda import backend
from gradscribe.runtime.cuda.backend import is_device_array
from gradscribe.runtime.devices import jobs

from ..errors.messages import GradscribeError, SpecialisationError, UnsupportedError
from ..inputs.guards import is_run_time_leaf
from ..programs import cache
from ..programs.program import share_memory
from ..pytree.containers import container_leaves, container_like, map_leaves, open_container
from ..sharding.sharded import P, Sharded, coordinate_along, count_along, element_number, one_for_all
from ..specialise.staged_calls.vmapped import axes_of_parts, is_axis


def is_numbers(x) -> bool:
    """Is it a number or an array, of a GPU too?"""
    return is_run_time_leaf(x) or is_device_array(x)


def per_argument(axes, count: int) -> list:
    if axes is None or is_axis(axes):
        return [axes] * count
    if not isinstance(axes, (tuple, list)) or len(axes) != count:
        given = f"{len(axes)} entries" if isinstance(axes, (tuple, list)) else repr(axes)
        raise SpecialisationError(None, f"in_axes of pmap has {given}, and the call has {count} positional "
                                  f"argument{'s' * (count != 1)}", instead="Give one entry per argument, or one axis "
                                                                           "for all.")
    return list(axes)


# containers, and the axes of what is in them: one for all, or as many as there are items ----------------------
def is_for_all(axes) -> bool:
    """Is it for all that is in a container?"""
    return axes is None or is_axis(axes) or type(axes) is P


def below(x, node, axes, what: str) -> list:
    """The axes, or specs, of the items of a container."""
    if is_for_all(axes):
        return [axes] * len(node.items)
    found = node and axes_of_parts(axes, type(x), node.keys, len(node.items))
    if found is None:
        raise SpecialisationError(None, f"{what} has {axes!r} for a {type(x).__name__}",
                                  instead="Give it the structure of the value, or one axis for all of it.")
    return found


def by_parts(x, axes) -> list:
    """[(item of a container, its axes)] of those that are no part of its structure"""
    node = open_container(x)
    parts = below(x, node, axes, "in_axes of pmap")
    return [(item, axis) for k, item, axis in zip(keys_of(node), node.items, parts) if k not in node.fixed]


def keys_of(node):
    return range(len(node.items)) if node.keys is None else node.keys


def mapped_lengths(x, axis) -> list[int]:
    if axis is None:
        return []
    if type(x) is np.ndarray and type(axis) is int and 0 <= axis < x.ndim and not x.dtype.hasobject:
        return [x.shape[axis]]
    if not is_axis(axis):
        return [n for item, inner in by_parts(x, axis) for n in mapped_lengths(item, inner)]
    # None and texts are the same for all
    return [length_along(leaf, axis) for leaf in container_leaves(x) if type(leaf) is Sharded or is_numbers(leaf)]


def length_along(leaf, axis: int) -> int:
    is_sharded = type(leaf) is Sharded
    rank = leaf.ndim if is_sharded else np.ndim(leaf)
    if rank and leaf.dtype.hasobject:  # its elements would pass
        raise UnsupportedError(None, f"an argument of dtype {leaf.dtype}",
                               instead="Pass floats, complex numbers, integers or bools.")
    if not -rank <= axis < rank:
        raise SpecialisationError(None, f"pmap maps an argument along axis {axis}, and it has a leaf of {rank} "
                                  f"ax{'i' if rank == 1 else 'e'}s",
                                  instead="Name what is the same for all devices with None: in_axes=(0, None).")
    return count_along(leaf, axis) if is_sharded else np.shape(leaf)[axis]


def are_shared(x, axis) -> list[bool]:
    """Of each number and array of an argument: have all devices the same?"""
    if axis is None or is_axis(axis):
        return [axis is None] * len(cache.leaves_in([x]))
    return [b for item, inner in by_parts(x, axis) for b in are_shared(item, inner)]


def of_each(x, axis) -> list:
    """The arrays of an argument of which each device has a part; of one whose parts overlap, two of these."""
    if axis is None:
        return []
    if not is_axis(axis):
        return [y for item, inner in by_parts(x, axis) for y in of_each(item, inner)]
    whole = [y for y in container_leaves(x) if isinstance(y, np.ndarray)]
    firsts = [[device_part(w, axis, slice(k, k + 1)) for k in (0, 1)] for w in whole]
    return [y for w, two in zip(whole, firsts) for y in (two if share_memory(*two) else [w])]


def device_part(x, axis, k):
    """The part of an argument for device k."""
    if type(x) is np.ndarray and type(axis) is int and axis == 0:
        return x[k]
    if axis is None:
        return x
    if is_axis(axis):
        return map_leaves(lambda leaf: leaf[(slice(None),) * (axis % leaf.ndim) + (k,)] if is_numbers(leaf)
                          else coordinate_along(leaf, axis, k) if type(leaf) is Sharded else leaf, x)
    node = open_container(x)
    parts = below(x, node, axis, "in_axes of pmap")
    return container_like(x, node, [item if key in node.fixed else device_part(item, inner, k)
                                    for key, item, inner in zip(keys_of(node), node.items, parts)])


def with_one_for_all(x, axis):
    """The argument with what all devices have in the place of arrays that are sharded over them, where the axis is
    None."""
    if axis is None or is_axis(axis):
        return x if axis is not None else map_leaves(one_for_all, x)
    node = open_container(x)
    parts = below(x, node, axis, "in_axes of pmap")
    return container_like(x, node, [item if key in node.fixed else with_one_for_all(item, inner)
                                    for key, item, inner in zip(keys_of(node), node.items, parts)])


class Held:
    """Joins what devices have computed; called with the parts of a leaf and its axis or spec.  What all must have alike
    is held against each other: as numbers, and between processes by a check sum.

    check  is there something to hold?
    """

    title: str  # that of the transformation
    axes: str  # what users name for results: out_axes or out_specs

    def __init__(self, check: bool):
        self.check, self.in_job = check, check and jobs.process_count() > 1
        self.seen: list[tuple] = []  # of each leaf its axis, and {place: number of what is there in this process}

    def __call__(self, parts: list, axis):
        raise NotImplementedError

    def differing(self, axis, where: str) -> Exception:
        """What is raised where parts at one place are not alike."""
        raise NotImplementedError

    def firsts(self, parts: list, axis, where: list) -> dict:
        """{place: the part of the first device there}, of the parts of this process, which are at the places `where`.
        """
        found: dict = {}
        for k, (place, x) in enumerate(zip(where, parts)):
            first = found.setdefault(place, x)
            if self.check and first is not x and not same(first, x):
                raise self.differing(axis, f"on device {jobs.process_index() * len(parts) + k}")
        if self.in_job:
            self.seen.append((axis, {place: element_number(x) for place, x in found.items()}))
        return found

    def joined(self, results: list, axes):
        try:
            out = joined_results(results, axes, self, f"out_{self.axes} of {self.title}")
        except GradscribeError as error:
            if self.in_job:  # the others hold theirs against what this process has, and it has nothing
                jobs.tell_others(self.title, error)
            raise
        if self.in_job:
            self.refuse_differing_processes()
        return out

    def refuse_differing_processes(self) -> None:
        for (axis, _), *each in zip(self.seen, *jobs.gathered_objects(self.title, [found for _, found in self.seen])):
            known: dict = {}
            for place, number in [item for found in each for item in found.items()]:
                if known.setdefault(place, number) != number:
                    raise self.differing(axis, "in another process")


def same(x, y) -> bool:
    x, y = backend.get(x), backend.get(y)
    return np.array_equal(x, y) or np.asarray(x).dtype.kind in "fc" and np.array_equal(x, y, equal_nan=True)


def joined_results(results: list, axes, join, what: str):
    """The results of all devices, each leaf `join(those of all, its axis or spec)`.

    what  the name that users have for the axes
    """
    first = results[0]
    if type(first) is np.ndarray and is_for_all(axes):
        return of_leaf(results, axes, join)
    nodes = [open_container(r) for r in results]
    node = nodes[0]
    for k, (result, other) in enumerate(zip(results, nodes)):
        if (node is None) != (other is None) or node and (type(result) is not type(first) or other.keys != node.keys
                                                          or len(other.items) != len(node.items)):
            raise differing(described_argument_class(first, node), described_argument_class(result, other), k)
    if node is None and is_for_all(axes):
        return of_leaf(results, axes, join)
    parts = below(first, node, axes, what)
    return container_like(first, node, [items[0] if key in node.fixed else joined_results(list(items), axis, join, what)
                                        for key, axis, *items in zip(keys_of(node), parts, *[n.items for n in nodes])])


def described_argument_class(x, node) -> str:
    parts = None if node is None else len(node.items) if node.keys is None else ", ".join(map(str, node.keys))
    return f"a {type(x).__name__}" + f" of {parts}" * (parts is not None)


def are_arrays(values) -> bool:
    return all([type(x) is np.ndarray for x in values])


def of_leaf(parts, axis, join):
    if type(axis) is int and axis == 0 and are_arrays(parts):  # what follows finds nothing
        first = parts[0]
        if all([x.shape == first.shape and x.dtype is first.dtype for x in parts]):
            return join(parts, axis)
    if not is_numbers(parts[0]):
        return of_object(parts)
    shapes = [np.shape(x) for x in parts]
    for k, shape in enumerate(shapes):
        if shape != shapes[0] or not is_numbers(parts[k]):
            raise differing(f"of shape {shapes[0]}", f"of shape {shape}" if is_numbers(parts[k]) else repr(parts[k]), k)
    rank = len(shapes[0]) + 1
    if is_axis(axis) and not -rank <= axis < rank:
        raise SpecialisationError(None, f"out_axes of pmap has {axis} for a result of {rank - 1} axes",
                                  instead=f"Give an axis from {-rank} to {rank - 1}.")
    return join(of_one_dtype(parts), axis)


def of_object(parts):
    """What is no number or array, as None and a text: the program's own, and so that of all devices."""
    first = parts[0]
    for k, x in enumerate(parts):
        if type(x) is not type(first) or x is not first and x != first:
            raise differing(repr(first), repr(x), k)
    return first


def of_one_dtype(parts):
    """The parts in the dtype that an array of them all has."""
    if len({getattr(x, "dtype", type(x)) for x in parts}) == 1:
        return parts
    dtype = np.result_type(*[x if isinstance(x, np.generic) else getattr(x, "dtype", None) or np.asarray(x)
                             for x in parts])
    return [x.astype(dtype) if is_device_array(x) else np.asarray(x).astype(dtype)[()] for x in parts]


def differing(first: str, other: str, device: int) -> SpecialisationError:
    return SpecialisationError(None, f"a result is {first} on device 0, and {other} on device {device}",
                               instead="Return what has one structure and shape on all devices: fill arrays up to a "
                                       "length that all share.")
