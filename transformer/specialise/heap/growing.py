"""A list that grows in a loop of the run time: arrays, made before the loop, with a row for each item.

    out = []                          out = np.zeros(n)
    for k in range(n):                for k in range(n):
        x = step(x)                       x = step(x)
        out.append(x)                     out[k] = x
    return np.stack(out)              return out

How many items there are is a polynomial in the numbers of the iterations around, so that each append knows its row.  A
loop finds out that a list grows when its items differ at the end of the body (`v.Grows`), converts the list and runs
again. Where rows cannot stand for the list (it is handed on as a list, its items have different shapes) the loop is
unrolled, or refused.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core import Const
from ...types import Dim, Type
from . import values as v
from .sharing import frame_slots, freeze, within

NO_ITEMS = "need at least one array to stack"
NO_ARRAY = ("a list that has grown 0 times becomes an array here, which has another shape or dtype than one of its "
            "items would have")


def grown(s, box: v.Boxed) -> v.Grown | None:
    """What is known of a list that has grown in a loop; None of any other."""
    return of_content(s.heap.get((box.box, None)))


def of_content(content) -> v.Grown | None:
    first = content[0] if isinstance(content, tuple) and content else None
    return first if isinstance(first, v.Grown) else None


# what an item is ---------------------------------------------------------------------------------
def parts(s, item):
    """(structure, leaves) of an item that rows can hold."""
    leaves: list = []

    def visit(x):
        match x:
            case v.Static(value=None):
                return ("static", None)
            case v.Num() | v.Array() | v.Static() if (s.is_numeric(x)
                                                      and not isinstance(getattr(x, "value", None), complex)):
                leaves.append(x)
                return ("leaf", len(leaves) - 1)
            case v.Tuple(items=items, cls=c) if c is not slice:
                return (c, None, tuple(map(visit, items)))
            case v.Boxed(cls=c) if grown(s, x) is None:
                return (c, s.keys(x), tuple(map(visit, s.items(x))))
        raise v.Grows

    return visit(item), leaves


def form_of(s, items) -> tuple:
    """(structure, types of the leaves) that all items fit; of rows with the dtype that NumPy's array of them has."""
    if not items:
        raise v.Grows
    found = [parts(s, item) for item in items]
    types = [tuple(s.type(leaf) for leaf in leaves) for _, leaves in found]
    form = found[0][0], types[0]
    for (structure, _), own in zip(found[1:], types[1:]):
        form = joined(form, (structure, own))
    return form


def joined(form, other) -> tuple:
    if form[0] != other[0]:
        raise v.Grows
    return form[0], tuple(map(wider, form[1], other[1]))


def wider(t: Type, u: Type) -> Type:
    """The type of rows for both; of kind "mixed" where what is read from one may be of
    another type than what was put there."""
    if t.dims != u.dims:
        raise v.Grows
    return t if t == u else Type("mixed", np.result_type(t.dtype, u.dtype), t.dims)


# the loop that it grows in -----------------------------------------------------------------------
class Growing:
    """The lists that grow in one loop, found one after the other."""

    def __init__(self, s, trips: Dim, instead):
        self.s, self.trips, self.instead = s, trips, instead
        self.before = dict(s.heap)
        self.found: dict[v.Ref, tuple] = {}  # box -> (structure and types of an item, how many items an iteration adds)

    def learn(self, growth: v.Grows, in_sight) -> None:
        """Note what an attempt has found, and put rows in place of the lists; raises it again where that cannot be."""
        s, ref = self.s, growth.ref
        content = self.before.get((ref, None))
        if ref not in s.appended or content is None or of_content(content) or self.instead is None:
            raise growth
        s.heap = growth.heap
        with s.scope():  # what finds out the types of views is not part of the program
            (one, types), more = self.form(growth, content)
        s.heap = dict(self.before)
        try:
            more, types = (known_before(s, more, in_sight),
                           tuple(t.with_dims(known_before(s, d, in_sight) for d in t.dims) for t in types))
        except LookupError:
            raise growth from None
        self.found[ref] = (one, types), more
        for box, (form, more) in self.found.items():
            self.make_rows(box, form, more)

    def form(self, growth, content) -> tuple:
        last = of_content(growth.items)
        if last is not None:  # in a loop in this one
            form, more = (last.one, last.types), last.length - len(content)
            return (joined(form, form_of(self.s, content)) if content else form), more
        form = form_of(self.s, growth.items)
        if growth.ref in self.found:  # an item of another type
            known, more = self.found[growth.ref]
            return joined(known, form), more
        return form, Dim.of(len(growth.items) - len(content))

    def make_rows(self, ref, form, more) -> None:
        s, items = self.s, self.before[ref, None]
        hint = next((part for (frame, part) in frame_slots(s.heap) if isinstance(x := s.heap[frame, part], v.Boxed)
                     and x.box is ref and not str(part).startswith("_gs_")), "rows")
        count = Dim.of(len(items))
        capacity = count + more * self.trips
        g = v.Grown(count, capacity, len(items), *form, mark=object(), instead=self.instead)
        rows = [s.cell(s.emit("np.zeros", *map(s.dim_atom, (capacity, *t.dims)), hint=hint, dtype=t.dtype), hint)
                for t in g.types]
        for row in rows:
            freeze(s.heap, row.cell, {g.mark})
        s.heap[ref, None] = (g, *rows)
        for k, item in enumerate(items):
            put(s, g, rows, Const(k), item)


def known_before(s, dim: Dim, in_sight) -> Dim:
    """An integer of the body by what is known before the loop; LookupError where it depends on more."""
    if dim.names <= in_sight:
        return dim
    found = {}
    for name in dim.names - in_sight:
        op, args, params = s.entry_ints[name]
        found[name] = s.b.dim(s.int_op(op.name, *(a if isinstance(a, Const)
            else s.dim_atom(known_before(s, Dim.of(a), in_sight)) for a in args), **params))
    return dim.substitute(found)


def at_the_end(s, index: str, after: Dim) -> None:
    """After a loop, lists are as long as they are when its index is `after`."""
    for key, content in s.heap.items():
        g = of_content(content)
        if g is not None and index in g.length.names:
            s.heap[key] = (replace(g, length=g.length.substitute({index: after})), *content[1:])


# what can be done with it --------------------------------------------------------------------------
def put(s, g: v.Grown, rows, k, item) -> None:
    """Make an item row k."""
    for leaf, row, t in zip(parts(s, item)[1], rows, g.types):
        atom = s.atom(leaf)
        if s.b.type(atom).dtype != t.dtype:
            atom = s.emit("rt.astype", atom, dtype=t.dtype)
        s.heap[row.cell, None] = s.emit("rt.update", s.heap[row.cell, None], atom, k, hint=row.cell.hint, index=("i",))
    share(s, g, item)


def share(s, g: v.Grown, item) -> None:
    """What an item is made of is in the list as well: while that lives, it may not be stored into."""
    for x in within(s.heap, [item]):
        if isinstance(x, (v.Array, v.Boxed)):
            freeze(s.heap, x.cell if isinstance(x, v.Array) else x.box, {g.mark})


def append(s, box: v.Boxed, g: v.Grown, item) -> None:
    """box.append(item)"""
    full = g.length == g.capacity  # after the loop
    try:
        _, types = joined((g.one, g.types), form_of(s, [item]))
    except v.Grows:
        if full:
            g.instead()
        raise
    if full and any(t.dtype != u.dtype for t, u in zip(types, g.types)):
        g.instead()
    if not full and types != g.types:
        raise v.Grows(s.origin(), box.box, (item,), s.heap)
    rows = s.heap[box.box, None][1:]
    if full:
        one = Dim.of(1)
        for row, t in zip(rows, g.types):
            more = s.emit("np.zeros", *map(s.dim_atom, (one, *t.dims)), dtype=t.dtype)
            s.heap[row.cell, None] = s.emit("np.concatenate", s.heap[row.cell, None], more, hint=row.cell.hint, axis=0)
        g = replace(g, capacity=g.capacity + 1, types=types)
    put(s, g, rows, s.dim_atom(g.length), item)
    s.heap[box.box, None] = (replace(g, length=g.length + 1, least=g.least + 1), *rows)


def filled(s, box: v.Boxed, g: v.Grown) -> list:
    """The rows that are items, as arrays of their own."""
    rows = []
    for row in s.heap[box.box, None][1:]:
        atom = s.heap[row.cell, None]
        if g.length != g.capacity:
            dims = (g.length, *s.b.type(atom).dims[1:])
            atom = s.emit("getitem", atom, s.dim_atom(g.length), hint=row.cell.hint,
                          index=("s010",) + (":",) * (len(dims) - 1), dims=dims)
        rows.append(s.wrap(atom, row.cell.hint, "C"))
    return rows


def item_at(s, box: v.Boxed, g: v.Grown, k):
    """box[k]; k: a value."""
    if any(t.kind == "mixed" for t in g.types):
        g.instead()
    rows, at = s.heap[box.box, None][1:], None
    if isinstance(k, v.Static) and isinstance(k.value, int):
        at = g.length + k.value if k.value < 0 else Dim.of(k.value)
        if not g.least >= (-k.value if k.value < 0 else k.value + 1):
            found = s.emit("greater_equal", s.dim_atom(g.length),
                           Const(-k.value if k.value < 0 else k.value + 1), hint="ok")
            s.require(found, "IndexError", "list index out of range")
        rows, at = [s.wrap(s.heap[row.cell, None]) for row in rows], s.dim_atom(at)
    elif isinstance(k, v.Num) and s.b.type(k.atom).dtype.kind in "iu":
        rows, at = filled(s, box, g), k.atom
    else:
        g.instead()
    leaves = [leaf_at(s, s.atom(row), at, t) for row, t in zip(rows, g.types)]
    item = s.structured(g.one, leaves)
    share(s, g, item)
    return item


def leaf_at(s, rows, k, t: Type):
    x = s.emit("getitem", rows, k, index=("i",) + (":",) * t.rank)
    if t.kind == "array":
        return s.cell(x if t.rank else s.emit("np.asarray", x), order="C")
    return s.wrap(s.emit(t.python_type.__name__, x) if t.kind == "py" else x)


def stacked(s, box: v.Boxed, g: v.Grown, what: str = NO_ITEMS) -> v.Array:
    """np.array of a list of numbers or arrays, which NumPy knows the shape of only where there is one;
    of no floats it is what it is of some."""
    if g.one != ("leaf", 0):
        g.instead()
    of_floats = what is NO_ARRAY and g.types[0].rank == 0 and g.types[0].dtype == np.float64
    if not (g.least or of_floats):
        s.ensure(g.length, ">=", 1, "ValueError", what)
    return filled(s, box, g)[0]


def refuse_store(s, cell: v.Ref) -> None:
    """A store into an array that is an item as well: unroll the loop instead, where that can be."""
    marks = s.heap.get((cell, "frozen"), frozenset())
    for content in list(s.heap.values()):
        g = of_content(content)
        if g is not None and g.mark in marks:
            g.instead()
