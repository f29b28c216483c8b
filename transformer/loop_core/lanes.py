"""One iteration by many threads: the lanes of a group share its loops, and take together what each has summed.

    for i in range(cuda.grid(1), n, ...):          for first in range(dev.first(lanes), n, dev.stride(lanes)):
        total = 0.0                                    i, lane, begin = dev.place(first, n, lanes, apart)
        for j in range(m):                  ->         total = 0.0
            total = total + x[i, j]                    for j in range(lane, m, lanes):
        y[i] = total                                       total = total + x[i, j]
                                                       total = dev.radd_of_lanes(total, shared, lanes, apart)
                                                       if begin == 0:
                                                           y[i] = total

What stands outside of shared loops every lane computes for itself, but for stores.  A group without an iteration does
the last one once more, because it has to come to the same barriers, and stores nothing: there `begin` is beyond the end
of each loop, and elsewhere the lane.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from . import facts as known
from .core import I8, ONE, ZERO, Assign, Assigns, Call, Check, Do, Expr, If, Loop, Name, Num, Stmt, Store, integer, rs
from .facts import Arrays, handed_on, read_outside, walk_loops
from .partials import BLOCK, element_taken, neutral, neutral_value, reduction_kind
from .stops import may_stop
from .walking import blocks, mapped, names_bound, names_in, names_mentioned, reads

FEW = 32  # elements that one thread takes together sooner than several


@dataclass
class Shared:
    """
    lane    its number in the group, of `lanes`; neighbours are `apart` threads from each other
    begin   the lane, and beyond all ends in a group that is to store nothing
    body    the statements for each lane
    memory  of a dtype of what is taken together, the array for it
    loops   those that are shared, as they were
    length  how many elements the first of them has
    """

    lane: Name
    begin: Name
    lanes: Name
    apart: Name
    body: list[Stmt] = field(default_factory=list)
    memory: dict[np.dtype, Name] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    length: Expr | None = None

    def over(self, loop: Loop, inner: Loop) -> None:
        """Keep a loop that is shared, and how many elements it has in all."""
        self.loops.append(inner)
        match inner.stop:
            case Call("rs.block_end", (_, n)):
                n = n if inner is not loop else Num(BLOCK, I8)
            case n if inner.start != ZERO:
                n = n - inner.start
        self.length = n if self.length is None else self.length

    def is_near(self, i: Name) -> bool:
        """Do elements lie side by side in the loops that are shared, sooner than from one iteration to the next?"""
        return sum(known.by_neighbours(loop.index, loop.body) - known.by_neighbours(i, loop.body)
                   for loop in self.loops) >= 0


class Sharing:
    """The statements of one iteration, for the lanes of a group.

    unshared  arrays that share memory with no other name
    private   arrays that each group has for itself, and that are those of its next iteration
    fresh     gives names that nothing has
    """

    def __init__(self, arrays: Arrays, unshared: set[str], private: set[str], fresh):
        self.arrays, self.unshared, self.fresh = arrays, unshared, fresh
        self.private = set(map(arrays.memory, private))
        self.out = Shared(*[Name(fresh(name), I8) for name in ("lane", "begin", "lanes", "apart")])
        self.loaded = True  # may a lane not have read yet what another is to store?

    def of(self, body) -> Shared | None:
        """None where no loop can be shared, or a statement is for one thread."""
        body = tuple(body)
        for k, stmt in enumerate(body):
            if not self.statement(stmt, body[k + 1:]):
                return None
        if not any(isinstance(s, (Assign, Assigns)) and is_taken(s) for s in self.out.body):
            return None
        if self.private:
            self.wait()
        return self.out

    def wait(self) -> None:
        self.out.body.append(Do(Call("cuda.syncthreads", ())))
        self.loaded = False

    def statement(self, stmt: Stmt, later) -> bool:
        if self.loaded and any(isinstance(s, Store) for s in walk_loops([stmt])):
            self.wait()
        match stmt:
            case Store():
                self.by_first(stmt)
                if later:
                    self.wait()
            case Loop() if (shared := self.shared(stmt, later)) is not None:
                self.out.body += shared
                self.loaded = False
            case _:
                self.out.body.append(stmt)
                self.loaded |= any(known.loads(e) for s in walk_loops([stmt]) for e in reads(s))
                return not any(isinstance(s, (Store, Do)) for s in walk_loops([stmt]))
        return True

    def by_first(self, store: Store) -> None:
        """The first lane stores, together with what it has stored just before."""
        first = (self.out.lane if self.is_private(store) else self.out.begin).eq(ZERO)
        match self.out.body[-2:]:
            case [If(test, before), Do()] if test == first:
                self.out.body[-2:] = [If(test, (*before, store))]
            case _:
                self.out.body.append(If(first, (store,)))

    def is_private(self, store: Store) -> bool:
        return self.arrays.memory(store.array.id) in self.private

    def shared(self, loop: Loop, later) -> list[Stmt] | None:
        """A loop over which the lanes go together, and what takes their values together."""
        carried = handed_on(loop.body) | names_bound([loop]) & {n.id for n in read_outside(later)[0]}
        taken, inner = takes([loop], carried), innermost(loop)
        if (taken is None or inner.step != ONE or not self.is_apart(loop, inner) or not self.stops_safely(loop, taken)
                or integer(inner.stop) is not None and integer(inner.stop) < FEW):
            return None
        self.out.over(loop, inner)
        starts = [s for names, kind in taken.items() for s in self.started(names, kind)]
        ends = [self.together(names, kind) for names, kind in taken.items()]
        if later and not ends:
            ends = [Do(Call("cuda.syncthreads", ()))]
        mine = self.of_one_lane(loop, inner, bool(taken))
        return [*starts, mine if inner is loop else with_loop(loop, inner, mine), *ends]

    def of_one_lane(self, loop: Loop, inner: Loop, taken: bool) -> Loop:
        """The iterations of the inner loop that one lane does."""
        outside = any(isinstance(s, Store) and not self.is_private(s) for s in walk_loops([loop]))
        lane = self.out.begin if outside and not taken else self.out.lane
        return replace(inner, start=lane if inner.start == ZERO else inner.start + lane, step=self.out.lanes,
                       body=self.guarded(inner.body) if outside and taken else inner.body)

    def guarded(self, stmts) -> tuple[Stmt, ...]:
        """The statements, which store nothing in a group without an iteration."""
        return tuple([If(self.out.begin.eq(self.out.lane), (s,)) if isinstance(s, Store) and not self.is_private(s)
                      else mapped(s, lambda e: e, self.guarded) for s in stmts])

    def is_apart(self, loop: Loop, inner: Loop) -> bool:
        """Does an element that is stored belong to one lane, in every round of the loops around?"""
        bound = names_bound([loop])
        moves = not known.is_block(inner) and any(n.id in bound for n in names_in(inner.start))
        return not (moves and any(isinstance(s, Store) for s in walk_loops(inner.body))) and not known.disjoint_arrays(
            inner.body, inner.index, bound, self.arrays, self.unshared)

    def stops_safely(self, loop: Loop, taken) -> bool:
        """Where a lane has stopped, what the others take together is no number of the program: none of it may be an
        index."""
        made = [n.dtype for names in taken for n in names] + [s.array.dtype for s in walk_loops([loop])
                                                              if isinstance(s, Store)]
        return all(d.kind in "fc" for d in made) or not any(
            isinstance(s, Check) or any(map(may_stop, reads(s))) for s in walk_loops([loop]))

    def started(self, names: tuple[Name, ...], kind: str) -> list[Stmt]:
        """The first lane alone begins with what was there before."""
        out = []
        for name in names:
            last = next((s for s in reversed(self.out.body) if name.id in names_bound([s])), None)
            nothing = neutral_value(kind, name.dtype)
            if not (isinstance(last, Assign) and last.value == nothing):
                out.append(Assign(name, rs.select(self.out.lane.eq(ZERO), name, nothing)))
        return out

    def together(self, names: tuple[Name, ...], kind: str) -> Stmt:
        dtype = names[0].dtype
        memory = self.out.memory.setdefault(dtype, Name(self.fresh("shared"), dtype))
        call = Call(f"dev.{kind}_of_lanes", (*names, memory, self.out.lanes, self.out.apart), dtype)
        return Assign(names[0], call) if len(names) == 1 else Assigns(names, (call,))


def is_taken(stmt: Assign | Assigns) -> bool:
    value = stmt.value if isinstance(stmt, Assign) else stmt.values[0]
    return isinstance(value, Call) and value.function.endswith("_of_lanes")


def takes(stmts, carried: set[str]) -> dict[tuple[Name, ...], str] | None:
    """How each running value takes another in; None where statements do more with one."""
    found: dict[tuple[Name, ...], str] = {}
    for stmt in stmts:
        inner = takes_in(stmt, carried)
        if inner is None or any(found.get(k, kind) != kind for k, kind in inner.items()):
            return None
        found |= inner
    names = [n for running in found for n in running]
    return found if len(set(names)) == len(names) else None


def takes_in(stmt: Stmt, carried: set[str]) -> dict[tuple[Name, ...], str] | None:
    """The same of one statement."""
    match stmt:
        case _ if carried.isdisjoint(names_mentioned(stmt)):
            return {}
        case Loop() | If() if carried.isdisjoint([n.id for e in reads(stmt) for n in names_in(e)]):
            return takes([s for block in blocks(stmt) for s in block], carried)
        case Assigns(running, (Call("rs.add_exactly", (*before, value)),)) if running == tuple(before):
            return None if any(n in running for n in names_in(value)) else {running: "exactly"}
        case Assign() if neutral(stmt) is not None:
            return {(stmt.name,): reduction_kind(stmt)}
    return None


def innermost(loop: Loop) -> Loop:
    """The loop to share: the innermost where each has but the next in it, or what goes together over blocks."""
    inner = [s for s in loop.body if isinstance(s, Loop)]
    if len(loop.body) == 1 and inner:
        return innermost(inner[0])
    return inner[0] if len(inner) == 1 and is_over_blocks(loop, inner[0]) else loop


def is_over_blocks(loop: Loop, inner: Loop) -> bool:
    """Does a loop nothing but set out from nothing, and take in what the inner one has taken together?"""
    running = takes(inner.body, handed_on(inner.body))
    if running is None or any(isinstance(s, Loop) for s in inner.body):
        return False
    kinds = {n.id: kind for names, kind in running.items() for n in names}
    return all(s is inner or isinstance(s, Assign) and s.value == neutral_value(kinds.get(s.name.id), s.name.dtype)
               or takes_part(s, kinds) for s in loop.body)


def takes_part(stmt: Stmt, kinds: dict[str, str]) -> bool:
    match stmt:
        case Assigns(_, (Call("rs.add_exactly", (_, _, Name(part))),)):
            return kinds.get(part) == "radd"
        case Assign() if neutral(stmt) is not None:
            part = element_taken(stmt)
            return isinstance(part, Name) and kinds.get(part.id) == reduction_kind(stmt)
    return False


def with_loop(loop: Loop, inner: Loop, other: Loop) -> Loop:
    return replace(loop, body=tuple([other if s is inner else with_loop(s, inner, other) if isinstance(s, Loop) else s
                                     for s in loop.body]))
