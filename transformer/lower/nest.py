"""One loop nest for statements over one iteration space, reductions of it included.

    t = x * w                        for i in range(n):
    s = np.sum(t, axis=(1,))             total = 0.0
                                         for j in range(m):
                                             total += x[i, j] * w[j]
                                         s[i] = total
"""
from __future__ import annotations

import contextlib
import functools
import operator
from dataclasses import dataclass, field
from typing import Callable

from ..core import Atom, Let
from ..core.types import PY_INT, Type
from ..loop_core.core import ONE, ZERO, Expr, Load, Name, expr, integer, is_one, product, rs
from ..rules.kinds import Reduction
from .casts import ScalarOperand, cast_operand
from .pull import Pull, lower_new_array
from .reduce import BLOCK, Accumulator, combine
from .writer import Writer, letters


def is_reduction(let: Let) -> bool:
    return isinstance(let.op, Reduction)


@dataclass
class Destination:
    """Where a value of the nest is stored: a new array, or a part of one that exists."""

    value: Atom
    type: Type  # of what is stored into
    place: Callable  # index -> the element's index
    array: Name
    add: bool = False
    apart: bool = True  # are the elements for two places of the loops two elements?


@dataclass
class Nest:
    """`space` are the lengths of the loops; the first `depth` of them somebody else has opened.

    `outputs` says which array or name a reduction's result goes to (None: only later phases want it);
    `row_numbers` are the numbers that there is one of in each row, once `loops` has been written.
    """

    pull: Pull
    space: list[Expr]
    depth: int = 0
    destinations: list[Destination] = field(default_factory=list)
    last: list[Destination] = field(default_factory=list)  # what is stored into them is read before
    reductions: list[Let] = field(default_factory=list)
    outputs: dict[str, Name | None] = field(default_factory=dict)
    # of a result: is nothing of it left after an iteration of a loop?
    local: dict[str, Callable] = field(default_factory=dict)
    row_values: list[str] = field(default_factory=list)
    row_numbers: dict[str, Expr] = field(default_factory=dict)
    whole: list[Accumulator] = field(default_factory=list)
    rows: list[Let] = field(default_factory=list)
    scattered: list[Let] = field(default_factory=list)
    level: int | None = None  # loops outside of the row reductions
    # rolls along the innermost loop, and where the pieces begin that they cut it into
    cuts: tuple[list, list] = ((), ())

    @property
    def w(self) -> Writer:
        return self.pull.w

    def is_row(self) -> bool:
        """No loops but the shared ones?"""
        return all(map(is_one, self.space[self.depth:]))

    def write(self) -> None:
        """The nest on its own."""
        self.before()
        self.loops([])
        self.after()

    # before and after the loops -------------------------------------------------------------------
    def before(self) -> None:
        """Sort the reductions: over everything; over trailing axes; over others, added to place by place."""
        rank = len(self.space)
        self.cuts = self.pull.cuts(self.space)
        for let in self.reductions:
            axes = tuple(sorted(let.param("axis")))
            self.require_elements(let)
            if len(axes) == rank and not self.depth:
                self.whole.append(self.accumulator(let))
                self.whole[-1].start()
            elif (axes == tuple(range(rank - len(axes), rank)) and self.level in (None, rank - len(axes))
                    and rank - len(axes) >= self.depth):
                self.level = rank - len(axes)
                self.rows.append(let)
                if self.outputs[let.name] is not None or self.level > self.depth:
                    lower_new_array(self.w, self.result(let), self.lengths(let), self.local.get(let.name))
            elif len(axes) == rank:
                self.whole.append(self.accumulator(let))
                self.whole[-1].start()
            else:
                self.scattered.append(let)
                self.start_scattered(let)

    def result(self, let: Let) -> Name:
        """The name that a reduction's result goes to."""
        if self.outputs.get(let.name) is None:
            self.outputs[let.name] = self.w.new(let.name, self.w.type(let.name).dtype)
        return self.outputs[let.name]

    def lengths(self, let: Let) -> list[Expr]:
        axes = let.param("axis")
        if let.param("keepdims"):
            return [ONE if k in axes else n for k, n in enumerate(self.space)]
        return [n for k, n in enumerate(self.space) if k not in axes]

    def kept(self, let: Let, idx: list[Expr]) -> list[Expr]:
        axes = let.param("axis")
        if let.param("keepdims"):
            return [ZERO if k in axes else i for k, i in enumerate(idx)]
        return [i for k, i in enumerate(idx) if k not in axes]

    def accumulator(self, let: Let) -> Accumulator:
        return Accumulator(self.w, let, self.w.type(let.name), product(self.space[k] for k in let.param("axis")))

    def require_elements(self, let: Let) -> None:
        if let.op.empty is not None:
            return
        word = "maximum" if let.op.joins == ">" else "minimum"
        some = [n > 0 for k, n in enumerate(self.space) if k in let.param("axis") and not integer(n)]
        if some:
            self.w.check(functools.reduce(operator.and_, some), "ValueError",
                         f"zero-size array to reduction operation {word} which has no identity")

    def start_scattered(self, let: Let) -> None:
        name, shape = self.result(let), self.lengths(let)
        if let.op.joins == "+":
            return lower_new_array(self.w, name, shape, self.local.get(let.name), zeroed=True)
        lower_new_array(self.w, name, shape)
        with self.pull.loops(shape, "independent") as idx:
            self.w.store(name, idx, self.accumulator(let).identity())

    def after(self) -> None:
        for a in self.whole:
            name, t = self.result(a.let), self.w.type(a.let.name)
            if t.kind == "array":
                lower_new_array(self.w, name, [ONE] * t.rank)
                self.w.store(name, [ZERO] * t.rank, a.result())
            else:
                self.w.assign(name, a.result())
        self.divide_means([])

    def divide_means(self, prefix: list[Expr]) -> None:
        """Means after their sums: those within a row at its end, because later phases of the row may read them."""
        for let in self.scattered:
            if let.op.name == "np.mean" and (min(let.param("axis")) >= self.depth > 0) == bool(prefix):
                self.divide(let, prefix)

    def divide(self, let: Let, prefix: list[Expr]) -> None:
        axes = let.param("axis")
        count = self.w.let("count", product(self.space[k] for k in axes))
        with self.pull.loops([ONE if k in axes else n for k, n in enumerate(self.space)][len(prefix):],
                             "independent") as idx:
            name, place = self.result(let), tuple(self.kept(let, [*prefix, *idx]))
            self.w.store(name, place,
                         Load(name, place) / cast_operand(ScalarOperand(count, PY_INT), self.w.type(let.name).dtype))

    # loops ---------------------------------------------------------------------------------------
    def kind(self, axis: int) -> str:
        """Of the loop over an axis: may its iterations run in any order?"""
        if not all(t.apart for t in (*self.destinations, *self.last)):
            return "sequential"
        return "reduction" if any(axis in let.param("axis") for let in self.reductions) else "independent"

    def loops(self, prefix: list[Expr]) -> None:
        """The loops inside the shared ones, whose indices are `prefix`."""
        rank, idx = len(self.space), list(prefix)
        outside = max(self.depth, self.level or 0)
        inner = max((k for k in range(outside, rank) if not is_one(self.space[k])), default=None)
        rows: list[Accumulator] = []
        with contextlib.ExitStack() as around:
            with contextlib.ExitStack() as row:
                for k in range(self.depth, rank + 1):
                    if self.rows and k == self.level:
                        rows = self.start_rows()
                    if k == rank:
                        break
                    if is_one(self.space[k]):
                        idx.append(ZERO)
                    elif k == inner:
                        self.innermost(idx, k, [*self.whole, *rows])
                        idx.append(ZERO)
                    else:
                        idx.append(self.w.new(letters(k)))
                        (row if rows else around).enter_context(self.w.loop(idx[-1], ZERO, self.space[k],
                                                                            kind=self.kind(k)))
                if inner is None:
                    self.block(idx, [*self.whole, *rows])
            for a in rows:
                self.end_row(a, idx)
        if prefix:
            self.divide_means(prefix)

    def start_rows(self) -> list[Accumulator]:
        rows = [self.accumulator(let) for let in self.rows]
        for a in rows:
            a.start()
        return rows

    def end_row(self, a: Accumulator, idx) -> None:
        value = a.result()
        if self.level == self.depth and self.depth:
            value = self.row_numbers[a.let.name] = self.w.let(a.let.name, value)
        if self.outputs.get(a.let.name) is not None:
            self.w.store(self.outputs[a.let.name], self.kept(a.let, idx), value)

    def innermost(self, idx, k, accumulators) -> None:
        """The innermost loop, in blocks where sums of floats are taken."""
        n, i = self.space[k], self.w.new(letters(k))
        idx = [*idx, i, *[ZERO] * (len(self.space) - k - 1)]
        if not any(a.summing for a in accumulators) or (integer(n) or BLOCK + 1) <= BLOCK:
            return self.block(idx, accumulators, (i, ZERO, n, self.kind(k)))
        block = self.w.new("block")
        with self.w.loop(block, ZERO, rs.blocks(n), kind=self.kind(k)):
            self.block(idx, accumulators, (i, expr(BLOCK) * block, rs.block_end(block, n), self.kind(k)), natural=True)

    def block(self, idx, accumulators, loop=None, natural: bool = False) -> None:
        """A loop (index, start, stop, kind), or its one iteration; `natural`:
        the compiler does not see that the index is not negative."""
        for a in accumulators:
            a.start_block()
        in_pieces = loop and self.cuts[0] and len(idx) == len(self.space) and idx[-1] == loop[0]
        with (self.pull.rolls.pieces(*self.cuts, self.space[-1], loop) if in_pieces
              else self.w.loop(*loop[:3], kind=loop[3]) if loop else contextlib.nullcontext()):
            if natural and not in_pieces:
                self.w.call(rs.natural(loop[0]))
            self.body(idx, accumulators)
        for a in accumulators:
            a.end_block()

    def body(self, idx, accumulators) -> None:
        """What is done at one place."""
        self.pull.memo.clear()
        for name in self.row_values:
            self.row_numbers[name] = self.pull.at(name, idx, named=True)
        for t in self.destinations:
            self.assign(t, idx)
        for a in accumulators:
            a.add(self.value(a.let, idx))
        for let in self.scattered:
            name, place = self.result(let), tuple(self.kept(let, idx))
            self.w.store(name, place, combine(let.op.joins, Load(name, place), self.value(let, idx),
                                              self.w.type(let.name).dtype))
        for t in self.last:
            self.assign(t, idx)
        self.pull.memo.clear()

    def assign(self, t: Destination, idx) -> None:
        value = cast_operand(self.pull.operand(t.value, idx), t.type.dtype)
        self.w.store(t.array, t.place(idx), value, t.add)

    def value(self, let: Let, idx) -> Expr:
        """The element of what a reduction reduces, in the reduction's dtype."""
        return cast_operand(self.pull.operand(let.args[0], idx), self.w.type(let.name).dtype)
