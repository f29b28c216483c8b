"""One elementwise operation on one element.

    multiply  (x: float32, 2.0)        ->  x * np.float32(2.0)
    divide    (a: int, b: int)         ->  rs.check(b != 0, 3, 0, 0)   and   a / b
    add       (a: int, b: int)         ->  rs.iadd(a, b, 4)            unless it is known to fit

The types of core are NumPy's answers (NEP 50), so that all that is left to do here is to bring the
operands to the dtype of the loop and the result to the dtype of the result.
"""
from __future__ import annotations

from typing import Callable

import numpy as np

from ..core.types import Type
from ..loop_core.core import BOOL, F8, I8, Binary, Call, Cast, Choose, Expr, Unary, expr, number, rs
from ..rules.operators import Comparison
from .casts import ScalarOperand, cast_operand, lower_integer, narrow
from .comparisons import compare_scalars
from .complexes import Complex
from .slopes import Slopes
from .writer import Writer

SUFFIX = {"float64": "f8", "float32": "f4"}  # of the functions of `runtime.vectormath`

CHECKED = {"+": rs.iadd, "-": rs.isub, "*": rs.imul}
SYMBOLS = dict.fromkeys(CHECKED, "arithmetic") | dict.fromkeys("&|^", "bitwise")  # the methods of others than `do_...`
LEAST = expr(-9223372036854775808)


COMPLEX_POWER = "RefusedValue", "a negative number to a fractional power is complex"
BY_PRODUCTS = (-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)  # powers


class Scalars(Slopes):
    """Elementwise operations; `fits(let)` says of Python-int arithmetic that it cannot overflow,
    `small(atom)` of an int that a float holds it."""

    def __init__(self, w: Writer, fits: Callable = lambda let: False, small: Callable = lambda atom: False):
        self.w, self.fits, self.small = w, fits, small

    def expression(self, let, operands: list[ScalarOperand], out: Type) -> Expr:
        """op(*operands); checks that it needs are written before it."""
        compiled = let.op.compiled or let.op.name
        if any([t.dtype.kind == "c" for t in (out, *operands)]):
            return Complex(self).expression(let, operands, out)
        if isinstance(let.op, Comparison):
            return compare_scalars(*operands, let.op.symbol, any(map(self.small, let.args)))
        if compiled.startswith("vm.") and out.dtype.name in SUFFIX:
            return Call(f"{compiled}_{SUFFIX[out.dtype.name]}", (cast_operand(operands[0], out.dtype),))
        if compiled.startswith("sp."):
            width = self.width(compiled, out)
            return Cast(out.dtype, Call(compiled, tuple([cast_operand(o, width) for o in operands]), width))
        method = self.method(let.op)
        if method is not None:
            return method(let, operands, out)
        if let.op.rounds and not out.is_float:
            return operands[0].x
        arguments = tuple(cast_operand(o, o.dtype if out.dtype.kind == "b" else out.dtype) for o in operands)
        return Call(compiled if compiled.startswith("rs.") else let.op.name, arguments)

    def method(self, op) -> Callable | None:
        """Of an operation by its name, or else by its symbol."""
        name = op.name.replace("np.", "").replace("math.", "math_").replace("rt.", "").strip()
        return getattr(self, f"do_{name}", None) or getattr(self, SYMBOLS.get(op.symbol, ""), None)

    def width(self, compiled: str, out: Type) -> np.dtype:
        """What a function of SciPy's is computed in: double precision, as SciPy does, unless a thread of a GPU does."""
        if not self.w.threads or out.dtype != np.float32:
            return F8
        from gradscribe.runtime.cuda.forms import in_single_precision
        return out.dtype if in_single_precision(compiled) else F8

    # arithmetic ----------------------------------------------------------------------------------
    def arithmetic(self, let, operands, out):
        a, b = (cast_operand(o, out.dtype) for o in operands)
        if out.dtype == BOOL:
            return a | b if let.op.name == "add" else a & b
        if out.kind == "py" and out.dtype == I8 and not self.fits(let):
            return CHECKED[let.op.symbol](a, b, self.overflow())
        return narrow(Binary(let.op.symbol, a, b), out.dtype)

    def bitwise(self, let, operands, out):
        return narrow(Binary(let.op.symbol, *(cast_operand(o, out.dtype) for o in operands)), out.dtype)

    def overflow(self) -> int:
        return self.w.site("RefusedRange", "the result does not fit into a 64-bit integer")

    def do_divide(self, let, operands, out):
        if out.kind == "py":
            self.nonzero(operands[1], "division by zero"
                if operands[1].dtype.kind in "ib" and operands[0].dtype.kind in "ib" else "float division by zero")
        return cast_operand(operands[0], out.dtype) / cast_operand(operands[1], out.dtype)

    def do_reciprocal(self, let, operands, out):
        x = cast_operand(operands[0], out.dtype)
        if out.is_float and operands[0].type.kind != "py":  # a division of Python's floats by zero raises
            return number(1, out.dtype) / x
        return Call("np.reciprocal", (x,))

    def nonzero(self, divisor: ScalarOperand, message: str) -> None:
        if not divisor.value:
            self.w.check(divisor.x.ne(0), "ZeroDivisionError", message)

    def do_floor_divide(self, let, operands, out):
        return self.quotient(let, operands, out, "//", "integer division or modulo by zero",
                             "float floor division by zero")

    def do_mod(self, let, operands, out):
        return self.quotient(let, operands, out, "%", "integer modulo by zero", "float modulo")

    def quotient(self, let, operands, out, symbol, int_message, float_message):
        if out.kind == "py":
            self.nonzero(operands[1], float_message if out.is_float else int_message)
            if symbol == "//" and out.dtype == I8 and operands[1].value in (None, -1) and not self.fits(let):
                self.w.check(operands[1].x.ne(-1) | operands[0].x.ne(LEAST), "RefusedRange",
                             "the result does not fit into a 64-bit integer")
        a, b = (cast_operand(o, out.dtype) for o in operands)
        if out.is_float and symbol == "//":
            return rs.fdiv(a, b)
        if symbol == "//" and out.dtype == I8 and out.kind != "py" and operands[1].value in (None, -1):
            return rs.select(b.eq(-1), -a, a // b)  # the least of all stays what it is
        return narrow(Binary(symbol, a, b), out.dtype)

    def do_negative(self, let, operands, out):
        x = cast_operand(operands[0], out.dtype)
        if out.kind == "py" and out.dtype == I8 and not self.fits(let):
            return rs.ineg(x, self.overflow())
        return narrow(-x, out.dtype)

    def do_abs(self, let, operands, out):
        x = cast_operand(operands[0], out.dtype)
        if out.is_float:
            return rs.fabs(x) if out.kind != "py" else Call("abs", (x,))
        if out.dtype == BOOL:
            return x
        minus = rs.ineg(x, self.overflow()) if out.kind == "py" and not self.fits(let) else -x
        return narrow(Choose(x < 0, minus, x), out.dtype)

    do_absolute = do_abs

    def do_power(self, let, operands, out):
        x, y = operands
        if not out.is_float:
            return self.int_power(let, x, y, out)
        if y.value is not None and float(y.value) in BY_PRODUCTS:
            return self.small_power(x, float(y.value), out, bool(self.w.type(let.name).rank))
        base, exponent = cast_operand(x, out.dtype), cast_operand(y, out.dtype)
        if out.kind == "py":
            return rs.fpow(base, exponent, self.zero_power(), self.complex_power(), self.large_power())
        # NumPy takes roots of arrays, which differ at -0.0 and -inf
        if y.value is None and self.w.type(let.args[0]).rank and not self.w.type(let.args[1]).rank:
            return rs.select(exponent.eq(0.5), rs.sqrt(base), base ** exponent)
        return base ** exponent

    def zero_power(self) -> int:
        return self.w.site("ZeroDivisionError", "0.0 cannot be raised to a negative power")

    def complex_power(self) -> int:
        return self.w.site(*COMPLEX_POWER)

    def large_power(self) -> int:
        return self.w.site("OverflowError", None,
                           error=((("constant", 34), ("constant", "Numerical result out of range")), ()))

    def small_power(self, x, n, out, of_array):
        base = cast_operand(x, out.dtype)
        if out.kind == "py" and n < 0:
            self.w.check(base.ne(0.0), "ZeroDivisionError", "0.0 cannot be raised to a negative power")
        if n % 1.0 and not (of_array and n == 0.5):  # of arrays NumPy takes the root itself
            base = self.root_base(base, out)
        power = self.by_products(base, n)
        return rs.powered(power, base, self.large_power()) if out.kind == "py" and n not in (1.0, 0.5) else power

    def by_products(self, x: Expr, power: float) -> Expr:
        """x ** power by a root, products and divisions, far faster than by a logarithm: to 4 ulp, with nothing on
        the way that leaves the range of floats where the power does not."""
        one = number(1.0, x.dtype)
        product = {1: x, 2: x * x, 3: x * x * x, 4: x * x * (x * x)}.get(int(abs(power)))
        if power % 1.0:
            root = rs.sqrt(x) if power > 0 else one / rs.sqrt(x)
            return root if product is None else product * root if power > 0 else root / product
        if power > 0:
            return product
        inverse = self.w.let("inverse", one / x)
        return {-1.0: inverse, -2.0: inverse * inverse, -3.0: inverse * inverse / x}[power]

    def root_base(self, base, out):
        """What a fractional power is a product of roots of: C's power knows no -0.0 and no -inf."""
        infinite = number(np.inf, out.dtype)
        if out.kind == "py":
            self.w.check((base >= 0.0) | base.ne(base) | base.eq(-infinite), *COMPLEX_POWER)
        return self.w.let("base", rs.select(base.eq(-infinite), infinite, base + number(0.0, out.dtype)))

    def int_power(self, let, x, y, out):
        if out.kind != "py":
            base, exponent = cast_operand(x, out.dtype), cast_operand(y, out.dtype)
        else:
            base, exponent = cast_operand(x, I8), cast_operand(y, I8)
        if y.dtype.kind == "i" and (y.value is None or y.value < 0):
            self.w.check(exponent >= 0, "RefusedValue" if out.kind == "py" else "ValueError",
                         "Integers to negative integer powers are not allowed.")
        if out.kind == "py":
            if y.value == 2 and self.fits(let):
                return base * base
            return rs.ipow(base, exponent, self.overflow())
        if out.dtype == BOOL:
            return base >= exponent
        return narrow(rs.wpow(Cast(I8, base), Cast(I8, exponent)), out.dtype)

    # bits and logic ---------------------------------------------------------------------------
    def do_lshift(self, let, operands, out):
        a, b = (cast_operand(o, out.dtype) for o in operands)
        if out.kind == "py":
            self.w.check(b >= 0, "ValueError", "negative shift count")
            return rs.ishl(a, b, self.overflow())
        bits = 8 * out.dtype.itemsize
        if operands[1].value is not None and 0 <= operands[1].value < bits:
            return narrow(a << b, out.dtype)
        return narrow(Choose((b >= 0) & (b < bits), a << b, number(0, out.dtype)), out.dtype)

    def do_rshift(self, let, operands, out):
        a, b = (cast_operand(o, out.dtype) for o in operands)
        if out.kind == "py":
            self.w.check(b >= 0, "ValueError", "negative shift count")
        bits = 8 * out.dtype.itemsize
        if operands[1].value is not None and 0 <= operands[1].value < bits:
            return narrow(a >> b, out.dtype)
        if out.dtype.kind == "u":
            return narrow(Choose(b < bits, a >> b, number(0, out.dtype)), out.dtype)
        return narrow(a >> rs.select((b >= 0) & (b < 63), b, number(63, out.dtype)), out.dtype)

    def do_invert(self, let, operands, out):
        if out.dtype == BOOL:
            return Unary("not", operands[0].x)
        ones = number(np.iinfo(out.dtype).max if out.dtype.kind == "u" else -1, out.dtype)  # all its bits
        return narrow(ones - cast_operand(operands[0], out.dtype), out.dtype)

    def do_not(self, let, operands, out):
        return Unary("not", cast_operand(operands[0], BOOL))

    do_logical_not = do_not

    def do_logical_and(self, let, operands, out):
        return Binary("&", *(cast_operand(o, BOOL) for o in operands))

    def do_logical_or(self, let, operands, out):
        return Binary("|", *(cast_operand(o, BOOL) for o in operands))

    def do_logical_xor(self, let, operands, out):
        return Binary("!=", *(cast_operand(o, BOOL) for o in operands))

    # floating-point kinds of numbers ---------------------------------------------------------------
    def do_isnan(self, let, operands, out):
        x = operands[0]
        return x.x.ne(x.x) if x.type.is_float else expr(False)

    def do_isinf(self, let, operands, out):
        x = operands[0]
        return rs.fabs(x.x).eq(np.inf) if x.type.is_float else expr(False)

    def do_isfinite(self, let, operands, out):
        x = operands[0]
        return rs.fabs(x.x) < np.inf if x.type.is_float else expr(True)

    def do_signbit(self, let, operands, out):
        return rs.copysign(number(1.0, F8), cast_operand(operands[0], F8)) < 0

    def do_spacing(self, let, operands, out):
        x = cast_operand(operands[0], out.dtype) + number(0.0, out.dtype)  # numba's spacing of -0.0 is negative
        return Call("np.spacing", (x,))

    def do_ldexp(self, let, operands, out):
        return Call("np.ldexp", (cast_operand(operands[0], out.dtype), cast_operand(operands[1], I8)))

    def do_sign(self, let, operands, out):
        x, zero = cast_operand(operands[0], out.dtype), number(0, out.dtype)
        if not out.is_float:
            return narrow(rs.select(x > zero, 1, rs.select(x < zero, -1, 0)), out.dtype)
        one, minus = number(1, out.dtype), number(-1, out.dtype)
        return rs.select(x > zero, one, rs.select(x < zero, minus, rs.select(x.eq(zero), zero, x)))

    # choice -----------------------------------------------------------------------------------------
    def do_where(self, let, operands, out):
        # which wrap around in NumPy's np.where
        c, a, b = operands[0], *(ScalarOperand(o.x, o.type.scalar(), o.value) for o in operands[1:])
        return rs.select(cast_operand(c, BOOL), cast_operand(a, out.dtype), cast_operand(b, out.dtype))

    do_choose = do_where

    def do_maximum(self, let, operands, out):
        return self.extremum(operands, out, rs.fmax, ">")

    def do_minimum(self, let, operands, out):
        return self.extremum(operands, out, rs.fmin, "<")

    def extremum(self, operands, out, of_floats, symbol):
        a, b = (cast_operand(o, out.dtype) for o in operands)
        if out.is_float:
            return of_floats(a, b)
        if out.dtype == BOOL:
            return a | b if symbol == ">" else a & b
        return rs.select(Binary(symbol, a, b), a, b)

    def do_clip(self, let, operands, out):
        """As NumPy: of two zeros that of x, but where a bound is an array that of the bound."""
        x, low, high = (cast_operand(o, out.dtype) for o in operands)
        less, more = (("<", ">") if all(d.is_one for bound in let.args[1:] for d in self.w.type(bound).dims)
                      else ("<=", ">="))

        def bounded(value: Expr, symbol: str, bound: Expr) -> Expr:
            outside = Binary(symbol, value, bound)
            return rs.select(outside | bound.ne(bound) if out.is_float else outside, bound, value)

        return bounded(self.w.let("kept", bounded(x, less, low)), more, high)

    def do_square(self, let, operands, out):
        x = cast_operand(operands[0], out.dtype)
        return x if out.dtype == BOOL else narrow(x * x, out.dtype)

    # conversions --------------------------------------------------------------------------------------
    def do_float(self, let, operands, out):
        x = operands[0]
        # numba knows no float(bool)
        return Cast(F8, Call("int", (x.x,))) if x.dtype == BOOL and x.value is None else cast_operand(x, F8)

    def do_int(self, let, operands, out):
        (x,) = operands
        if x.type.is_float:
            return lower_integer(self.w, x)
        if x.dtype == np.uint64:
            self.w.check(x.x <= number(9223372036854775807, x.dtype), "RefusedRange",
                         "the result does not fit into a 64-bit integer")
        return cast_operand(x, I8) if x.value is None else number(int(x.value), I8)

    def do_bool(self, let, operands, out):
        return cast_operand(operands[0], BOOL)

    def do_math_floor(self, let, operands, out):
        x = operands[0]
        return lower_integer(self.w, x,
                             rs.floor(cast_operand(x, F8))) if x.type.is_float else self.do_int(let, operands, out)

    def do_astype(self, let, operands, out):
        return cast_operand(operands[0], out.dtype)

    def do_gamma_sample(self, let, operands, out):
        return cast_operand(operands[0], out.dtype)

    def do_gamma_slope(self, let, operands, out):
        return Cast(out.dtype, rs.gamma_slope(*(cast_operand(o, F8) for o in operands)))

    def do_fmod(self, let, operands, out):
        a, b = (cast_operand(o, out.dtype) for o in operands)
        if out.is_float:
            return rs.fmod(a, b)
        rest = a % b
        return narrow(rest if out.dtype.kind == "u"
                      else Choose(rest.ne(0) & Binary("!=", a < 0, b < 0), rest - b, rest), out.dtype)

    def do_digamma(self, let, operands, out):
        return Cast(out.dtype, rs.digamma(cast_operand(operands[0], F8)))

    def do_round(self, let, operands, out):
        return rs.round_to(cast_operand(operands[0], F8), operands[1].x)

    def do_stop_gradient(self, let, operands, out):
        return operands[0].x

    do_again = do_stop_gradient
