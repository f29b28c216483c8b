"""Says on a terminal, or in a notebook, that a compilation takes long: one line, which goes when it is done.

    compiling euler: 7 s

Where nobody looks (a file, a pipe, another thread than the main one) nothing is said, nor with GRADSCRIBE_PROGRESS=0.
"""
from __future__ import annotations

import os
import sys
import threading
import time

from numba.core import event

PATIENCE, STEP = 2.0, 0.5  # seconds until something is said, and between two times


def looked_at(stream) -> bool:
    """Is it a terminal, or the output of a notebook?"""
    if os.environ.get("GRADSCRIBE_PROGRESS") == "0":
        return False
    return type(stream).__module__.startswith("ipykernel.") or getattr(stream, "isatty", lambda: False)()


class Progress(event.Listener):
    """Hears which function numba begins and ends; in one of ours those inside are its parts."""

    def __init__(self):
        self.line: Line | None = None
        self.open = 0

    def on_start(self, event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        function = event.data["dispatcher"].py_func
        if self.open or function.__module__.startswith("gradscribe_") and looked_at(sys.stderr):
            self.open += 1
        if self.open == 1:
            self.line = Line(sys.stderr, function.__name__)

    def on_end(self, event) -> None:
        if not self.open or threading.current_thread() is not threading.main_thread():
            return
        self.open -= 1
        if not self.open:
            self.line.close()


class Line(threading.Thread):
    """The line, written again and again by a thread of its own until it is closed."""

    def __init__(self, stream, name: str):
        super().__init__(name="gradscribe shows progress", daemon=True)
        self.stream, self.title, self.begun = stream, name, time.monotonic()
        self.ended, self.width = threading.Event(), 0
        self.start()

    def run(self) -> None:
        pause = PATIENCE
        while not self.ended.wait(pause):
            self.show(f"compiling {self.title}: {time.monotonic() - self.begun:.0f} s")
            pause = STEP

    def show(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def close(self) -> None:
        self.ended.set()
        self.join()
        if self.width:
            self.show("")
            self.stream.write("\r")
            self.stream.flush()


event.register("numba:compile", Progress())
