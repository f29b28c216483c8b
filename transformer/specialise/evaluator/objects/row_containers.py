"""Lists, and dicts as lists of pairs in the same box, of as many items as the run decides: how their rows change."""
from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import replace

import numpy as np

from ....core import Meanwhile
from ....core.types import Dim
from ....library.containers import (DICT_METHODS, LIST_METHODS, OF_PLAIN_DICTS, READING, no_key, place_in, put_again,
                                    put_part, put_under, repeated, together, under)
from ....library.standard import DefaultDict
from ...domain import values as v
from ...domain.growing_lists import (content_of_rows, form_of, grown, item_parts, joined_forms, length_of, list_in_rows,
                                     parts_of_content, put)
from ...domain.growth import emptied, pairs_in
from .containers import is_dict, is_list
from .iteration import as_int
from .objects import special

DICTS = (dict, OrderedDict, Counter)
AS_A_DICT = ("a dict with keys that the run computes, used in a way that needs them before it",
             "Give all keys one type, and all items; d[k], d[k] = v, d.get(k), k in d and loops over d are possible.")


def is_run_time_list(s, value) -> bool:
    """Is it a list in rows, in a program whose lists are as long as the run says?"""
    return s.loose and is_list(value) and (g := grown(s, value)) is not None and not g.given


def by_the_run(s, op: str, left, right):
    """left op right where one is a list of as many items as the run decides; None of all else."""
    if not s.loose:
        return None
    if op == "add" and is_list(left) and is_list(right) and (is_run_time_list(s, left) or is_run_time_list(s, right)):
        return s.call_value(together, [left, right], {})
    items, n = (right, left) if isinstance(left, v.Number) else (left, right)
    fits = op == "multiply" and is_list(items) and isinstance(n, v.Number) and s.type(n).dtype.kind in "biu"
    return s.call_value(repeated, [items, as_int(s, n)], {}) if fits and n.atom not in s.entry_ints else None


def store_in_rows(s, box, index, value) -> None:
    """box[k] = value"""
    s.check_change(box)
    g = grown(s, box)
    if getattr(index, "cls", None) is slice:
        if {*index.items} != {v.NONE}:
            return s.call_value(put_part, [box, index, value], {})
        made = s.call_value(v.Static(list), [value], {})
        s.heap[box.box, None] = s.heap[made.box, None] or emptied(s.heap[box.box, None])
        return
    try:
        one, types = joined_forms((g.one, g.types), form_of(s, [value]))
    except v.Grows:
        g.instead()
    if [t.dtype for t in types] != [t.dtype for t in g.types]:
        g.instead()
    g, (_, count, wide, rows) = replace(g, one=one, types=types), parts_of_content(s.heap[box.box, None])
    put(s, g, rows, s.atom(s.call_value(place_in, [index, s.dim_value(length_of(s, box, g))], {})), value)
    s.heap[box.box, None] = content_of_rows(g, count, wide, rows)


def drop_last(s, box: v.Boxed) -> None:
    """del box[-1:] of a list that is not empty: its row is one to spare."""
    s.check_change(box)
    g, count, wide, rows = parts_of_content(s.heap[box.box, None])
    count = s.elementwise("subtract", count if g.counted else s.wrap(s.dim_atom(g.length)), v.Static(1), hint="count")
    s.heap[box.box, None] = content_of_rows(replace(g, counted=True, least=max(g.least - 1, 0)), count, wide, rows)


def is_keyed(s, base, key) -> bool:
    """Is it a dict whose keys the run computes, or one that is asked for such a key?"""
    if not s.loose or type(base) is not v.Boxed or not (base.cls in DICTS or issubclass(base.cls, DefaultDict)):
        return False
    numbers = [x for x in v.walk_values([key]) if isinstance(x, v.Number)]
    if any([s.type(x).is_float and s.type(x).dtype != np.float64 for x in numbers]):
        return False  # to a dict it is not the double that it is equal to
    return grown(s, base) is not None or any([isinstance(x.atom, str) and x.atom not in s.entry_ints for x in numbers])


def pairs_of(s, base):
    """The pairs of a dict, to be read."""
    return v.Boxed(base.box, list) if grown(s, base) else s.box(pairs_in(s.heap, base.box) if s.items(base) else ())


def item_under(s, base, key):
    """base[key]"""
    return s.call_value(under, [pairs_of(s, base), key, special(s, base, "__missing__") or v.Static(no_key)], {})


def changed_pairs(s, base, *more):
    """The pairs of a dict in rows; of any other, which changes, and gets `more` of them, once it is one."""
    s.check_change(base)
    if grown(s, base) is None:
        with Meanwhile(s, "by_key", None):
            s.items(base)  # which raises where paths disagree about them, or their order
        dict_to_rows(s, base.box, more)
    return v.Boxed(base.box, list)


def put_in_rows(s, base, key, value, again=False) -> None:
    """base[key] = value; again: there is such a key already, but for a Counter, which has an item for any."""
    for x in item_parts(s, key)[1]:
        if s.type(x).is_float:
            s.require(s.atom(s.elementwise("equal", x, x)), "RefusedValue", "a NaN as a key, which is equal to none")
    function = put_again if again and base.cls is not Counter else put_under
    s.call_value(function, [changed_pairs(s, base, v.Tuple((key, value))), key, value], {})


def call_in_rows(s, base, name: str, args, kwargs):
    """A method of a list or dict in rows; None of all else."""
    extends = name == "extend" and is_list(base) and any([is_run_time_list(s, x) for x in args])
    if name in LIST_METHODS and (extends or is_run_time_list(s, base)):
        return s.call_value(LIST_METHODS[name], [base, *args], kwargs)
    if (name not in DICT_METHODS or kwargs or not is_keyed(s, base, args[0] if args else v.NONE)
            or name in OF_PLAIN_DICTS and not (base.cls is dict and all(map(is_dict, args)))):
        return None
    more = [v.Tuple((*args, v.NONE)[:2])] * (name == "setdefault")
    pairs = pairs_of(s, base) if name in READING else changed_pairs(s, base, *more)
    return s.call_value(DICT_METHODS[name], [pairs, *args], {})


def dict_to_rows(s, ref: v.Ref, more=()) -> None:
    """Rows for the pairs of a dict, which gets `more` of them."""
    items = pairs_in(s.heap, ref)
    try:
        form = form_of(s, [*items, *more])
    except v.Grows:
        s.fail(*AS_A_DICT)
    s.heap[ref, None] = list_in_rows(s, ref, items, v.Grown(Dim.of(0), Dim.of(len(items)), 0, *form, object(), True,
                                                            lambda: s.fail(*AS_A_DICT)))
    s.appended.add(ref)
