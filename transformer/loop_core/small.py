"""Which arrays of a few elements can be as many numbers, or memory of their own, for the one thread that runs a loop.

An array that has two names would become two, so a store into one of them must not be seen under another: an array is
stored into while it is new and has no other name, or its names are handed on (the one before is not wanted any more).
"""
from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from .core import (Alloc, Assign, Assigns, Binary, Call, Copy, Do, Expr, Length, Load, Loop, Name, Stmt, Store, While,
                   integer)
from .facts import Arrays, walk
from .walking import blocks, bound_by, names_in, names_read, reads

FEW = 16  # elements of an array
ROUNDS = 64  # of loops that are written out
Binders = dict[str, list[tuple[Stmt, Expr | None]]]  # {array: what binds it, and the expression of which it is}


@dataclass
class Small:
    """shapes  of arrays that nothing but the loop names
    numbers  of these: all places at which they are touched are known
    sums     arrays made before the loop, which only adds to elements of them at known places
    """

    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    sums: set[str] = field(default_factory=set)


def small_arrays(loop: Loop | While, arrays: Arrays, bound: Counter, after: dict[int, set[str]]) -> Small:
    """
    bound  how often each name is bound
    after  {statement that gives a name to what has one: the names wanted after it}
    """
    binders: Binders = defaultdict(list)
    for stmt in walk([loop]):
        for name, value in pairs(stmt):
            if name.id in arrays.ranks:
                binders[name.id].append((stmt, value))
    named = Counter(n.id for n in names_read(loop))
    shapes = {n: shape for n, shape in shapes_of(binders).items()
              if math.prod(shape) <= FEW and (named[n], len(binders[n])) == (arrays.named[n], bound[n])}
    stored = {n for s in walk([loop]) for n in stores(s)}
    while shapes and (wrong := {n for n in shapes if not all(is_one_of(x, shapes[n]) for x in binders[n])}
                      | Uses(shapes).of((loop,)).whole & shapes.keys()
                      | {n for n in shapes if n in stored and not (
                          hidden(n, loop.body) or handed_over(n, loop, binders, shapes, after))}
                      | of_what_changes(shapes, binders, stored, arrays)):
        shapes = {n: shape for n, shape in shapes.items() if n not in wrong}
    unknown = Uses(shapes).of((loop,)).unknown
    renamed = {n for n in shapes for s, value in binders[n] if isinstance(value, Name)}
    renamed |= {value.id for n in shapes for s, value in binders[n] if isinstance(value, Name)}
    return Small({n: shape for n, shape in shapes.items() if n not in unknown or n in renamed},
                 shapes.keys() - unknown, sums_of(loop, arrays))


def sums_of(loop: Loop | While, arrays: Arrays) -> set[str]:
    inside = [*walk([loop])]
    touched = Counter(arrays.memory(n.id) for n in names_read(loop) if n.id in arrays.ranks)
    added = Counter(s.array.id for s in inside if isinstance(s, Store) and s.add)
    bound = {arrays.memory(n.id) for s in inside for n in bound_by(s) if n.id in arrays.ranks}
    own = {n for n in added if n in arrays.allocs and arrays.memory(n) not in bound
           and touched[arrays.memory(n)] == added[n]}
    places = [(s.array.id, k) for s in inside if isinstance(s, Store) for k in map(integer, s.index)]
    return own - {n for n, k in places if k is None or k < 0}


def pairs(stmt: Stmt) -> list[tuple[Name, Expr | None]]:
    """The names that a statement binds, each with the expression of which it is."""
    match stmt:
        case Assign(name, value):
            return [(name, value)]
        case Assigns(names, values) if len(names) == len(values):
            return [*zip(names, values)]
    return [(name, None) for name in bound_by(stmt)]


def shapes_of(binders: Binders) -> dict[str, tuple[int, ...]]:
    """The shapes that are known of arrays, by where they are made."""
    found = {n: tuple(map(integer, s.shape)) for n, made in binders.items() for s, _ in made
             if isinstance(s, Alloc) and None not in map(integer, s.shape)}
    same = [(n, x.id) for n, made in binders.items() for s, value in made
            for x in (s.source if isinstance(s, Copy) else value,) if isinstance(x, Name)]
    same += [(b, a) for a, b in same]
    while more := {a: found[b] for a, b in same if b in found and a in binders and a not in found}:
        found |= more
    return found


def is_one_of(made: tuple[Stmt, Expr | None], shape: tuple[int, ...]) -> bool:
    """Is it made in a way that can be done element by element?"""
    stmt, value = made
    return (isinstance(value, Name) or isinstance(stmt, Copy)
            or isinstance(stmt, Alloc) and tuple(map(integer, stmt.shape)) == shape)


def stores(stmt: Stmt) -> list[str]:
    """The arrays into which a statement may store: what a call is given too."""
    given = [n.id for e in reads(stmt) if isinstance(e, Call) for x in e.args for n in names_in(x)]
    return [stmt.array.id, *given] if isinstance(stmt, Store) else given


def of_what_changes(shapes, binders: Binders, stored, arrays: Arrays) -> set[str]:
    """Those that are other names of arrays into which the loop stores."""
    changing = {arrays.memory(n) for n in stored if n not in shapes}
    return {n for n in shapes for _, value in binders[n]
            if isinstance(value, Name) and value.id not in shapes and arrays.memory(value.id) in changing}


def handed_over(name: str, loop, binders: Binders, shapes, after) -> bool:
    """Is nothing stored into its memory once that has two names that are both wanted?"""
    flows = [(value.id, n, s) for n in binders for s, value in binders[n] if isinstance(value, Name)]
    sources = reached(name, [(b, a) for a, b, _ in flows])
    if not sources <= shapes.keys():
        return False
    at = {id(s): k for k, s in enumerate(walk([loop]))}
    rounds = [{id(x) for x in walk([s])} for s in walk(loop.body) if isinstance(s, (Loop, While))]
    storing = [(n, s) for s in walk([loop]) for n in stores(s)]
    for a, b, s in flows:
        again = [v for _, v in pairs(s)].count(Name(a)) > 1
        if a in sources and (again or a in after.get(id(s), {a}) - {n.id for n in bound_by(s)}):
            seen = reached(a, [(a, b) for a, b, _ in flows])
            if any(n in seen and (at[id(x)] > at[id(s)] or any({id(x), id(s)} <= inside for inside in rounds))
                   for n, x in storing):
                return False
    return True


def reached(name: str, edges: list[tuple[str, str]]) -> set[str]:
    found, size = {name}, 0
    while size < (size := len(found)):
        found |= {b for a, b in edges if a in found}
    return found


def hidden(name: str, stmts) -> bool:
    """Are all its stores made before memory that is new in their block has another name?"""
    new = False
    for stmt in stmts:
        inside = [*walk([stmt])]
        if isinstance(stmt, (Alloc, Copy)) and stmt.name.id == name:
            new = True
            continue
        named = any(name in (n.id, getattr(value, "id", None)) for s in inside for n, value in pairs(s))
        if any(name in stores(s) for s in inside) and not (new and not named) and (
                not blocks(stmt) or not all(hidden(name, b) for b in blocks(stmt))):
            return False
        new &= not named
    return True


class Uses:
    """What statements do with arrays.

    whole    those of which more is said than elements, lengths, and other names among the small ones
    unknown  those with elements at places that are not known
    """

    def __init__(self, small):
        self.small, self.whole, self.unknown = small, set(), set()

    def of(self, stmts, known: dict[str, int] | None = None) -> "Uses":
        """
        known  the indices of loops that can be written out, with how many rounds they and those around them have
        """
        known = known or {}
        for stmt in stmts:
            match stmt:
                case Store():
                    self.place(stmt, known)
                    self.expression(stmt.value, known)
                case Copy(name) if name.id in self.small:
                    pass
                case Do(Call("rm.clear")):
                    pass
                case _:
                    renames = {id(e) for n, e in pairs(stmt) if n.id in self.small and isinstance(e, Name)}
                    for e in reads(stmt):
                        if id(e) not in renames:
                            self.expression(e, known)
            inner = known
            if isinstance(stmt, Loop) and (count := self.rounds(stmt, known)) is not None:
                inner = {**known, stmt.index.id: count}
            for b in blocks(stmt):
                self.of(b, inner)
        return self

    def rounds(self, loop: Loop, known) -> int | None:
        """How many there are to write out of a loop and those around it; None where there are too many."""
        rounds = rounds_of(loop, self.small)
        count = None if rounds is None else len(rounds) * max(known.values(), default=1)
        alone = all(rounds_of(x, self.small) is not None for x in walk(loop.body) if isinstance(x, Loop))
        return count if alone and count is not None and count <= ROUNDS else None

    def expression(self, e: Expr, known) -> None:
        if isinstance(e, Load):
            self.place(e, known)
        elif isinstance(e, Name):
            self.whole.add(e.id)
        elif not isinstance(e, Length):
            for part in reads(e):
                self.expression(part, known)

    def place(self, e: Load | Store, known) -> None:
        for i in e.index:
            self.expression(i, known)
        if not all(is_known(i, known) for i in e.index):
            self.unknown.add(e.array.id)


def rounds_of(loop: Loop, shapes) -> range | None:
    """The values of its index, where they are known."""
    bounds = [shapes[e.array.id][e.axis] if isinstance(e, Length) and e.array.id in shapes else integer(e)
              for e in (loop.start, loop.stop, loop.step)]
    return None if None in bounds else range(*bounds)


def is_known(e: Expr, known) -> bool:
    """Is an index a number once the loops over these are written out?"""
    match e:
        case Binary("+" | "-" | "*", x, y):
            return is_known(x, known) and is_known(y, known)
        case Name(name):
            return name in known
    return integer(e) is not None
