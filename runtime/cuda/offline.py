"""Kernels compiled where there is no GPU, to read their PTX and what their machine code needs."""
from __future__ import annotations

import contextlib
import importlib.util
import re
from dataclasses import dataclass
from types import SimpleNamespace

from ..loading.targets import module
from . import backend

ARCH = (9, 0)  # where there is no GPU to ask
WHEELS = ("numba_cuda", "cuda.bindings.nvjitlink")


@dataclass(frozen=True)
class OfflineKernel:
    """
    registers  of each thread
    stack      bytes of local memory that a thread has
    spills     bytes that a thread stores there because it has too few registers, and loads
    """

    ptx: str
    registers: int
    stack: int
    spills: int


def numba_types(descriptions) -> list:
    """Numba's types of a kernel's arguments: `float64` a number, `float64 2 C` an array of two axes in C's order."""
    import numpy as np
    from numba.cuda.np.numpy_support import from_dtype
    from numba.cuda.types import Array
    out = []
    for dtype, *rest in map(str.split, descriptions):
        element = from_dtype(np.dtype(dtype))
        out.append(Array(element, int(rest[0]), rest[1]) if rest else element)
    return out


def installed() -> bool:
    """Are the compilers there?"""
    try:
        return not backend.SIMULATED and all(map(importlib.util.find_spec, WHEELS))
    except ImportError:  # of a module's package
        return False


@contextlib.contextmanager
def architecture():
    """That of the GPU, or else ARCH."""
    import numba.cuda.dispatcher as dispatcher
    from numba import cuda
    if cuda.is_available():
        yield cuda.get_current_device().compute_capability
        return
    before = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=ARCH)  # functions ask the GPU for it
    try:
        yield ARCH
    finally:
        dispatcher.get_current_device = before


def compiled(kernel, descriptions) -> OfflineKernel:
    """A kernel for arguments of these types."""
    from numba import cuda
    from numba.cuda import types
    with architecture() as arch:
        ptx, _ = cuda.compile_ptx(kernel.py_func, types.void(*numba_types(descriptions)), cc=arch)
    return OfflineKernel(ptx, *kernel_needs(assembled(ptx, arch)))


def registers(lowered, kernels: dict) -> dict[str, int]:
    """How many registers a thread of each of these kernels has, where that can be compiled.

    kernels  types of their arguments, as `types_of` reads them
    """
    if not installed():
        return {}
    found, made = {}, module(lowered, "cuda")
    for name, descriptions in kernels.items():
        with contextlib.suppress(Exception):  # a launch, which knows its arguments, says what does not compile
            found[name] = compiled(getattr(made, name), descriptions).registers
    return found


def assembled(ptx: str, arch: tuple[int, int]) -> str:
    """What the assembler says of its machine code."""
    from cuda.bindings import nvjitlink
    options = ["-arch=sm_%d%d" % tuple(arch), "-verbose", "-O3"]
    handle = nvjitlink.create(len(options), options)
    try:
        data = ptx.encode()
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, data, len(data), "kernel")
        nvjitlink.complete(handle)
        log = bytearray(nvjitlink.get_info_log_size(handle))
        nvjitlink.get_info_log(handle, log)
        return log.decode()
    finally:
        nvjitlink.destroy(handle)


def kernel_needs(log: str) -> tuple[int, int, int]:
    """Registers, bytes of stack, bytes of spills: of a kernel and what it calls the most, or their sum."""
    def numbers(pattern):
        return [int(n) for n in re.findall(pattern, log)]

    spills = sum(numbers(r"(\d+) bytes spill stores")) + sum(numbers(r"(\d+) bytes spill loads"))
    return max(numbers(r"Used (\d+) registers")), max(numbers(r"(\d+) bytes stack frame"), default=0), spills
