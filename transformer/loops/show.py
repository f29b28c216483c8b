"""Loop core as Python: a syntax tree, and its text, as it stands where arrays are NumPy's."""
from __future__ import annotations

import ast

import numpy as np

from .core import (BOOL, COMPARISONS, F8, I8, ONE, ZERO, Alloc, Assign, Assigns, Binary, Call, Cast, Check, Choose, Copy, Do, Expr, Field, Function, If, Length,
                   Load, Loop, Name, Num, Span, Stmt, Store, Tuple, Unary, View, While)

LOAD, STORE = ast.Load(), ast.Store()
SYMBOLS = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "//": ast.FloorDiv(), "%": ast.Mod(), "**": ast.Pow(), "<<": ast.LShift(),
           ">>": ast.RShift(), "&": ast.BitAnd(), "|": ast.BitOr(), "^": ast.BitXor(), "and": ast.And(), "or": ast.Or(),
           "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}


def show(node: Function | Expr) -> str:
    """The text of a function, or of an expression."""
    return ast.unparse(ast.fix_missing_locations(function(node) if isinstance(node, Function) else tree(node))).strip()


def function(f: Function) -> ast.FunctionDef:
    body = block(f.body)
    if f.results is not None:
        body = [s for s in body if not isinstance(s, ast.Pass)] + [ast.Return(tree(Tuple(f.results)))]
    params = ast.arguments(posonlyargs=[], args=[ast.arg(p.id) for p in f.params], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.FunctionDef(f.name, params, body, [])


def block(stmts) -> list[ast.stmt]:
    return [spelled(s) for s in stmts] or [ast.Pass()]


# expressions ------------------------------------------------------------------------------------------
def tree(e: Expr | Span | None) -> ast.expr:
    match e:
        case Name():
            return ast.Name(e.id, LOAD)
        case Num():
            return literal(e.value) if e.dtype in (BOOL, I8, F8) else called(f"np.{e.dtype.name}", literal(e.value))
        case Load():
            return ast.Subscript(tree(e.array), index(e.index), LOAD)
        case Binary() if e.symbol in COMPARISONS:
            return ast.Compare(tree(e.x), [SYMBOLS[e.symbol]], [tree(e.y)])
        case Binary(symbol="and" | "or"):
            return ast.BoolOp(SYMBOLS[e.symbol], [tree(e.x), tree(e.y)])
        case Binary():
            return ast.BinOp(tree(e.x), SYMBOLS[e.symbol], tree(e.y))
        case Call():
            return called(e.function, *map(tree, e.args))
        case Unary():
            return ast.UnaryOp(ast.USub() if e.symbol == "-" else ast.Not(), tree(e.x))
        case Choose():
            return ast.IfExp(tree(e.test), tree(e.x), tree(e.y))
        case Cast():
            return called(dtype_name(e.dtype), tree(e.x))
        case Length():
            return ast.Subscript(ast.Attribute(tree(e.array), "shape", LOAD), ast.Constant(e.axis), LOAD)
        case View():
            return ast.Subscript(tree(e.array), index(e.index) if e.index else ast.Constant(...), LOAD)
        case Span():
            return ast.Slice(*(None if bound is None else tree(bound) for bound in (e.start, e.stop, e.step)))
        case Field():
            return ast.Attribute(tree(e.array), e.name, LOAD)
        case Tuple():
            return ast.Tuple([tree(p) for p in e.parts], LOAD)
        case None:
            return ast.Constant(None)
    raise TypeError(e)


def index(entries) -> ast.expr:
    return tree(entries[0]) if len(entries) == 1 else ast.Tuple([tree(i) for i in entries], LOAD)


def literal(value) -> ast.expr:
    if value != value:
        return dotted("np.nan")
    if not isinstance(value, bool) and (value < 0 or value == 0 and str(value)[0] == "-"):
        return ast.UnaryOp(ast.USub(), literal(-value))
    return dotted("np.inf") if value == np.inf else ast.Constant(value)


def dotted(name: str) -> ast.expr:
    first, *rest = name.split(".")
    out: ast.expr = ast.Name(first, LOAD)
    for part in rest:
        out = ast.Attribute(out, part, LOAD)
    return out


def called(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(dotted(name), list(args), [])


def dtype_name(dtype: np.dtype) -> str:
    return "np.bool_" if dtype == BOOL else f"np.{dtype.name}"


# statements -------------------------------------------------------------------------------------------
def spelled(s: Stmt) -> ast.stmt:
    match s:
        case Assign():
            return assigned(s.name, tree(s.value))
        case Assigns():
            values = [tree(v) for v in s.values]
            return ast.Assign([ast.Tuple([stored(n) for n in s.names], STORE)], values[0] if len(values) == 1 else ast.Tuple(values, LOAD))
        case Alloc():
            make = "rm.zeros" if s.zeroed else "rm.buffer" if s.early else "rm.empty"
            return assigned(s.name, called(make, tree(Tuple(s.shape)), dotted(dtype_name(s.name.dtype))))
        case Copy():
            return assigned(s.name, called("rm.copy", tree(s.source)))
        case Loop():
            bounds = [s.stop] if s.start == ZERO and s.step == ONE else [s.start, s.stop] + [s.step] * (s.step != ONE)
            return ast.For(stored(s.index), called("range", *map(tree, bounds)), block(s.body), [])
        case While():
            return ast.While(tree(s.test), block(s.body), [])
        case If():
            return ast.If(tree(s.test), block(s.then), block(s.orelse) if s.orelse else [])
        case Store():
            target, value = ast.Subscript(tree(s.array), index(s.index), STORE), tree(s.value)
            return ast.AugAssign(target, ast.Add(), value) if s.add else ast.Assign([target], value)
        case Check():
            numbers = [Tuple(s.numbers)] if s.several else [*s.numbers, ZERO, ZERO][:2]
            return ast.Expr(called("rs.check_all" if s.several else "rs.check", *map(tree, (s.condition, Num(s.site, I8), *numbers))))
        case Do():
            return ast.Expr(tree(s.call))
    raise TypeError(s)


def stored(name: Name) -> ast.Name:
    return ast.Name(name.id, STORE)


def assigned(name: Name, value: ast.expr) -> ast.Assign:
    return ast.Assign([stored(name)], value)
