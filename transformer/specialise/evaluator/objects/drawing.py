"""Iterators in loops of the run time: what they have still to give as a sequence, and where they are afterwards."""
from __future__ import annotations

import functools
from dataclasses import replace

from ...domain import values as v
from ...domain.aliasing import reachable_values
from ..flow.control import decide
from .iteration import (COMPOSED, END, LEAVES, MAPS, NONE, ONE, STEPS, ZERO, Sequence, draw_element, is_iterator,
                        mapped_row, sequence)


def is_unshared_iterator(s, it) -> bool:
    """Does nobody else have this iterator, or what it draws from, so that it may be ahead of where the program is?"""
    if None in drawn_from(s, it):
        return False
    own = composed(s, it)
    if any([x.cls is zip and s.items(x)[0].value for x in own]):
        return False
    boxes = {x.box for x in own}
    others = [x for (ref, _), content in s.heap.items() if ref not in boxes
              for x in (content if isinstance(content, tuple) else (content,))]
    return not any([isinstance(x, v.Boxed) and x.box in boxes for x in reachable_values(s.heap, others)])


def draw_item(s, it, why: str):
    """Move an iterator on: END, or what gives the item, to be called where the program comes to it."""
    content = s.items(it)
    if it.cls in LEAVES:
        return draw_element(s, it, content, why)
    own, *parts = content
    row = [draw_item(s, part, why) for part in parts]
    if END in row or not row:
        return END
    if it.cls in MAPS:
        return lambda: mapped_row(s, own, [item() for item in row])
    if it.cls is enumerate:
        s.change(it, (s.elementwise("add", own, ONE), *parts))
    return lambda: v.Tuple((own,) * (it.cls is enumerate) + tuple([item() for item in row]))


def drawn_from(s, it) -> list:
    """What an iterator draws from in the end: iterators over sequences; None: one that has no k-th element."""
    if not is_iterator(it) or it.cls is filter or it.cls in STEPS:
        return [None]
    content = s.items(it)
    if it.cls in LEAVES:
        return [it if len(content) == 3 else None]
    return [x for part in content[1:] for x in drawn_from(s, part)]


def drawn(s, it) -> Sequence | None:
    """What an iterator has still to give, as a sequence; None where only one step after the other can say."""
    own = drawn_from(s, it)
    return None if None in own or len({x.box for x in own}) < len(own) else _drawn(s, it)


def _drawn(s, it) -> Sequence:
    content = s.items(it)
    if it.cls in COMPOSED:
        return _drawn_together(s, it.cls, content[0], [_drawn(s, part) for part in content[1:]])
    source, position, step = content
    elements = sequence(s, source)
    if position == NONE:
        return Sequence(ZERO, elements.at, items=True)
    if step == ONE and position == ZERO:
        return elements
    there, count = (("add", s.elementwise("subtract", elements.count, position)) if step == ONE
                    else ("subtract", s.elementwise("add", position, ONE)))
    return replace(elements, count=count, at=lambda k: elements.at(s.elementwise(there, position, k)), range=None,
                   now=None)


def _drawn_together(s, cls, own, parts) -> Sequence:
    if not parts:
        return Sequence(ZERO, lambda k: NONE, items=True)
    for k, part in enumerate(parts[1:] if cls is zip and own.value else (), 1):
        for relation, word in (("greater_equal", "shorter"), ("less_equal", "longer")):
            fits = s.elementwise(relation, part.count, parts[0].count)
            s.require(s.atom(fits), "ValueError",
                      f"zip() argument {k + 1} is {word} than argument{'s 1-' + str(k) if k > 1 else ' 1'}")
    row = lambda k: [p.at(k) for p in parts]  # noqa: E731
    at = {zip: lambda k: v.Tuple(tuple(row(k))), enumerate: lambda k: v.Tuple((s.elementwise("add", k, own), *row(k)))
          }.get(cls, lambda k: mapped_row(s, own, row(k)))

    def shorter(a, b):
        known = s.presume(s.b.dim(s.atom(b)) - s.b.dim(s.atom(a)), ">=", 0)  # a program for each answer
        return decide(s, s.elementwise("less_equal", a, b) if known is None else v.Static(known), lambda: a, lambda: b)
    shortest = functools.reduce(shorter, [p.count for p in parts])
    return Sequence(shortest, at, items=any(p.items for p in parts),
                    rows=any(p.rows for p in parts))


BUSY = "a loop of the run time runs over it, or has run over it to an end that only the run time knows"


def begin(s, it) -> list:
    """A loop of the run time runs over an iterator: nothing else may draw from it meanwhile.
    Gives what `finish` needs."""
    own = [(x, s.items(x), drawn(s, x).count) for x in drawn_from(s, it)] if is_iterator(it) else []
    for x in composed(s, it):
        s.heap[x.box, None] = v.Unjoinable(BUSY)
    return own


def composed(s, it) -> list:
    """An iterator and those that it draws from."""
    return [it, *(x for part in s.items(it) for x in composed(s, part))] if is_iterator(it) else []


def finish(s, own, rounds, total) -> None:
    """The loop has ended after so many rounds of a total; what it drew from has moved."""
    for x, (source, position, step), count in own:
        if rounds == count:
            position = NONE
        elif total != count:
            continue  # of several of different lengths
        elif step.value == 1:
            position = rounds if position == ZERO else s.elementwise("add", position, rounds)
        else:
            position = s.elementwise("subtract", position, rounds)
        s.heap[x.box, None] = (source, position, step)
