"""Hears from numba when it begins and ends to compile a function, for the line that says so."""
import sys
import threading

from numba.core import event

from . import progress


class Progress(event.Listener):
    """Hears which function numba begins and ends; in one of ours those inside are its parts."""

    def __init__(self):
        self.line: progress.Line | None = None
        self.open = 0

    def on_start(self, event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        function = event.data["dispatcher"].py_func
        if self.open or function.__module__.startswith("gradscribe_") and progress.looked_at(sys.stderr):
            self.open += 1
        if self.open == 1:
            self.line = progress.Line(sys.stderr, function.__name__)

    def on_end(self, event) -> None:
        if not self.open or threading.current_thread() is not threading.main_thread():
            return
        self.open -= 1
        if not self.open:
            self.line.close()


event.register("numba:compile", Progress())
