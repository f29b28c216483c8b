"""`gs.jit(f, wait=False)`: calls that return at once, with results that wait when they are looked at.

One thread runs all such calls of a process in their order, in compiled code, which holds no lock: meanwhile the
caller's Python goes on.
"""
from __future__ import annotations

import functools
import os
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

import numpy as np

from .awaited import Awaited, value
from .containers import folded, made_of, mapped
from .transformed import Jit

P = ParamSpec("P")
R = TypeVar("R")


class Call:
    """A call that runs."""

    def __init__(self, future: Future, place: str):
        self.future, self.place = future, place

    def results(self) -> tuple:
        try:
            return self.future.result()
        except Exception as error:
            if self.place not in getattr(error, "__notes__", ()):
                error.add_note(self.place)
            raise


@functools.cache
def worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="gradscribe calls")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=worker.cache_clear)  # the parent's thread is not here


class Later(Jit[P, R]):
    """jit whose calls return at once."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        args, kwargs = mapped(value, (args, kwargs))
        ready = self._cache.ready(args, kwargs)
        if ready is None:
            return self.as_written(args, kwargs)
        program, flat, _ = ready
        flat = [x.copy(order="K") if isinstance(x, np.ndarray) and name not in program.spec.fun.writes else x
                for name, x in zip(program.core.params, flat)]  # the caller may change them meanwhile
        caller = sys._getframe(1)
        place = f"in the call of {self.__name__} at {caller.f_code.co_filename}:{caller.f_lineno}"
        call = Call(worker().submit(run, program, flat), place)
        return folded(program.spec.out, lambda k: Awaited(call, k), lambda obj: obj, made_of,
                      lambda k, flag, cls: (Awaited(call, k, cls) if flag is None or call.results()[flag]
                                            else Awaited(call, k)),
                      lambda k, part: part() if call.results()[k] else None)


def run(program: Any, flat: list) -> tuple:
    results = program.results(flat)
    program.given(flat, results)
    return results

