"""Slices: their bounds, of which the run may say that there are none, and their lengths."""
from __future__ import annotations

from ....core import Const
from ....core.types import PY_BOOL, Dim
from ...domain import values as v
from ..flow.control import choose
from ..flow.sides import NONE


def known_bounds(s, bounds, n: Dim) -> list:
    """Start, stop and step of a slice of an axis of length n; in place of one that is None on some paths a number that
    means the same there."""
    start, stop, step = bounds
    step = given_or(s, step, lambda: v.Static(1))
    if not any([isinstance(p, v.OneOf) for p in (start, stop)]):
        return [start, stop, step]
    ahead = v.Static(True) if step == NONE else s.elementwise("greater", step, v.Static(0))

    def end(forwards, backwards):
        if isinstance(ahead, v.Static):
            return number(forwards if ahead.value else backwards)
        return choose(s, s.atom(ahead), lambda: number(forwards), lambda: number(backwards))

    def number(dim: Dim):
        return s.wrap(s.dim_atom(dim))

    return [given_or(s, start, lambda: end(Dim.of(0), n - 1)), given_or(s, stop, lambda: end(n, -n - 1)), step]


def given_or(s, bound, otherwise):
    """A bound, or what is meant where it is None."""
    if not isinstance(bound, v.OneOf) or bound.other != NONE or s.is_there(bound):
        return s.present(bound)
    return choose(s, bound.flag, lambda: bound.value, otherwise)


def slice_entry(s, bounds, n: Dim):
    """The entry of an index that a slice is, at an axis of length n: (code, atoms, length)."""
    atoms = [None if p == NONE else s.atom(p) for p in known_bounds(s, bounds, n)]
    given = [a for a in atoms if a is not None]
    for t in map(s.b.type, given):
        if t.dtype.kind not in "iu" and t != PY_BOOL:
            s.refuse_several(given)
            s.stop("TypeError", "slice indices must be integers or None or have an __index__ method")
    if atoms[2] in (Const(1), None) and atoms[0] in (Const(0), None) and (atoms[1] is None or s.b.dim(atoms[1]) == n):
        return ":", [], None
    return "s" + "".join("0" if a is None else "1" for a in atoms), given, slice_length(s, n, *atoms)


def slice_length(s, n: Dim, start, stop, step) -> Dim:
    """The length of a slice of an axis of n: a polynomial under assumptions at entry, else computed at run time."""
    bounds = (start, stop, step)
    if not any([isinstance(a, str) for a in bounds]) and (known := known_length(s, n, *bounds)) is not None:
        return known
    given = "".join("0" if a is None else "1" for a in bounds)
    length = s.b.dim(s.int_op("rt.slice_length", s.dim_atom(n), *(a for a in bounds if a is not None),
                              given=given, hint="length"))
    if None not in (start, stop) and step in (None, Const(1)) and s.b.dim(stop) - s.b.dim(start) == 1:
        s.singles.add(length)
    return length


def known_length(s, n: Dim, *bounds: Const | None) -> Dim | None:
    """The length of a slice with these bounds, where it is linear in n."""
    constants = [None if a is None else a.value for a in bounds]
    if n.constant is not None:
        return Dim.of(len(range(*slice(*constants).indices(n.constant))))
    if constants == [None, None, -1]:
        return n
    if constants[2] in (None, 1) and s.at_entry(n):
        return _linear_length(s, n, constants[0] or 0, constants[1])
    return None


def _linear_length(s, n: Dim, start: int, stop: int | None) -> Dim:
    def place(bound: int) -> Dim:
        if bound and not s.presume(n, ">=", abs(bound)):
            return n if bound > 0 else Dim.of(0)
        return Dim.of(bound) if bound >= 0 else n + bound

    first = place(start)
    length = (n if stop is None else place(stop)) - first
    if first == n:
        return Dim.of(0)
    if length.constant is not None:
        return Dim.of(max(0, length.constant))
    return length if s.presume(length, ">=", 0) else Dim.of(0)
