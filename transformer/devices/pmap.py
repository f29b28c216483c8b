"""`gs.pmap`: the program of one device, which as many threads run at once as there are devices."""
from __future__ import annotations

import functools
import weakref
from typing import Callable, ParamSpec, TypeVar

import numpy as np

from gradscribe.runtime.cuda import backend
from gradscribe.runtime.devices import crew, jobs
from gradscribe.runtime.plain.collectives import Stopped

from ..core import bound, walk
from ..errors.messages import DeviceError, GradscribeError, RefusedValue, SpecialisationError, UnsupportedError
from ..errors.tracebacks import short, shortened
from ..functions.transformed import Transformed, as_tuple
from ..inputs.future_array import computed
from ..programs import cache
from ..programs.program import Program, parameter_names, refuse_overlap
from ..pytree.containers import leaves
from ..sharding.sharded import NO_GPUS, Mesh, mesh_of, of_places
from ..specialise.domain import values as v
from ..specialise.entry import size_key
from ..specialise.evaluator.names.places import place
from ..specialise.evaluator.names.tables import call_value
from ..specialise.staged_calls.vmapped import axis_in_sight, vmapped
from .gpu_threads import OnGpu, each_on_gpu, refuse_jitted
from .split_join import Held, are_arrays, are_shared, mapped_lengths, of_each, part, per_argument, with_one_for_all

P = ParamSpec("P")
R = TypeVar("R")


STORES = ("gs.pmap within another function, of a function that stores into its argument: it would be a vmap, which has "
          "copies", "Store into a copy, x = x.copy(), and return it; or call gs.pmap by itself: it is compiled.")


class OwnAxis:
    """The way to the axis of the device whose thread asks, as a program finds it when it is called."""

    text, how, place = "the axis of devices", "devices", ("the axis of devices",)
    get = now = staticmethod(crew.own_axis)


def tell_device(error: Exception) -> None:
    """Note the number of this device at an exception of it alone."""
    refused = isinstance(error, GradscribeError) and not isinstance(error, RefusedValue)
    if not refused and not isinstance(error, Stopped):  # of all devices; of another one
        error.add_note(f"on device {crew.own_axis()[0, 0]}")


class Bound:
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
    empty = staticmethod(crew.room)

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

    def bound(self, args, kwargs) -> Bound | None:
        """The call as it is now, for the thread of the device; None where it may store into what is read-only."""
        try:
            ready = self._cache.ready(args, kwargs)
        except Exception as error:
            tell_device(error)
            raise
        return ready and Bound(*ready[:2])

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


class Programs(cache.Cache):
    def specialised(self, args, kwargs, static):
        spec = super().specialised(args, kwargs, static)
        self.owner.refuse_stores(spec, args, kwargs)
        return spec


class Unchecked(Exception):
    """The first program that stores into an argument: the arguments have not been held against each other yet."""


class OnDevices(Transformed[P, R]):
    """A function that is the programs of all devices."""

    compiled = True

    def __init__(self, fun, **options):
        super().__init__(fun, **options)
        self.programs: dict[tuple, OneDevice] = {}  # by how many devices of this process there are, and are they GPUs?

    # what a subclass is ------------------------------------------------------------------------
    def mesh_of(self, args, kwargs) -> Mesh | None:
        """The mesh over which results are sharded; None where they are stacked."""
        raise NotImplementedError

    def count(self, args, kwargs, mesh: Mesh | None) -> int:
        """How many devices of this process the arguments are for."""
        raise NotImplementedError

    def parts(self, args, kwargs, count: int, mesh: Mesh | None) -> list:
        """(args, kwargs) for each of them."""
        raise NotImplementedError

    def one_device(self, on_gpu: bool) -> OneDevice:
        raise NotImplementedError

    def run(self, one: OneDevice, count: int, mesh: Mesh | None, args, kwargs):
        """The result of all."""
        raise NotImplementedError

    def checked(self, one: OneDevice, args, kwargs, make):
        """What `make` gives."""
        return make()

    # what users see ----------------------------------------------------------------------------
    @short
    def __call__(self, *args, **kwargs):
        if kwargs or not are_arrays(args):  # else there is nothing to wait for
            args, kwargs = computed((args, kwargs))
        if jobs.count() > 1:
            with jobs.calls:
                return self.in_job(args, kwargs)
        mesh = self.mesh_of(args, kwargs)
        count = self.count(args, kwargs, mesh)
        return self.run(self.program_of(count, mesh), count, mesh, args, kwargs)

    def in_job(self, args, kwargs):
        """A call that all processes make: one whose arguments are refused tells the others, who would wait for it."""
        try:
            mesh = self.mesh_of(args, kwargs)
            count, one, each, named = self.of_first(args, kwargs)
            with crew.standing_for(count * jobs.count()):
                text = self.checked(one, args, kwargs, lambda: one.core_of(each, named))
            text += f"\n# on {count} device{'s' * (count > 1)} of each process\n# mesh: {mesh}"
        except Exception as error:
            jobs.tell_others(self.__name__, error)
            raise
        jobs.agree(self.__name__, text)
        return self.run(one, count, mesh, args, kwargs)

    def program_of(self, count: int, mesh: Mesh | None) -> OneDevice:
        key = count, mesh is not None and mesh.gpus is not None
        if key not in self.programs:
            self.programs[key] = self.one_device(key[1])
        return self.programs[key]

    def on_gpus(self, one: OnGpu, mesh: Mesh, parts: list) -> list:
        return each_on_gpu(one, functools.partial(self.program_of, len(parts), None), mesh, parts)

    # what is shown is the program of the first device
    def of_first(self, args, kwargs):
        args, kwargs = computed((args, kwargs))
        mesh = self.mesh_of(args, kwargs)
        count = self.count(args, kwargs, mesh)
        each, named = self.parts(args, kwargs, count, mesh)[0]
        return count, self.program_of(count, mesh), each, named

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


class OfAll(Held):
    """Puts together what devices have computed of a leaf; None for an axis: what all have alike."""

    title, axes = "pmap", "axes"

    def __init__(self, join, axes, fun):
        super().__init__(None in leaves(axes))
        self.join, self.fun = join, fun

    def __call__(self, parts, axis):
        return self.join(parts, axis) if axis is not None else self.firsts(parts, axis, [()] * len(parts))[()]

    def differing(self, axis, where):
        return UnsupportedError(place(v.Static(self.fun)), "out_axes of pmap has None for a result that is different "
                                f"{where}",
                                instead="Join it (gs.lax.psum, gs.lax.pmean), or give it an axis.")


class Pmap(OnDevices[P, R]):
    """The function of as many devices as the mapped axes are long."""

    title = "pmap"

    def __init__(self, fun, **options):
        super().__init__(fun, **options)
        refuse_jitted(fun, self.gpus, 'Name the GPUs: gs.pmap(f, devices=gs.devices("cuda")).')

    @staticmethod
    def apply(s, function, args, kwargs, *, in_axes=0, out_axes=0, axis_name=None, static_broadcasted_argnums=(),
              devices=None, donate_argnums=(), wait=True):
        """Within another function all devices are examples of one."""
        if jobs.count() > 1 and crew.own_axis() is None:
            s.fail(f"gs.pmap within another function, in a job of {jobs.count()} processes: it would be a vmap over "
                   "the devices of this process alone",
                   "Let it be outermost, gs.pmap(gs.grad(f)) for gs.grad(gs.pmap(f)), without gs.jit, because it is "
                   "compiled; or write gs.shard_map, whose arguments are those of all processes.")
        static = {k % len(args) for k in as_tuple(static_broadcasted_argnums) if -len(args) <= k < len(args)}
        if static:
            in_axes = tuple([None if k in static else axis for k, axis in enumerate(per_argument(in_axes, len(args)))])
        return vmapped(s, function, args, kwargs, in_axes, out_axes, axis_name, no_stores=STORES)

    def mesh_of(self, args, kwargs):
        """That of the arguments, where some are sharded over devices; else that of the GPUs that were named."""
        mesh_found = None if not kwargs and are_arrays(args) else mesh_of((*args, *kwargs.values()))
        if self.gpus is None:
            return mesh_found
        if mesh_found is not None and mesh_found.gpus != self.gpus.gpus:
            raise SpecialisationError(None, f"pmap on {self._options['devices']}, and an argument that is sharded over "
                                      f"{mesh_found}", instead="Leave out devices.")
        return mesh_found or self.gpus

    @functools.cached_property
    def gpus(self) -> Mesh | None:
        """A mesh of the devices that were named, where these are GPUs."""
        devices = self._options["devices"]
        named = isinstance(devices, (tuple, list)) and {getattr(d, "platform", None) for d in devices} == {"cuda"}
        return Mesh(list(devices), "devices") if named else None

    def one_device(self, on_gpu):
        return (OneGpu if on_gpu else OneDevice)(self.__wrapped__, axis_name=self._options["axis_name"],
                                                 in_axes=self._options["in_axes"], static=self._static_argnums)

    def run(self, one, count, mesh, args, kwargs):
        parts = self.parts(args, kwargs, count, mesh)
        if mesh is not None and mesh.gpus is not None:
            return self.joined(self.on_gpus(one, mesh, parts), functools.partial(of_places, mesh))
        tasks = [functools.partial(one, *each, **named) for each, named in parts]
        return self.checked(one, args, kwargs, lambda: self.together(tasks, mesh))

    def joined(self, results: list, join):
        axes = self._options["out_axes"]
        return OfAll(join, axes, self.__wrapped__).joined(results, axes)

    def together(self, tasks: list, mesh: Mesh | None):
        """The result of all devices, of a task for each."""
        axes, shelf = self._options["out_axes"], crew.Shelf(len(tasks))
        join = shelf.stacked if mesh is None else functools.partial(of_places, mesh)
        if mesh is None and type(axes) is int and axes == 0 and len(tasks) > 1:
            tasks = [functools.partial(shelf.run, k, task) for k, task in enumerate(tasks)]
        return self.joined(crew.crew_of(len(tasks)).run(tasks), join)

    def bound(self, one, count, mesh, args, kwargs) -> list[Bound | None]:
        """The calls of all devices, which run later."""
        calls = []
        for k, (each, named) in enumerate(self.parts(args, kwargs, count, mesh)):
            with crew.standing_for(count, k):
                calls.append(one.bound(each, named))
        return calls

    def checked(self, one, args, kwargs, make):
        """What `make` gives; where programs store into arguments, no device may store into what another has as well."""
        if not one.stores:
            try:
                return make()
            except Unchecked:
                one.stores = True
        each = [of_each(x, axis) for x, axis in (*zip(args, self.axes(args)), *[(x, 0) for x in kwargs.values()])]
        for arrays in each:
            refuse_overlap(arrays, "devices have parts of an argument that share memory")
        refuse_overlap([x for arrays in each for x in arrays])
        return make()

    @property
    def _static_argnums(self):
        return as_tuple(self._options["static_broadcasted_argnums"])

    # arguments ---------------------------------------------------------------------------------
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

    def count(self, args, kwargs, mesh):
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
        if mesh is not None and mesh.gpus is not None:
            return lengths[0]
        if (lengths[0], False) not in self.programs and lengths[0] > (there := crew.local_count()):
            raise DeviceError(None, f"pmap of {lengths[0]} devices, and there are {there}",
                              instead=f"Set GRADSCRIBE_DEVICES={lengths[0]} in the environment for as many threads, or "
                                      "let each device take several examples: "
                                      "x.reshape(gs.local_device_count(), -1, ...) and a vmap inside.")
        return lengths[0]

    def parts(self, args, kwargs, count, mesh=None):
        axes = self.axes(args)
        if mesh is not None:
            if mesh.local_size != count:
                raise SpecialisationError(None, f"pmap of {count * jobs.count()} devices, and an argument that is "
                                          f"sharded over {mesh}",
                                          instead="Lay it over as many: gs.shard(x, mesh, spec).")
            args = [with_one_for_all(x, axis) for x, axis in zip(args, axes)]
        return [(tuple([part(x, axis, k) for x, axis in zip(args, axes)]),
                 {name: part(x, self.axis_of(name), k) for name, x in kwargs.items()}) for k in range(count)]


def refuse_others(devices, count: int) -> None:
    """Devices that are named must be as many as are needed."""
    if isinstance(devices, (tuple, list)) and not devices:
        raise DeviceError(None, "pmap on an empty list of devices",
                          instead=NO_GPUS.format(backend.missing() or "there is none")
                          + " Leave out devices for threads of this process.")
    if not isinstance(devices, (tuple, list)) or len(devices) != count or len(set(devices)) != count:
        given = (f"devices={devices!r}" if not isinstance(devices, (tuple, list)) else f"a list of {len(devices)}"
                 if len(devices) != count else "a list that has one twice")
        raise DeviceError(None, f"pmap of {count} devices, and {given}",
                          instead="Leave out devices for threads of this process, which are all alike, or name as many "
                                  f'GPUs: devices=gs.devices("cuda")[:{count}].')
    other = [d for d in devices if getattr(d, "platform", None) not in ("cpu", "cuda")]
    if other or len({d.platform for d in devices}) > 1:
        raise DeviceError(None, f"pmap on the devices {devices}",
                          instead='Leave them out for threads of this process, or name GPUs: '
                                  'devices=gs.devices("cuda").')
