"""Loops over elements that add to neighbours become operations on arrays.

    for i in range(n - 2, 0, -1):                       g = z_bar[1:n-1]
        g = z_bar[i]                                    t = 0.5 * g
        t = 0.5 * g                                     y_bar__1 = rt.update_add(y_bar, t, np.s_[0:n-2])
        y_bar__1 = rt.update_add(y_bar, t, np.s_[i - 1])    y_bar__2 = rt.update_add(y_bar__1, t, np.s_[2:n])
        y_bar__2 = rt.update_add(y_bar__1, t, np.s_[i + 1])

The adjoint of a stencil that is written with indices stores into several neighbours in each iteration, which no
compiler makes vectors of; as operations on parts it is gathered (`transformer/lower/gather.py`).  Each array that such
loops hand on is only added to, or only touched at the place of the iteration, so that each statement may run for all
iterations before the next one does; rounding of sums in derivatives is not promised to the bit.  Slices clamp where
indices raise: this form is for arguments of which some polynomials are not negative, and for others the loops stay.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from ..analyse.ranges import Ranges
from ..core import Atom, Const, For, Fun, Let, all_bound
from ..core.types import PY_INT, Dim
from ..rules.indexing import Update
from ..rules.kinds import Elementwise, dim_atom
from .rewriter import Rewriter
from .simplify import is_derivative


def loops_as_arrays(fun: Fun) -> tuple[Fun, tuple[Dim, ...]]:
    """The function, and polynomials over its arguments' lengths: it may be called where none is negative."""
    made = ArrayLoops(fun)
    return made.run(), tuple(made.conditions)


@dataclass
class LoopNest:
    """Loops in each other, with statements only in the innermost; `low` and `count` of the iterations of each."""

    loops: list[For]
    low: list[int] = field(default_factory=list)
    count: list[Dim] = field(default_factory=list)

    @property
    def stmts(self):
        return self.loops[-1].body.stmts


class NotArrays(Exception):
    """These loops stay as they are."""


class ArrayLoops(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.conditions: dict[Dim, None] = {}

    def run(self) -> Fun:
        self.ranges = Ranges(self.fun)
        return super().run()

    def loop(self, stmt) -> None:
        nest = self.nest_of(stmt) if isinstance(stmt, For) and is_derivative(stmt) else None
        if nest is None or not adds_to_neighbours(nest):
            return super().loop(stmt)
        conditions = dict(self.conditions)
        try:
            with self.b.block() as stmts:
                results = NestAsArrays(self, nest).write()
        except NotArrays:
            self.conditions = conditions
            return super().loop(stmt)
        for made in stmts:
            self.emit(made)
        for name, result in zip(stmt.carried, results):
            self.alias(name, result)

    def nest_of(self, stmt: For) -> LoopNest | None:
        """The nest that a loop begins, if nothing is between its loops but integers."""
        loops = [stmt]
        while inner := [s for s in loops[-1].body.stmts if not isinstance(s, Let)]:
            outer, rest = loops[-1], [s for s in loops[-1].body.stmts if isinstance(s, Let)]
            if (len(inner) > 1 or not isinstance(inner[0], For) or inner[0].inits != outer.carried
                    or outer.body.results != inner[0].carried or any(self.types[s.names[0]] != PY_INT for s in rest)):
                return None
            loops += inner
        nest = LoopNest(loops)
        return nest if all([self.counted(nest, loop) for loop in loops]) else None

    def counted(self, nest: LoopNest, loop: For) -> bool:
        """Note which iterations a loop has, if they are all integers from a number on."""
        start, stop = self.ranges.b.dim(loop.start), self.ranges.b.dim(loop.stop)
        low, high = (start, stop) if loop.step == Const(1) else (stop + 1, start + 1)
        if loop.step not in (Const(1), Const(-1)) or low.constant is None or low.constant < 0:
            return False
        nest.low.append(low.constant)
        nest.count.append(high - low)
        return True

    def assume(self, condition: Dim) -> bool:
        self.conditions[condition] = None
        return True


def adds_to_neighbours(nest: LoopNest) -> bool:
    """Does an iteration add to two places of an array?"""
    added = [s.args[0] for s in nest.stmts if adds_to_part(s)]
    return any(adds_to_part(s) and s.name in added for s in nest.stmts)


def adds_to_part(let: Let) -> bool:
    return isinstance(let.op, Update) and let.op.add


class NestAsArrays:
    """Writes the statements of a nest for all iterations at once."""

    def __init__(self, outer: ArrayLoops, nest: LoopNest):
        self.outer, self.b, self.types, self.nest = outer, outer.b, outer.types, nest
        self.inside = {name for loop in nest.loops for name in (loop.index, *loop.carried, *all_bound(loop.body))}
        self.now: dict[str, Atom] = dict(zip(nest.loops[-1].carried, map(outer.atom, nest.loops[0].inits)))
        self.root: dict[str, str] = {name: name for name in nest.loops[-1].carried}
        self.order: tuple[int, ...] | None = None  # which loop runs over each axis
        self.touched: dict[str, set] = {}  # {an array that is handed on: (is it a sum, the place) of each statement}

    def write(self) -> list[Atom]:
        if any(self.types[name].rank != len(self.nest.loops) for name in self.root):
            raise NotArrays
        for let in self.nest.stmts:
            with self.b.at(let.origin):
                self.statement(let)
        for touched in self.touched.values():
            if len({place for _, place in touched}) > 1 and not all(adds for adds, _ in touched):
                raise NotArrays
        return [self.atom(result) for result in self.nest.loops[-1].body.results]

    def statement(self, let: Let) -> None:
        if all(self.types[name] == PY_INT for name in let.names) and let.op.symbol:
            return
        if let.op.name == "getitem":
            self.now[let.name] = self.part(let, self.atom(let.args[0]), let.args[1:])
        elif isinstance(let.op, Update) and let.args[0] in self.root:
            self.root[let.name] = self.root[let.args[0]]
            self.now[let.name] = self.part(let, self.atom(let.args[0]), let.args[2:], self.atom(let.args[1]))
        elif isinstance(let.op, Elementwise) and self.types[let.name].kind == "np":
            made = self.b.emit(let.op, *map(self.atom, let.args), hint=let.name, **dict(let.params))
            if self.types[made].dtype != self.types[let.name].dtype:
                raise NotArrays
            self.now[let.name] = made
        else:
            raise NotArrays

    def atom(self, atom: Atom) -> Atom:
        """What stands for an operand: a number from outside is that for all iterations."""
        if isinstance(atom, str) and atom in self.inside:
            if atom not in self.now:
                raise NotArrays
            return self.now[atom]
        return self.outer.atom(atom)

    def part(self, let: Let, array: Atom, places, *value) -> Atom:
        """The part of an array that all iterations touch, or the array with what they store into it."""
        where = self.place(let, self.types[array].dims, places)
        if let.args[0] in self.root:
            self.touched.setdefault(self.root[let.args[0]], set()).add((adds_to_part(let), where))
        counts = [self.nest.count[k] for k in self.order]
        bounds = [a for low, n in zip(where, counts) for a in (Const(low), dim_atom(self.b, n + low))]
        return self.b.emit(let.op, array, *value, *bounds, hint=let.name, index=("s110",) * len(where),
                           dims=tuple(counts))

    def place(self, let: Let, dims, places) -> tuple[int, ...]:
        """Where the part begins along each axis."""
        ranges, holds = self.outer.ranges, self.outer.ranges.holds
        if set(let.param("index")) != {"i"} or len(places) != len(dims):
            raise NotArrays
        order, where = [], []
        for atom, length in zip(places, dims):
            place = ranges.b.dim(atom)
            k = next((k for k, loop in enumerate(self.nest.loops) if loop.index in place.names), None)
            moved = None if k is None else (place - Dim.of(self.nest.loops[k].index)).constant
            if moved is None or self.nest.low[k] + moved < 0:
                raise NotArrays
            low, count = self.nest.low[k] + moved, self.nest.count[k]
            if not (holds(count, self.outer.assume) and holds(length - count - low, self.outer.assume)):
                raise NotArrays
            order.append(k)
            where.append(low)
        if sorted(order) != list(range(len(self.nest.loops))) or self.order not in (None, tuple(order)):
            raise NotArrays
        self.order = tuple(order)
        return tuple(where)

