"""The tree as Python's own, with the user's comments and a line before each group of adjoint statements.

    # adjoint of line 7: h = np.tanh(W @ x)
    W_bar = np.outer((1 - h * h) * h_bar, x)
"""
from __future__ import annotations

import ast

import numpy as np

from ..core import Const, Joined
from ..rules.kinds import Elementwise
from .conditions import WIDE
from .remarks import Remarks
from .spell import Speller
from .tree import Assign, Break, Call, Effect, Expr, For, If, Return, Stmt, Store, Tree, While, all_expressions, calls_of, names_of, walk

DIVISIONS = ("/", "//", "%", "**")
INDIFFERENT = ("rt.push", "rt.push_", "rt.full", "np.broadcast_to")  # to whether a number is Python's or NumPy's
AUGMENTED = {"+", "-", "*", "/"}


class Unparser:
    """Makes Python's statements, on which hang, for `printer` and for who asks where a line comes from:

    before  lines of comments; "" is an empty line
    behind  a comment at the end of the first line
    origin  the user's place
    """

    def __init__(self, tree: Tree, names: dict[str, str], main=None, signature=None):
        self.tree, self.names, self.signature = tree, names, signature
        self.speller = Speller(tree.types, self.name, tree.risky)
        self.remarks = Remarks(tree, main)
        self.divided = self.python_matters()
        self.returned = self.results()

    def function(self, name: str, origin) -> ast.FunctionDef:
        signature = self.signature
        head = signature.head() if signature else f"def {name}({', '.join(map(self.name, self.tree.params))}):"
        made = self.speller.statement(f"{head} pass")
        made.origin = origin
        unpacking = signature.unpacking(self.names) if signature else ()
        made.body = [*map(self.speller.statement, unpacking), *self.block(self.tree.body)]
        return made

    # blocks --------------------------------------------------------------------------------------
    def block(self, block: list[Stmt]) -> list[ast.stmt]:
        group = self.remarks.group
        made = [s for stmt in block for s in self.remarked(stmt)]
        self.remarks.group = group
        return made or [ast.Pass()]

    def remarked(self, stmt: Stmt) -> list[ast.stmt]:
        before, behind = self.remarks.before(stmt), self.remarks.behind(stmt)
        first, *rest = self.statement(stmt)
        first.before, first.behind = before, behind
        return [first, *rest]

    def statement(self, stmt: Stmt) -> list[ast.stmt]:
        """The statement, and what follows it without an `else`."""
        rest: list[ast.stmt] = []
        match stmt:
            case For():
                made = self.speller.statement(f"for {self.speller.text(stmt.index)} in {self.range(stmt.bounds)}: pass")
                made.body = self.block(stmt.body)
            case While():
                made = self.speller.statement(f"while {self.speller.text(stmt.test)}: pass")
                made.body = self.block(stmt.body)
            case If():
                made, rest = self.branch(stmt)
            case _:
                made = self.speller.statement(self.simple(stmt))
        made.origin = stmt.origin or self.place(stmt)
        return [made, *rest]

    def place(self, stmt: Stmt):
        """The user's place of what a statement of ours computes: a `return` with an expression in it."""
        found = [self.tree.places.get(c.name) for e in all_expressions(stmt) for c in calls_of(e)]
        return next(filter(None, found), None)

    def branch(self, stmt: If, word: str = "if") -> tuple[ast.If, list[ast.stmt]]:
        if then_and_else(stmt) and isinstance(stmt.test, Call) and stmt.test.op.name == "not ":
            stmt = If(stmt.test.args[0], stmt.orelse, stmt.then, stmt.origin)
        test, then, orelse = self.speller.text(stmt.test), stmt.then, stmt.orelse
        if not then and orelse:
            test, then, orelse = f"not {test}", orelse, []
        made = self.speller.statement(f"if {test}: pass")
        made.body = self.block(then)
        if word == "if" and then and isinstance(then[-1], (Break, Return)):  # not behind an `elif`: whoever took a branch before that comes by there too
            return made, [s for inner in orelse for s in self.remarked(inner)]
        if len(orelse) == 1 and isinstance(orelse[0], If) and orelse[0].then:
            made.orelse = [self.branch(orelse[0], "elif")[0]]
            made.orelse[0].origin = orelse[0].origin
        elif orelse:
            made.orelse = self.block(orelse)
        return made, []

    def range(self, bounds) -> str:
        if len(bounds) == 1:
            return self.speller.text(bounds[0])
        start, stop, step = bounds
        shown = bounds if step != Const(1) else (start, stop) if start != Const(0) else (stop,)
        return f"range({', '.join(map(self.speller.text, shown))})"

    # statements -----------------------------------------------------------------------------------
    def name(self, name: str) -> str:
        return self.names.get(name, name)

    def simple(self, stmt: Stmt) -> str:
        match stmt:
            case Break():
                return "break"
            case Return() if self.signature is not None:
                return "return " + self.signature.result([self.speller.text(x) for x in stmt.values])
            case Return(values=()):
                return "return ()"
            case Return():
                return "return " + ", ".join(map(self.speller.text, stmt.values))
            case Effect():
                return self.speller.text(stmt.call)
            case Store():
                return self.store(stmt)
            case Assign(targets=(target,), values=(value,)):
                return self.assign(target, value)
        return f"{', '.join(map(self.speller.text, stmt.targets))} = {', '.join(map(self.plain, stmt.values))}"

    def assign(self, target: str, value: Expr) -> str:
        text = self.speller.text(target)
        if isinstance(value, Call) and value.op.symbol in AUGMENTED and len(value.args) == 2 and self.tree.types[target].kind != "array":
            x, y = value.args
            if isinstance(x, str) and self.name(x) == self.name(target) and self.tree.types[x].kind != "array":  # an array of no axes would be stored into
                return f"{text} {value.op.symbol}= {self.speller.text(y)}"
        return f"{text} = {self.plain(value, target)}"

    def store(self, stmt: Store) -> str:
        s = self.speller
        if stmt.add and "a" in stmt.index:
            where = s.index(stmt.index, stmt.atoms)
            where = where if len(stmt.index) == 1 else f"({where})" if ":" not in where else f"np.s_[{where}]"
            return f"np.add.at({s.text(stmt.target)}, {where}, {s.text(stmt.value)})"
        place = s.place(stmt)
        match stmt.value:
            case Call(op=op, args=(Call() as x, y)) if op.symbol in AUGMENTED and not stmt.add and "a" not in stmt.index:
                if self.reads(x, stmt) and s.type(stmt.value).dtype == self.tree.types[stmt.target].dtype:
                    return f"{place} {op.symbol}= {s.text(y)}"
            case Call(op=op, args=(v,)) if op.symbol == "-" and stmt.add and s.type(v).is_float:
                return f"{place} -= {s.text(v)}"
        value = Const(stmt.value.value.item()) if isinstance(stmt.value, Const) and isinstance(stmt.value.value, np.generic) else stmt.value
        return f"{place} {'+=' if stmt.add else '='} {s.text(value)}"

    def reads(self, call: Call, stmt: Store) -> bool:
        """Does it read the place that a statement stores into?"""
        if call.op.name != "getitem" or call.param("index") != stmt.index:
            return False
        return all(map(self.speller.same, call.args, (stmt.target, *stmt.atoms)))

    # numbers: np.float64(0.0) is written 0.0 where that makes no difference ----------------------------
    def plain(self, value: Expr, target: str | None = None) -> str:
        if isinstance(value, Const) and isinstance(value.value, (np.float64, np.int64, np.bool_)):
            ours = target is not None and target.rpartition("__")[0].endswith(("_bar", "_dot")) or (target or "").endswith(("_bar", "_dot"))
            if target is not None and self.name(target) not in self.divided and (isinstance(value, Joined) or ours and self.name(target) not in self.returned):
                value = Const(value.python(value.value) if isinstance(value, Joined) else value.value.item())
        return self.speller.text(value)

    def python_matters(self) -> set[str]:
        """Variables for which it matters whether they hold a Python number or NumPy's: in divisions, among other dtypes."""
        found: set[str] = set()
        for call in [c for stmt in walk(self.tree.body) for e in all_expressions(stmt) for c in calls_of(e)]:
            whole = [call] if call.name else []
            mixed = any([self.speller.type(e).dtype not in WIDE for e in (*whole, *call.args)])
            if mixed or not (call.op.symbol or isinstance(call.op, Elementwise) or call.op.name in INDIFFERENT):
                found.update(map(self.name, call.names))
            elif any([isinstance(a, Const) and isinstance(a.value, np.generic) for a in call.args]):  # which is written as a Python number beside NumPy's
                found.update(self.name(n) for a in call.args for n in names_of(a))
            elif call.op.symbol in DIVISIONS:
                found.update(self.name(n) for k, a in enumerate(call.args) if self.decides(call, k) for n in names_of(a))
        return found

    def results(self) -> set[str]:
        """Variables that the caller gets."""
        return {self.name(x) for stmt in walk(self.tree.body) if isinstance(stmt, Return) for x in stmt.values if isinstance(x, str)}

    def decides(self, call: Call, k: int) -> bool:
        """Does an argument's being a Python number decide how a call divides?  As NumPy does if another is NumPy's whatever this one is."""
        own = {n for n in names_of(call.args[k]) if self.tree.types[n].is_float}
        others = [b for j, b in enumerate(call.args) if j != k and not isinstance(b, Const)]
        return not any(self.speller.type(b).kind != "py" and not own & set(names_of(b)) for b in others)


def then_and_else(stmt: If) -> bool:
    return bool(stmt.then and stmt.orelse)
