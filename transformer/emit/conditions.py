"""The test of a core `while`, computed before the loop and at the end of its body, as one expression at its head."""
from __future__ import annotations

from .. import core
from ..core import Atom, Const, names_in
from ..optimise.inplace import PUSH
from ..rules import OPS
from .tree import Call, Expr, map_expr


class Unclear(Exception):
    """A step of `to_tree` is not certain."""


def stores(block: core.Block) -> bool:
    """Does it do more than compute?"""
    return any(isinstance(s, core.Store) or isinstance(s, core.Let) and (s.op.effect or s.op in PUSH.values()) for s in core.walk(block))


class Test:
    """The test at the end of a body as an expression over carried names, if before the loop it is the same."""

    def __init__(self, maker: Maker, stmt: core.While):
        self.maker, self.stmt = maker, stmt
        self.own = {n: s for s in stmt.body.stmts if isinstance(s, core.Let) for n in s.names}
        self.inits = dict(zip(stmt.carried, stmt.inits))
        self.nexts: dict[Atom, list[str]] = {}
        for c, after in zip(stmt.carried, stmt.body.results):
            if c != stmt.test and isinstance(after, str):
                self.nexts.setdefault(after, []).append(c)
        self.inside = {*core.all_bound(stmt.body), *stmt.carried}
        self.slice: list[core.Let] = []  # in the body
        self.before: list[core.Let] = []

    def expression(self) -> Expr:
        after = self.stmt.body.results[self.stmt.carried.index(self.stmt.test)]
        test = self.unfold(after)
        if not self.matches(test, self.inits[self.stmt.test]):
            raise Unclear
        self.check_reads()
        return map_expr(test, self.maker.atom)

    def unfold(self, atom: Atom) -> Expr:
        if isinstance(atom, Const):
            return atom
        if atom in self.nexts:
            return self.nexts[atom][0]
        if atom not in self.inside:
            return atom
        let = self.own.get(atom)
        if let is None or stores(core.Block((let,))) or len(let.names) != 1:
            raise Unclear
        self.slice.append(let)
        return Call(atom, let.op, tuple(map(self.unfold, let.args)), let.params)

    def matches(self, expr: Expr, init: Atom) -> bool:
        """Is `init`, computed before the loop, this expression with the inits put in?"""
        value = self.constant(expr)
        if value is not None:
            return value == init
        match expr:
            case str():
                return self.maker.atom(self.inits.get(expr, expr)) == self.maker.atom(init)
            case Call(op=op, args=(x, y)) if op.name == "and_" and self.constant(x) == Const(True):
                return self.matches(y, init)
            case Call(op=op, args=(x, y)) if op.name == "and_" and self.constant(y) == Const(True):
                return self.matches(x, init)
            case Call():
                let = self.maker.defs.get(init)
                self.before.append(let)
                same = isinstance(let, core.Let) and let.op is expr.op and let.params == expr.params and len(let.args) == len(expr.args)
                return same and all(map(self.matches, expr.args, let.args))
        return False

    def constant(self, expr: Expr) -> Const | None:
        match expr:
            case Const():
                return expr
            case str():
                init = self.inits.get(expr)
                return init if isinstance(init, Const) else None
            case Call(op=op, args=args):
                values = [self.constant(a) for a in args]
                if all(v is not None for v in values) and (op.symbol or op.name == "not "):
                    try:
                        return Const(op.fn(*(v.value for v in values)))
                    except ArithmeticError:
                        return None
        return None

    def check_reads(self) -> None:
        """If the test reads arrays, nothing may be stored between it and the end of the body, or the loop."""
        types = self.maker.fun.types
        if not any(types[n].kind not in ("py", "np") for s in self.slice if s.op.name != "rt.size" for n in names_in(s.args)):
            return
        for block, used in ((self.stmt.body.stmts, self.slice), (self.maker.frames[-1].done, self.before)):
            at = [k for k, s in enumerate(block) if any(s is u for u in used)]
            if len(at) < len({id(u) for u in used}) or at and stores(core.Block(block[at[0]:])):
                raise Unclear


def conjunction(expr: Expr) -> list[Expr]:
    match expr:
        case Call(op=op, args=(x, y)) if op.name == "and_":
            return conjunction(x) + conjunction(y)
    return [expr]


def conjoin(conjuncts: list[Expr]) -> Expr:
    """The test without the conjuncts that have become breaks: the nested calls that are left."""
    if not conjuncts:
        return Const(True)
    first, *rest = conjuncts
    for c in rest:
        first = Call(first.name if isinstance(first, Call) else c.name, OPS["and_"], (first, c))
    return first


