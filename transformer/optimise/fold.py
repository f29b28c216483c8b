"""What only constants decide is decided now, exactly as Python and NumPy would.

    if 2 > 1:                     y = x ** 3
        t = 2 * 3                 return (y,)
        u = t - 3
        y = x ** u
    else:
        y = x
    return (y,)

A computation that raises, warns or leaves int64 is left for run time, where it does what it must.
"""
from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from ..core import Atom, Const, For, Fun, If, Let, Stmt, While, walk
from ..core.types import type_of_number
from ..rules import OPS
from ..rules.kinds import Elementwise
from .rewriter import Rewriter


def fold_constants(fun: Fun) -> Fun:
    return Folding(fun).run() if any(map(constants_decide, walk(fun.body))) else fun


def constants_decide(stmt: Stmt) -> bool:
    """Could it be folded as it stands?  Where no statement could, none will."""
    match stmt:
        case If():
            return isinstance(stmt.test, Const) or any(map(is_test, stmt.then.results, stmt.orelse.results))
        case For() | While():
            return never_runs(stmt)
    return foldable(stmt) or stmt.op.name == "rt.require" and isinstance(stmt.args[0], Const)


def foldable(let: Let) -> bool:
    for a in let.args:
        if isinstance(a, str):
            return False
    return len(let.names) == 1 and (isinstance(let.op, Elementwise) or let.op.length or let.op.converts)


def is_test(then: Atom, orelse: Atom) -> bool:
    """True on one side and False on the other?"""
    return isinstance(then, Const) and isinstance(orelse, Const) and {then, orelse} == {Const(True), Const(False)}


class Folding(Rewriter):
    def let(self, let: Let) -> None:
        value = self.value(let)
        if let.op.name == "rt.require" and let.args[0] == Const(True):
            return
        if value is None:
            self.emit(let)
        else:
            self.alias(let.name, value)

    def value(self, let: Let) -> Const | None:
        """The number that a statement computes."""
        if not foldable(let):
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                value = let.op.fn(*(a.value for a in let.args), **dict(let.params))
        except Exception:
            return None
        if not isinstance(value, (bool, int, float, np.generic)) or type(value) is int and abs(value) >= 2 ** 63:
            return None
        return Const(value) if type_of_number(value) == self.types[let.name] else None

    def branch(self, stmt: If) -> None:
        if not isinstance(stmt.test, Const):
            return super().branch(self.without_tests(stmt))
        side = stmt.then if stmt.test.value else stmt.orelse
        self.statements(side)
        for name, result in zip(stmt.names, self.atoms(side.results)):
            self.alias(name, result)
        return None

    def without_tests(self, stmt: If) -> If:
        """The branch, without the results that are True on one side and False on the other: they are its test."""
        pairs = list(zip(stmt.names, stmt.then.results, stmt.orelse.results))
        for name, then, orelse in pairs:
            if (then, orelse) == (Const(True), Const(False)):
                self.emit(Let((name,), OPS["bool"], (stmt.test,), origin=stmt.origin))
            elif (then, orelse) == (Const(False), Const(True)):
                self.emit(Let((name,), OPS["not "], (stmt.test,), origin=stmt.origin))
        kept = [p for p in pairs if not is_test(*p[1:])]
        if len(kept) == len(pairs):
            return stmt
        names, then, orelse = zip(*kept) if kept else ((), (), ())
        return replace(stmt, names=names, then=replace(stmt.then, results=then),
                       orelse=replace(stmt.orelse, results=orelse))

    def loop(self, stmt: For | While) -> None:
        if never_runs(stmt):
            for c, init in zip(stmt.carried, stmt.inits):
                self.alias(c, init)
        else:
            super().loop(stmt)


def never_runs(stmt: For | While) -> bool:
    if isinstance(stmt, While):
        return stmt.inits[stmt.carried.index(stmt.test)] == Const(False)
    bounds = (stmt.start, stmt.stop, stmt.step)
    return all(isinstance(a, Const) for a in bounds) and not len(range(*(a.value for a in bounds)))
