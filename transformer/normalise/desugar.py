"""Desugar: fewer kinds of statement for the specialiser.  Purely syntactic; new nodes stand where the old ones stood.

    a = b = f(x)                    a = f(x)
                                    b = a
    y: float = x                    y = x
    assert ok, "no"                 if not ok: raise AssertionError("no")
    if (n := len(x)) > 2: ...       n = len(x)
                                    if n > 2: ...
    while (e := err(x)) > t: ...    e = err(x)
                                    while e > t: ...; e = err(x)

Kept as they are: augmented assignment (it may store), unpacking, `with`, comprehensions, chained comparison, `else` of
loops (see `exits`), and nested functions, which are desugared when they are called.
"""
from __future__ import annotations

from typing import Callable

import gast

from ..errors import Problems, UnsupportedError
from .trees import Stmts, copied, expression, inner_blocks, map_blocks, nodes, quote


def inserts_code(stmt) -> bool:
    """Is it a `with` statement of gs.insert_grad_of?"""
    match stmt:
        case gast.With(items=[gast.withitem(context_expr=gast.Call(func=gast.Name(id="insert_grad_of") | gast.Attribute(attr="insert_grad_of"), keywords=[]))]):
            return True
    return False


def leaves_block(stmts: Stmts, loop: bool = False) -> list:
    """The statements by which control leaves a block early."""
    found = []
    for stmt in stmts:
        if isinstance(stmt, gast.Return) or isinstance(stmt, (gast.Break, gast.Continue)) and not loop:
            found.append(stmt)
        inside = loop or isinstance(stmt, (gast.For, gast.While))
        found += [s for holder, name in inner_blocks(stmt) for s in leaves_block(getattr(holder, name), inside)]
    return found


def desugar(node: gast.FunctionDef, origin_of: Callable = lambda node: None) -> gast.FunctionDef:
    """A new tree.  Raises one UnsupportedError with all that cannot be expressed, placed by `origin_of`."""
    tree = copied(node)
    pass_ = _Desugar(origin_of)
    pass_.look_through(tree)
    tree.body = pass_.block(tree.body)
    pass_.problems.check()
    return tree


class _Desugar:
    def __init__(self, origin_of):
        self.origin_of = origin_of
        self.problems = Problems()
        self.temporaries = 0
        self.hoists = False  # is there a := in it?

    def refuse(self, node, message, instead):
        self.problems.add(UnsupportedError(self.origin_of(node), message, instead=instead))

    def look_through(self, tree):
        """Refuse names that are reserved; note whether there is a :=."""
        for node in nodes(tree):
            if isinstance(node, gast.Name) and node.id.startswith("_gs_"):
                self.refuse(node, f"the name {node.id} is reserved: Gradscribe makes names that start with _gs_", "Rename it.")
            self.hoists = self.hoists or isinstance(node, gast.NamedExpr)

    # statements --------------------------------------------------------------------------
    def block(self, stmts: Stmts) -> Stmts:
        return [new for stmt in stmts for new in self.stmt(stmt)]

    def stmt(self, stmt) -> Stmts:
        match stmt:
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
                return [stmt]
            case gast.Assert():
                return self.block(_assert(stmt))
            case gast.AnnAssign(target=target, value=value):
                if value is None:
                    return quote("pass", stmt)
                return self.stmt(gast.copy_location(gast.Assign(targets=[target], value=value, type_comment=None), stmt))
            case gast.While():
                return self.while_(stmt)
            case gast.With() if inserts_code(stmt):
                return self.inserted(stmt)
        hoisted = self.hoist(stmt)
        match stmt:
            case gast.Assign(targets=[_, _, *_]):
                return [*hoisted, *self.chained(stmt)]
        return [*hoisted, map_blocks(stmt, self.block)]

    def inserted(self, stmt) -> Stmts:
        """`with gs.insert_grad_of(x) as dx: ...` becomes a function of dx, and x = gs.insert_grad_of(x, that function)."""
        item = stmt.items[0]
        match item.context_expr.args, item.optional_vars:
            case [gast.Name(id=x)], (gast.Name() | None) as target:
                pass
            case _:
                self.refuse(item.context_expr, "gs.insert_grad_of of more than a variable", "Write: with gs.insert_grad_of(x) as dx: ...")
                return quote("pass", stmt)
        for node in leaves_block(stmt.body):
            self.refuse(node, f"a {type(node).__name__.lower()} out of a block of gs.insert_grad_of", "Let the block end by itself: it runs in the backward pass.")
        self.temporaries += 1
        dx, name = target.id if target is not None else f"_gs_adjoint_{self.temporaries}", f"_gs_backward_{self.temporaries}"
        return quote(f"def {name}({dx}):\n    rest\n    return {dx}\n{x} = hook({x}, {name})", stmt, rest=stmt.body, hook=item.context_expr.func)

    def chained(self, stmt) -> Stmts:
        """`a = b = value` evaluates value once and assigns from left to right."""
        first, *others = stmt.targets
        made = []
        match first:
            case gast.Name(id=source) if source not in _stored(others[:-1]):
                made += _assign(first, stmt.value, stmt)
            case _:
                self.temporaries += 1
                source = f"_gs_v{self.temporaries}"
                made += quote("source = value", stmt, source=source, value=stmt.value)
                others = stmt.targets
        for target in others:
            made += _assign(target, expression("source", stmt, source=source), stmt)
        return made

    # := ------------------------------------------------------------------------------------
    def hoist(self, stmt) -> Stmts:
        """Take each `name := value` out of the expressions of a statement, changing it in place."""
        if not self.hoists:
            return []
        own = [child for child in gast.iter_child_nodes(stmt) if isinstance(child, (gast.expr, gast.withitem))]
        if not any(isinstance(n, gast.NamedExpr) for child in own for n in nodes(child)):
            return []
        hoister = _Hoister(self.refuse)
        match stmt:
            case gast.Assign():  # the value is evaluated before the targets
                stmt.value = hoister.sure(stmt.value)
                stmt.targets = [hoister.sure(t) for t in stmt.targets]
            case gast.With():
                stmt.items[0].context_expr = hoister.sure(stmt.items[0].context_expr)
                hoister.unsure(*stmt.items[1:])
            case gast.For():
                stmt.iter = hoister.sure(stmt.iter)
                hoister.unsure(stmt.target)
            case gast.If():
                stmt.test = hoister.sure(stmt.test)
            case gast.While():
                stmt.test = hoister.sure(stmt.test)
            case gast.Expr() | gast.Return() | gast.AugAssign() | gast.Raise():
                hoister.children(stmt)
            case _:
                hoister.unsure(*own)
        return hoister.out

    def while_(self, stmt) -> Stmts:
        hoisted = self.hoist(stmt)
        map_blocks(stmt, self.block)
        if hoisted:
            stmt.body = [*_before_continue(stmt.body, hoisted), *copied(hoisted)]
        return [*hoisted, stmt]


class _Hoister:
    """Moves assignments out of an expression, walking it in the order of evaluation.

    What is evaluated before an assignment and stays behind must not notice that the assignment now comes first.
    """

    def __init__(self, refuse):
        self.refuse, self.out = refuse, []
        self.read, self.computed, self.called = set(), False, False

    def sure(self, node):
        """An expression that is certainly evaluated, at this point."""
        match node:
            case gast.NamedExpr(target=target, value=value):
                value = self._alone(value)
                disturbed = target.id in self.read or self.called or (self.computed and _calls(value))
                if disturbed:
                    self.refuse(node, f"{target.id} := ... after other parts of the expression", _instead(node))
                self.out += quote("target = value", node, target=target.id, value=value)
                self.read.add(target.id)
                return expression("target", node, target=target.id)
            case gast.BoolOp(values=[first, *others]):
                node.values[0] = self.sure(first)
                self.unsure(*others)
            case gast.IfExp():
                node.test = self.sure(node.test)
                self.unsure(node.body, node.orelse)
            case gast.Compare(comparators=[first, *others]):
                node.left = self.sure(node.left)
                node.comparators[0] = self.sure(first)
                self.unsure(*others)
            case gast.Lambda() | gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp() | gast.Dict():
                self.unsure(node)
            case _:
                self.children(node)
        self._note(node)
        return node

    def children(self, node):
        for name, value in gast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [self.sure(v) if isinstance(v, gast.AST) else v for v in value])
            elif isinstance(value, gast.AST):
                setattr(node, name, self.sure(value))

    def unsure(self, *parts):
        """Expressions that may be evaluated never, later or often: nothing is taken out of them."""
        for node in parts:
            for inner in nodes(node):
                if isinstance(inner, gast.NamedExpr):
                    self.refuse(inner, f"{inner.target.id} := ... where it may not be evaluated exactly once", _instead(inner))
                self._note(inner)

    def _alone(self, value):
        """The value of an assignment: what it reads and computes moves with it."""
        before = set(self.read), self.computed, self.called
        value = self.sure(value)
        self.read, self.computed, self.called = before
        return value

    def _note(self, node):
        match node:
            case gast.Name(id=name):
                self.read.add(name)
            case gast.Call() | gast.Await() | gast.Yield() | gast.YieldFrom():
                self.called = True
            case gast.Constant() | gast.Attribute() | gast.Tuple() | gast.keyword() | gast.Starred():
                pass
            case gast.expr():
                self.computed = True


def _instead(node) -> str:
    return f"Write the assignment on a line of its own before: {gast.unparse(node.target).strip()} = {gast.unparse(node.value).strip()}"


def _calls(node) -> bool:
    return any(isinstance(n, (gast.Call, gast.Await, gast.Yield, gast.YieldFrom)) for n in nodes(node))


def _assign(target, value, like) -> Stmts:
    return [gast.copy_location(gast.Assign(targets=[target], value=value, type_comment=None), like)]


def _assert(stmt) -> Stmts:
    if not __debug__:
        return quote("pass", stmt)
    call = "AssertionError(message)" if stmt.msg else "AssertionError()"
    return quote(f"if not test: raise {call}", stmt, test=stmt.test, message=stmt.msg)


def _stored(targets) -> set[str]:
    return {n.id for t in targets for n in nodes(t) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}


def _before_continue(stmts: Stmts, extra: Stmts) -> Stmts:
    """`extra` before each `continue` of this loop, those of loops inside it apart."""
    made = []
    for stmt in stmts:
        match stmt:
            case gast.Continue():
                made += copied(extra)
            case gast.For() | gast.While():
                stmt.orelse = _before_continue(stmt.orelse, extra)
            case _:
                map_blocks(stmt, lambda block: _before_continue(block, extra))
        made.append(stmt)
    return made
