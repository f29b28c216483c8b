"""Calls that may stop, apart from the expressions that they stand in: what a GPU's thread computes cannot raise.

    y[k] = x[rs.index(j, n, 3)]     ->     at, holds = rs.index(j, n)
                                           rs.check(holds, 3)
                                           y[k] = x[at]

What stands in one side of a choice is computed only where the choice falls on it, so that the choice becomes a branch.
A tape that is full cannot grow there either: the thread stops at the site ROOM, and the host calls again with more.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Callable

from .core import BOOL, Assign, Assigns, Call, Check, Choose, Expr, If, Name, Stmt, While, expr
from .walking import mapped, reads

# functions of `runtime.scalars` that may stop, and how many sites they are given, after all else
SITES = {**dict.fromkeys(["rs.index", "rs.iadd", "rs.isub", "rs.imul", "rs.ineg", "rs.ipow", "rs.ishl", "rs.powered"],
                         1), "rs.fpow": 3, "rs.to_int": 4}
ROOM = -1


def stops_apart(stmts: tuple[Stmt, ...], fresh: Callable[[str], str]) -> tuple[Stmt, ...]:
    """The statements; `fresh` gives names that nothing has."""
    out: list[Stmt] = []
    for stmt in stmts:
        out += Stops(fresh).statement(stmt)
    return tuple(out)


def may_stop(e) -> bool:
    return isinstance(e, Call) and e.function in SITES or any(map(may_stop, reads(e)))


class Stops:
    """One statement, and what comes before it."""

    def __init__(self, fresh):
        self.fresh, self.before = fresh, []

    def statement(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Assign(value=Call("rs.room")):
                return [Check(expr(False), ROOM)]
            case Check():
                stmt = replace(stmt, numbers=())  # the CPU will say them
            case While() if may_stop(stmt.test):
                return self.rounds(stmt)
        own = mapped(stmt, self.value, lambda block: stops_apart(block, self.fresh))
        return [*self.before, own]

    def rounds(self, stmt: While) -> list[Stmt]:
        """The test is computed before the loop and at the end of each round."""
        test = Name(self.fresh("going"), BOOL)
        compute = Stops(self.fresh).statement(Assign(test, stmt.test))
        return [*compute, While(test, (*stops_apart(stmt.body, self.fresh), *compute))]

    def value(self, e):
        """An expression without calls that stop; `before` gets these."""
        if not may_stop(e):
            return e
        if isinstance(e, Choose):
            return self.choice(e)
        e = mapped(e, self.value)
        if not (isinstance(e, Call) and e.function in SITES):
            return e
        value, holds = Name(self.fresh("at"), e.dtype), Name(self.fresh("holds"), BOOL)
        sites = SITES[e.function]
        self.before += [Assigns((value, holds), (replace(e, args=e.args[:-sites]),)), Check(holds, e.args[-1].value)]
        return value

    def choice(self, e: Choose) -> Expr:
        made, sides = Name(self.fresh("chosen"), e.dtype), []
        test = self.value(e.test)
        for side in (e.x, e.y):
            inner = Stops(self.fresh)
            value = inner.value(side)
            sides.append((*inner.before, Assign(made, value)))
        self.before.append(If(test, *sides))
        return made
