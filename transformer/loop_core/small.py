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
from .facts import Arrays, walk_loops
from .walking import blocks, bound_by, names_in, names_read, reads

FEW = 16  # elements of an array
ROUNDS = 64  # of loops that are written out
STATEMENTS = 64  # that such a loop becomes, where nothing but memory is spared


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
    """The arrays of a loop that can be numbers, or memory of its own.

    bound  how often each name is bound
    after  {id of a statement that gives a second name: the names wanted after it}
    """
    bindings = ArrayBindings(loop, arrays, after)
    shapes = bindings.own(bound)
    while shapes and (wrong := bindings.unfit(shapes)):
        shapes = {n: shape for n, shape in shapes.items() if n not in wrong}
    unknown = ArrayUses(shapes).of((loop,)).unknown
    # an array with an element at an unknown place cannot be as many numbers, which have no places.  With one name it
    # keeps the memory that it is made with; with a second (y = next) each name gets memory for the whole loop, and
    # the elements are copied
    renamed = {n for a, b, _ in bindings.aliases if b in shapes for n in (a, b)}
    return Small({n: shape for n, shape in shapes.items() if n not in unknown or n in renamed},
                 shapes.keys() - unknown, sums_of(loop, arrays))


def arrays_as_numbers(body: Loop, arrays: Arrays, bound: Counter, after: dict[int, set[str]]) -> Small:
    """Those that can be numbers, under all of their names; the others keep their memory."""
    bindings = ArrayBindings(body, arrays, after)
    shapes = bindings.own(bound)
    while wrong := shapes.keys() & (bindings.unfit(shapes) | bindings.met_by_others(shapes)
                                    | ArrayUses(shapes, STATEMENTS).of((body,)).unknown):
        shapes = {n: shape for n, shape in shapes.items() if n not in wrong}
    return Small(shapes, set(shapes))


def sums_of(loop: Loop | While, arrays: Arrays) -> set[str]:
    inside = [*walk_loops([loop])]
    stores = [s for s in inside if isinstance(s, Store)]
    touched = Counter(arrays.memory(n.id) for n in names_read(loop))
    added = Counter(s.array.id for s in stores if s.add)
    bound = {arrays.memory(n.id) for s in inside for n in bound_by(s)}
    own = {n for n in added if n in arrays.allocs and arrays.memory(n) not in bound
           and touched[arrays.memory(n)] == added[n]}
    return own - {s.array.id for s in stores if not all(map(is_known_place, s.index))}


def is_known_place(e: Expr) -> bool:
    """Is an index known now, and counted from the beginning?"""
    place = integer(e)
    return place is not None and place >= 0


def pairs(stmt: Stmt) -> list[tuple[Name, Expr | None]]:
    """The names that a statement binds, each with the expression of which it is."""
    match stmt:
        case Assign(name, value):
            return [(name, value)]
        case Assigns(names, values) if len(names) == len(values):
            return [*zip(names, values)]
    return [(name, None) for name in bound_by(stmt)]


class ArrayBindings:
    """What binds the arrays of a loop, and what stores into them.

    made     {array: what binds it, and the expression of which it is}
    aliases  (array, its other name, the statement that gives it this)
    stores   {array: the statements that may store into it}
    order    {id of a statement: its place among all}
    around   {id of a statement in a loop: the outermost loop around it, by its number}
    seen     arrays with stores that may be seen under another name
    """

    def __init__(self, loop: Loop | While, arrays: Arrays, after: dict[int, set[str]]):
        self.loop, self.arrays, self.after = loop, arrays, after
        self.made: dict[str, list[tuple[Stmt, Expr | None]]] = defaultdict(list)
        self.stores: dict[str, list[Stmt]] = defaultdict(list)
        self.order: dict[int, int] = {}
        for k, stmt in enumerate(walk_loops([loop])):
            self.order[id(stmt)] = k
            for name, value in pairs(stmt):
                if name.id in arrays.ranks:
                    self.made[name.id].append((stmt, value))
            for n in arrays_stored(stmt):
                self.stores[n].append(stmt)
        self.aliases = [(x.id, n, s) for n, made in self.made.items() for s, x in made if isinstance(x, Name)]
        self.given, self.sources = defaultdict(list), defaultdict(list)
        for a, b, s in self.aliases:
            self.given[a].append((b, s))
            self.sources[b].append((a, s))
        self.around = {id(x): k for k, outer in enumerate(outermost_loops(loop.body)) for x in walk_loops([outer])}
        self.seen = Exposed().block(loop.body)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes that are known of arrays, by where they are made."""
        found = {n: tuple(map(integer, s.shape)) for n, made in self.made.items() for s, _ in made
                 if isinstance(s, Alloc) and None not in map(integer, s.shape)}
        same = [(n, a) for a, n, _ in self.aliases]
        same += [(n, s.source.id) for n, made in self.made.items() for s, _ in made if isinstance(s, Copy)]
        same += [(b, a) for a, b in same]
        while more := {a: found[b] for a, b in same if b in found and a in self.made and a not in found}:
            found |= more
        return found

    def own(self, bound: Counter) -> dict[str, tuple[int, ...]]:
        """The shapes of those with few elements that nothing outside of the loop reads or binds."""
        named = Counter(n.id for n in names_read(self.loop))
        return {n: shape for n, shape in self.shapes().items() if math.prod(shape) <= FEW
                and (named[n], len(self.made[n])) == (self.arrays.named[n], bound[n])}

    def met_by_others(self, shapes) -> set[str]:
        """Those that are known by the name of one that is not among them, or of what is known by it."""
        names = {a for a in (*self.given, *self.sources) if a not in shapes}
        return reached(names, self.given) | reached(names, self.sources)

    def unfit(self, shapes: dict[str, tuple[int, ...]]) -> set[str]:
        """Those that are not made element by element, or used otherwise, or stored into under two names."""
        changing = {self.arrays.memory(n) for n in self.stores if n not in shapes}
        of_what_changes = {b for a, b, _ in self.aliases if a not in shapes and self.arrays.memory(a) in changing}
        made_whole = {n for n, shape in shapes.items() if not all(is_one_of(x, shape) for x in self.made[n])}
        seen_twice = {n for n in self.seen & shapes.keys() if not self.is_handed_over(n, shapes)}
        return made_whole | seen_twice | (ArrayUses(shapes).of((self.loop,)).whole | of_what_changes) & shapes.keys()

    def is_handed_over(self, name: str, shapes) -> bool:
        """Is nothing stored into its memory once that has two names that are both wanted?"""
        sources = reached({name}, self.sources)
        return sources <= shapes.keys() and not any(self.both_wanted(a, s) and self.stored_after(a, s)
                                                    for a in sources for _, s in self.given[a])

    def both_wanted(self, name: str, alias: Stmt) -> bool:
        again = [v for _, v in pairs(alias)].count(Name(name)) > 1
        return again or name in self.after.get(id(alias), {name}) - {n.id for n in bound_by(alias)}

    def stored_after(self, name: str, alias: Stmt) -> bool:
        """May a store into an array, or into what has got its memory, come after a statement?"""
        at, outer = self.order[id(alias)], self.around.get(id(alias), self)
        return any(self.order[id(s)] > at or self.around.get(id(s)) == outer
                   for n in reached({name}, self.given) for s in self.stores.get(n, ()))


def outermost_loops(stmts) -> list[Loop | While]:
    return [found for s in stmts for found in ([s] if isinstance(s, (Loop, While)) else
                                               [x for b in blocks(s) for x in outermost_loops(b)])]


def is_one_of(made: tuple[Stmt, Expr | None], shape: tuple[int, ...]) -> bool:
    """Is it made in a way that can be done element by element?"""
    stmt, value = made
    return (isinstance(value, Name) or isinstance(stmt, Copy)
            or isinstance(stmt, Alloc) and tuple(map(integer, stmt.shape)) == shape)


def arrays_stored(stmt: Stmt) -> list[str]:
    """The arrays into which a statement may store: what a call is given too."""
    given = [n.id for e in reads(stmt) if isinstance(e, Call) for x in e.args for n in names_in(x)]
    return [stmt.array.id, *given] if isinstance(stmt, Store) else given


def reached(names: set[str], edges: dict[str, list[tuple[str, Stmt]]]) -> set[str]:
    found, todo = set(names), [*names]
    while todo:
        more = {b for b, _ in edges.get(todo.pop(), ())} - found
        found |= more
        todo += more
    return found


class Exposed:
    """The arrays with a store that is not made before memory that is new in its block has another name."""

    def __init__(self):
        self.stored: set[str] = set()  # in the block that was last walked
        self.named: set[str] = set()  # there, those that get another name, or are bound otherwise than as new memory

    def block(self, stmts) -> set[str]:
        new, wrong, all_stored, all_named = set(), set(), set(), set()
        for stmt in stmts:
            if isinstance(stmt, (Alloc, Copy)):
                new.add(stmt.name.id)
                all_named.add(stmt.name.id)
                continue
            stored = {*arrays_stored(stmt)}
            named = {n for pair in pairs(stmt) for n in (pair[0].id, getattr(pair[1], "id", None))}
            inside: set[str] = set()
            for b in blocks(stmt):
                inside |= self.block(b)
                stored |= self.stored
                named |= self.named
            bad = {n for n in stored if n not in new or n in named}
            wrong |= bad & inside if blocks(stmt) else bad
            new -= named
            all_stored |= stored
            all_named |= named
        self.stored, self.named = all_stored, all_named
        return wrong


class ArrayUses:
    """What statements do with arrays.

    whole    those of which more is said than elements, lengths, and other names among the small ones
    unknown  those with elements at places that are not known
    """

    def __init__(self, small, most: float = math.inf):
        """
        most  how many statements a loop may become that is written out
        """
        self.small, self.whole, self.unknown, self.most = small, set(), set(), most

    def of(self, stmts, known: dict[str, int] | None = None) -> "ArrayUses":
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
        """How many there are to write out of a loop and those around it; None where there are too many, or arrays are
        made in them that keep their memory, which has one place in the text."""
        rounds = rounds_of(loop, self.small)
        count = None if rounds is None else len(rounds) * max(known.values(), default=1)
        alone = all(rounds_of(x, self.small) is not None if isinstance(x, Loop) else x.name.id in self.small
                    for x in walk_loops(loop.body) if isinstance(x, (Loop, Alloc, Copy)))
        few = count is not None and count <= ROUNDS and count * len([*walk_loops(loop.body)]) <= self.most
        return count if alone and few else None

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
        if not all(is_known_index(i, known) for i in e.index):
            self.unknown.add(e.array.id)


def rounds_of(loop: Loop, shapes) -> range | None:
    """The values of its index, where they are known."""
    bounds = [shapes[e.array.id][e.axis] if isinstance(e, Length) and e.array.id in shapes else integer(e)
              for e in (loop.start, loop.stop, loop.step)]
    return None if None in bounds else range(*bounds)


def is_known_index(e: Expr, known) -> bool:
    """Is an index a number once the loops over these are written out?"""
    match e:
        case Binary("+" | "-" | "*", x, y):
            return is_known_index(x, known) and is_known_index(y, known)
        case Name(name):
            return name in known
    return integer(e) is not None
