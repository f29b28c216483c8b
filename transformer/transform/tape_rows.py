"""An inner loop fills its row of the tape around it, instead of a tape of its own that is copied there.

    row = np.empty((m,))                             for j in range(0, m, 1):
    for j in range(0, m, 1):                             tape = rt.update(tape, y, np.s_[i, j])
        row = rt.update(row, y, np.s_[j])
    tape = rt.update(tape, row, np.s_[i])
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Atom, Block, Builder, For, Let, Stmt, free_names, read_counts
from ..rules import OPS
from .values import Values


def inner_tape(values: Values, name: str) -> For | None:
    """The loop that fills a tape of this name, made for it; None where something else reads it, or it is no tape."""
    loop = values.made_by.get(name)
    if not isinstance(loop, For):
        return None
    init = loop.inits[loop.carried.index(name)]
    made = values.made_by.get(init)
    is_new = isinstance(made, Let) and made.op is OPS["np.empty"]
    others = tuple([s for s in values.block.stmts if s is not loop])
    is_read = name in free_names(Block(others, values.block.results)) or read_counts(values.block)[init] != 1
    return loop if is_new and not is_read else None


def rows_filled(b: Builder, loop: For, name: str, tape: Atom, place: Atom) -> For | None:
    """The loop with stores into the row at `place` of a tape, where it carried one of its own; None where it does more
    with that than to store into it."""
    at = loop.carried.index(name)
    carried = b.fresh(name, b.types[tape])
    body = into_rows(b, loop.body, {name: carried}, place)
    if body is None:
        return None
    return replace(loop, carried=with_atom_at(loop.carried, at, carried), inits=with_atom_at(loop.inits, at, tape),
                   body=body)


def with_atom_at(atoms: tuple, at: int, atom) -> tuple:
    return (*atoms[:at], atom, *atoms[at + 1:])


def into_rows(b: Builder, block: Block, now: dict[str, str], place: Atom) -> Block | None:
    """A block with its stores into a row as stores into the tape; `now`: {a version of the row: that of the tape}"""
    stmts: list[Stmt] = []
    for stmt in block.stmts:
        if now.keys().isdisjoint(free_names(Block((stmt,)))):
            stmts.append(stmt)
        elif isinstance(stmt, Let) and stmt.op is OPS["rt.update"] and now.keys().isdisjoint(stmt.args[1:]):
            row, value, *index = stmt.args
            now[stmt.name] = b.fresh(stmt.name, b.types[now[row]])
            params = tuple([(k, ("i", *v) if k == "index" else v) for k, v in stmt.params])
            stmts.append(replace(stmt, names=(now[stmt.name],), args=(now[row], value, place, *index), params=params))
        elif isinstance(stmt, For) and (inner := loop_into_rows(b, stmt, now, place)) is not None:
            stmts.append(inner)
        else:
            return None
    return Block(tuple(stmts), tuple([now.get(r, r) if isinstance(r, str) else r for r in block.results]))


def loop_into_rows(b: Builder, stmt: For, now: dict[str, str], place: Atom) -> For | None:
    given = [k for k, init in enumerate(stmt.inits) if init in now]
    if len(given) != 1 or not now.keys().isdisjoint(free_names(stmt.body)):
        return None
    name = stmt.carried[given[0]]
    inner = rows_filled(b, stmt, name, now[stmt.inits[given[0]]], place)
    if inner is not None:
        now[name] = inner.carried[given[0]]
    return inner
