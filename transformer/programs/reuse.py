"""Functions that are transformed again: `gs.grad(f)(x)`, written in a loop, makes its program once.

A program finds what is outside of its function, and asks whether that is still so, on paths that begin at the
function. So it serves what the same transformations make

- of the very same function, or of the same method of the same object;
- of another function of the same code (`lambda x: loss(x, data)` in a method), through a *stand-in*: a function of that
  code whose cells are ours, and hold during a call what the cells of the caller's function hold.

What was not used between two full collections of garbage is forgotten: no array of the user's lives long for it.
"""
from __future__ import annotations

import gc
import threading
import types as pytypes
from typing import Any

from ..errors.messages import GradscribeError
from ..inputs.guards import Same, static_key
from . import cache
from .fast_path import MISS

MOST = 256
FIXED = (str, int, float, bool, complex, type(None))


class Remembered:
    """What is remembered under a key, and whether it was used since the last full collection."""

    def __init__(self, value):
        self.value, self.used = value, True


entries: dict[Any, Remembered] = {}


def remembered(key, make):
    """What is remembered under a key; at first what `make` gives."""
    if (entry := entries.get(key)) is None:
        if len(entries) >= MOST:
            entries.clear()
        entry = entries.setdefault(key, Remembered(make()))
    entry.used = True
    return entry.value


def forget_unused(phase: str, info: dict) -> None:
    """After a full collection: what was not used since the last one."""
    if phase == "stop" and info["generation"] == 2:
        for key, entry in list(entries.items()):
            if not entry.used:
                entries.pop(key, None)
            entry.used = False


gc.callbacks.append(forget_unused)


# which functions are the same ------------------------------------------------------------------------
def options_key(made) -> tuple | None:
    """A key of the options of a transformation; None where one could change, or has a memory of its own."""
    values = [x for option in made._options.values() for x in (option if type(option) is tuple else (option,))]
    if not made.again or not all([type(x) in FIXED for x in values]):
        return None
    return (type(made), *map(static_key, made._options.values()))


def identity(fun):
    """Equal for what the same transformations make of the very same function."""
    options = options_key(fun) if hasattr(fun, "_options") else None
    return static_key(fun) if options is None else (options, identity(fun.__wrapped__))


def alike(fun):
    """Equal for functions that differ in what their cells hold, and in nothing else; None for what is like no other."""
    if hasattr(fun, "_options"):
        options = options_key(fun)
        inner = alike(fun.__wrapped__) if options and fun.again == "alike" else None
        return inner and (options, inner)
    if type(fun) is not pytypes.FunctionType or not is_plain_function(fun):
        return None
    return (Same(fun.__code__), Same(fun.__globals__), fun.__name__, fun.__qualname__, static_key(fun.__defaults__))


def is_plain_function(fun) -> bool:
    """Is a function its code, its cells and default values that do not change?"""
    return not (fun.__dict__ or fun.__kwdefaults__) and all([type(x) in FIXED for x in fun.__defaults__ or ()])


def innermost_function(fun):
    while hasattr(fun, "_options"):
        fun = fun.__wrapped__
    return fun


# programs that serve other functions -----------------------------------------------------------------
class StandIn:
    """Transformations of a function whose cells are ours."""

    def __init__(self, made):
        fun = innermost_function(made)
        self.cells = tuple([pytypes.CellType() for _ in fun.__closure__ or ()])
        self.cache = cache.Cache(remade(made, self.cells))
        self.lock = threading.Lock()
        self.usable = True

    def call(self, name: str, given: tuple, closure: tuple):
        """Call `fast` or `call` of the programs, with what these cells hold; MISS where they serve nobody else."""
        try:
            for ours, theirs in zip(self.cells, closure):
                ours.cell_contents = theirs.cell_contents
            if name == "fast" or self.serves(*given):
                return getattr(self.cache, name)(*given)
        except ValueError:
            if all([cell != EMPTY for cell in closure]):
                raise
        finally:
            for ours in self.cells:
                ours.cell_contents = None
        self.usable = False
        return MISS

    def serves(self, args, kwargs) -> bool:
        """Does a program?  A variable that it assigned might be seen by others, through its own cell; and what is
        refused may be so for the cells, and is said of the caller's function."""
        try:
            ready = self.cache.ready(args, kwargs)
        except GradscribeError:
            return False
        return ready is not None and ready[0].spec.assigned is None


EMPTY = pytypes.CellType()


def remade(made, cells):
    """The same transformations of a function of the same code, with other cells."""
    if hasattr(made, "_options"):
        return type(made)(remade(made.__wrapped__, cells), **made._options)
    fun = pytypes.FunctionType(made.__code__, made.__globals__, made.__name__, made.__defaults__, cells)
    fun.__qualname__, fun.__module__ = made.__qualname__, made.__module__
    return fun


class Borrowed(cache.Cache):
    """The programs of a transformed function that is called through a stand-in, as long as nothing speaks against it:
    its own are for what is looked at, and for what runs later."""

    def __init__(self, owner, stand_in: StandIn):
        super().__init__(owner)
        self.stand_in, self.fun = stand_in, innermost_function(owner)
        self.code, self.defaults = self.fun.__code__, self.fun.__defaults__
        self.fast = self.fast_through

    def fast_through(self, args):
        return self.through("fast", args)

    def call(self, args, kwargs):
        result = self.through("call", args, kwargs)
        return super().call(args, kwargs) if result is MISS else result

    def through(self, name: str, *given):
        stand_in, fun = self.stand_in, self.fun
        if not (stand_in.usable and fun.__code__ is self.code and fun.__defaults__ is self.defaults and
                is_plain_function(fun)
                and stand_in.lock.acquire(blocking=False)):
            return MISS
        try:
            return stand_in.call(name, given, fun.__closure__ or ())
        finally:
            stand_in.lock.release()


class First:
    """Says that there was one function of a code."""

    def __init__(self):
        self.seen, self.stand_in = False, None


def cache_of(made) -> cache.Cache:
    """Where the programs of a transformed function are found."""
    if options_key(made) is None:
        return cache.Cache(made)
    key, like = ("same", identity(made)), alike(made)
    if like is None or key in entries:
        return remembered(key, lambda: cache.Cache(made))
    first = remembered(("alike", like), First)
    if first.seen:
        first.stand_in = first.stand_in or StandIn(made)
        return Borrowed(made, first.stand_in)
    first.seen = True
    return remembered(key, lambda: cache.Cache(made))


__all__ = ["cache_of"]
