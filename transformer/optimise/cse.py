"""Common subexpressions: what was computed in this block or around it is not computed again.

    a = x * z               a = x * z
    b = z * x               y = a + a
    y = a + b

Names are bound once and mean one value, so that equal operations on equal atoms are equal: there is nothing to
invalidate.  A carried name is a name of its own, so that nothing crosses a loop's head.
"""
from __future__ import annotations

from ..core import Block, Fun, Let
from ..rules import OPS
from .rewriter import Rewriter

CHECKS = {OPS["rt.match"], OPS["rt.require"]}  # what has passed once passes again


def cse(fun: Fun) -> Fun:
    return Cse(fun).run()


class Cse(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        # (op, args, params) -> what it binds, in this block and those around it
        self.known: dict[tuple, tuple[str, ...]] = {}

    def block(self, block: Block) -> Block:
        outer, self.known = self.known, dict(self.known)
        new = super().block(block)
        self.known = outer
        return new

    def let(self, let: Let) -> None:
        if let.op.to_fill or let.op.effect and let.op not in CHECKS or len(let.names) > 1:
            return self.emit(let)
        key = (let.op, frozenset(let.args) if let.op.commutes else let.args, let.params)
        known = self.known.setdefault(key, let.names)
        if known is let.names:
            return self.emit(let)
        for name, first in zip(let.names, known):
            self.alias(name, first)
