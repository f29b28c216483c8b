"""The record of an array as a value: made of its fields, and of parts of an array in the same memory.

numba writes a record to memory, field by field, and reads it again: with the bounds of slices this was a half of what
LLVM had to read.
"""
from __future__ import annotations

import functools

from llvmlite import ir
from numba.core import cgutils, types

from .control_flow import greater, lesser

I64, PTR = ir.IntType(64), ir.IntType(8).as_pointer()


def const(value) -> ir.Constant:
    return ir.Constant(I64, value)


def field(context, builder, t, value, name: str):
    return builder.extract_value(value, context.data_model_manager[t].get_field_position(name))


def array_record(context, builder, t, meminfo, data, shape: list, strides: list, itemsize, parent=None):
    """An array of this type."""
    model = context.data_model_manager[t]
    count = functools.reduce(builder.mul, shape) if shape else const(1)
    value = ir.Constant(context.get_value_type(t), ir.Undefined)
    pointer = context.get_data_type(t.dtype).as_pointer()
    fields = dict(meminfo=meminfo, parent=ir.Constant(PTR, None) if parent is None else parent, nitems=count,
                  itemsize=itemsize, data=data if data.type == pointer else builder.bitcast(data, pointer),
                  shape=cgutils.pack_array(builder, shape, I64), strides=cgutils.pack_array(builder, strides, I64))
    for name, x in fields.items():
        value = builder.insert_value(value, x, model.get_field_position(name))
    return value


def gather_elements(builder, element, data, shape, strides, target) -> None:
    """Copy elements that lie apart to where there is room for them side by side."""
    function = builder.module.globals.get(name := f"gradscribe.gather.{element}.{len(shape)}")
    if function is None:
        kind = ir.FunctionType(ir.VoidType(), [PTR, PTR, *[I64] * (2 * len(shape))])
        function = ir.Function(builder.module, kind, name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        _gather(function, element, len(shape))
    builder.call(function, [builder.bitcast(x, PTR) for x in (data, target)] + [*shape, *strides])


def _gather(function, element, rank: int) -> None:
    source, target, *numbers = function.args
    target.add_attribute("noalias")
    builder, pointer = ir.IRBuilder(function.append_basic_block()), element.as_pointer()
    place = cgutils.alloca_once_value(builder, builder.bitcast(target, pointer))

    def visit(axis, data):
        if axis == rank:
            to = builder.load(place)
            builder.store(builder.load(builder.bitcast(data, pointer)), to)
            builder.store(builder.gep(to, [const(1)]), place)
            return
        with cgutils.for_range(builder, numbers[axis], intp=I64) as loop:
            visit(axis + 1, builder.gep(data, [builder.mul(loop.index, numbers[rank + axis])]))

    visit(0, source)
    builder.ret_void()


def can_slice(t, entries) -> bool:
    """Can `sliced` make what an index with such entries gives, where its slices have no step but 1?"""
    return (isinstance(t, types.Array) and sum(not isinstance(e, types.NoneType) for e in entries) <= t.ndim
            and all(isinstance(e, (types.Integer, types.NoneType, types.SliceType)) for e in entries))


def sliced(context, builder, t, value, given, entries, indices):
    """x[i, a:b, None]: an array of type `given` in the memory of one of type t; each bound of a slice as Python has it.
    An integer is in range.

    indices  of each entry an integer, or the bounds of a slice: None where it has none
    """
    get = functools.partial(field, context, builder, t, value)
    sizes, steps = (cgutils.unpack_tuple(builder, get(name), t.ndim) for name in ("shape", "strides"))
    axes, at, shape, strides = iter(zip(sizes, steps)), [], [], []
    for entry, index in zip(entries, indices):
        if isinstance(entry, types.NoneType):
            shape.append(const(1))
            strides.append(const(0))
            continue
        size, step = next(axes)
        if isinstance(entry, types.Integer):
            first = counted_from_the_end(builder, context.cast(builder, index, entry, types.int64), size, entry.signed)
        else:
            first, stop = [end if bound is None else clamped(builder, bound, size)
                           for bound, end in zip(index, (const(0), size))]
            shape.append(greater(builder, builder.sub(stop, first), const(0)))
            strides.append(step)
        at.append(builder.mul(first, step))
    for size, step in axes:
        shape.append(size)
        strides.append(step)
    data = get("data")
    if at:
        data = builder.gep(builder.bitcast(data, PTR), [functools.reduce(builder.add, at)])
    return array_record(context, builder, given, get("meminfo"), data, shape, strides, get("itemsize"), get("parent"))


def counted_from_the_end(builder, index, size, signed: bool = True):
    if not signed:
        return index
    return builder.select(builder.icmp_signed("<", index, const(0)), builder.add(index, size), index)


def clamped(builder, bound, size):
    """A bound of a slice as a place from 0 to the length of the axis."""
    if isinstance(bound, ir.Constant) and bound.constant == 0:
        return bound
    bound = greater(builder, counted_from_the_end(builder, bound, size), const(0))
    return lesser(builder, bound, size)
