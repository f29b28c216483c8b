"""Subscripts: views, copies and stores, as NumPy has them."""
from __future__ import annotations

import operator
from collections import deque

import numpy as np

from ....core import Const
from ....core.types import Dim, Type
from ....library.containers import deleted_at, taken_away
from ....library.indexes import is_index
from ....library.ranges import item_of_range
from ....library.registry import INDEXED
from ....library.standard import deleted
from ....rules.indexing import indexed_type
from ....rules.kinds import ONE
from ...domain import values as v
from ...domain.aliasing import is_frozen
from ...domain.classes import as_builtin, is_deque
from ...domain.growing_lists import grown, item_at, items_of_rows, of_rows
from ...domain.plans import Way
from ..arrays.masks import check_values, is_mask, is_one_mask, mask_places, masked_fill, subscript_parts, whole_mask
from ..arrays.shapes import numbers_of, reshape
from ..flow.control import choose
from ..flow.sides import NONE, at_index, settled_value, store_at_index
from ..objects.containers import (by_python, container_kind, is_changeable, is_dict, is_list, on_real, python,
                                  python_container, python_of)
from ..objects.iteration import as_int, sequence
from ..objects.protocols import as_index, item
from ..objects.row_containers import (changed_pairs, drop_last, is_keyed, is_run_time_list, item_under, put_in_rows,
                                      store_in_rows)
from .slices import slice_entry
from .storing import addend, store_value

MOST_PICKED = 64  # items of such a list
LAST = v.Tuple((v.Static(-1), NONE, NONE), slice)


def index_for(s, base, index):
    """What an index is to a container: an object with an __index__ that integer;
    to an array a tuple is one index for each axis, whatever its class."""
    return (index if is_dict(base) or isinstance(base, (v.Array, v.Number)) and isinstance(index, v.Tuple)
            else as_index(s, index))


@at_index
def get_at(s, base, index):
    """base[index]"""
    if is_keyed(s, base, index):
        return item_under(s, base, index)
    if (own := item(s, operator.getitem, base, index)) is not None:
        return own
    base = as_builtin(base)
    index = index_for(s, base, index)
    match base:
        case v.Array() | v.Number() if isinstance(base, v.Array) or s.type(base).kind != "py":
            return get_array(s, base, index)
        case v.Boxed() if is_list(base) and (g := grown(s, base)) is not None:
            return part_of_rows(s, base, g, index)
        case v.Boxed() if is_dict(base):
            places = {key: k for k, key in enumerate(s.keys(base))}
            return s.item(s.items(base)[python(s, operator.getitem, places, s.static(index, "it is a key of a dict"))])
        case v.Tuple() | v.Boxed() if container_kind(base) in (list, tuple, deque):
            return items_at(s, base, index)
        case v.Static(value=obj) if type(obj) in INDEXED:
            return s.call_value(INDEXED[type(obj)], [index], {})
        case v.Static():
            return by_python(s, operator.getitem, base, index, why="it is an index of a static object")
        case v.Iter(kind="range", parts=(start, _, step)):
            if getattr(index, "cls", None) is slice:
                s.fail("a slice of a range that only the run time knows",
                       "Write the range that it is: range(start, stop, step).")
            return s.call_value(item_of_range, [as_int(s, index), sequence(s, base).count, start, step], {})
    s.lacks(base, "'{}' object is not subscriptable")


def items_at(s, base, index):
    """An item or a slice of a list, tuple or deque."""
    kind, items = container_kind(base), s.items(base)
    if left_to_the_run(s, index, items):
        return pick(s, index, len(items), f"{kind.__name__} index out of range", lambda k: s.item(items[k]))
    s.refuse_several([index.atom] if isinstance(index, v.Number) else [])
    places = kind(range(len(items)))
    chosen = python(s, operator.getitem, places, s.static(index, f"it is an index of a {kind.__name__}"))
    if isinstance(chosen, int):
        return s.item(items[chosen])
    if chosen is places:
        return base  # a whole slice of a tuple is the tuple
    return s.box([items[k] for k in chosen]) if kind is list else v.Tuple(tuple([items[k] for k in chosen]))


def part_of_rows(s, box, g, index):
    """box[k] of a list in rows, and box[start:stop:step]: another such list."""
    if not s.loose or getattr(index, "cls", None) is not slice:
        return item_at(s, box, g, index)
    if g.given or not g.types or any([t.kind == "mixed" for t in g.types]):
        g.instead()
    rows = [s.wrap(s.atom(get_array(s, row, index)), row.cell.hint, "C") for row in items_of_rows(s, box, g)]
    return of_rows(s, g.one, g.types, rows, g.instead, cls=box.cls, mark=g.mark)


# arrays --------------------------------------------------------------------------------------
DOTS, WHOLE = v.Static(Ellipsis), v.Tuple((NONE,) * 3, slice)
NO_INDEX = ("only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are "
            "valid indices", "arrays used as indices must be of integer (or boolean) type")


def parse(s, t: Type, index) -> list[tuple]:
    """[(code, atoms, length where a slice changes it)] of the entries of an index on an array of type t,
    one for each axis."""
    parts = [listed_places(s, p) if lists_places(p) else p for p in subscript_parts(index)]
    refuse_bools(s, parts)
    used = sum([s.type(p).rank if is_mask(s, p) else 1 for p in parts if p not in (NONE, DOTS)])
    if used > t.rank:
        s.stop("IndexError", f"too many indices for array: array is {t.rank}-dimensional, but {used} were indexed")
    at = parts.index(DOTS) if DOTS in parts else len(parts)
    parts[at:at + 1] = [WHOLE] * (t.rank - used)
    entries, axis = [], 0
    for part in parts:
        if part == NONE:
            entries.append(("n", [], None))
        elif is_mask(s, part):
            dims = t.dims[axis:axis + s.type(part).rank]
            entries += [("a", [atom], None) for atom in mask_places(s, part, dims, axis)]
            axis += len(dims)
        else:
            entries.append(_entry(s, part, t.dims[axis], axis))
            axis += 1
    return entries


def lists_places(part) -> bool:
    """Is an entry of an index a list, tuple, range or index of pandas: to NumPy an array of places?"""
    return (isinstance(part, v.Tuple) and part.cls is not slice or isinstance(part, v.Boxed) and part.cls is list
            or v.is_range(part) or is_index(part))


def listed_places(s, part):
    """Such an entry as an array; one without items is of integers, as NumPy has it."""
    places = numbers_of(s, part) if v.is_range(part) else s.array_of(part)
    if (t := s.type(places)).dtype.kind in "iub":
        return places
    if not any([d.constant == 0 for d in t.dims]):
        s.stop("IndexError", NO_INDEX[0])
    return s.call_value(v.Static(np.zeros), [v.Tuple(tuple(map(s.dim_value, t.dims))), v.Static(np.intp)], {})


def _entry(s, part, n: Dim, axis: int):
    """One entry of an index, at an axis of length n."""
    if part is WHOLE:
        return ":", [], None
    match part:
        case v.Tuple(cls=c) if c is slice:
            return slice_entry(s, part.items, n)
        case v.Static(value=slice() as x):
            return slice_entry(s, [v.Static(bound) for bound in (x.start, x.stop, x.step)], n)
        case v.Static(value=x) | v.Number(Const(value=x)) if isinstance(x, (int, np.integer)) and type(x) is not bool:
            if s.is_caught("IndexError"):
                s.ensure(n, ">=", int(x) + 1 if x >= 0 else -int(x), "IndexError",
                         f"index {x} is out of bounds for axis {axis} with size {n}")
            return "i", [Const(int(x))], None
        case v.Number(atom=a) if (dtype := s.b.type(a).dtype).kind in "iu":
            # where it is compared with the length, it is an int
            return "i", [s.emit("int", a) if dtype != np.int64 and s.is_caught("IndexError") else a], None
        case v.Array() if (t := s.type(part)).dtype.kind in "iu":
            if t.rank:
                return "a", [s.read(part)], None
            return _entry(s, s.wrap(s.emit("getitem", s.read(part), index=())), n, axis)
    s.refuse_several([part.atom] if isinstance(part, v.Number) else [])
    s.stop("IndexError", NO_INDEX[isinstance(part, v.Array)])


def result_dims(s, base, entries):
    """Dims of base[index], slices with the lengths found; None where the rule finds them itself."""
    if not any([length is not None for _, _, length in entries]):
        return None
    t = s.type(base)
    dims = [d if length is None else length
            for d, length in zip(t.dims, [length for code, _, length in entries if code != "n"])]
    stand_in = s.b.fresh("part", t.with_dims(dims))
    result = indexed_type(s.b, stand_in, tuple([code if length is None else ":" for code, _, length in entries]),
                          [a for _, own, length in entries if length is None for a in own]).dims
    del s.b.types[stand_in]
    return result


def resolved(s, base, index):
    """(array, codes, atoms, parameters) of base[index]: of the view of which it is a part, or of its base."""
    entries = parse(s, s.type(base), index)
    arrays = iter(of_one_shape(s, [a for code, own, _ in entries if code == "a" for a in own]))
    entries = [(code, [next(arrays)] if code == "a" else own, length) for code, own, length in entries]
    base, entries = merge(base, entries)
    dims = result_dims(s, base, entries)
    codes = tuple([code for code, _, _ in entries])
    distinct = ({"distinct": True} if is_one_mask(s, index, codes.count("a"))
                else {"distinct": "all"} if is_permutation(s, s.type(base).dims, entries) else {})
    return (base, codes, [a for _, own, _ in entries for a in own],
            {"index": codes} | distinct | ({} if dims is None else {"dims": dims}))


def is_permutation(s, dims, entries) -> bool:
    """Does the one index array name each place of its axis once?"""
    axes = [(own, k) for k, (code, own, _) in enumerate([e for e in entries if e[0] != "n"]) if code in "ai"]
    return (len(axes) == 1 and axes[0][0][0] in s.permutations
            and s.b.type(axes[0][0][0]).dims == dims[axes[0][1]:axes[0][1] + 1])


def refuse_bools(s, parts) -> None:
    """A bool as an index is an axis of no or one element, of which only the run knows."""
    if any([s.is_numeric(p) and s.type(p).dtype.kind == "b" and not s.type(p).rank for p in parts]):
        s.fail("a bool as an index", "Write an if, or np.where(mask, a, b).")


def by_one_bool(s, base, index):
    """(base, index) of x[flag]: of x[None], which is of one element, and the mask of that."""
    if (s.type(base).kind == "py" or s.type(base).rank and getattr(index, "path", ()) or not s.is_numeric(index)
            or s.type(index).rank or s.type(index).dtype.kind != "b"):
        return base, index
    if s.type(base).rank == 0:
        return reshape(s, base, [v.Static(1)]), reshape(s, index, [v.Static(1)])
    return get_array(s, base, NONE), s.array_of(s.box([index]))


def get_array(s, base, index):
    base, index = by_one_bool(s, base, index)
    if isinstance(base, v.Number):
        return of_number(s, base, index)
    base, codes, atoms, params = resolved(s, base, index)
    dots = DOTS in subscript_parts(index)
    if codes and codes.count("i") == len(codes) == s.type(base).rank:
        element = v.Number(s.emit("getitem", s.read(base), *atoms, index=codes))
        if not dots:
            return element
        part = s.wrap_array(element)  # x[k, ...] is an array without axes, and a view
        s.freeze(base, part, "it is x[k, ...] of the other")
        return part
    if "a" in codes:
        return s.wrap(s.emit("getitem", s.read(base), *atoms, **params))
    if not codes and not dots:
        return v.Number(s.emit("getitem", s.read(base), index=()))
    if codes.count(":") == len(codes):
        return v.Array(base.cell, base.path, True)
    view = s.view(base, "getitem", *atoms, **params)
    if "i" in codes:
        s.read(view)  # an index out of range raises here, whether or not anything reads the view
    return view


def of_number(s, base, index):
    """x[()] and x[None] of a NumPy scalar: itself, and arrays of it."""
    s.refuse_several([base.atom])
    parts = subscript_parts(index)
    if not parts:
        return base
    refuse_bools(s, parts)
    if any([p not in (NONE, DOTS) for p in parts]):
        s.stop("IndexError", "invalid index to scalar variable.")
    return get_array(s, s.wrap_array(base), index)


def of_one_shape(s, arrays: list) -> list:
    """Index arrays as they broadcast against each other; lengths that are not known to be equal are checked."""
    types = [s.b.type(a) for a in arrays]
    if len({t.dims for t in types}) < 2:
        return arrays
    common = [ONE] * max(t.rank for t in types)
    for t in types:
        for k, d in enumerate(t.dims, -t.rank):
            if common[k].is_one or common[k].constant is None and d.constant is not None and not d.is_one:
                common[k] = d
    text, numbers = s.shape_text(*types)
    how = f"shape mismatch: indexing arrays could not be broadcast together with shapes {text} "
    found = []
    for a, t in zip(arrays, types):
        dims = tuple(d if d.is_one else common[k] for k, d in enumerate(t.dims, -t.rank))
        a = s.matched_array(a, dims, how, numbers, "IndexError")
        found.append(a if dims in (tuple(common), (ONE,)) else s.emit("np.broadcast_to", a, *map(s.dim_atom, common)))
    return found


def merge(base: v.Array, entries) -> tuple:
    """A[i][j] as A[i, j]: where the last view takes rows by integers, the index is one index of its base."""
    old = dict(base.path[-1].params).get("index", ("?",)) if base.path else ("?",)
    if not {*old} <= {"i", ":"} or not {code for code, _, _ in entries} <= {"i", ":", "n"}:
        return base, entries
    atoms, rest, out = iter(base.path[-1].atoms), list(entries), []
    for code in old:
        while code == ":" and rest[0][0] == "n":
            out.append(rest.pop(0))
        out.append(rest.pop(0) if code == ":" else (code, [next(atoms)], None))
    return v.Array(base.cell, base.path[:-1]), out + rest


# an index of a list or tuple that only the run time knows ---------------------------------------
def left_to_the_run(s, index, items) -> bool:
    """Is an item chosen while the program runs? Only where what the index comes from cannot be known,
    nor the loop around written out."""
    if (not isinstance(index, v.Number) or isinstance(index.atom, Const) or s.type(index).dtype.kind not in "iu"
            or index.atom in s.entry_ints or len(items) > MOST_PICKED):
        return False
    key = s.plan(Way.PICKED, s.node)
    if key not in s.static_paths:
        raise v.NeedStatic(index.atom, "it is an index of a list or tuple", s.origin(), key)
    return True


def pick(s, index, n: int, message: str, action):
    """`action(k)` for the place k that an index of the run time means: a tree of branches."""
    index = index if s.type(index).kind == "py" else s.wrap(s.emit("int", index.atom))
    compare = lambda op, k: s.elementwise(op, index, v.Static(k)).atom  # noqa: E731
    for op, end in (("greater_equal", -n), ("less", n)):
        s.require(compare(op, end), "IndexError", message)
    at = choose(s, compare("less", 0), lambda: s.elementwise("add", index, v.Static(n)), lambda: index)

    def among(first, last):
        if last - first == 1:
            return action(first)
        middle = (first + last) // 2
        return choose(s, s.elementwise("less", at, v.Static(middle)).atom, lambda: among(first, middle),
                      lambda: among(middle, last))

    return among(0, n) if n else s.stop("IndexError", message)


# stores --------------------------------------------------------------------------------------
@store_at_index
def set_item(s, base, index, value, add: bool = False):
    base = settled_value(s, base, lambda none: set_item(s, none, index, value))
    if is_keyed(s, base, index):
        return put_in_rows(s, base, index, value)
    if item(s, operator.setitem, base, index, value) is not None:
        return
    base = as_builtin(base)
    index = index_for(s, base, index)
    if isinstance(base, v.Array):
        set_array(s, base, index, value, add)
    elif is_run_time_list(s, base):
        store_in_rows(s, base, index, value)
    elif (is_list(base) or is_deque(base)) and left_to_the_run(s, index, s.items(base)):
        pick(s, index, len(s.items(base)), f"{'list assignment' if is_list(base) else 'deque'} index out of range",
             lambda k: set_item(s, base, v.Static(k), value))
    elif is_changeable(base):
        key = s.static(index, "it is a key or index of a container")
        on_real(s, base, operator.setitem, key, python_container(s, value) if isinstance(key, slice)
                else python_of(s, value))
    else:
        if isinstance(base, v.Static) and hasattr(type(base.value), "__setitem__"):
            s.own(v.Ref(outside=s.describe(base)), "a store into")
        s.stop("TypeError", f"'{s.class_name(base)}' object does not support item assignment")


@at_index
def delete_item(s, base, index):
    """del base[index]"""
    if is_keyed(s, base, index):
        return s.call_value(taken_away, [changed_pairs(s, base), index], {})
    if item(s, operator.delitem, base, index) is not None:
        return
    base = as_builtin(base)
    if is_run_time_list(s, base) and (index == LAST or getattr(index, "cls", None) is not slice):
        drop_last(s, base) if index == LAST else s.call_value(deleted_at, [base, index], {})
    elif is_list(base) and left_to_the_run(s, index, s.items(base)):
        s.call_value(deleted, [base, index], {})
    elif is_changeable(base):
        on_real(s, base, operator.delitem, s.static(index, "it is a key or index of a container"))
    elif isinstance(base, v.Array):
        s.stop("ValueError", "cannot delete array elements")
    else:
        by_python(s, operator.delitem, base, v.Static(0))


def set_array(s, base, index, value, add):
    if base.cell.frozen or base.cell.outside or is_frozen(s.heap, base.cell):
        s.assign_whole(base, None)  # which refuses
    base, index = by_one_bool(s, base, index)
    mask = whole_mask(s, base, index)
    if mask is not None and not add and (new := masked_fill(s, base, mask, value)) is not None:
        return s.assign_whole(base, s.atom(new))
    base, codes, atoms, params = resolved(s, base, index)
    x = s.read(base)
    part = indexed_type(s.b, x, codes, atoms, params.get("dims"))
    if add:
        value = addend(s, value, s.b.type(x), part)
    if mask is not None and isinstance(value, v.Array):
        check_values(s, value, part.dims[0])
    if "i" in codes and may_not_fit(s, value, part):
        s.emit("getitem", x, *atoms, **params)  # NumPy looks for the place before it looks at the value
    basic = not add and "a" not in codes
    by_number = basic and (isinstance(value, v.Number) or DOTS not in subscript_parts(index))
    new = s.emit("rt.update" + "_add" * add, x, store_value(s, value, part, basic, by_number), *atoms,
                 hint=base.cell.hint, **params)
    s.assign_whole(base, new)


def may_not_fit(s, value, part: Type) -> bool:
    """May a store of the value raise: has it too many axes, or does a float go into integers?"""
    return isinstance(value, (v.Number, v.Array)) and (
        s.type(value).rank > part.rank or s.type(value).is_float and part.dtype.kind in "iu")
