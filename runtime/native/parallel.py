"""The compiled form of `parallel.share`: the part of the loop is compiled with the function that it belongs to, and
handed to `native/threads.py` as a C function."""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.callconv import excinfo_ptr_t
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin
from numba.np.arrayobj import make_array

from ..compiler.parts import declared
from ..plain import parallel as rp
from .threads import AVAILABLE, I32, PTR, RUN, external, failed, llvm_constant


@infer_global(rp.share)
class SharedLoop(AbstractTemplate):
    def generic(self, args, kws):
        part, _, values, _, _ = args
        values = types.BaseTuple.from_types([types.unliteral(t) for t in values])
        return signature(types.none, part, types.int64, values, types.int64, types.boolean)


@lower_builtin(rp.share, types.VarArg(types.Any))
def _share(context, builder, sig, args):
    part, _, values, _, _ = sig.args
    _, count, value, grain, at_once = args
    run = runner(context, builder, part.dispatcher.compile((types.int64, types.int64, *values)), values)
    data = builder.bitcast(cgutils.alloca_once_value(builder, value), PTR)
    exception = cgutils.alloca_once_value(builder, llvm_constant(None, excinfo_ptr_t))
    if AVAILABLE:
        code = external(builder, I32, "gradscribe_share", run, data, count, grain,
                        cgutils.is_true(builder, at_once), exception)
    else:
        code = builder.call(run, [llvm_constant(0), count, data, exception])
    with builder.if_then(failed(builder, code), likely=False):
        status = context.call_conv._get_return_status(builder, code, builder.load(exception))
        context.call_conv.return_status_propagate(builder, status)
    return context.get_dummy_value()


@infer_global(rp.one_by_one)
class OneByOne(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.none)


@lower_builtin(rp.one_by_one)
def _one_by_one(context, builder, sig, args):
    # no loop with this in it is vectorised
    builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], side_effect=True)
    return context.get_dummy_value()


@infer_global(rp.elements_apart)
class ElementsApart(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.boolean, *args)


@lower_builtin(rp.elements_apart, types.Array)
def _elements_apart(context, builder, sig, args):
    array = make_array(sig.args[0])(context, builder, args[0])
    shape, strides = (cgutils.unpack_tuple(builder, x, sig.args[0].ndim) for x in (array.shape, array.strides))
    room, apart = array.itemsize, llvm_constant(1, ir.IntType(1))
    for n, stride in zip(reversed(shape), reversed(strides)):
        apart = builder.and_(apart, builder.icmp_signed(">=", stride, room))
        room = builder.mul(n, stride)
    return apart


def runner(context, builder, made, values):
    """int run(low, high, data, exception): calls the compiled part with the values that data points to."""
    module, fndesc = builder.module, made.fndesc
    callee = declared(context, builder, context.fndesc, made)
    fn = ir.Function(module, RUN, module.get_unique_name("run"))
    fn.linkage = "internal"
    b = ir.IRBuilder(fn.append_basic_block("entry"))
    low, high, data, exception = fn.args
    given = b.load(b.bitcast(data, context.get_value_type(values).as_pointer()))
    given = [unowned(context, b, t, x) for t, x in zip(values, cgutils.unpack_tuple(b, given, len(values)))]
    status, _ = context.call_conv.call_function(b, callee, types.none, fndesc.argtypes, [low, high, *given],
                                                attrs=("noinline",))
    b.store(b.select(status.is_user_exc, status.excinfoptr, llvm_constant(None, excinfo_ptr_t)), exception)
    b.ret(status.code)
    return fn


def unowned(context, builder, t, value):
    """An array whose memory somebody else keeps: threads that all counted references
    to it would wait for each other."""
    if not isinstance(t, types.Array):
        return value
    array = make_array(t)(context, builder, value)
    array.meminfo = llvm_constant(None, array.meminfo.type)
    array.parent = llvm_constant(None, array.parent.type)
    return array._getvalue()
