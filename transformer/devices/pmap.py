"""`gs.pmap`: the program of one device, which as many threads run at once as there are devices."""
from __future__ import annotations

import functools

from gradscribe.runtime.cuda import backend
from gradscribe.runtime.devices import crew, jobs

from ..errors.messages import DeviceError, SpecialisationError, UnsupportedError
from ..errors.tracebacks import short
from ..functions.transformed import Transformed, argnums_tuple
from ..inputs.future_array import awaited_values
from ..programs.program import Program, parameter_names, refuse_overlap
from ..pytree.containers import container_leaves
from ..sharding.mesh import NO_GPUS, Mesh
from ..sharding.sharded import mesh_of, of_places
from ..specialise.domain import values as v
from ..specialise.evaluator.names.places import place
from ..specialise.staged_calls.vmapped import vmapped
from .gpu_threads import OnGpu, each_on_gpu, refuse_jitted
from .one_device import DeviceCall, OneDevice, OneGpu, P, R, Unchecked
from .split_join import Held, are_arrays, device_part, mapped_lengths, of_each, per_argument, with_one_for_all

STORES = ("gs.pmap within another function, of a function that stores into its argument: it would be a vmap, which has "
          "copies", "Store into a copy, x = x.copy(), and return it; or call gs.pmap by itself: it is compiled.")


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
            args, kwargs = awaited_values((args, kwargs))
        if jobs.process_count() > 1:
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
            with crew.standing_for(count * jobs.process_count()):
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
        args, kwargs = awaited_values((args, kwargs))
        mesh = self.mesh_of(args, kwargs)
        count = self.count(args, kwargs, mesh)
        each, named = self.parts(args, kwargs, count, mesh)[0]
        return count, self.program_of(count, mesh), each, named

    def program_of_first(self, args, kwargs) -> Program:
        count, one, each, named = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.process_count()):
            return self.checked(one, args, kwargs, lambda: one._cache.lookup(each, named))

    @short
    def source(self, *args, stage="readable", **kwargs) -> str:
        count, one, args, kwargs = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.process_count()):
            return one.source(*args, stage=stage, **kwargs)

    def tree(self, *args, **kwargs):
        count, one, args, kwargs = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.process_count()):
            return one.tree(*args, **kwargs)

    def explain(self, *args, **kwargs) -> str:
        count, one, args, kwargs = self.of_first(args, kwargs)
        with crew.standing_for(count * jobs.process_count()):
            return one.explain(*args, **kwargs)


class OfAll(Held):
    """Puts together what devices have computed of a leaf; None for an axis: what all have alike."""

    title, axes = "pmap", "axes"

    def __init__(self, join, axes, fun):
        super().__init__(None in container_leaves(axes))
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
        if jobs.process_count() > 1 and crew.own_axis() is None:
            s.fail(f"gs.pmap within another function, in a job of {jobs.process_count()} processes: it would be a vmap "
                   "over the devices of this process alone",
                   "Let it be outermost, gs.pmap(gs.grad(f)) for gs.grad(gs.pmap(f)), without gs.jit, because it is "
                   "compiled; or write gs.shard_map, whose arguments are those of all processes.")
        static = {k % len(args) for k in argnums_tuple(static_broadcasted_argnums) if -len(args) <= k < len(args)}
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

    def bound(self, one, count, mesh, args, kwargs) -> list[DeviceCall | None]:
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
        return argnums_tuple(self._options["static_broadcasted_argnums"])

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
                raise SpecialisationError(None,
                                          f"pmap of {count * jobs.process_count()} devices, and an argument that is "
                                          f"sharded over {mesh}",
                                          instead="Lay it over as many: gs.shard(x, mesh, spec).")
            args = [with_one_for_all(x, axis) for x, axis in zip(args, axes)]
        return [(tuple([device_part(x, axis, k) for x, axis in zip(args, axes)]),
                 {name: device_part(x, self.axis_of(name), k) for name, x in kwargs.items()}) for k in range(count)]


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
