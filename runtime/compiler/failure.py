"""How compiled code raises `Failure` with numbers of the run time, and Python gets it.

numba has a way for exceptions of whose arguments some are known at run time only.  It loses a bytes object, a tuple and
its numbers each time, so that a loop around a call that raises takes more and more memory.  Here the numbers stand
behind numba's record of the exception, in one piece of memory, and a function of the module makes Python's objects of
them.
"""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.callconv import (ALLOC_FLAG_IDX, HASH_BUF_IDX, RETCODE_USEREXC, UNWRAP_FUNC_IDX, CPUCallConv,
                                 excinfo_ptr_t, excinfo_t)

from ..plain import scalars as rs

I32, I64, PTR = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
UNWRAP = ir.FunctionType(PTR, [PTR])  # numbers -> (class, arguments, None)
# Does numba write what Python calls (`stock` says so)?  It knows its own way of raising only.
by_numba = False


def return_failure(context, builder, numbers):
    """Leave the function being built with Failure(*numbers)."""
    if by_numba:
        context.call_conv.return_dynamic_user_exc(builder, rs.Failure, numbers, (types.int64,) * len(numbers))
        return
    t = ir.LiteralStructType([excinfo_t, ir.ArrayType(I64, len(numbers))])
    memory = context.nrt.allocate(builder, I64(context.get_abi_sizeof(t)))
    record = builder.bitcast(memory, t.as_pointer())
    for k, number in enumerate(numbers):
        builder.store(number, cgutils.gep_inbounds(builder, record, 0, 1, k))
    first = builder.bitcast(cgutils.gep_inbounds(builder, record, 0, 1), PTR)
    fields = {HASH_BUF_IDX: first, UNWRAP_FUNC_IDX: builder.bitcast(unwrap(context, builder.module, len(numbers)), PTR),
              ALLOC_FLAG_IDX: I32(len(numbers))}
    for k, t in enumerate(excinfo_t.elements):
        builder.store(fields.get(k, ir.Constant(t, None)), cgutils.gep_inbounds(builder, record, 0, 0, k))
    builder.store(builder.bitcast(memory, excinfo_ptr_t), builder.function.args[1])
    builder.ret(RETCODE_USEREXC)


def unwrap(context, module, count):
    """PyObject *unwrap(numbers): what numba's way to raise takes, made by code that holds Python's lock."""
    name = f"gradscribe.unwrap.{count}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, UNWRAP, name)
    function.linkage = "internal"
    builder = ir.IRBuilder(function.append_basic_block())
    python = context.get_python_api(builder)
    numbers = builder.bitcast(function.args[0], I64.as_pointer())
    values = [builder.load(builder.gep(numbers, [I64(k)])) for k in range(count)]
    make = cgutils.get_or_insert_function(module, ir.FunctionType(PTR, [PTR], var_arg=True), "Py_BuildValue")
    form = context.insert_const_string(module, f"(N({'L' * count})O)")
    builder.ret(builder.call(make, [form, python.unserialize(python.serialize_object(rs.Failure)), *values,
                                    python.borrow_none()]))
    return function


class Calling:
    """numba's context where the function is written that Python calls."""

    def __init__(self, context):
        self.context, self.call_conv = context, CallConv(context)

    def __getattr__(self, name):
        return getattr(self.context, name)


class CallConv(CPUCallConv):
    """numba's, but for exceptions with numbers of the run time, of which it makes Python's objects as above."""

    def unpack_exception(self, builder, pyapi, status):
        record = status.excinfoptr
        numbers, function, count = (builder.load(cgutils.gep_inbounds(builder, record, 0, k))
                                    for k in (HASH_BUF_IDX, UNWRAP_FUNC_IDX, ALLOC_FLAG_IDX))
        with builder.if_else(builder.icmp_signed(">", count, I32(0))) as (ours, constant):
            with ours:
                made = builder.call(builder.bitcast(function, UNWRAP.as_pointer()), [numbers])
                self.context.nrt.free(builder, builder.bitcast(record, PTR))
                made_in = builder.block
            with constant:
                read = pyapi.unserialize(record)
                read_in = builder.block
        result = builder.phi(PTR)
        result.add_incoming(made, made_in)
        result.add_incoming(read, read_in)
        return result
