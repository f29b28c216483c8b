"""The compiled forms of `scalars`, for numba.  Importing this module registers them.

Each is a typing rule and a few lines of LLVM, inlined at the call: a numba function of its own for each
would cost 30 ms to compile.
"""
from __future__ import annotations

import contextlib

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from . import scalars as rs

REASSOCIATE = ("reassoc", "contract")


def register(function, typer):
    """A decorator for the lowering `(context, builder, sig, args) -> value` of a function of any types."""

    @infer_global(function)
    class Typing(AbstractTemplate):
        def generic(self, args, kws):
            assert not kws
            return typer(self.context, *args)

    return lower_builtin(function, types.VarArg(types.Any))


def ints(count):
    """int64 of `count` int64 arguments."""
    return lambda context, *args: signature(types.int64, *[types.int64] * count)


def same_float(context, *args):
    """All arguments and the result have one floating type."""
    t = args[0]
    for a in args[1:]:
        t = context.unify_pairs(t, types.unliteral(a))
    t = t if isinstance(t, types.Float) else types.float64
    return signature(t, *[t] * len(args))


def fail(context, builder, site, *numbers):
    """Leave the function with Failure(site, *numbers)."""
    context.call_conv.return_dynamic_user_exc(builder, rs.Failure, (site, *numbers), (types.int64,) * (1 + len(numbers)))


def fail_if(context, builder, bad, site, *numbers):
    with builder.if_then(bad, likely=False):
        fail(context, builder, site, *numbers)


@register(rs.check, lambda context, ok, site, a, b: signature(types.none, types.boolean, types.int64, types.int64, types.int64))
def _check(context, builder, sig, args):
    ok, site, a, b = args
    fail_if(context, builder, builder.not_(cgutils.is_true(builder, ok)), site, a, b)
    return context.get_dummy_value()


@register(rs.index, ints(3))
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


register(rs.iadd, ints(3))(checked("sadd_with_overflow"))
register(rs.isub, ints(3))(checked("ssub_with_overflow"))
register(rs.imul, ints(3))(checked("smul_with_overflow"))


@register(rs.ineg, ints(2))
def _ineg(context, builder, sig, args):
    pair = builder.ssub_with_overflow(ir.Constant(args[0].type, 0), args[0])
    fail_if(context, builder, builder.extract_value(pair, 1), args[1])
    return builder.extract_value(pair, 0)


@contextlib.contextmanager
def loop_while(builder, condition):
    """The instructions inside, again and again while `condition()` holds."""
    head, body, after = (builder.append_basic_block(f"while.{part}") for part in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    builder.cbranch(condition(), body, after)
    builder.position_at_end(body)
    yield
    builder.branch(head)
    builder.position_at_end(after)


def power(context, builder, base, exponent, site=None):
    """Square and multiply; stops at `site`, if given, where it overflows."""
    one, zero = ir.Constant(base.type, 1), ir.Constant(base.type, 0)
    result, square, left = (cgutils.alloca_once_value(builder, v) for v in (one, base, exponent))

    def multiply(a, b):
        if site is None:
            return builder.mul(a, b)
        pair = builder.smul_with_overflow(a, b)
        fail_if(context, builder, builder.extract_value(pair, 1), site)
        return builder.extract_value(pair, 0)

    with loop_while(builder, lambda: builder.icmp_signed(">", builder.load(left), zero)):
        odd = builder.trunc(builder.load(left), ir.IntType(1))
        with builder.if_then(odd):
            builder.store(multiply(builder.load(result), builder.load(square)), result)
        builder.store(builder.ashr(builder.load(left), one), left)
        with builder.if_then(builder.icmp_signed(">", builder.load(left), zero)):
            builder.store(multiply(builder.load(square), builder.load(square)), square)
    return builder.load(result)


register(rs.ipow, ints(3))(lambda context, builder, sig, args: power(context, builder, *args))
register(rs.wpow, ints(2))(lambda context, builder, sig, args: power(context, builder, *args))


@register(rs.to_int, lambda context, x, site: signature(types.int64, x, types.int64))
def _to_int(context, builder, sig, args):
    x, site = args
    size = builder.call(context_intrinsic(builder, "llvm.fabs", x.type), [x])
    small = builder.fcmp_ordered("<", size, ir.Constant(x.type, 2.0**63))
    fail_if(context, builder, builder.not_(small), site)
    return builder.fptosi(x, ir.IntType(64))


def _select_type(context, c, a, b):
    t = context.unify_pairs(types.unliteral(a), types.unliteral(b))
    return signature(t, types.boolean, t, t)


@register(rs.select, _select_type)
def _select(context, builder, sig, args):
    c, a, b = args
    return builder.select(cgutils.is_true(builder, c), a, b)


register(rs.radd, same_float)(lambda context, builder, sig, args: builder.fadd(*args, flags=REASSOCIATE))
register(rs.rmul, same_float)(lambda context, builder, sig, args: builder.fmul(*args, flags=REASSOCIATE))


def context_intrinsic(builder, name, *operand_types):
    return builder.module.declare_intrinsic(name, operand_types)


def float_intrinsic(name):
    def lowering(context, builder, sig, args):
        fn = ir.FunctionType(args[0].type, [a.type for a in args])
        suffix = {ir.DoubleType(): "f64", ir.FloatType(): "f32"}[args[0].type]
        return builder.call(cgutils.get_or_insert_function(builder.module, fn, f"{name}.{suffix}"), args)

    return lowering


for _function, _name in ((rs.fmax, "llvm.maximum"), (rs.fmin, "llvm.minimum"), (rs.sqrt, "llvm.sqrt"), (rs.floor, "llvm.floor"),
                         (rs.ceil, "llvm.ceil"), (rs.rint, "llvm.rint"), (rs.trunc, "llvm.trunc"), (rs.fabs, "llvm.fabs")):
    register(_function, same_float)(float_intrinsic(_name))
