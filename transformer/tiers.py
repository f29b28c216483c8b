"""`jit(f, tiered=True)`: the readable source runs while numba compiles in the background.

What is long is compiled by a process of its own (`runtime/ahead.py`), so that meanwhile calls do not wait for Python's
lock; what it leaves on disk is loaded here."""
from __future__ import annotations

import threading
from typing import Callable

from gradscribe.runtime.ahead import compile_apart


class Waiting:
    """A program that is compiled by a thread of its own.

    lowered   gives what is to be compiled
    args      flat values like those of all calls
    done      is given the compiled function

    What goes wrong is raised at each call from then on, as where a call compiles. The thread does not keep the process
    from ending; the arguments of the call are kept until their types are known.
    """

    def __init__(self, lowered: Callable, args: list, done: Callable):
        self.lowered, self.args, self.done = lowered, args, done
        self.error: Exception | None = None
        from gradscribe.runtime import compiled
        self.compiler = compiled
        threading.Thread(target=self.run, name="gradscribe compiles", daemon=True).start()

    def run(self) -> None:
        try:
            with self.compiler.lock:
                types, self.args = self.compiler.numba_types(self.args), None
                lowered = self.lowered()
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
