"""Scalars that are copies of each other, under one name, so that a running value is seen to be one.

    for i in range(n):                             for i in range(n):
        if x[i] > 0.0:                                 if x[i] > 0.0:
            s__1 = s + x[i]                ->              s = s + x[i]
        else:
            s__1 = s
        s = s__1

Two names become one where neither is bound while the other is still wanted (G. Chaitin, Register allocation & spilling
via graph coloring, 1982, section 3).
"""
from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from .core import Assign, Expr, Function, If, Loop, Name, Stmt, While
from .facts import walk_loops
from .walking import bound_by, mapped, names_in, reads


def coalesced(f: Function, arrays) -> Function:
    """
    arrays  the names of arrays, which stay what they are
    """
    met = Meetings()
    met.before(f.body, {n.id for r in f.results or () for n in names_in(r)})
    bound = Counter(n.id for stmt in walk_loops(f.body) for n in bound_by(stmt))
    names, kept = Classes(met.found), {*arrays, *lasting_names(f)}
    for stmt in reversed([*walk_loops(f.body)]):  # what is handed on before what it is made of
        match stmt:
            case Assign(Name(a) as name, Name(b) as value) if (
                    name.dtype == value.dtype and name.dtype is not None and max(bound[a], bound[b]) > 1
                    and not {a, b} & kept):
                names.join(a, b)
    return replace(f, body=renamed_uses(f.body, names.name), results=f.results and tuple(
        [in_names(r, names.name) for r in f.results]), params=f.params) if names.first else f


def lasting_names(f: Function) -> set[str]:
    """Those of parameters and of the indices of loops, which stay what they are, too."""
    return {p.id for p in f.params} | {s.index.id for s in walk_loops(f.body) if isinstance(s, Loop)}


class Meetings:
    """Which names are wanted where another is bound."""

    def __init__(self):
        self.found: dict[str, set[str]] = defaultdict(set)

    def bind(self, name: str, wanted: set[str]) -> None:
        for other in wanted - {name}:
            self.found[name].add(other)
            self.found[other].add(name)

    def before(self, stmts, wanted: set[str]) -> set[str]:
        """The names wanted before statements, of those wanted after them."""
        for stmt in reversed(stmts):
            wanted = self.statement(stmt, wanted)
        return wanted

    def statement(self, stmt: Stmt, after: set[str]) -> set[str]:
        read = {n.id for e in reads(stmt) for n in names_in(e)}
        match stmt:
            case Assign(Name(a), Name(b)):
                self.bind(a, after - {b})
                return after - {a} | {b}
            case If():
                return self.before(stmt.then, after) | self.before(stmt.orelse, after) | read
            case Loop() | While():
                wanted = after | read  # of a loop too: passes that come read its bounds again
                while True:
                    inside = self.before(stmt.body, wanted)
                    if isinstance(stmt, Loop):
                        self.bind(stmt.index.id, inside | wanted)
                        inside -= {stmt.index.id}
                    if inside <= wanted:
                        return wanted | read
                    wanted |= inside
        bound = {n.id for n in bound_by(stmt)}
        for name in bound:
            self.bind(name, after | bound)
        return after - bound | read


class Classes:
    """Names that have become one; it is called by the first of them."""

    def __init__(self, met: dict[str, set[str]]):
        self.met, self.first = met, {}

    def name(self, name: str) -> str:
        while name in self.first:
            name = self.first[name]
        return name

    def join(self, a: str, b: str) -> None:
        a, b = self.name(a), self.name(b)
        if a != b and b not in self.met[a]:
            if a.startswith("t__"):  # the other may be the user's
                a, b = b, a
            self.first[b] = a
            for other in self.met.pop(b, ()):
                self.met[other].discard(b)
                self.met[other].add(a)
                self.met[a].add(other)


def renamed_uses(stmts, name) -> tuple[Stmt, ...]:
    out = []
    for stmt in stmts:
        stmt = mapped(stmt, lambda e: in_names(e, name), lambda block: renamed_uses(block, name))
        stmt = bound_as(stmt, name)
        if not (isinstance(stmt, Assign) and stmt.name == stmt.value):
            out.append(stmt)
    return tuple(out)


def bound_as(stmt: Stmt, name) -> Stmt:
    match stmt:
        case Loop():
            return replace(stmt, index=in_names(stmt.index, name))
        case _ if hasattr(stmt, "names"):
            return replace(stmt, names=tuple([in_names(n, name) for n in stmt.names]))
        case _ if isinstance(stmt, Assign):
            return replace(stmt, name=in_names(stmt.name, name))
    return stmt


def in_names(e: Expr, name) -> Expr:
    if isinstance(e, Name):
        return e if name(e.id) == e.id else replace(e, id=name(e.id))
    return mapped(e, lambda x: in_names(x, name))
