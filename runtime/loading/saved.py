"""Compiled functions in files of their own: what such a file consists of, and what it does when it is imported.

The file is a module.  It has the text that numba compiles, what a call has to know beside it, the readable source that
raises what compiled code cannot, and a function with the user's signature that takes arguments apart and puts results
together.  It imports this module and NumPy, and nothing of what has written it.
"""
from __future__ import annotations

import functools
import hashlib
import sys
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Callable

import numpy as np

from ..compiler import cache
from .trampoline import SizeAssumption, compile_module

PYTHON_TYPES = {"b": bool, "i": int, "f": float, "c": complex}
RUNTIME = Path(__file__).parents[1]


class SavedError(RuntimeError):
    """A file of another version, or a call that it was not made for."""


@functools.cache
def runtime_digest() -> str:
    """The hash of the run time: the text in a file calls its functions, and means what they do."""
    parts = [part for file in sorted(RUNTIME.rglob("*.py"))
             for part in (file.relative_to(RUNTIME).as_posix(), file.read_text("utf-8"))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


class Written:
    """Its text is a call that makes it, without what it has by default."""

    def __repr__(self):
        last = max([k for k, f in enumerate(fields(self), 1) if getattr(self, f.name) != f.default], default=0)
        return f"{type(self).__name__}({', '.join([repr(getattr(self, f.name)) for f in fields(self)[:last]])})"


@dataclass(frozen=True, repr=False)
class SavedType(Written):
    """A type of a value: `kind` is "py", "np" or "array", `name` that of the dtype."""

    kind: str
    name: str

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)

    @property
    def python_type(self) -> type:
        return PYTHON_TYPES[self.dtype.kind]


@dataclass(frozen=True, repr=False)
class SavedConstant(Written):
    """A value that an exception has from the text."""

    value: Any


@dataclass(frozen=True, repr=False)
class SavedOutput(Written):
    """An array that a call hands in: each length is an int, or (argument, axis)."""

    lengths: tuple
    name: str

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)


@dataclass(frozen=True, repr=False)
class SavedSite(Written):
    """A place that may stop, as `lower.writer.CheckSite` has it; `origin` is what is said of the user's line."""

    kind: str
    message: str | None
    origin: str | None = None
    error: tuple | None = None
    values: tuple = ()


@dataclass(frozen=True)
class SavedProgram:
    """What a call needs of a compiled program, as `lower.Lowered` has it."""

    entry: str
    text: str
    param_types: tuple
    result_types: tuple
    outputs: tuple
    results: tuple
    sites: tuple
    safely: SavedProgram | None = None
    with_threads: SavedProgram | None = None
    source: str = ""
    calls_devices: bool = False
    plain: Callable | None = None

    def spelled(self, target: str) -> str:
        return self.text

    def safe(self) -> SavedProgram | None:
        return self.safely

    def threads(self) -> SavedProgram | None:
        return self.with_threads


def kernel_module_name(text: str) -> str:
    """What a module of kernels is called, which the text of a program imports."""
    return f"gradscribe_kernels_{hashlib.sha256(text.strip().encode()).hexdigest()[:16]}"


def readable_function(program: SavedProgram) -> Callable:
    """The readable source of a program, which raises what compiled code cannot."""
    return getattr(cache.load(f"{program.entry}_plain", program.source), program.entry)


def saved_function(program: SavedProgram, made_by: str, digest: str, writes: tuple = (), kernels: str = "") -> Callable:
    """The function of flat arguments that a file calls; it is compiled when it is first called.

    writes: (argument, result) where the result is what is to be in the argument afterwards
    kernels: the text of a module that the program imports
    """
    if digest != runtime_digest():
        raise SavedError(f"the file was saved by Gradscribe {made_by}, whose run time is not this one: save the "
                         "function again")
    if kernels and kernel_module_name(kernels) not in sys.modules:
        sys.modules[kernel_module_name(kernels)] = cache.load("kernels", kernels)
    made = replace(program, plain=lambda: readable_function(program))
    run = functools.cache(lambda: compile_module(made))

    def call(*flat):
        try:
            results = run()(*flat)
        except SizeAssumption as problem:
            raise SavedError(f"the file was made for arguments of other lengths: {problem}") from None
        except Exception as error:
            if (note := getattr(error, "gradscribe_origin", None)) is not None:
                error.add_note(note)
            raise
        for k, result in writes:
            if results[result] is not flat[k]:
                flat[k][...] = results[result]
        return results if len(results) != 1 else results[0]

    return call
