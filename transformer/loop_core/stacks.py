"""Calls of a library for stacks of arrays: on a GPU one call for the whole stack, where the CPU has a loop.

    for i in range(n):  [independent]
        failed = solve(a[i, ::1, ::1], b[::1], x[i, ::1])        failed = solve((2, 1, 1), a[:n], b, x[:n])
        rs.check(failed != 1, SITE)                         ->   rs.check(failed != 1, SITE)

The numbers say how many of the last axes of each array are one example's.  The axes before them broadcast, as NumPy's.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from .core import I8, ONE, ZERO, Assign, Call, Check, Expr, Loop, Name, Num, Span, Stmt, Tuple, View
from .walking import mapped, names_in

WHOLE = Span(step=ONE)


def as_stacks(stmts: tuple[Stmt, ...], functions: set[str]) -> tuple[Stmt, ...]:
    """The statements with calls of these functions for whole stacks, where there are loops of nothing else."""
    out: list[Stmt] = []
    for stmt in stmts:
        found = of_a_stack(stmt, functions) if isinstance(stmt, Loop) else stacked_call(stmt, functions)
        out += found or [mapped(stmt, lambda e: e, lambda block: as_stacks(block, functions))]
    return tuple(out)


def is_call(stmt: Stmt, functions: set[str]) -> bool:
    return isinstance(stmt, Assign) and isinstance(stmt.value, Call) and stmt.value.function in functions


def stacked_call(stmt: Stmt, functions: set[str]) -> list[Stmt] | None:
    return [whole_stack(stmt, [], [])] if is_call(stmt, functions) else None


def of_a_stack(loop: Loop, functions: set[str]) -> list[Stmt] | None:
    """The call and its checks; None where the loop is of something else."""
    indices, lengths, body = [], [], (loop,)
    while len(body) == 1 and isinstance(body[0], Loop):
        if body[0].kind != "independent" or body[0].start != ZERO or body[0].step != ONE:
            return None
        indices.append(body[0].index)
        lengths.append(body[0].stop)
        body = body[0].body
    if not is_call(body[0], functions) or any(n in indices for stop in lengths for n in names_in(stop)):
        return None
    call, *checks = body
    if not all(isinstance(s, Check) and set(names_in(s.condition)) == {call.name} for s in checks):
        return None
    found = whole_stack(call, indices, lengths)
    return None if found is None else [found, *checks]


def whole_stack(stmt: Assign, indices: list[Name], lengths: list[Expr]) -> Assign | None:
    """The call for all values of these indices; None where its arrays are indexed in another way."""
    arrays = [stacked_view(x, indices, lengths) for x in stmt.value.args]
    if None in arrays:
        return None
    cores = Tuple(tuple([Num(core, I8) for _, core in arrays]))
    return replace(stmt, value=replace(stmt.value, args=(cores, *(x for x, _ in arrays)),
                                       gives=np.dtype(np.int64)))


def stacked_view(view: View | Name | Num, indices: list[Name], lengths: list[Expr]) -> tuple[Expr, int] | None:
    """(what an array has for all values of the indices, how many axes are one example's)"""
    if not isinstance(view, View):
        return view, 0
    index = view.index
    core = sum(isinstance(e, Span) for e in index)
    if not indices:
        return (view.array if index == (WHOLE,) * len(index) else view), core
    if index and index[-1] == Span(indices[-1], indices[-1] + 1, ONE):
        index, core = (*index[:-1], indices[-1]), 0  # the place for a number, which the call takes as an array
    own = len(index) - core
    if own > len(indices) or index[own:] != (WHOLE,) * core:
        return None
    pairs = [*zip(index, indices[len(indices) - own:], lengths[len(indices) - own:])]
    if any(e not in (i, ZERO) for e, i, _ in pairs):
        return None
    axes = [Span(None, n if e == i else ONE) for e, i, n in pairs]
    return (View(view.array, (*axes, *[Span()] * core)) if axes else view.array), core
