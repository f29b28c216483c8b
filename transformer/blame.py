"""Errors raised while generated code runs: a note says which line of the user's it was.

    ValueError: operands could not be broadcast together with shapes (3,) (4,)
    model.py:14, in loss:
        14 |     r = y - predict(x)
           |     ^^^^^^^^^^^^^^^^^^
"""
from __future__ import annotations

from .core import Adjoint
from .errors import Origin, caret


def tell(error: Exception, file: str, line_map: dict) -> None:
    """Add the note; `file` is what tracebacks call the readable source, and `line_map` {its line: Origin}."""
    origin = getattr(error, "gradscribe_origin", None) or _found(error.__traceback__, file, line_map)
    adjoint = isinstance(origin, Adjoint)
    while isinstance(origin, Adjoint):
        origin = origin.of
    if isinstance(origin, Origin):
        where = f", in {origin.function}" if origin.function else ""
        error.add_note("\n".join([f"{origin.place}{where}{', in its adjoint' if adjoint else ''}:", *caret(origin)]))


def _found(traceback, file: str, line_map: dict):
    """The place of the innermost line of the readable source."""
    found = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            found = line_map.get(traceback.tb_lineno, found)
        traceback = traceback.tb_next
    return found
