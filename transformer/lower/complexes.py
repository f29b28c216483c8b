"""One elementwise operation on one element, where complex numbers take part.

    multiply  (z: complex64, 2.0)      ->  z * np.complex64(2.0)
    abs       (z: complex128)          ->  rs.hypot(rc.real(z), rc.imag(z))

What has no method here is computed by the function that the operation names (`Op.complex`), or else by NumPy's own.
"""
from __future__ import annotations

import numpy as np

from ..core.types import Type
from ..errors.messages import UnsupportedError
from ..loop_core.core import BOOL, F8, I8, Binary, Call, Expr, Unary, number, rc, rs
from .casts import cast_operand


def complex_parts(z: Expr) -> tuple[Expr, Expr]:
    """The real and the imaginary part."""
    kind = np.dtype(np.float32) if z.dtype == np.complex64 else F8
    return Call("rc.real", (z,), kind), Call("rc.imag", (z,), kind)


class Complex:
    """`scalars` are the operations on other numbers."""

    def __init__(self, scalars):
        self.scalars = scalars

    def expression(self, let, operands, out: Type) -> Expr:
        op = let.op
        method = getattr(self, "do_" + op.name.replace("np.", "").replace("rt.", "").strip(), None)
        if method is not None:
            return method(let, operands, out)
        function = op.complex if isinstance(op.complex, str) else op.name
        if "." not in function:
            raise UnsupportedError(let.origin, f"{op.name} of complex numbers in compiled code",
                                   instead="Call the function without gs.jit.")
        return Call(function, tuple(self.all(operands, out)))

    def all(self, operands, out) -> list[Expr]:
        return [cast_operand(o, out.dtype) for o in operands]

    # arithmetic ----------------------------------------------------------------------------------
    def do_add(self, let, operands, out):
        return Binary(let.op.symbol, *self.all(operands, out))

    do_subtract = do_multiply = do_add

    def do_negative(self, let, operands, out):
        return -cast_operand(operands[0], out.dtype)

    def do_square(self, let, operands, out):
        z = cast_operand(operands[0], out.dtype)
        return z * z

    def do_divide(self, let, operands, out):
        if out.kind == "py" and not operands[1].value:
            self.scalars.w.check(operands[1].x.ne(0), "ZeroDivisionError", "complex division by zero")
        a, b = operands
        if out.kind != "py" and b.dtype.kind != "c":
            return rc.divide_by_real(cast_operand(a, out.dtype), cast_operand(b, np.zeros(0, out.dtype).real.dtype))
        return rc.divide(*self.all(operands, out))

    def do_power(self, let, operands, out):
        if out.kind == "py":
            return self.power_of_python(let, operands, out)
        base, exponent = self.all(operands, out)
        if self.scalars.w.type(let.args[0]).rank and operands[1].value is not None:  # NumPy's short ways of arrays
            short = {2: base * base, -1: rc.reciprocal(base), 0.5: Call("np.sqrt", (base,))}
            return short.get(operands[1].value, rc.power(base, exponent))
        return rc.power(base, exponent)

    def power_of_python(self, let, operands, out):
        """Of Python's number: by multiplication, where the exponent is whole and small; an infinite one raises."""
        exponent = operands[1].value
        if exponent is None or exponent not in range(-100, 101):
            raise UnsupportedError(let.origin, "a power of a complex number of Python's in compiled code",
                                   instead="Make it NumPy's: np.complex128(z) ** n.")
        w, whole = self.scalars.w, int(np.real(exponent))
        base = cast_operand(operands[0], out.dtype)
        product = rc.multiplied(base, number(abs(whole), I8))
        if whole < 0:
            product = w.variable("product", product)
            w.check(product.ne(0), "ZeroDivisionError", "0.0 to a negative or complex power")
            product = rc.divide(number(1 + 0j, out.dtype), product)
        power = w.variable("power", product)
        x, y = complex_parts(power)
        w.check(rs.fabs(x).ne(np.inf) & rs.fabs(y).ne(np.inf), "OverflowError", "complex exponentiation")
        return power

    # slopes of norms (`runtime/plain/norms.py`) -----------------------------------------------------------
    def do_unit(self, let, operands, out):
        x, r = self.scalars.w.let("part", cast_operand(operands[0], out.dtype)), operands[1].x
        return rs.select(x.eq(0) & r.eq(0), number(0, out.dtype), self.do_divide(let, operands, out))

    def do_norm_slope(self, let, operands, out):
        g = self.scalars.w.let("part", cast_operand(operands[0], out.dtype))
        x, y = complex_parts(g)
        unknown = operands[1].x.eq(0) & (rs.fabs(x) < np.inf) & (rs.fabs(y) < np.inf)
        return rs.select(unknown, number(np.nan, out.dtype), self.do_divide(let, operands, out))

    def do_times(self, let, operands, out):
        x, slope = (self.scalars.w.let("part", o) for o in self.all(operands, out))
        return rs.select(x.eq(0) & slope.ne(slope), number(0, out.dtype), x * slope)

    # comparison and logic -------------------------------------------------------------------------
    def do_equal(self, let, operands, out):
        dtype = np.result_type(*(o.dtype for o in operands))
        return Binary(let.op.symbol, *(cast_operand(o, dtype) for o in operands))

    do_not_equal = do_equal

    def do_not(self, let, operands, out):
        return Unary("not", cast_operand(operands[0], BOOL))

    do_logical_not = do_not

    def of_any(self, let, operands, out):
        """What reads no more of a number than whether it is 0, or hands it on."""
        return self.scalars.method(let.op)(let, operands, out)

    do_bool = do_logical_and = do_logical_or = do_logical_xor = do_where = do_choose = of_any

    def do_isnan(self, let, operands, out):
        x, y = complex_parts(operands[0].x)
        return x.ne(x) | y.ne(y)

    def do_isinf(self, let, operands, out):
        x, y = complex_parts(operands[0].x)
        return rs.fabs(x).eq(np.inf) | rs.fabs(y).eq(np.inf)

    def do_isfinite(self, let, operands, out):
        x, y = complex_parts(operands[0].x)
        return (rs.fabs(x) < np.inf) & (rs.fabs(y) < np.inf)

    # parts ----------------------------------------------------------------------------------------
    def do_real(self, let, operands, out):
        return complex_parts(operands[0].x)[0]

    def do_imag(self, let, operands, out):
        return complex_parts(operands[0].x)[1]

    def do_abs(self, let, operands, out):
        return rs.hypot(*complex_parts(operands[0].x))

    def do_conjugate(self, let, operands, out):
        return rc.conj(cast_operand(operands[0], out.dtype))

    def do_complex(self, let, operands, out):
        if len(operands) == 1:
            return cast_operand(operands[0], out.dtype)
        if all(o.dtype.kind != "c" for o in operands):
            return Call("rc.made", tuple(cast_operand(o, F8) for o in operands), out.dtype)
        x, y = self.all(operands, out)
        return x + y * number(1j, out.dtype)

    def do_astype(self, let, operands, out):
        return cast_operand(operands[0], out.dtype)

    do_stop_gradient = do_again = do_astype
