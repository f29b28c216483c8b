"""What statements of loop core read and bind, and loop core with other parts."""
from __future__ import annotations

from dataclasses import replace
from typing import Callable, Iterator

from .core import (Alloc, Assign, Assigns, Binary, Call, Cast, Check, Choose, Copy, Do, Expr, Field, If, Length, Load,
                   Loop, Name, Num, Span, Stmt, Store, Tuple, Unary, View, While)

# of a statement: what it binds, reads, and has as blocks; of an expression: what it reads
FORM = {kind: tuple(tuple(part.split()) for part in form) for kind, form in {
    Assign: ("name", "value", ""), Assigns: ("names", "values", ""), Alloc: ("name", "shape", ""),
    Copy: ("name", "source", ""), Loop: ("index", "start stop step", "body"), While: ("", "test", "body"),
    If: ("", "test", "then orelse"), Store: ("", "array index value", ""), Check: ("", "condition numbers", ""),
    Do: ("", "call", ""), Num: ("", "", ""), Name: ("", "", ""), Load: ("", "array index", ""), Unary: ("", "x", ""),
    Binary: ("", "x y", ""), Choose: ("", "test x y", ""), Cast: ("", "x", ""), Call: ("", "args", ""),
    Length: ("", "array", ""), Span: ("", "start stop step", ""), View: ("", "array index", ""),
    Field: ("", "array", ""),
    Tuple: ("", "parts", "")}.items()}


def child_lists(node, names: tuple[str, ...]) -> list:
    out: list = []
    for name in names:
        value = getattr(node, name)
        if type(value) is tuple:
            out += [v for v in value if v is not None]
        elif value is not None:
            out.append(value)
    return out


def bound_by(stmt: Stmt) -> list[Name]:
    """The names that a statement itself binds."""
    return child_lists(stmt, FORM[type(stmt)][0])


def reads(node) -> list[Expr]:
    """The expressions of which a statement or an expression is made, in their order, without those in blocks."""
    return child_lists(node, FORM[type(node)][1])


def blocks(stmt: Stmt) -> list[tuple[Stmt, ...]]:
    return [getattr(stmt, name) for name in FORM[type(stmt)][2]]


def mapped(node, change: Callable, block: Callable = lambda stmts: stmts):
    """The node with `change` of each expression directly in it, and `block` of each of its blocks."""
    _, own, inner = FORM[type(node)]
    new = {name: block(getattr(node, name)) for name in inner}
    for name in own:
        value = getattr(node, name)
        if type(value) is tuple:
            new[name] = tuple([v if v is None else change(v) for v in value])
        elif value is not None:
            new[name] = change(value)
    return replace(node, **new) if any(new[name] is not getattr(node, name) for name in new) else node


def names_in(e) -> tuple[Name, ...]:
    """The names that an expression reads, in their order; it keeps them."""
    found = e.__dict__.get("names")
    if found is None:
        found = (e,) if type(e) is Name else tuple([n for part in reads(e) for n in names_in(part)])
        e.__dict__["names"] = found
    return found


def expression_size(e) -> int:
    """How many numbers, names and operations an expression has."""
    return 1 + sum(map(expression_size, reads(e)))


def names_read(stmt: Stmt) -> Iterator[Name]:
    """The names that a statement, and what is in it, reads, in their order."""
    for e in reads(stmt):
        yield from names_in(e)
    for block in blocks(stmt):
        for inner in block:
            yield from names_read(inner)


def names_mentioned(stmt: Stmt) -> set[str]:
    """The names that a statement, and what is in it, reads or binds."""
    return {n.id for n in names_read(stmt)} | names_bound([stmt])


def names_bound(stmts) -> set[str]:
    """All names that statements and what is in them bind."""
    found: set[str] = set()
    for stmt in stmts:
        found.update(n.id for n in bound_by(stmt))
        for block in blocks(stmt):
            found |= names_bound(block)
    return found
