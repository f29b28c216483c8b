"""What leaves a block of statements: `return`, `break` and `continue`, and what is never reached.

    with suppress(KeyError):            the return leaves the with statement; what follows is reached all the same,
        return d[k]                     where the context ends an exception (`unless_swallowed`: where none does)
"""
from __future__ import annotations

import gast

from .trees import Stmts, inner_blocks, nodes


def escapes(stmt: gast.stmt) -> set[str]:
    """Which of return, break, continue may leave a statement."""
    match stmt:
        case gast.Return():
            return {"return"}
        case gast.Break():
            return {"break"}
        case gast.Continue():
            return {"continue"}
        case gast.For() | gast.While():
            return ways_out(stmt.body) & {"return"} | ways_out(stmt.orelse)
    return set().union(*(ways_out(getattr(holder, name)) for holder, name in inner_blocks(stmt)))


def ways_out(stmts: Stmts) -> set[str]:
    return set().union(*map(escapes, stmts))


def returns_in(stmts: Stmts) -> list[gast.Return]:
    """The return statements of this function, those of nested functions apart."""
    found = [s for s in stmts if isinstance(s, gast.Return)]
    return found + [r for s in stmts for holder, name in inner_blocks(s) for r in returns_in(getattr(holder, name))]


def revoked(stmts: Stmts) -> set[str]:
    """Which of them an exception may follow that a finally block or a context manager raises on the way out."""
    found = set()
    for stmt in stmts:
        if isinstance(stmt, gast.With) or getattr(stmt, "finalbody", []):
            found |= escapes(stmt)
        else:
            inside = set().union(*(revoked(getattr(holder, name)) for holder, name in inner_blocks(stmt)))
            found |= inside & {"return"} if isinstance(stmt, (gast.For, gast.While)) else inside
    return found


def never_falls(stmt: gast.stmt, unless_swallowed: bool = False) -> bool:
    """Does control never reach what follows?  `unless_swallowed`: where no context manager ends an exception."""
    match stmt:
        case gast.Return() | gast.Break() | gast.Continue() | gast.Raise():
            return True
        case gast.If(body=body, orelse=orelse):
            return ends_block(body, unless_swallowed) and ends_block(orelse, unless_swallowed)
        case gast.With(body=body):
            return unless_swallowed and ends_block(body, unless_swallowed)
        case gast.Try(body=body, handlers=handlers, orelse=orelse):
            return (ends_block(body + orelse, unless_swallowed)
                    and all(ends_block(h.body, unless_swallowed) for h in handlers))
        case gast.While(test=gast.Constant(value=value), body=body) if value:
            return "break" not in ways_out(body)
    return False


def ends_block(stmts: Stmts, unless_swallowed: bool = False) -> bool:
    return any([never_falls(stmt, unless_swallowed) for stmt in stmts])


def alive(stmts: Stmts) -> Stmts:
    """Without what is never reached."""
    for count, stmt in enumerate(stmts, 1):
        if never_falls(stmt):
            return stmts[:count]
    return stmts


def is_terse(stmts: Stmts) -> bool:
    """Written twice rather than guarded by a flag."""
    match stmts:
        case [gast.Return()]:
            return sum(isinstance(n, gast.expr) for n in nodes(stmts[0])) <= 6
        case [gast.Break() | gast.Continue()]:
            return True
    return False
