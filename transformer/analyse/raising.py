"""Which statements may raise: one whose value nobody reads may still be meant to fail.

    v = x[10]        # IndexError if x is shorter
    w = 1 / k        # ZeroDivisionError if k is 0 (a Python number)
"""
from __future__ import annotations

import functools

import numpy as np

from ..core import Builder, Const, Fun, Let
from ..core.index_codes import entries
from ..core.types import PY_INT, Dim, Type
from .intervals import Intervals


def dtype_holds(dtype, number: int) -> bool:
    """Has an integer dtype this number?"""
    return np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


class Raising:
    """`sure`: pairs of a place and the length of its axis that exist (`Intervals.places`)."""

    def __init__(self, fun: Fun):
        self.fun = fun
        self.sure: frozenset[tuple[Dim, Dim]] = frozenset()

    @functools.cached_property
    def b(self) -> Builder:
        return Builder(like=self.fun)

    @functools.cached_property
    def facts(self) -> Intervals:
        return Intervals(self.b, self.fun)

    def may(self, let: Let) -> bool:
        """May this statement raise, as far as we can tell?"""
        return let.op.may_raise(let, [self.b.type(a) for a in let.args], self)

    def has_elements(self, t: Type) -> bool:
        """Has an array of this type surely an element?"""
        return all(self.facts.at_least(d, 1) for d in t.dims)

    def may_overflow(self, args, types) -> bool:
        """Is there a Python int that a narrow integer beside it may not hold?"""
        weak = [a for a, t in zip(args, types) if t == PY_INT]
        narrow = [t.dtype for t in types if t.kind != "py" and t.dtype.kind in "iu" and t.dtype != PY_INT.dtype]
        return any(not isinstance(a, Const) or not dtype_holds(dtype, a.value) for a in weak for dtype in narrow)

    def in_range(self, let: Let) -> bool:
        """Are all places that the index names surely there?"""
        dims = iter(self.b.type(let.args[0]).dims)
        for code, own in entries(let.param("index"), let.args[let.op.index_at:]):
            n = next(dims) if code != "n" else None
            if code == "a" or code == "i" and not self.inside(own[0], n):
                return False
        return True

    def inside(self, atom, n) -> bool:
        place = self.b.dim(atom)
        if (place, n) in self.sure:
            return True
        low = n + place if place.constant is not None and place.constant < 0 else place
        return self.facts.at_least(low, 0) and self.facts.at_least(n - 1 - low, 0)
