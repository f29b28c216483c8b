"""Which loops threads may share, because their iterations do not depend on each other: `loops.share` makes functions of
them.

Iterations are independent when the loop carries nothing, and what it stores into from outside is touched only at the
index of the loop, at one axis, under one name: an iteration then has a slice of its own.  A sum that all of them add
to, a read of a neighbour or a store at k + 1 is none of that, and such a loop stays as it is.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from ..analyse.buffers import is_buffer, is_update, shared
from ..analyse.sums import names_used
from ..core import Block, Const, For, If, Let, Stmt, Store, While, all_bound, blocks_of, operands, shows, walk
from ..core.index_codes import entries
from ..optimise.fuse import FusedKernel
from ..optimise.outline import Routine
from .parts import SharedNames


def is_work(loop: For) -> bool:
    """Does an iteration do more than a few instructions?  It has a loop, a branch or operations on arrays."""
    return any(isinstance(s, (For, While, If)) or isinstance(s, Let)
               and (isinstance(s.op, (FusedKernel, Routine)) or s.op.name == "matmul") for s in walk(loop.body))


GRAIN = 256  # iterations that one vector instruction computes are fewer
FEW = 16  # rounds of a loop that a compiler writes out


def has_rounds(loop: For) -> bool:
    """Has it loops inside that stay loops?  Vector instructions then belong to these,
    and not to several of its iterations."""
    return any(rounds is None or rounds >= FEW for stmt in walk(loop.body) for rounds in loop_rounds(stmt))


def loop_rounds(stmt) -> list[int | None]:
    """How many rounds loops of a statement have, None where the run decides."""
    match stmt:
        case While():
            return [None]
        case For(start=Const(start), stop=Const(stop), step=Const(step)):
            return [len(range(start, stop, step))]
        case For():
            return [None]
        case Let(op=FusedKernel() as kernel):
            return [d.constant for t in kernel.fun.types.values() for d in t.dims]
        case Let(op=op) if isinstance(op, Routine) or op.name == "matmul":
            return [None]
    return []


def own_parts(loop: For, before: tuple[Stmt, ...], memory: SharedNames) -> list[str] | None:
    """The arrays from outside into which each iteration stores a part of its own; None where iterations may depend on
    each other.

    `before` are the statements of its block that stand before the loop.
    """
    if keeps_order(loop) or loop.step not in (Const(1), Const(-1)):
        return None
    stmts, within = walk(loop.body), SharedNames(replace(memory.fun, body=loop.body))
    stored = {within.find(s.target if isinstance(s, Store) else s.args[0]) for s in stmts
              if isinstance(s, Store) or is_update(s)}
    outside = [*places_outside(loop, stmts, memory.fun.types)]
    places = {(name, axis) for name, axis in outside if within.find(name) in stored}
    axes, new = dict(places), newborn(before)
    if None in axes.values() or len(axes) < len(places):
        return None
    names = {name for name, _ in outside} - new
    return sorted(axes) if all(name in new or is_apart(name, names, memory) for name in axes) else None


def keeps_order(loop: For) -> bool:
    """Does the order of its iterations matter: does it carry something, or print?"""
    return bool(loop.carried) or shows(loop.body.stmts)


def places_outside(loop: For, stmts: list[Stmt], types) -> Iterator[tuple[str, int | None]]:
    """The arrays from outside that statements of a loop name, each with the axis at which it is taken at the index."""
    inside = {loop.index, *all_bound(loop.body)}
    for stmt in stmts:
        for k, name in enumerate(names_used(stmt)):
            if isinstance(name, str) and name not in inside and is_buffer(types[name]):
                yield name, operand_axis(stmt, loop.index) if k == 0 else None


def is_apart(name: str, others: set[str], memory: SharedNames) -> bool:
    """Is this memory apart from that of others, and from that of arguments, which may overlap itself?"""
    return (all(memory.apart(name, other) for other in {*others, *memory.fun.params} - {name})
            and name not in memory.fun.params)


def newborn(stmts: tuple[Stmt, ...]) -> set[str]:
    """The arrays that these statements make and have no other name for."""
    new: set[str] = set()
    for stmt in stmts:
        for s in walk(Block((stmt,))):
            new -= {*(shared(s) if isinstance(s, Let) else operands(s) if not isinstance(s, Store) else ())}
            new -= {r for block in blocks_of(s) for r in block.results}
        if isinstance(stmt, Let) and stmt.op.to_fill:
            new |= set(stmt.names)
    return new


def operand_axis(stmt, index: str) -> int | None:
    """The axis at which a statement takes its first operand at the index of a loop."""
    match stmt:
        case Store():
            codes, atoms = stmt.index, stmt.atoms
        case Let() if stmt.op.name == "getitem":
            codes, atoms = stmt.param("index"), stmt.args[1:]
        case _:
            return None
    if "a" in codes:
        return None
    axis = 0
    for code, own in entries(codes, atoms):
        if code == "i" and own == (index,):
            return axis
        axis += code != "n"
    return None
