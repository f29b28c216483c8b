"""What users have asked to be looked at in each call: a process, or a part of a thread's run, has these switches.

A call asks only whether `active` is true, which it is as long as anybody watches anywhere.
"""
from __future__ import annotations

import contextvars
import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ..programs.numpy_errors import raised_kinds


@dataclass(frozen=True)
class Watch:
    """What is looked for."""

    nans: bool = False  # where does NaN come from?
    infs: bool = False  # and infinities?
    same: bool = False  # is what compiled code gives the same as what the readable source gives?

    @property
    def lines(self) -> bool:
        """Is each line looked at?"""
        return self.nans or self.infs


active = 0  # how many contexts there are, in all threads, and options of the whole process
everywhere = Watch()  # the options of the whole process
here: contextvars.ContextVar[Watch] = contextvars.ContextVar("gradscribe_watch", default=Watch())
lock = threading.Lock()


def watched_here() -> Watch:
    """What is looked for in this thread."""
    mine = here.get()
    return Watch(everywhere.nans or mine.nans, everywhere.infs or mine.infs, mine.same)


def is_wanted(compiled: bool) -> bool:
    """Is there something to look for in a call, which may be of compiled code?"""
    return bool(active) or compiled and bool(raised_kinds())


def count_watchers(by: int) -> None:
    global active
    with lock:
        active += by


def set_everywhere(**switches: bool) -> None:
    """Set options of the whole process."""
    global everywhere
    before, everywhere = everywhere, replace(everywhere, **switches)
    count_watchers((everywhere != Watch()) - (before != Watch()))


@contextmanager
def watching(**switches: bool):
    """Look for these as well, in this thread."""
    token = here.set(replace(here.get(), **switches))
    count_watchers(1)
    try:
        yield
    finally:
        count_watchers(-1)
        here.reset(token)
