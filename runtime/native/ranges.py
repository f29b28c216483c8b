"""The compiled forms of what is computed of indices, slices and ranges.  Importing this module registers them."""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature

from ..compiler.control_flow import greater, lesser
from ..plain import scalars as rs
from .forms import ints, register_form


def llvm_zero(builder):
    return ir.Constant(ir.IntType(64), 0)


def llvm_one(builder):
    return ir.Constant(ir.IntType(64), 1)


@register_form(rs.natural, lambda context, i: signature(types.none, types.int64))
def _natural(context, builder, sig, args):
    assume = cgutils.get_or_insert_function(builder.module,
                                            ir.FunctionType(ir.VoidType(), [ir.IntType(1)]), "llvm.assume")
    builder.call(assume, [builder.icmp_signed(">=", args[0], llvm_zero(builder))])
    return context.get_dummy_value()


@register_form(rs.blocks, ints(1))
def _lower_blocks(context, builder, sig, args):
    size = ir.Constant(args[0].type, rs.BLOCK)
    return builder.udiv(builder.add(args[0], ir.Constant(args[0].type, rs.BLOCK - 1)), size)


@register_form(rs.block_end, ints(2))
def _block_end(context, builder, sig, args):
    block, n = args
    return lesser(builder, builder.mul(builder.add(block, llvm_one(builder), flags=("nsw", "nuw")),
                                       ir.Constant(n.type, rs.BLOCK), flags=("nsw", "nuw")), n)


@register_form(rs.run_size, ints(2))
def _run_size(context, builder, sig, args):
    n, least = args
    runs = ir.Constant(n.type, rs.RUNS)
    return greater(builder, builder.udiv(builder.add(n, ir.Constant(n.type, rs.RUNS - 1)), runs), least)


@register_form(rs.clamp, ints(2))
def _clamp(context, builder, sig, args):
    i, n = args
    wrapped = builder.select(builder.icmp_signed("<", i, llvm_zero(builder)), builder.add(i, n), i)
    return lesser(builder, greater(builder, wrapped, llvm_zero(builder)), n)


@register_form(rs.span, ints(2))
def _span(context, builder, sig, args):
    return greater(builder, builder.sub(args[1], args[0]), llvm_zero(builder))


def _slice_bound(context, builder, sig, args):
    """Between 0 and n for positive steps, between -1 and n - 1 for negative ones."""
    i, n, step = args
    wrapped = builder.select(builder.icmp_signed("<", i, llvm_zero(builder)), builder.add(i, n), i)
    down = builder.select(builder.icmp_signed("<", step, llvm_zero(builder)), llvm_one(builder), llvm_zero(builder))
    return lesser(builder, greater(builder, wrapped, builder.neg(down)), builder.sub(n, down))


register_form(rs.slice_from, ints(3))(_slice_bound)
register_form(rs.slice_to, ints(3))(_slice_bound)


@register_form(rs.slice_count, ints(3))
def _slice_count(context, builder, sig, args):
    start, stop, step = args
    backwards = builder.icmp_signed("<", step, llvm_zero(builder))
    distance = builder.select(backwards, builder.sub(start, stop), builder.sub(stop, start))
    pace = builder.select(backwards, builder.neg(step), step)
    pace = builder.select(builder.icmp_signed("==", pace, llvm_zero(builder)), llvm_one(builder), pace)
    count = builder.sdiv(builder.add(distance, builder.sub(pace, llvm_one(builder))), pace)
    return builder.select(builder.icmp_signed(">", distance, llvm_zero(builder)), count, llvm_zero(builder))


@register_form(rs.trip_count, ints(3))
def _trip_count(context, builder, sig, args):
    start, stop, step = args
    backwards = builder.icmp_signed("<", step, llvm_zero(builder))
    low, high = builder.select(backwards, stop, start), builder.select(backwards, start, stop)
    pace = builder.select(backwards, builder.neg(step), step)
    pace = builder.select(builder.icmp_signed("==", pace, llvm_zero(builder)), llvm_one(builder), pace)
    count = builder.add(builder.udiv(builder.sub(builder.sub(high, low), llvm_one(builder)), pace), llvm_one(builder))
    most = count.type(2**63 - 1)
    count = builder.select(builder.icmp_unsigned("<", builder.sub(count, llvm_one(builder)), most), count, most)
    return builder.select(builder.icmp_signed("<", low, high), count, llvm_zero(builder))
