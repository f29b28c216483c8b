"""Meshes of devices, and how an array is sharded over one.

A mesh numbers its devices row by row, and so device k of the mesh is device k of a pmap.
"""
from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np

from gradscribe.runtime.cuda import backend
from gradscribe.runtime.devices import crew, jobs

from ..errors.messages import DeviceError, SpecialisationError


class Mesh:
    """Devices in rows and columns, or along as many axes as it takes, each of which has a name.

    Parameters
    ----------
    devices : tuple of int, or array_like of Device
        How many there are along each axis, (2, 4), or the devices themselves in an array of that shape, threads of the
        CPU or GPUs.  In a job of several processes each names its own GPUs, and the first axis is that of all
        processes.
    axis_names : str or tuple of str
        A text for each axis; for a single axis the text alone will do.

    Attributes
    ----------
    axis_names : tuple of str
        The names.
    shape : dict
        {name: length}.
    size : int
        How many devices there are.
    gpus : tuple of int or None
        The numbers of the GPUs of this process; None where the devices are threads.

    Raises
    ------
    gs.errors.DeviceError
        Where there are not so many devices.
    ValueError
        Where names do not fit.

    Notes
    -----
    Threads are all alike, and in a job of several processes those of all processes in order: each has as many.  Meshes
    of one shape and the same GPUs are equal.

    Examples
    --------
    >>> import gradscribe as gs
    >>> mesh = gs.Mesh((1, gs.local_device_count()), ("data", "model"))
    >>> mesh.shape["data"], mesh.size == gs.local_device_count()
    (1, True)
    """

    def __init__(self, devices: Any, axis_names: str | tuple[str, ...]):
        self.axis_names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        lengths, self.gpus = found_in(devices)
        if len(set(self.axis_names)) < len(lengths) or len(self.axis_names) != len(lengths) or not all(
                isinstance(name, str) for name in self.axis_names):
            raise ValueError(f"a mesh of shape {lengths} with the axis names {self.axis_names}: each axis needs a text "
                             "of its own")
        self.shape: dict[str, int] = dict(zip(self.axis_names, lengths))
        self.size = math.prod(lengths)
        if not lengths or min(lengths) <= 0:
            raise ValueError(f"a mesh of shape {lengths} has no devices")
        self.local_size, left = divmod(self.size, jobs.process_count())
        if left:
            raise DeviceError(None, f"a mesh of {self.size} devices for {jobs.process_count()} processes",
                              instead="Give each process as many: gs.Mesh((gs.device_count(),), ...).")
        if self.gpus is None and self.local_size > crew.local_count():
            raise DeviceError(None,
                              f"a mesh of {self.size} devices, and there are "
                              f"{crew.local_count() * jobs.process_count()}",
                              instead=f"Set GRADSCRIBE_DEVICES={self.local_size} in the environment for as many "
                                      "threads.")

    def __repr__(self):
        shape = ", ".join(f"{name}={length}" for name, length in self.shape.items())
        return f"Mesh({shape})" + " of GPUs" * (self.gpus is not None)

    def __eq__(self, other):
        return (type(other) is Mesh and [*self.shape.items()] == [*other.shape.items()] and self.gpus == other.gpus)

    def __hash__(self):
        return hash((self.axis_names, self.gpus))

    def local(self) -> range:
        """The numbers of the devices of this process."""
        return range(self.local_size * jobs.process_index(), self.local_size * (jobs.process_index() + 1))

    def placed(self, k: int, x) -> Any:
        """A number or array, as an array of device k of this process."""
        if self.gpus is None:
            return np.asarray(x)
        with backend.using(self.gpus[k]):
            return backend.put_array(x if backend.is_device_array(x) else np.asarray(x))


NO_GPUS = 'gs.devices("cuda") is empty where programs can use no GPU: {}.'


def found_in(devices) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """(how many there are along each axis, the numbers of GPUs)"""
    if isinstance(devices, tuple) and all(isinstance(n, (int, np.integer)) for n in devices):
        return tuple(map(int, devices)), None
    found = np.asarray(devices, dtype=object)
    if not found.size:
        raise DeviceError(None, "a mesh of an empty list of devices", instead=NO_GPUS.format(backend.missing() or
                          "there is none") + ' A mesh of threads has numbers: gs.Mesh((4,), "data").')
    platforms = {getattr(d, "platform", None) for d in found.flat}
    if len(platforms) > 1 or not platforms <= {"cpu", "cuda"}:
        raise DeviceError(None, f"a mesh of {devices!r}",
                          instead='Give how many threads there are along each axis, gs.Mesh((2, 4), ("data", "model"))'
                                  ', or GPUs: gs.Mesh(gs.devices("cuda"), "data").')
    if len(set(found.flat)) < found.size:
        raise DeviceError(None, "a mesh that has a device twice", instead="Give each once, or a shape: gs.Mesh((4,), "
                                                                            '"data").')
    if platforms != {"cuda"}:
        return found.shape, None
    require_gpus(found.flat)
    return (found.shape[0] * jobs.process_count(), *found.shape[1:]), tuple([d.id for d in found.flat])


def require_gpus(devices) -> None:
    if (problem := backend.missing()) is not None:
        raise DeviceError(None, problem)
    there = backend.device_count()
    for d in devices:
        if d.id >= there:
            raise DeviceError(None, f"there is no device {d!r}", instead=f"There are {there} GPUs: gs.devices().")


class P:
    """How an array is sharded over a mesh.

    Parameters
    ----------
    *axes : str, tuple of str, or None
        For each axis of the array the name of that of the mesh, a tuple of names (the first is cut first), or None
        where it is not cut.  What is left out is None; `P()` is an array that all devices have.

    Raises
    ------
    TypeError
        For what is no name, no tuple of names and not None.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.P("data", None)
    P('data', None)
    """

    def __init__(self, *axes: str | tuple[str, ...] | None):
        self.axes = axes
        for name in itertools.chain(*[x if isinstance(x, tuple) else (x,) for x in axes]):
            if name is not None and not isinstance(name, str):
                raise TypeError(f"{self} has {name!r}: write the name of an axis of the mesh, a tuple of names or None")

    def __repr__(self):
        return f"P({', '.join(map(repr, self.axes))})"

    def __eq__(self, other):
        return type(other) is P and self.axes == other.axes

    def __hash__(self):
        return hash(self.axes)


@functools.lru_cache(512)
def axes_of_spec(spec: P, mesh: Mesh, rank: int) -> tuple[tuple[str, ...], ...]:
    """The names of the axes of a mesh over which each axis of an array is sharded."""
    if len(spec.axes) > rank:
        raise SpecialisationError(None, f"{spec} for an array of {rank} ax{'i' if rank == 1 else 'e'}s",
                                  instead="Name an axis of the mesh, or None, for each axis of the array.")
    found = tuple([() if x is None else x if isinstance(x, tuple) else (x,) for x in spec.axes])
    names = [*itertools.chain(*found)]
    for name in names:
        if name not in mesh.axis_names:
            raise SpecialisationError(None, f"{spec} names {name!r}, and the mesh is {mesh}",
                                      instead="Name axes of the mesh.")
        if names.count(name) > 1:
            raise SpecialisationError(None, f"{spec} names {name!r} twice",
                                      instead="Each axis of the mesh can cut one axis of an array.")
    return found + ((),) * (rank - len(found))


@functools.lru_cache(512)
def block_places(mesh: Mesh, axes: tuple[tuple[str, ...], ...]) -> list[tuple[int, ...]]:
    """For each device the place of its block along each axis of an array that is sharded so."""
    found = []
    for numbers in itertools.product(*map(range, mesh.shape.values())):
        at = dict(zip(mesh.axis_names, numbers))
        found.append(tuple([functools.reduce(lambda k, name: k * mesh.shape[name] + at[name], names, 0)
                            for names in axes]))
    return found


def block_shape(shape: tuple, mesh: Mesh, axes) -> tuple[int, ...]:
    counts = [math.prod([mesh.shape[name] for name in names]) for names in axes]
    for k, (length, count) in enumerate(zip(shape, counts)):
        if length % count:
            raise SpecialisationError(None, f"an array of shape {shape} cannot be cut along axis {k} into {count} "
                                      f"equal blocks for {mesh}",
                                      instead="Give it a length that is a multiple, or None.")
    return tuple([length // count for length, count in zip(shape, counts)])


def block_at(place: tuple, lengths: tuple) -> tuple[slice, ...]:
    return tuple([slice(k * n, (k + 1) * n) for k, n in zip(place, lengths)])
