"""`gs.pmap`: the program of one device, which as many threads run at once as there are devices."""
from __future__ import annotations

import functools
import weakref
from typing import ParamSpec, TypeVar

import numpy as np
from gradscribe.runtime import crew, jobs
from gradscribe.runtime.collectives import Stopped

from . import dispatch
from .containers import leaves, made_of, mapped, opened
from .errors import DeviceError, GradscribeError, SpecialisationError, UnsupportedError
from .specialise.entry import size_key
from .specialise.evaluator.tables import call_value
from .specialise.recording.vmapped import axis_in_sight, is_axis, vmapped
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

    def __call__(self, *args, **kwargs):
        try:
            return super().__call__(*args, **kwargs)
        except (GradscribeError, Stopped):  # of all devices; of another one
            raise
        except Exception as error:
            error.add_note(f"on device {crew.own_axis()[0, 0]}")
            raise

    @staticmethod
    def apply(s, function, args, kwargs, *, axis_name, shared, static):
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
    def make(self, key, args, kwargs, flat):
        program = super().make(key, args, kwargs, flat)
        counts = [len(dispatch.leaves_in([a])) for a in (*args, *kwargs.values())]
        of = [k for k, n in enumerate(counts) for _ in range(n)]
        for name in program.spec.fun.writes:
            k = program.spec.params[program.core.params.index(name)]
            if not isinstance(k, int) or of[k] in self.owner._options["shared"]:
                raise UnsupportedError(None, f"a store into {name}, which all devices have",
                                       instead="Map it, so that each device has its own: in_axes=0; or store into a "
                                               "copy.")
        return program


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
        static = as_tuple(static_broadcasted_argnums)
        if static:
            in_axes = tuple([None if k in static else axis for k, axis in enumerate(per_argument(in_axes, len(args)))])
        return vmapped(s, function, args, kwargs, in_axes, out_axes, axis_name)

    def __call__(self, *args, **kwargs):
        count = self.count(args, kwargs)
        found = crew.crew_of(count)
        one = self.program_of(count, len(args))
        if found.exchange is not None:
            each, named = self.parts(args, kwargs, count)[0]
            with crew.standing_for(count * jobs.count()):
                jobs.agree(self.__name__, one.core_of(each, named))
        tasks = [functools.partial(one, *each, **named) for each, named in self.parts(args, kwargs, count)]
        return self.together(found.run(tasks))

    def program_of(self, count: int, given: int) -> OneDevice:
        if count not in self.programs:
            axes = per_argument(self._options["in_axes"], given)
            self.programs[count] = OneDevice(self.__wrapped__, axis_name=self._options["axis_name"],
                                             shared=tuple([k for k, a in enumerate(axes) if a is None]),
                                             static=self._static_argnums)
        return self.programs[count]

    # what is shown is the program of the first device
    def of_first(self, args, kwargs):
        count = self.count(args, kwargs)
        each, named = self.parts(args, kwargs, count)[0]
        return count, self.program_of(count, len(args)), each, named

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
    def count(self, args, kwargs) -> int:
        """How many devices the arguments are for."""
        lengths = [n for k, (x, axis) in enumerate(zip(args, per_argument(self._options["in_axes"], len(args))))
                   if k not in self._static_argnums for n in mapped_lengths(x, axis)]
        lengths += [n for x in kwargs.values() for n in mapped_lengths(x, 0)]
        if not lengths:
            raise SpecialisationError(None, "pmap maps no argument", instead="Map at least one of them.")
        if len(set(lengths)) > 1:
            raise SpecialisationError(None, f"pmap has arguments for {lengths[0]} devices, and for "
                                      f"{next(n for n in lengths if n != lengths[0])}",
                                      instead="Give all mapped axes one length.")
        if lengths[0] == 0:
            raise SpecialisationError(None, "pmap of no devices: the mapped axes are empty",
                                      instead="Call it where there is something to do.")
        devices = self._options["devices"]
        if devices is not None and len(devices) != lengths[0]:
            raise DeviceError(None, f"pmap of {lengths[0]} devices, and a list of {len(devices)}",
                              instead="Leave out devices: they are threads of this process, and all alike.")
        there = crew.local_count()
        if lengths[0] > there:
            raise DeviceError(None, f"pmap of {lengths[0]} devices, and there are {there}",
                              instead=f"Set GRADSCRIBE_DEVICES={lengths[0]} in the environment for as many threads, or "
                                      "let each device take several examples: "
                                      "x.reshape(gs.local_device_count(), -1, ...) and a vmap inside.")
        return lengths[0]

    def parts(self, args, kwargs, count: int) -> list:
        """(args, kwargs) for each device."""
        axes = per_argument(self._options["in_axes"], len(args))
        axes = [None if k in self._static_argnums else axis for k, axis in enumerate(axes)]
        return [(tuple([part(x, axis, k) for x, axis in zip(args, axes)]),
                 {name: part(x, 0, k) for name, x in kwargs.items()}) for k in range(count)]

    def together(self, results: list):
        return joined(results, self._options["out_axes"])


def per_argument(axes, count: int) -> list:
    if axes is None or is_axis(axes):
        return [axes] * count
    if len(axes) != count:
        raise SpecialisationError(None, f"in_axes of pmap has {len(axes)} entries, and the call has {count} positional "
                                  f"argument{'s' * (count != 1)}", instead="Give one entry per argument, or one axis "
                                                                           "for all.")
    return list(axes)


def by_parts(x, axes, what: str) -> list:
    """[(item of a container, its axes)]"""
    node = opened(x)
    keys = None if node is None else node.keys
    if node is not None and keys is not None and isinstance(axes, dict) and set(axes) == set(keys):
        return [(item, axes[k]) for k, item in zip(keys, node.items)]
    if node is not None and isinstance(axes, (tuple, list)) and len(axes) == len(node.items):
        return list(zip(node.items, axes))
    raise SpecialisationError(None, f"{what} of pmap has {axes!r} for a {type(x).__name__}",
                              instead="Give it the structure of the value, or one axis for all of it.")


def mapped_lengths(x, axis) -> list[int]:
    if axis is None:
        return []
    if type(x) is np.ndarray and type(axis) is int and 0 <= axis < x.ndim:
        return [x.shape[axis]]
    if not is_axis(axis):
        return [n for item, inner in by_parts(x, axis, "in_axes") for n in mapped_lengths(item, inner)]
    found = []
    for leaf in leaves(x):
        rank = np.ndim(leaf)
        if not -rank <= axis < rank:
            raise SpecialisationError(None, f"pmap maps an argument along axis {axis}, and it has a leaf of {rank} "
                                      f"ax{'i' if rank == 1 else 'e'}s",
                                      instead="Name what is the same for all devices with None: in_axes=(0, None).")
        found.append(np.shape(leaf)[axis])
    return found


def part(x, axis, k: int):
    """The part of an argument for device k."""
    if type(x) is np.ndarray and type(axis) is int and axis == 0:
        return x[k]
    if axis is None:
        return x
    if is_axis(axis):
        return mapped(lambda leaf: leaf[(slice(None),) * (axis % leaf.ndim) + (k,)], x)
    node = opened(x)
    return made_of(type(x), node.keys, [part(item, inner, k) for item, inner in by_parts(x, axis, "in_axes")])


def joined(results: list, axes):
    """The results of all devices, stacked along axes; where that is None, the first."""
    first = results[0]
    if axes is None:
        return first
    if not is_axis(axes):
        node = opened(first)
        inner = [joined([opened(r).items[k] for r in results], axis)
                 for k, (_, axis) in enumerate(by_parts(first, axes, "out_axes"))]
        return made_of(type(first), node.keys, inner)
    if type(first) is np.ndarray:
        return stacked(results, axes)
    columns = iter(zip(*map(leaves, results)))
    return mapped(lambda leaf: stacked(next(columns), axes), first)


def stacked(parts, axis: int):
    if not isinstance(parts[0], (int, float, complex, np.generic, np.ndarray)):
        return parts[0]  # None, a text: the program's own, and so that of all devices
    rank = np.ndim(parts[0]) + 1
    if not -rank <= axis < rank:
        raise SpecialisationError(None, f"out_axes of pmap has {axis} for a result of {rank - 1} axes",
                                  instead=f"Give an axis from {-rank} to {rank - 1}.")
    return np.stack(parts, axis)

