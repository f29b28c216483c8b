"""Memory that every iteration of a loop would allocate anew, and checks that are the same for all, go before the loop.

    for i in range(n):                       t = rm.buffer((m,), np.float64)
        t = rm.zeros((m,), np.float64)       rs.check(k >= 0, 3, k, 0)
        for j in range(m):                   for i in range(n):
            rs.check(k >= 0, 3, k, 0)   ->       rm.clear(t)
            t[j] += k                            for j in range(m):
                                                     t[j] += k

`leaves` says out of how many loops a statement may go: nothing of the array is left after an iteration of those, the
check is to be made even where there are none.  It goes as far as what it names is known.
"""
from __future__ import annotations

from dataclasses import replace

from .core import Alloc, Check, Do, Function, If, Loop, Stmt, While, rm
from .walking import bound_by, names_bound, names_in, reads


def hoist(f: Function) -> Function:
    return replace(f, body=hoisted_block(f.body))


def hoisted_block(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    out: list[Stmt] = []
    for stmt in stmts:
        match stmt:
            case If():
                stmt = replace(stmt, then=hoisted_block(stmt.then), orelse=hoisted_block(stmt.orelse))
            case Loop() | While():
                body = hoisted_block(stmt.body)
                names = names_bound(body) | {n.id for n in bound_by(stmt)}
                body, taken = without(body, lambda s: may_leave(s, names))
                stmt = replace(stmt, body=body)
                out += dict.fromkeys(taken)  # equal checks are made once
        out.append(stmt)
    return tuple(out)


def without(stmts: tuple[Stmt, ...], leave, branch: bool = False) -> tuple[tuple[Stmt, ...], list[Stmt]]:
    """The statements without those that leave, and those; out of a branch only memory goes, and not all of it."""
    kept: list[Stmt] = []
    taken: list[Stmt] = []
    for stmt in stmts:
        if isinstance(stmt, If):
            sides = [without(side, leave, True) for side in (stmt.then, stmt.orelse)]
            taken += [s for _, out in sides for s in out]
            kept.append(replace(stmt, then=sides[0][0], orelse=sides[1][0]))
        elif leave(stmt) and not (branch and not (isinstance(stmt, Alloc) and stmt.branches)):
            kept += [Do(rm.clear(stmt.name))] if isinstance(stmt, Alloc) and stmt.zeroed else []
            taken.append(before_loop(stmt))
        else:
            kept.append(stmt)
    return tuple(kept), taken


def may_leave(stmt: Stmt, bound: set[str]) -> bool:
    """May it go out of a loop that binds these names?"""
    if not isinstance(stmt, (Alloc, Check)) or not stmt.leaves:
        return False
    return not any(n.id in bound for e in reads(stmt) for n in names_in(e))


def before_loop(stmt: Alloc | Check) -> Stmt:
    stmt = replace(stmt, leaves=stmt.leaves - 1)
    return replace(stmt, zeroed=False, early=True) if isinstance(stmt, Alloc) else stmt
