"""What a loop runs over, and iterators.

A *sequence* has a length and a k-th element: what loops of the run time need.  An *iterator* is an object like any
other: a box with the class that Python has for it, whose items are what it draws from and how far it is.

    list_iterator, reversed, ...    (sequence, position of the next element; None: it has ended, 1 or -1)
    enumerate                       (number of the next element, iterator)
    zip                             (strict, iterator, ...)
    map                             (function, iterator, ...)
    generator                       (function, or None: the item itself, iterator)
    filter                          (function, iterator)
    those of itertools              (attribute, ...) of the class of `library/iterators.py`
"""
from __future__ import annotations

import enum
import functools
import itertools
import math
import operator
import types as pytypes
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from ....core import Const
from ....core.types import PY_BOOL, PY_INT
from ....library.indexes import Index
from ....library.registry import FUNCTIONS
from ...domain import values as v
from ...domain.classes import COMPOSED, LEAVES, as_builtin, is_deque, is_set
from ...domain.growing_lists import grown, item_at, length_of
from ..flow.sides import on_sides
from . import protocols
from .containers import by_python, is_dict, is_list, python, python_container
from .objects import call_now, special

NONE, ZERO, ONE = v.Static(None), v.Static(0), v.Static(1)
MOST_ITEMS = 100_000
END = object()  # what `advance` gives at the end
VIEW_CLASSES = {kind: type(getattr({}, kind)()) for kind in ("keys", "values", "items")}
MAPS = (map, pytypes.GeneratorType)
STEPS: dict = {}  # class of an iterator -> step(s, it, why): its next item, or END
# static objects that can be run over
KNOWN = (tuple, list, str, bytes, range, dict, frozenset, enum.EnumMeta, Index, *VIEW_CLASSES.values())


@dataclass(frozen=True)
class Sequence:
    count: Any  # a value: static, or a number of the run time
    at: Callable  # value of k -> value of the element, as it is by then
    range: tuple | None = None  # (start, stop, step) values, where it is a range
    items: bool = False  # are there items of a container in it, which only an index known now can choose?
    now: Callable | None = None  # the count as it is by now, where the loop may change it
    rows: bool = False  # do rows stand for a list?

    def length(self):
        return self.now() if self.now else self.count


def sequence(s, value) -> Sequence | None:
    """How many elements something has, and which; None: it is no sequence."""
    value = as_builtin(value)
    match value:
        case v.Tuple(items=items, cls=c) if c is not slice:
            return _static(s, items)
        case v.Boxed() if is_list(value) and (g := grown(s, value)) is not None:
            return _of_rows(s, value, g)
        case v.Boxed() if is_list(value) or is_deque(value):
            now = lambda: v.Static(len(s.items(value)))  # noqa: E731
            return Sequence(now(), lambda k: s.item(_pick(s, s.items(value), k)), items=True, now=now)
        case v.Boxed() if is_dict(value):
            return _OF_ITER["keys"](s, value)
        case v.Boxed() if is_set(value):
            return _static(s, [s.static_number(x) for x in python_container(s, value)])
        case v.Iter(kind=kind, parts=parts):
            return _OF_ITER[kind](s, *parts)
        case v.Array():
            return _array(s, value)
        case v.Static(value=range() as r):
            return _range(s, *map(v.Static, (r.start, r.stop, r.step)))
        case v.Static(value=obj) if isinstance(obj, KNOWN):
            return _static(s, [s.static_number(x) for x in obj])
        case v.OneOf(flag=test, optional=False):  # that an iterator is over
            s.know(test)
            s.fail("an iterator over one of two things, between which a branch decides",
                   "Make it, and use it, in the branch.")
    return None


@on_sides
def length(s, value):
    """len(value)"""
    if (own := protocols.length_method(s, value)) is not None:
        return own
    found = sequence(s, value)
    if found is None or isinstance(value, v.Static) and not isinstance(value.value, range):
        if not isinstance(value, (v.Static, v.Number)):
            s.lacks(value, "object of type '{}' has no len()")
        return by_python(s, len, value)
    return found.count


def _static(s, items) -> Sequence:
    return Sequence(v.Static(len(items)), lambda k: _pick(s, items, k), items=True)


def _of_rows(s, value, g, part=lambda item: item) -> Sequence:
    count = length_of(s, value, g)

    def at(k):
        if grown(s, value) != g or length_of(s, value, g) != count:
            g.instead()  # the loop over it changes it
        return part(item_at(s, v.Boxed(value.box, list), g, k))

    return Sequence(s.dim_value(count), at, rows=True)


def _of_dict(s, value, kind) -> Sequence:
    if (g := grown(s, value)) is not None:
        return _of_rows(s, value, g, lambda pair: pair if kind == "items" else pair.items[kind == "values"])
    keys = s.keys(value)

    def now():
        if len(s.keys(value)) != len(keys):
            s.stop("RuntimeError", "dictionary changed size during iteration")
        return v.Static(len(keys))

    def at(k):
        pair = s.static_number(_pick(s, keys, k)), s.item(_pick(s, s.items(value), k))
        return v.Tuple(pair) if kind == "items" else pair[kind == "values"]

    return Sequence(now(), at, items=True, now=now)


def _of_deque(s, value, mark) -> Sequence:
    """A deque that something runs over since its last change was this."""
    if s.turned.get(value.box, NONE) != mark:
        s.fail("a deque that changes while something runs over it, of which Python makes a RuntimeError",
               "Run over a list of its items: list(d).")
    return sequence(s, value)


def _of_set(s, value, begun) -> Sequence:
    """A set that something runs over since it was `begun`."""
    if len(python_container(s, value)) != len(begun.value.known):
        s.stop("RuntimeError", "Set changed size during iteration")
    if s.items(value)[0].value is not begun.value:
        s.fail("a set that changes while something runs over it", "Run over a list of its items: list(d).")
    return sequence(s, value)


def _pick(s, items, k):
    return items[s.static(k, "it chooses an item of a list or tuple")]


def _array(s, value) -> Sequence:
    t = s.type(value)
    if t.rank == 0:
        s.stop("TypeError", "iteration over a 0-d array")
    return Sequence(s.dim_value(t.dims[0]), lambda k: FUNCTIONS[operator.getitem](s, value, k))


def _range(s, start, stop, step) -> Sequence:
    def at(k):
        scaled = k if step == ONE else s.elementwise("multiply", k, step)
        return scaled if start == ZERO else s.elementwise("add", start, scaled)

    count = s.wrap(s.int_op("rt.trip_count", *map(s.atom, (start, stop, step)), hint="trips"))
    return Sequence(count, at, (start, stop, step))


_OF_ITER = {"range": _range, "deque": _of_deque, "set": _of_set,
            **{kind: functools.partial(_of_dict, kind=kind) for kind in VIEW_CLASSES}}


# iterators ---------------------------------------------------------------------------------------
def is_iterator(value) -> bool:
    return isinstance(value, v.Boxed) and (value.cls in LEAVES or value.cls in COMPOSED)


@on_sides
def iterator(s, value):
    """iter(value)"""
    if is_iterator(value):
        return value
    if (own := protocols.iterator_method(s, value)) is not None:
        if not is_iterator(own) and special(s, own, "__next__") is None:
            s.stop("TypeError", f"iter() returned non-iterator of type '{s.class_name(own)}'")
        return own
    if sequence(s, value) is not None:
        return leaf(s, as_builtin(value), ZERO, 1)
    if (own := special(s, value, "__getitem__")) is not None:
        return s.box((own, ZERO), type(iter(lambda: 0, 0)), hint="it")
    if isinstance(value, v.RunTimeText) or isinstance(value, v.Static) and hasattr(type(value.value), "__iter__"):
        s.fail(f"cannot loop over {s.describe(value)}",
               "Loop over range(n), arrays, lists, tuples, dicts, zip or enumerate.")
    s.lacks(value, "'{}' object is not iterable")


def leaf(s, value, position, step: int):
    """An iterator over the elements of a sequence."""
    if is_deque(value):
        value = v.Iter("deque", (value, s.turned.get(value.box, NONE)))
    elif isinstance(value, v.Boxed) and value.cls is set:
        value = v.Iter("set", (value, s.items(value)[0]))
    made = iter(specimen_of(value)) if step == 1 else reversed(specimen_of(value))
    kind = type(made) if type(made) in LEAVES else type(iter(()))  # of the members of an Enum it is a generator
    return s.box((value, position, v.Static(step)), kind, hint="it")


def specimen_of(value):
    """An object of the class of a sequence."""
    match value:
        case v.Iter(kind=kind):
            return getattr({}, kind)() if kind in VIEW_CLASSES else {"deque": deque(), "set": set()}.get(kind, range(0))
        case v.Array():
            return np.zeros(0)
        case v.Static(value=obj):
            return obj
    return value.cls() if isinstance(value, v.Boxed) else ()


@on_sides
def backwards(s, value):
    """reversed(value)"""
    if (own := special(s, value, "__reversed__")) is not None:
        return call_now(s, own)
    own, counted = special(s, value, "__getitem__"), protocols.length_method(s, value) is not None
    if own is not None and (counted or isinstance(value, v.Tuple)):
        places = range(s.static(length(s, value), "reversed() runs over it"))
        return iterator(s, v.Tuple(tuple([call_now(s, own, v.Static(k)) for k in reversed(places)])))
    if counted:
        s.fail(f"reversed() of {s.describe(value)}, which has a __len__ of its own", "Define __reversed__ as well.")
    it = sequence(s, value)
    if it is None:
        s.lacks(value, "'{}' object is not reversible")
    return leaf(s, value, s.elementwise("subtract", it.count, ONE), -1)


def advance(s, it, why: str = "an iterator runs over it"):
    """next(it), or END."""
    if not is_iterator(it):
        return advance_user(s, it)
    content = s.items(it)
    if it.cls in LEAVES:
        return _advance_leaf(s, it, content, why)
    if it.cls in STEPS:
        return STEPS[it.cls](s, it, why)
    own, *parts = content
    if it.cls is filter:
        return _advance_filter(s, own, *parts, why)
    row: list = []
    while len(row) < len(parts) and END not in row:
        row.append(advance(s, parts[len(row)], why))
    if END in row or not row:
        if it.cls is zip and own.value:
            _strictly(s, row, parts, why)
        return END
    if it.cls in MAPS:
        return mapped_row(s, own, row)
    if it.cls is enumerate:
        s.change(it, (s.elementwise("add", own, ONE), *parts))
    return v.Tuple((own, *row) if it.cls is enumerate else tuple(row))


def mapped_row(s, own, row):
    """What map() or a generator expression gives for a row of items."""
    return row[0] if own == NONE else call_now(s, own, *row)


def _advance_leaf(s, it, content, why):
    if len(content) == 2:  # of an object that has __getitem__ only
        item = caught(s, IndexError, lambda: call_now(s, *content))
        s.change(it, (content[0], s.elementwise("add", content[1], ONE)))
        return item
    item = draw_element(s, it, content, why)
    return item if item is END else item()


def draw_element(s, it, content, why):
    """Move an iterator over a sequence on: END, or what gives the element."""
    source, position, step = content
    elements = sequence(s, source)
    if position == NONE:
        return END
    k = s.static(position, why)
    if not 0 <= k < s.static(elements.length(), why):
        s.change(it, (source, NONE, step))
        return END
    s.change(it, (source, v.Static(k + step.value), step))
    return lambda: elements.at(v.Static(k))


def _strictly(s, row, parts, why) -> None:
    """zip(strict=True) has come to an end: Python says which of its iterators is shorter, where one is."""
    more = [x is not END for x in row] + [False] * (len(parts) - len(row))
    if len(row) == 1:
        more = [False] + [advance(s, part, why) is not END for part in parts[1:]]
    python(s, list, zip(*[range(n) for n in more], strict=True))


def _advance_filter(s, function, inner, why):
    while (item := advance(s, inner, why)) is not END:
        kept = item if function == NONE else call_now(s, function, item)
        if s.static(s.truth(kept), "it decides what filter() keeps"):
            return item
    return END


def advance_user(s, it):
    """next(it) of an object of a user's class."""
    own = special(s, it, "__next__")
    if own is None:
        s.stop("TypeError", f"'{s.class_name(it)}' object is not an iterator")
    return caught(s, StopIteration, lambda: call_now(s, own))


def caught(s, cls, action):
    """What the action gives, or END where it ends in an exception of this class;
    at run time it may not depend on whether it does."""
    try:
        with s.catches(cls):
            return action()
    except v.Caught:
        return END


def iterate_static(s, value, why: str) -> list:
    """The items of something that can be run over before the run, for what needs them all first."""
    return [*each_item(s, s.listed(value), why)]


def each_item(s, value, why: str):
    """The same for what does something with each item before the next one is made."""
    it, count = iterator(s, value), 0
    while count <= MOST_ITEMS and items_left(s, it) <= MOST_ITEMS:
        if (item := advance(s, it, why)) is END:
            return
        yield item
        count += 1
    s.fail(f"more than {MOST_ITEMS} items that must be known before the run: {why}",
           "Loop over them, or make an array.")


def items_left(s, it) -> float:
    """How many items an iterator will give at least, as far as it says so without being asked for them."""
    content = s.items(it) if is_iterator(it) else ()
    if it.cls is itertools.count or it.cls is itertools.repeat and content[1] == NONE or (
            it.cls is itertools.cycle and content[0].items):
        return math.inf
    if it.cls not in LEAVES or len(content) != 3 or content[1] != ZERO:
        return 0
    count = sequence(s, content[0]).length()
    return count.value if isinstance(count, v.Static) else 0


def as_int(s, value):
    """A Python int of an integer value, as range() and sizes need it."""
    value = protocols.as_index(s, value)
    if isinstance(value, v.Static):
        return value if type(value.value) in (int, bool) else v.Static(python(s, operator.index, value.value))
    if (not s.is_numeric(value) and not isinstance(value, v.OneOf) and getattr(value, "cls", None) is not slice
            or isinstance(value, v.Array) and s.type(value).rank):
        return by_python(s, operator.index, value)
    atom = s.atom(value)
    if s.b.type(atom) != PY_INT:
        if s.b.type(atom).dtype.kind not in "iu" and s.b.type(atom) != PY_BOOL:
            s.refuse_several([atom])
            s.stop("TypeError", f"'{s.class_name(value)}' object cannot be interpreted as an integer")
        atom = Const(int(atom.value)) if isinstance(atom, Const) else s.emit("int", atom)
    return s.wrap(atom)
