"""`gs.shard_map`: the program of one device of a mesh, which sees its block of each array."""
from __future__ import annotations

import functools
import math
from typing import ParamSpec, TypeVar

import numpy as np

from gradscribe.runtime.devices import crew

from ..core.types import Dim
from ..errors.messages import SpecialisationError, UnsupportedError
from ..errors.tracebacks import short
from ..inputs.guards import is_run_time_leaf
from ..pytree.containers import container_leaves, map_leaves
from ..sharding.sharded import Mesh, P as Spec, Sharded, axes_of_spec, block_at, block_places, block_shape, with_specs
from ..specialise.domain import values as v
from ..specialise.evaluator.names.tables import call_value
from ..specialise.staged_calls.collectives import MeshAxis
from ..specialise.staged_calls.leaves import marked, over_leaves
from ..specialise.staged_calls.vmapped import axes_of_parts, axis_in_sight, shape_of, vmapped
from .gpu_threads import OnGpu, refuse_jitted
from .one_device import OneDevice, devices_of
from .pmap import OnDevices
from .split_join import Held

P = ParamSpec("P")
R = TypeVar("R")


GIVEN = "a block that shard_map has given"
COPY = "Store into a copy of it: x = x.copy()"


class OneBlock(OneDevice[P, R]):
    """The program of one device of a mesh."""

    title = "shard_map"

    @staticmethod
    def apply(s, function, args, kwargs, *, mesh):
        one = len(mesh.shape) == 1
        devices = devices_of(s, mesh.axis_names[0] if one else "devices")
        with axis_in_sight(s, mesh.axis_names[0] if one else mesh, None, devices):
            if not one:
                s.axes |= {axis.name: axis for axis in mesh_axes(mesh, devices)}
            return call_value(s, function, args, kwargs)

    @property
    def _static_argnums(self):
        return ()

    def refuse_stores(self, spec, args, kwargs):
        if spec.fun.writes:
            name = next(iter(spec.fun.writes))
            raise UnsupportedError(None, f"a store into {name}, {GIVEN}",
                                   instead=COPY)


class OneBlockOnGpu(OnGpu[P, R], OneBlock[P, R]):
    """The program of one device of a mesh of GPUs."""


def mesh_axes(mesh: Mesh, devices) -> list[MeshAxis]:
    lengths = [*mesh.shape.values()]
    return [MeshAxis(name, Dim.of(length), devices, mesh, math.prod(lengths[:k]), math.prod(lengths[k + 1:]))
            for k, (name, length) in enumerate(mesh.shape.items())]


class Blocks:
    """What each device of this process has of an argument."""

    def __init__(self, each: list | tuple):
        self.each = each


class ShardMap(OnDevices[P, R]):
    """The function of all devices of a mesh."""

    title = "shard_map"

    @short
    def __init__(self, fun, **options):
        super().__init__(fun, **options)
        self.mesh: Mesh = options["mesh"]
        if type(self.mesh) is not Mesh:
            raise TypeError(f"the mesh of shard_map is {self.mesh!r}: write gs.Mesh((4,), 'i')")
        refuse_jitted(fun, self.mesh.gpus, 'Give it a mesh of GPUs: gs.Mesh(gs.devices("cuda"), "i").')
        for name in ("in_specs", "out_specs"):
            other = [x for x in container_leaves(options[name]) if type(x) is not Spec]
            for spec in [] if other else container_leaves(options[name]):
                axes_of_spec(spec, self.mesh, len(spec.axes))
            if other:
                raise SpecialisationError(None, f"{name} of shard_map has {other[0]!r}",
                                          instead="Give a gs.P: gs.P('i') cuts the first axis, gs.P() none.")

    @staticmethod
    def apply(s, function, args, kwargs, *, mesh, in_specs, out_specs, check_vma=True):
        return over_examples(s, function, args, kwargs, mesh, in_specs, out_specs)

    def mesh_of(self, args, kwargs):
        return self.mesh

    def count(self, args, kwargs, mesh):
        return self.mesh.local_size

    def one_device(self, on_gpu):
        return (OneBlockOnGpu if on_gpu else OneBlock)(self.__wrapped__, mesh=self.mesh)

    def parts(self, args, kwargs, count, mesh):
        refuse_unfit(self._options["in_specs"], args, kwargs)
        cut = with_specs(lambda x, spec: blocks_of_leaf(x, mesh, spec), tuple(args), self._options["in_specs"],
                         "in_specs of shard_map")
        return [(map_leaves(lambda x: x.each[k] if type(x) is Blocks else x, cut), {}) for k in range(count)]

    def run(self, one, count, mesh, args, kwargs):
        parts = self.parts(args, kwargs, count, mesh)
        results = (self.on_gpus(one, mesh, parts) if mesh.gpus is not None
                   else crew.crew_of(count).run([functools.partial(one, *each) for each, _ in parts]))
        return JoinedLeaf(mesh, self._options["check_vma"]).joined(results, self._options["out_specs"])


def refuse_unfit(in_specs, args, kwargs) -> None:
    if kwargs:
        raise SpecialisationError(None, f"shard_map is called with {next(iter(kwargs))!r} by name",
                                  instead="Pass arguments by position: in_specs has a spec for each.")
    if isinstance(in_specs, (tuple, list)) and len(in_specs) != len(args):
        raise SpecialisationError(None, f"in_specs of shard_map has {len(in_specs)} entries, and the call has "
                                  f"{len(args)} argument{'s' * (len(args) != 1)}",
                                  instead="Give one entry per argument, or one gs.P for all.")


def blocks_of_leaf(x, mesh: Mesh, spec: Spec):
    """The blocks of a leaf, or the leaf that all devices have."""
    if type(x) is Sharded:
        if x.mesh == mesh and x.axes == axes_of_spec(spec, mesh, x.ndim):
            return Blocks(x.pieces)
        if x.pieces[0].shape != x.shape:
            raise SpecialisationError(None, f"shard_map has {spec} on {mesh} in in_specs for {x!r}",
                                      instead=f"Lay it anew, which gathers it: gs.shard(x, mesh, {spec}).")
        x = x.pieces[0]
    if not is_run_time_leaf(x):
        return x
    axes = axes_of_spec(spec, mesh, np.ndim(x))
    if not any(axes):
        return x
    lengths, where = block_shape(x.shape, mesh, axes), block_places(mesh, axes)
    return Blocks([x[block_at(where[k], lengths)] for k in mesh.local()])


class JoinedLeaf(Held):
    """Puts together what devices have computed of a leaf, and sees that it is the same where a spec says so."""

    title, axes = "shard_map", "specs"

    def __init__(self, mesh: Mesh, check: bool):
        super().__init__(check)
        self.mesh = mesh

    def __call__(self, parts: list, spec: Spec):
        axes = axes_of_spec(spec, self.mesh, np.ndim(parts[0]))
        where = block_places(self.mesh, axes)
        firsts = self.firsts(parts, spec, [where[k] for k in self.mesh.local()])
        if not any(axes):
            return parts[0]
        counts = [math.prod([self.mesh.shape[name] for name in names]) for names in axes]
        shape = tuple([n * count for n, count in zip(np.shape(parts[0]), counts)])
        if self.mesh.gpus is not None:
            return Sharded(shape, self.mesh, spec, tuple(parts))
        views = {place: x.view() for place, x in firsts.items()}
        return Sharded(shape, self.mesh, spec, tuple([views[where[k]] for k in self.mesh.local()]))

    def differing(self, spec, where):
        return UnsupportedError(None, f"out_specs of shard_map has {spec} on {self.mesh}, and what devices with one "
                                f"block have computed is different {where}",
                                instead="Join it (gs.lax.psum, gs.lax.pmean), or name the axis along which it differs; "
                                        "check_vma=False takes what the first device has.")


# within another function --------------------------------------------------------------------------------------
def over_examples(s, function, args, kwargs, mesh: Mesh, in_specs, out_specs):
    """Devices are examples of one: a vmap for each axis of the mesh, whose collectives find it by its name."""
    refuse_unfit(in_specs, args, kwargs)
    args = v.Tuple(tuple(args))
    args = with_specs_within(s, args, in_specs, lambda x, spec: cut_blocks(s, x, mesh, spec), "in_specs of shard_map")
    for k, name in reversed([*enumerate(mesh.axis_names)]):
        at = functools.partial(axis_at, name=name, before=mesh.axis_names[:k])
        function = v.Derived(functools.partial(vmapped, in_axes=map_leaves(at, in_specs),
                                               out_axes=map_leaves(at, out_specs),
                                               axis_name=name, axis_size=mesh.shape[name],
                                               no_stores=(f"a store into {GIVEN}", COPY)), function)
    out = s.call_value(function, list(args.items), {})
    return with_specs_within(s, out, out_specs, lambda x, spec: rejoined(s, x, spec), "out_specs of shard_map")


def axis_at(spec: Spec, name: str, before: tuple[str, ...]) -> int | None:
    """Where an axis of the mesh stands in an array that was parted, without those of `before`; None: nowhere."""
    order = [n for names in axis_names_of(spec) for n in (*names, None) if n not in before or n is None]
    return order.index(name) if name in order else None


def axis_names_of(spec: Spec) -> list[tuple[str, ...]]:
    return [() if x is None else x if isinstance(x, tuple) else (x,) for x in spec.axes]


def with_specs_within(s, x, specs, change, what: str):
    """The value with change(leaf, its spec) for each leaf."""
    if type(specs) is Spec:
        return over_leaves(s, x, lambda leaf: change(leaf, specs))
    parts = axes_of_parts(specs, *shape_of(s, x)) if isinstance(x, (v.Tuple, v.Boxed)) else None
    if parts is None:
        s.fail(f"{what} has {specs!r} for {s.describe(x)}", "Give it the structure of the value, or one gs.P for all "
               "of it.", error=SpecialisationError)
    items = [item if fixed else with_specs_within(s, item, part, change, what)
             for (fixed, item), part in zip(marked(s, x), parts)]
    return s.like(x, items)


def cut_blocks(s, x, mesh: Mesh, spec: Spec):
    """An array with axes for the blocks before each that is cut."""
    if not any(axis_names_of(spec)):
        return x
    axes_of_spec(spec, mesh, s.type(x).rank)
    for axis, names in reversed([*enumerate(axis_names_of(spec))]):
        if names:
            lengths = tuple([mesh.shape[name] for name in names])
            x = s.call_value(v.Static(part_axis), [x, v.Static(axis), v.Static(lengths)], {})
    return x


def rejoined(s, x, spec: Spec):
    """The array of all blocks."""
    rank = s.type(x).rank - sum(map(len, axis_names_of(spec)))
    if any(axis_names_of(spec)) and len(spec.axes) > rank:
        s.fail(f"out_specs of shard_map has {spec} for a result of {rank} ax{'i' if rank == 1 else 'e'}s",
               "Name an axis of the mesh, or None, for each axis of the result.", error=SpecialisationError)
    for axis, names in enumerate(axis_names_of(spec)):
        if names:
            x = s.call_value(v.Static(join_axes), [x, v.Static(axis), v.Static(len(names) + 1)], {})
    return x


def part_axis(x, axis, lengths):
    count = math.prod(lengths)
    if x.shape[axis] % count != 0:
        raise ValueError("shard_map cannot cut an axis into equal blocks")
    return x.reshape(x.shape[:axis] + lengths + (x.shape[axis] // count,) + x.shape[axis + 1:])


def join_axes(x, axis, count):
    return x.reshape(x.shape[:axis] + (math.prod(x.shape[axis:axis + count]),) + x.shape[axis + count:])
