"""Which names have another value when some parameters have: by computation, or because control flow depends on them."""
from __future__ import annotations

from typing import Iterable

from ..core import Block, For, Fun, If, Let, While


def dependent_names(fun: Fun, params: Iterable[str]) -> set[str]:
    """The names whose values depend on those of `params`; what depends only on their shapes is not among them."""
    found, before = set(params), -1
    while len(found) != before:  # what a loop hands on reaches its own head
        before = len(found)
        _sweep(fun.body, found)
    return found


def _sweep(block: Block, found: set[str]) -> None:
    for stmt in block.stmts:
        match stmt:
            case Let(op=op, args=args):
                if op.name != "rt.size" and not found.isdisjoint(args):
                    found.update(stmt.names)
            case If(test=test, names=names):
                for side in (stmt.then, stmt.orelse):
                    _sweep(side, found)
                    found.update(n for n, r in zip(names, side.results) if r in found or test in found)
            case For() | While():
                _sweep(stmt.body, found)
                decides = {stmt.start, stmt.stop, stmt.step} if isinstance(stmt, For) else {stmt.test}
                found.update(c for c, i, r in zip(stmt.carried, stmt.inits, stmt.body.results)
                             if not found.isdisjoint({i, r} | decides))


__all__ = ["dependent_names"]
