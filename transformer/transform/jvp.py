"""Forward mode: each statement is followed by its tangent.

    y = np.sin(x)            y = np.sin(x)
                             y_dot = np.cos(x) * x_dot

A name without a tangent is one whose tangent is zero.  A tangent has exactly the type of its primal.
"""
from __future__ import annotations

from dataclasses import replace

from ..checking import check
from ..core import Atom, Block, Builder, For, Fun, If, Let, While
from ..errors import placed
from ..rules.kinds import dot_name, zeros_of


def jvp(fun: Fun, active: tuple[bool, ...]) -> Fun:
    """(params, tangents of the active params) -> (results, tangents of the float results)."""
    b = Builder(like=fun)
    forward = Forward(b)
    for p, is_active in zip(fun.params, active):
        if is_active:
            forward.dots[p] = b.fresh(dot_name(p), b.types[p])
    dots = tuple(forward.dots[p] for p, is_active in zip(fun.params, active) if is_active)
    forward.block(fun.body)
    results = list(fun.body.results)
    results += [forward.dot_or_zero(r) for r in fun.body.results if b.type(r).is_float]
    return check(b.fun(f"{fun.name}_jvp", fun.params + dots, results, fun.writes, fun.origin), after="jvp")


class Forward:
    def __init__(self, b: Builder):
        self.b = b
        self.dots: dict[str, Atom] = {}

    def dot(self, atom: Atom) -> Atom | None:
        return self.dots.get(atom) if isinstance(atom, str) else None

    def dot_or_zero(self, atom: Atom) -> Atom:
        dot = self.dot(atom)
        return zeros_of(self.b, self.b.type(atom), "zeros") if dot is None else dot

    def block(self, block: Block) -> None:
        for stmt in block.stmts:
            if isinstance(stmt, Let):
                self.let(stmt)
                continue
            with self.b.at(stmt.origin):
                (self.branch if isinstance(stmt, If) else self.loop)(stmt)

    def let(self, let: Let) -> None:
        self.b.append(let)
        tangents = [self.dot(a) for a in let.args]
        if any(t is not None for t in tangents):
            with self.b.at(let.origin and let.origin.tangential()):
                dots = placed(let.origin, let.op.jvp, self.b, let, tangents)
            self.dots.update((name, dot) for name, dot in zip(let.names, dots) if dot is not None)

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
        dots = tuple(self.fresh_dot(stmt.names[k]) for k in active)
        self.b.append(replace(stmt, names=stmt.names + dots, then=blocks[0], orelse=blocks[1]))

    def fresh_dot(self, name: str) -> str:
        self.dots[name] = self.b.fresh(dot_name(name), self.b.types[name])
        return self.dots[name]

    def loop(self, stmt: For | While) -> None:
        active = self.active_carried(stmt)
        carried = [c for c, is_active in zip(stmt.carried, active) if is_active]
        inits = tuple(self.dot_or_zero(i) for i, is_active in zip(stmt.inits, active) if is_active)
        dots = tuple(self.fresh_dot(c) for c in carried)
        with self.b.block() as stmts:
            self.block(stmt.body)
            nexts = tuple(self.dot_or_zero(n) for n, is_active in zip(stmt.body.results, active) if is_active)
        body = Block(tuple(stmts), stmt.body.results + nexts)
        self.b.append(replace(stmt, carried=stmt.carried + dots, inits=stmt.inits + inits, body=body))

    def active_carried(self, stmt: For | While) -> list[bool]:
        """Which carried names have a tangent: a fixed point, found by trying the body."""
        active = [self.dot(i) is not None for i in stmt.inits]
        while True:
            trial = Forward(Builder(dict(self.b.types)))
            trial.b.polynomials = dict(self.b.polynomials)
            trial.dots = dict(self.dots)
            for c, is_active in zip(stmt.carried, active):
                if is_active:
                    trial.fresh_dot(c)
            trial.block(stmt.body)
            now = [a or trial.dot(n) is not None for a, n in zip(active, stmt.body.results)]
            if now == active:
                return active
            active = now
