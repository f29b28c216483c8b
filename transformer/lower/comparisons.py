"""Comparisons of two numbers, in the dtype that both join in or exactly, as NumPy and Python have them."""
from __future__ import annotations

import numpy as np

from ..loop_core.core import F8, I8, Binary, Cast, Expr, expr, number, rs
from .casts import ScalarOperand, cast_operand, fits_dtype

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
U8 = np.dtype(np.uint64)


def compare_scalars(a: ScalarOperand, b: ScalarOperand, symbol: str, small: bool) -> Expr:
    """Integers are compared exactly, of whatever dtypes they are, and so are Python's numbers;
    else in the dtype that both join in.

    small  is one of them an int that a float holds?
    """
    kinds, dtypes = a.dtype.kind + b.dtype.kind, (a.dtype, b.dtype)
    weak = [o.type.kind == "py" for o in (a, b)]
    if dtypes == (I8, U8) or all(weak) and kinds == "fi":
        return compare_scalars(b, a, FLIPPED.get(symbol, symbol), small)
    if dtypes == (U8, I8):
        return compare_unsigned(a, b, symbol)
    if all(weak) and kinds == "if" and not small:
        return Binary(symbol, rs.order(cast_operand(a, I8), cast_operand(b, F8)), expr(0.0))
    dtype = common_dtype([a, b])
    if (dtype.kind in "iu" and dtype != np.uint64
            and any(w and not fits_dtype(o.value, dtype) for o, w in zip((a, b), weak))):
        dtype = I8
    return Binary(symbol, cast_operand(a, dtype), cast_operand(b, dtype))


def compare_unsigned(a: ScalarOperand, b: ScalarOperand, symbol: str) -> Expr:
    """Of 64 bits with a number that has a sign."""
    if b.value is None:
        sign, join = (">=", "&") if symbol in ("<", "<=", "==") else ("<", "|")
        return Binary(join, Binary(sign, b.x, expr(0)), Binary(symbol, a.x, Cast(U8, b.x)))
    if not fits_dtype(b.value, a.dtype):
        return expr(symbol in ((">", ">=", "!=") if b.value < 0 else ("<", "<=", "!=")))
    return Binary(symbol, a.x, number(b.value, a.dtype))


def common_dtype(operands: list[ScalarOperand]) -> np.dtype:
    """The dtype in which NumPy compares these: Python numbers are weak."""
    samples = [o.type.python_type(0) if o.type.kind == "py" else o.dtype for o in operands]
    if all(o.type.kind == "py" for o in operands):
        return np.result_type(*(o.dtype for o in operands))
    return np.result_type(*samples)
