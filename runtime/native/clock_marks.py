"""The compiled forms of `clock_marks`: the system's clock is read where the program is, without Python."""
from __future__ import annotations

import time

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature
from numba.np.arrayobj import make_array

from ..compiler.control_flow import greater
from ..plain import clock_marks as marks
from .forms import register_form
from .signals import outside

I32, I64, PTR = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()


def tick_cell(context, builder, sig, args, row, column: int):
    """Where a number of a row stands."""
    ticks = make_array(sig.args[0])(context, builder, args[0])
    return builder.gep(ticks.data, [builder.add(builder.mul(row, I64(3)), I64(column))])


def clock_now(builder):
    """The monotonic clock, in ns."""
    spec = cgutils.alloca_once(builder, ir.ArrayType(I64, 2))
    outside(builder, I32, "clock_gettime", I32(time.CLOCK_MONOTONIC), builder.bitcast(spec, PTR))
    seconds, rest = (builder.load(cgutils.gep_inbounds(builder, spec, 0, k)) for k in range(2))
    return builder.add(builder.mul(seconds, I64(10**9)), rest)


def add_to(builder, pointer, amount) -> None:
    builder.store(builder.add(builder.load(pointer), amount), pointer)


@register_form(marks.lap, lambda context, ticks, row: signature(types.none, ticks, types.int64))
def _lap(context, builder, sig, args):
    last = tick_cell(context, builder, sig, args, I64(0), marks.TIME)
    now = clock_now(builder)
    add_to(builder, tick_cell(context, builder, sig, args, args[1], marks.TIME), builder.sub(now, builder.load(last)))
    add_to(builder, tick_cell(context, builder, sig, args, args[1], marks.RUNS), I64(1))
    builder.store(now, last)
    return context.get_dummy_value()


@register_form(marks.note_bytes, lambda context, ticks, row, x: signature(types.none, ticks, types.int64, x))
def _note_bytes(context, builder, sig, args):
    if isinstance(sig.args[2], types.Array):
        array = make_array(sig.args[2])(context, builder, args[2])
        size = builder.mul(array.nitems, array.itemsize)
        largest = tick_cell(context, builder, sig, args, args[1], marks.BYTES)
        builder.store(greater(builder, builder.load(largest), size), largest)
    return context.get_dummy_value()
