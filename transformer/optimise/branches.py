"""Neighbouring branches on one test become one, so that what one hands to the other stays inside it.

    if t:                                     if t:
        e_tape = np.empty((20,), ...)             e_tape = np.empty((20,), ...)
        ...                                       ...
    else:                                         x_bar = ... e_tape ...
        e_tape = np.zeros((20,), ...)         else:
    if t:                                         x_bar = 2.0 * x
        x_bar = ... e_tape ...
    else:
        x_bar = 2.0 * x

The gradient of a branch comes as two: that of the forward sweep hands its tape to that of the mirror.  What stands
between them goes first, where that cannot change what happens.  For compiled code only: the reader wants the two sweeps
apart.
"""
from __future__ import annotations

from dataclasses import replace

from ..analyse.raising import Raising
from ..core import Block, Builder, For, Fun, If, Let, Stmt, While, all_bound, names_among, operands, rename
from ..core.types import PY_INT


def branches(fun: Fun) -> Fun:
    merged = Branches(fun)
    body = merged.block(fun.body)
    return replace(fun, body=body, types=merged.types)


class Branches:
    def __init__(self, fun: Fun):
        self.b, self.raising = Builder(like=fun), Raising(fun)
        self.types = self.b.types

    def block(self, block: Block) -> Block:
        stmts: list[Stmt] = []
        for stmt in block.stmts:
            first = self.earlier(stmts, stmt) if isinstance(stmt, If) else None
            if first is not None:
                stmt = self.merged(first, stmt)
                stmts = [s for s in stmts if s is not first]
            stmts.append(stmt)
        return Block(tuple(map(self.inside, stmts)), block.results)

    def inside(self, stmt: Stmt) -> Stmt:
        match stmt:
            case If():
                return replace(stmt, then=self.block(stmt.then), orelse=self.block(stmt.orelse))
            case For() | While():
                return replace(stmt, body=self.block(stmt.body))
        return stmt

    def earlier(self, stmts: list[Stmt], stmt: If) -> If | None:
        """The branch on the same test that may go where this one stands."""
        between: set[str] = set()  # what is read between the two
        for before in reversed(stmts):
            if isinstance(before, If) and before.test == stmt.test:
                return before if between.isdisjoint(before.names) else None
            if not isinstance(before, Let) or before.op.effect or self.raising.may(before):
                return None
            between |= {*names_among(operands(before)),
                        *(n for name in before.names for d in self.types[name].dims for n in d.names)}
        return None

    def merged(self, first: If, second: If) -> If:
        sides = []
        for one, other in ((first.then, second.then), (first.orelse, second.orelse)):
            here = dict(zip(first.names, one.results))
            sizes = {n: self.b.dim(atom) for n, atom in here.items() if self.types[n] == PY_INT}
            for name in all_bound(other):
                self.types[name] = self.types[name].substitute(sizes)
            other = rename(other, here, sizes)
            sides.append(Block(one.stmts + other.stmts, one.results + other.results))
        return If(second.test, first.names + second.names, *sides, second.origin)
