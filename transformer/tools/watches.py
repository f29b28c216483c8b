"""What users have asked to be looked at in each call: a process, or a part of a thread's run, has these switches.

A call asks only whether `active` is true, which it is as long as anybody watches anywhere.
"""
from __future__ import annotations

import contextvars
import threading
from contextlib import ContextDecorator
from dataclasses import dataclass, fields, replace

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
here: contextvars.ContextVar[tuple[Watch, ...]] = contextvars.ContextVar("gradscribe_watches", default=())
lock = threading.Lock()


def watched_here() -> Watch:
    """What is looked for in this thread."""
    all_of_them = (everywhere, *here.get())
    return Watch(*[any([getattr(watch, field.name) for watch in all_of_them]) for field in fields(Watch)])


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


class Watching(ContextDecorator):
    """Look for these as well, in this thread, in a block of it.

    A block may be entered again, inside of itself too, and may end after one that began later, or in another context,
    as blocks of generators and of asynchronous functions do.
    """

    def __init__(self, **switches: bool):
        self.watch = Watch(**switches)

    def __enter__(self) -> None:
        here.set((*here.get(), self.watch))
        count_watchers(1)

    def __exit__(self, *_) -> None:
        watches = [*here.get()]
        if self.watch in watches:  # else this context has not seen the block begin
            watches.remove(self.watch)
            here.set(tuple(watches))
        count_watchers(-1)
