"""Long loops that LLVM makes vectors of, and that no array ends, in strips: after each of them a signal is heard.

    for k in range(1, n):                   begin, end = 1, n
        total += 1.0 / (k * k)      ->      for strip in range(rs.trip_count(begin, end, 1048576)):
                                                first = begin + strip * 1048576
                                                stop = rs.select(end - first < 1048576, end, first + 1048576)
                                                for k in range(first, stop):
                                                    total += 1.0 / (k * k)
                                                rs.listen(...)

The bounds are those before the loop, whatever its rounds make of the names in them.
"""
from __future__ import annotations

from dataclasses import replace

from .core import I8, ONE, ZERO, Assign, Function, If, Loop, Name, Num, Stmt, While, rs
from .facts import is_block
from .hearing import is_short, listens, runs_through
from .walking import mapped

STRIP = 1 << 20  # rounds: about a millisecond


def in_strips(f: Function, fresh) -> Function:
    return replace(f, body=tuple([s for stmt in f.body for s in with_strips(stmt, fresh, True)]))


def with_strips(stmt: Stmt, fresh, outermost: bool) -> tuple[Stmt, ...]:
    if isinstance(stmt, Loop) and (outermost or is_block(stmt)) and is_endless(stmt):
        return strips(stmt, fresh)
    if not isinstance(stmt, (Loop, While, If)):
        return (stmt,)
    inner = outermost and isinstance(stmt, If)
    return (mapped(stmt, lambda e: e, lambda block: tuple([t for s in block for t in with_strips(s, fresh, inner)])),)


def is_endless(loop: Loop) -> bool:
    """May it have many rounds, whatever arrays there are, without one that hears?"""
    return (loop.kind == "sequential" and loop.step == ONE and not is_short(loop) and not listens(loop, False)
            and not runs_through(loop, 2))


def strips(loop: Loop, fresh) -> tuple[Stmt, ...]:
    begin, end, strip, first, stop = (Name(fresh(name), I8) for name in ("begin", "end", "strip", "first", "stop"))
    length = Num(STRIP, I8)
    body = (Assign(first, begin + strip * length),
            Assign(stop, rs.select(end - first < length, end, first + length)),
            replace(loop, start=first, stop=stop))
    return (Assign(begin, loop.start), Assign(end, loop.stop),
            Loop(strip, ZERO, rs.trip_count(begin, end, length), ONE, body))
