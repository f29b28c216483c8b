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
from typing import Any, Union

from ..core import VIEW, Const, Op
from .hints import hint_of, is_temporary


@dataclass(slots=True, unsafe_hash=True)  # as good as frozen, which takes three times as long to make
class Call:
    """An operation with nested arguments; `name` is the name that core had for its result."""

    name: str
    op: Op
    args: tuple["Expr", ...]
    params: tuple = ()
    names: list[str] = field(init=False, repr=False, compare=False)  # that it reads, with repetitions, in order
    effect: bool = field(init=False, repr=False, compare=False)  # has it, or an operation in it, an effect?

    def __post_init__(self):
        self.names = names_of_all(self.args)
        self.effect = self.op.effect or any([a.effect for a in self.args if type(a) is Call])

    def param(self, key, default=None):
        return dict(self.params).get(key, default)


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
    distinct: bool = False


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


class Unpack(Op):
    """a, b, c = it"""

    memory = VIEW

    def show(self, args, params):
        return args[0]


UNPACK = Unpack("", None)
AND, OR = Op("and", None, symbol="and"), Op("or", None, symbol="or")  # of Python: the second operand only if need be

Stmt = Union[Assign, Store, Effect, For, While, If, Break, Return]


@dataclass
class CodeTree:
    name: str
    params: tuple[str, ...]
    body: list[Stmt]
    types: dict
    hints: dict[str, str] = field(default_factory=dict)  # where they are not those of the names themselves

    words: dict[str, str] = field(default_factory=dict)  # parts of names, and what the user calls them
    places: dict[str, Any] = field(default_factory=dict)  # where the user computes what a name of core is
    risky: frozenset[str] = frozenset()  # names of core whose computation may raise, and must even if nobody reads them
    unnamed: dict[str, str] = field(default_factory=dict)  # what the user gave no name: its word, see `words`
    handed: dict[str, Any] = field(default_factory=dict)  # a parameter: (the tree of the function, its name there)
    inner: bool = False  # a function of ours: its parameters are not the user's, its results are for other functions

    def hint(self, name: str) -> str:
        if name in self.unnamed:
            return self.unnamed[name]
        if name in self.hints:
            return self.hints[name]
        for part, word in self.words.items():
            if part in name:
                name = re.sub(rf"{part}(?!\d)", word, name)
        return hint_of(name)

    def is_temporary(self, name: str) -> bool:
        """Has the user given it no name?"""
        return name in self.unnamed or is_temporary(self.hint(name))

    def blocks(self) -> list[list[Stmt]]:
        """Its body, and all blocks in it."""
        return [self.body, *[block for stmt in walk_tree(self.body) for block in blocks_of(stmt)]]


@functools.lru_cache(4096)
def own_width(op: Op, params: tuple, count: int) -> int:
    """How wide an operation is at most, without its operands."""
    return (len(op.show([""] * count, {key: value for key, value in params if value is not False}))
            + (0 if op.symbol else 2))


def width_without_names(expr: Expr) -> int:
    """How wide an expression is at most, without its names."""
    if type(expr) is not Call:
        return 0 if type(expr) is str else 2 + len(str(expr))
    inner = [a for a in expr.args if type(a) is not str]
    parentheses = 2 * sum([type(a) is Call and bool(a.op.symbol) for a in inner]) if expr.op.symbol else 0
    return own_width(expr.op, expr.params, len(expr.args)) + sum(map(width_without_names, inner)) + parentheses


# reading and walking -----------------------------------------------------------------------------
def names_of(expr: Expr) -> list[str]:
    """The names an expression reads, with repetitions, in order."""
    kind = type(expr)
    return expr.names if kind is Call else [expr] if kind is str else []


def names_of_all(exprs) -> list[str]:
    """The names that expressions read, with repetitions, in order."""
    found = []
    for expr in exprs:
        kind = type(expr)
        if kind is str:
            found.append(expr)
        elif kind is Call:
            found += expr.names
    return found


def calls_of(expr: Expr) -> list[Call]:
    """The operations of an expression, inner before outer."""
    if type(expr) is not Call:
        return []
    found = []
    for a in expr.args:
        if type(a) is Call:
            found += calls_of(a)
    found.append(expr)
    return found


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement that are evaluated once, when it is reached."""
    kind = type(stmt)
    if kind is Assign or kind is Return:
        return stmt.values
    if kind is Store:
        return (stmt.target, *stmt.atoms, stmt.value)
    if kind is Effect:
        return (stmt.call,)
    if kind is For:
        return stmt.bounds
    return (stmt.test,) if kind is If else ()


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


def blocks_of(stmt: Stmt) -> tuple[list[Stmt], ...]:
    kind = type(stmt)
    if kind is For or kind is While:
        return (stmt.body,)
    return (stmt.then, stmt.orelse) if kind is If else ()


def walk_tree(block: list[Stmt]) -> list[Stmt]:
    """All statements of a block, outer before inner, in order."""
    found = []
    for stmt in block:
        found.append(stmt)
        if type(stmt) is not Assign:
            for inner in blocks_of(stmt):
                found += walk_tree(inner)
    return found


def all_expressions(stmt: Stmt) -> tuple[Expr, ...]:
    return (stmt.test,) if type(stmt) is While else expressions(stmt)


def names_bound_by(stmt: Stmt) -> tuple[str, ...]:
    """The names that a statement itself binds."""
    kind = type(stmt)
    return stmt.targets if kind is Assign else (stmt.index,) if kind is For else ()


def replaced_names(expr: Expr, new: dict[str, Expr]) -> Expr:
    """The expression with some names replaced."""
    kind = type(expr)
    if kind is str:
        return new.get(expr, expr)
    if kind is not Call or new.keys().isdisjoint(expr.names):
        return expr
    return Call(expr.name, expr.op, tuple([replaced_names(a, new) for a in expr.args]), expr.params)


def replace_names(block: list[Stmt], new: dict[str, Expr]) -> None:
    """Replace some names where they are read, everywhere in a block; targets of stores too, by names only."""
    for stmt in walk_tree(block):
        if new.keys().isdisjoint(names_of_all(all_expressions(stmt))):
            continue
        set_expressions(stmt, tuple([replaced_names(e, new) for e in expressions(stmt)]))
        if isinstance(stmt, While):
            stmt.test = replaced_names(stmt.test, new)
        if isinstance(stmt, Store) and isinstance(new.get(stmt.target), str):
            stmt.target = new[stmt.target]


# from core ---------------------------------------------------------------------------------------
def copies(names, atoms, origin) -> list[Stmt]:
    """One parallel assignment, without what is there already."""
    pairs = [(n, a) for n, a in zip(names, atoms) if n != a]
    return [Assign(tuple(n for n, _ in pairs), tuple(a for _, a in pairs), origin)] if pairs else []
