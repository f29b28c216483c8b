"""Parts of views: their cotangents go to what the view is taken of, at the place of the part.

    for i in range(n):                     for i__1 in range(n - 1, -1, -1):
        t = y[1:]                              y_bar[i__1 + 1] += t_bar
        s__2 = s__1 + t[i]

Else each iteration of the mirror would make zeros for the adjoint of the view, store one element, and add all of them
to that of y.  A view by other means than an index is taken before the loop that does not change it, also where a branch
in it reads the view, and the loop then carries its adjoint.
"""
from __future__ import annotations

from ..analyse.intervals import Intervals
from ..analyse.raising import Raising
from ..core import VIEW, Atom, Builder, Const, Fun, Let
from ..core.before_loops import before_loops
from ..core.index_codes import entries
from ..core.types import Dim
from ..rules import OPS
from ..rules.kinds import dim_atom


def views_before_loops(fun: Fun) -> Fun:
    raising = Raising(fun)

    def may_move(let: Let) -> bool:
        return is_taken_of_another(let) and fun.types[let.name].kind == "array" and not raising.may(let)

    return before_loops(fun, may_move, out_of_branches=True)


def is_taken_of_another(let: Let) -> bool:
    return let.op.memory is VIEW and not let.op.own_memory(dict(let.params))


def is_part(let: Let | None) -> bool:
    """Is it a view that an index names?"""
    return let is not None and let.op is OPS["getitem"] and is_taken_of_another(let)


def bases(names, lets: dict[str, Let]) -> set[str]:
    """What these names are parts of, and what that is a part of."""
    found: set[str] = set()
    for name in names:
        while is_part(let := lets.get(name)):
            name = let.args[0]
            found.add(name)
    return found


def of_base(b: Builder, facts: Intervals, let: Let, view: Let) -> Let | None:
    """A part of a view as a part of what the view is taken of: x[1:][i] is x[i + 1].  It has been read, so that it is
    there.  None: where it is in x is not known."""
    outer, inner = entries(view.param("index"), view.args[1:]), entries(let.param("index"), let.args[1:])
    if any([code in "na" for code, _ in outer + inner]):
        return None
    x, dims = b.type(view.args[0]), b.type(let.name).dims
    parts, lengths, taken = iter(inner), iter(b.type(view.name).dims), iter(dims)
    index = []
    for n, entry in zip(x.dims, outer + [(":", ())] * (x.rank - len(outer))):
        if entry[0] != "i":
            length, part = next(lengths), next(parts, (":", ()))
            entry = entry_of(b, facts, entry, n, length, part, None if part[0] == "i" else next(taken))
            if entry is None:
                return None
        index.append(entry)
    atoms = [dim_atom(b, a) if isinstance(a, Dim) else a for _, own in index for a in own if a is not None]
    codes = tuple([code for code, _ in index])
    params = {"index": codes} | ({"dims": dims} if any([code[0] == "s" for code in codes]) else {})
    return Let(let.names, let.op, (view.args[0], *atoms), tuple(params.items()), let.origin)


def entry_of(b: Builder, facts: Intervals, outer: tuple, n: Dim, length: Dim, inner: tuple, size: Dim | None):
    """The entry of an index on an axis of length n for what `inner` takes of what `outer` takes; None: not known.

    length, size  how much the two take; an integer: None
    """
    if outer[0] == ":" or inner[0] == ":":
        return inner if outer[0] == ":" else outer
    places = place_within(b, facts, (outer[1], n, length), inner[1], size)
    return None if places is None else ("i" if size is None else "s110", places)


def place_within(b: Builder, facts: Intervals, outer: tuple, own: tuple[Atom | None, ...],
                 size: Dim | None) -> tuple[Dim, ...] | None:
    """(place) on an axis of what stands at an integer, or (start, stop) of what a slice takes, in a slice of the axis.

    outer  (atoms of the slice, length of the axis, length of the slice)
    own    the atoms of the integer, or of the slice in it
    size   how many elements that takes
    """
    first, step = beginning(b, facts, *outer)
    if first is None:
        return None
    if size is None:
        place = facts.place(own[0], outer[2])
        return None if place is None else (first + place * step,)
    start, inner_step = beginning(b, facts, own, outer[2], size)
    if start is None or (step, inner_step) != (1, 1):
        return None
    return first + start, first + start + size


def beginning(b: Builder, facts: Intervals, own: tuple[Atom | None, ...], n: Dim,
              length: Dim) -> tuple[Dim | None, int]:
    """(place of the first element of a slice that has elements, its step); (None, 0): not known."""
    start, stop, by = own
    step = 1 if by is None else by.value if isinstance(by, Const) else 0
    if not step:
        return None, 0
    if start is None:
        return (Dim.of(0) if step > 0 else n - 1), step
    place = facts.place(start, n)
    if place is not None and facts.at_least(place if step > 0 else n - 1 - place, 0):
        return place, step
    return (n - length, 1) if step == 1 and stop is None else (None, 0)
