"""Common subexpressions: what was computed in this block or around it is not computed again.

    a = x * z               a = x * z
    b = z * x               y = a + a
    y = a + b

Names are bound once and mean one value, so that equal operations on equal atoms are equal: there is nothing to
invalidate.  A carried name is a name of its own, so that nothing crosses a loop's header.
"""
from __future__ import annotations

from ..core import Fun, Let
from ..rules import OPS
from .rewriter import Remembering

CHECKS = {OPS["rt.match"], OPS["rt.require"], OPS["rt.same_sizes"]}  # what has passed once passes again


def cse(fun: Fun) -> Fun:
    return Cse(fun).run()


class Cse(Remembering):
    known: dict[tuple, tuple[str, ...]]  # (op, args, params) -> what it binds

    def let(self, let: Let) -> None:
        if let.op.to_fill or let.op.effect and let.op not in CHECKS or len(let.names) > 1:
            return self.emit(let)
        key = self.key(let)
        if key not in self.known:
            self.known[key] = let.names
            return self.emit(let)
        known = self.known[key]
        for name, first in zip(let.names, known):
            self.alias(name, first)

    def key(self, let: Let) -> tuple:
        """What is equal of statements that give equal values; of checks of sizes, that they ask the same."""
        if let.op.name == "rt.same_sizes":
            count = let.param("count")
            return let.op, frozenset([frozenset(pair) for pair in zip(let.args[:count], let.args[count:2 * count])])
        return let.op, frozenset(let.args) if let.op.commutes else let.args, let.params
