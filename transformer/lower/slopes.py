"""The slopes of norms (`runtime/plain/norms.py`) on one element."""
from __future__ import annotations

import numpy as np

from ..loop_core.core import Expr, number, rs
from .casts import cast_operand


class Slopes:
    """What `Scalars` do with them; `w` writes statements."""

    def numbers(self, operands, out) -> list[Expr]:
        return [self.w.let("part", cast_operand(o, out.dtype)) for o in operands]

    def do_unit(self, let, operands, out):
        x, r = self.numbers(operands, out)
        return rs.select(x.eq(0) & r.eq(0), number(0, out.dtype), x / r)

    def do_cosine(self, let, operands, out):
        return self.do_unit(let, operands[:2], out)

    def do_norm_slope(self, let, operands, out):
        g, r = self.numbers(operands, out)
        return rs.select(r.eq(0) & (rs.fabs(g) < np.inf), number(np.nan, out.dtype), g / r)

    def do_times(self, let, operands, out):
        x, slope = self.numbers(operands, out)
        return rs.select(x.eq(0) & slope.ne(slope), number(0, out.dtype), x * slope)
