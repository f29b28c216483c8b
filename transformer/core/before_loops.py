"""What a loop repeats unchanged is done once, before it: a walk for passes (`optimise/hoist.py` shows one before and
after), of which each says which statements may move."""
from __future__ import annotations

from dataclasses import replace
from typing import Callable

from .terms import Block, For, Fun, If, Let, Stmt, While
from .types import Type
from .walking import bound, names_among, same_or_new, updated


def before_loops(fun: Fun, may_move: Callable[[Let], bool], out_of_branches: bool = False) -> Fun:
    """The function, what its loops do not change and `may_move` before them: what cannot raise, as a loop may not run
    at all.

    out_of_branches  also what is in a branch in the loop, which may never be taken
    """
    body = BeforeLoops(fun.types, may_move, out_of_branches).block(fun.body)
    return fun if body is fun.body else replace(fun, body=body)


class BeforeLoops:
    def __init__(self, types: dict[str, Type], may_move: Callable[[Let], bool], out_of_branches: bool):
        self.types, self.may_move, self.out_of_branches = types, may_move, out_of_branches

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
        body = self.left(body, inside, out)
        out.append(updated(stmt, body=body))

    def left(self, block: Block, inside: set[str], out: list[Stmt]) -> Block:
        """What is left of a block; `inside` grows by what its statements bind."""
        stays: list[Stmt] = []
        for stmt in block.stmts:
            if isinstance(stmt, Let) and self.may_move(stmt) and inside.isdisjoint(self.reads(stmt)):
                out.append(stmt)
                continue
            if isinstance(stmt, If) and self.out_of_branches:
                stmt = updated(stmt, then=self.left(stmt.then, inside, out), orelse=self.left(stmt.orelse, inside, out))
            stays.append(stmt)
            inside.update(bound(stmt))
        return same_or_new(block, stays, block.results)

    def reads(self, let: Let) -> set[str]:
        return {*names_among(let.args), *(n for name in let.names for n in self.types[name].names)}
