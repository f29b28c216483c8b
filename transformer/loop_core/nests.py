"""Loops that become threads of a GPU: which of a nest may, and what each of their iterations has for itself.

Lowering says of its own loops that they are independent; of all loops, the user's too, it is proved here again that no
two iterations touch one element of which one stores, and that no scalar is handed on.
"""
from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import Callable, Iterable

from . import facts as known
from .core import Alloc, Assign, Assigns, Call, Check, Copy, Do, Expr, Function, Loop, Name, Stmt, View
from .facts import Arrays, walk_loops
from .rounds import around, has_fewer_rounds, is_plain_range, iteration_indices, loop_trip_count, perfect
from .walking import blocks, bound_by, names_bound, names_in, names_read, reads

FEW = 32  # iterations that are not worth a launch


@dataclass(frozen=True)
class ParallelNest:
    """Loops of which each iteration of all is one of a thread; `body` has the others of the nest in it.

    private  the arrays that each iteration has for itself, and how they were to be made
    """

    loops: tuple[Loop, ...]
    counts: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    private: dict[str, Alloc]

    def places(self, fresh: Callable[[], Name]) -> tuple[Name, list[Stmt]]:
        """The number of an iteration of all, and the indices that it stands for."""
        if is_plain_range(self.loops):
            return self.loops[0].index, []
        at = fresh()
        return at, iteration_indices(at, self.loops)


class Nests:
    """What is asked of the loops of a function.

    ranks  of the parameters that are arrays
    forms  says of a function of `runtime` whether a thread of the device can call it
    """

    def __init__(self, f: Function, ranks: dict[str, int], forms: Callable[[str], bool]):
        self.f, self.forms = f, forms
        self.arrays = Arrays(f, ranks)
        self.tapes = set(self.arrays.allocs) & growing(f.body)
        self.bound = Counter(n.id for s in walk_loops(f.body) for n in bound_by(s) if not grows(s))
        self.places = {id(s): (block, k) for block in nested_blocks(f.body) for k, s in enumerate(block)}
        self.known: dict[int, ParallelNest | None] = {}
        self.adopted: list[Loop] = []

    def nest(self, stmt: Stmt) -> ParallelNest | None:
        """The loops that become threads, where a loop is one of many independent iterations that threads can do."""
        if not isinstance(stmt, Loop):
            return None
        if id(stmt) not in self.known:
            self.known[id(stmt)] = self.search(stmt)
        return self.known[id(stmt)]

    def is_parallel(self, stmt: Stmt) -> bool:
        return self.nest(stmt) is not None

    def adopt(self, loop: Loop, other: Loop) -> None:
        """A loop that is to take the place of another."""
        self.places[id(loop)] = self.places[id(other)]
        self.adopted.append(loop)  # so that nothing else has its identity

    def search(self, loop: Loop) -> ParallelNest | None:
        if not self.is_closed(loop):
            return None
        chain, body = perfect(loop)
        if loop.share:
            chain = [*itertools.takewhile(lambda x: x.share, chain)]
            body = chain[-1].body
            threads, private = chain, self.made_inside(body)
        else:
            threads, private = self.apart(loop, chain, body)
        if not threads or has_fewer_rounds(threads, FEW):
            return None
        inner = around([x for x in chain if x not in threads], body)
        bound = names_bound([loop])
        if any(n.id in bound for alloc in private.values() for e in alloc.shape for n in names_in(e)) or not all(
                self.is_own(name, inner) for name in private) or not all(self.inside(s, private) for s in inner):
            return None
        return ParallelNest(tuple(threads), tuple(map(loop_trip_count, threads)), inner, private)

    def apart(self, loop: Loop, chain: list[Loop], body) -> tuple[list[Loop], dict[str, Alloc]]:
        """The loops of a nest whose iterations do not depend on each other, and the arrays that each has for itself."""
        own = self.made_inside(body)
        if known.handed_on(body) or loop.kind == "sequential" and self.lasting(loop):
            return [], own
        bound, fresh = names_bound([loop]), self.fresh(loop)
        threads = []
        for x in chain:
            bounds = (x.start, x.stop, x.step)
            if any(n.id in bound for e in bounds for n in names_in(e)) or x is not loop and any(
                    map(known.loads, bounds)):
                continue
            shared = known.disjoint_arrays(body, x.index, bound, self.arrays, fresh) - set(own)
            spare = ({name: self.spare(name, loop) for name in self.arrays.allocs if name in shared}
                     if x.kind != "sequential" else {})
            if all(spare.get(name) for name in shared):
                threads.append(x)
                own |= spare
        return sorted(threads, key=lambda x: known.by_neighbours(x.index, body)), own

    def made_inside(self, body) -> dict[str, Alloc]:
        return {s.name.id: s for s in walk_loops(body) if isinstance(s, Alloc)}

    def spare(self, name: str, loop: Loop) -> Alloc | None:
        """How an array before a loop of lowering was made, if each iteration writes it before it reads it."""
        alloc = self.arrays.allocs.get(name)
        if (alloc is None or alloc.zeroed or self.named_in([loop])[name] != self.arrays.named[name]
                or self.places[id(alloc)][0] is not self.places[id(loop)][0]):
            return None
        return alloc

    def fresh(self, stmt: Stmt) -> set[str]:
        """Arrays made in the same block before a statement, which no other name can have got hold of by its end."""
        found: set[str] = set()
        block, k = self.places[id(stmt)]
        for s in (*block[:k], stmt):
            found -= self.named_anew([s])
            found |= {s.name.id} if isinstance(s, (Alloc, Copy)) else set()
        return found

    def named_anew(self, stmts) -> set[str]:
        """The arrays of which statements make views or other names, and those names."""
        return {n.id for s in walk_loops(stmts) if isinstance(s, (Assign, Assigns))
                and any(n.id in self.arrays.ranks for n in bound_by(s)) for n in (*bound_by(s), *names_read(s))}

    def lasting(self, loop: Loop) -> set[str]:
        """The scalars that a loop binds and that are read after it."""
        named = self.named_in([loop])
        return {name for name in names_bound([loop]) - set(self.arrays.ranks) if named[name] != self.arrays.named[name]}

    def named_in(self, stmts) -> Counter:
        return Counter(n.id for s in stmts for n in names_read(s))

    def is_closed(self, stmt: Stmt) -> bool:
        """Are the arrays that it makes or names known to nobody else?"""
        made = {n for n in names_bound([stmt]) if n in self.arrays.ranks}
        named = self.named_in([stmt])
        return all(named[n] == self.arrays.named[n] and self.is_local(n) for n in made)

    def is_own(self, array: str, body) -> bool:
        """Has an array no other name than those that an iteration binds?"""
        return self.is_local(array) and all(self.is_local(s.name.id) for s in walk_loops(body)
                                            if isinstance(s, Assign) and isinstance(s.value, Name)
                                            and s.value.id == array)

    def is_local(self, array: str) -> bool:
        """Is an array's name bound in one place only?  A thread whose tape is full stops, and binds no longer one."""
        return self.bound[array] == 1

    def inside(self, stmt: Stmt, own: Iterable[str] = ()) -> bool:
        """Can a thread do it?  `own` are arrays that it has for itself."""
        match stmt:
            case Copy():
                return False
            case Alloc():
                return stmt.name.id in own
            case Do(Call("rm.clear", (Name(array),))):
                return array in own
            case Do():
                return False
            case Assign() if self.arrays.gives_array(stmt.value):
                return (isinstance(stmt.value, Call) and stmt.value.function == "rs.room"
                        or isinstance(stmt.value, (View, Name)))
        if any(n.id in self.arrays.ranks for n in bound_by(stmt)):
            return False
        read = [stmt.condition] if isinstance(stmt, Check) else reads(stmt)
        return all(map(self.computes, read)) and all(self.inside(s, own) for b in blocks(stmt) for s in b)

    def computes(self, e) -> bool:
        """Has the device all that an expression calls?"""
        return not (isinstance(e, Call) and not self.forms(e.function)) and all(map(self.computes, reads(e)))


def growing(body) -> set[str]:
    """The names of what may become longer: of what `rs.room` is asked for, and what those names are other names of.

    A view of a tape is none: an array that is empty on one path and such a view on another keeps its own shape."""
    names = {n.id for s in walk_loops(body) if grows(s) for n in names_in(s.value)[:1]}
    sources: dict[str, set[str]] = {}
    for s in walk_loops(body):
        if isinstance(s, Assign) and isinstance(s.value, Name):
            sources.setdefault(s.name.id, set()).add(s.value.id)
    while more := {source for name in names for source in sources.get(name, ())} - names:
        names |= more
    return names


def grows(stmt: Stmt) -> bool:
    """Does it bind a tape's name to a longer one?"""
    return isinstance(stmt, Assign) and isinstance(stmt.value, Call) and stmt.value.function == "rs.room"


def nested_blocks(body: tuple[Stmt, ...]) -> list[tuple[Stmt, ...]]:
    return [body, *(b for stmt in walk_loops(body) for b in blocks(stmt))]
