"""What a loop runs over: how many elements, and the k-th of them."""
from __future__ import annotations

import enum
import operator
from dataclasses import dataclass
from typing import Any, Callable

from ..core import Const
from ..types import PY_BOOL, PY_INT
from . import values as v
from .growing import grown, item_at
from .objects import as_builtin
from .protocols import as_index, following, is_object, iterator


@dataclass(frozen=True)
class Iterable:
    count: Any  # a value: static, or a number of the run time
    at: Callable  # value of k -> value of the element, as it is by then
    range: tuple | None = None  # (start, stop, step) values, where it is a range
    items: bool = False  # are there items of a container in it, which only an index known now can choose?
    now: Callable | None = None  # the count as it is by now, where the loop may change it

    def length(self):
        return self.now() if self.now else self.count


class Drawn:
    """What an object with a __next__ gives: each item is asked for when the loop comes to it."""

    range, items, now, most = None, True, None, 2000

    def __init__(self, s, source):
        self.s, self.source, self.found, self.ended = s, source, [], False

    def length(self):
        """How many items there are by now, the next one among them."""
        item = None if self.ended else following(self.s, self.source)
        self.ended = item is None
        self.found += item or ()
        if len(self.found) > self.most:
            self.s.fail(f"an iterator of more than {self.most} items", "Loop over range(n), or write a while loop.")
        return v.Static(len(self.found))

    @property
    def count(self):
        while not self.ended:
            self.length()
        return v.Static(len(self.found))

    def at(self, k):
        return self.found[self.s.static(k, "it chooses an item")]


def iterable(s, value) -> Iterable:
    own = iterator(s, value)
    if own is not None:
        return Drawn(s, own) if is_object(own) else iterable(s, own)
    value = as_builtin(value)
    match value:
        case v.Tuple(items=items):
            return _static(s, items)
        case v.Boxed(cls=c) if c is list and (g := grown(s, value)) is not None:
            return Iterable(s.dim_value(g.length), lambda k: _of_grown(s, value, g, k))
        case v.Boxed(cls=c) if c is list:
            now = lambda: v.Static(len(s.items(value)))  # noqa: E731
            return Iterable(now(), lambda k: s.item(_pick(s, s.items(value), k)), items=True, now=now)
        case v.Boxed(cls=c) if issubclass(c, dict):
            return _of_dict(s, value, "keys")
        case v.Iter(kind="keys" | "values" | "items" as kind, parts=(inner,)):
            return _of_dict(s, inner, kind)
        case v.Array():
            return _array(s, value)
        case v.Iter(kind="range", parts=parts):
            return _range(s, *parts)
        case v.Iter(kind="zip", parts=parts):
            return _zip(s, [within(s, p) for p in parts])
        case v.Iter(kind="enumerate", parts=(inner, start)):
            it = within(s, inner)
            return Iterable(it.count, lambda k: v.Tuple((s.elementwise("add", k, start), it.at(k))), items=it.items, now=it.now)
        case v.Iter(kind="reversed", parts=(inner,)):
            it = iterable(s, inner)
            last = s.elementwise("subtract", it.count, v.Static(1))
            return Iterable(it.count, lambda k: it.at(s.elementwise("subtract", last, k)), items=it.items)
        case v.Static(value=obj) if isinstance(obj, (tuple, list, str, range, dict, enum.EnumMeta)):
            return _static(s, [v.Static(x) for x in obj])
        case v.Maybe():
            return iterable(s, s.present(value))
    s.fail(f"cannot loop over {s.describe(value)}", "Loop over range(n), arrays, lists, tuples, dicts, zip or enumerate.")


def within(s, value) -> Iterable:
    """What zip and enumerate run over."""
    it = iterable(s, value)
    if isinstance(it, Drawn):
        s.fail("zip or enumerate of an object with a __next__", "Count in the loop, or make a list of it first: list(x).")
    return it


def _static(s, items) -> Iterable:
    return Iterable(v.Static(len(items)), lambda k: _pick(s, items, k), items=True)


def _of_grown(s, value, g, k):
    if grown(s, value) != g:
        g.instead()  # the loop over it changes it
    return item_at(s, value, g, k)


def _of_dict(s, value, kind) -> Iterable:
    keys = s.keys(value)

    def now():
        if len(s.keys(value)) != len(keys):
            s.stop("RuntimeError", "dictionary changed size during iteration")
        return v.Static(len(keys))

    def at(k):
        pair = v.Static(_pick(s, keys, k)), s.item(_pick(s, s.items(value), k))
        return v.Tuple(pair) if kind == "items" else pair[kind == "values"]

    return Iterable(now(), at, items=True, now=now)


def _pick(s, items, k):
    return items[s.static(k, "it chooses an item of a list or tuple")]


def _array(s, value) -> Iterable:
    from .indexing import get_at
    t = s.type(value)
    if t.rank == 0:
        s.stop("TypeError", "iteration over a 0-d array")
    return Iterable(s.dim_value(t.dims[0]), lambda k: get_at(s, value, k))


def _range(s, start, stop, step) -> Iterable:
    def at(k):
        scaled = k if step == v.Static(1) else s.elementwise("multiply", k, step)
        return scaled if start == v.Static(0) else s.elementwise("add", start, scaled)

    count = s.wrap(s.int_op("rt.trip_count", *map(s.atom, (start, stop, step)), hint="trips"))
    return Iterable(count, at, (start, stop, step))


def _zip(s, parts) -> Iterable:
    counts = {p.count for p in parts}
    known = [c for c in counts if isinstance(c, v.Static)]
    if len(counts) == 1:
        count = parts[0].count
    elif len(known) == len(counts):
        count = v.Static(min(c.value for c in counts))
    else:
        count = parts[0].count
        for p in parts[1:]:
            if p.count != count:
                count = _minimum(s, count, p.count)
    return Iterable(count, lambda k: v.Tuple(tuple(p.at(k) for p in parts)), items=any(p.items for p in parts))


def _minimum(s, a, b):
    from .control import choose
    test = s.elementwise("less", a, b)
    return choose(s, test.atom, lambda: a, lambda: b)


def as_int(s, value):
    """A Python int of an integer value, as range() and sizes need it."""
    value = as_index(s, value)
    if isinstance(value, v.Static):
        if type(value.value) in (int, bool):
            return value
        try:
            return v.Static(operator.index(value.value))
        except TypeError as error:
            s.stop("TypeError", str(error))
            return v.Static(0)
    atom = s.atom(value)
    if s.b.type(atom) != PY_INT:
        if s.b.type(atom).dtype.kind not in "iu" and s.b.type(atom) != PY_BOOL:
            s.stop("TypeError", f"'{s.b.type(atom).dtype}' object cannot be interpreted as an integer")
        atom = Const(int(atom.value)) if isinstance(atom, Const) else s.emit("int", atom)
    return s.wrap(atom)
