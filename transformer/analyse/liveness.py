"""Liveness: which names are read after a statement.

For core with single binding (before `inplace`).  A name is live after a statement when some path from
there reads it before it is bound again: around a loop, what its body reads from outside is live
everywhere in the body; a carried name is bound again at the header of each iteration.

    y = np.sin(x)       # live after: x, y
    z = x * y           # live after: z
    return (z,)
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

from ..core import Block, For, Fun, If, Let, Stmt, While, bound, free_names, operands


@dataclass
class Liveness:
    """`after(stmt)`: names live after a statement.

    `around(loop)`: names live at the end of the loop's body, its results apart.
    """

    _after: dict[int, frozenset[str]] = field(default_factory=dict)
    _around: dict[int, frozenset[str]] = field(default_factory=dict)

    def after(self, stmt: Stmt) -> frozenset[str]:
        return self._after[id(stmt)]

    def around(self, loop: For | While) -> frozenset[str]:
        return self._around[id(loop)]


def liveness(fun: Fun, keep: Callable[[str], bool] = lambda name: True,
             at: Callable[[Stmt], bool] = lambda stmt: True) -> Liveness:
    """Liveness of the names that `keep` selects, recorded for the statements that `at` selects."""
    facts = Liveness()

    def some(atoms) -> list[str]:
        return [n for n in atoms if isinstance(n, str) and keep(n)]

    def visit(block: Block, live: set[str]) -> set[str]:
        """Names live before the block, given those live after it (its results included by us)."""
        live = live.union(some(block.results))
        for stmt in reversed(block.stmts):
            if at(stmt):
                facts._after[id(stmt)] = frozenset(live)
            match stmt:
                case Let():
                    live.difference_update(stmt.names)
                case If():
                    live -= set(stmt.names)
                    live = visit(stmt.then, live) | visit(stmt.orelse, live)
                case For() | While():
                    own = set(bound(stmt)) | ({stmt.index} if isinstance(stmt, For) else set())
                    live = live.union(some(free_names(stmt.body))) - own
                    facts._around[id(stmt)] = frozenset(live)
                    visit(stmt.body, live)
            live.update(some(operands(stmt)))
        return live

    visit(fun.body, set())
    return facts
