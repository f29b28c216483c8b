"""The test of a core `while`, computed before the loop and at the end of its body, as one expression at its header."""
from __future__ import annotations

import numpy as np

from .. import core
from ..core import Atom, Const, Op, names_among
from ..core.types import type_of_number
from .code_tree import AND, OR, Call, Expr, names_of, replaced_names

JOINS = ("and_", "and", "or")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
WIDE = frozenset(map(np.dtype, (bool, np.int64, np.float64)))


class Unclear(Exception):
    """A step of `to_tree` is not certain."""


def has_stores(block: core.Block) -> bool:
    """Does it do more than compute?"""
    return any(isinstance(s, core.Store) or isinstance(s, core.Let) and (s.op.effect or s.op.memory is core.STORED)
               for s in core.walk(block))


class Test:
    """The test at the end of a body as an expression over carried names, if before the loop it is the same."""

    def __init__(self, maker, stmt: core.While):
        self.maker, self.stmt = maker, stmt
        self.own = {n: s for s in core.walk(stmt.body) if isinstance(s, (core.Let, core.If)) for n in s.names}
        self.inits = dict(zip(stmt.carried, stmt.inits))
        self.nexts: dict[Atom, list[str]] = {}
        for c, after in zip(stmt.carried, stmt.body.results):
            if c != stmt.test and isinstance(after, str):
                self.nexts.setdefault(after, []).append(c)
        self.inside = {*core.all_bound(stmt.body), *stmt.carried}
        self.slice: list[core.Stmt] = []  # in the body
        self.before: list[core.Stmt] = []

    def expression(self) -> Expr:
        after = self.stmt.body.results[self.stmt.carried.index(self.stmt.test)]
        test = self.unfold(after)
        if not self.matches(test, self.inits[self.stmt.test]):
            raise Unclear
        self.check_reads()
        self.maker.tested |= {n for s in (*self.slice, *self.before) for n in s.names}
        return replaced_names(test, {n: self.maker.atom(n) for n in names_of(test)})

    def unfold(self, atom: Atom) -> Expr:
        if isinstance(atom, Const):
            return atom
        if atom in self.nexts:
            return self.nexts[atom][0]
        if atom not in self.inside:
            return atom
        stmt = self.own.get(atom)
        if stmt is None or len(stmt.names) != 1 or has_stores(core.Block((stmt,))):
            raise Unclear
        self.slice.append(stmt)
        if isinstance(stmt, core.If):
            op, second = short_circuit(stmt)
            return Call(atom, op, (self.unfold(stmt.test), self.unfold(second)))
        return Call(atom, stmt.op, tuple(map(self.unfold, stmt.args)), stmt.params)

    def matches(self, expr: Expr, init: Atom, loosely: bool = True) -> bool:
        """Is `init`, computed before the loop, this expression with the inits put in?  `loosely`:
        a NumPy scalar is as good as a Python number."""
        value = self.constant(expr)
        if value is not None:
            return value == init or loosely and isinstance(init, Const) and python_number(value) == python_number(init)
        made = self.maker.defs.get(init)
        if (isinstance(made, core.Let) and made.op.name == "bool"
                and not (isinstance(expr, Call) and expr.op.name == "bool")):
            self.before.append(made)
            return self.matches(expr, made.args[0])  # a test has the truth of bool(test)
        if isinstance(expr, Call):
            return self.matches_call(expr, init, made)
        before = self.inits.get(expr, expr)
        return (self.maker.atom(before) == self.maker.atom(init)
                or loosely and self.number(before) == self.number(init))

    def matches_call(self, expr: Call, init: Atom, made: core.Stmt | None) -> bool:
        """The same of an operation and the statement that binds `init`."""
        op, args = expr.op, expr.args
        known = [op.name in JOINS and self.decides_nothing(a, op) for a in args]
        if known.count(True) == 1:
            return self.matches(args[known.index(False)], init)
        self.before.append(made)
        if op in (AND, OR):
            if not isinstance(made, core.If) or len(made.names) != 1 or has_stores(core.Block((made,))):
                return False
            same, second = short_circuit(made)
            return same is op and self.matches(args[0], made.test) and self.matches(args[1], second)
        same = (isinstance(made, core.Let) and made.op is op and made.params == expr.params
                and len(made.args) == len(args))
        return same and all(self.matches(a, b, self.compares(expr)) for a, b in zip(args, made.args))

    def compares(self, expr: Call) -> bool:
        """Is it a comparison that finds the same of NumPy scalars and of Python numbers?  A float32, say, does not:
        0.1 takes its dtype."""
        types = self.maker.fun.types
        used = [type_of_number(a.value) if isinstance(a, Const) else types[a.name if isinstance(a, Call) else a]
                for a in expr.args]
        return expr.op.symbol in COMPARISONS and all(t.dtype in WIDE for t in used)

    def number(self, atom: Atom) -> Atom:
        """The Python number of which an atom is the NumPy scalar, or the atom itself."""
        atom, types = self.maker.atom(atom), self.maker.fun.types
        made = self.maker.defs.get(atom)
        cast = isinstance(made, core.Let) and made.op.name == "rt.astype" and isinstance(made.args[0], str)
        return self.maker.atom(made.args[0]) if cast and types[made.args[0]].dtype == types[atom].dtype else atom

    def decides_nothing(self, expr: Expr, op: Op) -> bool:
        """Is it, before the loop, True in an `and`, or False in an `or`?"""
        return self.constant(expr) == Const(op is not OR)

    def constant(self, expr: Expr) -> Const | None:
        match expr:
            case Const():
                return expr
            case str():
                init = self.inits.get(expr)
                return init if isinstance(init, Const) else None
            case Call(op=op, args=args):
                values = [self.constant(a) for a in args]
                if all(v is not None for v in values) and (op.symbol or op.name == "not ") and op.fn:
                    try:
                        return Const(op.fn(*(v.value for v in values)))
                    except ArithmeticError:
                        return None
        return None

    def check_reads(self) -> None:
        """If the test reads arrays, nothing may be stored between it and the end of the body, or the loop."""
        types = self.maker.fun.types
        read = [n for s in self.slice if isinstance(s, core.Let) and s.op.name != "rt.size"
                for n in names_among(s.args)]
        if all(types[n].kind in ("py", "np") for n in read):
            return
        for block, used in ((self.stmt.body.stmts, self.slice), (self.maker.frames[-1].done, self.before)):
            wanted = {id(u) for u in used}
            found = [wanted & {id(s) for s in core.walk(core.Block((b,)))} for b in block]
            first = next((k for k, there in enumerate(found) if there), len(block))
            if set().union(*found) != wanted or has_stores(core.Block(block[first:])):
                raise Unclear


def short_circuit(stmt: core.If) -> tuple[Op, Atom]:
    """(and, y) of `if x: t = y` / `else: t = False`; (or, y) of `if x: t = True` / `else: t = y`."""
    (then,), (orelse,) = stmt.then.results, stmt.orelse.results
    if is_bool(orelse, False) and not stmt.orelse.stmts:
        return AND, then
    if is_bool(then, True) and not stmt.then.stmts:
        return OR, orelse
    raise Unclear


def python_number(const: Const) -> Const:
    """The constant, as a Python number where NumPy's scalar is the same."""
    return Const(const.value.item()) if isinstance(const.value, (np.bool_, np.int64, np.float64)) else const


def is_bool(atom: Atom, value: bool) -> bool:
    return isinstance(atom, Const) and isinstance(atom.value, (bool, np.bool_)) and bool(atom.value) == value


def conjunction(expr: Expr) -> list[Expr]:
    match expr:
        case Call(op=op, args=(x, y)) if op.name in ("and_", "and"):
            return conjunction(x) + conjunction(y)
    return [expr]


def negated_among(conjuncts: list[Expr], names: list[str]) -> dict[str, Call]:
    """{one of the names: the conjunct that is its `not`}"""
    return {c.args[0]: c for c in conjuncts if isinstance(c, Call) and c.op.name == "not " and c.args[0] in names}


def conjoin(conjuncts: list[Expr]) -> Expr:
    """The test without the conjuncts that have become breaks: the nested calls that are left."""
    if not conjuncts:
        return Const(True)
    first, *rest = conjuncts
    for c in rest:
        first = Call(next(x.name if isinstance(x, Call) else x for x in (first, c) if isinstance(x, (Call, str))), AND,
                     (first, c))
    return first
