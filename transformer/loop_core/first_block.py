"""The first block of a sum inside a loop stands before the loop over blocks: most rows have no other.

    for i in range(n):                                      for i in range(n):
        for block in range(rs.blocks(m)):                       for k in range(rs.block_end(0, m)): ...
            for k in range(1024 * block,             ->         total, error = rs.add_exactly(...)
                           rs.block_end(block, m)): ...         for block in range(1, rs.blocks(m)): ...
            total, error = rs.add_exactly(...)

LLVM then sees a plain loop over each row, and what it asks before a vector loop leaves the loop over rows: sums of 16
elements take 0.75 of the time.
"""
from __future__ import annotations

from dataclasses import replace

from .core import ONE, ZERO, Alloc, Binary, Copy, Function, If, Loop, Num, Stmt, While
from .facts import loads, replaced, walk_loops
from .partials import counts_blocks
from .walking import blocks, mapped, reads

MOST = 40  # statements that are written twice


def with_first_block(f: Function) -> Function:
    return replace(f, body=rows_with_first_blocks(f.body, False))


def rows_with_first_blocks(stmts: tuple[Stmt, ...], inside: bool) -> tuple[Stmt, ...]:
    """`inside`: of a loop."""
    out: list[Stmt] = []
    for stmt in stmts:
        if inside and isinstance(stmt, Loop) and counts_blocks(stmt) and stmt.start == ZERO and needs_no_element(stmt):
            out += [in_first_block(s, stmt) for s in stmt.body]
            stmt = replace(stmt, start=ONE)
        elif isinstance(stmt, (Loop, While, If)):
            below = inside or not isinstance(stmt, If)
            stmt = mapped(stmt, lambda e: e, lambda block, below=below: rows_with_first_blocks(block, below))
        out.append(stmt)
    return tuple(out)


def needs_no_element(loop: Loop) -> bool:
    """Is nothing done beside the loops over a block that needs an element of it, which an empty one has not?  And no
    memory is made: that has one place."""
    beside, whole = [s for s in loop.body if not isinstance(s, Loop)], [*walk_loops(loop.body)]
    return (not any(loads(e) for s in beside for e in reads(s)) and not any(blocks(s) for s in beside)
            and len(whole) <= MOST and not any(isinstance(s, (Alloc, Copy)) for s in whole))


def in_first_block(stmt: Stmt, loop: Loop) -> Stmt:
    """A statement of the body, in the first block."""
    stmt = mapped(stmt, lambda e: replaced(e, {loop.index: ZERO}),
                  lambda block: tuple([in_first_block(s, loop) for s in block]))
    match stmt:
        case Loop(start=Binary("*", Num(), y)) if y == ZERO:
            return replace(stmt, start=ZERO)
    return stmt
