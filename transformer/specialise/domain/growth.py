"""How a list grows in a loop: what the loop finds out, run by run, of its length and its rows."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core import Const
from ...core.types import Dim
from . import values as v
from .growing_lists import content_of_rows, counting, form_of, joined_forms, list_in_rows, of_content, parts_of_content


class Growing:
    """The lists that grow in one loop, found one after the other."""

    def __init__(self, s, trips: Dim, instead):
        self.s, self.trips, self.instead = s, trips, instead
        self.before = dict(s.heap)
        # box -> (structure and types of an item, how many items an iteration adds (at most), does the list count them?)
        self.found: dict[v.Ref, tuple] = {}

    def learn(self, growth: v.Grows, in_sight) -> None:
        """Note what an attempt has found, and put rows in place of the lists; raises it again where that cannot be."""
        s, ref = self.s, growth.ref
        content = pairs_in(self.before, ref)
        if content is None or self.instead is None or ref not in s.appended and len(growth.items) >= len(content):
            raise growth
        if (g := of_content(content)) is not None:  # in rows, of which a round takes some away
            if g.counted or not (last := of_content(growth.items)) or not last.counted:
                raise growth
            s.heap = self.before
            self.before = dict(s.heap) | {(ref, None): counting(s, ref, content, replace(g, counted=True))}
            return self.with_rows()
        s.heap = growth.heap
        with s.scope():  # what finds out the types of views is not part of the program
            (one, types), more, counted = self.form(growth, content)
        try:
            types = tuple(t.with_dims(known_before(s, d, in_sight) for d in t.dims) for t in types)
            more = known_before(s, more, in_sight) if self.trips is not None else Dim.of(0)
        except LookupError:
            raise growth from None
        if self.found.get(ref) == (found := ((one, types), more, counted)):  # tried, and that was not enough
            raise growth
        self.found[ref] = found
        self.with_rows()

    def with_rows(self) -> None:
        """The heap before the loop, with rows in place of the lists."""
        s = self.s
        s.heap = dict(self.before)
        for box, (form, more, counted) in self.found.items():
            items = pairs_in(self.before, box)
            capacity = Dim.of(len(items)) + more * (self.trips or 0)
            empty = v.Grown(Dim.of(0), capacity, 0, *form, object(), counted, self.instead)
            s.heap[box, None] = list_in_rows(s, box, items, empty)

    def form(self, growth, content) -> tuple:
        last = of_content(growth.items)
        known, more, counted = self.found.get(growth.ref, (None, None, False))
        if last is not None and known and last.counted > counted:  # a loop in this one takes some away
            return joined_forms(known, (last.one, last.types)), more, True
        if last is not None:  # in a loop in this one
            form, more = (last.one, last.types), last.length - len(content)
            return (joined_forms(form, form_of(self.s, content)) if content else form), more, last.counted
        form = form_of(self.s, max(growth.items, content, key=len))
        if known:  # an item of another type
            return joined_forms(known, form), more, counted
        return form, Dim.of(max(len(growth.items) - len(content), 0)), False


def emptied(content) -> tuple:
    """What stands in the heap for a list in rows once it is cleared: all rows are to spare."""
    g, *_, rows = parts_of_content(content)
    return content_of_rows(replace(g, counted=True, least=0), v.Static(0), v.Static(False), rows)


def known_before(s, dim: Dim, in_sight) -> Dim:
    """An integer of the body by what is known before the loop; LookupError where it depends on more."""
    if dim.names <= in_sight:
        return dim
    found = {}
    for name in sorted(dim.names - in_sight):
        op, args, params = s.entry_ints[name]
        found[name] = s.b.dim(s.int_op(op.name, *(a if isinstance(a, Const)
            else s.dim_atom(known_before(s, Dim.of(a), in_sight)) for a in args), **params))
    return dim.substitute(found)


def lists_after_loop(s, index: str, after: Dim) -> None:
    """After a loop, lists are as long as they are when its index is `after`."""
    for key, content in s.heap.items():
        g = of_content(content)
        if g is not None and index in g.length.names:
            s.heap[key] = (replace(g, length=g.length.substitute({index: after})), *content[1:])


def pairs_in(heap, ref: v.Ref):
    """What a list holds, and of a dict the pairs of key and item; None where there is no such box."""
    content, keys = heap.get((ref, None)), heap.get((ref, v.KEYS), getattr(ref, "keys", ()))
    if not keys or not isinstance(content, tuple):
        return content
    return tuple([v.Tuple((v.Number(Const(key)) if isinstance(key, np.generic) else v.Static(key), x))
                  for key, x in zip(keys, content)])
