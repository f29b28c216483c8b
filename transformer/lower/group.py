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

import numpy as np

from ..core import Atom, Let
from ..rules.kinds import Reduction
from ..types import Type
from .nest import Pull, new_array
from .reduce import BLOCK, Accumulator, combine
from .scalar import Operand, cast
from .writer import Writer, constant, dtype_text, tuple_text


@dataclass
class Target:
    """Where a value of the nest is stored: a new array, or a part of one that exists."""

    value: Atom
    type: Type  # of what is stored into
    place: object  # index -> the text of the element's index
    array: str
    add: bool = False


@dataclass
class Group:
    """`space` is the text of the lengths of the loops; `targets` are stored at every place of it."""

    pull: Pull
    space: list[str]
    targets: list[Target] = field(default_factory=list)
    reductions: list[Let] = field(default_factory=list)
    leading: int = 0  # loops outside of all reductions

    @property
    def w(self) -> Writer:
        return self.pull.w

    def write(self) -> None:
        """The nest, and what is to be there before and after it."""
        whole, rows, scattered = self.sort_reductions()
        for let in scattered:
            self.new_result(let, scatter=True)
        for let in rows:
            self.new_result(let)
        accumulators = [self.accumulator(let) for let in whole]
        for a in accumulators:
            a.start()
        self.nest(accumulators, rows, scattered)
        for a in accumulators:
            self.finish_whole(a)
        for let in scattered:
            if let.op.name == "np.mean":
                self.divide(let)

    def finish_whole(self, a: Accumulator) -> None:
        name, t = a.let.name, self.w.type(a.let.name)
        self.pull.inner.pop(name, None)
        if t.kind == "array":
            new_array(self.w, self.w.name(name), t, self.pull.shape(name))
            self.w.line(f"{self.w.name(name)}[{', '.join(['0'] * t.rank)}] = {a.result()}")
        else:
            self.w.line(f"{self.w.name(name)} = {a.result()}")

    # sorting -----------------------------------------------------------------------------------
    def sort_reductions(self):
        """Over everything; over trailing axes only; over others, whose results are added to place by place."""
        rank = len(self.space)
        whole, rows, scattered = [], [], []
        for let in self.reductions:
            axes = let.param("axis")
            if len(axes) == rank and not self.leading:
                whole.append(let)
            elif tuple(sorted(axes)) == tuple(range(rank - len(axes), rank)) and (not self.leading or self.leading == rank - len(axes)):
                rows.append(let)
                self.leading = rank - len(axes)
            else:
                scattered.append(let)
        return whole, rows, scattered

    def accumulator(self, let: Let) -> Accumulator:
        t, out = self.w.type(let.args[0]), self.w.type(let.name)
        axes = let.param("axis")
        self.require_elements(let, axes)
        count = " * ".join(self.space[k] for k in axes) or "1"
        return Accumulator(self.w, let, t, out, f"({count})" if "*" in count else count)

    def require_elements(self, let: Let, axes) -> None:
        if let.op.name in ("np.max", "np.min"):
            word = "maximum" if let.op.name == "np.max" else "minimum"
            empty = " & ".join(f"({self.space[k]} > 0)" for k in axes if not self.space[k].isdigit() or self.space[k] == "0")
            if empty:
                self.w.check(empty, "ValueError", f"zero-size array to reduction operation {word} which has no identity")

    def new_result(self, let: Let, scatter: bool = False) -> None:
        """The array of a reduction that keeps axes."""
        name, t = self.w.name(let.name), self.w.type(let.name)
        axes = let.param("axis")
        lengths = [n for k, n in enumerate(self.space) if k not in axes]
        if let.param("keepdims"):
            lengths = ["1" if k in axes else n for k, n in enumerate(self.space)]
        self.pull.inner.pop(let.name, None)
        if not scatter:
            new_array(self.w, name, t, lengths)
            return
        a = self.accumulator(let)
        identity = a.identity() if t.is_float or let.op.name not in ("np.sum", "np.mean") else constant(0, t.dtype)
        if let.op.name in ("np.sum", "np.mean"):
            self.w.line(f"{name} = np.zeros({tuple_text(lengths)}, {dtype_text(t.dtype)})")
        else:
            self.w.line(f"{name} = np.full({tuple_text(lengths)}, {identity}, {dtype_text(t.dtype)})")

    def kept(self, let: Let, idx: list[str]) -> str:
        axes = let.param("axis")
        if let.param("keepdims"):
            return ", ".join("0" if k in axes else i for k, i in enumerate(idx))
        return ", ".join(i for k, i in enumerate(idx) if k not in axes)

    # loops ---------------------------------------------------------------------------------------
    def nest(self, whole, rows, scattered) -> None:
        rank, idx = len(self.space), []
        inner = max((k for k, n in enumerate(self.space) if n != "1"), default=None)
        with contextlib.ExitStack() as stack:
            row_accumulators: list[Accumulator] = []
            for k in range(rank + 1):
                if rows and k == self.leading:
                    row_accumulators = [self.accumulator(let) for let in rows]
                    for a in row_accumulators:
                        a.start()
                if k == rank:
                    break
                if self.space[k] == "1":
                    idx.append("0")
                elif k == inner:
                    self.innermost(idx, k, [*whole, *row_accumulators], scattered)
                    idx.append("0")
                else:
                    idx.append(self.w.fresh("ijklmn"[min(k, 5)]))
                    stack.enter_context(self.w.indented(f"for {idx[-1]} in range({self.space[k]}):"))
            if inner is None:
                self.blocks(idx, [*whole, *row_accumulators], scattered)
            for a in row_accumulators:
                self.w.line(f"{self.w.name(a.let.name)}[{self.kept(a.let, idx)}] = {a.result()}")

    def innermost(self, idx, k, accumulators, scattered) -> None:
        """The innermost loop, in blocks where sums of floats are taken."""
        n, i = self.space[k], self.w.fresh("ijklmn"[min(k, 5)])
        rest = ["0"] * (len(self.space) - k - 1)
        if any(a.summing for a in accumulators) and not (n.isdigit() and int(n) <= BLOCK):
            first = self.w.fresh("first")
            with self.w.indented(f"for {first} in range(0, {n}, {BLOCK}):"):
                self.blocks([*idx, i, *rest], accumulators, scattered, f"for {i} in range({first}, rs.lesser({first} + {BLOCK}, {n})):")
        else:
            self.blocks([*idx, i, *rest], accumulators, scattered, f"for {i} in range({n}):")

    def blocks(self, idx, accumulators, scattered, head: str | None = None) -> None:
        for a in accumulators:
            a.start_block()
        with self.w.indented(head) if head else contextlib.nullcontext():
            self.body(idx, accumulators, scattered)
        for a in accumulators:
            a.end_block()

    def body(self, idx, accumulators, scattered) -> None:
        """What is done at one place."""
        self.pull.memo.clear()
        for t in self.targets:
            value = cast(self.pull.operand(t.value, idx), t.type.dtype)
            self.w.line(f"{t.array}[{t.place(idx)}] {'+=' if t.add else '='} {value}")
        for a in accumulators:
            a.add(self.value(a.let, idx))
        for let in scattered:
            name = self.w.name(let.name)
            place = f"{name}[{self.kept(let, idx)}]"
            self.w.line(f"{place} = {combine(let.op.name, place, self.value(let, idx), self.w.type(let.name).dtype)}")

    def value(self, let: Let, idx) -> str:
        """The element of what a reduction reduces, in the reduction's dtype."""
        return cast(self.pull.operand(let.args[0], idx), self.w.type(let.name).dtype)

    def divide(self, let: Let) -> None:
        """A mean after its sum."""
        name, t, axes = self.w.name(let.name), self.w.type(let.name), let.param("axis")
        lengths = [n for k, n in enumerate(self.space) if k not in axes]
        if let.param("keepdims"):
            lengths = ["1" if k in axes else n for k, n in enumerate(self.space)]
        count = self.w.let("count", " * ".join(self.space[k] for k in axes))
        stack, idx = self.pull.loops(lengths)
        with stack:
            place = f"{name}[{', '.join(idx)}]"
            self.w.line(f"{place} = {cast(Operand(f'({place} / {count})', t.scalar()), t.dtype)}" if t.dtype == np.float64
                        else f"{place} = {dtype_text(t.dtype)}({place} / {count})")


def is_reduction(let: Let) -> bool:
    return isinstance(let.op, Reduction)
