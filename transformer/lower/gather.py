"""Several stores into one array, at places that are moved against each other, as loops that store each element once.

    t = kernel(g)                          for i in range(n + 2):
    y[:-2] += t                 ->             if 2 <= i and i < n:
    y[1:-1] += t                                   y[i] = y[i] + t(i) + t(i - 1) + t(i - 2)
    y[2:] += t                                 else:
                                                   if i < n: y[i] += t(i)
                                                   ...

That is the adjoint of a stencil. The loops run over rows of y; in one that all stores reach, an element gets all its
terms at once, in the order of the stores, and a value is computed again for each of them. At the ends of such a row the
terms are those of the stores that reach so far; in the rows that only some stores reach each has a loop of its own.
"""
from __future__ import annotations

import contextlib
import functools
import operator
from dataclasses import dataclass

from ..core import Const
from ..loop_core.core import Expr, If, Load, expr
from ..optimise.simplify import is_derivative, is_zero
from .casts import cast_operand
from .kernel import KernelLoops
from .nest import Nest
from .parts import Part
from .views import moved_by
from .writer import letters

WIDEST = 8  # elements at either end of a row that only some stores reach, which are written out


class GatherLoops(KernelLoops):
    """A run of stores of which each target's are gathered."""

    def write_loops(self) -> None:
        self.pull.prepare([let for name, let in self.lets.items() if name not in self.members])
        if self.results:
            (phase,) = self.phases
            nest = Nest(self.pull, self.nest(phase).space)
            self.allocate(nest, phase, set())
            nest.write()
            self.now_stored(nest, phase, self.results.keys())
        targets: dict[str, list[tuple]] = {}
        for value, part in self.parts:
            targets.setdefault(part.store.target, []).append((value, part))
        for stores in targets.values():
            for value, part in stores:
                if not isinstance(value, Const):
                    part.agree(value, self.pull)
            self.gather(stores)
        for part in self.clears:
            self.alone(part.store.value, part)

    def gather(self, stores: list[tuple]) -> None:
        """The stores into one array; one after another where it is not known how they are moved."""
        firsts = [part.first for _, part in stores]
        if len(stores) > 1 and None not in firsts and all(self.as_long(part, stores[0][1]) for _, part in stores):
            least = [min(places) for places in zip(*firsts)]
            shifts = [[a - low for a, low in zip(places, least)] for places in firsts]
            if max(moves[-1] for moves in shifts) <= WIDEST:
                return TargetRows(self, [MovedStore(v, p, s) for (v, p), s in zip(stores, shifts)]).write()
        for value, part in stores:
            self.alone(value, part)

    def as_long(self, part: Part, other: Part) -> bool:
        """Are two parts as long as each other along each axis?"""
        return all(x == y or None not in (d, e) and self.lowerer.ranges.same(d, e)
                   for x, y, d, e in zip(part.lengths, other.lengths, part.dims, other.dims))

    def alone(self, value, part: Part) -> None:
        Nest(self.pull, part.lengths, destinations=[part.destination(value)]).write()


@dataclass
class MovedStore:
    """shift  how far its part is moved along each axis against the first of all parts"""

    value: object
    part: Part
    shift: list[int]


class TargetRows:
    """The loops over the rows that the stores into one array reach."""

    def __init__(self, loops: GatherLoops, stores: list[MovedStore]):
        self.pull, self.w, self.stores = loops.pull, loops.w, stores
        self.lengths = stores[0].part.lengths
        self.width = [max(s.shift[k] for s in stores) for k in range(len(self.lengths))]

    def write(self) -> None:
        *lead, last = [moved_by(n, w) for n, w in zip(self.lengths, self.width)]
        with self.pull.loops(lead, "independent") as row:
            reached = [test for k, place in enumerate(row) if self.width[k]
                       for test in (place >= self.width[k], place < self.lengths[k])]
            if self.width[-1]:
                reached.append(self.lengths[-1] >= self.width[-1])
            if not reached:
                return self.whole_row(row)
            with self.w.block() as whole:
                self.whole_row(row)
            with self.w.block() as rest:
                self.part_of_row(row)
            self.w.add(If(functools.reduce(operator.and_, reached), tuple(whole), tuple(rest)))

    def whole_row(self, row: list[Expr]) -> None:
        n, width = self.lengths[-1], self.width[-1]
        for place in range(width):
            self.element([*row, expr(place)], [s for s in self.stores if s.shift[-1] <= place])
        with self.innermost(moved_by(n, -width), len(row)) as j:
            self.element([*row, moved_by(j, width)], self.stores)
        for place in range(width):
            self.element([*row, moved_by(n, place)], [s for s in self.stores if s.shift[-1] > place])

    def part_of_row(self, row: list[Expr]) -> None:
        for store in self.stores:
            tests = [test for k, place in enumerate(row) for test in self.within(place, k, store.shift[k])]
            with self.w.when(functools.reduce(operator.and_, tests)) if tests else contextlib.nullcontext():
                with self.innermost(self.lengths[-1], len(row)) as j:
                    self.element([*row, moved_by(j, store.shift[-1])], [store])

    def within(self, place: Expr, axis: int, shift: int) -> list[Expr]:
        """Tests of a place along an axis: does a store with this shift reach it?"""
        return ([place >= shift] if shift else []) + (
            [place < moved_by(self.lengths[axis], shift)] if shift < self.width[axis] else [])

    @contextlib.contextmanager
    def innermost(self, n: Expr, depth: int):
        j = self.w.new(letters(depth))
        with self.w.loop(j, 0, n, kind="independent"):
            yield j

    def element(self, place: list[Expr], stores: list[MovedStore]) -> None:
        """Store all terms of one element."""
        self.pull.memo.clear()
        own = [[moved_by(i, -by) for i, by in zip(place, s.shift)] for s in stores]
        target = stores[0].part.destination(None)
        index = tuple(target.place(own[0]))
        terms = [self.term(s, i, target.type.dtype) for s, i in zip(stores, own)]
        if stores[0].part.store.add:
            terms.insert(0, Load(target.array, index))
        elif len(terms) > 1 and is_zero(stores[0].value) and is_derivative(stores[0].part.store):
            del terms[0]
        self.w.store(target.array, index, functools.reduce(operator.add, terms))
        self.pull.memo.clear()

    def term(self, store: MovedStore, place: list[Expr], dtype) -> Expr:
        return cast_operand(self.pull.operand(store.value, place), dtype)

