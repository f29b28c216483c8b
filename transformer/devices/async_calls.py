"""`wait=False` of `gs.jit` and `gs.pmap`: calls that return at once, with results that wait when they are looked at.

One thread runs all such calls of a process in their order, in compiled code, which holds no lock: meanwhile the
caller's Python goes on.
"""
from __future__ import annotations

import atexit
import functools
import itertools
import os
import sys
import threading
import types
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Callable, ParamSpec, TypeVar

import numpy as np

from gradscribe.runtime.devices import jobs

from ..functions.transformed import Jit
from ..inputs.future_array import Awaited, awaited_values, value
from ..inputs.guards import is_run_time_leaf
from ..pytree.containers import container_leaves, folded_structure, made_of, map_leaves
from ..sharding.sharded import Sharded
from ..tools import watches
from .pmap import Pmap

P = ParamSpec("P")
R = TypeVar("R")


class RunningCall:
    """A call that runs."""

    def __init__(self, future: Future, place: str):
        self.future, self.place, self.process = future, place, os.getpid()

    def results(self) -> tuple:
        if self.process != os.getpid() and not self.future.done():
            raise RuntimeError("a result that was not there when this process was forked: what computes it runs in the "
                               f"parent alone ({self.place}); gs.block_until_ready(x) before the fork")
        try:
            return self.future.result()
        except Exception as error:
            if self.place not in getattr(error, "__notes__", ()):
                error.add_note(self.place)
            raise


class Worker:
    """The thread that runs calls in their order."""

    def __init__(self):
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="gradscribe calls")
        self.lock = threading.Lock()
        self.storing: list[tuple[Future, list]] = []  # calls, and the arrays into which they store
        self.unseen: list[RunningCall] = []  # none of whose results waits

    def submit(self, stores: list, function: Callable, *args) -> Future:
        with self.lock:
            future = self.pool.submit(function, *args)
            self.storing = [s for s in self.storing if not s[0].done()] + [(future, stores)] * bool(stores)
        return future

    def before(self, x: np.ndarray) -> list[Future]:
        """The calls that store into an array."""
        with self.lock:
            return [f for f, arrays in self.storing if any([np.may_share_memory(x, y) for y in arrays])]

    def copy(self, x: np.ndarray) -> np.ndarray:
        """The array as the calls leave it that were made before."""
        wait(self.before(x))
        return x.copy(order="K")

    def tell(self) -> None:
        """Raise what a call has raised that nobody else will hear of."""
        while True:
            with self.lock:
                call = next((call for call in self.unseen if call.future.done()), None)
                if call is None:
                    return
                self.unseen.remove(call)
            call.results()

    def until_stored(self, x: np.ndarray) -> None:
        """Wait until calls have stored into an array; raises what they have raised that nobody else will hear of."""
        wait(self.before(x))
        self.tell()

    def finish(self) -> None:
        """Wait for all calls that were made."""
        self.pool.submit(int).result()


@functools.cache
def worker() -> Worker:
    made = Worker()
    atexit.register(tell_last, made, os.getpid())
    return made


def tell_last(made: Worker, process: int) -> None:
    """At the end of its process, when all calls have ended: show what nobody has heard of."""
    if process != os.getpid():
        return
    while made.unseen:
        try:
            made.tell()
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)


def until_stored(x) -> None:
    """Wait until an array, if it is one, has in it what calls store that were made before."""
    if isinstance(x, np.ndarray) and worker.cache_info().currsize:
        worker().until_stored(x)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=worker.cache_clear)  # the parent's thread is not here


class Later(Jit[P, R]):
    """jit whose calls return at once."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        worker().tell()
        given, (args, kwargs) = (args, kwargs), map_leaves(value, (args, kwargs))
        ready = self._cache.ready(args, kwargs)
        if (ready is None or ready[0].spec.assigned is not None or ready[0].spec.changed
                or watches.is_wanted(self.compiled)):
            worker().finish()
            return super().__call__(*given[0], **given[1])
        program, flat, _ = ready
        writes = program.spec.fun.writes
        flat = [worker().copy(x) if isinstance(x, np.ndarray) and name not in writes else x
                for name, x in zip(program.core.params, flat)]  # the caller may change them meanwhile
        stores = [x for name, x in zip(program.core.params, flat) if name in writes]
        call = RunningCall(worker().submit(stores, run_program, program, flat),
                           called_at(self.__name__, sys._getframe(1)))
        result = folded_structure(program.spec.out, lambda k: Awaited(call, k), lambda obj: obj, made_of,
                                  lambda k, classes: Awaited(call, k, classes),
                                  lambda k, part, other: part() if call.results()[k] else other())
        return heard_of(call, result)


def heard_of(call: RunningCall, result):
    """The result of a call, whose exception is reported later where nothing in it waits."""
    if not any([type(x) is Awaited for x in container_leaves(result)]):
        with worker().lock:
            worker().unseen.append(call)
    return result


def run_program(program: Any, flat: list) -> tuple:
    results = program.results(flat)
    program.given(flat, results)
    return results


class LaterPmap(Pmap[P, R]):
    """pmap whose calls return at once."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        worker().tell()
        args, kwargs = awaited_values((args, kwargs))
        if jobs.process_count() > 1:  # processes would come to different calls, one in the worker and one outside of it
            worker().finish()
            return super().__call__(*args, **kwargs)
        mesh = self.mesh_of(args, kwargs)
        count = self.count(args, kwargs, mesh)
        if mesh is not None and mesh.gpus is not None:
            worker().finish()
            return super().__call__(*args, **kwargs)
        one, copies = self.program_of(count, mesh), {}
        calls = self.checked(one, args, kwargs, lambda: self.bound(one, count, mesh, args, kwargs))
        if not all([call and may_run_later(call.program.spec) for call in calls]):
            return worker().submit([], functools.partial(super().__call__, *args, **kwargs)).result()
        for call in calls:
            call.keep(copies, worker().copy)
        future = worker().submit([], self.together, calls, mesh)
        call = RunningCall(Leaves(future), called_at(self.__name__, sys._getframe(1)))
        number = itertools.count()

        def awaited(*_):
            return Awaited(call, next(number))
        out = calls[0].program.spec.out
        return heard_of(call, folded_structure(out, awaited, lambda obj: awaited() if is_run_time_leaf(obj) else obj,
                                               made_of, awaited))


class Leaves:
    """A future tree, as the list of its leaves."""

    def __init__(self, future: Future):
        self.future = future

    def done(self) -> bool:
        return self.future.done()

    def result(self) -> list:
        return [x for x in container_leaves(self.future.result()) if is_run_time_leaf(x) or type(x) is Sharded]


def may_run_later(spec) -> bool:
    """Does it store into no argument, and are the containers of its results known before it runs?"""
    return not spec.fun.writes and not has_optional(spec.out)


def has_optional(out) -> bool:
    """Does the run decide which of two values there is, in results of this structure?"""
    found = []
    folded_structure(out, lambda k: None, lambda obj: None, lambda *of: None, lambda *of: None, lambda k, part,
                     other: found.append(k))
    return bool(found)


def called_at(name: str, caller: types.FrameType) -> str:
    return f"in the call of {name} at {caller.f_code.co_filename}:{caller.f_lineno}"
