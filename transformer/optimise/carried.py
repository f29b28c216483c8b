"""Loops carry, and branches hand on, only what changes.

    x__1, s__1, u__1 = x, 0.0, 0.0            s__1 = 0.0
    for i in range(0, n, 1):                  for i in range(0, n, 1):
        s__2 = s__1 + x__1                        s__2 = s__1 + x
        s__1, x__1, u__1 = s__2, x__1, s__2       s__1 = s__2
    return (s__1, u__1)                       return (s__1, s__1)

A name whose next value is itself or its init is its init; two names with the same init and the same next value are one;
both sides of a branch giving the same atom make its name that atom.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Atom, Block, For, Fun, If, Let, While, walk
from ..core.walking import updated
from .rewriter import Rewriter


def carried(fun: Fun) -> Fun:
    return Carried(fun).run()


class Carried(Rewriter):
    def run(self) -> Fun:
        """Where no loop or branch is such as it stands, none will become so."""
        return super().run() if any(self.same(s) for s in walk(self.fun.body) if not isinstance(s, Let)) else self.fun

    def same(self, stmt: For | While | If) -> dict[str, Atom]:
        """{name that is carried or handed on: the atom that it always is}"""
        if isinstance(stmt, If):
            return {n: x for n, x, y in zip(stmt.names, stmt.then.results, stmt.orelse.results)
                    if x == y and self.types[n] == self.b.type(x)}
        test = stmt.test if isinstance(stmt, While) else None
        first: dict[tuple[Atom, Atom], str] = {}
        found: dict[str, Atom] = {}
        for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results):
            if c == test or self.types[c] != self.b.type(init):
                continue
            if after in (c, init):
                found[c] = init
            elif first.setdefault((init, after), c) != c:
                found[c] = first[init, after]
        return found

    def loop(self, stmt: For | While) -> None:
        keep = self.kept(stmt, stmt.carried)
        if len(keep) == len(stmt.carried):
            return super().loop(stmt)
        body = Block(stmt.body.stmts, tuple(stmt.body.results[k] for k in keep))
        self.emit(replace(stmt, carried=tuple(stmt.carried[k] for k in keep), inits=tuple(stmt.inits[k] for k in keep),
                          body=self.block(body)))

    def branch(self, stmt: If) -> None:
        stmt = updated(stmt, then=self.block(stmt.then), orelse=self.block(stmt.orelse))
        keep = self.kept(stmt, stmt.names)
        if len(keep) == len(stmt.names):
            return self.emit(stmt)
        then, orelse = (Block(side.stmts, tuple(side.results[k] for k in keep)) for side in (stmt.then, stmt.orelse))
        self.emit(replace(stmt, names=tuple(stmt.names[k] for k in keep), then=then, orelse=orelse))

    def kept(self, stmt, names: tuple[str, ...]) -> list[int]:
        """The positions of the names that stay."""
        same = self.same(stmt)
        for name, atom in same.items():
            self.alias(name, atom)
        return [k for k, name in enumerate(names) if name not in same]
