"""What a traceback shows: the user's frames and the message, and what a message says that has no place of its own.

The frames of this library are left out, as they say nothing about the user's program.  GRADSCRIBE_TRACEBACK=full, a
variable of the environment, shows all of them; so does an error that is a bug of ours.
"""
from __future__ import annotations

import contextlib
import functools
import itertools
import linecache
import os
import sys
from types import FrameType, TracebackType

from .carets import caret
from .messages import GradscribeError, Origin

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WITHIN = ("<string>", contextlib.__file__)  # what stands between our frames
PYTHONS = os.path.dirname(os.__file__) + os.sep
OURS = tuple(os.path.join(ROOT, name) + os.sep for name in ("transformer", "runtime", "gradscribe"))


def shortened(error: BaseException) -> None:
    """Take the frames of this library out of an exception that leaves it."""
    if os.environ.get("GRADSCRIBE_TRACEBACK") == "full" or is_bug(error):
        return
    if isinstance(error, GradscribeError):
        error.__suppress_context__ = True  # how it was found
    kept, at, inside = [], error.__traceback__, False
    noted = bool(getattr(error, "__notes__", ()))  # of the user's line
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        inside = file.startswith(OURS) or inside and (file in WITHIN or noted and file.startswith("<gradscribe "))
        if not inside:
            kept.append(at)
        at = at.tb_next
    chain = None
    for at in reversed(kept):
        chain = TracebackType(chain, at.tb_frame, at.tb_lasti, at.tb_lineno)
    error.__traceback__ = chain


def leaves_library(error: BaseException) -> None:
    """An exception leaves this library for the user's program; what is refused, and says no place, says which call."""
    shortened(error)
    if isinstance(error, GradscribeError) and error.origin is None and not getattr(error, "__notes__", ()):
        origin = user_call(sys._getframe(1))
        if origin is not None:
            error.add_note("\n".join([f"{origin.place}, in {origin.function}:", *caret(origin)]))


def user_call(frame: FrameType | None) -> Origin | None:
    """The call in the user's text that a frame of ours comes from."""
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return None
    code = frame.f_code
    place = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    line, end_line, col, end_col = place
    if None in place:
        line, end_line, col, end_col = frame.f_lineno, frame.f_lineno, 0, 0
    text = [linecache.getline(code.co_filename, k, frame.f_globals) for k in range(line, end_line + 1)]
    first, last = (at(text[k], n) for at, k, n in ((characters, 0, col), (characters, -1, end_col)))
    return Origin(code.co_filename, line, first, end_line, last, "".join(text).rstrip("\n"), code.co_name)


def characters(line: str, count: int) -> int:
    """How many characters the first bytes of a line are."""
    return len(line.encode()[:count].decode(errors="ignore"))


def is_ours(file: str) -> bool:
    """Is it no text of the user's: ours, what we have written, or Python's own, which runs threads?"""
    return (file.startswith((*OURS, "<gradscribe ")) or file in (*WITHIN, "<fast path>")
            or file.startswith(PYTHONS) and "site-packages" not in file)


def short(method):
    """A method whose errors are shortened."""
    @functools.wraps(method)
    def call(*args, **kwargs):
        try:
            return method(*args, **kwargs)
        except Exception as error:
            leaves_library(error)
            raise
    return call


def is_bug(error: BaseException) -> bool:
    """Has it arisen in this library while it transformed a function?"""
    return any([note.startswith("while ") for note in getattr(error, "__notes__", ())])
