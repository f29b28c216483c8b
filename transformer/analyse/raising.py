"""Which statements may raise: one whose value nobody reads may still be meant to fail.

    v = x[10]        # IndexError if x is shorter
    w = 1 / k        # ZeroDivisionError if k is 0 (a Python number)
"""
from __future__ import annotations

import functools

import numpy as np

from ..core import Builder, Const, Fun, Let
from ..rules.host import Host
from ..rules.indexing import entries
from ..rules.kinds import Elementwise
from ..types import PY_INT
from .intervals import Intervals

DIVISIONS = {"divide", "floor_divide", "mod", "power"}
EXTREMA = {"np.max", "np.min", "np.argmax", "np.argmin"}
CONVERSIONS = {"int", "rt.astype"}
SHIFTS = {"lshift", "rshift"}
STORES = {"rt.update", "rt.update_add"}
COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}  # which take any Python int


def holds(dtype, number: int) -> bool:
    """Has an integer dtype this number?"""
    return np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


class Raising:
    def __init__(self, fun: Fun):
        self.fun = fun

    @functools.cached_property
    def b(self) -> Builder:
        return Builder(like=self.fun)

    @functools.cached_property
    def facts(self) -> Intervals:
        return Intervals(self.b, self.fun)

    def may(self, let: Let) -> bool:
        """May this statement raise, as far as we can tell?"""
        name, elementwise = let.op.name, isinstance(let.op, Elementwise)
        if isinstance(let.op, Host):
            return bool(let.op.fails)
        if not elementwise and name != "getitem" and name not in STORES | EXTREMA | CONVERSIONS:
            return False
        types = [self.b.type(a) for a in let.args]
        if name in CONVERSIONS:
            return types[0].is_float if name == "int" else types[0] == PY_INT and let.param("dtype").kind in "iu"
        if elementwise and name not in COMPARISONS and any(t.kind != "py" for t in types):
            return self.may_overflow(let.args, types)
        if name == "getitem":
            return not self.in_range(let, let.args[1:])
        if name in STORES:
            return not self.in_range(let, let.args[2:]) or self.may_overflow(let.args[:2], types[:2])
        if name in SHIFTS:
            return not (isinstance(let.args[1], Const) and 0 <= let.args[1].value < 64)
        if name in DIVISIONS:
            overflows = name == "power" and any(t.is_float for t in types)
            return overflows or not (isinstance(let.args[1], Const) and let.args[1].value > 0)
        return name in EXTREMA and not all(self.facts.at_least(d, 1) for d in types[0].dims)

    def may_overflow(self, args, types) -> bool:
        """Is there a Python int that a narrow integer beside it may not hold?"""
        weak = [a for a, t in zip(args, types) if t == PY_INT]
        narrow = [t.dtype for t in types if t.kind != "py" and t.dtype.kind in "iu" and t.dtype != PY_INT.dtype]
        return any(not isinstance(a, Const) or not holds(dtype, a.value) for a in weak for dtype in narrow)

    def in_range(self, let: Let, atoms) -> bool:
        """Are all places that the index names surely there?"""
        dims = iter(self.b.type(let.args[0]).dims)
        for code, own in entries(let.param("index"), atoms):
            n = next(dims) if code != "n" else None
            if code == "a" or code == "i" and not self.inside(own[0], n):
                return False
        return True

    def inside(self, atom, n) -> bool:
        place = self.b.dim(atom)
        low = n + place if place.constant is not None and place.constant < 0 else place
        return self.facts.at_least(low, 0) and self.facts.at_least(n - 1 - low, 0)
