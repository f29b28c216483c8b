"""The builder that passes write core with."""
from __future__ import annotations

import functools
import operator
import re
from typing import Any, Iterable

from ..errors.messages import UnsupportedError
from .terms import Atom, Block, Const, Fun, Let, Op, Stmt
from .types import PY_INT, Dim, Type, type_of_number
from .walking import all_bound, rename, walk

POLYNOMIAL = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Meanwhile:
    """An attribute has another value inside `with`, which gives that value."""

    __slots__ = ("owner", "name", "value")

    def __init__(self, owner, name: str, value):
        self.owner, self.name, self.value = owner, name, value

    def __enter__(self):
        inside, self.value = self.value, getattr(self.owner, self.name)
        setattr(self.owner, self.name, inside)
        return inside

    def __exit__(self, *_):
        setattr(self.owner, self.name, self.value)


class OnTop:
    """An item is the last of a list inside `with`, which gives the item."""

    __slots__ = ("stack", "item")

    def __init__(self, stack: list, item):
        self.stack, self.item = stack, item

    def __enter__(self):
        self.stack.append(self.item)
        return self.item

    def __exit__(self, *_):
        self.stack.pop()


MODULES = ("np", "rt")  # what the text of core calls
UNNAMED = re.compile(r"(t(?:__\d+)?)((?:_(?:bar|dot|tape)(?:__\d+)?)*)$")  # what the user gave no name, and its role


class Builder:
    """Appends statements to a block, with fresh names and inferred types."""

    def __init__(self, types: dict[str, Type] | None = None, like: "Fun | None" = None):
        self.types: dict[str, Type] = dict(like.types) if like else ({} if types is None else types)
        self.stmts: list[Stmt] = []
        self.origin: Any = None
        self.real_only: str | None = None  # what is being written, where it is not for complex numbers
        self.polynomials: dict[str, Dim] = {}  # of integers that are sums and products of others
        self.note_polynomials(walk(like.body) if like else ())

    # names -------------------------------------------------------------------------------
    @functools.cached_property
    def used(self) -> dict[str, int]:
        """The highest number that each hint has."""
        used: dict[str, int] = {}
        for name in self.types:
            hint, number = split_name(name)
            used[hint] = max(used.get(hint, -1), number)
        return used

    def fresh(self, hint: str, type: Type | None = None) -> str:
        """A name that nothing has: the hint itself if free, else the hint and a number."""
        hint = split_name(hint)[0]
        number = self.used[hint] = self.used.get(hint, 0 if hint in MODULES else -1) + 1
        name = join_name(hint, number)
        if type is not None:
            self.types[name] = type
        return name

    def type(self, atom: Atom) -> Type:
        return type_of_number(atom.value) if isinstance(atom, Const) else self.types[atom]

    def dim(self, atom: Atom) -> Dim:
        """The polynomial that an integer atom stands for."""
        if isinstance(atom, Const):
            if int(atom.value) != atom.value:
                raise TypeError(f"{atom.value} is no length")
            return Dim.of(int(atom.value))
        return self.polynomials.get(atom) or Dim.of(atom)

    def note_polynomials(self, stmts: Iterable["Stmt"]) -> None:
        for stmt in stmts:
            if type(stmt) is Let and stmt.op.symbol in POLYNOMIAL:
                self._note_polynomial(stmt)

    def _note_polynomial(self, let: "Let") -> None:
        (name,) = let.names
        if self.types[name].kind == "py" and self.types[name] == PY_INT:
            of = POLYNOMIAL[let.op.symbol] if len(let.args) == 2 else operator.neg
            self.polynomials[name] = of(*map(self.dim, let.args))

    # statements --------------------------------------------------------------------------
    def emit(self, op: Op, *args: Atom, hint: str = "t", **params) -> Any:
        """Append `hint = op(*args, **params)`; the atom (or tuple of atoms) it binds."""
        types = op.infer(self, args, params)
        if (not op.complex or self.real_only) and any([t.dtype.kind == "c" for t in (*types, *map(self.type, args))]):
            raise UnsupportedError(self.origin, f"{self.real_only or op.name.strip()} of complex numbers",
                                   instead="Compute with the real and the imaginary part: z.real, z.imag.")
        names = tuple([self.fresh(hint, t) for t in types])
        self.append(Let(names, op, tuple(args), tuple(params.items()), self.origin))
        return names[0] if len(names) == 1 else names

    def append(self, stmt: Stmt) -> None:
        """Append a statement whose names have types already."""
        if type(stmt) is Let and stmt.op.symbol in POLYNOMIAL:
            self._note_polynomial(stmt)
        self.stmts.append(stmt)

    def block(self) -> Meanwhile:
        """Collects what is emitted inside into a list of its own."""
        return Meanwhile(self, "stmts", [])

    def at(self, origin) -> Meanwhile:
        return Meanwhile(self, "origin", origin)

    def fun(self, name, params, results, writes=None, origin=None) -> Fun:
        return Fun(name, tuple(params), Block(tuple(self.stmts), tuple(results)), self.types,
                   dict(writes or {}), origin)


def split_name(name: str) -> tuple[str, int]:
    """("s", 3) for "s__3"; names are a hint, and a number where the hint is taken."""
    if "__" not in name:
        return name, 0
    hint, sep, number = name.rpartition("__")
    return (hint, int(number)) if sep and hint and number.isdigit() else (name, 0)


def whose(name: str) -> str:
    """Of what an adjoint, a tangent or a tape says that it is: x of x__3, but t__3, since each `t` is another value."""
    hint = split_name(name)[0]
    return name if hint == "t" else hint


def join_name(hint: str, number: int) -> str:
    return f"{hint}__{number}" if number else hint


def users_word(word) -> str:
    """The hint for a variable of the user's: where values without a name are called so, another; for what is none `t`.
    """
    if not isinstance(word, str):
        return "t"
    return f"_gs_{word}" if UNNAMED.match(word) else word


def has_owner(name: str) -> bool:
    """Is it the adjoint, the tangent or the tape of a value without a name?"""
    found = UNNAMED.match(name)
    return found is not None and found[2] != ""


def of_renamed(name: str, mapping: dict[str, Atom]) -> str:
    """t__3_bar is the adjoint of t__3, and stays so where that gets another number."""
    found = UNNAMED.match(name)
    owner = mapping.get(found[1]) if found and found[2] else None
    return f"{owner}{found[2]}" if isinstance(owner, str) else name


def inline(b: Builder, fun: Fun, args: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Append the body of `fun` to the builder with fresh names; its results as atoms there."""
    mapping: dict[str, Atom] = dict(zip(fun.params, args))
    for name in sorted(all_bound(fun.body), key=has_owner):
        mapping[name] = b.fresh(of_renamed(name, mapping))
    dims = {n: b.dim(a) for n, a in mapping.items() if fun.types[n].kind == "py" and fun.types[n].dtype.kind == "i"}
    for name, atom in mapping.items():
        if name not in fun.params:
            b.types[atom] = fun.types[name].substitute(dims)
    body = rename(fun.body, mapping, dims)
    for stmt in body.stmts:
        b.append(stmt)
    return body.results
