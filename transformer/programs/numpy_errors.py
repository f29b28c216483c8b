"""Is NumPy set to raise where a number is divided by zero, overflows, or is none?

Plain source hears that by itself, since NumPy computes it.  Compiled code does not: its calls ask here, of what NumPy
keeps for this thread, which is another object after each change.
"""
from __future__ import annotations

from numpy._core.umath import _extobj_contextvar, _get_extobj_dict

KINDS = ("divide", "over", "under", "invalid")
as_set = _extobj_contextvar.get
quiet = [None]  # what NumPy kept, when it was last asked and did not raise: the question takes half a microsecond


def raised_kinds() -> tuple[str, ...]:
    """The kinds of errors that NumPy raises now."""
    kept = as_set()
    if kept is quiet[0]:
        return ()
    said = _get_extobj_dict()
    kinds = tuple([kind for kind in KINDS if said[kind] == "raise"])
    if not kinds:
        quiet[0] = kept
    return kinds
