"""Checks of compiled code: what stops it, and with which numbers."""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature

from ..plain import scalars as rs
from .forms import fail_if, register_form


@register_form(rs.check, lambda context, ok, site, a, b: signature(types.none, types.boolean, types.int64,
                                                                   types.int64, types.int64))
def _check(context, builder, sig, args):
    ok, site, a, b = args
    fail_if(context, builder, builder.not_(cgutils.is_true(builder, ok)), site, a, b)
    return context.get_dummy_value()


@register_form(rs.check_sizes, lambda context, arrays, site: signature(types.none, arrays, types.int64))
def _check_sizes(context, builder, sig, args):
    arrays, site = args
    bad = ir.Constant(ir.IntType(1), 0)
    for k, t in enumerate(sig.args[0]):
        shape = context.data_model_manager[t].get_field_position("shape")
        for n in (builder.extract_value(arrays, (k, shape, axis)) for axis in range(t.ndim)):
            bad = builder.or_(bad, builder.icmp_signed(">", n, ir.Constant(n.type, rs.MOST)))
    fail_if(context, builder, bad, site)
    return context.get_dummy_value()


def _check_all_type(context, ok, site, numbers):
    wide = types.UniTuple(types.int64, len(numbers))
    return signature(types.none, types.boolean, types.int64, wide)


@register_form(rs.check_all, _check_all_type)
def _check_all(context, builder, sig, args):
    ok, site, numbers = args
    fail_if(context, builder, builder.not_(cgutils.is_true(builder, ok)), site, *cgutils.unpack_tuple(builder, numbers))
    return context.get_dummy_value()
