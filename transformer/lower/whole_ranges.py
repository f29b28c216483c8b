"""Loops that step through arrays, with one question before them in place of one in each iteration.

    for k in range(low, high):                  if 0 <= low and high - 1 < n ...:
        t = data[k]                    ->           for k in range(low, high): t = data[k]; ...
        ...                                     else:
                                                    for k in range(low, high): t = data[rs.index(k, n)]; ...

An index that moves by a number from one iteration to the next is in range in all of them if it is in the first and in
the last.  Where that does not follow from lengths (a row of a sparse matrix, a triangle in one array, `x[i * m + j]`),
each iteration would ask; what asks is no vector.  The loop that asks is what runs where one of them is out of range, or
is counted from the end.  Only of innermost loops over numbers, which are short: they are written twice.
"""
from __future__ import annotations

import functools
import math
import operator

from ..analyse.ranges import HIGH, MOST
from ..core import Const, For, Let, Stmt, Store
from ..core.types import PY_INT, Dim
from ..loop_core.core import Expr, rs
from .writer import Writer, lower_polynomial

LONGEST = 32  # statements of a loop that is written twice
FARTHEST = 64  # that an index moves by in an iteration


class WholeRanges:
    """What is to be asked before a loop, and what is then known in it: polynomials that are not negative, and integers
    that do not overflow."""

    def __init__(self, lowerer, loop: For):
        self.w, self.ranges, self.loop = lowerer.w, lowerer.ranges, loop
        self.start, stop = map(self.ranges.b.dim, (loop.start, loop.stop))
        self.count = (stop - self.start) * int(loop.step.value)
        self.large: dict[str, None] = {}  # integers that may be larger than a size
        self.tests: list[Expr] = []
        self.known: list[Dim] = []
        self.fitting: set[str] = set()
        self.moves = False  # does a place that is asked for move?  LLVM itself asks once for one that does not

    @property
    def test(self) -> Expr:
        small = [test for n in self.large for test in (self.w.name(n) >= -MOST, self.w.name(n) <= MOST)]
        inside = all_of([self.spelled(self.count) > 0, *self.tests])
        return rs.select(all_of(small), inside, False) if small else inside  # what overflows is not to be looked at

    def ask(self, lowerer, stmts: tuple[Stmt, ...]) -> None:
        ranges = self.ranges
        with lowerer.knowing():
            ranges.enter(self.loop)
            places = {(atom, n): None for stmt in stmts for atom, n in named_places(self.w, stmt)
                      if not lowerer.in_range(atom, n)}
        for atom, n in places:
            self.ask_of(ranges.b.dim(atom), n)
        counted = [s for s in stmts if isinstance(s, Let) and self.w.type(s.names[0]) == PY_INT] if self.tests else []
        self.fitting = {let.name for let in counted if not ranges.fits(let) and self.ends(ranges.b.dim(let.name))}

    def ask_of(self, place: Dim, n: Dim) -> None:
        """Ask whether a place is in range in the first iteration and in the last, and so in all of them, if the block
        around the loop can compute that, and it is not known that one is not (`y[j - 1]` where j begins at 0)."""
        ends = self.ends(place)
        if ends is not None and all(map(self.w.in_scope, n.names)) and not any(
                (inside.constant or 0) < 0 for end in ends for inside in (end, n - 1 - end)):
            for end in map(self.spelled, ends):
                self.tests += [end >= 0, end <= self.spelled(n) - 1]
            self.known += [place, n - 1 - place]
            self.moves = self.moves or self.moved(place) != 0

    def ends(self, value: Dim) -> tuple[Dim, ...] | None:
        """An integer in the first and the last iteration; None where it is not known, or it may overflow although all
        that it is computed of is no larger than a size, which is asked."""
        move = self.moved(value)
        if move is None:
            return None
        first = value.substitute({self.loop.index: self.start})
        ends = tuple(dict.fromkeys((first, first + (self.count - 1) * move)))
        names = sorted({n for e in (*ends, self.count) for n in e.names})
        if not all(map(self.w.in_scope, names)) or max(map(self.magnitude, (*ends, self.count))) > HIGH:
            return None
        self.large.update(dict.fromkeys(n for n in names if self.reach(n) > MOST))
        return ends

    def reach(self, name: str) -> int:
        return max(map(abs, self.ranges.interval(name)))

    def magnitude(self, value: Dim) -> int:
        """What the parts of a polynomial come to at most, where no name of it is beyond MOST."""
        return sum(abs(c) * math.prod(min(self.reach(n), MOST) for n in names) for names, c in value.terms)

    def moved(self, place: Dim) -> int | None:
        """How far the place is in an iteration from that in the one before, if it is the same in all of them."""
        total = 0
        for name, after in [(self.loop.index, None), *zip(self.loop.carried, self.loop.body.results)]:
            factor, _ = place.split(name)
            if factor is None or factor.constant is None:
                return None
            if factor.constant:
                pace = (int(self.loop.step.value),) * 2 if after is None else self.ranges.pace(
                    after, name, self.loop.body)
                if pace is None or pace[0] != pace[1]:
                    return None
                total += factor.constant * pace[0]
        return total if abs(total) <= FARTHEST else None

    def spelled(self, dim: Dim) -> Expr:
        return lower_polynomial(dim, {n: self.w.name(n) for n in dim.names})


def asked_before(lowerer, loop: For) -> WholeRanges | None:
    """`lowerer` is about to write this loop, and what it hands on has its first values; None: nothing to ask."""
    w, stmts = lowerer.w, loop.body.stmts
    if loop.step not in (Const(1), Const(-1)) or w.threads or len(stmts) > LONGEST or not all(
            [is_of_numbers(w, stmt) for stmt in stmts]):
        return None
    asked = WholeRanges(lowerer, loop)
    asked.ask(lowerer, stmts)
    return asked if asked.moves else None


def all_of(tests: list[Expr]) -> Expr:
    return functools.reduce(operator.and_, dict.fromkeys(tests))


def is_of_numbers(w: Writer, stmt: Stmt) -> bool:
    """Does it compute a number, or store one?"""
    return (isinstance(stmt, Let) and not stmt.op.effect and all(w.type(n).kind != "array" for n in stmt.names)
            or isinstance(stmt, Store) and set(stmt.index) == {"i"} and w.type(stmt.target).rank == len(stmt.index))


def named_places(w: Writer, stmt: Stmt) -> list[tuple]:
    """The integers by which it names an element, each with the length of its axis."""
    match stmt:
        case Let(op=op, args=(array, *atoms)) if op.name == "getitem":
            pass
        case Store(target=array, atoms=atoms):
            pass
        case _:
            return []
    return [(a, n) for a, n in zip(atoms, w.type(array).dims) if isinstance(a, str)]
