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

A list that something is appended to on one side of a branch counts its items from where the branch ends; the polynomial
is then how many there are at most, and the rows that are items are a slice of the others.

Where the run decides how often a loop runs, each append makes new arrays, whose length the loop hands on.
"""
from __future__ import annotations

import datetime
import enum
import functools
from dataclasses import replace

import numpy as np

from ...core import Const
from ...core.types import PY_FLOAT, Dim, Type
from ...pytree.containers import folded_structure
from ...pytree.rows import SplitRows, has_leaves, own_structure
from . import values as v
from .aliasing import frame_slots, freeze, reachable_values
from .lattice import without_keys

FIXED = (str, bytes, enum.Enum, datetime.date, datetime.time, datetime.timedelta)  # objects that may be in an item
LOST = object()  # in the structure of an item: one of several such objects, which the rows do not tell apart
NO_ITEMS = "need at least one array to stack"
OTHER_DTYPE = ("the items of a list that grows have several dtypes, and those that there are have not the one that an "
               "array of all of them would have")
AS_A_LIST = ("a list that grows in a loop of the run time is used as a list",
             "Make an array of it after the loop, np.stack(out); len(out), out[k], out.append(v) and loops over it "
             "are possible as well.")
NO_COLUMNS = "a list that has grown 0 times is turned by zip(*rows): there is nothing to take apart"
NO_ARRAY = ("a list that has grown 0 times becomes an array here, which has another shape or dtype than one of its "
            "items would have")


def grown(s, box: v.Boxed) -> v.Grown | None:
    """What is known of a list that has grown in a loop; None of any other."""
    return of_content(s.heap.get((box.box, None)))


def of_content(content) -> v.Grown | None:
    first = content[0] if isinstance(content, tuple) and content else None
    return first if isinstance(first, v.Grown) else None


def same_growth(g: v.Grown, other: v.Grown) -> bool:
    """Are two of lists without rows to spare, and else the same?"""
    return (g.length == g.capacity and other.length == other.capacity
            and replace(g, length=other.length, capacity=other.capacity, least=other.least) == other)


# what an item is ---------------------------------------------------------------------------------
def item_parts(s, item):
    """(structure, leaves) of an item that rows can hold."""
    leaves: list = []

    def visit(x):
        match x:
            case v.Static(value=obj) if obj is None or s.loose and isinstance(obj, FIXED):
                return ("static", obj)
            case v.Number() | v.Array() | v.Static() if (s.is_numeric(x)
                                                         and not isinstance(getattr(x, "value", None), complex)):
                leaves.append(x)
                return ("leaf", len(leaves) - 1)
            case v.Tuple(items=items, cls=c) if c is not slice:
                return (c, None, tuple(map(visit, items)))
            case v.Boxed(cls=c) if grown(s, x) is None:
                before, found = len(leaves), (c, s.keys(x), tuple(map(visit, s.items(x))))
                if len(leaves) > before:  # of what has no rows no change would be seen
                    return found
        raise v.Grows

    return visit(item), leaves


def form_of(s, items) -> tuple:
    """(structure, types of the leaves) that all items fit; of rows with the dtype that NumPy's array of them has."""
    if not items:
        raise v.Grows
    def type_of(leaf):  # a number may be of several by the path
        return functools.reduce(wider, s.b.types_of(s.atom(leaf)) if isinstance(leaf, v.Number) else (), s.type(leaf))

    parts = [item_parts(s, item) for item in items]
    return functools.reduce(joined_forms, [(structure, tuple(map(type_of, leaves))) for structure, leaves in parts])


def joined_forms(form, other) -> tuple:
    return joined_structures(form[0], other[0]), tuple(map(wider, form[1], other[1]))


def joined_structures(one, other) -> tuple:
    if one == other:
        return one
    if one[0] == other[0] == "static" and None not in (one[1], other[1]):
        return "static", LOST
    if one[0] != other[0] or one[0] in ("leaf", "static") or one[1] != other[1] or len(one[2]) != len(other[2]):
        raise v.Grows
    return *one[:2], tuple(map(joined_structures, one[2], other[2]))


def wider(t: Type, u: Type) -> Type:
    """The type of rows for both; of kind "mixed" where what is read from one may be of
    another type than what was put there; "either" where it may be a number of Python's or one of NumPy's."""
    if t.dims != u.dims:
        raise v.Grows
    if t != u and t.dtype == u.dtype and "array" not in (kinds := {t.kind, u.kind}) and "mixed" not in kinds:
        return Type("either", t.dtype)
    return t if t == u else Type("mixed", np.result_type(t.dtype, u.dtype), t.dims)


# the loop that it grows in -----------------------------------------------------------------------
def list_in_rows(s, ref, items, g: v.Grown) -> tuple:
    """What stands in the heap for a list of these items, with the rows of g; `g` is of an empty list."""
    hint = next((part for (frame, part) in frame_slots(s.heap) if isinstance(x := s.heap[frame, part], v.Boxed)
                 and x.box is ref and type(part) is str and not part.startswith("_gs_")), "rows")
    rows = [s.cell(s.emit("np.zeros", *map(s.dim_atom, (g.capacity, *t.dims)), hint=hint, dtype=t.dtype), hint)
            for t in g.types]
    for row in rows:
        freeze(s.heap, row.cell, {g.mark})
    for k, item in enumerate(items):
        put(s, g, rows, Const(k), item)
    s.heap |= without_keys(ref, [s.heap])
    wide = v.Static(any([is_wide(s, item, g) for item in items])) if g.mixed else None
    return content_of_rows(replace(g, length=Dim.of(len(items)), least=len(items)), v.Static(len(items)), wide, rows)


def is_wide(s, item, g: v.Grown) -> bool:
    """Has an item the dtype of the rows? Without one that has, an array of the items has another."""
    return s.type(item_parts(s, item)[1][0]).dtype == g.types[0].dtype


def content_of_rows(g: v.Grown, count, wide, rows) -> tuple:
    """What stands in the heap for a list in rows: of `count` and `wide` what `g` says that the list has."""
    return (g, *[count] * g.counted, *[wide] * g.mixed, *rows)


def parts_of_content(content) -> tuple:
    """(what is known, the number of items if it is counted, `wide`, the rows) of a list in rows.

    wide  has an item the dtype of the rows? Asked of lists of several dtypes only
    """
    g, *rest = content
    count = rest.pop(0) if g.counted else None
    return g, count, rest.pop(0) if g.mixed else v.Static(True), rest


def rows_of_list(s, box: v.Boxed) -> list:
    return parts_of_content(s.heap[box.box, None])[-1]


def length_of(s, box: v.Boxed, g: v.Grown) -> Dim:
    """How many items there are."""
    return s.b.dim(s.atom(parts_of_content(s.heap[box.box, None])[1])) if g.counted else g.length


def growing_header(headers, entry, header, end) -> v.Grown:
    """A list that is longer after each iteration, by a number of items that is always the same; else the loop
    carries its length."""
    if entry is None:
        raise v.Conflict("it is a list that grows in another loop; make it before this one")
    entry, end = of_one_form(entry, end) if headers.s.loose else (entry, end)
    if (headers.s.loose or headers.number is None) and same_growth(entry, end):
        length = headers.length(entry.length, end.length, header and header.length)
        found = replace(entry, length=length, capacity=length, least=min(entry.least, end.least))
        return header if header == found else found
    more = end.length - (header or entry).length
    if (headers.number is None or not more.names <= headers.outer
            or replace(end, length=entry.length, least=entry.least) != entry):
        raise v.Grows(headers.s.origin())
    if header is not None and header.length == entry.length + more * headers.number:
        return header
    return replace(entry, length=entry.length + more * headers.number)


def of_one_form(g: v.Grown, other: v.Grown) -> tuple:
    """The two as lists of what items of both are, where that takes no other rows."""
    one, types = joined_forms((g.one, g.types), (other.one, other.types))
    same = [t.dtype for t in g.types] == [t.dtype for t in other.types]
    return (replace(g, one=one, types=types), replace(other, one=one, types=types)) if same else (g, other)


# a list that something is appended to on one side of a branch ----------------------------------------
def counting(s, ref, items, empty: v.Grown) -> tuple:
    """A list in rows whose length is a number of the run time, as after a branch on one side of which something is
    appended; with as many rows as `empty`, which is such a list without items."""
    if not (items and isinstance(items[0], v.Grown)):
        return list_in_rows(s, ref, items, empty)
    g, count, wide, rows = parts_of_content(items)
    if g.mark in s.rows.several:
        s.rows.several.add(empty.mark)
    if any([t.dtype != u.dtype for t, u in zip(g.types, empty.types)]) and not empty.mixed:
        raise v.Grows  # run the loop again with rows that hold several dtypes
    if g.capacity != empty.capacity:
        rows = [longer(s, row, empty.capacity - g.capacity, t, g.mark) for row, t in zip(rows, g.types)]
    for row in rows:
        freeze(s.heap, row.cell, {empty.mark})
    rows = [cast_rows(s, row, t, empty.mark) for row, t in zip(rows, empty.types)]
    if not g.counted:
        count = s.wrap(s.dim_atom(g.length))
    if empty.mixed and not g.mixed:
        wide = some_of(s, g, count, empty)
    return content_of_rows(replace(empty, length=g.length, least=g.least), count, wide, rows)


def some_of(s, g: v.Grown, count, other: v.Grown):
    """Is there an item of the dtype of other rows in a list whose items have one dtype?"""
    same = g.types[0].dtype == other.types[0].dtype
    return v.Static(same) if g.least or not same else s.elementwise("greater", count, v.Static(0))


def cast_rows(s, row: v.Array, t: Type, mark) -> v.Array:
    """Rows in the dtype of others."""
    atom = s.heap[row.cell, None]
    if s.b.type(atom).dtype == t.dtype:
        return row
    row = s.cell(s.emit("rt.astype", atom, dtype=t.dtype), row.cell.hint)
    freeze(s.heap, row.cell, {mark})
    return row


def refuse_counted(s, test, origin) -> None:
    """It is needed as a list: what decides how long it is must be known before the run."""
    s.know(test)
    s.fail("a list that something is appended to on one path only is used as a list, or an item of it is stored into",
           "Make an array of it, np.array(out); len(out), out[k], out.append(v) and loops over it are possible, too.",
           origin=origin)


def longer(s, row: v.Array, more: Dim, t: Type, mark) -> v.Array:
    """Rows with so many more."""
    new = s.emit("np.zeros", *map(s.dim_atom, (more, *t.dims)), dtype=t.dtype)
    row = s.cell(s.emit("np.concatenate", s.heap[row.cell, None], new, hint=row.cell.hint, axis=0), row.cell.hint)
    freeze(s.heap, row.cell, {mark})
    return row


# what can be done with it --------------------------------------------------------------------------
def put(s, g: v.Grown, rows, k, item) -> None:
    """Make an item row k."""
    for leaf, row, t in zip(item_parts(s, item)[1], rows, g.types):
        atom = s.atom(leaf)
        types = s.b.types_of(atom)
        if len({u.dtype for u in types}) > 1:
            s.refuse_several([atom])
        if len({*types}) > 1:  # a row does not say which
            s.rows.several.add(g.mark)
        if s.b.type(atom).dtype != t.dtype:
            atom = s.emit("rt.astype", atom, dtype=t.dtype)
        s.heap[row.cell, None] = s.emit("rt.update", s.heap[row.cell, None], atom, k, hint=row.cell.hint, index=("i",))
    share_parts(s, g, item)


def share_parts(s, g: v.Grown, item) -> None:
    """What an item is made of is in the list as well: while that lives, it may not be stored into."""
    for x in reachable_values(s.heap, [item]):
        if isinstance(x, (v.Array, v.Boxed)):
            freeze(s.heap, x.cell if isinstance(x, v.Array) else x.box, {g.mark})


def append(s, box: v.Boxed, g: v.Grown, item) -> None:
    """box.append(item): the next row is set, or one is added where no row is left.

    An item that rows cannot hold: within the loop it runs again with other rows (`v.Grows`), after it the list is made
    otherwise (`g.instead`, which always raises).
    """
    if g.given:
        g.instead()
    full = g.length == g.capacity  # the loop that the rows were made for has ended
    try:
        one, types = joined_forms((g.one, g.types), form_of(s, [item]))
    except v.Grows:
        if full:
            g.instead()
        raise
    if full and any(t.dtype != u.dtype for t, u in zip(types, g.types)):
        g.instead()
    if not full and (one, types) != (g.one, g.types):
        raise v.Grows(s.origin(), box.box, (item,), s.heap)
    _, count, wide, rows = parts_of_content(s.heap[box.box, None])
    if not g.counted:
        count = s.wrap(s.dim_atom(g.length))
    if full:
        rows = [longer(s, row, Dim.of(1), t, g.mark) for row, t in zip(rows, g.types)]
        g = replace(g, capacity=g.capacity + 1, one=one, types=types)
    put(s, g, rows, s.atom(count), item)
    if g.counted:
        count = s.elementwise("add", count, v.Static(1), hint="count")
    if g.mixed and is_wide(s, item, g):
        wide = v.Static(True)
    s.heap[box.box, None] = content_of_rows(replace(g, length=g.length + 1, least=g.least + 1), count, wide, rows)


def items_of_rows(s, box: v.Boxed, g: v.Grown) -> list:
    """The rows that are items, as arrays of their own."""
    rows, length = [], length_of(s, box, g)
    for row in rows_of_list(s, box):
        atom = s.heap[row.cell, None]
        if length != g.capacity:
            dims = (length, *s.b.type(atom).dims[1:])
            atom = s.emit("getitem", atom, s.dim_atom(length), hint=row.cell.hint,
                          index=("s010",) + (":",) * (len(dims) - 1), dims=dims)
        rows.append(s.wrap(atom, row.cell.hint, "C"))
    return rows


def rows_of_numbers(s, items) -> tuple | None:
    """(structure of an item, types of its leaves, rows) of a list that has grown or an array, of items that share no
    memory; None of others."""
    if isinstance(items, v.Array):
        t = s.type(items)
        return (("leaf", 0), (Type("np", t.dtype),), [items]) if t.rank == 1 else None
    g = grown(s, items)
    fits = g is not None and not any([t.rank or t.kind == "mixed" for t in g.types])
    return (g.one, g.types, items_of_rows(s, items, g)) if fits else None


def of_rows(s, one, types, rows, instead=None, given=False, cls=list, mark=None) -> v.Boxed:
    """A list, or a tuple, as a loop would have made it, of rows that nothing else has, but for what has the mark."""
    box = s.box([], cls)
    length = s.type(rows[0]).dims[0]
    instead = instead or (lambda: s.fail(*AS_A_LIST))
    g = v.Grown(length, length, length.constant or 0, one, types, mark or object(), False, instead, given)
    s.heap[box.box, None] = (g, *rows)
    for row in rows:
        freeze(s.heap, row.cell, {g.mark})
    return box


def turned_columns(s, box: v.Boxed, g: v.Grown) -> v.Tuple:
    """zip(*box) of a list of sequences: for each place in an item the tuple of what stands there, in rows as well."""
    if not has_leaves(g.one) or any([t.kind == "mixed" for t in g.types]):
        g.instead()
    if not g.least:
        s.ensure(length_of(s, box, g), ">=", 1, "RefusedValue", NO_COLUMNS)
    rows, found = items_of_rows(s, box, g), []
    for part in g.one[2]:
        one, places = own_structure(part)
        found.append(of_rows(s, one, tuple([g.types[k] for k in places]), [rows[k] for k in places], g.instead,
                             cls=tuple, mark=g.mark))
    return v.Tuple(tuple(found))


def given_rows(s, value) -> v.Grown | None:
    """What is known of a list of an argument that rows stand for, where these are what is asked for."""
    g = grown(s, value) if s.rows.asked and isinstance(value, v.Boxed) else None
    return g if g is not None and g.given else None


def item_at(s, box: v.Boxed, g: v.Grown, k):
    """box[k]; k: a value."""
    if g.given and isinstance(k, v.Static):  # which item it is says more than a row
        g.instead()
    if any([t.kind == "mixed" or t.kind == "either" and not s.loose for t in g.types]):
        g.instead()
    rows, at, length = rows_of_list(s, box), None, length_of(s, box, g)
    if isinstance(k, v.Static) and isinstance(k.value, int):
        at = length + k.value if k.value < 0 else Dim.of(k.value)
        if not g.least >= (-k.value if k.value < 0 else k.value + 1):
            found = s.emit("greater_equal", s.dim_atom(length),
                           Const(-k.value if k.value < 0 else k.value + 1), hint="ok")
            s.require(found, "IndexError", f"{box.cls.__name__} index out of range")
        rows, at = [s.wrap(s.heap[row.cell, None]) for row in rows], s.dim_atom(at)
    elif isinstance(k, v.Number) and s.b.type(k.atom).dtype.kind in "iu":
        rows, at = items_of_rows(s, box, g), k.atom
    else:
        g.instead()
    named = g.given and (g.one != ("leaf", 0) or not g.types[0].kind == "array")
    hints = [row.cell.hint.removesuffix("_rows") if named else "t" for row in rows]
    leaves = [leaf_at(s, s.atom(row), at, t, hint) for row, t, hint in zip(rows, g.types, hints)]
    item = structured_value(s, g.one, leaves)
    share_parts(s, g, item)
    return item


def leaf_at(s, rows, k, t: Type, hint: str):
    own = t.kind == "py"  # which is what the row has as a number of NumPy's
    x = s.emit("getitem", rows, k, hint="t" if own else hint, index=("i",) + (":",) * t.rank)
    if t.kind == "array":
        return s.cell(x if t.rank else s.emit("np.asarray", x), order="C")
    if t.kind == "either":  # no result may depend on which (`transform/python_numbers.py`)
        x = s.emit("rt.astype", x, hint=hint, dtype=t.dtype, joined="either")
        s.b.note_several(x, [Type("py", t.dtype), Type("np", t.dtype)])
    return s.wrap(s.emit(t.python_type.__name__, x, hint=hint) if own else x)


def stacked_list(s, box: v.Boxed, g: v.Grown, what: str = NO_ITEMS) -> v.Array:
    """np.array of a list of numbers or arrays, which NumPy knows the shape of only where there is one;
    of no floats it is what it is of some."""
    if g.one != ("leaf", 0):
        g.instead()
    of_floats = what is NO_ARRAY and g.types[0].rank == 0 and g.types[0].dtype == np.float64
    if not (g.least or of_floats):
        s.ensure(length_of(s, box, g), ">=", 1, "RefusedValue" if what is NO_ARRAY else "ValueError", what)
    if (wide := parts_of_content(s.heap[box.box, None])[2]) != v.Static(True):
        none = s.emit("equal", s.dim_atom(length_of(s, box, g)), Const(0)) if of_floats else Const(False)
        s.require(s.emit("or_", s.atom(wide), none, hint="ok"), "RefusedValue", OTHER_DTYPE)
    return items_of_rows(s, box, g)[0]


def refuse_store(s, cell: v.Ref) -> None:
    """A store into an array that is an item as well: unroll the loop instead, where that can be."""
    marks = s.heap.get((cell, v.FROZEN), frozenset())
    for content in list(s.heap.values()):
        g = of_content(content)
        if g is not None and g.mark in marks:
            g.instead()


def structured_value(s, structure, leaves):
    """The value of a structure, with these leaves."""
    def made(cls, keys, items):
        if isinstance(cls, SplitRows):
            types = tuple([PY_FLOAT if number else t.with_dims(t.dims[1:])
                           for t, number in zip(map(s.type, items), cls.numbers)])
            return of_rows(s, cls.one, types, items, given=True)
        if cls is set:
            return s.call_value(v.Static(set), [v.Tuple(tuple(items))], {})
        return v.Tuple(tuple(items), cls) if keys is None and cls is not list else s.box(items, cls, keys or ())

    def static(obj):
        if obj is LOST:
            s.fail("an item that is another string or object on another path", "Append a number that stands for it.")
        return v.Static(obj)

    return folded_structure(structure, leaves.__getitem__, static, made)
