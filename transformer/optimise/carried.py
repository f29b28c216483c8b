"""Loops carry, and branches hand on, only what changes.

    x__1, s__1, u__1 = x, 0.0, 0.0            s__1 = 0.0
    for i in range(0, n, 1):                  for i in range(0, n, 1):
        s__2 = s__1 + x__1                        s__2 = s__1 + x
        s__1, x__1, u__1 = s__2, x__1, s__2       s__1 = s__2
    return (s__1, u__1)                       return (s__1, s__1)

A name whose next value is itself is its init; two names with the same init and the same next value are one; both
sides of a branch giving the same atom make its name that atom.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Block, For, Fun, If, While
from .rewriter import Rewriter, updated


def carried(fun: Fun) -> Fun:
    return Carried(fun).run()


class Carried(Rewriter):
    def loop(self, stmt: For | While) -> None:
        test = stmt.test if isinstance(stmt, While) else None
        first: dict = {}
        for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results):
            if c == test or self.types[c] != self.b.type(init):
                continue
            if after == c:
                self.alias(c, init)
            elif (init, after) in first:
                self.alias(c, first[init, after])
            else:
                first[init, after] = c
        if not any(c in self.aliases for c in stmt.carried):
            return super().loop(stmt)
        keep = [k for k, c in enumerate(stmt.carried) if c not in self.aliases]
        body = Block(stmt.body.stmts, tuple(stmt.body.results[k] for k in keep))
        self.emit(replace(stmt, carried=tuple(stmt.carried[k] for k in keep), inits=tuple(stmt.inits[k] for k in keep),
                          body=self.block(body)))

    def branch(self, stmt: If) -> None:
        then, orelse = self.block(stmt.then), self.block(stmt.orelse)
        keep = []
        for k, (name, x, y) in enumerate(zip(stmt.names, then.results, orelse.results)):
            if x == y and self.types[name] == self.b.type(x):
                self.alias(name, x)
            else:
                keep.append(k)
        if len(keep) == len(stmt.names):
            return self.emit(updated(stmt, then=then, orelse=orelse))
        then, orelse = (Block(side.stmts, tuple(side.results[k] for k in keep)) for side in (then, orelse))
        self.emit(replace(stmt, names=tuple(stmt.names[k] for k in keep), then=then, orelse=orelse))
