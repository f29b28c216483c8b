"""The compiled form of `saying.say`: what Python needs goes to it as integers and floats, under its lock."""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature
from numba.np.arrayobj import make_array

from ..plain import printing
from ..plain.scalars import HEARD
from .forms import fail_if, register_form

I64, DOUBLE, PTR = ir.IntType(64), ir.DoubleType(), ir.IntType(8).as_pointer()


@register_form(printing.say, lambda context, number, *values: signature(types.none, types.int64, *values))
def _say(context, builder, sig, args):
    numbers = [args[0], *[x for t, value in zip(sig.args[1:], args[1:]) for x in flat(context, builder, t, value)]]
    python = context.get_python_api(builder)
    lock = python.gil_ensure()
    make = cgutils.get_or_insert_function(builder.module, ir.FunctionType(PTR, [PTR], var_arg=True), "Py_BuildValue")
    form = "".join("d" if x.type == DOUBLE else "L" for x in numbers)
    packed = builder.call(make, [context.insert_const_string(builder.module, f"({form})"), *numbers])
    function = python.unserialize(python.serialize_object(printing.say_numbers))
    result = python.call(function, packed)
    bad = cgutils.is_null(builder, result)
    with builder.if_then(bad, likely=False):
        python.err_clear()  # it is in `printing.raised`
    for x in (result, function, packed):
        python.decref(x)
    python.gil_release(lock)
    fail_if(context, builder, bad, I64(HEARD))
    return context.get_dummy_value()


def asks_python(function, result, ctype):
    """The compiled form of a function of a number of `printing.TEXTS`, which gives a number."""
    @register_form(function, lambda context, number: signature(result, types.int64))
    def _asks(context, builder, sig, args):
        python = context.get_python_api(builder)
        lock = python.gil_ensure()
        asked = python.unserialize(python.serialize_object(function))
        boxed = python.long_from_longlong(args[0])
        found = python.call_function_objargs(asked, [boxed])
        value = python.float_as_double(found)
        for x in (found, boxed, asked):
            python.decref(x)
        python.gil_release(lock)
        return value if ctype == DOUBLE else builder.fcmp_unordered("!=", value, DOUBLE(0.0))

    return _asks


asks_python(printing.read_clock, types.float64, DOUBLE)
asks_python(printing.asked_level, types.boolean, ir.IntType(1))


def flat(context, builder, t, x) -> list:
    """The integers and floats of 64 bits that say a value."""
    if isinstance(t, types.Array):
        array = make_array(t)(context, builder, x)
        return [builder.ptrtoint(array.data, I64), *cgutils.unpack_tuple(builder, array.shape, t.ndim),
                *cgutils.unpack_tuple(builder, array.strides, t.ndim)]
    if isinstance(t, types.Complex):
        return [y for part in (0, 1) for y in flat(context, builder, t.underlying_float,
                                                   builder.extract_value(x, part))]
    if isinstance(t, types.Float):
        return [x if x.type == DOUBLE else builder.fpext(x, DOUBLE)]
    signed = isinstance(t, types.Integer) and t.signed
    return [x if x.type == I64 else builder.sext(x, I64) if signed else builder.zext(x, I64)]
