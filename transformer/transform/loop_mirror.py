"""The adjoint of a loop is a loop that runs backwards: it carries the cotangents of what the loop carries, and sums up
those of what all its iterations read.

    for i in range(n):                 for i in reversed(range(n)):
        s = s * x[i]                       s = s_tape[i]
                                           x_bar[i] += s * s_bar
                                           s_bar = s_bar * x[i]
"""
from __future__ import annotations

from ..core import Block, For, Let, Meanwhile, Stmt, While, all_bound, free_names, rename, walk
from .tape import mirror_loop
from .views import bases


class LoopMirror:
    """The mirror of a loop while it is made.

    carried  (a name that the loop carries, its value before the loop, that after an iteration), of active names
    headers  {name: its cotangent at the header of the mirror}
    nexts    {name: that after an iteration of the mirror}
    """

    def __init__(self, adjoint, stmt: For | While, carried: list[tuple]):
        self.adjoint, self.b, self.stmt, self.carried = adjoint, adjoint.b, stmt, carried
        types = self.b.types
        self.own = {*stmt.carried, *([stmt.index] if isinstance(stmt, For) else [])}
        read = (free_names(stmt.body) - self.own) & adjoint.active
        read |= bases(read, adjoint.choices.lets) & adjoint.active
        self.shared = sorted((read | adjoint.choices.behind(read)) - self.own)  # summed over the iterations
        self.inits = {c: adjoint.bar_or_zero(c) for c, *_ in carried}
        # lengths that change run backwards, too
        self.lengths = sorted({n for c in self.inits for d in types[c].dims for n in d.names} & {*stmt.carried})
        self.back = {n: self.b.fresh(n, types[n]) for n in self.lengths}
        self.headers = {name: adjoint.fresh_bar(name) for name in (*self.inits, *self.shared)}
        for c in self.inits if self.back else ():
            types[self.headers[c]] = types[c].substitute(self.back)

    def mirrored(self) -> list[Stmt]:
        """Emit it.  Gives the forward sweep of the loop: itself, with tapes, where the mirror needs any."""
        adjoint, outer = self.adjoint, self.adjoint.bars
        forward, mirror, nexts = self.iteration()
        adjoint.bars = {name: g for name, g in outer.items() if name not in self.inits}
        moving = [name for name in self.headers if nexts[name] != self.headers[name]]  # the others stay what they are
        summed = [u for u in self.shared if u in moving]
        self.inits |= {u: adjoint.bar_or_zero(u) for u in summed}
        if moving or any([isinstance(s, Let) and s.param("checks") for s in walk(Block(tuple(mirror)))]):
            forward = self.close(forward, mirror, nexts, moving)
        else:
            forward = [self.stmt]
        adjoint.bars |= {u: self.headers[u] for u in summed}
        for c, init, _ in self.carried:
            adjoint.contribute(init, self.headers[c] if c in moving else self.inits[c])
        return forward

    def iteration(self) -> tuple:
        """(forward sweep, mirror, `nexts`) of the body."""
        adjoint, shared = self.adjoint, {u: self.headers[u] for u in self.shared}
        within = {*self.shared, *self.own, *all_bound(self.stmt.body)}
        with (self.b.block() as mirror, Meanwhile(adjoint.choices, "within", within),
              Meanwhile(adjoint, "headers", shared)):
            adjoint.bars = dict(shared)
            for c, _, after in self.carried:
                adjoint.contribute(after, self.headers[c])
            forward = adjoint.sweep(self.stmt.body)
            return forward, mirror, {name: adjoint.bar_or_zero(name) for name in self.headers}

    def close(self, forward, mirror, nexts, moving: list[str]) -> list[Stmt]:
        """Append the loop that runs backwards.  Gives the forward sweep with the tapes that it reads."""
        still = {self.headers[c]: init for c, init in self.inits.items() if c not in moving}
        body = rename(Block(tuple(mirror), (*self.lengths, *(nexts[name] for name in moving))), still)
        forward, reverse = mirror_loop(self.b, self.adjoint.facts, self.stmt, forward, body,
                                       (*self.back.values(), *(self.headers[name] for name in moving)),
                                       (*self.lengths, *(self.inits[name] for name in moving)))
        self.b.append(reverse)
        return forward
