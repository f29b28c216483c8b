"""Reductions inside loop nests: what is there before, in and after the loops.

Sums are exact enough for 20 million float32: the innermost loop adds blocks of 1024, in any order, so
that it vectorises; the sums of blocks are added in double-double (float64) or in float64 (float32).
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core import Let
from ..types import Type
from .writer import Writer, constant

BLOCK = 1024

@dataclass
class Accumulator:
    """One reduction to one number; `start`, `add`, `join` and `result` write its lines."""

    w: Writer
    let: Let
    out: Type
    count: str = ""  # how many elements, for a mean
    total: str = ""
    error: str = ""
    block: str = ""

    @property
    def joins(self) -> str:
        return self.let.op.joins

    @property
    def summing(self) -> bool:
        return self.joins == "+" and self.out.is_float

    @property
    def compensated(self) -> bool:
        return self.summing and self.out.dtype == np.float64

    def start(self) -> None:
        """Before the outermost loop that is reduced."""
        self.total = self.w.fresh("total")
        if self.compensated:
            self.error = self.w.fresh("error")
            self.w.line(f"{self.total}, {self.error} = 0.0, 0.0")
        else:
            self.w.line(f"{self.total} = {'0.0' if self.summing else self.identity()}")

    def identity(self) -> str:
        t = self.out.dtype
        if self.joins == "+":
            return constant(0, t if t.kind == "f" else np.dtype(np.int64))
        if self.joins in ("|", "&"):
            return repr(self.let.op.empty)
        least = self.joins == ">"
        if t.kind == "f":
            return constant(-np.inf if least else np.inf, t)
        if t.kind == "b":
            return repr(not least)
        info = np.iinfo(t)
        return constant(info.min if least else info.max, t)

    def start_block(self) -> None:
        """Before a block of the innermost loop."""
        if self.summing:
            self.block = self.block or self.w.fresh("part")
            self.w.line(f"{self.block} = {constant(0.0, self.out.dtype)}")

    def add(self, value: str) -> None:
        """In the innermost loop."""
        if self.summing:
            self.w.line(f"{self.block} = rs.radd({self.block}, {value})")
        else:
            self.w.line(f"{self.total} = {combine(self.joins, self.total, value, self.out.dtype)}")

    def end_block(self) -> None:
        if self.compensated:
            self.w.line(f"{self.total}, {self.error} = rs.add_exactly({self.total}, {self.error}, {self.block})")
        elif self.summing:
            self.w.line(f"{self.total} = {self.total} + {self.block}")

    def result(self) -> str:
        """After the loops: the text of the number."""
        text = self.total
        if self.compensated:
            text = f"rs.added({self.total}, {self.error})"
        if self.let.op.name == "np.mean":
            text = f"np.float64({text}) / {self.count}"
        if self.out.dtype not in (np.dtype(np.float64), np.dtype(np.int64), np.dtype(bool)):
            text = f"np.{self.out.dtype.name}({text})"
        return text


def combine(joins: str, total: str, value: str, dtype: np.dtype) -> str:
    """The text of one more element taken into a reduction."""
    if dtype.kind == "b":
        joins = {">": "|", "<": "&"}.get(joins, joins)
    if joins in ("+", "|", "&"):
        return f"{total} {joins} {value}"
    if dtype.kind == "f":
        return f"rs.{'most' if joins == '>' else 'least'}({total}, {value})"
    return f"rs.select({value} {joins} {total}, {value}, {total})"
