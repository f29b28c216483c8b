"""Functions that are called in a process of their own: with numba's simulator of a GPU,
or with the GPU that is there."""

import importlib
import importlib.util
import shutil
import signal
import sysconfig
import traceback
from pathlib import Path

from tests.support.child import Accident, Child

LIMIT = 120.0  # seconds for one call: a kernel of the simulator may have no end


def serve(pipe):
    """The child: a module, a function of it and arguments in; what it gave or how it failed out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while (asked := pipe.recv()) is not None:
        module, function, args = asked
        try:
            pipe.send((getattr(importlib.import_module(module), function)(*args), None))
        except BaseException:  # the parent is to say it
            pipe.send((None, traceback.format_exc()))


class Calls(Child):
    def __init__(self, simulator: bool):
        super().__init__(serve, limit=LIMIT, simulator=simulator)

    def __call__(self, module: str, function: str, *args):
        try:
            out, failure = self.ask((module, function, args))
        except Accident as accident:
            raise AssertionError(f"{function}{args}: {accident}") from None
        if failure is not None:
            raise AssertionError(f"{'in the simulator' if self.simulator else 'on the GPU'}: {failure}")
        return out


def why_no_gpu() -> str | None:
    """What keeps programs from a GPU, asked in a process of its own: one that has asked cannot be forked."""
    if importlib.util.find_spec("numba_cuda") is None:
        return "numba-cuda is not installed"
    with Calls(simulator=False) as calls:
        return calls("gradscribe.runtime.cuda.backend", "missing")


def sanitizer() -> str | None:
    """Where NVIDIA's compute-sanitizer is: in PATH, in CUDA's folder, or among the wheels."""
    found = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")
    wheels = Path(sysconfig.get_path("purelib"), "nvidia")
    return found or next(map(str, sorted(wheels.glob("*/bin/compute-sanitizer"))), None)
