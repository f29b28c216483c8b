"""Errors raised while generated code runs: a note says which line of the user's it was.

    ValueError: operands could not be broadcast together with shapes (3,) (4,)
    model.py:14, in loss:
        14 |     r = y - predict(x)
           |     ^^^^^^^^^^^^^^^^^^
"""
from __future__ import annotations

from ..core import AdjointOrigin
from ..errors.carets import caret
from ..errors.messages import Origin


def tell(error: Exception, source) -> None:
    """Add the note; `source` is the readable source that ran, None for compiled code."""
    origin = getattr(error, "gradscribe_origin", None) or source and _innermost_line(error.__traceback__, source)
    if said := said_of(origin):
        error.add_note(said)


def said_of(origin) -> str:
    """What a note says of a place in the user's text; nothing of no place."""
    adjoint = isinstance(origin, AdjointOrigin)
    while isinstance(origin, AdjointOrigin):
        origin = origin.of
    if not isinstance(origin, Origin):
        return ""
    where = f", in {origin.function}" if origin.function else ""
    return "\n".join([f"{origin.place}{where}{', in its adjoint' if adjoint else ''}:", *caret(origin)])


def _innermost_line(traceback, source):
    """The place of the innermost line of the readable source."""
    found = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == source.file:
            found = source.line_map.get(traceback.tb_lineno, found)
        traceback = traceback.tb_next
    return found
