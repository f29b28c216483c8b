"""Arrays that are sharded over the devices of a `pmap`, and stay there between calls.

A mesh numbers its devices row by row, and so device k of the mesh is device k of a pmap.  Along each axis of an array
a spec names the axes of the mesh over which it is sharded; devices that differ in other axes alone have one block.
"""
from __future__ import annotations

import functools
import math
import zlib
from typing import Any, Iterator

import numpy as np

from gradscribe.runtime.cuda import backend
from gradscribe.runtime.devices import jobs

from ..errors.messages import SpecialisationError, UnsupportedError
from ..errors.tracebacks import short
from ..inputs.future_array import value
from ..inputs.guards import is_run_time_leaf
from ..inputs.proxy_array import Proxy
from ..pytree.containers import container_leaves, container_like, map_leaves, open_container
from ..specialise.staged_calls.vmapped import axes_of_parts
from .mesh import Mesh, P, axes_of_spec, block_at, block_places, block_shape


class Sharded(Proxy):
    """An array that is sharded over the devices of a mesh; `gs.shard`, `gs.pmap` and `gs.shard_map` make them.

    What is done with it, unless `gs.pmap` and `gs.shard_map` do it, is done with the whole array, which is gathered for
    it; it cannot be stored into.

    Parameters
    ----------
    shape : tuple of int
        Of the whole array.
    mesh : Mesh
        The devices.
    spec : P
        How the array is cut.
    pieces : tuple of ndarray
        What the devices of this process have, in order: arrays that are read-only, one object where two have the same;
        on GPUs arrays that lie there, one for each.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> x = gs.shard(np.ones((2, 3)), gs.Mesh((1,), "data"), gs.P("data"))
    >>> x.shape, x.pieces[0].shape, float(np.sum(x))
    ((2, 3), (2, 3), 6.0)
    """

    def __init__(self, shape: tuple[int, ...], mesh: Mesh, spec: P, pieces: tuple[np.ndarray, ...]):
        self.shape, self.mesh, self.spec, self.pieces = shape, mesh, spec, pieces
        for piece in pieces:
            if mesh.gpus is None:
                piece.flags.writeable = False

    dtype = property(lambda self: self.pieces[0].dtype)
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.itemsize)

    @property
    def axes(self) -> tuple[tuple[str, ...], ...]:
        """The names of the axes of the mesh over which each axis is sharded."""
        return axes_of_spec(self.spec, self.mesh, self.ndim)

    def __repr__(self):
        return (f"Sharded(shape={self.shape}, dtype={self.dtype}, {self.spec} on {self.mesh}, pieces of "
                f"{self.pieces[0].shape})")

    __str__ = __repr__

    def __format__(self, spec):
        return format(self._value(), spec) if spec else repr(self)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __getattr__(self, name):
        if name.startswith("__"):  # it is not asked for the numbers where somebody looks what it can do
            raise AttributeError(name)
        return super().__getattr__(name)

    def __reduce__(self):
        return Sharded, (self.shape, self.mesh, self.spec, self.pieces)

    def _value(self):
        return gathered(self)


def put_together(x: Sharded, pieces: Iterator[tuple[int, np.ndarray]]) -> np.ndarray:
    """The whole array, which is read-only, from (number of the device, its piece)."""
    whole, where = np.empty(x.shape, x.dtype), block_places(x.mesh, x.axes)
    for k, piece in pieces:
        whole[block_at(where[k], piece.shape)] = backend.get(piece)
    return read_only(whole)


def read_only(x: np.ndarray) -> np.ndarray:
    x.flags.writeable = False
    return x


def gathered(x: Sharded) -> np.ndarray:
    if x.pieces[0].shape == x.shape:
        return read_only(backend.get(x.pieces[0]))
    where, here = block_places(x.mesh, x.axes), x.mesh.local()
    if len({where[k] for k in here}) < len(set(where)):
        raise UnsupportedError(None, f"the numbers of {x!r}, parts of which lie in other processes of the job",
                               instead="gs.device_get(x), which all processes call, gathers them.")
    return put_together(x, zip(here, x.pieces))


def from_all(x):
    """An array that is sharded over devices, gathered from all processes, which all call this; else what it is."""
    if type(x) is not Sharded or jobs.process_count() == 1:
        return np.array(x) if type(x) is Sharded else x
    sent = np.ascontiguousarray(np.stack([*map(backend.get, x.pieces)]))
    found = np.empty((jobs.process_count(), *sent.shape), x.dtype)
    with jobs.calls:
        jobs.agree("device_get", repr(x))
        jobs.world().Allgather(sent.view(np.uint8).reshape(-1), found.view(np.uint8).reshape(-1))
    return np.array(put_together(x, enumerate(found.reshape(x.mesh.size, *x.pieces[0].shape))))


# what is sharded over devices ----------------------------------------------------------------------------------
@short
def shard(x: Any, mesh: Mesh, spec: Any) -> Any:
    """Return the tree with its arrays sharded over the devices of a mesh, where they stay.

    `gs.pmap` and `gs.shard_map` give each device its piece, and what they return is sharded over the devices as well.

    Parameters
    ----------
    x : tree
        Arrays in containers as they come; numbers, texts and None stay what they are.  In a job of several processes
        all call this with whole arrays, and each keeps what its own devices have.
    mesh : Mesh
        The devices.
    spec : P, or a tree of P
        For all arrays, or a tree with the structure of x.

    Returns
    -------
    tree
        The same containers of `Sharded` arrays: copies, in which a later store into x does not show.  They have shape,
        dtype, ndim, size, nbytes, mesh, spec, and `pieces`, those of the devices of this process.  `np.asarray(y)`, and
        NumPy's functions and operators, gather the whole; y cannot be stored into.

    Raises
    ------
    SpecialisationError
        Where a length is no multiple of the number of devices along it.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> mesh = gs.Mesh((1,), "data")
    >>> y = gs.shard(np.arange(6.0).reshape(2, 3), mesh, gs.P("data"))
    >>> y
    Sharded(shape=(2, 3), dtype=float64, P('data') on Mesh(data=1), pieces of (2, 3))
    >>> gs.pmap(np.sum)(gs.shard(np.ones((1, 3)), mesh, gs.P("data")))
    Sharded(shape=(1,), dtype=float64, P('data') on Mesh(data=1), pieces of (1,))
    """
    try:
        made = with_specs(lambda leaf, spec: placed_on(leaf, mesh, spec), x, spec, "the spec of shard")
    except Exception as error:
        if jobs.process_count() > 1:
            jobs.tell_others("shard", error)
        raise
    if jobs.process_count() > 1:
        refuse_differing(made)
    return made


def refuse_differing(tree) -> None:
    """What devices of several processes have is the same in each."""
    held = [held_by_others(x) for x in container_leaves(tree) if type(x) is Sharded]
    with jobs.calls:
        found = jobs.gathered_objects("shard", held)
    for each in zip(*found):
        known: dict = {}
        for process, of_one in enumerate(each):
            for place, number in of_one.items():
                if known.setdefault(place, (number, process))[0] != number:
                    raise UnsupportedError(None, f"gs.shard of an array that has other elements in process {process} "
                                           f"than in process {known[place][1]}, and lies in both",
                                           instead="Give all processes the same array, or name the axis of the mesh "
                                                   "along which it is cut.")


def held_by_others(x: Sharded) -> dict[tuple, int]:
    """The blocks that other processes have as well, each with a number for its elements."""
    where, here = block_places(x.mesh, x.axes), x.mesh.local()
    others = {place for k, place in enumerate(where) if k not in here}
    return {where[k]: element_number(piece) for k, piece in zip(here, x.pieces) if where[k] in others}


def element_number(x) -> int:
    """A number for the elements of an array."""
    return zlib.crc32(np.ascontiguousarray(backend.get(x)).reshape(-1).view(np.uint8))


def with_specs(change, x, specs, what: str):
    """The tree with change(leaf, its spec) for each leaf."""
    if type(specs) is P:
        return map_leaves(lambda leaf: change(leaf, specs), x)
    node = open_container(x)
    parts = node and axes_of_parts(specs, type(x), node.keys, len(node.items))
    if parts is None:
        raise SpecialisationError(None, f"{what} has {specs!r} for a {type(x).__name__}",
                                  instead="Give it a gs.P for all arrays in it, such as gs.P('data', None), or the "
                                          "structure of the value with one for each.")
    keys = range(len(node.items)) if node.keys is None else node.keys
    return container_like(x, node, [item if key in node.fixed else with_specs(change, item, inner, what)
                                    for key, item, inner in zip(keys, node.items, parts)])


def placed_on(x, mesh: Mesh, spec: P):
    x = value(x)
    if type(x) is Sharded:
        if x.mesh == mesh and x.axes == axes_of_spec(spec, mesh, x.ndim):
            return x
        x = gathered(x)
    if backend.is_device_array(x):
        if mesh.gpus is None:
            raise UnsupportedError(None, "an array on a GPU sharded over threads of the CPU",
                                   instead="Pass gs.device_get(x).")
        x = backend.get(x)
    if not is_run_time_leaf(x):
        return x
    if not isinstance(x, np.ndarray):
        return x
    axes = axes_of_spec(spec, mesh, x.ndim)
    if type(x) not in (np.ndarray, np.memmap) or x.dtype.hasobject:
        raise UnsupportedError(None, f"a {type(x).__name__} of dtype {x.dtype} sharded over devices",
                               instead="Pass a plain array of numbers.")
    lengths, where = block_shape(x.shape, mesh, axes), block_places(mesh, axes)
    made = {place: np.array(x[block_at(place, lengths)], order="C")
            for place in {where[k]: None for k in mesh.local()}}
    pieces = [made[where[k]] for k in mesh.local()]
    return Sharded(x.shape, mesh, spec, tuple([mesh.placed(k, piece) for k, piece in enumerate(pieces)]))


def mesh_of(args) -> Mesh | None:
    """The mesh of the arguments that are sharded over devices; None where none is."""
    meshes = {leaf.mesh for x in args for leaf in container_leaves(x) if type(leaf) is Sharded}
    if len(meshes) > 1:
        raise SpecialisationError(None, f"arguments that are sharded over different meshes: {meshes}",
                                  instead="Lay them over one: gs.shard(x, mesh, spec).")
    return next(iter(meshes), None)


# for pmap, of which each device has one place along an axis --------------------------------------------------
def count_along(x: Sharded, axis: int) -> int:
    """How many places along an axis the devices of this process have, one each."""
    axis %= x.ndim
    if x.shape[axis] != x.mesh.size or not is_in_order(x.mesh, x.axes, axis):
        raise SpecialisationError(None, f"pmap maps axis {axis} of {x!r}, which is sharded otherwise",
                                  instead=f"Let the axis be {x.mesh.size} long, one place for each device, and lay it "
                                          f"so: gs.shard(x, mesh, {spec_along(x.mesh, axis)}).")
    return len(x.pieces)


@functools.lru_cache(512)
def is_in_order(mesh: Mesh, axes: tuple, axis: int) -> bool:
    """Has device k the block k along an axis, which alone is cut?"""
    return block_places(mesh, axes) == [tuple([k if n == axis else 0 for n in range(len(axes))])
                                        for k in range(mesh.size)]


@functools.lru_cache(512)
def spec_along(mesh: Mesh, axis: int) -> P:
    names = mesh.axis_names
    return P(*[None] * axis, names if len(names) > 1 else names[0])


def coordinate_along(x: Sharded, axis: int, k: int) -> np.ndarray:
    return x.pieces[k][(slice(None),) * (axis % x.ndim) + (0,)]


def of_places(mesh: Mesh, parts: list, axis: int) -> Sharded:
    """What devices have computed, each its place along a new axis."""
    parts = [mesh.placed(k, x) for k, x in enumerate(parts)]
    axis %= parts[0].ndim + 1
    shape = (*parts[0].shape[:axis], mesh.size, *parts[0].shape[axis:])
    new = (slice(None),) * axis + (None,)
    return Sharded(shape, mesh, spec_along(mesh, axis), tuple([x[new] for x in parts]))


def one_for_all(x):
    """What all devices have, of an array that is sharded over them; anything else as it is."""
    if type(x) is not Sharded:
        return x
    if x.pieces[0].shape != x.shape:
        raise SpecialisationError(None, f"in_axes of pmap has None for {x!r}, of which each device has a part",
                                  instead="Map it, or pass np.asarray(x), which gathers it.")
    return x.pieces[0]
