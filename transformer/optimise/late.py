"""Arrays with nothing in them yet are made in the loop that fills them, and need not be copied there.

    tape = rt.tape(dtype=np.float64)          for k in range(0, n, 1):
    for k in range(0, n, 1):                      tape = rt.tape(dtype=np.float64)
        tape__1 = tape                            tape__1 = tape
        while going: ...                          while going: ...

A derivative that runs example by example has them before the loop over the examples, on which they do not depend; each
iteration would store into a copy.
"""
from __future__ import annotations

from dataclasses import replace

from ..analyse.buffers import PUSHES, UPDATES
from ..core import Atom, For, Fun, Let, While
from ..rules import OPS
from .rewriter import Rewriter, updated

EMPTY = {OPS[name] for name in ("np.empty", "np.zeros", "rt.tape")}


def late(fun: Fun) -> Fun:
    return Late(fun).run()


class Late(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.depth = 0
        self.home: dict[str, int] = {}  # how many loops are around the statement that makes it

    def let(self, let: Let) -> None:
        if let.op in EMPTY:
            self.home[let.name] = self.depth
        elif let.op.name in UPDATES or let.op.name in PUSHES:
            target = self.made_here(let.args[0])
            let = let if target is let.args[0] else replace(let, args=(target, *let.args[1:]))
        self.emit(let)

    def loop(self, stmt: For | While) -> None:
        inits = tuple(map(self.made_here, stmt.inits))
        self.depth += 1
        body = self.block(stmt.body)
        self.depth -= 1
        self.emit(updated(stmt, inits=stmt.inits if inits == stmt.inits else inits, body=body))

    def made_here(self, atom: Atom) -> Atom:
        """Another one of it, if it was made outside of a loop that is around this place."""
        if self.home.get(atom, self.depth) == self.depth:
            return atom
        let = self.defs[atom]
        again = self.b.fresh(atom, self.types[atom])
        self.emit(replace(let, names=(again,)))
        return again
