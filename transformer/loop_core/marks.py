"""Clock marks in a program: between its statements the clock is read, so that each part of it has a time.

    def f(x, y_out):                            def f(x, ticks, y_out):
                                                    rs.lap(ticks, 0)
        for i in range(n):           ->             for i in range(n):
            t[i] = np.sin(x[i])                         t[i] = np.sin(x[i])
                                                    rs.lap(ticks, 1)
        for i in range(n):                          for i in range(n):
            y_out[i] = t[i] * t[i]                      y_out[i] = t[i] * t[i]
                                                    rs.lap(ticks, 2)

A part is what stands together and has the same origins.  Nothing is moved and no loop is parted: a nest that computes
what several lines of the user say stays one part.  Inside a loop around others there are marks, too, down to a depth.
What has no loop and calls nothing takes less time than a mark: it belongs to the part that follows.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .core import (I8, ONE, ZERO, Alloc, Assign, Assigns, Call, Copy, Do, Expr, Function, If, Loop, Name, Num, Stmt,
                   While, rs)
from .facts import covered
from .walking import blocks, bound_by, mapped, reads

TICKS = Name("_gs_ticks", np.dtype(np.int64))
IN_MEMORY = {"rm.clear", "rm.copy", "rm.copy_to"}  # they run through an array


@dataclass(frozen=True)
class Marked:
    """A program with marks: its functions, of which the last takes `ticks` after its parameters and before its outputs.

    rows  for each row of `ticks` but the first, the places of the user's text to which it belongs; a mark has its own
    """

    functions: tuple[Function, ...]
    rows: tuple[frozenset, ...]


def with_marks(functions: tuple[Function, ...], imports, params: int, depth: int) -> Marked:
    """The program with marks.

    imports  what it calls functions of other modules
    params   how many the last function has before its outputs
    depth    in how many loops, one in another, there are marks
    """
    *others, main = functions
    marker = Marker({*imports, *[f.name for f in others]})
    body = (Do(rs.lap(TICKS, ZERO)), *marker.block(main.body, depth))
    marked = replace(main, params=(*main.params[:params], TICKS, *main.params[params:]), body=body)
    return Marked((*others, marked), tuple(marker.rows))


def only_laps() -> Function:
    """A function that reads the clock again and again, and does nothing else: what marks take."""
    count, k = Name("count", I8), Name("k", I8)
    return Function("only_laps", (count, TICKS), (Loop(k, ZERO, count, ONE, (Do(rs.lap(TICKS, ONE)),)),), ())


def loops_deep(stmts) -> int:
    """How many loops there are, one in another."""
    return max([isinstance(s, (Loop, While)) + max(map(loops_deep, blocks(s)), default=0) for s in stmts], default=0)


class Marker:
    """Puts marks into the blocks of a function; `names`: the functions that the module has."""

    def __init__(self, names: set[str]):
        self.names = names
        self.rows: list[frozenset] = []

    def block(self, stmts: tuple[Stmt, ...], depth: int) -> tuple[Stmt, ...]:
        """The statements, with a mark after each part."""
        out: list[Stmt] = []
        part: frozenset | None = None  # the places of the part that is open, once something in it takes time
        for stmt in stmts:
            places, opened = frozenset(covered(stmt)), self.opens(stmt, depth)
            if part is not None and (opened or places and places != part):
                out.append(self.lap(part))
                part = None
            if opened:
                inner = depth - isinstance(stmt, (Loop, While))
                stmt = mapped(stmt, lambda e: e, lambda body, inner=inner: self.block(body, inner))
            elif self.takes_time(stmt):
                part = places or part or frozenset()  # what has no place goes with what is before it
            out += [stmt, *self.notes(stmt, places)]
        if part is None and not self.rows:
            part = frozenset([place for stmt in stmts for place in covered(stmt)])  # nothing takes time: all of it
        return tuple(out) if part is None else (*out, self.lap(part))

    def opens(self, stmt: Stmt, depth: int) -> bool:
        """Are there marks inside: is it made of parts of which some take time?"""
        if not isinstance(stmt, If) and not (isinstance(stmt, (Loop, While)) and depth):
            return False
        whole = frozenset(covered(stmt))
        return any([self.takes_time(s) and frozenset(covered(s)) != whole for block in blocks(stmt) for s in block])

    def takes_time(self, stmt: Stmt) -> bool:
        """Is it a loop, a call of a library or of the module, or something of which one is a part?"""
        return (isinstance(stmt, (Loop, While, Copy)) or isinstance(stmt, Alloc) and stmt.zeroed
                or any(map(self.calls, reads(stmt))) or any(map(self.takes_time, [s for b in blocks(stmt) for s in b])))

    def calls(self, e: Expr) -> bool:
        called = isinstance(e, Call) and (e.function.startswith(("rl.", "rp.")) or e.function in IN_MEMORY
                                          or e.function in self.names)
        return called or any(map(self.calls, reads(e)))

    def lap(self, places: frozenset) -> Do:
        self.rows.append(places)
        return Do(rs.lap(TICKS, Num(len(self.rows), I8)))

    def notes(self, stmt: Stmt, places: frozenset) -> list[Do]:
        """How large the arrays are that a statement binds; one more name is no memory, and tapes are counted apart."""
        alias = isinstance(stmt, Assign) and isinstance(stmt.value, Name)
        if (not places or alias or not isinstance(stmt, (Assign, Assigns, Alloc, Copy))
                or all([place.kept for place in places])):
            return []
        return [Do(rs.note_bytes(TICKS, self.row(places), name)) for name in bound_by(stmt)]

    def row(self, places: frozenset) -> Num:
        if places not in self.rows:
            self.rows.append(places)
        return Num(self.rows.index(places) + 1, I8)
