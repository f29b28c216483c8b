"""Whole reductions in two stages: many threads reduce blocks, one takes their results together, always in one order.

    for block in range(count):  [reduction]            parts = rm.empty((count,), np.float64)
        part = 0.0                                     for block in range(count):  [independent]
        for i in range(...):                               part = 0.0
            part = part + x[i]                  ->         for i in range(...):
        total = total + part                                   part = part + x[i]
                                                           parts[block] = part
                                                       for block in range(count):
                                                           total = total + parts[block]

A reduction that has no blocks gets them first.  What is in loops that become threads stays as it is: there a thread
reduces for itself, or a group of them (`lanes`).
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .core import (BOOL, I8, ONE, ZERO, Alloc, Assign, Assigns, Binary, Call, Expr, If, Load, Loop, Name, Num, Stmt,
                   Store, expr, integer, number, rs)
from .facts import handed_on, replaced
from .rounds import around, has_fewer_rounds, is_plain_range, loop_trip_count
from .walking import blocks, bound_by, mapped, names_bound, names_in, names_mentioned, names_read, reads

FEW = 4096  # elements that one thread reduces sooner than many
BLOCK = 1024  # `runtime.scalars.BLOCK`
UNEVEN = 64  # rounds, from which on they are shared evenly enough


def staged(loop: Loop, lasting: set[str], arrays, fresh, in_runs: bool = False) -> list[Stmt] | None:
    """The two stages; None where a reduction has no such form, or few elements.

    lasting  the names bound in the loop that are read after it
    arrays   the names of arrays, which are not taken together
    in_runs  a loop of the user has a bounded number of results to take together, however many rounds it has
    """
    loops = reduction_nest(counted_loop(loop, fresh))
    if not are_counted(loops) or any(n in arrays for n in handed_on(loop.body)):
        return None
    first, loops = in_pieces(loops, lasting, fresh, in_runs)
    found = loops[-1] and parted_body(loops[-1].body, lasting, fresh)
    if found is None or has_fewer_rounds(loops, 2 if in_runs else FEW // BLOCK):
        return None
    own, together = found
    parts = stage_results(own, together, fresh)
    if any(n.id in arrays for n in parts):
        return None
    return [*first, *first_stage(loops, own, parts, loop.kind), second_stage(loops, together, parts, fresh)]


def in_pieces(loops: list[Loop], lasting: set[str], fresh, in_runs: bool) -> tuple[list[Stmt], list[Loop | None]]:
    """(what comes before the loops, the loops with the last one over blocks or runs; None where it has no such form)"""
    if not in_runs or any(map(counts_blocks, loops)):
        return [], [*loops[:-1], in_blocks(loops[-1], lasting, fresh)]
    if len(loops) == 1 or not has_fewer_rounds(loops[:1], UNEVEN):
        loops = loops[:1]
    first, last = runs(loops[-1], lasting, fresh)
    return first, [*loops[:-1], last]


def reduction_nest(loop: Loop) -> list[Loop]:
    """A loop, and the reductions in it of which each is all that the one around it does."""
    loops = [loop]
    while len(loops[-1].body) == 1 and isinstance(loops[-1].body[0], Loop) and loops[-1].body[0].kind == "reduction":
        loops.append(loops[-1].body[0])
    return loops


def are_counted(loops: list[Loop]) -> bool:
    """Do all loops count from 0 on, to numbers that are known before the first?"""
    indices = {x.index.id for x in loops}
    return (all(x.start == ZERO and x.step == ONE for x in loops)
            and not any(n.id in indices for x in loops for n in names_in(x.stop)))


def stage_results(own, together, fresh) -> dict[Name, Name]:
    """The numbers that the second stage reads of the first, each with a name for the array of them."""
    made = {n.id: n for s in own for n in bound_by(s)}
    wanted = [made[name] for name in dict.fromkeys(n.id for s in together for n in names_read(s)) if name in made]
    return {n: Name(fresh(f"{n.id.strip('_')}s"), n.dtype) for n in wanted}


def first_stage(loops: list[Loop], own, parts: dict[Name, Name], kind: str) -> list[Stmt]:
    kind = "sequential" if kind == "sequential" else "independent"
    indices = tuple([x.index for x in loops])
    each = (*own, *[Store(array, indices, n) for n, array in parts.items()])
    return [*[Alloc(p, tuple([x.stop for x in loops]), early=True) for p in parts.values()],
            *around([replace(x, kind=kind) for x in loops], each)]


def second_stage(loops: list[Loop], together, parts: dict[Name, Name], fresh, columns=()) -> Stmt:
    """What takes the first stage's results together; of all `columns` these are indices of one."""
    again = [replace(x, index=Name(fresh(x.index.id.strip("_")), I8), kind="sequential") for x in loops]
    indices = tuple([x.index for x in again])
    loaded = {x.index: y for x, y in zip(loops, indices)} | {
        n: Load(array, (*indices, *columns)) for n, array in parts.items()}
    return around(again, [mapped(s, lambda e: replaced(e, loaded)) for s in together])[0]


def counted_loop(loop: Loop, fresh) -> Loop:
    """The loop over the numbers of its iterations, from 0 on."""
    if is_plain_range([loop]):
        return loop
    k = Name(fresh("k"), I8)
    return replace(loop, index=k, start=ZERO, stop=loop_trip_count(loop), step=ONE,
                   body=(Assign(loop.index, loop.start + k * loop.step), *loop.body))


def parted_body(body: tuple[Stmt, ...], lasting: set[str], fresh) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]] | None:
    """What each iteration does for itself, and what takes it together, which alone knows of other iterations."""
    carried = handed_on(body) | lasting & names_bound(body)
    at = len(body)
    while at and isinstance(body[at - 1], (Assign, Assigns)) and {n.id for n in bound_by(body[at - 1])} <= carried:
        at -= 1
    own = localised(body[:at], carried, fresh)
    return None if own is None or not (own.ends or body[at:]) else ((*own.starts, *own.body), (*own.ends, *body[at:]))


@dataclass
class Localised:
    """Statements with running values of their own, which start as `starts` says and are taken together by `ends`."""

    starts: list[Stmt]
    body: list[Stmt]
    ends: list[Stmt]

    @classmethod
    def joined(cls, several: list["Localised"]) -> "Localised":
        return cls(*[[s for x in several for s in getattr(x, part)] for part in ("starts", "body", "ends")])


def localised(stmts, carried: set[str], fresh) -> Localised | None:
    """None where they do more with a running value than take something into it."""
    found = []
    for stmt in stmts:
        if carried.isdisjoint(names_mentioned(stmt)):
            found.append(Localised([], [stmt], []))
        elif isinstance(stmt, (Loop, If)):
            found.append(localised_blocks(stmt, carried, fresh))
        else:
            found.append(localised_step(stmt, carried, fresh))
        if found[-1] is None:
            return None
    return Localised.joined(found)


def localised_blocks(stmt: Loop | If, carried: set[str], fresh) -> Localised | None:
    inner = [localised(b, carried, fresh) for b in blocks(stmt)]
    if None in inner or any(n.id in carried for e in reads(stmt) for n in names_in(e)):
        return None
    bodies = iter([tuple(x.body) for x in inner])
    return replace(Localised.joined(inner), body=[mapped(stmt, lambda e: e, lambda block: next(bodies))])


def localised_step(stmt: Stmt, carried: set[str], fresh) -> Localised | None:
    """A step into a running value, as one into a part of it."""
    identity = neutral(stmt)
    if identity is None or stmt.name.id not in carried or any(
            n.id in carried and n != stmt.name for n in names_read(stmt)):
        return None
    part = Name(fresh("part"), stmt.name.dtype)
    return Localised([Assign(part, identity)], [Assign(part, replaced(stmt.value, {stmt.name: part}))],
                     [Assign(stmt.name, joined_blocks(stmt, part))])


def in_blocks(loop: Loop, lasting: set[str], fresh) -> Loop | None:
    """
        for i in range(n):                         for block in range(rs.blocks(n)):
            total = rs.most(total, x[i])     ->        part = -np.inf
                                                       for i in range(1024 * block, rs.block_end(block, n)):
                                                           part = rs.most(part, x[i])
                                                       total = rs.most(total, part)
    """
    if any(isinstance(s, Loop) for s in loop.body):
        return loop  # its iterations are large
    own = localised(loop.body, handed_on(loop.body) | lasting & names_bound(loop.body), fresh)
    if own is None or not own.ends or integer(loop.stop) is not None and integer(loop.stop) < FEW:
        return None
    block = Name(fresh("block"), I8)
    inner = replace(loop, start=Num(BLOCK, I8) * block, stop=rs.block_end(block, loop.stop), body=tuple(own.body))
    return replace(loop, index=block, stop=rs.blocks(loop.stop), body=(*own.starts, inner, *own.ends))


def counts_blocks(loop: Loop) -> bool:
    return isinstance(loop.stop, Call) and loop.stop.function == "rs.blocks"


def runs(loop: Loop, lasting: set[str], fresh) -> tuple[list[Stmt], Loop | None]:
    """
        for t in range(n):                   size = rs.run_size(n, 1)
            total = total + f(t)     ->      for run in range(rs.trip_count(0, n, size)):
                                                 part = 0.0
                                                 for t in range(size * run, rs.clamp(size * run + size, n)):
                                                     part = part + f(t)
                                                 total = total + part

    (what comes before the loop, the loop)
    """
    own = localised(loop.body, handed_on(loop.body) | lasting & names_bound(loop.body), fresh)
    if own is None or not own.ends:
        return [], None
    least = 1 if any(isinstance(s, Loop) for s in loop.body) else BLOCK
    run, size = (Name(fresh(name), I8) for name in ("run", "size"))
    inner = replace(loop, start=size * run, stop=rs.clamp(size * run + size, loop.stop), body=tuple(own.body))
    return ([Assign(size, rs.run_size(loop.stop, expr(least)))],
            replace(loop, index=run, stop=rs.trip_count(ZERO, loop.stop, size), body=(*own.starts, inner, *own.ends)))


def element_taken(stmt: Assign) -> Expr | None:
    """What is taken into a running value by `total = total + element`, or such; None of another statement."""
    match stmt:
        case Assign(_, Num() as value) if value.dtype == BOOL:  # as by `and False`, `or True`
            return value
        case Assign(name, Binary("+" | "*" | "|" | "&", total, value)) if total == name:
            return value
        case Assign(name, Call("rs.radd" | "rs.rmul" | "rs.most" | "rs.least", (total, value))) if total == name:
            return value
        case Assign(name, Call("rs.select", (Binary("<" | ">", first, second), value, total))) if (
                total == name == second and value == first):
            return value
    return None


def neutral(stmt: Stmt) -> Num | None:
    """What changes no running value; None where a statement is no such step, or reads the value elsewhere."""
    value = element_taken(stmt) if isinstance(stmt, Assign) else None
    if value is None or any(n == stmt.name for n in names_read(Assign(stmt.name, value))):
        return None
    return neutral_value(reduction_kind(stmt), stmt.name.dtype)


TAKEN = {"+": "radd", "*": "rmul", "|": "either", "&": "both", "rs.radd": "radd", "rs.rmul": "rmul", "rs.most": "most",
         "rs.least": "least", "<": "lower", ">": "higher"}


def reduction_kind(stmt: Assign) -> str:
    """How a statement takes its `element` into the running value."""
    match stmt.value:
        case Num(value):
            return "either" if value else "both"
        case Binary(how) | Call("rs.select", (Binary(how), *_)) | Call(how):
            return TAKEN[how]
    raise TypeError(stmt)


def neutral_value(kind: str | None, dtype) -> Num | None:
    """What changes no running value of this kind; None where there is no such number."""
    if kind in ("lower", "higher"):
        extreme = np.iinfo(dtype) if dtype.kind in "iu" else None
        return extreme and number(extreme.min if kind == "higher" else extreme.max, dtype)
    if kind in ("either", "both"):
        return number(kind == "both", BOOL) if dtype == BOOL else None
    value = {"radd": 0, "exactly": 0, "rmul": 1, "most": -np.inf, "least": np.inf}
    return None if kind is None else number(value[kind], dtype)


def joined_blocks(stmt: Assign, part: Name) -> Expr:
    """The running value with that of a block."""
    value = element_taken(stmt)
    if value == stmt.value:
        return Binary("|" if value.value else "&", stmt.name, part)

    def swapped(e):
        return part if e == value else mapped(e, swapped) if not isinstance(e, Name) else e

    return swapped(stmt.value)
