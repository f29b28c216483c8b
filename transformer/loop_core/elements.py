"""Arrays of a few elements, which one thread touches at places that are known, as numbers: they stay in registers.

    while i < n:                             while i < n:
        k = rm.empty((2,), np.float64)           k_0 = y_1
        k[0] = y[1]                    ->        k_1 = -y_0
        k[1] = -y[0]                             next_0 = y_0 + h * k_0
        next = rm.empty((2,), np.float64)        next_1 = y_1 + h * k_1
        for j in range(2):                       y_0 = next_0
            next[j] = y[j] + h * k[j]            y_1 = next_1
        y = next

(Scalar replacement of aggregates: S. Muchnick, Advanced Compiler Design and Implementation, 1997, section 12.2.)  One
that is touched at other places and gets another name is copied where it gets it: a thread has one memory for each name.
"""
from __future__ import annotations

import functools
import itertools
import operator
from collections import Counter
from dataclasses import replace
from typing import Callable

from .coalesce import renamed_uses
from .core import (BOOL, I8, ONE, ZERO, Alloc, Assign, Assigns, Binary, Call, Cast, Copy, Do, Expr, Function, If,
                   Length, Load, Loop, Name, Num, Stmt, Store, While, integer, number)
from .facts import Arrays, handed_on, replaced, walk_loops
from .nests import Nests
from .small import Small, arrays_as_numbers, pairs, rounds_of, small_arrays
from .walking import blocks, bound_by, mapped, names_bound, names_in, names_read, reads
from .wanted import wanted_again


def as_numbers(f: Function, nests: Nests, fresh: Callable[[str], str]) -> Function:
    after = wanted_again(f)
    bound = Counter(n.id for s in walk_loops(f.body) for n in bound_by(s))

    def block(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for stmt in stmts:
            if isinstance(stmt, (Loop, While)) and runs_in_threads(stmt, nests):
                small = small_arrays(stmt, nests.arrays, bound, after)
                out += Numbers(small, nests.arrays, fresh).loop(stmt)
            else:
                out.append(mapped(stmt, lambda e: e, block))
        return tuple(out)

    return replace(f, body=block(f.body))


def few_as_numbers(f: Function, ranks: dict[str, int], fresh: Callable[[str], str]) -> Function:
    """The whole of a function for one thread.

    ranks  of the parameters that are arrays
    """
    after = wanted_again(f)
    bound = Counter(n.id for s in walk_loops(f.body) for n in bound_by(s))
    arrays = Arrays(f, ranks)
    small = arrays_as_numbers(Loop(Name("once", I8), ZERO, ONE, ONE, f.body), arrays, bound, after)
    return replace(f, body=Numbers(small, arrays, fresh).statements(f.body)) if small.shapes else f


def runs_in_threads(loop: Loop | While, nests: Nests) -> bool:
    """Is it one thread's, or many threads', or could it be?  Not if all that takes long in it is threads."""
    inside = [s for s in walk_loops(loop.body) if isinstance(s, (Loop, While))]
    parallel = [s for s in inside if nests.is_parallel(s)]
    if nests.is_parallel(loop) or isinstance(loop, Loop) and loop.share or not parallel:
        return True
    within = {id(x) for s in parallel for x in walk_loops([s])}
    return any(id(s) not in within and not any(map(nests.is_parallel, walk_loops(s.body))) and takes_long(s)
               for s in inside)


def takes_long(loop: Loop | While) -> bool:
    """May it have many rounds, one after the other?"""
    return isinstance(loop, While) or loop.kind == "sequential" and rounds_of(loop, {}) is None


class Numbers:
    """Statements with numbers in the place of small arrays."""

    def __init__(self, small: Small, arrays: Arrays, fresh):
        self.small, self.shapes, self.arrays, self.fresh = small, small.shapes, arrays, fresh
        self.numbers: dict[tuple, Name] = {}
        self.unset: set[Assign] = set()  # the numbers of arrays that are made, before a store

    def loop(self, loop: Loop | While) -> list[Stmt]:
        own = {name.id: name for s in walk_loops([loop]) for name in bound_by(s) if self.is_memory(name)}
        memory = [Alloc(name, tuple([Num(n, I8) for n in self.shapes[name.id]])) for name in own.values()]
        done = self.statement(loop)
        written_out = isinstance(loop, Loop) and not any(isinstance(s, Loop) and s.index == loop.index for s in done)
        done = [*memory, *done] if written_out else [replace(done[0], body=(*memory, *done[0].body))]
        before, after = self.sums()
        return [*before, *done, *after]

    def sums(self) -> tuple[list[Stmt], list[Stmt]]:
        """Before and after a loop that only adds to elements: sums of nothing, and the elements with them."""
        each = [(x, self.arrays.allocs[n].name, tuple([Num(k, I8) for k in place]))
                for (n, place), x in self.numbers.items() if n in self.small.sums]
        return ([Assign(x, number(0, x.dtype)) for x, _, _ in each], [
            If(functools.reduce(operator.and_, [k < Length(n, axis) for axis, k in enumerate(index)]),
               (Store(n, index, x, add=True),)) for x, n, index in each])

    # elements ------------------------------------------------------------------------------------------
    def is_numbers(self, array: Name) -> bool:
        return array.id in self.small.numbers or array.id in self.small.sums

    def is_memory(self, array: Name) -> bool:
        return array.id in self.shapes and array.id not in self.small.numbers

    def number(self, array: Name, place: tuple[int, ...]) -> Name:
        key = array.id, place
        if key not in self.numbers:
            self.numbers[key] = Name(self.fresh("_".join([array.id.strip("_"), *map(str, place)])), array.dtype)
        return self.numbers[key]

    def places(self, array: Name):
        return itertools.product(*map(range, self.shapes[array.id]))

    def element(self, array: Name, place: tuple[int, ...]) -> Expr:
        return self.number(array, place) if self.is_numbers(array) else Load(array, tuple([Num(k, I8) for k in place]))

    def put(self, array: Name, place: tuple[int, ...], value: Expr) -> Stmt:
        return (Assign(self.number(array, place), value) if self.is_numbers(array)
                else Store(array, tuple([Num(k, I8) for k in place]), value))

    def place(self, array: Name, index) -> tuple[int, ...] | None:
        """Where an index is, counted from the beginning; None beyond the array, which a check has found before."""
        place = tuple(map(index_value, index))
        if array.id in self.small.sums:
            return place
        shape = self.shapes[array.id]
        return (tuple([k % n for k, n in zip(place, shape)]) if all(-n <= k < n for k, n in zip(place, shape))
                else None)

    # statements ----------------------------------------------------------------------------------------
    def statements(self, stmts) -> tuple[Stmt, ...]:
        done, kept = [new for s in stmts for new in self.statement(s)], []
        anew: set[str] = set()  # bound again before they are read
        for s in reversed(done):
            if s in self.unset and s.name.id in anew:
                continue
            kept.append(s)
            anew.update(n.id for n in bound_by(s))
            anew.difference_update(names_bound([s]) if blocks(s) else (), [n.id for n in names_read(s)])
        return tuple(reversed(kept))

    def statement(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Alloc(name) | Do(Call("rm.clear", (Name() as name,))) if name.id in self.shapes:
                return self.cleared(name) if self.is_numbers(name) or isinstance(stmt, Do) or stmt.zeroed else []
            case Copy(name, source) | Assign(name, Name() as source) if name.id in self.shapes:
                return [self.put(name, p, self.element(source, p)) for p in self.places(name)]
            case Assigns() if any(n.id in self.shapes for n in stmt.names):
                return self.at_once(stmt)
            case Store(array) if self.is_numbers(array):
                return self.store(stmt)
            case Loop() if (rounds := rounds_of(stmt, self.shapes)) is not None and self.takes_part(stmt):
                return [new for k in rounds for new in self.statements(self.round(stmt, k))]
        return [mapped(stmt, self.expression, self.statements)]

    def cleared(self, array: Name) -> list[Stmt]:
        zeros = [self.put(array, p, number(0, array.dtype)) for p in self.places(array)]
        self.unset.update(zeros if self.is_numbers(array) else ())
        return zeros

    def store(self, stmt: Store) -> list[Stmt]:
        """A store into an array that is numbers; none beyond its end."""
        array, value = stmt.array, self.expression(stmt.value)
        place = self.place(array, stmt.index)
        if place is None:
            return []
        if stmt.add:
            value = self.number(array, place) | value if array.dtype == BOOL else self.number(array, place) + value
        return [Assign(self.number(array, place), value if value.dtype == array.dtype else Cast(array.dtype, value))]

    def at_once(self, stmt: Assigns) -> list[Stmt]:
        """All values, and then the first name."""
        names, values, puts = [], [], []
        for name, value in pairs(stmt):
            if name.id not in self.shapes:
                names.append(name)
                values.append(self.expression(value))
                continue
            for p in self.places(name):
                new = self.number(name, p) if self.is_numbers(name) else Name(self.fresh("next"), name.dtype)
                names.append(new)
                values.append(self.element(value, p))
                puts += [] if self.is_numbers(name) else [self.put(name, p, new)]
        return [Assigns(tuple(names), tuple(values)), *puts]

    def expression(self, e: Expr) -> Expr:
        match e:
            case Load(array, index) if self.is_numbers(array):
                place = self.place(array, index)
                return number(0, array.dtype) if place is None else self.number(array, place)
            case Length(array, axis) if array.id in self.shapes:
                return Num(self.shapes[array.id][axis], I8)
        return mapped(e, self.expression)

    def takes_part(self, loop: Loop) -> bool:
        """Does the place of an element follow from the loop's index?"""
        def in_place(e) -> bool:
            return (isinstance(e, (Load, Store)) and self.is_numbers(e.array)
                    and any(n == loop.index for i in e.index for n in names_in(i))) or any(map(in_place, reads(e)))

        return any(map(in_place, walk_loops(loop.body)))

    def round(self, loop: Loop, k: int) -> tuple[Stmt, ...]:
        """The statements of a round, with names of its own for what it binds for itself."""
        named, shared = Counter(n.id for s in loop.body for n in names_read(s)), handed_on(loop.body)
        own = {n.id for s in walk_loops(loop.body) for n in bound_by(s)
               if 0 < named[n.id] == self.arrays.named[n.id] and n.id not in {*self.arrays.ranks, *shared}}
        names = {n: self.fresh(n.strip("_")) for n in sorted(own)} if k != rounds_of(loop, self.shapes)[0] else {}
        return with_number(renamed_uses(loop.body, lambda n: names.get(n, n)), {loop.index: Num(k, I8)})


def index_value(e: Expr) -> int:
    match e:
        case Binary("+", x, y):
            return index_value(x) + index_value(y)
        case Binary("-", x, y):
            return index_value(x) - index_value(y)
        case Binary("*", x, y):
            return index_value(x) * index_value(y)
    return integer(e)


def with_number(stmts, index: dict[Name, Expr]) -> tuple[Stmt, ...]:
    return tuple([mapped(s, lambda e: replaced(e, index), lambda b: with_number(b, index)) for s in stmts])
