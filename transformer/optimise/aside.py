"""Stores into tapes stand at the end of an iteration, so that what stands around them can become a function.

    for k in range(0, n, 1):                      for k in range(0, n, 1):
        h = np.sqrt(x)                                h = np.sqrt(x)
        tape__2 = rt.update(tape__1, h, np.s_[k])     y = h * w
        y = h * w                                     h__1 = np.sqrt(y)
        h__1 = np.sqrt(y)               ->            y__1 = h__1 * w
        t__2 = rt.update(t__1, h__1, np.s_[k])        tape__2 = rt.update(tape__1, h, np.s_[k])
        y__1 = h__1 * w                               t__2 = rt.update(t__1, h__1, np.s_[k])

A function that stores into memory of its caller would have to copy it. Where nothing became a function the stores stay
where they were: what they keep may then be computed in the memory of what it was made from.
"""
from __future__ import annotations

from collections import Counter

from ..analyse.buffers import is_update
from ..analyse.raising import Raising
from ..analyse.sums import names_used
from ..core import OWN, Block, For, Fun, Let, While, names_among, operands, walk
from ..core.walking import same_or_new, updated
from .outline import outline_repeats
from .rewriter import Rewriter


def outline_beside_tapes(fun: Fun) -> Fun:
    """`outline`, with the stores into tapes out of its way."""
    moved = Aside(fun).run()
    cut = outline_repeats(moved)
    return fun if cut is moved else cut


class Aside(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.raising = Raising(fun)

    def loop(self, stmt: For | While) -> None:
        body = self.block(stmt.body)
        stores = self.stores(body)
        others = [s for s in body.stmts if s not in stores]
        self.emit(updated(stmt, body=same_or_new(body, [*others, *stores], body.results)))

    def stores(self, body: Block) -> list[Let]:
        """Those that nothing else in the iteration has to do with."""
        read = Counter(name for s in walk(body) for name in operands(s))
        found, handed_on = [], set()  # what a later statement may store into, or take a view of
        for stmt in reversed(body.stmts):
            if is_update(stmt) and not self.raising.may(stmt):
                target, value, *_ = stmt.args
                if read[target] == 1 and stmt.name in body.results and not read[stmt.name] and value not in handed_on:
                    found.insert(0, stmt)
                    continue
            if not isinstance(stmt, Let) or stmt.op.memory is not OWN:
                handed_on |= {name for s in walk(Block((stmt,))) for name in names_among(names_used(s))}
        return found
