"""`gs.pmap`: the program of one device, which as many threads run at once as there are devices."""
from __future__ import annotations

import contextlib
import functools
import weakref
from typing import ParamSpec, TypeVar

import numpy as np
from gradscribe.runtime import crew, jobs
from gradscribe.runtime.collectives import Stopped

from . import dispatch
from .containers import leaves, like, mapped, opened
from .errors import DeviceError, GradscribeError, RefusedValue, SpecialisationError, UnsupportedError
from .outside import is_leaf
from .program import Program, parameter_names, refuse_overlap, share_memory
from .sharded import Mesh, Sharded, count_along, mesh_of, of_places, one_for_all, place_along
from .specialise.entry import size_key
from .specialise.evaluator.tables import call_value
from .specialise.recording.vmapped import axes_of_parts, axis_in_sight, is_axis, vmapped
from .tracebacks import short
from .transformed import Transformed, as_tuple

P = ParamSpec("P")
R = TypeVar("R")


class OwnAxis:
    """The way to the axis of the device whose thread asks, as a program finds it when it is called."""

    text, how, place = "the axis of devices", "devices", ("the axis of devices",)
    get = now = staticmethod(crew.own_axis)


class OneDevice(Transformed[P, R]):
    """The program of one device."""

    title = "pmap"
    compiled = True
    parallel = False  # the devices share the cores

    def __init__(self, fun, **options):
        super().__init__(fun, **options)
        self._cache = Programs(self)
        self.texts: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self.stores = False  # into an argument

    def __call__(self, *args, **kwargs):
        try:
            return super().__call__(*args, **kwargs)
        except Exception as error:
            refused = isinstance(error, GradscribeError) and not isinstance(error, RefusedValue)
            if refused or isinstance(error, Stopped):  # of all devices; of another one
                raise
            error.add_note(f"on device {crew.own_axis()[0, 0]}")
            raise

    @staticmethod
    def apply(s, function, args, kwargs, *, axis_name, in_axes, static):
        @functools.cache
        def devices():
            name = f"axis_{axis_name}" if str(axis_name).isidentifier() else "axis"
            s.static_paths |= {size_key(OwnAxis, 0), size_key(OwnAxis, 1)}
            return s.atom(s.parameter(crew.own_axis(), name, OwnAxis))

        with axis_in_sight(s, axis_name, None, devices):
            return call_value(s, function, args, kwargs)

    @property
    def _static_argnums(self):
        return self._options["static"]

    def core_of(self, args, kwargs) -> str:
        """The text by which processes know that they run one program."""
        program = self._cache.lookup(args, kwargs)
        if program not in self.texts:
            self.texts[program] = program.text("core")
        shapes = ", ".join(str(np.shape(x)) for x in dispatch.leaves_in((*args, *kwargs.values())))
        return f"{self.texts[program]}\n# for {shapes}"

    def as_written(self, args, kwargs):
        raise UnsupportedError(None, "an argument that is read-only, which the function stores into",
                               instead="Pass a copy of it: x.copy()")


class Programs(dispatch.Cache):
    def specialised(self, args, kwargs, static):
        spec = super().specialised(args, kwargs, static)
        axes = per_argument(self.owner._options["in_axes"], len(args))
        shared = [b for x, axis in zip(args, axes) for b in are_shared(x, axis)]
        shared += [b for x in kwargs.values() for b in are_shared(x, 0)]
        for name in spec.fun.writes:
            k = spec.params[spec.fun.params.index(name)]
            if not isinstance(k, int) or shared[k]:
                raise UnsupportedError(None, f"a store into {name}, which all devices have",
                                       instead="Map it, so that each device has its own: in_axes=0; or store into a "
                                               "copy.")
        if spec.fun.writes and not self.owner.stores:
            raise Unchecked
        return spec


class Unchecked(Exception):
    """The first program that stores into an argument: the arguments have not been held against each other yet."""


class Pmap(Transformed[P, R]):
    """The function of all devices."""

    title = "pmap"
    compiled = True

    def __init__(self, fun, **options):
        super().__init__(fun, **options)
        self.programs: dict[int, OneDevice] = {}  # by how many devices there are

    @staticmethod
    def apply(s, function, args, kwargs, *, in_axes=0, out_axes=0, axis_name=None, static_broadcasted_argnums=(),
              devices=None, donate_argnums=()):
        """Within another function all devices are examples of one."""
        static = {k % len(args) for k in as_tuple(static_broadcasted_argnums) if -len(args) <= k < len(args)}
        if static:
            in_axes = tuple([None if k in static else axis for k, axis in enumerate(per_argument(in_axes, len(args)))])
        return vmapped(s, function, args, kwargs, in_axes, out_axes, axis_name)

    def __call__(self, *args, **kwargs):
        if jobs.count() > 1:
            with jobs.calls:
                return self.in_job(args, kwargs)
        count, mesh = self.count(args, kwargs), mesh_of([args, kwargs])
        return self.run(self.program_of(count), count, mesh, args, kwargs)

    def in_job(self, args, kwargs):
        """A call that all processes make: one whose arguments are refused tells the others, who would wait for it."""
        try:
            mesh = mesh_of([args, kwargs])
            count, one, each, named = self.of_first(args, kwargs)
            with crew.standing_for(count * jobs.count()):
                text = f"{self.checked(one, args, kwargs, lambda: one.core_of(each, named))}\n# mesh: {mesh}"
        except Exception as error:
            with contextlib.suppress(jobs.OutOfStep):
                jobs.agree(self.__name__, f"{type(error).__name__}: {error}")
            raise
        jobs.agree(self.__name__, text)
        return self.run(one, count, mesh, args, kwargs)

    def run(self, one: OneDevice, count: int, mesh: Mesh | None, args, kwargs):
        axes, shelf = self._options["out_axes"], crew.Shelf(count)
        tasks = [functools.partial(one, *each, **named) for each, named in self.parts(args, kwargs, count, mesh)]
        join = shelf.stacked if mesh is None else functools.partial(of_places, mesh)
        if mesh is None and type(axes) is int and axes == 0 and count > 1:
            tasks = [functools.partial(shelf.run, k, task) for k, task in enumerate(tasks)]
        return joined(self.checked(one, args, kwargs, lambda: crew.crew_of(count).run(tasks)), axes, join)

    def checked(self, one: OneDevice, args, kwargs, make):
        """What `make` gives; where programs store into arguments, no device may store into what another has as well."""
        if not one.stores:
            try:
                return make()
            except Unchecked:
                one.stores = True
        axes = self.axes(args)
        refuse_overlap([y for x, axis in (*zip(args, axes), *[(x, 0) for x in kwargs.values()])
                        for y in of_each(x, axis)])
        return make()

    def program_of(self, count: int) -> OneDevice:
        if count not in self.programs:
            self.programs[count] = OneDevice(self.__wrapped__, axis_name=self._options["axis_name"],
                                             in_axes=self._options["in_axes"], static=self._static_argnums)
        return self.programs[count]

    # what is shown is the program of the first device
    def of_first(self, args, kwargs):
        count = self.count(args, kwargs)
        each, named = self.parts(args, kwargs, count, mesh_of([args, kwargs]))[0]
        return count, self.program_of(count), each, named

    def program_of_first(self, args, kwargs) -> Program:
        count, one, each, named = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.count()):
            return self.checked(one, args, kwargs, lambda: one._cache.lookup(each, named))

    @short
    def source(self, *args, stage="readable", **kwargs) -> str:
        count, one, args, kwargs = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.count()):
            return one.source(*args, stage=stage, **kwargs)

    def tree(self, *args, **kwargs):
        count, one, args, kwargs = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.count()):
            return one.tree(*args, **kwargs)

    def explain(self, *args, **kwargs) -> str:
        count, one, args, kwargs = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.count()):
            return one.explain(*args, **kwargs)

    @property
    def _static_argnums(self):
        return as_tuple(self._options["static_broadcasted_argnums"])

    # arguments and results -----------------------------------------------------------------------
    def axes(self, args) -> list:
        """The axes of the positional arguments; None of those that are static, too."""
        axes = per_argument(self._options["in_axes"], len(args))
        for k in self._static_argnums:
            if -len(args) <= k < len(args):
                axes[k] = None
        return axes

    def axis_of(self, name: str) -> int | None:
        """The axis of an argument that is passed by its name."""
        static = self._static_argnums
        if not static:
            return 0
        names = parameter_names(self)
        return None if name in [names[k] for k in static if 0 <= k < len(names)] else 0

    def count(self, args, kwargs) -> int:
        """How many devices the arguments are for."""
        lengths = [n for x, axis in zip(args, self.axes(args)) for n in mapped_lengths(x, axis)]
        lengths += [n for name, x in kwargs.items() for n in mapped_lengths(x, self.axis_of(name))]
        if not lengths:
            raise SpecialisationError(None, "pmap maps no argument", instead="Map at least one of them.")
        if len(set(lengths)) > 1:
            raise SpecialisationError(None, f"pmap has arguments for {lengths[0]} devices, and for "
                                      f"{next(n for n in lengths if n != lengths[0])}",
                                      instead="Give all mapped axes one length.")
        if lengths[0] == 0:
            raise SpecialisationError(None, "pmap of no devices: the mapped axes are empty",
                                      instead="Call it where there is something to do.")
        if self._options["devices"] is not None:
            refuse_others(self._options["devices"], lengths[0])
        there = crew.local_count()
        if lengths[0] > there:
            raise DeviceError(None, f"pmap of {lengths[0]} devices, and there are {there}",
                              instead=f"Set GRADSCRIBE_DEVICES={lengths[0]} in the environment for as many threads, or "
                                      "let each device take several examples: "
                                      "x.reshape(gs.local_device_count(), -1, ...) and a vmap inside.")
        return lengths[0]

    def parts(self, args, kwargs, count: int, mesh: Mesh | None = None) -> list:
        """(args, kwargs) for each device.  mesh: that of arguments that are laid over devices"""
        axes = self.axes(args)
        if mesh is not None:
            args = [with_one_for_all(x, axis) for x, axis in zip(args, axes)]
        return [(tuple([part(x, axis, k) for x, axis in zip(args, axes)]),
                 {name: part(x, self.axis_of(name), k) for name, x in kwargs.items()}) for k in range(count)]


def refuse_others(devices, count: int) -> None:
    """Devices that are named must be threads."""
    if not isinstance(devices, (tuple, list)) or len(devices) != count:
        given = f"a list of {len(devices)}" if isinstance(devices, (tuple, list)) else repr(devices)
        raise DeviceError(None, f"pmap of {count} devices, and {given}",
                          instead="Leave out devices: they are threads of this process, and all alike.")
    other = [d for d in devices if getattr(d, "platform", None) != "cpu"]
    if other:
        raise DeviceError(None, f"pmap on the device {other[0]!r}",
                          instead="Leave out devices: those of pmap are threads of this process, "
                                  'gs.devices("cpu").  For a GPU: gs.jit(gs.vmap(f), target="cuda").')


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
def below(x, node, axes, what: str) -> list:
    """The axes of the items of a container."""
    if is_axis(axes) or axes is None:
        return [axes] * len(node.items)
    found = node and axes_of_parts(axes, type(x), node.keys, len(node.items))
    if found is None:
        raise SpecialisationError(None, f"{what} of pmap has {axes!r} for a {type(x).__name__}",
                                  instead="Give it the structure of the value, or one axis for all of it.")
    return found


def by_parts(x, axes) -> list:
    """[(item of a container, its axes)] of those that are no part of its structure"""
    node = opened(x)
    parts = below(x, node, axes, "in_axes")
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
    found = []
    for leaf in leaves(x):
        is_laid = type(leaf) is Sharded
        if not (is_laid or is_leaf(leaf)):
            continue  # None and texts are the same for all
        rank = leaf.ndim if is_laid else np.ndim(leaf)
        if rank and leaf.dtype.hasobject:  # its elements would pass
            raise UnsupportedError(None, f"an argument of dtype {leaf.dtype}",
                                   instead="Pass floats, complex numbers, integers or bools.")
        if not -rank <= axis < rank:
            raise SpecialisationError(None, f"pmap maps an argument along axis {axis}, and it has a leaf of {rank} "
                                      f"ax{'i' if rank == 1 else 'e'}s",
                                      instead="Name what is the same for all devices with None: in_axes=(0, None).")
        found.append(count_along(leaf, axis) if is_laid else np.shape(leaf)[axis])
    return found


def are_shared(x, axis) -> list[bool]:
    """Of each number and array of an argument: have all devices the same?"""
    if axis is None or is_axis(axis):
        return [axis is None] * len(dispatch.leaves_in([x]))
    return [b for item, inner in by_parts(x, axis) for b in are_shared(item, inner)]


def of_each(x, axis) -> list:
    """The arrays of an argument of which each device has a part; of one whose parts overlap, two of these."""
    if axis is None:
        return []
    if not is_axis(axis):
        return [y for item, inner in by_parts(x, axis) for y in of_each(item, inner)]
    whole = [y for y in leaves(x) if isinstance(y, np.ndarray)]
    firsts = [[part(w, axis, slice(k, k + 1)) for k in (0, 1)] for w in whole]
    return [y for w, two in zip(whole, firsts) for y in (two if share_memory(*two) else [w])]


def part(x, axis, k):
    """The part of an argument for device k."""
    if type(x) is np.ndarray and type(axis) is int and axis == 0:
        return x[k]
    if axis is None:
        return x
    if is_axis(axis):
        return mapped(lambda leaf: leaf[(slice(None),) * (axis % leaf.ndim) + (k,)] if is_leaf(leaf)
                      else place_along(leaf, axis, k) if type(leaf) is Sharded else leaf, x)
    node = opened(x)
    parts = below(x, node, axis, "in_axes")
    return like(x, node, [item if key in node.fixed else part(item, inner, k)
                          for key, item, inner in zip(keys_of(node), node.items, parts)])


def with_one_for_all(x, axis):
    """The argument with what all devices have in the place of arrays that are laid over them, where the axis is None.
    """
    if axis is None or is_axis(axis):
        return x if axis is not None else mapped(one_for_all, x)
    node = opened(x)
    parts = below(x, node, axis, "in_axes")
    return like(x, node, [item if key in node.fixed else with_one_for_all(item, inner)
                          for key, item, inner in zip(keys_of(node), node.items, parts)])


def joined(results: list, axes, join):
    """The results of all devices, joined along axes; where that is None, the first."""
    first = results[0]
    if axes is None:
        return first
    if type(first) is np.ndarray and is_axis(axes):
        return stacked(results, axes, join)
    nodes = [opened(r) for r in results]
    node = nodes[0]
    for k, (result, other) in enumerate(zip(results, nodes)):
        if (node is None) != (other is None) or node and (type(result) is not type(first) or other.keys != node.keys
                                                          or len(other.items) != len(node.items)):
            raise differing(described(first, node), described(result, other), k)
    if node is None and is_axis(axes):
        return stacked(results, axes, join)
    parts = below(first, node, axes, "out_axes")
    return like(first, node, [items[0] if key in node.fixed else joined(list(items), axis, join) for key, axis, *items
                              in zip(keys_of(node), parts, *[n.items for n in nodes])])


def described(x, node) -> str:
    parts = None if node is None else len(node.items) if node.keys is None else ", ".join(map(str, node.keys))
    return f"a {type(x).__name__}" + f" of {parts}" * (parts is not None)


def stacked(parts, axis: int, join):
    if not is_leaf(parts[0]):
        for k, x in enumerate(parts):
            if type(x) is not type(parts[0]) or x is not parts[0] and x != parts[0]:
                raise differing(repr(parts[0]), repr(x), k)
        return parts[0]  # None, a text: the program's own, and so that of all devices
    shapes = [np.shape(x) for x in parts]
    for k, shape in enumerate(shapes):
        if shape != shapes[0] or not is_leaf(parts[k]):
            raise differing(f"of shape {shapes[0]}", f"of shape {shape}" if is_leaf(parts[k]) else repr(parts[k]), k)
    rank = len(shapes[0]) + 1
    if not -rank <= axis < rank:
        raise SpecialisationError(None, f"out_axes of pmap has {axis} for a result of {rank - 1} axes",
                                  instead=f"Give an axis from {-rank} to {rank - 1}.")
    return join(parts, axis)


def differing(first: str, other: str, device: int) -> SpecialisationError:
    return SpecialisationError(None, f"a result is {first} on device 0, and {other} on device {device}",
                               instead="Return what has one structure and shape on all devices: fill arrays up to a "
                                       "length that all share.")
