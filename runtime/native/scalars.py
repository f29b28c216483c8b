"""The compiled forms of `scalars`, for numba.  Importing this module registers them.

Each is a typing rule and a few lines of LLVM, inlined at the call: a numba function of its own for each
would cost 30 ms to compile.
"""
from __future__ import annotations

import math

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import infer_global, signature
from numba.np.arrayobj import make_array

from ..compiler.control_flow import greater, lesser, loop_while
from ..plain import elementary, scalars as rs
from ..plain.threefry import PARITY, ROTATIONS
# some of these only enter what they have
from . import checks, clock_marks, linalg, memory, printing, ranges, signals, sorting, special, vectormath  # noqa: F401
from .forms import fail, fail_if, ints, register_form, same_float

REASSOCIATE = ("reassoc", "contract")


@register_form(rs.index, ints(3))
def _index(context, builder, sig, args):
    i, n, site = args
    negative = builder.icmp_signed("<", i, ir.Constant(i.type, 0))
    place = builder.select(negative, builder.add(i, n), i)
    fail_if(context, builder, builder.icmp_unsigned(">=", place, n), site, i, n)
    return place


def checked(instruction):
    """Signed arithmetic that stops at its site where it overflows."""

    def lowering(context, builder, sig, args):
        *operands, site = args
        pair = getattr(builder, instruction)(*operands)
        fail_if(context, builder, builder.extract_value(pair, 1), site)
        return builder.extract_value(pair, 0)

    return lowering


register_form(rs.iadd, ints(3))(checked("sadd_with_overflow"))
register_form(rs.isub, ints(3))(checked("ssub_with_overflow"))
register_form(rs.imul, ints(3))(checked("smul_with_overflow"))


@register_form(rs.ineg, ints(2))
def _ineg(context, builder, sig, args):
    pair = builder.ssub_with_overflow(ir.Constant(args[0].type, 0), args[0])
    fail_if(context, builder, builder.extract_value(pair, 1), args[1])
    return builder.extract_value(pair, 0)


def lower_power(context, builder, base, exponent, site=None):
    """Square and multiply, of an exponent without sign; stops at `site`, if given, where it overflows."""
    one, zero = ir.Constant(base.type, 1), ir.Constant(base.type, 0)
    result, square, left = (cgutils.alloca_once_value(builder, v) for v in (one, base, exponent))

    def multiply(a, b):
        if site is None:
            return builder.mul(a, b)
        pair = builder.smul_with_overflow(a, b)
        fail_if(context, builder, builder.extract_value(pair, 1), site)
        return builder.extract_value(pair, 0)

    with loop_while(builder, lambda: builder.icmp_unsigned(">", builder.load(left), zero)):
        odd = builder.trunc(builder.load(left), ir.IntType(1))
        with builder.if_then(odd):
            builder.store(multiply(builder.load(result), builder.load(square)), result)
        builder.store(builder.lshr(builder.load(left), one), left)
        with builder.if_then(builder.icmp_unsigned(">", builder.load(left), zero)):
            builder.store(multiply(builder.load(square), builder.load(square)), square)
    return builder.load(result)


register_form(rs.ipow, ints(3))(lambda context, builder, sig, args: lower_power(context, builder, *args))
register_form(rs.wpow, ints(2))(lambda context, builder, sig, args: lower_power(context, builder, *args))


@register_form(rs.ishl, ints(3))
def _ishl(context, builder, sig, args):
    a, b, site = args
    most = ir.Constant(b.type, 63)
    shifted = builder.shl(a, lesser(builder, b, most))
    lost = builder.icmp_signed("!=", builder.ashr(shifted, lesser(builder, b, most)), a)
    too_far = builder.and_(builder.icmp_signed(">", b, most), builder.icmp_signed("!=", a, ir.Constant(a.type, 0)))
    fail_if(context, builder, builder.or_(lost, too_far), site)
    return shifted


@register_form(rs.to_int, lambda context, x, *sites: signature(types.int64, x, *[types.int64] * 4))
def _to_int(context, builder, sig, args):
    x, nan, infinite, wide, large = args
    small = builder.and_(builder.fcmp_ordered(">=", x, ir.Constant(x.type, -2.0**63)),
                         builder.fcmp_ordered("<", x, ir.Constant(x.type, 2.0**63)))
    with builder.if_then(builder.not_(small), likely=False):
        is_wide = builder.and_(builder.fcmp_ordered(">", x, ir.Constant(x.type, 0.0)),
                               builder.fcmp_ordered("<", x, ir.Constant(x.type, 2.0**64)))
        is_infinite = builder.or_(*[builder.fcmp_ordered("==", x, ir.Constant(x.type, sign * math.inf))
                                    for sign in (1, -1)])
        site = builder.select(is_infinite, infinite, builder.select(is_wide, wide, large))
        fail(context, builder, builder.select(builder.fcmp_unordered("uno", x, x), nan, site))
    return builder.fptosi(x, ir.IntType(64))


def _truncated(builder, x, bits):
    """A float64 as a signed integer of so many bits; what does not fit is the least there is, as x86-64 has it."""
    t, edge = ir.IntType(bits), 2.0**(bits - 1)
    inside = builder.and_(builder.fcmp_ordered(">", x, ir.Constant(x.type, -edge - (bits < 64))),
                          builder.fcmp_ordered("<", x, ir.Constant(x.type, edge)))
    return builder.select(inside, builder.fptosi(x, t), ir.Constant(t, -2**(bits - 1)))


def conversion_to(target):
    """NumPy's conversion of floats to an integer type:
    of arrays on x86-64, where it is said of numbers that do not fit too."""
    def lowering(context, builder, sig, args):
        (x,) = args
        x = x if x.type == ir.DoubleType() else builder.fpext(x, ir.DoubleType())
        bits = max(target.bitwidth, 32)
        number = _truncated(builder, x, bits)
        if target in (types.uint32, types.uint64):
            half, sign = ir.Constant(x.type, 2.0**(bits - 1)), ir.Constant(number.type, -2**(bits - 1))
            upper = builder.xor(_truncated(builder, builder.fsub(x, half), bits), sign)
            number = builder.select(builder.fcmp_ordered(">=", x, half), upper, number)
        return builder.trunc(number, ir.IntType(target.bitwidth)) if target.bitwidth < number.type.width else number

    return lowering


for _target in (types.int8, types.int16, types.int32, types.int64, types.uint8, types.uint16,
                types.uint32, types.uint64):
    register_form(getattr(rs, f"to_{_target.name}"), lambda context, x,
                  t=_target: signature(t, x))(conversion_to(_target))


@register_form(rs.order, lambda context, i, x: signature(types.float64, types.int64, types.float64))
def _order(context, builder, sig, args):
    i, x = args
    rounded, (less, same, more) = builder.sitofp(i, x.type), (ir.Constant(x.type, n) for n in (-1.0, 0.0, 1.0))
    # where the rounded int is x, all that is left to compare are ints; 2**63 is more than all of them
    whole = _truncated(builder, x, 64)
    beyond = builder.fcmp_ordered(">=", x, ir.Constant(x.type, 2.0**63))
    close = builder.select(builder.or_(beyond, builder.icmp_signed("<", i, whole)), less,
                           builder.select(builder.icmp_signed(">", i, whole), more, same))
    result = builder.select(builder.fcmp_ordered("<", rounded, x), less,
                            builder.select(builder.fcmp_ordered(">", rounded, x), more, close))
    return builder.select(builder.fcmp_unordered("uno", x, x), x, result)


def _is_infinite(builder, x):
    return builder.fcmp_ordered("==", builder.call(context_intrinsic(builder, "llvm.fabs", x.type), [x]),
                                ir.Constant(x.type, float("inf")))


def _fail_if_overflowed(context, builder, result, a, large):
    fail_if(context, builder, builder.and_(_is_infinite(builder, result), builder.not_(_is_infinite(builder, a))),
            large)


@register_form(rs.powered, lambda context, result, a, large: signature(types.float64, types.float64,
                                                                       types.float64, types.int64))
def _powered(context, builder, sig, args):
    _fail_if_overflowed(context, builder, *args)
    return args[0]


@register_form(rs.fpow, lambda context, *args: signature(types.float64, types.float64, types.float64, types.int64,
                                                         types.int64, types.int64))
def _fpow(context, builder, sig, args):
    a, b, zero, fraction, large = args
    nothing, infinite = ir.Constant(a.type, 0.0), _is_infinite(builder, b)
    vanishes = builder.and_(builder.fcmp_ordered("==", a, nothing), builder.not_(infinite))
    fail_if(context, builder, builder.and_(vanishes, builder.fcmp_ordered("<", b, nothing)), zero)
    floor = builder.call(context_intrinsic(builder, "llvm.floor", b.type), [b])
    negative = builder.and_(builder.fcmp_ordered("<", a, nothing), builder.not_(_is_infinite(builder, a)))
    fail_if(context, builder, builder.and_(negative, builder.fcmp_ordered("!=", floor, b)), fraction)
    result = builder.call(context_intrinsic(builder, "llvm.pow", a.type), [a, b])
    with builder.if_then(builder.not_(infinite)):
        _fail_if_overflowed(context, builder, result, a, large)
    return result


@register_form(rs.fdiv, same_float)
def _fdiv(context, builder, sig, args):
    """NumPy's own way, which is Python's: from the remainder."""
    a, b = args
    number = lambda x: ir.Constant(a.type, x)  # noqa: E731
    signed = builder.module.declare_intrinsic("llvm.copysign", [a.type], ir.FunctionType(a.type, [a.type, a.type]))
    copysign = lambda x, y: builder.call(signed, [x, y])  # noqa: E731
    ratio, rest = builder.fdiv(a, b), builder.frem(a, b)
    other = builder.xor(builder.fcmp_ordered("<", b, number(0.0)), builder.fcmp_ordered("<", rest, number(0.0)))
    borrow = builder.and_(builder.fcmp_unordered("!=", rest, number(0.0)), other)
    quotient = builder.fdiv(builder.fsub(a, rest), b)
    quotient = builder.select(borrow, builder.fsub(quotient, number(1.0)), quotient)
    floor = builder.call(context_intrinsic(builder, "llvm.floor", a.type), [quotient])
    above = builder.fcmp_ordered(">", builder.fsub(quotient, floor), number(0.5))
    floor = builder.select(above, builder.fadd(floor, number(1.0)), floor)
    floor = builder.select(builder.fcmp_ordered("==", quotient, number(0.0)), copysign(number(0.0), ratio), floor)
    return builder.select(builder.fcmp_ordered("==", b, number(0.0)), ratio, floor)


def _select_type(context, c, a, b):
    t = context.unify_pairs(types.unliteral(a), types.unliteral(b))
    return signature(t, types.boolean, t, t)


@register_form(rs.select, _select_type)
def _select(context, builder, sig, args):
    c, a, b = args
    return builder.select(cgutils.is_true(builder, c), a, b)


def sum_step(instruction):
    """A step of a sum whose order nothing sees; a product in it may be rounded with it once."""

    def lowering(context, builder, sig, args):
        for x in args:
            if isinstance(x, ir.Instruction) and x.opname == "fmul" and "contract" not in x.flags:
                x.flags.append("contract")
        return getattr(builder, instruction)(*args, flags=REASSOCIATE)

    return lowering


register_form(rs.radd, same_float)(sum_step("fadd"))
register_form(rs.rsub, same_float)(sum_step("fsub"))
register_form(rs.rmul, same_float)(lambda context, builder, sig, args: builder.fmul(*args, flags=REASSOCIATE))


def context_intrinsic(builder, name, *operand_types):
    return builder.module.declare_intrinsic(name, operand_types)


def float_intrinsic(name):
    def lowering(context, builder, sig, args):
        fn = ir.FunctionType(args[0].type, [a.type for a in args])
        suffix = {ir.DoubleType(): "f64", ir.FloatType(): "f32"}[args[0].type]
        return builder.call(cgutils.get_or_insert_function(builder.module, fn, f"{name}.{suffix}"), args)

    return lowering


def lower_extremum(symbol):
    """NumPy's maximum and minimum: of numbers that are equal, 0.0 and -0.0 among them, the second."""
    def lowering(context, builder, sig, args):
        a, b = args
        return builder.select(builder.or_(builder.fcmp_ordered(symbol, a, b), builder.fcmp_unordered("uno", a, a)), a,
                              b)

    return lowering


register_form(rs.fmax, same_float)(lower_extremum(">"))
register_form(rs.fmin, same_float)(lower_extremum("<"))

for _function, _name in ((rs.most, "llvm.maximum"), (rs.least, "llvm.minimum"), (rs.sqrt, "llvm.sqrt"),
                         (rs.floor, "llvm.floor"),
                         (rs.ceil, "llvm.ceil"), (rs.rint, "llvm.rint"), (rs.trunc, "llvm.trunc"),
                         (rs.fabs, "llvm.fabs")):
    register_form(_function, same_float)(float_intrinsic(_name))


def libm(name):
    """A function of the C library; the one for float32 has an f at its end."""
    def lowering(context, builder, sig, args):
        fn = ir.FunctionType(args[0].type, [a.type for a in args])
        suffix = {ir.DoubleType(): "", ir.FloatType(): "f"}[args[0].type]
        return builder.call(cgutils.get_or_insert_function(builder.module, fn, name + suffix), args)

    return lowering


for _function, _name in ((rs.tan, "tan"), (rs.sinh, "sinh"), (rs.cosh, "cosh"), (rs.arcsin, "asin"),
                         (rs.arccos, "acos"),
                         (rs.arctan, "atan"), (rs.arctan2, "atan2"), (rs.erf, "erf"),
                         (rs.erfc, "erfc"), (rs.lgamma, "lgamma"),
                         (rs.gamma, "tgamma"), (rs.arcsinh, "asinh"), (rs.arccosh, "acosh"), (rs.arctanh, "atanh"),
                         (rs.exp2, "exp2"), (rs.log2, "log2"),
                         (rs.log10, "log10"), (rs.cbrt, "cbrt"), (rs.copysign, "copysign"),
                         (rs.nextafter, "nextafter")):
    register_form(_function, same_float)(libm(_name))


@register_form(rs.hypot, same_float)
def _hypot(context, builder, sig, args):
    """The root of the sum of squares, within a unit in the last place of what the C library computes in many steps; by
    the C library where squares may be out of range, or are no numbers."""
    t, double = args[0].type, ir.DoubleType()
    x, y = args if t == double else [builder.fpext(a, double) for a in args]
    squares = builder.fadd(builder.fmul(x, x), builder.fmul(y, y))
    root = builder.call(context_intrinsic(builder, "llvm.sqrt", double), [squares])
    result = cgutils.alloca_once_value(builder, root if t == double else builder.fptrunc(root, t))
    inside = builder.and_(builder.fcmp_ordered(">", squares, ir.Constant(double, 1e-280)),
                          builder.fcmp_ordered("<", squares, ir.Constant(double, 1e300)))
    with builder.if_then(builder.not_(inside), likely=False):
        builder.store(libm("hypot")(context, builder, sig, args), result)
    return builder.load(result)


@register_form(rs.fmod, same_float)
def _fmod(context, builder, sig, args):
    """LLVM takes the remainder of an integer by a constant that is not a number for 0."""
    divisor = args[1]
    return builder.select(builder.fcmp_unordered("uno", divisor, divisor), divisor,
                          libm("fmod")(context, builder, sig, args))


@register_form(rs.threefry, lambda context, *args: signature(types.uint64, *[types.uint32] * 4))
def _threefry(context, builder, sig, args):
    k0, k1, x0, x1 = args
    word = lambda n: ir.Constant(k0.type, n)  # noqa: E731
    keys = (k0, k1, builder.xor(builder.xor(k0, k1), word(PARITY)))
    x0, x1 = builder.add(x0, k0), builder.add(x1, k1)
    for group in range(5):
        for r in ROTATIONS[group % 2]:
            x0 = builder.add(x0, x1)
            x1 = builder.xor(builder.or_(builder.shl(x1, word(r)), builder.lshr(x1, word(32 - r))), x0)
        x0, x1 = (builder.add(x0, keys[(group + 1) % 3]),
                  builder.add(builder.add(x1, keys[(group + 2) % 3]), word(group + 1)))
    wide = ir.IntType(64)
    return builder.or_(builder.shl(builder.zext(x0, wide), ir.Constant(wide, 32)), builder.zext(x1, wide))


# exp and its like: the text calls plain functions, which stand for those that LLVM vectorises
for _name in elementary.NAMES:
    for _suffix in ("f8", "f4"):
        _compiled = special if _name == "erfinv" else vectormath
        infer_global(getattr(elementary, f"{_name}_{_suffix}"),
                     types.Dispatcher(getattr(_compiled, f"{_name}_{_suffix}")))
infer_global(rs.gamma_slope, types.Dispatcher(special.gamma_slope))
infer_global(rs.digamma, types.Dispatcher(special.digamma))
infer_global(rs.round_to, types.Dispatcher(special.round_to))
infer_global(rs.argsort, types.Dispatcher(sorting.argsort))
infer_global(rs.search, types.Dispatcher(special.search))
infer_global(rs.places, types.Dispatcher(special.places))
for _function, _compiled in special.SEGMENTS.items():
    infer_global(_function, types.Dispatcher(_compiled))


# sums ---------------------------------------------------------------------------------------------
def _three_floats(context, total, error, value):
    f8 = types.float64
    return signature(types.UniTuple(f8, 2), f8, f8, f8)


@register_form(rs.add_exactly, _three_floats)
def _add_exactly(context, builder, sig, args):
    total, error, value = args
    new = builder.fadd(total, value)
    kept = builder.fsub(new, total)
    lost = builder.fadd(builder.fsub(total, builder.fsub(new, kept)), builder.fsub(value, kept))
    return context.make_tuple(builder, sig.return_type, (new, builder.fadd(error, lost)))


@register_form(rs.added, same_float)
def _added(context, builder, sig, args):
    total, error = args
    return builder.select(builder.fcmp_ordered("==", error, error), builder.fadd(total, error), total)


# tapes ------------------------------------------------------------------------------------------------
@register_form(rs.room, lambda context, tape, need: signature(types.Array(tape.dtype, 1, "C"), tape, types.int64))
def _room(context, builder, sig, args):
    t, (value, need) = sig.return_type, args
    tape = make_array(t)(context, builder, value)
    size, = cgutils.unpack_tuple(builder, tape.shape, 1)
    holder = cgutils.alloca_once_value(builder, value)
    enough = builder.icmp_signed("<=", need, size)
    with builder.if_else(enough, likely=True) as (stays, grows):
        with stays:
            context.nrt.incref(builder, t, value)
        with grows:
            longer = greater(builder, need, builder.mul(size, ir.Constant(size.type, 2)))
            grown, data = memory.new_array(context, builder, t, [longer])
            memory.fill(context, builder, t, tape, data, builder.mul(size, tape.itemsize))
            builder.store(grown, holder)
    return builder.load(holder)


@register_form(rs.bits, lambda context, x: signature(types.int64, x))
def _lower_bits(context, builder, sig, args):
    if isinstance(sig.args[0], types.Float):
        return builder.bitcast(context.cast(builder, args[0], sig.args[0], types.float64), ir.IntType(64))
    return context.cast(builder, args[0], sig.args[0], types.int64)
