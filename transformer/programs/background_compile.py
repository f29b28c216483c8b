"""`jit(f, tiered=True)`: the readable source runs while numba compiles in the background; at a prompt and in notebooks
so does what is not short, unless it says tiered=False.

What is long is compiled by a process of its own (`runtime/loading/compile_process.py`), so that meanwhile calls do not
wait for Python's lock; what it leaves on disk is loaded here."""
from __future__ import annotations

import sys
import threading
from typing import Callable

from gradscribe.runtime.compiler import progress
from gradscribe.runtime.loading import forked_call
from gradscribe.runtime.loading.compile_process import compile_apart

from ..core import Let, walk
from ..rules.collectives import Collective


class Waiting:
    """A program that is compiled by a thread of its own, once it is started.

    lowered   gives what is to be compiled
    args      flat values like those of all calls
    done      is given the compiled function

    What goes wrong is raised at each call from then on, as where a call compiles. The thread does not keep the process
    from ending; the arguments of the call are kept until their types and lengths are known.
    """

    def __init__(self, lowered: Callable, args: list, done: Callable):
        self.lowered, self.args, self.done = lowered, args, done
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self.run, name="gradscribe compiles", daemon=True)

    def start(self) -> None:
        from gradscribe.runtime.loading import trampoline
        self.compiler = trampoline
        self.thread.start()

    def run(self) -> None:
        try:
            with self.compiler.lock:
                types = self.compiler.numba_types(self.args)
                lowered, self.args = self.compiler.meant_for(self.lowered(), self.args), None
                every = (*types, *self.compiler.compile_module(lowered).call.output_types())
            compile_apart(lowered.entry, lowered.spelled("numba"), every)
            with self.compiler.lock:
                self.done(self.compiler.compile_ahead(lowered, types))
        except Exception as error:  # whatever it is, the thread that calls is to see it
            self.error = error

    def check(self) -> None:
        """Raise what went wrong."""
        if self.error is not None:
            raise self.error.with_traceback(None)

    def wait(self) -> None:
        """Until there is something to call."""
        self.thread.join()
        self.check()


class Interim:
    """What a program runs as while it is compiled: the readable source in a copy of this process, until that has
    results or the compiler is done, whichever is first; where there can be no copy, the readable source here."""

    def __init__(self, program, readable: Callable[..., tuple]):
        self.program, self.readable, self.waiting = program, readable, program.waiting
        self.alone, self.announced = gives_results_alone(program.core), False

    def __call__(self, *args) -> tuple:
        if not (self.alone and forked_call.possible()):
            self.begin()
            return self.readable(*args)
        copy = forked_call.ForkedCall(self.readable, args)
        self.begin()
        with progress.line_shown(self.program.core.name):
            results = copy.results(lambda: self.program.waiting is None)
            if results is None:
                self.waiting.wait()
                return self.program.run(*args)
        self.tell()
        return results

    def begin(self) -> None:
        """Compile, from the first call on: it has made its copy, which no thread of ours has locks in."""
        with self.program.lock:
            if not self.waiting.thread.ident:
                self.waiting.start()

    def tell(self) -> None:
        if self.program.waiting is not None and not self.announced and statement_count(self.program) > LONG:
            self.announced = True
            progress.announce(f"{self.program.core.name} runs in plain NumPy until it is compiled")


SHORT, LONG = 25, 300  # statements: up to which one waits for the compiler (0.3 s), and from which on it takes seconds


def statement_count(program) -> int:
    return sum(1 for _ in walk(program.optimised.body))


def unasked(program) -> bool:
    """Should the readable source run while the program is compiled, if its user has not said so?"""
    return (program.owner.target == "cpu" and at_a_prompt() and statement_count(program) > SHORT
            and gives_results_alone(program.core) and forked_call.possible())


def at_a_prompt() -> bool:
    """Does somebody wait for each result: at Python's prompt, or in IPython or a notebook?"""
    ipython = sys.modules.get("IPython")
    return hasattr(sys, "ps1") or ipython is not None and ipython.get_ipython() is not None


def gives_results_alone(fun) -> bool:
    """Does the program neither store into arguments, nor print, nor speak with other processes?"""
    return not fun.writes and not any([isinstance(stmt, Let) and (stmt.op.shown or isinstance(stmt.op, Collective))
                                       for stmt in walk(fun.body)])
