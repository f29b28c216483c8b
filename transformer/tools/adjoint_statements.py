"""Which statements of generated source store to the adjoint, or the tangent, of a variable: by their names.

    x_bar = y * g                 of x, as are x_bar2, x_bar_dot, and in forward mode x_dot
    W_bar = np.outer(g, h)        of p, where W = p["W"] and nothing is called p_bar
    return value, y_bar           of x, where the gradient with respect to x is that of y
"""
from __future__ import annotations

import ast
import re

import gast

from ..errors.messages import GradscribeError, Origin
from ..frontend.capture import Captured
from ..readable import Source
from .recording import Statement, base_name, statements

ROLES = r"((?:_bar|_dot)+)\d*"


def adjoint_statements(name: str, owner, source: Source, main: Captured) -> tuple[list[tuple[Statement, str]], str]:
    """([(statement, the variable or item of one, as the user writes it), ...], what is to be said of them)."""
    found, users = all_statements(source), users_names(main)
    known = users.union(*map(stems_of, found))
    if name not in known:
        raise GradscribeError(None, f"no variable {name!r} in {main.name}",
                              instead=f"Ask for one of these: {', '.join(sorted(known))}.")
    own = [(s, name) for s in found
           if any(belongs(n, name, users, source.line_map.get(s.line)) for n in names_stored_by(s))]
    own = own or with_items(name, found)
    if own or (value := returned_for(name, owner, main, found)) is None:
        return own, ""
    same = [(s, name) for s in found if isinstance(value, ast.Name) and value.id in names_stored_by(s)]
    return same, f"The source returns this for {name}: {ast.unparse(value)}"


def with_items(name: str, found: list[Statement]) -> list[tuple[Statement, str]]:
    """The statements that store to the adjoints of what a container consists of."""
    items = container_items(name, found)
    return [(s, items[stem]) for s in found for stem in sorted(stems_of(s) & items.keys())[:1]]


def stems_of(statement: Statement) -> set[str]:
    """x of x_bar, which may be a variable of a function that the user's calls."""
    return {match[1] for n in names_stored_by(statement) if (match := re.fullmatch("(.+?)" + ROLES, n))}


def all_statements(source: Source) -> list[Statement]:
    """The statements, in the order of the text, without definitions, whose parameters their callers give."""
    unique = {s.line: s for s in statements(source.located).values()}
    return [unique[line] for line in sorted(unique) if not isinstance(unique[line].node, ast.FunctionDef)]


def names_stored_by(statement: Statement) -> tuple[str, ...]:
    """What a statement binds or stores into, by np.add.at(x_bar, i, v), too."""
    match statement.node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="at"), args=[target, *_])):
            return base_name(target),
    return statement.binds


def users_names(main: Captured) -> set[str]:
    """The variables of the user's function."""
    return {n.id for n in gast.walk(main.node) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}


def belongs(stored: str, name: str, users: set[str], origin: Origin | None) -> bool:
    """Is it the name of an adjoint or a tangent of this variable, and of no other?"""
    if stored in users and not (origin and origin.derivative):
        return False  # the user calls a variable so
    roles = {u: found[1] for u in (*users, name) if (found := re.fullmatch(re.escape(u) + ROLES, stored))}
    if len(roles) > 1 and origin:  # x_bar_dot, where the user has both x and x_bar
        roles = {u: role for u, role in roles.items() if ("_bar" in role) == origin.adjoint}
    return name == max(roles, key=len, default=None)


def returned_for(name: str, owner, main: Captured, found: list[Statement]) -> ast.expr | None:
    """What the source returns as the gradient with respect to an argument, which may be the adjoint of another variable
    that has the same; None where that cannot be told."""
    while getattr(owner, "title", "") in ("jit", "vmap"):
        owner = owner.__wrapped__
    returned = [s.node.value for s in found if isinstance(s.node, ast.Return)][-1:]
    if (getattr(owner, "title", "") not in ("grad", "value_and_grad", "jacrev") or hasattr(owner.__wrapped__, "title")
            or owner._options.get("has_aux") or not returned):
        return None
    value, argnums = returned[0], owner._options["argnums"]
    if owner.title == "value_and_grad":
        value = value.elts[1] if isinstance(value, ast.Tuple) and len(value.elts) == 2 else None
    parameters = [a.id for a in main.node.args.args][len(main.bound):]
    return gradient_in(value, argnums, parameters, name)


def gradient_in(value: ast.expr | None, argnums, parameters: list[str], name: str) -> ast.expr | None:
    """The part of a result, as `argnums` has it, that is for this parameter."""
    match value, argnums:
        case ast.expr(), int() if parameters[argnums:argnums + 1] == [name]:
            return value
        case ast.Tuple(elts=elts), tuple() if len(elts) == len(argnums):
            return next((x for k, x in zip(argnums, elts) if parameters[k:k + 1] == [name]), None)
    return None


def container_items(name: str, found: list[Statement]) -> dict[str, str]:
    """What the items of a container are called: {"W": "p['W']", ...} for W, b = p["W"], p["b"]."""
    items = {}
    for statement in found:
        match statement.node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = [*zip(targets, values)]
            case ast.Assign(targets=[target], value=value):
                pairs = [(target, value)]
            case _:
                continue
        items |= {t.id: ast.unparse(x) for t, x in pairs
                  if isinstance(t, ast.Name) and is_item(x) and base_name(x) == name}
    return items


def is_item(node: ast.expr) -> bool:
    """p["W"], p[0][1] or p.W?"""
    match node:
        case ast.Subscript(slice=ast.Constant()) | ast.Attribute():
            return True
    return False


def stores_zero(node: ast.stmt) -> bool:
    """x_bar = 0.0, or np.zeros_like(x)?"""
    match node:
        case ast.Assign(value=ast.Constant(value=0 | 0.0)):
            return True
        case ast.Assign(value=ast.Call(func=ast.Attribute(attr="zeros" | "zeros_like"))):
            return True
        case ast.Assign(value=ast.Call(args=[ast.Constant(value=0 | 0.0)])):
            return True  # np.float64(0.0)
    return False
