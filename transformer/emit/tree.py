"""The tree that emit works on: statements of Python whose expressions nest, and names that are bound again.

    core, after inplace                       tree
    s__1 = 0.0                                Assign s__1 = 0.0
    for i in range(0, n, 1):                  For i in range(0, n, 1):
        t = x[i]                                  Assign t = getitem(x, i)
        s__2 = s__1 + t                           Assign s__2 = add(s__1, t)
        s__1 = s__2                               Assign s__1 = s__2

Blocks are lists and statements may be changed in place: the tree lives only in `readable`.
"""
from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Any, Iterator, Union

from .. import core
from ..core import Const, Op
from .hints import hint_of


@dataclass(frozen=True)
class Call:
    """An operation with nested arguments; `name` is the name that core had for its result."""

    name: str
    op: Op
    args: tuple["Expr", ...]
    params: tuple = ()

    def param(self, key, default=None):
        return dict(self.params).get(key, default)

    @functools.cached_property
    def names(self) -> list[str]:
        """The names that it reads, with repetitions, in order."""
        return [n for a in self.args for n in names_of(a)]

    @functools.cached_property
    def effect(self) -> bool:
        """Has it, or an operation in it, an effect?"""
        return self.op.effect or any([a.effect for a in self.args if isinstance(a, Call)])


Expr = Union[str, Const, Call]


@dataclass
class Assign:
    """targets = values: one value each, or several targets of one call."""

    targets: tuple[str, ...]
    values: tuple[Expr, ...]
    origin: Any = None


@dataclass
class Store:
    target: str
    index: tuple[str, ...]
    atoms: tuple[Expr, ...]
    value: Expr
    add: bool = False
    origin: Any = None


@dataclass
class Effect:
    call: Call
    origin: Any = None


@dataclass
class For:
    index: str
    bounds: tuple[Expr, Expr, Expr]
    body: list["Stmt"]
    origin: Any = None


@dataclass
class While:
    test: Expr
    body: list["Stmt"]
    origin: Any = None


@dataclass
class If:
    test: Expr
    then: list["Stmt"]
    orelse: list["Stmt"]
    origin: Any = None


@dataclass
class Break:
    origin: Any = None


@dataclass
class Return:
    values: tuple[Expr, ...]
    origin: Any = None


AND, OR = Op("and", None, symbol="and"), Op("or", None, symbol="or")  # of Python: the second operand only if need be

Stmt = Union[Assign, Store, Effect, For, While, If, Break, Return]


@dataclass
class Tree:
    name: str
    params: tuple[str, ...]
    body: list[Stmt]
    types: dict
    hints: dict[str, str] = field(default_factory=dict)  # where they are not those of the names themselves

    words: dict[str, str] = field(default_factory=dict)  # parts of names, and what the user calls them
    places: dict[str, Any] = field(default_factory=dict)  # where the user computes what a name of core is
    risky: frozenset[str] = frozenset()  # names of core whose computation may raise, and must even if nobody reads them

    def hint(self, name: str) -> str:
        if name in self.hints:
            return self.hints[name]
        for part, word in self.words.items():
            name = re.sub(rf"{part}(?!\d)", word, name)
        return hint_of(name)


# reading and walking -----------------------------------------------------------------------------
def names_of(expr: Expr) -> list[str]:
    """The names an expression reads, with repetitions, in order."""
    return [expr] if isinstance(expr, str) else expr.names if isinstance(expr, Call) else []


def calls_of(expr: Expr) -> list[Call]:
    """The operations of an expression, inner before outer."""
    return [*(c for a in expr.args if isinstance(a, Call) for c in calls_of(a)), expr] if isinstance(expr, Call) else []


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement that are evaluated once, when it is reached."""
    match stmt:
        case Assign() | Return():
            return stmt.values
        case Store():
            return (stmt.target, *stmt.atoms, stmt.value)
        case Effect():
            return (stmt.call,)
        case For():
            return stmt.bounds
        case If():
            return (stmt.test,)
    return ()


def set_expressions(stmt: Stmt, new: tuple[Expr, ...]) -> None:
    match stmt:
        case Assign() | Return():
            stmt.values = new
        case Store():
            target, *atoms, stmt.value = new
            stmt.atoms = tuple(atoms)
        case Effect():
            (stmt.call,) = new
        case For():
            stmt.bounds = new
        case If():
            (stmt.test,) = new


def blocks(stmt: Stmt) -> tuple[list[Stmt], ...]:
    match stmt:
        case For() | While():
            return (stmt.body,)
        case If():
            return (stmt.then, stmt.orelse)
    return ()


def walk(block: list[Stmt]) -> Iterator[Stmt]:
    for stmt in block:
        yield stmt
        if isinstance(stmt, (For, While, If)):
            for inner in blocks(stmt):
                yield from walk(inner)


def all_expressions(stmt: Stmt) -> tuple[Expr, ...]:
    return (*expressions(stmt), *((stmt.test,) if isinstance(stmt, While) else ()))


def bound_by(stmt: Stmt) -> tuple[str, ...]:
    """The names that a statement itself binds."""
    match stmt:
        case Assign():
            return stmt.targets
        case For():
            return (stmt.index,)
    return ()


def map_expr(expr: Expr, of_name) -> Expr:
    """The expression with each name replaced by `of_name(name)`."""
    match expr:
        case str():
            return of_name(expr)
        case Call():
            return Call(expr.name, expr.op, tuple([map_expr(a, of_name) for a in expr.args]), expr.params)
    return expr


def map_tree(block: list[Stmt], of_name) -> None:
    """Replace the names that are read, everywhere in a block; targets of stores too, by names only."""
    for stmt in walk(block):
        set_expressions(stmt, tuple(map_expr(e, of_name) for e in expressions(stmt)))
        if isinstance(stmt, While):
            stmt.test = map_expr(stmt.test, of_name)
        if isinstance(stmt, Store) and isinstance(of_name(stmt.target), str):
            stmt.target = of_name(stmt.target)


# from core ---------------------------------------------------------------------------------------
def copies(names, atoms, origin) -> list[Stmt]:
    """One parallel assignment, without what is there already."""
    pairs = [(n, a) for n, a in zip(names, atoms) if n != a]
    return [Assign(tuple(n for n, _ in pairs), tuple(a for _, a in pairs), origin)] if pairs else []


def simple(stmt: core.Let | core.Store) -> Stmt:
    """The tree of a statement without blocks."""
    match stmt:
        case core.Store():
            return Store(stmt.target, stmt.index, stmt.atoms, stmt.value, stmt.add, stmt.origin)
        case core.Let(names=()):
            return Effect(Call("", stmt.op, stmt.args, stmt.params), stmt.origin)
    return Assign(stmt.names, (Call(stmt.names[0], stmt.op, stmt.args, stmt.params),), stmt.origin)
