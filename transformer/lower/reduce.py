"""Reductions inside loop nests: what is there before, in and after the loops.

Sums are exact enough for 20 million float32: the innermost loop adds blocks of 1024, in any order, so
that it vectorises; the sums of blocks are added in double-double (float64) or in float64 (float32; on
a GPU in two float32).
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core import Let
from ..core.types import Type
from ..loop_core.core import BOOL, F8, I8, ONE, Assigns, Binary, Cast, Expr, Name, Num, integer, number, rc, rs
from .writer import Writer

BLOCK = 1024
FEW = 64  # elements, the sum of which loses nothing that would have to be made up for


@dataclass
class Accumulator:
    """One reduction to one number; `start`, `add`, `join` and `result` write its lines."""

    w: Writer
    let: Let
    out: Type
    count: Expr = ONE  # how many elements, for a mean
    total: Name | None = None
    error: Name | None = None
    block: Name | None = None

    @property
    def joins(self) -> str:
        return self.let.op.joins

    @property
    def summing(self) -> bool:
        return self.joins == "+" and self.out.dtype.kind == "f"

    @property
    def blockwise(self) -> bool:
        """Not sums that are known to be of a few."""
        return self.summing and (self.w.threads or (integer(self.count) or BLOCK) > FEW)

    @property
    def compensated(self) -> bool:
        return self.blockwise and (self.out.dtype == np.float64 or self.w.threads)

    def start(self) -> None:
        """Before the outermost loop that is reduced."""
        zero = number(0.0, self.out.dtype if self.compensated else F8)
        self.total = self.w.variable("total", zero if self.blockwise else self.identity())
        if self.compensated:
            self.error = self.w.variable("error", zero)

    def identity(self) -> Num:
        t = self.out.dtype
        if self.joins == "+":
            return number(0, t if t.kind in "fc" else I8)
        if self.joins == "*":
            return number(1, t if t.kind in "fc" else I8)
        if self.joins in ("|", "&"):
            return number(self.let.op.empty, BOOL)
        least = self.joins == ">"
        if t.kind == "f":
            return number(-np.inf if least else np.inf, t)
        if t.kind == "b":
            return number(not least, t)
        info = np.iinfo(t)
        return number(info.min if least else info.max, t)

    def start_block(self) -> None:
        """Before a block of the innermost loop."""
        if self.blockwise:
            self.block = self.block or self.w.new("part", self.out.dtype)
            self.w.assign(self.block, number(0.0, self.out.dtype))

    def add(self, value: Expr) -> None:
        """In the innermost loop."""
        if self.summing:
            sum_ = self.block if self.blockwise else self.total
            self.w.assign(sum_, rs.radd(sum_, value))
        else:
            self.w.assign(self.total, combine(self.joins, self.total, value, self.out.dtype))

    def end_block(self) -> None:
        if self.compensated:
            self.w.add(Assigns((self.total, self.error), (rs.add_exactly(self.total, self.error, self.block),)))
        elif self.blockwise:
            self.w.assign(self.total, self.total + self.block)

    def result(self) -> Expr:
        """After the loops: the number."""
        out = rs.added(self.total, self.error) if self.compensated else self.total
        if self.let.op.name == "np.mean":
            out = self.mean(out)
        return out if self.out.dtype in (F8, I8, BOOL) else Cast(self.out.dtype, out)

    def mean(self, total: Expr) -> Expr:
        if self.out.dtype.kind == "c":
            return rc.divide(total, Cast(self.out.dtype, self.count))
        dtype = self.out.dtype if self.compensated else F8
        return Cast(dtype, total) / (self.count if dtype == F8 else Cast(dtype, self.count))


def combine(joins: str, total: Expr, value: Expr, dtype: np.dtype) -> Expr:
    """One more element taken into a reduction."""
    if dtype.kind == "b":
        joins = {">": "|", "<": "&"}.get(joins, joins)
    if joins in ("+", "*", "|", "&"):
        return Binary(joins, total, value)
    if dtype.kind == "f":
        return rs.most(total, value) if joins == ">" else rs.least(total, value)
    return rs.select(Binary(joins, value, total), value, total)
