"""Which loops hear a keyboard interrupt, and how much work a round of them is: `rs.listen(steps)` at its end.

    while going:                            for t in range(steps):
        x = x - f(x) / df(x)                    for i in range(n): v[i] = ...
        ...                                     ...
        rs.listen(12)                           rs.listen(n + 9)

A loop of the user does, where its rounds have loops, choices or checks, or hand a number on: not those that LLVM might
turn into vectors, which are over with the arrays that they run through.  In a loop that hears, one or two more do not
that run through arrays, either.
"""
from __future__ import annotations

from typing import Iterator

from .core import (ONE, ZERO, Alloc, Assign, Call, Check, Copy, Do, Expr, If, Loop, Name, Stmt, Store, While, expr,
                   integer, product)
from .facts import elements, walk_loops
from .walking import blocks, bound_by, names_in, reads

CALLED, ALLOCATED, UNKNOWN = 1024, 16, 64  # steps of a call, of what takes memory, of a loop of unknown length
SHORT = 256  # rounds


def listens(loop: Loop | While, inside: bool) -> bool:
    """Does a loop hear?  `inside`: of another that does."""
    if isinstance(loop, While):
        return True
    if loop.kind != "sequential" or is_short(loop) or inside and runs_through(loop, 2):
        return False
    return any(map(is_of_its_own, loop.body)) or hands_on(loop.body) or stays_at_elements(loop)


def runs_through(loop: Loop, depth: int) -> bool:
    """Is a nest, of so many loops at most, over with the arrays that it runs through?"""
    if depth == 0 or not all([isinstance(s, Loop) and runs_through(s, depth - 1) for s in loops_in(loop.body)]):
        return False
    touched = [x for s in walk_loops(loop.body) for e in (s, *reads(s)) for x in elements(e)]
    return loop.index.id in {n.id for x in touched for i in x.index for n in names_in(i)}


def loops_in(stmts) -> Iterator[Loop | While]:
    """Those that no other among them is around."""
    for s in stmts:
        if isinstance(s, (Loop, While)):
            yield s
        else:
            for block in blocks(s):
                yield from loops_in(block)


def is_short(loop: Loop) -> bool:
    """Has it few rounds, however large the arrays are?"""
    rounds = integer(loop.stop - loop.start)
    return rounds is not None and abs(rounds) <= SHORT and not any(map(lasts, loop.body))


def lasts(s: Stmt) -> bool:
    """Is there a loop in it that may have many rounds?"""
    if isinstance(s, (Loop, While)):
        return isinstance(s, While) or not is_short(s)
    return any([lasts(inner) for block in blocks(s) for inner in block])


def is_of_its_own(s: Stmt) -> bool:
    """A statement with which LLVM makes no vectors of the loop around it."""
    return lasts(s) or any([isinstance(x, (If, Check)) or isinstance(x, Do) and calls_library(x.call)
                            for x in walk_loops((s,))])


def hands_on(body: tuple[Stmt, ...]) -> bool:
    """Is a number computed from what the round before has left?  (Sums may be added up in any order.)"""
    bound: set[str] = set()
    left = {n.id for s in walk_loops(body) for n in bound_by(s) if n.dtype is not None and n.dtype.kind in "fc"}
    for s in walk_loops(body):
        older = left - bound
        if isinstance(s, Assign) and isinstance(s.value, Name) and s.value.id in older:
            continue  # nothing is computed
        if any([n.id in older for n in computed_from(s)]):
            return True
        bound |= {n.id for n in bound_by(s)}
    return False


def stays_at_elements(loop: Loop) -> bool:
    """Does each round compute the same elements from what the round before has left in them?"""
    body = [*walk_loops(loop.body)]
    inner = {loop.index.id, *[n.id for s in body for n in bound_by(s)]}
    sums = {s.name for s in body if isinstance(s, Assign) and computed_from(s) != names_in(s.value)}
    kept = {s.array.id for s in body
            if isinstance(s, Store) and not (s.add or s.value in sums or stores_elsewhere(s, inner))}
    return any([x.array.id in kept for s in body for e in reads(s) for x in elements(e)])


def stores_elsewhere(store: Store, inner: set[str]) -> bool:
    """Does it store elsewhere in another round?"""
    return any([n.id in inner for i in store.index for n in names_in(i)])


def computed_from(s: Stmt) -> tuple[Name, ...]:
    """The names that a statement reads: of a step of a sum those of what is added."""
    match s:
        case Assign(value=Call("rs.radd" | "rs.rsub" | "rs.rmul", (_, step, *_))):
            return names_in(step)
    return tuple([n for e in reads(s) for n in names_in(e)])


def work(body: tuple[Stmt, ...]) -> Expr:
    """The steps of a round, with those of the loops in it that do not listen themselves."""
    over = [s for s in body if isinstance(s, Loop) and not listens(s, True)]
    inner = {n.id for s in body for n in bound_inside(s)} if over else set()
    inner |= {n.id for s in body if isinstance(s, (Alloc, Copy)) for n in bound_by(s)}  # it would live longer for it
    total, lengths = 0, []
    for s in body:
        if s in over:
            found = steps_of(s, inner)
            total, lengths = (total + UNKNOWN, lengths) if found is None else (total, [*lengths, found])
        else:
            total += cost(s)
    parts = [*lengths, *[expr(total)] * (total > 0 or not lengths)]
    return sum(parts[1:], parts[0])


def bound_inside(s: Stmt) -> Iterator:
    """What a statement binds that may have no value after it."""
    for inner in walk_loops((s,)):
        if isinstance(inner, Loop):
            yield inner.index
        if inner is not s:
            yield from bound_by(inner)


def steps_of(loop: Loop, inner: set[str]) -> Expr | None:
    """Its rounds times the steps of each, where these are known outside of it."""
    if integer(loop.step) not in (1, -1) or any([n.id in inner for e in (loop.start, loop.stop) for n in names_in(e)]):
        return None
    low, high = (loop.start, loop.stop) if loop.step == ONE else (loop.stop, loop.start)
    each = [steps_of(s, inner) for s in loop.body if isinstance(s, Loop)]
    if None in each:
        return None
    own = sum([cost(s) for s in loop.body if not isinstance(s, Loop)])
    parts = [*each, *[expr(own)] * (own > 1 or not each)]
    return product([*[high if low == ZERO else high - low], *[sum(parts[1:], parts[0])] * (parts != [ONE])])


def cost(s: Stmt) -> int:
    """The steps of a statement, without those of loops in it."""
    own = 1 + CALLED * any(map(calls_library, reads(s))) + ALLOCATED * isinstance(s, Alloc)
    return own + sum([UNKNOWN if isinstance(inner, (Loop, While)) else cost(inner)
                      for block in blocks(s) for inner in block] if isinstance(s, If) else [])


def calls_library(e: Expr) -> bool:
    """Does an expression call a function of matrices, or one of the module?"""
    own = isinstance(e, Call) and (e.function.startswith(("rl.", "rp.")) or "." not in e.function)
    return own or any(map(calls_library, reads(e)))


__all__ = ["listens", "work"]
