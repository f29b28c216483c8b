"""Bits of floats, and choices without a branch: what Python cannot say."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


class FloatFormat(NamedTuple):
    width: int          # of the whole number, in bits
    mantissa: int       # of its mantissa field

    @property
    def integer(self):
        return ir.IntType(self.width)

    @property
    def bias(self):
        """What is added to an exponent before it is stored."""
        return (1 << (self.width - self.mantissa - 2)) - 1

    def bits(self, value):
        """The bits of value, as an integer."""
        return int(np.array(value, f"f{self.width // 8}").view(f"i{self.width // 8}"))

    @property
    def shift(self):
        """Adding it rounds a float to a whole number k and leaves k in the low bits:
        bits(k + shift) = bits(shift) + k."""
        return 1.5 * 2.0 ** self.mantissa


FORMATS = {types.float64: FloatFormat(64, 52), types.float32: FloatFormat(32, 23)}


@intrinsic
def select_value(typingctx, condition, a, b):
    """a if condition else b, both computed: numba makes branches of Python's own, and not all of them melt away."""
    def codegen(context, builder, signature, args):
        return builder.select(*args)
    return a(types.boolean, a, a), codegen


@intrinsic
def horner(typingctx, x, coefficients):
    """coefficients[0] + coefficients[1] * x + ..., by Horner's rule."""
    def codegen(context, builder, signature, args):
        x, terms = args
        *terms, y = (builder.extract_value(terms, i) for i in range(len(coefficients)))
        for term in reversed(terms):
            y = builder.fadd(builder.fmul(y, x), term)
        return y
    return x(x, coefficients), codegen


@intrinsic
def bits_of(typingctx, x):
    """The bits of x, as an integer of its size."""
    integer = {types.float64: types.int64, types.float32: types.int32}[x]

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], FORMATS[x].integer)
    return integer(x), codegen


@intrinsic
def flip_sign(typingctx, y, bits):
    """y, with its sign changed where the top bit of bits is set."""
    def codegen(context, builder, signature, args):
        y, bits = args
        sign = builder.and_(bits, bits.type(1 << (bits.type.width - 1)))
        return builder.bitcast(builder.xor(builder.bitcast(y, bits.type), sign), y.type)
    return y(y, bits), codegen


@intrinsic
def power_of_two(typingctx, t):
    """2**k for t = k + shift, where that is a normal number."""
    form = FORMATS[t]

    def codegen(context, builder, signature, args):
        # The low bits of shift are zero and the others fall off at the left.
        exponent = builder.add(builder.bitcast(args[0], form.integer), form.integer(form.bias))
        return builder.bitcast(builder.shl(exponent, form.integer(form.mantissa)), args[0].type)
    return t(t), codegen


@intrinsic
def scale_by_power(typingctx, y, t):
    """y * 2**k for t = k + shift, in two steps: 2**k may overflow or be subnormal where the result is not."""
    form = FORMATS[t]

    def codegen(context, builder, signature, args):
        y, t = args
        both = builder.sub(builder.bitcast(t, form.integer), form.integer(form.bits(form.shift) - 2 * form.bias))
        half = builder.lshr(both, form.integer(1))
        for exponent in half, builder.sub(both, half):
            y = builder.fmul(y, builder.bitcast(builder.shl(exponent, form.integer(form.mantissa)), t.type))
        return y
    return y(y, t), codegen


@intrinsic
def mantissa_and_exponent(typingctx, x):
    """(m, k) with x = m * 2**k and sqrt(1/2) <= m < sqrt(2), for a positive normal x."""
    form = FORMATS[x]
    root, one, whole = form.bits(math.sqrt(0.5)), form.bits(1.0), 2.0 ** form.mantissa

    def codegen(context, builder, signature, args):
        integer, real = form.integer, args[0].type
        bits = builder.add(builder.bitcast(args[0], integer), integer(one - root))
        m = builder.add(builder.and_(bits, integer((1 << form.mantissa) - 1)), integer(root))
        # Not a conversion: AVX2 has none from 64-bit integers.  As low bits of 2**mantissa the exponent is a float at
        # once.
        k = builder.or_(builder.lshr(bits, integer(form.mantissa)), integer(form.bits(whole)))
        k = builder.fsub(builder.bitcast(k, real), real(whole + form.bias))
        return context.make_tuple(builder, signature.return_type, (builder.bitcast(m, real), k))
    return types.UniTuple(x, 2)(x), codegen
