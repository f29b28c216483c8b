"""Where the elements of a view are: the index of a view's element turned into an index of its base.

    v = x[a:b, :, k]      v[i, j]  is  x[start + i, j, k]

`start` and the length of v are computed once, in lines before the loop: slices clamp as Python's do,
integers wrap and are checked.
"""
from __future__ import annotations

from dataclasses import dataclass

from ..core.index_codes import entries
from ..core.types import Dim
from ..loop_core.core import ONE, ZERO, Binary, Call, Expr, Num, expr, integer, rs
from .writer import Writer


@dataclass
class Slice:
    """Elements start, start + step, ... of an axis, and how many."""

    start: Expr
    step: Expr
    length: Expr
    dim: Dim | None = None  # the length, where it is a known polynomial

    def place(self, i: Expr) -> Expr:
        i = i if self.step == ONE or i == ZERO else i * self.step
        return moved_by(i, self.start)


def moved_by(i: Expr, by: Expr | int) -> Expr:
    """The place i + by; one that is moved by a number already is moved by both at once."""
    match i, integer(expr(by)):
        case Binary(symbol="+" | "-" as sign, x=x, y=Num(value=first)), int(more):
            i, by = x, (first if sign == "+" else -first) + more
        case Num(value=first), int(more):
            return expr(first + more)
    if i == ZERO or expr(by) == ZERO:
        return expr(by) if i == ZERO else i
    return i - -by if isinstance(by, int) and by < 0 else i + by


@dataclass
class IndexEntry:
    """One entry of an index, ready: ":" and "n" and slices take a result axis, ints do not,
    index arrays share theirs."""

    code: str
    axis: int | None  # of the base
    place: Expr | None = None  # of an int
    slice: Slice | None = None
    array: object = None


def prepare_slice(w: Writer, bounds, n: Expr, dim: Dim, know) -> Slice:
    """A slice of an axis of n elements: polynomials where its bounds are known to be inside, else clamped."""
    start, stop, step = bounds
    step = ONE if step is None else w.atom(step)
    if integer(step) is None:
        w.check(step.ne(0), "ValueError", "slice step cannot be zero")
    if step == ONE:
        return dense_slice(w, start, stop, n, dim, know)
    low = rs.slice_from(w.atom(start), n, step) if start is not None else by_sign(step, ZERO, n - 1)
    high = rs.slice_to(w.atom(stop), n, step) if stop is not None else by_sign(step, n, expr(-1))
    low, high = w.let("start", low), w.let("stop", high)
    return Slice(low, step, w.let("length", rs.slice_count(low, high, step)))


def dense_slice(w: Writer, start, stop, n: Expr, dim: Dim, know) -> Slice:
    """One whose step is 1."""
    if start is None and stop is None:
        return Slice(ZERO, ONE, n, dim)
    low = Dim.of(0) if start is None else know.place(start, dim)
    high = dim if stop is None else know.place(stop, dim)
    known = low is not None and high is not None and know.holds(high - low)
    first = w.number(low, "start")
    first = w.let("start", rs.clamp(w.atom(start), n)) if first is None else first
    last = n if stop is None else w.number(high, "stop") if first == ZERO else None
    if known and (length := w.number(high - low)) is not None:
        return Slice(first, ONE, length, high - low)
    last = w.let("stop", rs.clamp(w.atom(stop), n)) if last is None else last
    return Slice(first, ONE, last if first == ZERO else w.let("length", rs.span(first, last)))


def by_sign(step: Expr, up: Expr, down: Expr) -> Expr:
    """One of two numbers, by the sign of a step."""
    known = integer(step)
    return rs.select(step > 0, up, down) if known is None else up if known > 0 else down


def out_of_bounds(axis: int) -> tuple[str, str]:
    return "IndexError", f"index {{0}} is out of bounds for axis {axis} with size {{1}}"


def checked_index(w: Writer, i: Expr, axis: int, n: Expr) -> Call:
    """The place of index i in an axis of n elements; wraps, stops where it is out of range."""
    return rs.index(i, n, w.site(*out_of_bounds(axis)))


def from_first(place: Expr, length) -> Expr:
    """An index that is in range, counted from the first of `length()` elements: so are all of loop core."""
    back = integer(place)
    if back is None or back >= 0:
        return place
    n = length()
    return n - -back if integer(n) is None else expr(integer(n) + back)


def prepare(w: Writer, index, atoms, shape, dims, know) -> list[IndexEntry]:
    """The parts of an index; `shape(axis)` is a length of the base, `dims` its polynomials."""
    parts, axis = [], 0
    for code, own in entries(index, atoms):
        if code == "n":
            parts.append(IndexEntry("n", None))
            continue
        if code == "i":
            place = w.atom(own[0])
            if not know.in_range(own[0], dims[axis]):
                place = w.let("k", checked_index(w, place, axis, shape(axis)))
            else:
                place = from_first(place, lambda: shape(axis))
            parts.append(IndexEntry("i", axis, place))
        elif code == "a":
            parts.append(IndexEntry("a", axis, array=own[0]))
        elif code == ":":
            parts.append(IndexEntry(":", axis, slice=Slice(ZERO, ONE, shape(axis), dims[axis])))
        else:
            parts.append(IndexEntry("s", axis, slice=prepare_slice(w, own, shape(axis), dims[axis], know)))
        axis += 1
    return parts


class Know:
    """What is proved of indices: nothing."""

    def in_range(self, atom, length: Dim) -> bool:
        return False

    def holds(self, e: Dim) -> bool:
        return False

    def place(self, atom, length: Dim) -> Dim | None:
        """Where a slice bound falls, if it is surely in [0, length]."""
        return None


def arrays_at(parts: list[IndexEntry]) -> int:
    """The first result axis of the index arrays (and of the ints beside them), by NumPy's rules."""
    advanced = [k for k, p in enumerate(parts) if p.code == "a" or p.code == "i"]
    together = advanced == list(range(advanced[0], advanced[0] + len(advanced)))
    return sum(p.code in ":sn" for p in parts[:advanced[0]]) if together else 0


def base_index(parts: list[IndexEntry], out: list[Expr], array_rank: int, read_array) -> list[Expr]:
    """The index in the base of the element `out` of the view."""
    out = list(out)
    has_arrays = any(p.code == "a" for p in parts)
    array_out: list[Expr] = []
    if has_arrays:
        at = arrays_at(parts)
        array_out = out[at:at + array_rank]
        del out[at:at + array_rank]
    places = []
    for p in parts:
        match p.code:
            case "n":
                out.pop(0)
            case "i":
                places.append(p.place)
            case "a":
                places.append(read_array(p, array_out))
            case _:
                places.append(p.slice.place(out.pop(0)))
    return places + out


def lengths(parts: list[IndexEntry], base_rank: int, shape, array_lengths=()) -> list[Expr]:
    """The shape of the view."""
    out = [p.slice.length if p.slice else ONE for p in parts if p.code in ":sn"]
    if any(p.code == "a" for p in parts):
        at = arrays_at(parts)
        out[at:at] = array_lengths
    used = sum(p.axis is not None for p in parts)
    return out + [shape(k) for k in range(used, base_rank)]
