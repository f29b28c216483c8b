"""What runs a program of loops: what an array is to a target, how memory is had, how a module is compiled and stops.

The text of a module is how `transformer/loop_core/show.py` spells it for the target of this name.
"""
from __future__ import annotations

import functools
from dataclasses import dataclass
from types import FunctionType
from typing import Callable

import numpy as np

from ..compiler import cache
from ..plain.scalars import Failure


@dataclass(frozen=True)
class Target:
    """
    array    what an array is, to callers and in results
    empty    (shape, dtype): memory for a result, which the caller hands in
    load     lowered -> its entry, which runs
    wait     until what a call has started is done; None where a call that is back is done
    stopped  what is raised where the code stops at a site
    wraps    a result that is to be a number of Python's may be one of NumPy's
    keeps    results stay where they are: a number is an array without axes
    """

    name: str
    load: Callable
    array: type = np.ndarray
    empty: Callable = np.empty
    wait: Callable | None = None
    stopped: type[Exception] = Failure
    wraps: bool = False
    keeps: bool = False


def module(lowered, target: str):
    return cache.load(lowered.entry, lowered.spelled(target))


def plainly(lowered):
    return getattr(module(lowered, "plain"), lowered.entry)


def by_numba(lowered):
    return compiled_module(lowered.entry, lowered.spelled("numba"))


@functools.lru_cache(256)  # numba never frees machine code: what is jitted anew for each call is loaded once
def compiled_module(entry: str, text: str):
    """A module's functions under numba; they are compiled when they are first called with new types."""
    import numba

    from ..compiler import kept, numba_events, stock  # noqa: F401
    from ..native import scalars  # noqa: F401
    made = cache.load(entry, text)
    if hasattr(made, "rp"):
        from ..native import parallel  # noqa: F401  only some modules need it
    if hasattr(made, "rc"):
        from ..native import complexes  # noqa: F401
    if hasattr(made, "sp"):
        from ..native import cephes  # noqa: F401

    # Products and sums are rounded one by one, as NumPy does: what a derivative computes again is then the same to the
    # bit, and `z == m` has the answer that it had in the value, whatever LLVM makes of the loops around it.
    options = dict(nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_rewrites=True)
    compiler, part = stock.way(options)
    main = getattr(made, entry)
    for name, value in list(vars(made).items()):
        if getattr(value, "__module__", None) == made.__name__ and callable(value):
            value.from_zero = True  # lowering has proved or wrapped each index
            if value is not main:
                setattr(made, name, part(value))
        elif isinstance(value, FunctionType) and value is not main:  # a kernel of what a library computes
            setattr(made, name, disk_kernel(value))
    return kept.keeping(numba.njit(**options, pipeline_class=compiler)(main))


def numba_types(args) -> tuple:
    """The types by which numba chooses what it has compiled."""
    from numba.core.typing.typeof import Purpose, typeof
    return tuple([typeof(x, Purpose.argument) for x in args])


@functools.cache
def disk_kernel(function):
    """A kernel, kept on disk; what it calls is in `native/lapack.py`. The host of a GPU calls it from Python, too."""
    from ..compiler import kept
    from ..native import collectives, factors, fft, lapack, symmetric, systems  # noqa: F401
    return kept.kept_kernel(function, **lapack.WAY, no_cfunc_wrapper=True)


NUMBA = Target("numba", by_numba)
PLAIN = Target("plain", plainly, wraps=True)
