"""What is done where nobody is to see it, as users have seen it: output, warnings and logs are dropped.

Python has these once for all threads.  So the first thread that comes turns them off, and the last that leaves turns
them on again: blocks of several threads that overlap would else restore what another has set, for good.
"""
from __future__ import annotations

import contextvars
import logging
import sys
import threading
import warnings
from contextlib import ExitStack, contextmanager

hidden: contextvars.ContextVar[bool] = contextvars.ContextVar("gradscribe_hidden", default=False)


class SiftedOutput:
    """A stream without what hidden parts of a run write."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text: str) -> int:
        return len(text) if hidden.get() else self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


class Silence:
    """Turns off what all threads share, as long as one of them wants it."""

    def __init__(self):
        self.lock, self.count, self.undo = threading.Lock(), 0, ExitStack()

    def begin(self) -> None:
        with self.lock:
            self.count += 1
            if self.count == 1:
                self.undo.callback(logging.disable, logging.root.manager.disable)
                logging.disable()
                self.undo.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
                self.undo.callback(self.restore, sys.stdout)
                sys.stdout = SiftedOutput(sys.stdout)

    def end(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0:
                self.undo.close()

    def restore(self, stream) -> None:
        if isinstance(sys.stdout, SiftedOutput):  # else somebody else has replaced it
            sys.stdout = stream


silence = Silence()


@contextmanager
def unseen():
    """What is done in here shows nothing."""
    token = hidden.set(True)
    silence.begin()
    try:
        yield
    finally:
        silence.end()
        hidden.reset(token)
