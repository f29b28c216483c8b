"""The tree as text, with the user's comments and a line before each group of adjoint statements.

    # adjoint of line 7: h = np.tanh(W @ x)
    W_bar = np.outer((1 - h * h) * h_bar, x)
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..core import Const, Joined
from ..rules.kinds import Elementwise
from .conditions import WIDE
from .denest import WIDTH
from .remarks import Remarks
from .spell import NOT, Speller
from .tree import Assign, Break, Call, Effect, Expr, For, If, Return, Stmt, Store, Tree, While, all_expressions, calls_of, names_of, walk

DIVISIONS = ("/", "//", "%", "**")
INDIFFERENT = ("rt.push", "rt.push_", "rt.full", "np.broadcast_to")  # to whether a number is Python's or NumPy's
AUGMENTED = {"+", "-", "*", "/"}


class Unparser:
    def __init__(self, tree: Tree, names: dict[str, str], main=None, signature=None):
        self.tree, self.names, self.signature = tree, names, signature
        self.speller = Speller(tree.types, lambda n: names.get(n, n), tree.risky)
        self.remarks = Remarks(tree, main)
        self.lines: list[str] = []
        self.origins: list[Any] = []
        self.divided = self.python_matters()
        self.returned = self.results()

    def write(self, text: str, indent: int, origin=None) -> None:
        self.lines.append(" " * indent + text if text else "")
        self.origins.append(origin)

    # blocks --------------------------------------------------------------------------------------
    def block(self, block: list[Stmt], indent: int) -> None:
        if not block:
            self.write("pass", indent)
        group = self.remarks.group
        for stmt in block:
            self.remarked(stmt, indent)
        self.remarks.group = group

    def remarked(self, stmt: Stmt, indent: int) -> None:
        for line in self.remarks.before(stmt):
            self.write(shortened(line, WIDTH - indent), indent, stmt.origin)
        trailing, first = self.remarks.behind(stmt), len(self.lines)
        self.statement(stmt, indent)
        if trailing and len(self.lines[first]) + len(trailing) <= WIDTH:
            self.lines[first] += f"  {trailing}"
        elif trailing:
            self.lines.insert(first, " " * indent + trailing)
            self.origins.insert(first, stmt.origin)

    def statement(self, stmt: Stmt, indent: int) -> None:
        match stmt:
            case For():
                self.write(f"for {self.name(stmt.index)} in {self.range(stmt.bounds)}:", indent, stmt.origin)
                self.block(stmt.body, indent + 4)
            case While():
                self.write(f"while {self.speller.text(stmt.test)}:", indent, stmt.origin)
                self.block(stmt.body, indent + 4)
            case If():
                self.branch(stmt, indent, "if")
            case _:
                self.write(self.simple(stmt), indent, stmt.origin or self.place(stmt))

    def place(self, stmt: Stmt):
        """The user's place of what a statement of ours computes: a `return` with an expression in it."""
        found = [self.tree.places.get(c.name) for e in all_expressions(stmt) for c in calls_of(e)]
        return next(filter(None, found), None)

    def branch(self, stmt: If, indent: int, word: str) -> None:
        if then_and_else(stmt) and isinstance(stmt.test, Call) and stmt.test.op.name == "not ":
            stmt = If(stmt.test.args[0], stmt.orelse, stmt.then, stmt.origin)
        test, then, orelse = self.speller.text(stmt.test), stmt.then, stmt.orelse
        if not then and orelse:
            test, then, orelse = f"not {self.speller.at_least(stmt.test, NOT)}", orelse, []
        self.write(f"{word} {test}:", indent, stmt.origin)
        self.block(then, indent + 4)
        if word == "if" and then and isinstance(then[-1], (Break, Return)):
            for inner in orelse:  # not behind an `elif`: whoever took a branch before that comes by there too
                self.remarked(inner, indent)
        elif len(orelse) == 1 and isinstance(orelse[0], If) and orelse[0].then:
            self.branch(orelse[0], indent, "elif")
        elif orelse:
            self.write("else:", indent)
            self.block(orelse, indent + 4)

    def range(self, bounds) -> str:
        if len(bounds) == 1:
            return self.speller.text(bounds[0])
        start, stop, step = map(self.speller.text, bounds)
        parts = [start, stop, step] if step != "1" else [start, stop] if start != "0" else [stop]
        return f"range({', '.join(parts)})"

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
        values = ", ".join(self.plain(v) for v in stmt.values)
        return f"{', '.join(map(self.name, stmt.targets))} = {values}"

    def assign(self, target: str, value: Expr) -> str:
        if isinstance(value, Call) and value.op.symbol in AUGMENTED and len(value.args) == 2 and self.tree.types[target].kind != "array":
            x, y = value.args
            if isinstance(x, str) and self.name(x) == self.name(target) and self.tree.types[x].kind != "array":  # an array of no axes would be stored into
                return f"{self.name(target)} {value.op.symbol}= {self.speller.text(y)}"
        return f"{self.name(target)} = {self.plain(value, target)}"

    def store(self, stmt: Store) -> str:
        place = f"{self.name(stmt.target)}[{self.speller.index(stmt.index, stmt.atoms)}]"
        if stmt.add and "a" in stmt.index:
            where = self.speller.index(stmt.index, stmt.atoms)
            where = where if len(stmt.index) == 1 else f"({where})" if ":" not in where else f"np.s_[{where}]"
            return f"np.add.at({self.name(stmt.target)}, {where}, {self.speller.text(stmt.value)})"
        match stmt.value:
            case Call(op=op, args=(Call() as x, y)) if op.symbol in AUGMENTED and not stmt.add and "a" not in stmt.index:
                same = x.op.name == "getitem" and self.speller.text(x) == place
                if same and self.speller.type(stmt.value).dtype == self.tree.types[stmt.target].dtype:
                    return f"{place} {op.symbol}= {self.speller.text(y)}"
            case Call(op=op, args=(v,)) if op.symbol == "-" and stmt.add and self.speller.type(v).is_float:
                return f"{place} -= {self.speller.text(v)}"
        value = Const(stmt.value.value.item()) if isinstance(stmt.value, Const) and isinstance(stmt.value.value, np.generic) else stmt.value
        return f"{place} {'+=' if stmt.add else '='} {self.speller.text(value)}"

    # numbers: np.float64(0.0) is written 0.0 where that makes no difference ----------------------------
    def plain(self, value: Expr, target: str | None = None) -> str:
        if isinstance(value, Const) and isinstance(value.value, (np.float64, np.int64, np.bool_)):
            ours = target is not None and target.rpartition("__")[0].endswith(("_bar", "_dot")) or (target or "").endswith(("_bar", "_dot"))
            if target is not None and self.name(target) not in self.divided and (isinstance(value, Joined) or ours and self.name(target) not in self.returned):
                return self.speller.text(Const(value.python(value.value) if isinstance(value, Joined) else value.value.item()))
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


def shortened(comment: str, width: int) -> str:
    return comment if len(comment) <= width else comment[:width - 4].rstrip() + " ..."


def then_and_else(stmt: If) -> bool:
    return bool(stmt.then and stmt.orelse)
