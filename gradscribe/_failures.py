"""What the command line prints of an exception: the user's place with a caret and the message, and no traceback.

GRADSCRIBE_TRACEBACK=full, a variable of the environment, shows the whole traceback; so does a bug of ours.
"""
from __future__ import annotations

import linecache
import os
import traceback

from gradscribe.transformer.errors.carets import caret
from gradscribe.transformer.errors.messages import GradscribeError, Origin
from gradscribe.transformer.errors.tracebacks import characters, is_bug, is_ours
from gradscribe.transformer.frontend.capture import INSTALLED


def failure_text(error: BaseException, caller: Origin | None) -> str:
    """The text; `caller`: who has called the command line, which is no place of the user's program."""
    if os.environ.get("GRADSCRIBE_TRACEBACK") == "full" or is_bug(error):
        return "".join(traceback.format_exception(error)).rstrip("\n")
    of_caller = f"{caller.place}, in {caller.function}:" if caller else "\n"
    notes = [note for note in getattr(error, "__notes__", []) if not note.startswith(of_caller)]
    if isinstance(error, GradscribeError):
        return "\n".join([str(error), *notes])
    if isinstance(error, SyntaxError) and error.filename:
        return placed_text(place_of_syntax(error), f"{type(error).__name__}: {error.msg}")
    said = "\n".join([f"{type(error).__name__}: {error}".rstrip(": "), *notes])
    return said if notes else placed_text(place_of_exception(error), said)


def placed_text(origin: Origin | None, said: str) -> str:
    return "\n".join([f"{origin.place}: {said}" if origin else said, *caret(origin)])


def place_of_exception(error: BaseException) -> Origin | None:
    """The innermost line of the user's that an exception comes from."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file, number = frame.filename, frame.lineno or 0
        line = linecache.getline(file, number).rstrip("\n")
        if line and not is_ours(file) and not file.startswith((*INSTALLED, "<frozen ")):
            first, end = (characters(line, k or 0) for k in (frame.colno, frame.end_colno))
            return Origin(file, number, first, frame.end_lineno or number, end, line, frame.name)
    return None


def place_of_syntax(error: SyntaxError) -> Origin:
    line, column = error.lineno or 1, max((error.offset or 1) - 1, 0)
    return Origin(error.filename, line, column, error.end_lineno or line, max((error.end_offset or 0) - 1, column + 1),
                  (error.text or "").rstrip("\n"))
