"""Loops and branches with their mirrors: what a mirror cannot have otherwise is saved in the forward sweep.

A value of a loop's body goes to an array with one entry per iteration (a `while` grows it):

    y_tape = np.empty((n,))                for i__1 in range(n - 1, -1, -1):
    for i in range(n):                         y__1 = y_tape[i__1]
        y = np.sum(...)                        ...
        y_tape = rt.update(y_tape, y, i)

Behind its loop a tape is a value like any other: if that loop stands in a loop, the tape is computed again, or
saved in turn.  A value whose shape changes from iteration to iteration goes to a flat buffer with a position.  A
value of one side of a branch leaves the branch as one more of its results.
"""
from __future__ import annotations

import functools

from ..analyse.closed_forms import Form, at_header
from ..analyse.intervals import Intervals, counters
from ..core import Atom, Block, Builder, Const, For, If, Let, Stmt, While, bound, names_among, whose
from ..core.types import PY_INT, Dim, Type
from ..rules import OPS
from ..rules.kinds import dim_atom, dim_atoms, zeros_of
from .reads import redirect, undo_stores
from .tape_rows import inner_tape, rows_filled
from .values import Values, as_type, dim_names

ZERO, ONE = Const(0), Const(1)


# loops ------------------------------------------------------------------------------------------
def mirror_loop(b: Builder, facts: Intervals, loop: For | While, forward: list[Stmt], mirror: Block,
                headers: tuple[str, ...],
                inits: tuple[Atom, ...]) -> tuple[list[Stmt], For]:
    """(the statements of the forward loop with its tapes, the loop that runs backwards).

    `forward` and `mirror` are the body of the loop and its mirror, which carries `headers`.
    """
    counts, forward = counts_apart(loop, forward)
    tape = LoopTape(b, facts, loop, Block(tuple(forward), loop.body.results), mirror)
    stmts = [*counts, *tape.run()]
    start, stop, step = tape.reverse_range()
    body = tape.values.finish(tape.header)
    body = Block(body.stmts, body.results + tuple(after for _, after in tape.back.values()))
    positions = tuple(init for init, _ in tape.back.values())
    reverse = For(tape.index, start, stop, step, headers + tuple(tape.back), inits + positions, body, b.origin)
    facts.note(Block((reverse,)))
    return stmts, reverse


def counts_apart(loop: For | While, forward: list[Stmt]) -> tuple[list[Stmt], list[Stmt]]:
    """(how often inner loops run, where all iterations have the same count; the other statements)

    Before the loop the count is a length like others: the tapes of all iterations are one array."""
    inside = {loop.index} if isinstance(loop, For) else set()
    inside.update(loop.carried, *map(bound, forward))
    counts = [s for s in forward if isinstance(s, Let) and s.op.name == "rt.trip_count"
              and isinstance(s.args[2], Const) and s.args[2].value and not inside & set(names_among(s.args))]
    return counts, [s for s in forward if s not in counts]


class LoopTape:
    """Saves values of a loop's body."""

    def __init__(self, b: Builder, facts: Intervals, loop: For | While, body: Block, mirror: Block):
        self.b, self.facts, self.loop = b, facts, loop
        own = (*((loop.index,) if isinstance(loop, For) else ()), *loop.carried)
        self.values = Values(b, facts, loop, body, own, mirror)
        self.before: list[Stmt] = []
        self.behind: list[Stmt] = []
        self.carried: list[str] = []  # tapes and positions, in the forward loop
        self.inits: list[Atom] = []
        self.nexts: list[Atom] = []
        self.back: dict[str, list[Atom]] = {}  # positions and arrays, in the loop backwards: [init, next]
        self.made: dict[str, Atom] = {}
        self.tapes: dict[str, str] = {}
        if isinstance(loop, For):
            self.counter, self.start, self.stop, self.step = loop.index, loop.start, loop.stop, loop.step
            self.index = self.values.got[loop.index] = b.fresh(loop.index, PY_INT)
            here = {loop.index: Dim.of(self.index)}
            self.compute({c: form.substitute(here) for c, form in at_header(b, facts, loop).items()})
        else:
            self.count_by(counters(b, loop))

    def count_by(self, steps: dict[str, tuple[Atom, int]]) -> None:
        """A `while` is run backwards like a `for` over the values of one of its counters,
        or of one that is given it."""
        b = self.b
        counted = next((c for wanted in (1, -1) for c, (_, step) in steps.items() if step == wanted), None)
        self.counter = self.stop = counted or b.fresh("count", PY_INT)
        self.start, step = steps.get(counted, (ZERO, 1))
        self.step, self.index = Const(step), b.fresh(counted or "k", PY_INT)
        number = (Dim.of(self.index) - b.dim(self.start)) * step
        self.compute({c: Form(b.dim(init) + number * step) for c, (init, step) in steps.items()})

    def compute(self, forms: dict[str, Form]) -> None:
        """These counters have closed forms in the mirror."""
        self.values.formulas |= {c: functools.partial(self.formula, c, form) for c, form in forms.items()}

    def formula(self, hint: str, form: Form) -> Atom:
        top = dim_atom(self.b, form.top, hint if form.below == 1 else "t")
        return top if form.below == 1 else self.b.emit(OPS["floor_divide"], top, Const(form.below), hint=hint)

    def run(self) -> list[Stmt]:
        """The statements of the forward loop; `header` are then those for the header of the mirror."""
        loop = self.loop
        redirect(self.values)
        undone = undo_stores(self.values)
        self.header = self.values.provide(self.save)
        self.back |= {name: [c, self.values.got.get(after, after)] for c, name, after in undone}
        last: list[Stmt] = []
        if isinstance(loop, While):
            if self.counter not in loop.carried:
                self.carry(self.counter, ZERO)
                with self.b.block() as last:
                    self.nexts.append(self.b.emit(OPS["add"], self.counter, ONE, hint="count"))
        body = Block((*self.values.forward(), *last), self.values.block.results + tuple(self.nexts))
        carried, inits = loop.carried + tuple(self.carried), loop.inits + tuple(self.inits)
        stmt = For(loop.index, loop.start, loop.stop, loop.step, carried, inits, body,
                   loop.origin) if isinstance(loop, For) else \
            While(loop.test, carried, inits, body, loop.origin)
        return [*self.before, stmt, *self.behind]

    def carry(self, name: str, init: Atom) -> None:
        self.carried.append(name)
        self.inits.append(init)

    # counting -----------------------------------------------------------------------------------
    def trips(self) -> Atom:
        """How often the loop runs: of a `for` emitted at its first use, of a `while` known behind it."""
        b = self.b
        start, stop, step = (b.dim(a) for a in (self.start, self.stop, self.step))
        length = (stop - start) * step
        if isinstance(self.loop, While):
            return dim_atom(b, length, "count")
        if "trips" not in self.made:
            if all(d.constant is not None for d in (start, stop, step)):
                self.made["trips"] = Const(len(range(start.constant, stop.constant, step.constant)))
            elif step.constant in (1, -1) and self.facts.at_least(length, 0):
                self.made["trips"] = dim_atom(b, length, "trips")
            else:
                self.made["trips"] = b.emit(OPS["rt.trip_count"], self.start, self.stop, self.step, hint="trips")
        return self.made["trips"]

    def number(self, index: Atom) -> Atom:
        """The number of the iteration with this index."""
        b = self.b
        step = b.dim(self.step)
        if step.constant in (1, -1):
            return dim_atom(b, (b.dim(index) - b.dim(self.start)) * step, "k")
        k = dim_atom(b, b.dim(index) - b.dim(self.start), "k")
        return b.emit(OPS["floor_divide"], k, self.step, hint="k")

    def number_forward(self) -> Atom:
        if "k" not in self.made:
            with self.b.block() as stmts:
                self.made["k"] = self.number(self.counter)
            self.values.inserted.setdefault(None, [])[:0] = stmts
        return self.made["k"]

    def number_backward(self, later: int = 0) -> Atom:
        key = f"k + {later}"
        if key not in self.made:
            k = self.number(self.index) if not later else self.number_backward()
            self.made[key] = dim_atom(self.b, self.b.dim(k) + later, "k")
        return self.made[key]

    def reverse_range(self) -> tuple[Atom, Atom, Atom]:
        """The range of the loop backwards; emits its ends."""
        b, start, step = self.b, self.b.dim(self.start), self.b.dim(self.step)
        if step.constant in (1, -1):
            return dim_atom(b, b.dim(self.stop) - step, "last"), dim_atom(b, start - step, "end"), Const(-step.constant)
        last = start + (b.dim(self.trips()) - 1) * step
        return dim_atom(b, last, "last"), dim_atom(b, start - step, "end"), dim_atom(b, -step, "step")

    # saving -------------------------------------------------------------------------------------
    def save(self, names: list[str]):
        """Save values; {name: what emits reading it in the mirror}."""
        reads, headers = {}, self.headers(names)
        for name in names:
            t = self.b.types[name]
            if self.varies(t):
                reads[name] = self.save_flat(name, t)
            elif name not in headers:
                reads[name] = self.save_entry(name, t, last=name in headers.values())
        return reads | {name: self.reader(name, self.tapes[header], later=1) for name, header in headers.items()}

    def varies(self, t: Type) -> bool:
        """Does the shape change from iteration to iteration?"""
        return any(n in self.values.made_by for n in dim_names(t))

    def headers(self, names: list[str]) -> dict[str, str]:
        """{name: carried name that has its value in the next iteration}, where both are to be saved: one tape does."""
        headers: dict[str, str] = {}
        for c, after in zip(self.loop.carried, self.values.block.results):
            t = self.b.types[c]
            if (c in names and after in names and after not in self.values.own and t == self.b.types[after]
                    and not self.varies(t)):
                headers.setdefault(after, c)
        return headers

    def save_entry(self, name: str, t: Type, last: bool):
        """One entry per iteration, all of one shape; with `last`, one more for the value after the loop."""
        b, hint, counted, keeping = self.b, tape_name(name), isinstance(self.loop, For), self.origin_of_tape(name)
        inner = None if last or not counted else inner_tape(self.values, name)
        with b.block() as before:
            shape = dim_atoms(b, t.dims)
            if counted:
                entries = dim_atom(b, b.dim(self.trips()) + int(last), "trips")
                with b.at(keeping):
                    empty = b.emit(OPS["np.empty"], entries, *shape, hint=hint, dtype=t.dtype)
            else:
                empty = b.emit(OPS["rt.tape"], hint=hint, dtype=t.dtype)
        self.before += before
        tape = b.fresh(hint, b.types[empty])
        self.carry(tape, empty)
        if inner is not None and (filled := rows_filled(b, inner, name, tape, self.number_forward())) is not None:
            self.values.replace_statement(inner, filled)
            self.nexts.append(filled.carried[inner.carried.index(name)])
            self.tapes[name] = tape
            return self.reader(name, tape)
        with b.block() as store:
            k = self.number_forward()
            self.nexts.append(self.store(tape, k, name, t))
        self.values.insert(name, store)
        with b.block() as behind:
            if last:
                tape = self.store(tape, self.trips(), name, t)
            if not counted:
                entries = dim_atom(b, b.dim(self.trips()) + int(last), "count")
                with b.at(keeping):
                    tape = b.emit(OPS["rt.pop"], tape, ZERO, entries, *shape, hint=hint)
        self.behind += behind
        self.tapes[name] = tape
        return self.reader(name, tape)

    def origin_of_tape(self, name: str):
        """Where the value that is saved is computed, or that of the loop which carries it."""
        made = self.values.made_by[name]
        origin = made.origin if made is not None and made.origin else self.loop.origin
        return origin and origin.mirrored().but(kept=name)

    def store(self, tape: str, k: Atom, name: str, t: Type) -> Atom:
        """The tape with a value as its entry k."""
        b, hint = self.b, tape
        if isinstance(self.loop, For):
            return b.emit(OPS["rt.update"], tape, name, k, hint=hint, index=("i",))
        position = dim_atom(b, b.dim(k) * volume(t), "position")
        return b.emit(OPS["rt.push"], tape, position, name, hint=hint)

    def reader(self, name: str, tape: str, later: int = 0):
        b, t = self.b, self.b.types[name]
        return lambda: as_type(b, b.emit(OPS["getitem"], tape, self.number_backward(later), hint=name, index=("i",)), t,
                               name)

    def save_flat(self, name: str, t: Type):
        """Values whose shape varies lie one behind the other; backwards, the position runs down."""
        b, hint = self.b, tape_name(name)
        with b.block() as before:
            empty = b.emit(OPS["rt.tape"], hint=hint, dtype=t.dtype)
        self.before += before
        tape, position = b.fresh(hint, b.types[empty]), b.fresh("position", PY_INT)
        self.carry(tape, empty)
        self.carry(position, ZERO)
        with b.block() as store:
            self.nexts.append(b.emit(OPS["rt.push"], tape, position, name, hint=hint))
            self.nexts.append(b.emit(OPS["add"], position, dim_atom(b, volume(t)), hint="position"))
        self.values.insert(name, store)
        with b.block() as behind, b.at(self.origin_of_tape(name)):
            flat = b.emit(OPS["rt.pop"], tape, ZERO, position, hint=hint)
        self.behind += behind
        back = b.fresh("position", PY_INT)
        self.back[back] = [position, position]

        def read():
            here = self.values.dims(t)
            start = b.emit(OPS["subtract"], back, dim_atom(b, volume(here)), hint="position")
            self.back[back][1] = start
            part = b.emit(OPS["getitem"], flat, start, back, hint=name, index=("s110",), dims=(volume(here),))
            return part if t.rank == 1 else b.emit(OPS["np.reshape"], part, *dim_atoms(b, here.dims), hint=name)

        return read


def tape_name(name: str) -> str:
    hint = whose(name)
    return hint if hint.endswith("_tape") else f"{hint}_tape"


def volume(t: Type) -> Dim:
    product = Dim.of(1)
    for d in t.dims:
        product = product * d
    return product


# branches ---------------------------------------------------------------------------------------
def mirror_branch(b: Builder, facts: Intervals, stmt: If, forwards: list[list[Stmt]],
                  mirrors: list[Block]) -> tuple[If, list[Block]]:
    """(the branch with what its mirror needs as further results, the sides of the mirror)."""
    exports = Exports(b)
    done, sides = [], []
    for k, (side, forward, mirror) in enumerate(zip((stmt.then, stmt.orelse), forwards, mirrors)):
        values = Values(b, facts, stmt, Block(tuple(forward), side.results), (), mirror)
        redirect(values)
        header = values.provide(lambda names: {n: exports.save(k, values, n) for n in names})
        done.append(values.finish(header))
        sides.append(values)
        facts.note(done[-1])
    blocks = []
    for k, values in enumerate(sides):
        with b.block() as zeros:
            extra = tuple(value if side == k else zeros_of(b, filler) for side, value, filler in exports.results)
        blocks.append(Block((*values.forward(), *zeros), values.block.results + extra))
    return If(stmt.test, stmt.names + tuple(exports.names), *blocks, stmt.origin), done


class Exports:
    """Values that leave a side of a branch: a result more; the other side gives a zero that is never read."""

    def __init__(self, b: Builder):
        self.b = b
        self.names: list[str] = []
        self.results: list[tuple[int, Atom, Type]] = []  # (side, value there, type of the zero on the other)

    def save(self, side: int, values: Values, name: str):
        b, t = self.b, self.b.types[name]
        dims, filler = [], []
        for d in t.dims:
            if any(n in values.made_by for n in d.names):  # a length known on one side only leaves with it
                with b.block() as stmts:
                    length = dim_atom(b, d)
                values.insert(name, stmts)
                dims.append(Dim.of(self.export(side, length, PY_INT, PY_INT, "size")))
                filler.append(Dim.of(0))
            else:
                dims.append(d)
                filler.append(d)
        out = self.export(side, name, t.with_dims(dims), t.with_dims(filler), name)

        def read():
            here = values.dims(t)
            return out if here == b.types[out] else b.emit(OPS["retype"], out, hint=name, dims=here.dims)

        return read

    def export(self, side: int, value: Atom, t: Type, filler: Type, hint: str) -> str:
        out = self.b.fresh(hint, t)
        self.names.append(out)
        self.results.append((side, value, filler))
        return out
