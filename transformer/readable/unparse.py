"""The tree as Python's own, with the user's comments and a line before each group of adjoint statements.

    # adjoint of line 7: h = np.tanh(W @ x)
    W_bar = np.outer((1 - h * h) * h_bar, x)
"""
from __future__ import annotations

import ast
import builtins
import functools

import numpy as np

from ..core import Const, JoinedConstant
from ..errors.messages import UnsupportedError
from ..frontend.trees import nodes
from ..rules.kinds import Elementwise
from .code_tree import (Assign, Break, Call, CodeTree, Effect, Expr, For, If, Return, Stmt, Store, While,
                        all_expressions, calls_of, names_of, names_of_all, walk_tree)
from .conditions import WIDE
from .naming import MODULES
from .remarks import Remarks
from .spell import INFIX, LOAD, PREFIX, STORE, Speller

DIVISIONS = ("/", "//", "%", "**")
IMPORTS = {"np": "import numpy as np", "math": "import math", "rt": "from gradscribe import runtime as rt"}
AUGMENTED = {"+", "-", "*", "/"}


def module_of(functions: list[ast.FunctionDef], modules=(), classes=()) -> ast.Module:
    """The module of some functions; it imports what they need, `modules` and `classes`."""
    free = {node.id for function in functions for node in nodes(function) if isinstance(node, ast.Name)}
    imports = [line for word, line in IMPORTS.items() if word in free] + [f"import {module}" for module in modules]
    imports += [f"from {cls.__module__} import {cls.__name__}" for cls in classes]
    module = ast.parse("\n".join(imports))
    module.body += functions
    return module


def refuse_own_words(params, body: list[ast.stmt], origin) -> None:
    """Refuse a parameter called like a module or a function that the text needs."""
    found = [node for stmt in body for node in nodes(stmt)]
    called = {getattr(node.func, "id", None) for node in found if isinstance(node, ast.Call)}
    modules = {getattr(node.value, "id", None) for node in found if isinstance(node, ast.Attribute)} & MODULES
    for word in sorted(called.union(modules).intersection(params)):
        raise UnsupportedError(origin, f"source with a parameter called {word}, which it needs for another thing",
                               instead="Give the parameter another name.")


class Unparser:
    """Makes Python's statements, on which hang, for `printer` and for who asks where a line comes from:

    before  lines of comments; "" is an empty line
    behind  a comment at the end of the first line
    origin  the user's place
    """

    def __init__(self, tree: CodeTree, names: dict[str, str], unshared: set[str], main=None, signature=None):
        self.tree, self.names, self.unshared, self.signature = tree, names, unshared, signature
        self.speller = Speller(tree.types, self.name, tree.risky, frozenset(names.values()))
        self.remarks = Remarks(tree, main)

    def function(self, name: str, origin) -> ast.FunctionDef:
        signature, body = self.signature, self.block(self.tree.body)
        header = signature.header() if signature else f"def {name}({', '.join(map(self.name, self.tree.params))}):"
        lines = signature.unpacking({p: self.names[p] for p in self.tree.params if p in self.read}) if signature else ()
        if signature:
            refuse_own_words(signature.params, body, origin)
        (function,) = ast.parse("\n    ".join([header, *lines, "pass"])).body
        function.origin = origin
        if not lines and getattr(body[0], "before", [])[:1] == [""]:  # an empty line stands between what it parts
            body[0].before = body[0].before[1:]
        function.body[-1:] = body
        return function

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
        node, rest = self.speller.node, []
        match stmt:
            case Assign():
                made = self.assign(stmt)
            case Store():
                made = self.store(stmt)
            case Effect():
                made = self.raised(stmt) or ast.Expr(node(stmt.call))
            case For():
                made = ast.For(self.target(stmt.index), self.range(stmt.bounds), self.block(stmt.body), [])
            case While():
                made = ast.While(node(stmt.test), self.block(stmt.body), [])
            case If():
                made, rest = self.branch(stmt)
            case Break():
                made = ast.Break()
            case Return():
                made = ast.Return(self.result(stmt.values))
        made.origin = stmt.origin or self.place(stmt)
        return [made, *rest]

    def raised(self, stmt: Effect) -> ast.If | ast.Raise | None:
        """`if not ok: raise ValueError("...")` of a check that says one thing, and of an exception of Python's."""
        call, kind, message = stmt.call, stmt.call.param("kind"), stmt.call.param("message")
        if call.op.name != "rt.require" or message is None or not hasattr(builtins, kind) or (
                kind in self.names.values()):
            return None
        ok = call.args[0]
        error = ast.Raise(ast.Call(ast.Name(kind, LOAD), [ast.Constant(message)], []), None)
        error.origin = stmt.origin  # the line that a traceback has
        if ok == Const(False):
            return error
        is_negated = type(ok) is Call and ok.op.name == "not "
        test = self.speller.node(ok.args[0]) if is_negated else ast.UnaryOp(PREFIX["not"], self.speller.node(ok))
        return ast.If(test, [error], [])

    def place(self, stmt: Stmt):
        """The user's place of what a statement of ours computes: a `return` with an expression in it."""
        found = [self.tree.places.get(c.name) for e in all_expressions(stmt) for c in calls_of(e)]
        return next(filter(None, found), None)

    def branch(self, stmt: If, word: str = "if") -> tuple[ast.If, list[ast.stmt]]:
        if stmt.then and stmt.orelse and isinstance(stmt.test, Call) and stmt.test.op.name == "not ":
            stmt = If(stmt.test.args[0], stmt.orelse, stmt.then, stmt.origin)
        test, then, orelse = self.speller.node(stmt.test), stmt.then, stmt.orelse
        if not then and orelse:
            test, then, orelse = ast.UnaryOp(PREFIX["not"], test), orelse, []
        made = ast.If(test, self.block(then), [])
        # not behind an `elif`: whoever took a branch before that comes by there too
        if word == "if" and then and isinstance(then[-1], (Break, Return)):
            return made, [s for inner in orelse for s in self.remarked(inner)]
        match orelse:
            case [If(then=[_, *_]) as inner]:
                made.orelse = [self.branch(inner, "elif")[0]]
                made.orelse[0].origin = inner.origin
            case [_, *_]:
                made.orelse = self.block(orelse)
        return made, []

    def range(self, bounds) -> ast.expr:
        if len(bounds) == 1:
            return self.speller.node(bounds[0])
        start, stop, step = bounds
        shown = bounds if step != Const(1) else (start, stop) if start != Const(0) else (stop,)
        return ast.Call(ast.Name("range", LOAD), [*map(self.speller.node, shown)], [])

    # statements -----------------------------------------------------------------------------------
    def name(self, name: str) -> str:
        return self.names.get(name, name)

    def target(self, name: str) -> ast.Name:
        return ast.Name(self.name(name), STORE)

    def result(self, values) -> ast.expr:
        if self.signature is not None:
            return self.speller.filled(self.signature.result([*map(self.speller.text, values)]))
        return self.speller.node(values[0]) if len(values) == 1 else ast.Tuple([*map(self.speller.node, values)], LOAD)

    def assign(self, stmt: Assign) -> ast.stmt:
        if len(stmt.targets) > 1:
            values = [*map(self.plain, stmt.values)]
            return ast.Assign([ast.Tuple([*map(self.target, stmt.targets)], STORE)],
                              values[0] if len(values) == 1 else ast.Tuple(values, LOAD))
        (name,), (value,) = stmt.targets, stmt.values
        if isinstance(value, Call) and self.name(name) not in self.variables_read:
            return ast.Expr(self.speller.node(value))  # it is there to raise: what nobody needs has been swept
        if isinstance(value, Call) and value.op.symbol in AUGMENTED and len(value.args) == 2:
            x, y = value.args
            if isinstance(x, str) and self.name(x) == self.name(name) and self.adds_in_place(name, x, y):
                return ast.AugAssign(self.target(name), INFIX[value.op.symbol], self.speller.node(y))
        return ast.Assign([self.target(name)], self.plain(value, name))

    def adds_in_place(self, name: str, x: str, y: Expr) -> bool:
        """Is `x += y` as good as `x = x + y`?  Of an array it stores into the memory of x, which must be seen by
        nobody else and have the result's type."""
        types = self.tree.types
        if types[name].kind != "array":
            return types[x].kind != "array"  # one of no axes would be stored into
        return (types[x] == types[name] and self.speller.type(y).rank <= types[x].rank
                and self.unshared.issuperset((x, name)))

    def store(self, stmt: Store) -> ast.stmt:
        s = self.speller
        if stmt.add and "a" in stmt.index and not stmt.distinct:
            where = s.index(stmt.index, stmt.atoms)
            where = where if len(stmt.index) == 1 else f"({where})" if ":" not in where else f"np.s_[{where}]"
            return ast.Expr(s.filled(f"np.add.at({s.text(stmt.target)}, {where}, {s.text(stmt.value)})"))
        place, (symbol, value) = s.place(stmt), self.augmented(stmt)
        return ast.AugAssign(place, INFIX[symbol], s.node(value)) if symbol else ast.Assign([place], s.node(value))

    def augmented(self, stmt: Store) -> tuple[str | None, Expr]:
        """(the operator of an augmented assignment, or None, what stands on its right)"""
        s, value = self.speller, stmt.value
        match value:
            case Call(op=op, args=(Call() as x, y)) if op.symbol in AUGMENTED and not stmt.add:
                if (self.reads(x, stmt) and s.type(value).dtype == self.tree.types[stmt.target].dtype
                        and s.type(value).rank == s.type(x).rank):  # a row of shape (1, n) could not be added in place
                    return op.symbol, y
            case Call(op=op, args=(v,)) if op.symbol == "-" and stmt.add and s.type(v).is_float:
                return "-", v
            case Const(value=np.generic() as number):
                value = Const(number.item())
        return "+" if stmt.add else None, value

    def reads(self, call: Call, stmt: Store) -> bool:
        """Does it read the place that a statement stores into?"""
        if call.op.name != "getitem" or call.param("index") != stmt.index:
            return False
        return all(map(self.speller.same, call.args, (stmt.target, *stmt.atoms)))

    @functools.cached_property
    def read(self) -> set[str]:
        """The names that are read or stored into."""
        return {n for stmt in walk_tree(self.tree.body) for n in names_of_all(all_expressions(stmt))}

    @functools.cached_property
    def variables_read(self) -> set[str]:
        return set(map(self.name, self.read))

    # numbers: np.float64(0.0) is written 0.0 where that makes no difference ----------------------------
    def plain(self, value: Expr, target: str | None = None) -> ast.expr:
        if (isinstance(value, Const) and isinstance(value.value, (np.float64, np.int64, np.bool_)) and target
                and self.name(target) not in self.divided):
            ours = target.rpartition("__")[0].endswith(("_bar", "_dot")) or target.endswith(("_bar", "_dot"))
            if isinstance(value, JoinedConstant) or ours and self.name(target) not in self.returned:
                value = Const(value.python(value.value) if isinstance(value, JoinedConstant) else value.value.item())
        return self.speller.node(value)

    @functools.cached_property
    def divided(self) -> set[str]:
        """Variables for which it matters whether they hold a Python number or NumPy's:
        in divisions, among other dtypes."""
        calls = [c for stmt in walk_tree(self.tree.body) for e in all_expressions(stmt) for c in calls_of(e)]
        return {self.name(n) for call in calls for n in self.divided_in(call)}

    def divided_in(self, call: Call) -> list[str]:
        """The names for which it matters in an operation."""
        whole = [call] if call.name else []
        mixed = any([self.speller.type(e).dtype not in WIDE for e in (*whole, *call.args)])
        if mixed or not (call.op.symbol or isinstance(call.op, Elementwise) or call.op.any_number):
            return call.names
        # which is written as a Python number beside NumPy's
        if any([isinstance(a, Const) and isinstance(a.value, np.generic) for a in call.args]):
            return call.names
        if call.op.symbol in DIVISIONS:
            return [n for k, a in enumerate(call.args) if self.decides(call, k) for n in names_of(a)]
        return []

    @functools.cached_property
    def returned(self) -> set[str]:
        """Variables that the caller gets."""
        return {self.name(x) for stmt in walk_tree(self.tree.body) if isinstance(stmt, Return)
                for x in stmt.values if isinstance(x, str)}

    def decides(self, call: Call, k: int) -> bool:
        """Does an argument's being a Python number decide how a call divides?  As NumPy
        does if another is NumPy's whatever this one is."""
        own = {n for n in names_of(call.args[k]) if self.tree.types[n].is_float}
        others = [b for j, b in enumerate(call.args) if j != k and not isinstance(b, Const)]
        return not any(self.speller.type(b).kind != "py" and not own & set(names_of(b)) for b in others)
