"""One loop nest for statements over one iteration space, reductions of it included.

    t = x * w                        for i in range(n):
    s = np.sum(t, axis=(1,))             total = 0.0
                                         for j in range(m):
                                             total += x[i, j] * w[j]
                                         s[i] = total
"""
from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

from ..core import Atom, Let
from ..rules.kinds import Reduction
from ..types import Type
from .nest import Pull, may_move, new_array
from .reduce import BLOCK, Accumulator, combine
from .scalar import Operand, cast
from .writer import Writer, bare, dtype_text, tuple_text

LETTERS = "ijklmn"


def is_reduction(let: Let) -> bool:
    return isinstance(let.op, Reduction)


@dataclass
class Target:
    """Where a value of the nest is stored: a new array, or a part of one that exists."""

    value: Atom
    type: Type  # of what is stored into
    place: Callable  # index -> the text of the element's index
    array: str
    add: bool = False


@dataclass
class Group:
    """`space` are the texts of the lengths of the loops; the first `depth` of them somebody else has opened.

    `outputs` says which array or name a reduction's result goes to (None: only later phases want it);
    `row_texts` is where numbers that there is one of in each row are, once `nest` has been written.
    """

    pull: Pull
    space: list[str]
    depth: int = 0
    targets: list[Target] = field(default_factory=list)
    last: list[Target] = field(default_factory=list)  # what is stored into them is read before
    reductions: list[Let] = field(default_factory=list)
    outputs: dict[str, str | None] = field(default_factory=dict)
    local: dict[str, Callable] = field(default_factory=dict)  # of a result: is nothing of it left after an iteration of a loop?
    row_values: list[str] = field(default_factory=list)
    row_texts: dict[str, str] = field(default_factory=dict)
    whole: list[Accumulator] = field(default_factory=list)
    rows: list[Let] = field(default_factory=list)
    scattered: list[Let] = field(default_factory=list)
    level: int | None = None  # loops outside of the row reductions

    @property
    def w(self) -> Writer:
        return self.pull.w

    def is_row(self) -> bool:
        """No loops but the shared ones?"""
        return all(n == "1" for n in self.space[self.depth:])

    def write(self) -> None:
        """The nest on its own."""
        self.before()
        self.nest([])
        self.after()

    # before and after the loops -------------------------------------------------------------------
    def before(self) -> None:
        """Sort the reductions: over everything; over trailing axes; over others, added to place by place."""
        rank = len(self.space)
        for let in self.reductions:
            axes = tuple(sorted(let.param("axis")))
            self.require_elements(let)
            if len(axes) == rank and not self.depth:
                self.whole.append(self.accumulator(let))
                self.whole[-1].start()
            elif axes == tuple(range(rank - len(axes), rank)) and self.level in (None, rank - len(axes)) and rank - len(axes) >= self.depth:
                self.level = rank - len(axes)
                self.rows.append(let)
                if self.outputs[let.name] or self.level > self.depth:
                    new_array(self.w, self.result(let), self.w.type(let.name), self.lengths(let), self.local.get(let.name))
            elif len(axes) == rank:
                self.whole.append(self.accumulator(let))
                self.whole[-1].start()
            else:
                self.scattered.append(let)
                self.start_scattered(let)

    def result(self, let: Let) -> str:
        """The name that a reduction's result goes to."""
        if self.outputs.get(let.name) is None:
            self.outputs[let.name] = self.w.fresh(let.name)
        return self.outputs[let.name]

    def lengths(self, let: Let) -> list[str]:
        axes = let.param("axis")
        if let.param("keepdims"):
            return ["1" if k in axes else n for k, n in enumerate(self.space)]
        return [n for k, n in enumerate(self.space) if k not in axes]

    def kept(self, let: Let, idx: list[str]) -> str:
        axes = let.param("axis")
        if let.param("keepdims"):
            return ", ".join("0" if k in axes else i for k, i in enumerate(idx))
        return ", ".join(i for k, i in enumerate(idx) if k not in axes)

    def accumulator(self, let: Let) -> Accumulator:
        count = " * ".join(self.space[k] for k in let.param("axis")) or "1"
        return Accumulator(self.w, let, self.w.type(let.name), f"({count})" if "*" in count else count)

    def require_elements(self, let: Let) -> None:
        if let.op.empty is not None:
            return
        word = "maximum" if let.op.joins == ">" else "minimum"
        axes = let.param("axis")
        some = " & ".join(f"({n} > 0)" for k, n in enumerate(self.space) if k in axes and (not n.isdigit() or n == "0"))
        if some:
            self.w.check(some, "ValueError", f"zero-size array to reduction operation {word} which has no identity")

    def start_scattered(self, let: Let) -> None:
        name, t, shape = self.result(let), self.w.type(let.name), self.lengths(let)
        if let.op.joins == "+":
            if may_move(self.w, shape, self.local.get(let.name)):
                new_array(self.w, name, t, shape, self.local[let.name])
                self.w.line(f"rm.clear({name})")
            else:
                self.w.line(f"{name} = rm.zeros({tuple_text(shape)}, {dtype_text(t.dtype)})")
            return
        new_array(self.w, name, t, shape)
        stack, idx = self.pull.loops(shape)
        with stack:
            self.w.line(f"{name}[{', '.join(idx)}] = {self.accumulator(let).identity()}")

    def after(self) -> None:
        for a in self.whole:
            name, t = self.result(a.let), self.w.type(a.let.name)
            if t.kind == "array":
                new_array(self.w, name, t, ["1"] * t.rank)
                self.w.line(f"{name}[{', '.join(['0'] * t.rank)}] = {a.result()}")
            else:
                self.w.line(f"{name} = {a.result()}")
        self.divide_means([])

    def divide_means(self, prefix: list[str]) -> None:
        """Means after their sums: those within a row at its end, because later phases of the row may read them."""
        for let in self.scattered:
            if let.op.name == "np.mean" and (min(let.param("axis")) >= self.depth > 0) == bool(prefix):
                self.divide(let, prefix)

    def divide(self, let: Let, prefix: list[str]) -> None:
        axes = let.param("axis")
        count = self.w.let("count", " * ".join(self.space[k] for k in axes))
        stack, idx = self.pull.loops(["1" if k in axes else n for k, n in enumerate(self.space)][len(prefix):])
        with stack:
            place = f"{self.result(let)}[{self.kept(let, [*prefix, *idx])}]"
            self.w.line(f"{place} = {place} / {cast(Operand(count, Type('np', np.dtype(np.int64))), self.w.type(let.name).dtype)}")

    # loops ---------------------------------------------------------------------------------------
    def nest(self, prefix: list[str]) -> None:
        """The loops inside the shared ones, whose indices are `prefix`."""
        rank, idx = len(self.space), list(prefix)
        outside = max(self.depth, self.level or 0)
        inner = max((k for k in range(outside, rank) if self.space[k] != "1"), default=None)
        rows: list[Accumulator] = []
        with contextlib.ExitStack() as outer, contextlib.ExitStack() as row:
            for k in range(self.depth, rank + 1):
                if self.rows and k == self.level:
                    rows = [self.accumulator(let) for let in self.rows]
                    for a in rows:
                        a.start()
                if k == rank:
                    break
                if self.space[k] == "1":
                    idx.append("0")
                elif k == inner:
                    self.innermost(idx, k, [*self.whole, *rows])
                    idx.append("0")
                else:
                    idx.append(self.w.fresh(LETTERS[min(k, 5)]))
                    (row if rows else outer).enter_context(self.w.indented(f"for {idx[-1]} in range({self.space[k]}):"))
            if inner is None:
                self.block(idx, [*self.whole, *rows])
            row.close()  # a row may have no elements
            for a in rows:
                self.end_row(a, idx)
        if prefix:
            self.divide_means(prefix)

    def end_row(self, a: Accumulator, idx: list[str]) -> None:
        text = a.result()
        if self.level == self.depth and self.depth:
            text = self.row_texts[a.let.name] = self.w.let(a.let.name, text)
        if self.outputs.get(a.let.name):
            self.w.line(f"{self.outputs[a.let.name]}[{self.kept(a.let, idx)}] = {text}")

    def innermost(self, idx, k, accumulators) -> None:
        """The innermost loop, in blocks where sums of floats are taken."""
        n, i = self.space[k], self.w.fresh(LETTERS[min(k, 5)])
        idx = [*idx, i, *["0"] * (len(self.space) - k - 1)]
        if any(a.summing for a in accumulators) and not (n.isdigit() and int(n) <= BLOCK):
            block = self.w.fresh("block")
            with self.w.indented(f"for {block} in range(rs.blocks({n})):"):
                self.block(idx, accumulators, f"for {i} in range({BLOCK} * {block}, rs.block_end({block}, {n})):")
        else:
            self.block(idx, accumulators, f"for {i} in range({n}):")

    def block(self, idx, accumulators, head: str | None = None) -> None:
        for a in accumulators:
            a.start_block()
        with self.w.indented(head) if head else contextlib.nullcontext():
            if head and "block" in head:
                self.w.line(f"rs.natural({head.split()[1]})")
            self.body(idx, accumulators)
        for a in accumulators:
            a.end_block()

    def body(self, idx, accumulators) -> None:
        """What is done at one place: written twice, the first time to see what is read more than once."""
        self.pull.memo.clear()
        self.pull.counts = {}
        with self.w.trial():
            self.place(idx, accumulators)
        self.pull.reads, self.pull.counts = self.pull.counts, None
        self.pull.memo.clear()
        self.place(idx, accumulators)
        self.pull.memo.clear()

    def place(self, idx, accumulators) -> None:
        for name in self.row_values:
            self.row_texts[name] = self.pull.at(name, idx, named=True)
        for t in self.targets:
            self.assign(t, idx)
        for a in accumulators:
            a.add(self.value(a.let, idx))
        for let in self.scattered:
            place = f"{self.result(let)}[{self.kept(let, idx)}]"
            self.w.line(f"{place} = {combine(let.op.joins, place, self.value(let, idx), self.w.type(let.name).dtype)}")
        for t in self.last:
            self.assign(t, idx)

    def assign(self, t: Target, idx) -> None:
        value = cast(self.pull.operand(t.value, idx), t.type.dtype)
        self.w.line(f"{t.array}[{t.place(idx) or '()'}] {'+=' if t.add else '='} {bare(value)}")

    def value(self, let: Let, idx) -> str:
        """The element of what a reduction reduces, in the reduction's dtype."""
        named = let.op.empty is None
        return cast(self.pull.operand(let.args[0], idx, named), self.w.type(let.name).dtype)
