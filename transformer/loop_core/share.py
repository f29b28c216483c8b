"""Loops that threads may share become functions of their own.

    for k in range(0, n):  [shared]       def f_part(low, high, x, y):
        ...                                   y = rm.fresh(y)
        y[k] = t                 ->           for k in range(low, high):
                                                  ...
                                                  y[k] = t

                                          rp.share(f_part, n, (x, y), 1, False)

What the body allocates is inside the function, and belongs to one thread.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Callable

from .core import I8, ONE, ZERO, Assign, Do, Expr, Function, Loop, Name, Num, Stmt, Tuple, integer, rm, rp, rs
from .facts import covered
from .walking import mapped, names_bound, names_read


def part_out(f: Function, fresh: Callable[[str], str]) -> tuple[Function, list[Function]]:
    """The function, and those of its loops that threads share; `fresh` gives names that nothing has."""
    parts: list[Function] = []

    def block(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map(changed, stmts))

    def changed(stmt: Stmt) -> Stmt:
        if not isinstance(stmt, Loop) or stmt.share is None:
            return mapped(stmt, lambda e: e, block)
        part, call = parted_loop(stmt, f"{f.name}_part", fresh)
        parts.append(part)
        return call

    return replace(f, body=block(f.body)), parts


def parted_loop(loop: Loop, name: str, fresh) -> tuple[Function, Stmt]:
    """The function that does some of a loop's iterations, and the call that shares them all."""
    low, high = (Name(fresh(hint), I8) for hint in ("low", "high"))
    back, vectors = loop.step != ONE, loop.share.grain > 1
    hints = (Do(rs.natural(loop.index)), *[Do(rp.one_by_one())] * (not vectors))
    bounds = [start_moved(loop.start, by, back) for by in (low, high)]
    body = Loop(loop.index, *bounds, loop.step, (*hints, *loop.body), loop.kind)
    taken = tuple(free([body], {low.id, high.id}))
    part = Function(fresh(name), (low, high, *taken), (*(Assign(x, rm.fresh(x)) for x in loop.share.own), body))
    count = minus(loop.start, loop.stop) if back else minus(loop.stop, loop.start)
    call = rp.share(Name(part.name), count, Tuple(taken), loop.share.grain, loop.share.forced)
    return part, Do(call, origins=covered(loop))


def start_moved(start: Expr, by: Name, back: bool) -> Expr:
    """`start + by`, or `start - by`."""
    if start == ZERO:
        return -by if back else by
    return start - by if back else start + by


def minus(a: Expr, b: Expr) -> Expr:
    known = integer(b)
    return a - b if known is None or known > 0 else a if known == 0 else a + Num(-known, I8)


def free(stmts, own: set[str]) -> dict[str, Name]:
    """The names that statements read and do not bind, in their order."""
    bound = own | names_bound(stmts)
    return dict.fromkeys(n for stmt in stmts for n in names_read(stmt) if n.id not in bound)

