"""What a traceback shows: the user's frames and the message.

The frames of this library are left out, as they say nothing about the user's program.  GRADSCRIBE_TRACEBACK=full, a
variable of the environment, shows all of them; so does an error that is a bug of ours.
"""
from __future__ import annotations

import contextlib
import functools
import os
from types import TracebackType

from .errors import GradscribeError

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WITHIN = ("<string>", contextlib.__file__)  # what stands between our frames
OURS = tuple(os.path.join(ROOT, name) + os.sep for name in ("transformer", "runtime", "gradscribe"))


def shortened(error: BaseException) -> None:
    """Take the frames of this library out of an exception that leaves it."""
    if os.environ.get("GRADSCRIBE_TRACEBACK") == "full" or is_bug(error):
        return
    if isinstance(error, GradscribeError):
        error.__suppress_context__ = True  # how it was found
    kept, at, inside = [], error.__traceback__, False
    told = bool(getattr(error, "__notes__", ()))  # of the user's line
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        inside = file.startswith(OURS) or inside and (file in WITHIN or told and file.startswith("<gradscribe "))
        if not inside:
            kept.append(at)
        at = at.tb_next
    chain = None
    for at in reversed(kept):
        chain = TracebackType(chain, at.tb_frame, at.tb_lasti, at.tb_lineno)
    error.__traceback__ = chain


def short(method):
    """A method whose errors are shortened."""
    @functools.wraps(method)
    def call(*args, **kwargs):
        try:
            return method(*args, **kwargs)
        except Exception as error:
            shortened(error)
            raise
    return call


def is_bug(error: BaseException) -> bool:
    """Has it arisen in this library while it transformed a function?"""
    return any([note.startswith("while ") for note in getattr(error, "__notes__", ())])
