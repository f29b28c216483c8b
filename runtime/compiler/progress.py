"""Says on a terminal, or in a notebook, that a compilation takes long: one line, which goes when it is done.

    compiling euler: 7 s

Where nobody looks (a file, a pipe, another thread than the main one) nothing is said, nor with GRADSCRIBE_PROGRESS=0.
"""
from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

PATIENCE, STEP = 2.0, 0.5  # seconds until something is said, and between two times


def looked_at(stream) -> bool:
    """Is it a terminal, or the output of a notebook?"""
    if os.environ.get("GRADSCRIBE_PROGRESS") == "0":
        return False
    return type(stream).__module__.startswith("ipykernel.") or getattr(stream, "isatty", lambda: False)()


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


@contextlib.contextmanager
def line_shown(name: str):
    """The line while the block runs."""
    line = Line(sys.stderr, name) if looked_at(sys.stderr) else None
    try:
        yield
    finally:
        if line is not None:
            line.close()


def announce(text: str) -> None:
    if looked_at(sys.stderr):
        print(text, file=sys.stderr, flush=True)
