"""The devices of a `pmap` that are GPUs: each has a thread of this process, which launches its kernels."""
from __future__ import annotations

import functools
from typing import Callable, ParamSpec, TypeVar

import numpy as np

from gradscribe.runtime.cuda import backend
from gradscribe.runtime.devices import crew
from gradscribe.runtime.plain.collectives import Again

from ..errors.messages import DeviceError, UnsupportedError
from ..functions.gpu_jit import OnDevice, StandingIn
from ..inputs.guards import is_run_time_leaf
from ..pytree.containers import container_leaves, map_leaves
from ..sharding.sharded import Mesh

P = ParamSpec("P")
R = TypeVar("R")


class OnGpu(StandingIn[P, R]):
    """The program of one device, for a GPU; before its class for the CPU."""

    def on(self, number: int, args: tuple, kwargs: dict):
        """The call on the GPU of this number."""
        with backend.asked_for(number), backend.using(number):
            args = [x if k in self._static_argnums else on_thread_gpu(x) for k, x in enumerate(args)]
            return self(*args, **{name: on_thread_gpu(x) for name, x in kwargs.items()})

    def refuse_stores(self, spec, args, kwargs):
        for name in spec.fun.writes:
            raise UnsupportedError(None, f"a store into {name}, of which a GPU has a copy",
                                   instead="Store into a copy, x = x.copy(), and return it.")
        super().refuse_stores(spec, args, kwargs)


def refuse_jitted(fun, gpus, instead: str) -> None:
    """A function that is jitted for a GPU has no program for threads of the CPU."""
    if gpus is None and isinstance(fun, OnDevice) and fun.cpu is None:
        raise DeviceError(None, f"{fun.__name__} is jitted for a GPU, and run on threads of the CPU", instead=instead)


def on_thread_gpu(x):
    """The tree with its arrays on the GPU of this thread; itself where it has none."""
    return map_leaves(backend.put_array, x) if any(map(is_array, container_leaves(x))) else x


def is_array(leaf) -> bool:
    return isinstance(leaf, np.ndarray) or backend.is_device_array(leaf)


def each_on_gpu(one: OnGpu, on_cpu: Callable[[], Callable], mesh: Mesh, parts: list) -> list:
    """What each device gives, of its (args, kwargs).

    A program of a GPU that has stopped (at a check, or at a tape that was full) does not go on from there: all devices
    do the call again, on the CPU where that has to say what is wrong.

    on_cpu  gives the program of one device of the CPU
    """
    devices, again = crew.crew_of(len(parts)), Again(False)
    while not again.on_cpu:
        try:
            return devices.run([functools.partial(one.on, number, *part) for number, part in zip(mesh.gpus, parts)])
        except Again as found:
            again = found
    of_cpu = on_cpu()
    results = devices.run([functools.partial(of_cpu, *args, **kwargs) for args,
                           kwargs in map_leaves(backend.get, parts)])
    return [map_leaves(lambda x: mesh.placed(k, x) if is_run_time_leaf(x) else x, of_one) for k,
            of_one in enumerate(results)]
