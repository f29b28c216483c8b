"""Placeholders become names where they are read more than once, and are written where they are read where it is once.

    %1 = x[i] * w[i]                     e = x[i] * w[i]
    %2 = vm.exp_f8(%1)           ->      y[i] = vm.exp_f8(e) / e
    y[i] = %2 / %1

A value also gets its name where it is read in another block, which may be done often, and where it is large.
"""
from __future__ import annotations

from collections import Counter
from typing import Callable

from .core import Assign, Expr, Function, Name, Stmt
from .walking import blocks, expression_size, mapped, names_in, reads

LARGE = 16  # names, numbers and operations in one expression


def name_values(f: Function, fresh: Callable[[str], str]) -> Function:
    """`fresh` gives names that nothing has."""
    naming = Naming(fresh)
    naming.count(f.body)
    return Function(f.name, f.params, naming.block(f.body), f.results)


class Naming:
    def __init__(self, fresh: Callable[[str], str]):
        self.fresh = fresh
        self.reads: Counter = Counter()  # how often a placeholder is read
        self.near: Counter = Counter()  # and how often in the block that makes it
        self.values: dict[str, Expr] = {}  # what stands for a placeholder

    def count(self, stmts: tuple[Stmt, ...]) -> None:
        made: set[str] = set()
        for stmt in stmts:
            read = [n.id for e in reads(stmt) for n in names_in(e)]
            self.reads.update(read)
            self.near.update(made.intersection(read))
            if isinstance(stmt, Assign) and stmt.hint is not None:
                made.add(stmt.name.id)
            for block in blocks(stmt):
                self.count(block)

    def block(self, stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        out = []
        for stmt in stmts:
            stmt = mapped(stmt, self.value, self.block)
            if isinstance(stmt, Assign) and stmt.hint is not None:
                count = self.reads[stmt.name.id]
                if count == 0:
                    continue
                if count == 1 == self.near[stmt.name.id] and not stmt.keep and expression_size(stmt.value) <= LARGE:
                    self.values[stmt.name.id] = stmt.value
                    continue
                self.values[stmt.name.id] = name = Name(self.fresh(stmt.hint), stmt.name.dtype)
                stmt = Assign(name, stmt.value)
            out.append(stmt)
        return tuple(out)

    def value(self, e: Expr) -> Expr:
        """An expression without placeholders."""
        if isinstance(e, Name):
            return self.values.get(e.id, e)
        return mapped(e, self.value) if any(n.id in self.values for n in names_in(e)) else e
