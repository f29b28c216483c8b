"""A program for a GPU, loaded and run."""
from __future__ import annotations

import threading
from types import FunctionType

import numpy as np

from ..loading.targets import Target, disk_kernel, module
from ..loading.trampoline import compile_module
from ..plain import collectives
from ..plain.scalars import Failure
from . import backend, host, library

FIRST_ROOM = 64  # elements of a tape, for each thread
standing = threading.local()  # .arrays: stand-ins of this call -> the arrays of the device that they stand for


def load_program(lowered):
    """The entry of a program: of flat arguments, which may be NumPy's arrays or the device's."""
    made = module(lowered, "cuda")
    for name, value in list(vars(made).items()):
        if isinstance(value, FunctionType) and value.__module__ != made.__name__ and value in lowered.imports:
            setattr(made, name, host.of_devices(value) if is_between(value)
                    else host.of_library(disk_kernel(value), library.form(value)))
    return Running(lowered, getattr(made, lowered.entry))


def is_between(function) -> bool:
    """Is it of devices that meet?"""
    return function.__module__ == collectives.__name__


CUDA = Target("cuda", load_program, keeps=True)


def compile_for_device(lowered):
    """A callable of flat arguments, which may lie on a device, that gives flat results, which do."""
    return compile_module(lowered, CUDA)


def array_of(x):
    """The array that a stand-in stands for."""
    return getattr(standing, "arrays", {}).get(id(x), x)


class Running:
    def __init__(self, lowered, entry):
        self.lowered, self.entry = lowered, entry
        self.room = FIRST_ROOM
        self.meets = any(map(is_between, lowered.imports))  # other devices, in the program
        self.cpu = None

    def __call__(self, *args):
        args = [array_of(x) for x in args]
        with backend.using(backend.device_of(args)):
            return self.there([backend.put_array(x) for x in args])

    def there(self, args: list) -> tuple:
        while True:
            host.here.flag = flag = backend.arrays().zeros(1, np.int32) if self.lowered.stops else None
            host.forget()
            try:
                with np.errstate(all="ignore"):
                    results = self.entry(flag, self.room, *args)
                    host.stop(flag)
                host.say_all()
                return results
            except Exception as error:  # it is none if a kernel had stopped before, and left nothing to work on
                kind = has_stopped(flag, error) or self.fails(error)
                if not kind:
                    host.say_all()
                    raise
            if kind == host.FULL:
                self.room *= 4  # nothing that a caller has was changed: again, with longer tapes
            if self.meets:
                host.forget()
                raise collectives.Again(kind == host.STOPPED)
            if kind == host.STOPPED:
                host.forget()
                return self.on_cpu(args)

    def fails(self, error: Exception) -> int:
        """Is it for the CPU to say?  So are checks of the host's, whose messages may be of arrays."""
        if isinstance(error, host.KernelStopped):
            return host.STOPPED
        if not isinstance(error, Failure):
            return 0
        kind = self.lowered.sites[error.args[0]].kind
        return 0 if kind in ("Unproved", "Sizes") or kind.startswith(collectives.__name__) else host.STOPPED

    def on_cpu(self, args) -> tuple:
        """The exception of a kernel that has stopped, or the results where rounding alone had stopped it."""
        if self.cpu is None:
            self.cpu = self.lowered.cpu()
        return tuple(backend.put_array(np.asarray(r)) for r in self.cpu(*map(backend.get, args)))


def has_stopped(flag, error: Exception) -> int:
    """`host.stopped` after an exception; raises that again where the device does not answer any more."""
    try:
        return host.stopped(flag)
    except Exception as silent:
        if backend.is_of_the_device(silent):
            raise error from None
        raise


def assign_argument(target, value) -> None:
    """Store what a program has made of an argument into it."""
    target = array_of(target)
    if value is target:  # it was stored there
        return
    target[...] = value if backend.is_device_array(target) else backend.get(value)
