"""What a loop changes, as its text tells: then its body is mostly run once, and not to find that out and again.

    for i in range(n):                s, which has been a number, is a name of the loop's from the start; out has
        s = s + x[i]                  another content after each iteration
        out[i] = s

It is a guess, as though an iteration with these changes had been: what comes round tells whether it was right.  A
variable that is bound to another array is none of these: which one it will be, or share, only the body tells.
In nests it makes the difference between as many runs as there are loops, and twice as many for each loop around.
"""
from __future__ import annotations

import functools

import gast

from ...frontend.trees import nodes
from . import values as v
from .plans import Way


@functools.lru_cache(4096)
def changed(loop) -> tuple[tuple[str, bool], ...]:
    """(variable, is it stored into?) of those that the body of a loop assigns; what is stored into remains the same
    array.

    >>> changed(gast.parse("for i in x:\\n  s = s + i\\n  y[i] = s").body[0])
    (('s', False), ('y', True))
    """
    found: dict[tuple[str, bool], None] = {}
    for node in [n for stmt in loop.body for n in nodes(stmt)]:
        match node:
            case gast.AugAssign(target=gast.Name(id=name)):
                found[name, False] = found[name, True] = None
            case gast.Assign(targets=targets):
                found |= dict.fromkeys([one for target in targets for one in places_in(target)])
            case gast.AugAssign(target=target):
                found |= dict.fromkeys(places_in(target))
    return tuple(found)


def places_in(target) -> list[tuple[str, bool]]:
    match target:
        case gast.Name(id=name):
            return [(name, False)]
        case gast.Subscript(value=gast.Name(id=name)):
            return [(name, True)]
        case gast.Tuple(elts=targets) | gast.List(elts=targets):
            return [one for inner in targets for one in places_in(inner)]
    return []


class Foreseen:
    """The changes of a loop that its text tells: `slots`; without what was seen to stay as it is."""

    def __init__(self, s, node, live, before):
        self.s, self.before = s, before
        self.key = s.plan(Way.FOUND_OUT, node)
        self.steady = s.loops.steady.setdefault(self.key, set())
        self.slots = () if self.key in s.static_paths else self.found(node, live)

    def __enter__(self):
        if self.slots:
            self.s.loops.foreseen.append(self.key)

    def __exit__(self, kind, error, _):
        """Where an iteration cannot be done with what is foreseen, see whether it can with what is found out."""
        if self.slots:
            keys = frozenset(self.s.loops.foreseen)
            self.s.loops.foreseen.pop()
            if kind is not None and issubclass(kind, Exception) and not issubclass(kind, v.Grows):
                raise v.Restart(keys) from None

    def found(self, node, live) -> list[tuple]:
        frame, slots = self.s.frames[-1], []
        for name, stored in changed(node):
            entry = self.before.get((frame, name))
            array = type(entry) is v.Array
            slot = (entry.cell, None) if stored and array else (frame, name)
            if (name not in self.steady and (live is None or stored or name in live)
                    and (stored if array else not stored and self.s.is_numeric(entry))):
                slots.append((name, slot))
        return slots

    def end(self) -> dict:
        """The heap as it could be after an iteration."""
        s, heap = self.s, dict(self.before)
        for name, slot in self.slots:
            entry = self.before[slot]
            atom = entry if isinstance(slot[0], v.Ref) and slot[1] is None else s.atom_in(self.before, entry)
            new = s.b.fresh(name, s.b.type(atom))
            s.orders[new] = s.order(atom)
            s.b.note_several(new, s.b.types_of(atom), s.b.loop_of([atom]))
            heap[slot] = new if slot[1] is None else v.Number(new)
        return heap

    def wrong(self, slots, heap) -> bool:
        """Is there something among the headers that does not change, once an iteration has ended with this heap?"""
        wrong = [name for name, slot in self.slots
                 if heap.get(slot) is None or
                 any([same_value(heap[slot], x) for x in (slots.get(slot), self.before[slot])])]
        self.steady.update(wrong)
        self.slots = [one for one in self.slots if one[0] not in self.steady]
        return bool(wrong)


def same_value(x, y) -> bool:
    """Is it the same array, or the same number?"""
    if type(x) is v.Array and type(y) is v.Array:
        return x.cell is y.cell
    return x == y
