"""Gradients within a budget of memory: loops in segments, from the beginnings of which the mirror computes again.

    for i in range(n):            kept at the beginnings of as many segments as there is room for: h
        h = np.tanh(W @ h)        run backwards, segment by segment: h from the last of them up to the segment, then
                                  the rounds of it with tapes, and their mirror

A loop becomes a call with derivatives of its own (`rules/kept_calls.py: CustomVjp`) before the derivative is taken.
Its rules are written in core, around one function: some rounds of the loop.  The mirror of that function says what a
round keeps on tapes and which of the carried values it needs, so that the lengths of segments and the number of states
are chosen by a formula in the source (`runtime/plain/segments.py`), for each call anew.
"""
from __future__ import annotations

import functools
import re
from dataclasses import replace

import numpy as np

from ..analyse.activity import active_names, flows
from ..core import (Atom, Block, Builder, Const, For, Fun, If, Let, Stmt, While, all_bound, blocks_of, bound, inline,
                    names_among, operands, shows, split_name, walk)
from ..core.types import PY_BOOL, PY_INT, Dim, Type
from ..errors.messages import SpecialisationError, UnsupportedError
from ..rules import OPS
from ..rules.collectives import Collective
from ..rules.kept_calls import CustomVjp
from ..rules.kinds import bar_name, dim_atom, dim_atoms, zeros_of
from .opening import open_calls
from .tape import volume
from .values import as_type, block_names_read, dim_names, static_names
from .vjp import vjp

ZERO, ONE = Const(0), Const(1)
INT = np.dtype(np.int64)
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}


def bytes_of(memory: str | int | float) -> int | float:
    """A budget as a number of bytes, or as a fraction of what is kept without it."""
    if isinstance(memory, str) and (m := re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmg]i?|)b\s*", memory.lower())):
        memory = int(float(m[1]) * UNITS[m[2]])
    if isinstance(memory, float) and 0 < memory < 1:
        return memory
    if isinstance(memory, (int, np.integer)) and not isinstance(memory, bool) and memory > 0:
        return int(memory)
    raise SpecialisationError(None, f"memory={memory!r} is no budget",
                              instead='Give it bytes, as in memory="200MB" or memory=200_000_000, or the fraction of '
                                      'what is kept without it, as in memory=0.1.')


def budgeted(fun: Fun, active: tuple[bool, ...], results: tuple[int, ...] | None, memory) -> Fun:
    """The function with its loops in segments, for a derivative as `vjp` takes it that keeps to a budget."""
    fun, share = open_calls(fun), bytes_of(memory)
    cut = rounds_to_cut(fun, names_that_move(fun, active, results))
    if not isinstance(share, float):
        share //= max(len(cut), 1)

    def block(old: Block) -> Block:
        return Block(tuple(map(one, old.stmts)), old.results)

    def one(stmt: Stmt) -> Stmt:
        if isinstance(stmt, If):
            return replace(stmt, then=block(stmt.then), orelse=block(stmt.orelse))
        return cut[id(stmt)].call(memory, share) if id(stmt) in cut else stmt

    return replace(fun, body=block(fun.body))


def names_that_move(fun: Fun, active: tuple[bool, ...], results: tuple[int, ...] | None) -> set[str]:
    chosen = [r for k, r in enumerate(fun.body.results) if results is None or k in results]
    return active_names(fun, [p for p, moves in zip(fun.params, active) if moves and fun.types[p].is_float], chosen)


def rounds_to_cut(fun: Fun, active: set[str]) -> dict[int, "Rounds"]:
    """{the id of a loop whose rounds keep something: its rounds}"""
    loops = [s for s in outer_loops(fun.body) if not active.isdisjoint(s.carried)]
    found = {id(loop): Rounds(fun, loop, active) for loop in loops if is_alone(fun, loop)}
    keeping = {key: rounds for key, rounds in found.items() if rounds.tapes}
    cut = {key: rounds for key, rounds in keeping.items() if rounds.sizes is not None}
    if not cut and (keeping or len(found) < len(loops)):
        raise UnsupportedError(fun.origin, "a budget of memory for a gradient whose loops keep values of sizes that "
                               "change from round to round, or print",
                               instead="Leave memory away; gs.checkpoint has a call computed again.")
    return cut


def outer_loops(block: Block) -> list[For | While]:
    """The loops of a block and of the sides of its branches, those in loops apart."""
    found = [s for s in block.stmts if isinstance(s, (For, While))]
    return found + [x for s in block.stmts if isinstance(s, If) for side in blocks_of(s) for x in outer_loops(side)]


def names_from_outside(fun: Fun, loop: For | While) -> tuple[str, ...]:
    """What a loop reads from outside, and the lengths of that and of what it carries."""
    read = block_names_read(loop.body, fun.types)
    read |= {*names_among((loop.start, loop.stop, loop.step)), loop.index} if isinstance(loop, For) else set()
    read |= {d for n in (*read, *loop.carried) for d in dim_names(fun.types[n])}
    return tuple(sorted(read - made_in(loop)))


def made_in(loop: For | While) -> set[str]:
    """All names that a loop binds inside."""
    return {*loop.carried, *all_bound(loop.body), *([loop.index] if isinstance(loop, For) else [])}


def is_alone(fun: Fun, loop: For | While) -> bool:
    """Has all that the loop carries the same size in each round, and does nobody see or hear of a round?"""
    made = made_in(loop)
    return not (shows(loop.body.stmts)
                or any([isinstance(s, Let) and isinstance(s.op, Collective) for s in walk(loop.body)])
                or any([fun.types[c].kind == "tape" or made & dim_names(fun.types[c]) for c in loop.carried]))


class Rounds:
    """A loop as a function of some of its rounds: (first, behind, *carried, *others) -> (*carried, *summed).

    inits   {a name that the loop carries: the parameter for its value before}
    others  what it reads from outside; `summed` are the floats among them that have a cotangent
    moves   the parameters that have one, in their order: those of the carried `moving`, and `summed`
    mirror  the vjp of that function
    state   the carried names of which the mirror needs the value before, and so what gives these
    """

    def __init__(self, fun: Fun, loop: For | While, active: set[str]):
        b = Builder(dict(fun.types))
        self.loop, self.others = loop, names_from_outside(fun, loop)
        self.inits = {c: b.fresh(c, b.types[c]) for c in loop.carried}
        self.moving, self.summed = ([n for n in names if n in active] for names in (loop.carried, self.others))
        self.moves = [*(self.inits[c] for c in self.moving), *self.summed]
        self.fun = self.some_rounds(b)
        moves, seeds = [p in self.moves for p in self.fun.params], range(len(loop.carried), len(self.fun.body.results))
        self.mirror = vjp(self.fun, tuple(moves), (*map(loop.carried.index, self.moving), *seeds))

    def some_rounds(self, b: Builder) -> Fun:
        loop, first, behind = self.loop, b.fresh("first", PY_INT), b.fresh("behind", PY_INT)
        start, step = (loop.start, loop.step) if isinstance(loop, For) else (ZERO, ONE)
        index = loop.index if isinstance(loop, For) else b.fresh("k", PY_INT)
        ends = [dim_atom(b, b.dim(start) + Dim.of(k) * b.dim(step)) for k in (first, behind)]
        b.append(For(index, *ends, step, loop.carried, tuple(self.inits.values()), loop.body, loop.origin))
        return b.fun("rounds", (first, behind, *self.inits.values(), *self.others), (*loop.carried, *self.summed),
                     origin=loop.origin)

    @functools.cached_property
    def state(self) -> list[str]:
        needed = read_for(self.mirror, self.mirror.body.results[len(self.fun.body.results):])
        return [c for c in self.loop.carried if self.inits[c] in needed]

    @functools.cached_property
    def place(self) -> int:
        """Where the forward loop of the mirror stands in it."""
        carried = self.loop.carried
        return next(k for k, s in enumerate(self.mirror.body.stmts)
                    if isinstance(s, For) and s.carried[:len(carried)] == carried)

    @functools.cached_property
    def tapes(self) -> list[Type]:
        """The types of what the forward loop carries more than the loop, positions in it apart."""
        carried = self.mirror.body.stmts[self.place].carried[len(self.loop.carried):]
        return [t for n in carried if (t := self.mirror.types[n]) != PY_INT]

    @functools.cached_property
    def sizes(self) -> Fun | None:
        """(first, behind, *inits, *others) -> (the bytes of a state, the bytes that a round keeps); None: they change
        from round to round."""
        b, before = Builder(like=self.mirror), self.mirror.body.stmts[:self.place]
        known = {*self.fun.params, *(n for s in before for n in bound(s))}
        if any([t.kind == "tape" or not dim_names(t) <= known for t in self.tapes]):
            return None
        b.stmts = [*before]
        rows = [t.with_dims(t.dims[1:]) for t in self.tapes]
        state = [Type("array", INT), *(b.types[c] for c in self.state)]
        totals = [dim_atom(b, sum((volume(t) * t.dtype.itemsize for t in ts), Dim.of(0))) for ts in (state, rows)]
        return b.fun("sizes", self.fun.params, totals)

    def call(self, memory, share: int | float) -> Let:
        """The loop as a call; its rules keep to a share of the budget: bytes, or a fraction of its own tapes."""
        loop, b = self.loop, Builder(like=self.fun)
        given = dict(zip((*self.inits.values(), *self.others), (*loop.inits, *self.others)))
        params = (*self.moves, *[p for p in given if p not in self.moves])
        plain = replace(loop, inits=tuple(self.inits.values()))
        op = SegmentsCall("rounds", Fun(self.fun.name, params, Block((plain,), loop.carried), b.types, {}, loop.origin),
                       len(self.moves), 0)
        sweep = SegmentSweeps(self, b, memory, share)
        with b.at(loop.origin):
            finals = sweep.forward()
        residuals = tuple(dict.fromkeys([*names_among((sweep.trips, sweep.length, sweep.starts, sweep.top)),
                                         *sweep.kept, *self.moves]))
        op.forward = b.fun(self.fun.name, params, (*finals, *residuals), origin=loop.origin)
        b.stmts = []
        seeds = {c: b.fresh(bar_name(c), b.types[c]) for c in loop.carried if b.types[c].is_float}
        with b.at(loop.origin and loop.origin.mirrored()):
            bars = sweep.backward(seeds)
        op.backward = b.fun(self.fun.name, (*residuals, *seeds.values(), *params[op.count:]),
                            [bars[p] for p in self.moves], origin=loop.origin)
        return Let(loop.carried, op, tuple(given[p] for p in params), (), loop.origin)


class SegmentsCall(CustomVjp):
    """A loop whose rules run it in segments."""

    def refuse_outside(self, let, differs):
        """What its mirror gives no cotangent has none."""


class SegmentSweeps:
    """The two sweeps of a loop in segments, as they are written."""

    def __init__(self, rounds: Rounds, b: Builder, memory, share: int | float):
        self.rounds, self.b, self.memory, self.share = rounds, b, memory, share

    def remark(self) -> str:
        names = ", ".join(dict.fromkeys(split_name(c)[0] for c in self.rounds.state))
        states = f"{names} at the beginnings of segments, and " if names else ""
        return f"memory={self.memory!r} keeps {states}the tapes of one segment at a time"

    def run(self, first: Atom, behind: Atom, carried: dict[str, Atom]) -> dict[str, Atom]:
        """Some rounds, from these values of what is carried."""
        out = inline(self.b, self.rounds.fun, (first, behind, *carried.values(), *self.rounds.others))
        return dict(zip(carried, out))

    def measure(self, trips: Atom) -> None:
        """How long segments are, and how many states are kept."""
        b, emit, rounds = self.b, self.b.emit, self.rounds
        self.trips = trips
        state, kept = inline(b, rounds.sizes, (ZERO, trips, *rounds.inits.values(), *rounds.others))
        room: Atom = Const(self.share)
        if isinstance(self.share, float):
            every = emit(OPS["multiply"], trips, kept, hint="size")
            room = emit(OPS["int"], emit(OPS["multiply"], Const(self.share), every, hint="room"), hint="room")
        with b.at(b.origin and b.origin.but(remark=self.remark())):
            self.length = emit(OPS["rt.segment_length"], trips, state, kept, room, hint="length")
        self.starts = emit(OPS["rt.segment_starts"], trips, self.length, state, kept, room, hint="starts")
        names = {"": Type("array", INT), **{c: b.types[c] for c in rounds.state}}
        self.kept = []
        for c, t in names.items():
            with b.at(b.origin and b.origin.but(kept=c or next(iter(rounds.state), "rounds"))):
                self.kept.append(emit(OPS["np.empty"], self.starts, *dim_atoms(b, t.dims), dtype=t.dtype,
                                      hint=f"{split_name(c or 'first')[0]}_kept"))

    def keep(self, kept: list[str], k: Atom, first: Atom, carried: dict[str, Atom]) -> list[Atom]:
        """What is kept with the state before a round as number k."""
        values = [first, *(carried[c] for c in self.rounds.state)]
        return [self.b.emit(OPS["rt.update"], array, v, k, hint=array, index=("i",)) for array, v in zip(kept, values)]

    def again(self, kept: list[str], k: Atom) -> tuple[Atom, dict[str, Atom]]:
        """(the round, what is carried before it) of state number k."""
        b, rounds = self.b, self.rounds
        found = [as_type(b, b.emit(OPS["getitem"], array, k, hint=c, index=("i",)), t, c) for array, c, t in
                 zip(kept, ("first", *rounds.state), (PY_INT, *(b.types[c] for c in rounds.state)))]
        return found[0], rounds.inits | dict(zip(rounds.state, found[1:]))

    def headers(self, atoms) -> list[str]:
        return [self.b.fresh(a if isinstance(a, str) else "t", self.b.type(a)) for a in atoms]

    def forward(self) -> tuple[Atom, ...]:
        """The loop, which keeps states; a `while` only that at its beginning: its rounds are known behind it."""
        b, rounds, loop = self.b, self.rounds, self.rounds.loop
        inits = dict(rounds.inits)
        if isinstance(loop, While):
            count = b.fresh("count", PY_INT)
            with b.block() as more:
                after = b.emit(OPS["add"], count, ONE, hint="count")
            b.append(While(loop.test, (*loop.carried, count), (*inits.values(), ZERO),
                           Block((*loop.body.stmts, *more), (*loop.body.results, after)), b.origin))
            self.measure(count)
            self.kept, self.top = self.keep(self.kept, ZERO, ZERO, inits), ZERO
            return loop.carried
        self.measure(b.emit(OPS["rt.trip_count"], loop.start, loop.stop, loop.step, hint="trips"))
        self.top = b.emit(OPS["subtract"], self.starts, ONE, hint="last")
        k, first = b.fresh("k", PY_INT), b.fresh("first", PY_INT)
        kept, carried = self.headers(self.kept), dict(zip(inits, self.headers(inits.values())))
        with b.block() as body:
            nexts = self.keep(kept, k, first, carried)
            free = b.emit(OPS["subtract"], self.top, k, hint="free")
            behind = b.emit(OPS["rt.next_start"], first, self.trips, self.length, free, hint="stop")
            nexts += [behind, *self.run(first, behind, carried).values()]
        b.append(For(k, ZERO, self.starts, ONE, (*kept, first, *carried.values()), (*self.kept, ZERO, *inits.values()),
                     Block(tuple(body), tuple(nexts)), b.origin))
        self.kept = kept
        return tuple(carried.values())

    def backward(self, seeds: dict[str, str]) -> dict[str, Atom]:
        """The mirror: {parameter: its cotangent}."""
        b, rounds = self.b, self.rounds
        inits = [*(seeds[c] for c in rounds.moving), *(zeros_of(b, b.types[n], bar_name(n)) for n in rounds.summed)]
        bars = {n: b.fresh(bar_name(n), b.types[n]) for n in rounds.moves}
        end, top, more = b.fresh("end", PY_INT), b.fresh("top", PY_INT), b.fresh("more", PY_BOOL)
        kept = self.headers(self.kept)
        with b.block() as body:
            first, last, after, carried = self.climb(kept, top, end)
            out = inline(b, rounds.mirror, (first, end, *carried.values(), *rounds.others, *bars.values()))
            below = b.emit(OPS["subtract"], last, ONE, hint="top")
            again = b.emit(OPS["greater"], first, ZERO, hint="more")
            nexts = again, first, below, *after, *out[len(rounds.fun.body.results):]
        start = b.emit(OPS["greater"], self.trips, ZERO, hint="more")
        b.append(While(more, (more, end, top, *kept, *bars.values()),
                       (start, self.trips, self.top, *self.kept, *inits), Block(tuple(body), nexts), b.origin))
        return bars

    def climb(self, kept: list[str], top: str, end: str) -> tuple:
        """(the first round of the last segment before `end`, the number of its state, what is kept then, what is
        carried there), from the state `top`, with states kept on the way."""
        b = self.b
        at, carried = self.again(kept, top)
        above = b.emit(OPS["add"], top, ONE, hint="above")
        free = b.emit(OPS["subtract"], self.starts, above, hint="free")
        steps = b.emit(OPS["rt.starts_ahead"], at, end, self.length, free, hint="steps")
        last = b.emit(OPS["add"], top, steps, hint="last")
        k, first = b.fresh("k", PY_INT), b.fresh("first", PY_INT)
        arrays, state = self.headers(kept), [c for c in carried if c in self.rounds.state]
        here = dict(zip(state, self.headers(carried[c] for c in state)))
        with b.block() as body:
            free = b.emit(OPS["subtract"], self.starts, k, hint="free")
            behind = b.emit(OPS["rt.next_start"], first, end, self.length, free, hint="stop")
            after = self.run(first, behind, carried | here)
            nexts = [*self.keep(arrays, k, behind, after), behind]
        inits = (*kept, at, *(carried[c] for c in state))
        b.append(For(k, above, b.emit(OPS["add"], last, ONE, hint="t"), ONE, (*arrays, first, *here.values()), inits,
                     Block(tuple(body), (*nexts, *(after[c] for c in state))), b.origin))
        return first, last, arrays, carried | here


def read_for(fun: Fun, results) -> set[str]:
    """The names that what gives these results reads, and those that checks read."""
    needed, before = {*names_among(results)}, -1

    def sweep(block: Block) -> bool:
        """Is anything in here needed?"""
        alive = [stmt for stmt in reversed(block.stmts) if is_needed(stmt)]
        for stmt in alive:
            needed.update(names_among(operands(stmt)) if not isinstance(stmt, (For, While)) else control(stmt))
            needed.update(static_names(stmt) if isinstance(stmt, Let) else ())
        return bool(alive)

    def is_needed(stmt: Stmt) -> bool:
        if isinstance(stmt, Let) and (stmt.op.effect or stmt.param("checks") or not needed.isdisjoint(stmt.names)):
            needed.update(names_among(stmt.args))
            return True
        hand_back(stmt)
        inside = any([sweep(inner) for inner in blocks_of(stmt)])
        hand_back(stmt)
        return inside or not needed.isdisjoint(bound(stmt))

    def hand_back(stmt: Stmt) -> None:
        needed.update([a for a, to in flows(stmt) if to in needed and isinstance(a, str)])

    def control(stmt: For | While) -> list[str]:
        return names_among((stmt.start, stmt.stop, stmt.step)) if isinstance(stmt, For) else [stmt.test]

    while len(needed) != before:  # what a loop hands on reaches its own header
        before = len(needed)
        sweep(fun.body)
        needed |= {d for n in needed for d in dim_names(fun.types[n])}
    return needed
