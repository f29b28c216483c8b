"""The compiled forms of `memory`: arrays are allocated and viewed at the call.

numba's own `np.empty` compiles two functions for each kind of array; here it is a call of the allocator.  The
pointer to fresh memory is marked `noalias`: LLVM then knows that it is apart from all arguments and from
all other fresh arrays, and vectorises loops over many arrays without checks at run time.
"""
from __future__ import annotations

import ctypes
import os
import sys
import zlib

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.core.runtime.nrtdynmod import _meminfo_struct_type
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin
from numba.np.arrayobj import make_array

from ..compiler.array_values import I64, PTR, array_record, const, field, gather_elements
from ..compiler.control_flow import greater
from ..plain import memory as rm
from ..plain.scalars import MOST
from . import large_blocks

DATA = 3  # the field of numba's memory records that points to the data
ALIGNMENT = 64
TOO_LARGE = "Allocation failed (probably too large)."
NEGATIVE = "negative dimensions are not allowed"
OVERFLOWS = "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."


def keep_freed_memory() -> None:
    """Let the allocator keep up to 256 MB of what is freed, for arrays of up to 32 MB each.

    Otherwise glibc gives arrays of more than some hundred KB back to the system when they are freed, and fetches
    them page by page at the next call, which takes longer than computing them (up to 7 times: README.md).
    GRADSCRIBE_KEEP_MEMORY=0: not.
    """
    if sys.platform.startswith("linux") and os.environ.get("GRADSCRIBE_KEEP_MEMORY", "1") != "0":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # only glibc has it
        if mallopt is not None:
            M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -3, -1
            mallopt(M_MMAP_THRESHOLD, 32 << 20)
            mallopt(M_TRIM_THRESHOLD, 256 << 20)


def register_lowering(function, typer, literal=False):
    """A decorator for the lowering of a function whose signature `typer(*argument types)` gives."""

    class Typing(AbstractTemplate):
        key, prefer_literal = function, literal

        def generic(self, args, kws):
            return typer(*args)

    infer_global(function, types.Function(Typing))
    return lower_builtin(function, types.VarArg(types.Any))


def without_alias(builder, data):
    """The same pointer, of which LLVM knows that no other points to that memory."""
    same = builder.asm(ir.FunctionType(PTR, [PTR]), "", "=r,0", [data], side_effect=False)
    same.cconv = "noalias"  # of what the call returns
    return same


def new_array(context, builder, t, shape):
    """An array of this type and shape with memory of its own; (its value, where its data are, their size in bytes)."""
    item = const(context.get_abi_sizeof(context.get_data_type(t.dtype)))
    reserved = builder.call(reserve(context, builder, len(shape)), [*shape, item])
    with builder.if_then(cgutils.is_null(builder, reserved), likely=False):
        refuse_shape(context, builder, shape, item)
    data = without_alias(builder, context.nrt.meminfo_data(builder, reserved))
    # The record holds the fresh pointer itself: what frees the record may touch the memory, and LLVM must not
    # move loads behind it.
    fields = builder.bitcast(reserved, _meminfo_struct_type.as_pointer())
    slot = cgutils.gep_inbounds(builder, fields, 0, DATA)
    builder.store(builder.bitcast(data, slot.type.pointee), slot)
    value = array_record(context, builder, t, reserved, data, shape, dense_strides(builder, shape, item, t.layout),
                         item)
    return value, data


def reserve(context, builder, count: int) -> ir.Function:
    """A function of the module that makes a record of memory for an array of so many axes: null where it cannot."""
    name = f"gradscribe.reserve.{count}"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(PTR, [I64] * (count + 1)), name)
        function.linkage = "internal"
        inner = ir.IRBuilder(function.append_basic_block())
        *shape, size = function.args
        unfit = ir.Constant(ir.IntType(1), 0)
        for n in shape:
            unfit = inner.or_(unfit, inner.icmp_unsigned(">", n, const(MOST)))
            product = inner.smul_with_overflow(size, n)
            size = inner.extract_value(product, 0)
            unfit = inner.or_(unfit, inner.extract_value(product, 1))
        with inner.if_then(unfit, likely=False):
            inner.ret(ir.Constant(PTR, None))
        if large_blocks.AVAILABLE:
            with inner.if_then(inner.icmp_unsigned(">", size, const(large_blocks.LARGE)), likely=False):
                take = cgutils.get_or_insert_function(builder.module, ir.FunctionType(PTR, [I64]), "gradscribe_take")
                inner.ret(inner.call(take, [size]))
        inner.ret(context.nrt.meminfo_alloc_aligned_unchecked(inner, size, ALIGNMENT))
    return function


def exit_function(builder, name, count, write):
    """A function of `count` integers that leaves the function being built with an exception.

    The exception is set by a function of the module, made once by `write(builder, integers)`: written at each place,
    exceptions would be most of what LLVM reads.
    """
    _, excinfo, *_ = builder.function.args
    function = builder.module.globals.get(name)
    if function is None:
        result, *_ = builder.function.function_type.args
        t = ir.FunctionType(builder.function.function_type.return_type, [result, excinfo.type, *[I64] * count])
        function = ir.Function(builder.module, t, name)
        function.linkage = "internal"
        function.attributes.add("cold")
        function.attributes.add("noinline")
        write(ir.IRBuilder(function.append_basic_block()), tuple(function.args[2:]))

    def leave(*integers):
        builder.ret(builder.call(function, [ir.Constant(function.args[0].type, None), excinfo, *integers]))

    return leave


def refuse(context, builder, message, kind=ValueError):
    """Leave the function being built with ValueError(message)."""
    name = f"gradscribe.refuse.{zlib.crc32(message.encode())}"
    exit_function(builder, name, 0, lambda inner, _: context.call_conv.return_user_exc(inner, kind, (message,)))()


def refuse_shape(context, builder, shape, item):
    """Leave the function being built with what NumPy raises of an array of such a shape."""
    def write(inner, numbers):
        *shape, size = numbers
        negative = overflows = ir.Constant(ir.IntType(1), 0)
        for n in shape:
            negative = inner.or_(negative, inner.icmp_signed("<", n, const(0)))
            product = inner.smul_with_overflow(size, n)
            size = inner.extract_value(product, 0)
            overflows = inner.or_(overflows, inner.extract_value(product, 1))
        for bad, message in (negative, NEGATIVE), (overflows, OVERFLOWS):
            with inner.if_then(bad):
                context.call_conv.return_user_exc(inner, ValueError, (message,))
        context.call_conv.return_user_exc(inner, MemoryError, (TOO_LARGE,))

    exit_function(builder, f"gradscribe.refuse.shape.{len(shape)}", len(shape) + 1, write)(*shape, item)


def dense_strides(builder, shape, item, layout):
    order = range(len(shape)) if layout == "F" else reversed(range(len(shape)))
    strides, step = [None] * len(shape), item
    for k in order:
        strides[k] = step
        step = builder.mul(step, shape[k])
    return strides


def _shape(context, builder, t, value):
    """The lengths in a tuple of integers (or one integer)."""
    if isinstance(t, types.Integer):
        return [context.cast(builder, value, t, types.int64)]
    return [context.cast(builder, n, e, types.int64) for n, e in zip(cgutils.unpack_tuple(builder, value, len(t)), t)]


def _created(shape, dtype):
    return signature(types.Array(dtype.dtype, len(shape) if isinstance(shape, types.BaseTuple) else 1, "C"),
                     types.unliteral(shape), dtype)


@register_lowering(rm.empty, _created)
def _empty(context, builder, sig, args):
    return new_array(context, builder, sig.return_type, _shape(context, builder, sig.args[0], args[0]))[0]


@register_lowering(rm.buffer, _created)
def _buffer(context, builder, sig, args):
    shape = _shape(context, builder, sig.args[0], args[0])
    return new_array(context, builder, sig.return_type, [greater(builder, n, const(0)) for n in shape])[0]


@register_lowering(rm.zeros, _created)
def _zeros(context, builder, sig, args):
    value, data = new_array(context, builder, sig.return_type, _shape(context, builder, sig.args[0], args[0]))
    cgutils.memset(builder, data, element_bytes(context, builder, sig.return_type, value), 0)
    return value


def element_bytes(context, builder, t, value):
    """The bytes of the elements of an array."""
    return builder.mul(*[field(context, builder, t, value, name) for name in ("nitems", "itemsize")])


@register_lowering(rm.fresh, lambda x: signature(x, x))
def _fresh(context, builder, sig, args):
    return fresh(context, builder, sig.args[0], args[0])


def fresh(context, builder, t, value):
    data = field(context, builder, t, value, "data")
    pointer = without_alias(builder, builder.bitcast(data, PTR))
    # It leaves the function here: LLVM would take memory that nobody else knows for dead when the function returns.
    builder.asm(ir.FunctionType(ir.VoidType(), [PTR]), "", "r", [pointer], side_effect=True)
    value = builder.insert_value(value, builder.bitcast(pointer, data.type),
                                 context.data_model_manager[t].get_field_position("data"))
    return impl_ret_borrowed(context, builder, t, value)


@register_lowering(rm.clear, lambda x: signature(types.none, x))
def _clear(context, builder, sig, args):
    t, = sig.args
    cgutils.memset(builder, builder.bitcast(field(context, builder, t, *args, "data"), PTR),
                   element_bytes(context, builder, t, *args), 0)
    return context.get_dummy_value()


# copies ------------------------------------------------------------------------------------------
def fill(context, builder, t, source, target, size):
    """Copy the elements of an array to dense memory."""
    if t.layout in "CF":
        cgutils.raw_memcpy(builder, builder.bitcast(target, PTR), builder.bitcast(source.data, PTR), size, const(1))
        return
    shape, strides = (cgutils.unpack_tuple(builder, axes, t.ndim) for axes in (source.shape, source.strides))
    gather_elements(builder, context.get_data_type(t.dtype), source.data, shape, strides, target)


@register_lowering(rm.copy, lambda x: signature(types.Array(x.dtype, x.ndim, "F" if x.layout == "F" else "C"), x))
def _copy(context, builder, sig, args):
    t, = sig.args
    source = make_array(t)(context, builder, args[0])
    shape = cgutils.unpack_tuple(builder, source.shape, t.ndim)
    return filled_array(context, builder, sig.return_type, shape, t, source)


def filled_array(context, builder, given, shape, t, source):
    """An array of type `given` and this shape with the elements of another."""
    value, data = new_array(context, builder, given, shape)
    fill(context, builder, t, source, data, element_bytes(context, builder, given, value))
    return value


@register_lowering(rm.copy_to, lambda x, out: signature(out, x, out))
def _copy_to(context, builder, sig, args):
    t, kind = sig.args
    result = fresh(context, builder, kind, args[1])
    source, target = make_array(t)(context, builder, args[0]), make_array(kind)(context, builder, result)
    fill(context, builder, t, source, target.data,
         builder.mul(target.itemsize, cgutils.unpack_tuple(builder, target.shape, 1)[0]))
    return result


# views -------------------------------------------------------------------------------------------
def view(context, builder, t, source, shape, strides):
    value = array_record(context, builder, t, source.meminfo, source.data, shape, strides, source.itemsize,
                         source.parent)
    return impl_ret_borrowed(context, builder, t, value)


def _transposed(x, *axes):
    return signature(x.copy(layout="A"), x, *axes)


@register_lowering(rm.transpose, _transposed, literal=True)
def _transpose(context, builder, sig, args):
    t, axes = sig.args[0], [a.literal_value for a in sig.args[1:]]
    source = make_array(t)(context, builder, args[0])
    shape, strides = (cgutils.unpack_tuple(builder, source.shape, t.ndim),
                      cgutils.unpack_tuple(builder, source.strides, t.ndim))
    return view(context, builder, sig.return_type, source, [shape[k] for k in axes], [strides[k] for k in axes])


def _reshaped(x, shape):
    t = types.Array(x.dtype, len(shape), "C", readonly=not x.mutable and x.layout == "C")
    return signature(t, x, types.unliteral(shape))


@register_lowering(rm.reshape, _reshaped)
def _reshape(context, builder, sig, args):
    t = sig.args[0]
    source = make_array(t)(context, builder, args[0])
    shape = _shape(context, builder, sig.args[1], args[1])
    have = cgutils.unpack_tuple(builder, source.shape, t.ndim)
    counts = []
    for lengths in (have, shape):
        count = const(1)
        for n in lengths:
            count = builder.mul(count, n)
        counts.append(count)
    with builder.if_then(builder.icmp_signed("!=", *counts), likely=False):
        refuse(context, builder, "cannot reshape array: the new shape has another number of elements")
    if t.layout == "C":
        return view(context, builder, sig.return_type, source, shape,
                    dense_strides(builder, shape, source.itemsize, "C"))
    return filled_array(context, builder, sig.return_type, shape, t.copy(layout="A"), source)


keep_freed_memory()
