"""Array work that a loop repeats unchanged is done once, before it.

    for i in range(0, n, 1):              t = np.exp(b)
        t = np.exp(b)                     for i in range(0, n, 1):
        s__2 = s__1 + t                       s__2 = s__1 + t

Only what cannot raise moves, because the loop may not run at all; arithmetic on numbers stays where the user wrote
it, because a compiler moves it anyway.  Allocations stay: each iteration may store into its own.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Block, For, Fun, If, Let, Stmt, While, bound, names_among
from ..rules.kinds import Elementwise
from .rewriter import same_or_new, updated


def hoist_invariants(fun: Fun) -> Fun:
    body = Hoist(fun).block(fun.body)
    return fun if body is fun.body else replace(fun, body=body)


class Hoist:
    def __init__(self, fun: Fun):
        self.types = fun.types

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for stmt in block.stmts:
            match stmt:
                case Let():
                    out.append(stmt)
                case If():
                    out.append(updated(stmt, then=self.block(stmt.then), orelse=self.block(stmt.orelse)))
                case _:
                    self.loop(stmt, out)
        return same_or_new(block, out, block.results)

    def loop(self, stmt: For | While, out: list[Stmt]) -> None:
        """Append what need not be in the loop, then the loop."""
        body = self.block(stmt.body)
        inside = {*stmt.carried, *([stmt.index] if isinstance(stmt, For) else [])}
        stays: list[Stmt] = []
        for inner in body.stmts:
            if isinstance(inner, Let) and self.may_move(inner) and inside.isdisjoint(self.reads(inner)):
                out.append(inner)
            else:
                stays.append(inner)
                inside.update(bound(inner))
        out.append(updated(stmt, body=same_or_new(body, stays, body.results)))

    def reads(self, let: Let) -> set[str]:
        return {*names_among(let.args), *(n for name in let.names for n in self.types[name].names)}

    def may_move(self, let: Let) -> bool:
        if not any([self.types[a].kind == "array" for a in names_among(let.args)]):
            return False
        if isinstance(let.op, Elementwise):
            return all(self.types[n].is_float or self.types[n].dtype.kind == "b" for n in let.names)
        return let.op.safe
