"""One elementwise operation on one element, where complex numbers take part.

    multiply  (z: complex64, 2.0)      ->  z * np.complex64(2.0)
    abs       (z: complex128)          ->  np.hypot(rc.real(z), rc.imag(z))
"""
from __future__ import annotations

import numpy as np

from ..errors import UnsupportedError
from ..loops.core import BOOL, Binary, Call, Expr, Unary, expr, number, rc, rs
from ..types import Type

# NumPy's functions, which numba has for complex numbers
FUNCTIONS = {f"np.{f.__name__}" for f in (
    np.exp, np.expm1, np.log, np.log1p, np.sqrt, np.exp2, np.log2, np.log10, np.sin, np.cos, np.tan, np.arcsin,
    np.arccos, np.arctan, np.arcsinh, np.arctanh)}
ARITHMETIC = ("+", "-", "*")


def part_dtype(dtype: np.dtype) -> np.dtype:
    """The dtype of the real and the imaginary part."""
    return np.dtype(np.float32 if dtype == np.complex64 else np.float64)


def parts(z: Expr) -> tuple[Expr, Expr]:
    kind = part_dtype(z.dtype)
    return Call("rc.real", (z,), kind), Call("rc.imag", (z,), kind)


class Complex:
    """`operands` are cast by `cast`; `scalars` writes checks."""

    def __init__(self, scalars, cast):
        self.scalars, self.cast = scalars, cast

    def expression(self, let, operands, out: Type) -> Expr:
        name, symbol, w = let.op.name, let.op.symbol, self.scalars.w
        if name in ("equal", "not_equal"):
            dtype = np.result_type(*(o.dtype for o in operands))
            return Binary(symbol, *(self.cast(o, dtype) for o in operands))
        if name in ("not ", "np.logical_not"):
            return Unary("not", self.cast(operands[0], BOOL))
        first = operands[0]
        if name in ("np.real", "np.imag", "abs"):
            re, im = parts(first.x)
            if name == "abs":
                return Call("rs.hypot", (re, im))
            return re if name == "np.real" else im
        if name in ("np.isnan", "np.isinf", "np.isfinite"):
            tests = [{"np.isnan": p.ne(p), "np.isinf": rs.fabs(p).eq(np.inf), "np.isfinite": rs.fabs(p) < np.inf}[name]
                     for p in parts(first.x)]
            return Binary("&" if name == "np.isfinite" else "|", *tests)
        if name == "complex" and len(operands) == 2 and not any(o.dtype.kind == "c" for o in operands):
            return Call("rc.made", tuple(self.cast(o, np.dtype(float)) for o in operands), out.dtype)
        args = [self.cast(o, out.dtype) for o in operands]
        if name == "complex" and len(args) == 2:
            return args[0] + args[1] * number(1j, out.dtype)
        if name in ("complex", "rt.astype", "rt.stop_gradient", "rt.again"):
            return args[0]
        if symbol in ARITHMETIC and len(args) == 2:
            return Binary(symbol, *args)
        if name == "negative":
            return -args[0]
        if name == "np.square":
            return args[0] * args[0]
        if name == "np.conjugate":
            return rc.conj(args[0])
        if name in ("divide", "power"):
            if out.kind == "py":
                self.of_python(let, operands, w)
            return Call(f"rc.{name}", tuple(args))
        if name in ("np.sinh", "np.cosh", "np.tanh"):  # numba's give nan at infinity
            return Call(name.replace("np.", "rc."), tuple(args))
        if name in FUNCTIONS:
            return Call(name, tuple(args))
        raise UnsupportedError(let.origin, f"{name.strip()} of complex numbers in compiled code",
                               instead="Call the function without gs.jit.")

    def of_python(self, let, operands, w) -> None:
        """Python's numbers raise where NumPy's do not."""
        if let.op.name == "power":
            raise UnsupportedError(let.origin, "a power of a complex number of Python's in compiled code",
                                   instead="Make it NumPy's: np.complex128(z) ** n.")
        if not operands[1].value:
            w.check(operands[1].x.ne(0), "ZeroDivisionError", "division by zero")
