"""Nests of loops as one: how many rounds they have together, and which of the indices a round has."""
from __future__ import annotations

from dataclasses import replace
from typing import Sequence

import numpy as np

from .core import ONE, ZERO, Assign, Expr, Loop, Name, Stmt, integer, rs


def loop_trip_count(loop: Loop) -> Expr:
    if loop.step == ONE:
        return loop.stop if loop.start == ZERO else loop.stop - loop.start
    return rs.trip_count(loop.start, loop.stop, loop.step)


def has_fewer_rounds(loops: Sequence[Loop], than: int) -> bool:
    """Have loops together fewer rounds, for all that is known now?"""
    counts = [integer(loop_trip_count(x)) for x in loops]
    return None not in counts and np.prod(counts) < than


def is_plain_range(loops: Sequence[Loop]) -> bool:
    return len(loops) == 1 and loops[0].start == ZERO and loops[0].step == ONE


def iteration_indices(k: Name, loops: Sequence[Loop]) -> list[Stmt]:
    """The indices of loops in the iteration of this number."""
    out: list[Stmt] = []
    rest: Expr = k
    for x in reversed(loops):
        n = loop_trip_count(x)
        place = rest if x is loops[0] else rest % n
        if place != x.index:
            out.insert(0, Assign(x.index, place if x.start == ZERO and x.step == ONE else x.start + place * x.step))
        rest = rest // n
    return out


def perfect(loop: Loop) -> tuple[list[Loop], tuple[Stmt, ...]]:
    """Loops of which each has the next as its body, and the body of the last."""
    chain = [loop]
    while len(chain[-1].body) == 1 and isinstance(chain[-1].body[0], Loop):
        chain.append(chain[-1].body[0])
    return chain, chain[-1].body


def around(loops: Sequence[Loop], body) -> tuple[Stmt, ...]:
    for x in reversed(loops):
        body = (replace(x, body=tuple(body)),)
    return tuple(body)
