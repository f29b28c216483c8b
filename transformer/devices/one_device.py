"""The program of one device of a pmap, and its calls."""
from __future__ import annotations

import functools
import weakref
from typing import Callable, ParamSpec, TypeVar

import numpy as np

from gradscribe.runtime.devices import crew
from gradscribe.runtime.plain.collectives import Stopped

from ..core import bound, walk
from ..errors.messages import GradscribeError, RefusedValue, UnsupportedError
from ..errors.tracebacks import shortened
from ..functions.transformed import Transformed
from ..programs import cache
from ..programs.program import Program
from ..specialise.arguments import size_key
from ..specialise.evaluator.names.tables import call_value
from ..specialise.staged_calls.vmapped import axis_in_sight
from .gpu_threads import OnGpu
from .split_join import are_shared, per_argument

P = ParamSpec("P")
R = TypeVar("R")


class Unchecked(Exception):
    """The first program that stores into an argument: the arguments have not been held against each other yet."""


class Programs(cache.Cache):
    def specialised(self, args, kwargs, static):
        spec = super().specialised(args, kwargs, static)
        self.owner.refuse_stores(spec, args, kwargs)
        return spec


class OwnAxis:
    """The way to the axis of the device whose thread asks, as a program finds it when it is called."""

    text, how, place = "the axis of devices", "devices", ("the axis of devices",)
    get = now = staticmethod(crew.own_axis)


def tell_device(error: Exception) -> None:
    """Note the number of this device at an exception of it alone."""
    refused = isinstance(error, GradscribeError) and not isinstance(error, RefusedValue)
    if not refused and not isinstance(error, Stopped):  # of all devices; of another one
        error.add_note(f"on device {crew.own_axis()[0, 0]}")


class DeviceCall:
    """A call of one device that runs later: its program, and the values of all that it reads, a closure's too."""

    def __init__(self, program: Program, flat: list):
        self.program, self.flat = program, flat

    def keep(self, copies: dict, copy: Callable) -> None:
        """Copy its arrays, each once for all devices: the caller may store into them meanwhile."""
        for k, x in enumerate(self.flat):
            if isinstance(x, np.ndarray):
                if id(x) not in copies:
                    copies[id(x)] = x, copy(x)
                self.flat[k] = copies[id(x)][1]

    def __call__(self):
        flat = [crew.own_axis() if path is OwnAxis else x for path, x in zip(self.program.spec.params, self.flat)]
        try:
            return self.program(flat)
        except Exception as error:
            shortened(error)
            tell_device(error)
            raise


class OneDevice(Transformed[P, R]):
    """The program of one device."""

    title = "pmap"
    compiled = True
    parallel = False  # the devices share the cores
    empty = staticmethod(crew.result_memory)

    def __init__(self, fun, **options):
        super().__init__(fun, **options)
        self._cache = Programs(self)
        self.texts: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self.stores = False  # into an argument

    def __call__(self, *args, **kwargs):
        try:
            return super().__call__(*args, **kwargs)
        except Exception as error:
            tell_device(error)
            raise

    def bound(self, args, kwargs) -> DeviceCall | None:
        """The call as it is now, for the thread of the device; None where it may store into what is read-only."""
        try:
            ready = self._cache.ready(args, kwargs)
        except Exception as error:
            tell_device(error)
            raise
        return ready and DeviceCall(*ready[:2])

    @staticmethod
    def apply(s, function, args, kwargs, *, axis_name, in_axes, static):
        with axis_in_sight(s, axis_name, None, devices_of(s, axis_name)):
            return call_value(s, function, args, kwargs)

    @property
    def _static_argnums(self):
        return self._options["static"]

    def core_of(self, args, kwargs) -> str:
        """The text by which processes know that they run one program."""
        program = self._cache.lookup(args, kwargs)
        if program not in self.texts:
            fun = program.optimised
            names = [*fun.params, *[name for stmt in walk(fun.body) for name in bound(stmt)]]
            self.texts[program] = "\n".join([program.text("core"), *[f"# {n}: {fun.types[n].dtype}" for n in names]])
        shapes = ", ".join(str(np.shape(x)) for x in cache.leaves_in((*args, *kwargs.values())))
        return f"{self.texts[program]}\n# for {shapes}"

    def as_written(self, args, kwargs):
        raise UnsupportedError(None, "an argument that is read-only, which the function stores into",
                               instead="Store into a copy of it: x = x.copy()")

    def refuse_stores(self, spec, args, kwargs) -> None:
        """Each device may store into what it alone has."""
        if spec.assigned:
            raise UnsupportedError(None, f"{spec.assigned[0].text} is assigned, which all devices have",
                                   instead="Return the value.")
        if spec.changed:
            raise UnsupportedError(None, "a change of a list, dict or object that is an argument",
                                   instead="Return what it is to be.")
        axes = per_argument(self._options["in_axes"], len(args))
        shared = [b for x, axis in zip(args, axes) for b in are_shared(x, axis)]
        shared += [b for x in kwargs.values() for b in are_shared(x, 0)]
        for name in spec.fun.writes:
            k = spec.params[spec.fun.params.index(name)]
            if not isinstance(k, int) or shared[k]:
                raise UnsupportedError(None, f"a store into {name}, which all devices have",
                                       instead="Let it be an argument that is mapped, so that each device has its own: "
                                               "in_axes=0; or store into a copy.")
        if spec.fun.writes and not self.stores:
            raise Unchecked


class OneGpu(OnGpu[P, R], OneDevice[P, R]):
    """The program of one device that is a GPU."""


def devices_of(s, axis_name):
    """Gives the parameter of a program that is its axis, once it is asked for."""
    @functools.cache
    def devices():
        name = f"axis_{axis_name}" if str(axis_name).isidentifier() else "axis"
        s.static_paths |= {size_key(OwnAxis, 0), size_key(OwnAxis, 1)}
        return s.atom(s.parameter(crew.own_axis(), name, OwnAxis))

    return devices
