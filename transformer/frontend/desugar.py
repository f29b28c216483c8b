"""Desugar: fewer kinds of statement for the specialiser.  Purely syntactic; new nodes stand where the old ones stood.

    a = b = f(x)                    a = f(x)
                                    b = a
    y: float = x                    y = x
    assert ok, "no"                 if not ok: raise AssertionError("no")
    with a, b: f(x)                 with a:
                                        with b: f(x)
    match x:                        _gs_subject_1 = x
        case (0, y): f(y)           if Case(_gs_subject_1, (0, y)): y = _gs_subject_1_y; f(y)

Kept as they are: :=, augmented assignment (it may store), unpacking, `with`, comprehensions, chained comparison, `else`
of loops (see `exits`), and nested functions, which are desugared when they are called.
"""
from __future__ import annotations

from typing import Callable

import gast

from ..errors.messages import Problems, UnsupportedError
from .trees import Stmts, copied, expression, inner_blocks, map_blocks, nodes, quote


def inserts_code(stmt) -> bool:
    """Is it a `with` statement of gs.insert_grad_of?"""
    match stmt:
        case gast.With(items=[gast.withitem(context_expr=gast.Call(func=gast.Name(id="insert_grad_of")
                | gast.Attribute(attr="insert_grad_of"), keywords=[]))]):
            return True
    return False


class Case(gast.expr):
    """Does the pattern of a case fit the subject?  `guarded`: what it captures is read before its block begins."""

    _fields = "subject", "pattern"

    def __init__(self, subject, pattern, guarded: bool):
        self.subject, self.pattern, self.guarded = subject, pattern, guarded


def captures(pattern) -> list[str]:
    """The names that a pattern gives."""
    names = [getattr(n, "rest" if isinstance(n, gast.MatchMapping) else "name", None) for n in nodes(pattern)
             if isinstance(n, (gast.MatchAs, gast.MatchStar, gast.MatchMapping))]
    return list(dict.fromkeys(filter(None, names)))


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

    def refuse(self, node, message, instead):
        self.problems.add(UnsupportedError(self.origin_of(node), message, instead=instead))

    def look_through(self, tree):
        """Refuse names that are reserved."""
        for node in nodes(tree):
            if isinstance(node, gast.Name) and node.id.startswith("_gs_"):
                self.refuse(node, f"the name {node.id} is reserved: Gradscribe makes names that start with _gs_",
                            "Rename it.")

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
                return self.stmt(gast.copy_location(gast.Assign(targets=[target], value=value, type_comment=None),
                                                    stmt))
            case gast.With() if inserts_code(stmt):
                return self.inserted(stmt)
            case gast.With(items=[_, _, *_]):
                return self.stmt(_nested(stmt))
            case gast.Match():
                return self.matched(stmt)
            case gast.Assign(targets=[_, _, *_]):
                return self.chained(stmt)
        return [map_blocks(stmt, self.block)]

    def inserted(self, stmt) -> Stmts:
        """`with gs.insert_grad_of(x) as dx: ...` becomes a function of dx, and x = gs.insert_grad_of(x,
        that function)."""
        item = stmt.items[0]
        match item.context_expr.args, item.optional_vars:
            case [gast.Name(id=x)], (gast.Name() | None) as target:
                pass
            case _:
                self.refuse(item.context_expr, "gs.insert_grad_of of more than a variable",
                            "Write: with gs.insert_grad_of(x) as dx: ...")
                return quote("pass", stmt)
        for node in leaves_block(stmt.body):
            self.refuse(node, f"a {type(node).__name__.lower()} out of a block of gs.insert_grad_of",
                        "Let the block end by itself: it runs in the backward pass.")
        self.temporaries += 1
        dx, name = (target.id if target is not None else f"_gs_adjoint_{self.temporaries}",
                    f"_gs_backward_{self.temporaries}")
        return quote(f"def {name}({dx}):\n    rest\n    return {dx}\n{x} = hook({x}, {name})", stmt, rest=stmt.body,
                     hook=item.context_expr.func)

    def matched(self, stmt) -> Stmts:
        """A chain of branches; what a pattern captures is assigned where it is known to fit."""
        self.temporaries += 1
        subject, chain = f"_gs_subject_{self.temporaries}", []
        for case in reversed(stmt.cases):
            pattern, names = case.pattern, captures(case.pattern)
            kept = [new for n in names for new in quote("name = kept", pattern, name=n, kept=f"{subject}_{n}")]
            body = self.block([*(kept if case.guard is None else []), *case.body])
            match pattern, case.guard:
                case gast.MatchAs(pattern=None, name=name), None:
                    bound = quote("name = subject", pattern, name=name, subject=subject) if name else []
                    chain = [*bound, *self.block(case.body)]
                    continue
            test = gast.copy_location(Case(expression("subject", pattern, subject=subject), pattern,
                                           case.guard is not None), pattern)
            if case.guard is not None:
                test = gast.copy_location(gast.BoolOp(gast.And(), [test, case.guard]), case.guard)
            chain = [gast.copy_location(gast.If(test, body, chain), pattern)]
        return [*quote("subject = value", stmt, subject=subject, value=stmt.subject), *chain]

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


def _assign(target, value, like) -> Stmts:
    return [gast.copy_location(gast.Assign(targets=[target], value=value, type_comment=None), like)]


def _nested(stmt) -> gast.With:
    """The first of several contexts, with the others inside of it."""
    first, *others = stmt.items
    inner = gast.copy_location(gast.With(others, stmt.body, None), others[0].context_expr)
    return gast.copy_location(gast.With([first], [inner], None), stmt)


def _assert(stmt) -> Stmts:
    if not __debug__:
        return quote("pass", stmt)
    call = "AssertionError(message)" if stmt.msg else "AssertionError()"
    return quote(f"if not test: raise {call}", stmt, test=stmt.test, message=stmt.msg)


def _stored(targets) -> set[str]:
    return {n.id for t in targets for n in nodes(t) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
