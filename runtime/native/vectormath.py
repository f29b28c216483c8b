"""Elementary functions that LLVM vectorises: what compiled loops call instead of libm.

    exp_f8(x), exp_f4(x), ...       float64 and float32; within 2 ulp of the true value, NumPy's specials, no exceptions
    VECTOR_MATH["exp", "float64"]   the same functions by NumPy name and dtype

numba has no vectorised `exp`, and a call to libm stops LLVM's vectoriser.  The functions here are straight lines of
arithmetic and selects: no calls, no tables, no branches.  numba inlines them, and LLVM then vectorises the loop around
them at the full width of the CPU.  `sin` and `cos` do this up to |x| = 2**20 and are libm's beyond; see `_far`.

One body serves both float types: its numbers come from the `Constants` of the type (a literal would turn a float32 into
a float64).  The accuracy rests neither on fused multiply-add nor on its absence; where the CPU has it, LLVM may use it
("contract"), and nothing else of IEEE arithmetic is relaxed.

**Where the coefficients come from.**  Each polynomial is the minimax one (weighted Remez exchange, in 50 digits, then
rounded) for the function and interval that its line in `_POLYNOMIALS` of tests/runtime/test_vectormath.py gives.  The
test derives them anew and compares.  The other constants are ln 2, log2 e and pi/2, split so that the products with
whole numbers in `k * hi` are exact.
"""
from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from ..compiler import stock
from ..compiler.kept import kept
from .float_bits import (FORMATS, bits_of, flip_sign, horner, mantissa_and_exponent, power_of_two, scale_by_power,
                         select_value)

_OPTIONS = {"fastmath": {"contract"}, "error_model": "numpy", "forceinline": True, "no_cfunc_wrapper": True,
            "pipeline_class": stock.way({})[0]}

# half the compile time, but a call from Python would crash
_inlined = njit(no_cpython_wrapper=True, **_OPTIONS)
# compiled for inlining into loops; what is compiled is kept, with all that is inlined into it
_vector = functools.partial(kept, **_OPTIONS)


# ---- the numbers of each float type
# -----------------------------------------------------------------------------------

class Constants(NamedTuple):
    zero: float
    one: float
    two: float
    half: float
    quarter: float
    inf: float
    nan: float
    shift: float            # see _Format.shift
    log2e: float
    ln2_hi: float           # k * ln2_hi is exact for every exponent k
    ln2_lo: float
    exp_high: float         # exp is inf from here
    exp_low: float          # and 0 below
    expm1_low: float        # expm1 is -1 below
    tanh_high: float        # tanh(x) is 1 for 2 x from here
    negligible: float       # x + x**2 is x up to here
    normal: float           # the smallest normal number
    lift: float             # a power of two that makes subnormals normal
    lift_log2: float
    exp: tuple              # P in exp(r) = 1 + r + r**2 P(r), |r| <= ln(2)/2
    coth: tuple             # P in r coth(r/2) = 2 + r**2 P(r**2), |r| <= ln(2)/2
    log: tuple              # P in log((1+s)/(1-s)) = 2 s + s**3 P(s**2), (1+s)/(1-s) from sqrt(1/2) to sqrt(2)


def _single(value):
    return tuple(map(np.float32, value)) if isinstance(value, tuple) else np.float32(value)


_F8 = Constants(
    zero=0.0, one=1.0, two=2.0, half=0.5, quarter=0.25, inf=math.inf, nan=math.nan, shift=FORMATS[types.float64].shift,
    log2e=1.4426950408889634, ln2_hi=float.fromhex("0x1.62e42fefa3800p-1"),
    ln2_lo=float.fromhex("0x1.ef35793c76730p-45"),
    exp_high=710.0, exp_low=-746.0, expm1_low=-40.0, tanh_high=40.0, negligible=2.0 ** -54,
    normal=2.0 ** -1022, lift=2.0 ** 54, lift_log2=54.0,
    exp=(0.5000000000000004, 0.16666666666666685, 0.04166666666658286, 0.0083333333333155, 0.001388888893010321,
         0.0001984126990127159, 2.480150667162847e-05, 2.7557229371294353e-06, 2.7625573165292856e-07,
         2.5114065256618167e-08),
    coth=(0.16666666666666602, -0.0027777777777015238, 6.613756321392609e-05, -1.6533902177909925e-06,
          4.138136036481324e-08),
    log=(0.6666666666666734, 0.39999999999414426, 0.2857142874245257, 0.2222219856561336, 0.1818356476530965,
         0.15314038211458947, 0.14796083570117527))

_F4 = Constants(*map(_single, Constants(
    zero=0.0, one=1.0, two=2.0, half=0.5, quarter=0.25, inf=math.inf, nan=math.nan, shift=FORMATS[types.float32].shift,
    log2e=1.4426950408889634, ln2_hi=float.fromhex("0x1.62e4p-1"), ln2_lo=float.fromhex("0x1.7f7d1cf79abcap-20"),
    exp_high=89.0, exp_low=-104.0, expm1_low=-18.0, tanh_high=20.0, negligible=2.0 ** -25,
    normal=2.0 ** -126, lift=2.0 ** 25, lift_log2=25.0,
    exp=(0.500000006, 0.16666543, 0.0416662813, 0.00836658575, 0.00139464811),
    coth=(0.166666257, -0.00276675121),
    log=(0.666667764, 0.399775339, 0.298719316))))


# ---- exponentials
# ----------------------------------------------------------------------------------------------------- x = k ln 2 + r
# with |r| <= ln(2)/2.  A NaN fails every comparison and so passes through the bounds.

@_inlined
def _exp(x, c):
    """2**k (1 + r + r**2 P(r))"""
    x = select_value(x > c.exp_high, c.exp_high, x)
    x = select_value(x < c.exp_low, c.exp_low, x)
    t = x * c.log2e + c.shift
    k = t - c.shift
    r = (x - k * c.ln2_hi) - k * c.ln2_lo
    return scale_by_power(c.one + (r + r * r * horner(r, c.exp)), t)


@_inlined
def _expm1(x, c):
    """2**k (exp(r) - 1) + (2**k - 1), large terms first, by halves because 2**k may overflow

    near = x - k ln2_hi is exact, and (near - r) - k ln2_lo what r lost to rounding.
    """
    y = select_value(x > c.exp_high, c.exp_high, x)
    y = select_value(y < c.expm1_low, c.expm1_low, y)
    t = y * c.log2e + c.shift
    k = t - c.shift
    near = y - k * c.ln2_hi
    r = near - k * c.ln2_lo
    tail = r * r * horner(r, c.exp) + ((near - r) - k * c.ln2_lo)
    p = power_of_two(t - c.one)
    y = c.two * ((p * r + (p - c.half)) + p * tail)
    return select_value(abs(x) > c.negligible, y, x)


@_inlined
def _tanh(x, c):
    """tanh(|x|) from exp(2|x|) = p (R + r)/(R - r), where p = 2**k and R = r coth(r/2) = 2 + u:

        tanh(|x|) = ((p - 1) R + (p + 1) r) / ((p + 1) R + (p - 1) r)

    That rounds three times.  So it is near + (numerator - near * denominator) / denominator, where near = min(k/4, 1):
    the quotient is then small, and so are its errors.  And r is a difference, which is not rounded in the numerator.
    """
    y = c.two * abs(x)
    y = select_value(y > c.tanh_high, c.tanh_high, y)
    t = y * c.log2e + c.shift
    k = t - c.shift
    r_hi = y - k * c.ln2_hi                 # exact
    r_lo = k * c.ln2_lo
    r = r_hi - r_lo
    u = r * r * horner(r * r, c.coth)
    p = power_of_two(t)
    less, more = p - c.one, p + c.one
    near = c.quarter * k
    near = select_value(near > c.one, c.one, near)
    rest = p * (c.one - near)
    first = rest - (c.one + near)           # less - near * more, exactly
    second = rest + (c.one + near)          # more - near * less
    numerator = c.two * first + (second * r_hi + (first * u - second * r_lo))
    denominator = c.two * more + (more * u + less * r)
    return flip_sign(near + numerator / denominator, bits_of(x))


# ---- logarithms
# -------------------------------------------------------------------------------------------------------

@_inlined
def _log(x, c):
    """k ln 2 + log(1 + f) for x = 2**k (1 + f), by log(1 + f) = f - (f**2/2 - s (f**2/2 + s**2 P(s**2))),
    s = f/(2 + f)"""
    subnormal = x < c.normal
    m, k = mantissa_and_exponent(select_value(subnormal, x * c.lift, x))
    k = select_value(subnormal, k - c.lift_log2, k)
    f = m - c.one
    s = f / (c.two + f)
    h = c.half * f * f
    y = k * c.ln2_hi - ((h - (s * (h + s * s * horner(s * s, c.log)) + k * c.ln2_lo)) - f)
    y = select_value(x < c.inf, y, x)
    y = select_value(x == c.zero, -c.inf, y)
    return select_value(x < c.zero, c.nan, y)


@_inlined
def _log1p(x, c):
    """log(u) + lost/u for u = 1 + x rounded and lost = 1 + x - u; for u near 1, log(1 + f) with f = x itself"""
    u = c.one + x
    v = u - c.one
    lost = (c.one - (u - v)) + (x - v)
    m, k = mantissa_and_exponent(u)
    near = k == c.zero
    f = select_value(near, x, m - c.one)
    lost = select_value(near, c.zero, lost / u)
    s = f / (c.two + f)
    h = c.half * f * f
    y = k * c.ln2_hi - ((h - (s * (h + s * s * horner(s * s, c.log)) + (k * c.ln2_lo + lost))) - f)
    y = select_value(abs(x) > c.negligible, y, x)
    y = select_value(x < c.inf, y, x)
    y = select_value(x == -c.one, -c.inf, y)
    return select_value(x < -c.one, c.nan, y)


# ---- sine and cosine
# -------------------------------------------------------------------------------------------------- x = k pi/2 + r with
# |r| <= pi/4, up to |x| = _NEAR.  The parts of pi/2 have 33 bits, so that their products with k are exact.  The float32
# functions compute in float64: two parts and short polynomials are then enough.

_NEAR = 2.0 ** 20
_SHIFT = _F8.shift
_TWO_OVER_PI = 0.6366197723675814
_PI_1 = float.fromhex("0x1.921fb54400000p+0")
_PI_2 = float.fromhex("0x1.0b4611a600000p-34")
_PI_3 = float.fromhex("0x1.3198a2e000000p-69")
_PI_4 = float.fromhex("0x1.b839a252049c1p-104")
_PI_REST = float.fromhex("0x1.0b4611a626331p-34")       # pi/2 - _PI_1

# P in sin(r) = r + r**3 P(r**2) and in cos(r) = 1 - r**2/2 + r**4 P(r**2)
_SIN_F8 = (-0.16666666666666632, 0.008333333333322413, -0.000198412698298073, 2.7557313691757376e-06,
           -2.5050758090793756e-08,
           1.5896794238219664e-10)
_COS_F8 = (0.0416666666666666, -0.0013888888888874123, 2.480158728948069e-05, -2.7557314351901186e-07,
           2.0875723214675897e-09,
           -1.1359644779768933e-11)
_SIN_F4 = (-0.16666666641613412, 0.008333329384005647, -0.0001983933416922119, 2.7183047682450532e-06)
_COS_F4 = (0.04166664686008096, -0.0013887367138999988, 2.4438401600748152e-05)

_LANES = (2, 4, 8)


def _pure_function(module, name, kind):
    """A new function of this module that is not to be inlined and touches no memory, and a builder of its body."""
    function = ir.Function(module, kind, name)
    function.linkage = "internal"
    for attribute in "noinline", "nounwind", "readnone":
        function.attributes.add(attribute)
    return function, ir.IRBuilder(function.append_basic_block())


def _vector_version(scalar, lanes):
    """The function (x, mask) of vectors: scalar(x[i]) where mask[i], anything elsewhere;
    at once if mask is all false."""
    vector = ir.VectorType(ir.DoubleType(), lanes)
    kind = ir.FunctionType(vector, [vector, ir.VectorType(ir.IntType(1), lanes)])
    function, builder = _pure_function(scalar.module, f"{scalar.name}_{lanes}", kind)
    x, mask = function.args
    start, loop, end = builder.block, function.append_basic_block(), function.append_basic_block()
    mask = builder.bitcast(mask, ir.IntType(lanes))
    builder.cbranch(builder.icmp_unsigned("==", mask, mask.type(0)), end, loop)

    builder.position_at_end(loop)
    i, y = builder.phi(ir.IntType(32)), builder.phi(vector)
    value = builder.insert_element(y, builder.call(scalar, [builder.extract_element(x, i)]), i)
    following = builder.add(i, i.type(1))
    for phi, first, later in (i, i.type(0), following), (y, x, value):
        phi.add_incoming(first, start)
        phi.add_incoming(later, loop)
    builder.cbranch(builder.icmp_unsigned("==", following, following.type(lanes)), end, loop)

    builder.position_at_end(end)
    result = builder.phi(vector)
    result.add_incoming(x, start)
    result.add_incoming(value, loop)
    builder.ret(result)
    return function


def _define_far(module, name):
    """libm's function of this name, with vector versions, so that a branch that calls it can be vectorised."""
    double = ir.DoubleType()
    kind = ir.FunctionType(double, [double])
    scalar, builder = _pure_function(module, f"gradscribe_far_{name}", kind)
    libm = cgutils.get_or_insert_function(module, kind, f"llvm.{name}.f64")
    builder.ret(builder.call(libm, scalar.args))

    versions = [_vector_version(scalar, lanes) for lanes in _LANES]
    mapping = ",".join(f"_ZGV_LLVM_M{lanes}v_{scalar.name}({version.name})" for lanes, version in zip(_LANES, versions))
    # llvmlite's own `add` knows no such name
    set.add(scalar.attributes, f'"vector-function-abi-variant"="{mapping}"')

    pointer = ir.IntType(8).as_pointer()                        # nothing calls the versions yet: keep them
    used = ir.GlobalVariable(module, ir.ArrayType(pointer, len(versions)), "llvm.compiler.used")
    used.linkage, used.section = "appending", "llvm.metadata"
    used.initializer = used.value_type([version.bitcast(pointer) for version in versions])
    return scalar


def _far(name):
    """libm's sin or cos, for a branch that is rarely taken

    LLVM vectorises no loop with a call in it, unless the called function says what its vector versions are.  Ours look
    whether any element took the branch, and there call libm for each.
    """
    @intrinsic
    def far(typingctx, x):
        def codegen(context, builder, signature, args):
            known = builder.module.globals.get(f"gradscribe_far_{name}")
            return builder.call(known or _define_far(builder.module, name), args)
        return x(x), codegen
    return far


_far_sin, _far_cos = _far("sin"), _far("cos")


@_inlined
def _circular_f8(x, quarters):
    """sin(x + quarters pi/2) for 0 <= x <= _NEAR; r + lost is x - k pi/2 to twice the precision."""
    t = x * _TWO_OVER_PI + _SHIFT
    k = t - _SHIFT
    x1 = x - k * _PI_1                                          # exact
    x2 = x1 - k * _PI_2
    x3 = k * _PI_3 - ((x1 - x2) - k * _PI_2)                    # with what x2 lost to rounding
    r = x2 - x3
    lost = ((x2 - r) - x3) - k * _PI_4
    z = r * r
    sine = r + (r * z * horner(z, _SIN_F8) + lost)
    half = 0.5 * z
    first = 1.0 - half
    cosine = first + (((1.0 - first) - half) + (z * z * horner(z, _COS_F8) - r * lost))
    quadrant = bits_of(t) + quarters
    return flip_sign(select_value((quadrant & 1) != 0, cosine, sine), quadrant << 62)


@_inlined
def _circular_f4(x, quarters):
    """The same to 32 bits, in float64."""
    t = x * _TWO_OVER_PI + _SHIFT
    k = t - _SHIFT
    r = (x - k * _PI_1) - k * _PI_REST
    z = r * r
    sine = r + r * z * horner(z, _SIN_F4)
    cosine = 1.0 + (z * z * horner(z, _COS_F4) - 0.5 * z)
    quadrant = bits_of(t) + quarters
    return flip_sign(select_value((quadrant & 1) != 0, cosine, sine), quadrant << 62)


# ---- by name
# ----------------------------------------------------------------------------------------------------------

@_vector
def exp_f8(x):
    return _exp(x, _F8)


@_vector
def exp_f4(x):
    return _exp(x, _F4)


@_vector
def expm1_f8(x):
    return _expm1(x, _F8)


@_vector
def expm1_f4(x):
    return _expm1(x, _F4)


@_vector
def tanh_f8(x):
    return _tanh(x, _F8)


@_vector
def tanh_f4(x):
    return _tanh(x, _F4)


@_vector
def log_f8(x):
    return _log(x, _F8)


@_vector
def log_f4(x):
    return _log(x, _F4)


@_vector
def log1p_f8(x):
    return _log1p(x, _F8)


@_vector
def log1p_f4(x):
    return _log1p(x, _F4)


@_vector
def sin_f8(x):
    y = flip_sign(_circular_f8(abs(x), 0), bits_of(x))
    return y if abs(x) <= _NEAR else _far_sin(x)


@_vector
def sin_f4(x):
    x = np.float64(x)
    y = flip_sign(_circular_f4(abs(x), 0), bits_of(x))
    return np.float32(y if abs(x) <= _NEAR else _far_sin(x))


@_vector
def cos_f8(x):
    y = _circular_f8(abs(x), 1)
    return y if abs(x) <= _NEAR else _far_cos(x)


@_vector
def cos_f4(x):
    x = np.float64(x)
    y = _circular_f4(abs(x), 1)
    return np.float32(y if abs(x) <= _NEAR else _far_cos(x))


sqrt_f8 = sqrt_f4 = math.sqrt           # to numba, one instruction

VECTOR_MATH = {
    ("exp", "float64"): exp_f8, ("exp", "float32"): exp_f4,
    ("expm1", "float64"): expm1_f8, ("expm1", "float32"): expm1_f4,
    ("tanh", "float64"): tanh_f8, ("tanh", "float32"): tanh_f4,
    ("log", "float64"): log_f8, ("log", "float32"): log_f4,
    ("log1p", "float64"): log1p_f8, ("log1p", "float32"): log1p_f4,
    ("sin", "float64"): sin_f8, ("sin", "float32"): sin_f4,
    ("cos", "float64"): cos_f8, ("cos", "float32"): cos_f4,
    ("sqrt", "float64"): sqrt_f8, ("sqrt", "float32"): sqrt_f4,
}
