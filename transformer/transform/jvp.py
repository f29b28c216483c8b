"""Forward mode: each statement is followed by its tangent.

    y = np.sin(x)            y = np.sin(x)
                             y_dot = np.cos(x) * x_dot

A name without a tangent is one whose tangent is zero.  A tangent has exactly the type of its primal.
"""
from __future__ import annotations

from dataclasses import replace

from ..analyse.activity import varied_names
from ..analyse.steepness import steep_ahead
from ..core import Atom, Block, Builder, For, Fun, If, Let, While
from ..core.verifier import verify
from ..errors.messages import placed
from ..rules.kinds import dot_name, zeros_of
from .choices import Choices
from .chosen import Cotangent, settled


def jvp(fun: Fun, active: tuple[bool, ...]) -> Fun:
    """(params, tangents of the active params) -> (results, tangents of the float results)."""
    b = Builder(like=fun)
    varied = varied_names(fun, [p for p, is_active in zip(fun.params, active) if is_active])
    forward = Forward(b, varied, Choices(b, fun, varied, steep_ahead))
    for p, is_active in zip(fun.params, active):
        if is_active:
            forward.dots[p] = b.fresh(dot_name(p), b.types[p])
    dots = tuple(forward.dots[p] for p, is_active in zip(fun.params, active) if is_active)
    forward.block(fun.body)
    results = list(fun.body.results)
    results += [forward.dot_or_zero(r) for r in fun.body.results if b.type(r).is_float]
    return verify(b.fun(f"{fun.name}_jvp", fun.params + dots, results, fun.writes, fun.origin), after="jvp")


class Forward:
    """`varied` are the names that depend on an active parameter: those of them that a loop carries have tangents."""

    def __init__(self, b: Builder, varied: set[str], choices: Choices):
        self.b, self.varied, self.choices = b, varied, choices
        self.dots: dict[str, Cotangent] = {}

    def dot(self, atom: Atom) -> Cotangent | None:
        return self.dots.get(atom) if isinstance(atom, str) else None

    def dot_or_zero(self, atom: Atom) -> Atom:
        dot = self.dot(atom)
        t = self.b.type(atom)
        hint = dot_name(atom) if isinstance(atom, str) else "zeros"
        return zeros_of(self.b, t, hint) if dot is None else settled(self.b, dot, t, hint)

    def block(self, block: Block) -> None:
        for stmt in block.stmts:
            if isinstance(stmt, Let):
                self.let(stmt)
                continue
            with self.b.at(stmt.origin):
                (self.branch if isinstance(stmt, If) else self.loop)(stmt)

    def let(self, let: Let) -> None:
        self.b.append(let)
        let = self.choices.smooth(let)
        tangents = [self.dot(a) for a in let.args]
        if any(t is not None for t in tangents):
            with self.b.at(let.origin and let.origin.tangential()):
                dots = placed(let.origin, self.tangents, let, tangents)
            self.dots.update((name, dot) for name, dot in zip(let.names, dots) if dot is not None)

    def tangents(self, let: Let, given: list[Cotangent | None]) -> tuple[Cotangent | None, ...]:
        waiting = self.choices.ahead(let, given)
        if waiting is not None:
            return (waiting,)
        return let.op.jvp(self.b, let, [settled(self.b, g, self.b.type(a), dot_name(a) if isinstance(a, str) else "t")
                                        for g, a in zip(given, let.args)])

    def branch(self, stmt: If) -> None:
        sides = []
        for side in (stmt.then, stmt.orelse):
            with self.b.block() as stmts:
                self.block(side)
            sides.append((side, stmts))
        active = [k for k in range(len(stmt.names)) if any(self.dot(side.results[k]) is not None for side, _ in sides)]
        blocks = []
        for side, stmts in sides:
            with self.b.block() as more:
                dots = tuple(self.dot_or_zero(side.results[k]) for k in active)
            blocks.append(Block((*stmts, *more), side.results + dots))
        given = {k: [self.dot(side.results[k]) is not None for side, _ in sides] for k in active}
        dots = tuple(self.fresh_dot(stmt.names[k]) for k in active)
        self.b.append(replace(stmt, names=stmt.names + dots, then=blocks[0], orelse=blocks[1]))
        for k, dot in zip(active, dots):
            if not all(given[k]):
                self.dots[stmt.names[k]] = self.choices.of_side(stmt.names[k], dot, stmt.test, given[k][0])

    def fresh_dot(self, name: str) -> str:
        self.dots[name] = self.b.fresh(dot_name(name), self.b.types[name])
        return self.dots[name]

    def loop(self, stmt: For | While) -> None:
        active = [c in self.varied for c in stmt.carried]
        carried = [c for c, is_active in zip(stmt.carried, active) if is_active]
        inits = tuple(self.dot_or_zero(i) for i, is_active in zip(stmt.inits, active) if is_active)
        dots = tuple(self.fresh_dot(c) for c in carried)
        with self.b.block() as stmts:
            self.block(stmt.body)
            missed = [n for n, is_active in zip(stmt.body.results, active) if not is_active and self.dot(n) is not None]
            assert not missed, f"{missed}: it has a tangent, and does not depend on what has one"
            nexts = tuple(self.dot_or_zero(n) for n, is_active in zip(stmt.body.results, active) if is_active)
        body = Block(tuple(stmts), stmt.body.results + nexts)
        self.b.append(replace(stmt, carried=stmt.carried + dots, inits=stmt.inits + inits, body=body))
