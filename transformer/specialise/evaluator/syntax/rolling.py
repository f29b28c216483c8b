"""Loops over lists and tuples of equal things, which are long where they are written out: rows stand for the things.

    for heavy in (0.1, 1.0, 10.0):        heavy_rows = np.array([0.1, 1.0, 10.0])
        ...                               for i in range(3):
                                              heavy = float(heavy_rows[i])
                                              ...

Short loops are written out, which says more of each round.  What must know which item it has ends this, and the loop is
written out, whatever it takes.
"""
from __future__ import annotations

import itertools
from contextlib import contextmanager

import gast
import numpy as np

from ....core import Block, Meanwhile, OnTop, bound, walk
from ...domain import values as v
from ...domain.growing_lists import item_parts, of_rows, share_parts
from ...domain.heap import Heap
from ...domain.plans import Plan, Way, rolled
from ..names.tables import call_value
from ..objects.drawing import drawn_from
from ..objects.iteration import LEAVES, Sequence, is_iterator, sequence

ROUNDS = 3  # and more
LONG = 120  # statements of all rounds together
NUMBER = 0.25  # of a statement, what makes a number


def is_rolled(s, node) -> bool:
    key = s.plan(Way.WRITTEN_OUT, node)
    return rolled(key) in s.static_paths and key not in s.static_paths


def iterable_in_rows(s, node, value):
    """What a loop runs over, with rows in place of its items, where this is decided."""
    if not is_rolled(s, node):
        return value
    key = s.plan(Way.WRITTEN_OUT, node)
    s.rows.rolled.add(key)
    if not is_iterator(value):
        return rows_for(s, key, value, node.target)
    for it, target in targets(s, value, node.target):
        source, *place = s.items(it)
        if sequence(s, source).items:
            s.change(it, (rows_for(s, key, source, target), *place))
    return value


def targets(s, it, target) -> list:
    """The iterators that one draws from in the end, each with the part of the target that gets its items, or None."""
    if it.cls in LEAVES:
        return [(it, target)]
    parts, elts = s.items(it)[1:], getattr(target, "elts", ())
    elts = elts[1:] if it.cls is enumerate else elts if it.cls is zip else ()
    return [found for k, part in enumerate(parts)
            for found in targets(s, part, elts[k] if len(elts) == len(parts) else None)]


def rows_for(s, key: str, value, target) -> v.Boxed:
    """The items of a sequence as a list of rows, of the loop that is called `key`."""
    def instead():
        raise v.Restart(frozenset({key}))

    items = items_of(sequence(s, value))
    one, types = form_in_calls(s, items)
    names, columns = names_for(one, target), zip(*[item_parts(s, item)[1] for item in items])
    rows = [row_of(s, column, t, f"{name}_rows") for column, t, name in zip(columns, types, names)]
    made = of_rows(s, one, types, rows, instead, given=True)
    for item in items:
        share_parts(s, s.heap[made.box, None][0], item)
    return made


def row_of(s, column, t, hint: str) -> v.Array:
    """An array of the same part of each item, all of type t."""
    if t.kind == "array":  # of the same lengths, in the calls that the program is for
        column = [x if s.type(x).dims == t.dims else s.wrap(s.emit("retype", s.atom(x), dims=t.dims)) for x in column]
    made = call_value(s, v.Static(np.stack if t.kind == "array" else np.array), [s.box(list(column))], {})
    return s.wrap(s.atom(s.name_last(made, hint)), hint)


def names_for(one, target, hint="item") -> list[str]:
    """What the leaves of an item are called, of this structure: as the loop or their keys call them."""
    if isinstance(target, gast.Name):
        hint = target.id
    if one[0] in ("leaf", "static"):
        return [hint] * (one[0] == "leaf")
    keys, elts = one[1] or range(len(one[2])), getattr(target, "elts", ())
    return [name for k, (key, part) in enumerate(zip(keys, one[2]))
            for name in names_for(part, elts[k] if len(elts) == len(keys) else None,
                                  key if isinstance(key, str) and key.isidentifier() else f"{hint}_{k}")]


def items_of(it: Sequence) -> list:
    return [it.at(v.Static(k)) for k in range(it.count.value)]


def form_in_calls(s, items) -> tuple:
    """(structure, types of the leaves) that all items have, in the calls that the program is for; raises Grows."""
    one, first = item_parts(s, items[0])
    types = tuple(map(s.type, first))
    for structure, own in [item_parts(s, item) for item in items[1:]]:
        if structure != one or not all([is_like(s, s.type(x), t) for x, t in zip(own, types)]):
            raise v.Grows
    return one, types


def is_like(s, t, other) -> bool:
    return ((t.kind, t.dtype, t.rank) == (other.kind, other.dtype, other.rank)
            and all([d == e or s.presume(d - e, "==", 0) for d, e in zip(t.dims, other.dims)]))


# which loops they are ------------------------------------------------------------------------------
@contextmanager
def written_out(s, node, it):
    """A loop over an iterator is written out, as long as that is short.  Gives what is called after each round."""
    key, first, rounds = s.plan(Way.WRITTEN_OUT, node), len(s.b.stmts), itertools.count(1)

    def after_round():
        k = next(rounds)
        if k == ROUNDS - 1 and size_from(s, first) * (count_of(s, it) or 0) >= LONG * k and not s.facts.on_gpu:
            for keys in [rows_needed(s, *outer) for outer in s.rows.unrolled]:
                if keys:  # of the outermost
                    raise v.Restart(keys)

    with OnTop(s.rows.unrolled, (key, it)):
        yield after_round


def rows_needed(s, key: Plan, it) -> frozenset[Plan]:
    """The keys of what has to be in rows for a loop to be one; empty: it is written out."""
    found = [None if x is None else sequence(s, s.items(x)[0]) for x in drawn_from(s, it)]
    lists = [] if None in found else [items_of(x) for x in found if x.items]
    if (count_of(s, it) or 0) < ROUNDS or not lists or not all([rows_can_stand(s, items) for items in lists]):
        return frozenset()
    keys = {given(s, items) or key for items in lists}
    return frozenset(map(rolled, keys)) if s.static_paths.isdisjoint({key, *keys}) else frozenset()


def count_of(s, it) -> int | None:
    """How many rounds a loop has that is written out; None where it ends by other means."""
    counts = {None if x is None else sequence(s, s.items(x)[0]).count for x in drawn_from(s, it)}
    count = counts.pop() if len(counts) == 1 else None
    return count.value if isinstance(count, v.Static) else None


def size_from(s, first: int) -> float:
    """Of the statements from this one on."""
    return sum([1 if any([s.b.types[n].rank for n in bound(stmt)]) else NUMBER
                for stmt in walk(Block(tuple(s.b.stmts[first:])))])


def given(s, items) -> str | None:
    """The key of a list of the caller's that has these items, all of them in order."""
    sources, leaves = dict(s.params), []
    for atom in [s.atom(x) for item in items for x in item_parts(s, item)[1]]:
        while atom in s.stands_for:
            atom = s.stands_for[atom]
        leaves.append(sources.get(atom))
    return s.rows.possible.get(tuple(leaves))


def rows_can_stand(s, items) -> bool:
    """Can rows stand for all of them?  Integers that are known say more than a row of them."""
    assumed = len(s.facts.assumptions)
    try:  # what it takes to find out is not part of the program, nor what it assumes
        with Meanwhile(s, "heap", Heap(s.heap, s.b.made)), s.scope():
            _, types = form_in_calls(s, items)
    except v.Grows:
        return False
    finally:
        del s.facts.assumptions[assumed:]
    return bool(types) and all([t.kind == "array" or t.is_float for t in types])
