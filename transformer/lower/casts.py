"""A scalar operand, and the same as a number of another dtype, as NumPy converts it."""
from __future__ import annotations

import numpy as np

from ..core.types import Type
from ..loop_core.core import BOOL, F8, I8, Call, Cast, Expr, expr, number, rs
from .writer import Writer


class ScalarOperand:
    """A scalar operand and its type.

    `w` writes the check that a Python number needs where it joins integers of a dtype.
    """

    def __init__(self, x: Expr, type: Type, value=None, w: Writer | None = None):
        self.x, self.type, self.value, self.w = x, type, value, w

    @property
    def dtype(self) -> np.dtype:
        return self.type.dtype


def cast_operand(operand: ScalarOperand, dtype: np.dtype) -> Expr:
    """The operand as a number of this dtype."""
    have, weak = operand.dtype, operand.type.kind == "py"
    if weak and dtype.kind in "iu" and have.kind in "if" and have != dtype:
        return fitted_number(operand, dtype)
    if operand.value is not None:
        return cast_constant(operand, dtype)
    if have == dtype:
        return operand.x
    if dtype == BOOL:
        return operand.x.ne(0)
    if have.kind == "f" and dtype.kind in "iu":
        return Call(f"rs.to_{dtype.name}", (operand.x,))
    if weak and have == I8 and dtype == np.float32:  # NumPy goes by way of Python's float
        return Cast(dtype, Cast(F8, operand.x))
    return Cast(dtype, operand.x)


def cast_constant(operand: ScalarOperand, dtype: np.dtype) -> Expr:
    of_any_size = operand.type.kind == "py" and operand.dtype.kind == "i" and dtype.kind == "f"
    with np.errstate(all="ignore"):
        value = np.float64(float(operand.value)) if of_any_size else operand.dtype.type(operand.value)
        return number(value.astype(dtype), dtype)


def fitted_number(operand: ScalarOperand, dtype: np.dtype) -> Expr:
    """A Python number as an integer of a dtype, which raises where it does not fit, as NumPy's conversion does."""
    value, low, high = operand.value, np.iinfo(dtype).min, np.iinfo(dtype).max
    if fits_dtype(value, dtype):
        return number(int(value), dtype)
    x = lower_integer(operand.w, operand, stored=dtype) if operand.dtype.kind == "f" else operand.x
    if dtype == I8:
        return x
    if operand.w is not None:
        x = operand.w.let("number", x)
        condition = x >= 0 if dtype == np.uint64 else (expr(low) <= x) & (x <= high)
        operand.w.check_early(condition, "OverflowError", f"Python integer {{0}} out of bounds for {dtype.name}", x)
    return Cast(dtype, x)


def lower_integer(w: Writer, x: ScalarOperand, rounded: Expr | None = None, stored: np.dtype | None = None) -> Expr:
    """int(x) of a float, or of the number that it was `rounded` to: stops where it is none, or does not fit into 64
    bits.

    stored  the dtype of which NumPy makes it, which raises where Python's own int has more bits
    """
    nan, infinite = (w.site("ValueError", "cannot convert float NaN to integer"),
                     w.site("OverflowError", "cannot convert float infinity to integer"))
    refused = w.site("RefusedRange", "cannot convert this float to a 64-bit integer")
    large = refused if stored is None else w.site("OverflowError", "Python int too large to convert to C long")
    wide = refused if stored is None or stored.kind == "u" else large
    return rs.to_int(cast_operand(x, F8) if rounded is None else rounded, nan, infinite, wide, large)


def fits_dtype(value, dtype: np.dtype) -> bool:
    """Is it an integer known now, and one of this dtype?"""
    return value is not None and np.iinfo(dtype).min <= value <= np.iinfo(dtype).max


def narrow(x: Expr, dtype: np.dtype) -> Expr:
    """An integer result at int64 width, brought back to a smaller dtype."""
    return x if dtype == I8 or dtype.kind not in "iu" else Cast(dtype, x)
