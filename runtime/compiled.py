"""Lowered text -> a function that numba has compiled.

    run = compile_module(lowered)
    run(*flat arguments)            a tuple of flat results, of exactly the kinds that NumPy gives

Compiled code stops with `Failure(site, ...)`; here it becomes the exception that plain Python raises, with a
note of the user's line.
"""
from __future__ import annotations

import threading

import numpy as np

from . import cache
from .arrays import exception
from .scalars import Failure

_lock = threading.RLock()


class SizeAssumption(Exception):
    """The arguments have sizes for which this specialisation was not made."""


def compile_module(lowered):
    """A callable: flat arguments -> tuple of flat results."""
    with _lock:
        module = cache.load(lowered.entry, lowered.text)
        return trampoline(lowered, decorate(module, getattr(module, lowered.entry)), compile_module)


def plain_module(lowered):
    """The same as plain Python: slow, for tests and for looking at it in a debugger."""
    return trampoline(lowered, getattr(cache.load(lowered.entry, lowered.text), lowered.entry), plain_module)


def decorate(module, entry):
    """The module's functions under numba; they are compiled when they are first called with new types."""
    import numba

    from . import native  # noqa: F401  registers the compiled forms

    options = dict(nogil=True, error_model="numpy", fastmath={"contract"}, no_cfunc_wrapper=True, no_rewrites=True)
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", None) == module.__name__ and callable(value) and value is not entry:
            setattr(module, name, numba.njit(**options, no_cpython_wrapper=True)(value))
    return numba.njit(**options, cache=True)(entry)


def trampoline(lowered, entry, make):
    """The thinnest function that gives results their kinds and turns failures into exceptions."""
    params = [f"a{k}" for k in range(len(lowered.param_types))]
    results = [f"r{k}" for k in range(len(lowered.result_types))]
    kinds = [wrapped(r, t, make is plain_module) for r, t in zip(results, lowered.result_types)]
    arguments = ", ".join(params)
    lines = [f"def run({arguments}):", "    try:"]
    if kinds == results:
        lines += [f"        return entry({arguments})"]
    else:
        lines += [f"        {', '.join(results)}, = entry({arguments})"]
    lines += ["    except Failure as failure:", f"        return recover(failure, ({arguments}{',' if params else ''}))"]
    if kinds != results:
        lines += [f"    return ({', '.join(kinds)},)"]
    namespace = {"entry": entry, "Failure": Failure, "recover": Recovery(lowered, make), "np": np}
    exec("\n".join(lines), namespace)
    run = namespace["run"]
    run.entry = entry
    return run


class Recovery:
    """What is done when compiled code has stopped."""

    def __init__(self, lowered, make):
        self.lowered, self.make, self.safe = lowered, make, None

    def __call__(self, failure: Failure, args: tuple):
        number, *values = failure.args
        site = self.lowered.sites[number]
        if site.kind == "Unproved":
            if self.safe is None:
                self.safe = self.make(self.lowered.safe())
            return self.safe(*args)
        if site.kind == "Sizes":
            raise SizeAssumption(site.message) from None
        error = exception(site.kind)(site.message.format(*values))
        if site.origin is not None:
            error.gradscribe_origin = site.origin
        raise error from None


def wrapped(name: str, t, plain: bool) -> str:
    """A result as its kind has it; numba gives Python numbers for all scalars."""
    if t.kind == "np":
        return f"np.{t.dtype.type.__name__}({name})"
    return f"{t.python_type.__name__}({name})" if plain and t.kind == "py" else name
