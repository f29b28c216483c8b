"""Placeholders become names where they are read more than once, and are written where they are read where it is once.

    %1 = x[i] * w[i]                     e = x[i] * w[i]
    %2 = vm.exp_f8(%1)           ->      y[i] = vm.exp_f8(e) / e
    y[i] = %2 / %1

A value also gets its name where it is read in another block, which may be done often, and where it is large.
"""
from __future__ import annotations

from collections import Counter
from typing import Callable

from .core import Assign, Expr, Function, Name, Stmt, blocks, mapped, names_in, reads, walk

LARGE = 16  # names, numbers and operations in one expression


def name_values(f: Function, fresh: Callable[[str], str]) -> Function:
    """`fresh` gives names that nothing has."""
    return Function(f.name, f.params, Naming(fresh).block(f.body), f.results)


class Naming:
    def __init__(self, fresh: Callable[[str], str]):
        self.fresh = fresh
        self.values: dict[str, Expr] = {}  # what stands for a placeholder

    def block(self, stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        here, inside = reads_of(stmts)
        out = []
        for stmt in stmts:
            stmt = mapped(stmt, self.value, self.block)
            if isinstance(stmt, Assign) and stmt.hint is not None:
                if not here[stmt.name.id] and not inside[stmt.name.id]:
                    continue
                if not stmt.keep and here[stmt.name.id] == 1 and not inside[stmt.name.id] and size(stmt.value) <= LARGE:
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
        return mapped(e, self.value)


def reads_of(stmts: tuple[Stmt, ...]) -> tuple[Counter, Counter]:
    """How often names are read in a block itself, and in the blocks inside it."""
    here, inside = Counter(), Counter()
    for stmt in stmts:
        here.update(n.id for e in reads(stmt) for n in names_in(e))
        for block in blocks(stmt):
            inside += sum(reads_of(block), Counter())
    return here, inside


def size(e: Expr) -> int:
    return sum(1 for _ in walk(e))
