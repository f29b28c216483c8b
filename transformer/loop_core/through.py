"""Elements of views, as elements of the arrays that the views are of.

    for k in range(n):                       for k in range(n):
        row = a[k, ::1]                          for j in range(m):
        for j in range(m):           ->              y[k, j] = 2.0 * a[k, j]
            y[k, j] = 2.0 * row[j]

An element then has one name, and the array's length may be asked for before the loop.  Copies are loops here, so that
a thread can make one.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Callable

from .core import (I8, ONE, ZERO, Alloc, Assign, Copy, Expr, Field, Function, Length, Load, Loop, Name, Span, Stmt,
                   Store, View, integer)
from .facts import Arrays, loads, walk_loops
from .walking import blocks, bound_by, mapped, names_in, names_read, reads


def through_views(f: Function, arrays: Arrays) -> Function:
    return replace(f, body=Through(f, arrays).block(f.body))


def copies_made(f: Function, arrays: Arrays, fresh: Callable[[str], str]) -> Function:
    """The function with loops in the place of copies, where a loop makes one that nobody else names."""
    def block(stmts, named: Counter) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for stmt in stmts:
            if (isinstance(stmt, Copy) and named[stmt.name.id] == arrays.named[stmt.name.id]
                    and (rank := arrays.ranks[stmt.name.id]) is not None):
                out += copied_loops(stmt, rank, fresh)
            else:
                inner = Counter(n.id for n in names_read(stmt)) if isinstance(stmt, Loop) and not named else named
                out.append(mapped(stmt, lambda e: e, lambda inside: block(inside, inner)))  # noqa: B023
        return tuple(out)

    return replace(f, body=block(f.body, Counter()))


def copied_loops(stmt: Copy, rank: int, fresh) -> list[Stmt]:
    indices = tuple([Name(fresh("k"), I8) for _ in range(rank)])
    body: Stmt = Store(stmt.name, indices, Load(stmt.source, indices))
    for axis, i in reversed(list(enumerate(indices))):
        body = Loop(i, ZERO, Length(stmt.name, axis), ONE, (body,), "independent")
    return [Alloc(stmt.name, tuple([Length(stmt.source, axis) for axis in range(rank)])), body]


class Through:
    def __init__(self, f: Function, arrays: Arrays):
        self.arrays = arrays
        self.bound = Counter([p.id for p in f.params] + [n.id for s in walk_loops(f.body) for n in bound_by(s)])
        self.named = Counter(arrays.named)
        self.made = {n.id: s for s in walk_loops(f.body) for n in bound_by(s)}

    def block(self, stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The last view first: what it is of may be a view too."""
        out: list[Stmt] = []
        for k in reversed(range(len(stmts))):
            stmt = mapped(stmts[k], self.with_lengths, self.block)
            if (not self.steady(stmt) or not self.named_only_in(stmts[k + 1:], stmt.name)
                    or (rest := self.without(stmt.name, stmt.value, out)) is None):
                out.insert(0, stmt)
            else:
                out = rest
        return tuple(out)

    def steady(self, stmt: Stmt) -> bool:
        """Does it bind a view that is the same wherever it is named?"""
        if not (isinstance(stmt, Assign) and self.bound[stmt.name.id] == 1
                and all(self.bound[n.id] <= 1 for n in names_in(stmt.value))):
            return False
        match stmt.value:
            case View(_, index):
                return (not loads(stmt.value) and None not in index
                        and all(is_whole_axis(e) for e in index if isinstance(e, Span)))
            case Field(name="T"):
                return True
        return False

    def entries(self, view: View) -> tuple[Expr | Span, ...]:
        """One for each axis of the array."""
        return view.index + (Span(),) * (self.arrays.ranks[view.array.id] - len(view.index))

    def index(self, view: View | Field, own) -> tuple[Expr, ...]:
        """The index in the array of an element of a view."""
        if isinstance(view, Field):
            return tuple(reversed(own))
        rest = iter(own)
        return tuple([next(rest) if isinstance(e, Span) else e for e in self.entries(view)])

    def axis(self, view: View | Field, axis: int) -> int:
        """The axis of the array that an axis of a view is."""
        if isinstance(view, Field):
            return self.arrays.ranks[view.array.id] - 1 - axis
        return [k for k, e in enumerate(self.entries(view)) if isinstance(e, Span)][axis]

    def named_only_in(self, stmts, name: Name) -> bool:
        """Asked of the block as it came: what was written since in the place of views names more."""
        return Counter(n.id for s in stmts for n in names_read(s))[name.id] == self.named[name.id]

    def without(self, name: Name, view: View | Field, rest: list[Stmt]) -> list[Stmt] | None:
        """What follows in its block, without the name; None where it is more than its elements and lengths."""
        if not all(self.only_elements(s, name, view) for s in rest):
            return None
        return [self.in_its_place(s, name, view) for s in rest]

    def only_elements(self, node, name: Name, view) -> bool:
        """Is all that is said of a view said of its elements, or of lengths that its array has too?"""
        match node:
            case Load(array, index) | Store(array, index) if array == name:
                rest = (*index, node.value) if isinstance(node, Store) else index
                return all(self.only_elements(e, name, view) for e in rest)
            case Length():
                return True
            case Name():
                return node != name
        inner = () if isinstance(node, Expr | Span) else blocks(node)
        return all(self.only_elements(x, name, view) for part in (reads(node), *inner) for x in part)

    def in_its_place(self, node, name: Name, view):
        match node:
            case Load(array) | Store(array) if array == name:
                node = replace(node, array=view.array, index=self.index(view, node.index))
            case Length(array, axis) if array == name:
                return self.length(view.array, self.axis(view, axis))
        return mapped(node, lambda e: self.in_its_place(e, name, view),
                      lambda block: tuple([self.in_its_place(s, name, view) for s in block]))

    def with_lengths(self, e: Expr) -> Expr:
        return self.length(e.array, e.axis) if isinstance(e, Length) else mapped(e, self.with_lengths)

    def length(self, array: Name, axis: int) -> Expr:
        """The length of an axis: the number, where it is made with one."""
        made = self.made.get(array.id) if self.bound[array.id] == 1 else None
        match made:
            case Alloc(shape=shape) if integer(found := self.with_lengths(shape[axis])) is not None:
                return found
            case Assign(value=Name() as other) | Copy(source=other):
                return self.length(other, axis)
            case Assign(value=View() | Field() as view) if self.steady(made):
                return self.length(view.array, self.axis(view, axis))
        return Length(array, axis)


def is_whole_axis(span: Span) -> bool:
    """All of an axis: an index that counts from the end counts from the same end."""
    return span.start in (None, ZERO) and span.stop is None and span.step in (None, ONE)
