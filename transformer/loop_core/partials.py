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
                   Store, integer, number, rs)
from .facts import handed_on, replaced
from .walking import all_bound, blocks, bound_by, mapped, names_in, names_read, reads

FEW = 4096  # elements that one thread reduces sooner than many
BLOCK = 1024  # `runtime.scalars.BLOCK`


def staged(loop: Loop, lasting: set[str], arrays, fresh) -> list[Stmt] | None:
    """The two stages; None where a reduction has no such form, or few elements.

    lasting  the names bound in the loop that are read after it
    arrays   the names of arrays, which are not taken together
    """
    kind = "sequential" if loop.kind == "sequential" else "independent"
    loops = [counted(loop, fresh)]
    while len(loops[-1].body) == 1 and isinstance(loops[-1].body[0], Loop) and loops[-1].body[0].kind == "reduction":
        loops.append(loops[-1].body[0])
    if (any(x.start != ZERO or x.step != ONE for x in loops) or not outside(loops)
            or any(n in arrays for n in handed_on(loop.body))):
        return None
    loops[-1] = in_blocks(loops[-1], lasting, fresh)
    found = None if loops[-1] is None else parted(loops[-1].body, lasting, fresh)
    counts = [x.stop for x in loops if x is not None]
    if found is None or None not in map(integer, counts) and np.prod([integer(n) for n in counts]) < FEW // BLOCK:
        return None
    (header, tail), indices = found, tuple(x.index for x in loops)
    made = {n.id: n for s in header for n in bound_by(s)}
    wanted = [made[name] for name in dict.fromkeys(n.id for s in tail for n in names_read(s)) if name in made]
    parts = {n: Name(fresh(f"{n.id.strip('_')}s"), n.dtype) for n in wanted}
    if any(n.id in arrays for n in wanted):
        return None
    first = (*header, *[Store(parts[n], indices, n) for n in wanted])
    again = [replace(x, index=Name(fresh(x.index.id.strip("_")), I8)) for x in loops]
    loaded = {x.index: y.index for x, y in zip(loops, again)} | {
        n: Load(parts[n], tuple([x.index for x in again])) for n in wanted}
    second = [mapped(s, lambda e: replaced(e, loaded)) for s in tail]
    return [*[Alloc(p, tuple(counts), early=True) for p in parts.values()], nested(loops, first, kind),
            nested(again, second, "sequential")]


def counted(loop: Loop, fresh) -> Loop:
    """The loop over the numbers of its iterations, from 0 on."""
    if loop.start == ZERO and loop.step == ONE:
        return loop
    k = Name(fresh("k"), I8)
    return replace(loop, index=k, start=ZERO, stop=trip_count(loop), step=ONE,
                   body=(Assign(loop.index, loop.start + k * loop.step), *loop.body))


def trip_count(loop: Loop) -> Expr:
    if loop.step == ONE:
        return loop.stop if loop.start == ZERO else loop.stop - loop.start
    return rs.trip_count(loop.start, loop.stop, loop.step)


def outside(loops: list[Loop]) -> bool:
    """Are the lengths of all the loops known before the first?"""
    indices = {x.index.id for x in loops}
    return not any(n.id in indices for x in loops for n in names_read(replace(x, body=())))


def nested(loops: list[Loop], body, kind: str) -> Stmt:
    for x in reversed(loops):
        body = (replace(x, body=tuple(body), kind=kind),)
    return body[0]


def parted(body: tuple[Stmt, ...], lasting: set[str], fresh) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]] | None:
    """What each iteration does for itself, and what takes it together, which alone knows of other iterations."""
    carried = handed_on(body) | lasting & all_bound(body)
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


def localised(stmts, carried: set[str], fresh) -> Localised | None:
    """None where they do more with a running value than take something into it."""
    out = Localised([], [], [])
    for stmt in stmts:
        if not carried & ({n.id for n in names_read(stmt)} | all_bound([stmt])):
            out.body.append(stmt)
        elif isinstance(stmt, (Loop, If)):
            inner = [localised(b, carried, fresh) for b in blocks(stmt)]
            if None in inner or any(n.id in carried for e in reads(stmt) for n in names_in(e)):
                return None
            bodies = iter([tuple(x.body) for x in inner])
            out.starts += [s for x in inner for s in x.starts]
            out.body.append(mapped(stmt, lambda e: e, lambda block: next(bodies)))
            out.ends += [s for x in inner for s in x.ends]
        else:
            identity = neutral(stmt)
            if identity is None or stmt.name.id not in carried or any(
                    n.id in carried and n != stmt.name for n in names_read(stmt)):
                return None
            part = Name(fresh("part"), stmt.name.dtype)
            out.starts.append(Assign(part, identity))
            out.body.append(Assign(part, replaced(stmt.value, {stmt.name: part})))
            out.ends.append(Assign(stmt.name, joined(stmt, part)))
    return out


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
    own = localised(loop.body, handed_on(loop.body) | lasting & all_bound(loop.body), fresh)
    if own is None or not own.ends or integer(loop.stop) is not None and integer(loop.stop) < FEW:
        return None
    block = Name(fresh("block"), I8)
    inner = replace(loop, start=Num(BLOCK, I8) * block, stop=rs.block_end(block, loop.stop), body=tuple(own.body))
    return replace(loop, index=block, stop=rs.blocks(loop.stop), body=(*own.starts, inner, *own.ends))


def element(stmt: Assign) -> Expr | None:
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
    value = element(stmt) if isinstance(stmt, Assign) else None
    if value is None or any(n == stmt.name for n in names_read(Assign(stmt.name, value))):
        return None
    return identity(kind_of(stmt), stmt.name.dtype)


TAKEN = {"+": "radd", "*": "rmul", "|": "either", "&": "both", "rs.radd": "radd", "rs.rmul": "rmul", "rs.most": "most",
         "rs.least": "least", "<": "lower", ">": "higher"}


def kind_of(stmt: Assign) -> str:
    """How a statement takes its `element` into the running value."""
    match stmt.value:
        case Num(value):
            return "either" if value else "both"
        case Binary(how) | Call("rs.select", (Binary(how), *_)) | Call(how):
            return TAKEN[how]
    raise TypeError(stmt)


def identity(kind: str | None, dtype) -> Num | None:
    """What changes no running value of this kind; None where there is no such number."""
    if kind in ("lower", "higher"):
        extreme = np.iinfo(dtype) if dtype.kind in "iu" else None
        return extreme and number(extreme.min if kind == "higher" else extreme.max, dtype)
    if kind in ("either", "both"):
        return number(kind == "both", BOOL) if dtype == BOOL else None
    value = {"radd": 0, "exactly": 0, "rmul": 1, "most": -np.inf, "least": np.inf}
    return None if kind is None else number(value[kind], dtype)


def joined(stmt: Assign, part: Name) -> Expr:
    """The running value with that of a block."""
    value = element(stmt)
    if value == stmt.value:
        return Binary("|" if value.value else "&", stmt.name, part)

    def swapped(e):
        return part if e == value else mapped(e, swapped) if not isinstance(e, Name) else e

    return swapped(stmt.value)
