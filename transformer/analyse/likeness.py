"""Do two runs of statements do the same with other names, and lengths of other names?

    t = W @ x          t__1 = W__1 @ y
    y = np.tanh(t)     z = np.tanh(t__1)      # yes: {W: W__1, x: y, t: t__1, y: z}
"""
from __future__ import annotations

import itertools
from dataclasses import replace

from ..core import (Block, Builder, Const, For, If, Let, Stmt, Store, While, all_bound, blocks_of, bound, names_among,
                    operands)
from ..core.types import PY_INT, Dim, Type

NEAR = 6  # later places at which a run is looked for


def is_factor(atom) -> bool:
    """Is it a constant that may be another in a statement that is alike?"""
    return type(atom) is Const and type(atom.value) is float


def sketch(stmt, types, inner=()) -> tuple:
    """What statements that are alike have in common; most that are not differ in it.

    inner  of each block of it what its statements have
    """
    factors = isinstance(stmt, Let) and stmt.op.any_constant

    def kind(atom):
        if isinstance(atom, Const):
            return float if factors and is_factor(atom) else atom
        t = types[atom]
        return t.kind, t.dtype, tuple([d.constant for d in t.dims])

    own = (stmt.op, tuple([(k, without_dims(value)) for k, value in stmt.params])) if isinstance(stmt, Let) else ()
    return (type(stmt), origin_place(stmt.origin), own, tuple(map(kind, operands(stmt))),
            tuple(map(kind, bound(stmt))), *inner)


def mentioned_names(stmt: Stmt, types) -> list[str]:
    """The names that a statement itself reads, its blocks apart, and those that types of what it binds are made of."""
    return [*names_among(operands(stmt)),
            *[d for n in bound(stmt) for d in types[n].names],
            *[d for dim in dims_in(getattr(stmt, "params", ())) for d in dim.names],
            *[a for block in blocks_of(stmt) for a in names_among(block.results)]]


def dims_in(value) -> list[Dim]:
    if isinstance(value, Dim):
        return [value]
    return [d for part in value for d in dims_in(part)] if isinstance(value, tuple) else []


def without_dims(value):
    if isinstance(value, Dim):
        return value.constant
    return tuple(map(without_dims, value)) if isinstance(value, tuple) else value


def origin_place(origin):
    """Where in the user's text a statement comes from: an exception names it."""
    if origin is None or not hasattr(origin, "line"):
        return origin
    return origin.file, origin.line, origin.col, origin.end_line, origin.end_col, origin.adjoint, origin.tangent


class Likeness:
    """What each name of the first run is in the second.  A name that the first has from outside may be any atom in the
    second; two names of the first may be one there, and not the other way around: what holds of the first then holds of
    the second."""

    def __init__(self, b: Builder):
        self.b = b
        self.atoms: dict[str, str] = {}
        self.outside: list[str] = []  # names that the first run has from outside, in the order in which it reads them
        self.dims: dict[str, Dim] = {}  # of names of integers in types: what they are in the second
        self.inside: set[str] = set()  # what the second run has bound
        self.factors: list[tuple[Const, Const]] = []  # of both, in the order in which they stand in the runs
        self.depth, self.may_differ = 0, False

    def runs(self, first, second) -> bool:
        return len(first) == len(second) and all(map(self.stmt, first, second))

    def stmt(self, x, y) -> bool:
        self.may_differ = not self.depth and isinstance(x, Let) and x.op.any_constant
        if (type(x) is not type(y) or isinstance(x, Store) or origin_place(x.origin) != origin_place(y.origin)
                or not self.read(operands(x), operands(y))):
            return False
        match x:
            case Let():
                return x.op is y.op and self.static(x.params, y.params) and self.bind(x.names, y.names)
            case For() | While():
                return self.loop(x, y)
            case If():
                return self.block(x.then, y.then) and self.block(x.orelse, y.orelse) and self.bind(x.names, y.names)

    def loop(self, x: For | While, y: For | While) -> bool:
        own = ((x.index,), (y.index,)) if isinstance(x, For) else ((), ())
        return (self.bind(*own) and self.bind(x.carried, y.carried) and self.block(x.body, y.body)
                and (isinstance(x, For) or self.atoms[x.test] == y.test))

    def block(self, x: Block, y: Block) -> bool:
        self.depth, self.may_differ = self.depth + 1, False
        alike = self.runs(x.stmts, y.stmts) and self.read(x.results, y.results)
        self.depth -= 1
        return alike

    def read(self, xs, ys) -> bool:
        return len(xs) == len(ys) and all(map(self.atom, xs, ys))

    def atom(self, x, y) -> bool:
        if self.may_differ and is_factor(x) and is_factor(y):
            self.factors.append((x, y))
            return True
        if isinstance(x, Const) or isinstance(y, Const):
            return x == y
        if x in self.atoms:
            return self.atoms[x] == y
        if y in self.inside:
            return False
        self.outside.append(x)
        return self.name(x, y)

    def bind(self, xs, ys) -> bool:
        self.inside.update(ys)
        return len(xs) == len(ys) and all(map(self.name, xs, ys))

    def name(self, x: str, y: str) -> bool:
        self.atoms[x] = y
        s, t = self.b.type(x), self.b.type(y)
        return self.type(s, t) and (s != PY_INT or self.b.dim(x) != x
                                    or self.dims.setdefault(x, self.b.dim(y)) == self.b.dim(y))

    def type(self, s: Type, t: Type) -> bool:
        return (s.kind, s.dtype, s.rank) == (t.kind, t.dtype, t.rank) and all(map(self.dim, s.dims, t.dims))

    def static(self, x, y) -> bool:
        if isinstance(x, Dim) and isinstance(y, Dim):
            return self.dim(x, y)
        if isinstance(x, tuple) and isinstance(y, tuple):
            return len(x) == len(y) and all(map(self.static, x, y))
        return type(x) is type(y) and x == y

    def dim(self, d: Dim, e: Dim) -> bool:
        match d.terms:
            case (((name,), 1),):
                return e.constant is None and self.dims.setdefault(name, e) == e
        if d.constant is not None or e.constant is not None:
            return d == e
        unknown = sorted(d.names - self.dims.keys())
        if len(unknown) == 1 and ((unknown[0],), 1) in d.terms:  # of n + 3 and m + 3: n is m
            rest = d - Dim.of(unknown[0])
            if unknown[0] not in rest.names:
                self.dims[unknown[0]] = e - rest.substitute(self.dims)
        for name in d.names - self.dims.keys():
            self.dims[name] = Dim.of(name)
        return d.substitute(self.dims) == e


def names_bound(stmts) -> list[str]:
    """All that the statements and their blocks bind, in order."""
    return list(all_bound(Block(tuple(stmts))))


def with_factors(stmts, names: dict[int, str]) -> list:
    """Statements with names for some of the constants that may differ: {the number of one: its name}."""
    numbers = itertools.count()

    def one(atom):
        return names.get(next(numbers), atom) if is_factor(atom) else atom

    return [replace(s, args=tuple(map(one, s.args))) if isinstance(s, Let) and s.op.any_constant else s
            for s in stmts]


def repeats(keys: list, sizes: list[float], least: float, worth: float) -> list[tuple[list[int], int]]:
    """(starts, length) of runs of at least so much that occur several times, those first that save most."""
    places: dict = {}
    for k, key in enumerate(keys):
        places.setdefault(key, []).append(k)
    found: dict[tuple, tuple[int, list[int], int]] = {}
    for own in places.values():
        for i, j in [(i, j) for k, i in enumerate(own) for j in own[k + 1:k + 1 + NEAR]]:
            length = 0
            while i + length < j and j + length < len(keys) and keys[i + length] == keys[j + length]:
                length += 1
            size = sum(sizes[i:i + length])
            if size < least:
                continue
            starts = [i]
            for k in own:
                if k >= starts[-1] + length and keys[k:k + length] == keys[i:i + length]:
                    starts.append(k)
            saved = (len(starts) - 1) * size
            if saved >= worth:
                found.setdefault((starts[0], length), (saved, starts, length))
    return [(starts, length) for saved, starts, length in sorted(found.values(),
                                                                 key=lambda item: (-item[0], item[1][0]))]
