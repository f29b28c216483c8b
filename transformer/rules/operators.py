"""The kinds of Python's operators, and of what chooses among its arguments; Python's numbers beside arrays."""
from __future__ import annotations

from dataclasses import replace
from typing import Callable

from ..core import Const
from .expr import Formula
from .kinds import CURVED, FLAT, POLE, STEEP, Elementwise, cast, conform, dot_name, exprs


def in_dtype_of(y: Formula, x) -> Formula:
    """A number of Python's as NumPy computes with it beside y. On its own, or beside bools, NumPy's functions make a
    float64 of it, and so of all that it meets."""
    x = x if isinstance(x, Formula) else Formula(y.b, Const(x), y.hint)
    dtype = y.type.dtype if x.type.dtype.kind == "c" else y.type.dtype.type(0).real.dtype
    if x.type.kind != "py" or y.type.kind == "py" or dtype.char not in "fF":
        return x
    return Formula(y.b, cast(y.b, x.atom, "np", dtype, x.hint), x.hint)


class Product(Elementwise):
    """a * b: by a number known now it is a scale."""

    def curvature(self, let, types):
        return FLAT if any(isinstance(a, Const) for a in let.args) else CURVED


class Division(Elementwise):
    """What raises where Python's numbers are divided by 0."""

    divisor = 1

    def curvature(self, let, types):
        one_for_all = isinstance(let.args[1], Const) or types[let.name].rank and not types[let.args[1]].rank
        return FLAT if one_for_all else min(super().curvature(let, types), STEEP)

    def may_raise(self, let, types, known):
        if any(t.kind != "py" for t in types):
            return super().may_raise(let, types, known)
        divisor = let.args[1]
        return not (isinstance(divisor, Const) and not isinstance(divisor.value, complex) and divisor.value > 0)


class Power(Elementwise):
    """a ** b, where 0.0 ** -1 raises and large powers of Python's floats overflow."""

    def curvature(self, let, types):
        exponent = let.args[1].value if isinstance(let.args[1], Const) else 0.5
        return CURVED if not isinstance(exponent, complex) and exponent >= 0 and exponent == int(exponent) else POLE

    def term(self, b, let, k, g, hint, mask=None):
        """The derivative in a has an exponent that is smaller by 1, whose power may raise where a ** b does not: at 0,
        and near to it. So a Python number is NumPy's there."""
        (base, exponent), t = let.args, b.type(let.args[0])
        rises = isinstance(exponent, Const) and not isinstance(exponent.value, complex) and (
            exponent.value >= 1 or exponent.value == 0)
        if k == 0 and b.type(let.name).kind == "py" and not rises:
            let = replace(let, args=(cast(b, base, "np", t.dtype, "t"), exponent))
        return super().term(b, let, k, g, hint, mask)

    def may_raise(self, let, types, known):
        if any(t.kind != "py" for t in types):
            return super().may_raise(let, types, known)
        return any(t.is_float for t in types) or not (isinstance(let.args[1], Const) and let.args[1].value > 0)


class Shift(Elementwise):
    """a << b and a >> b, which raise where b is negative."""

    def may_raise(self, let, types, known):
        if any(t.kind != "py" for t in types):
            return super().may_raise(let, types, known)
        return not (isinstance(let.args[1], Const) and 0 <= let.args[1].value < 64)


class Comparison(Elementwise):
    """a < b and its like: they take any Python int, and raise nothing.

    opposite  the name of what holds exactly where this does not, of numbers that are not nan
    holds     for integers: the polynomials of a and b that are not negative where this holds
    """

    exact_of = "bif"

    def __init__(self, name, fn, symbol, opposite: str, holds: Callable):
        super().__init__(name, fn, None, None, symbol=symbol)
        self.opposite, self.holds = opposite, holds

    def may_raise(self, let, types, known):
        return False


class Quotient(Division):
    """y = a / b.  One division serves both arguments: the quotient rule, and in reverse g / b."""

    def term(self, b, let, k, g, hint, mask=None):
        if k == 0:
            return super().term(b, let, k, g, hint, mask)
        t, (y, _, over) = b.type(let.name), self.operands(b, let, hint, mask)
        if b.type(g).kind == over.type.kind == "py" != t.kind:  # Python's division would raise
            dtype = t.dtype if over.type.dtype.kind == "c" else t.dtype.type(0).real.dtype
            over = Formula(b, cast(b, over.atom, "np", dtype, hint), hint)
        return -(y * (Formula(b, g, hint) / over))

    def jvp(self, b, let, tangents):
        if None in tangents:
            return super().jvp(b, let, tangents)
        hint = dot_name(let.name)
        y, over, dx, dover = exprs(b, (let.name, let.args[1], *tangents), hint)
        return (conform(b, (dx - y * dover) / over, b.type(let.name), hint),)


class Selection(Elementwise):
    """Elementwise choice: `partials[k]` takes (g, *args) and gives the contribution itself, so that
    what is not chosen contributes an exact zero even where g is infinite or not a number.

    choices  for each argument None, or two formulas: of (*args) where it is chosen, of (g, *args) what it has there
    hides    what is not chosen may be nan
    """

    complex = True
    choices: tuple = ()
    hides = True

    def term(self, b, let, k, g, hint, mask=None):
        if self.partials[k] is None:
            return None
        y, g, *args = exprs(b, (let.name, g, *let.args), hint)
        return self.partials[k](in_dtype_of(y, g), *args)

    def curvature(self, let, types):
        return FLAT
