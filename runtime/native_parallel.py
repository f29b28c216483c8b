"""The compiled form of `parallel.share`: the part of the loop is compiled with the function that it belongs to, and handed to
`native_threads` as a C function."""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, compiler, types
from numba.core.callconv import excinfo_ptr_t
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin
from numba.np.arrayobj import make_array

from . import parallel as rp
from .native_threads import AVAILABLE, I32, PTR, RUN, const, external, failed


@infer_global(rp.share)
class Share(AbstractTemplate):
    def generic(self, args, kws):
        part, _, values, _, _ = args
        values = types.BaseTuple.from_types([types.unliteral(t) for t in values])
        return signature(types.none, part, types.int64, values, types.int64, types.boolean)


@lower_builtin(rp.share, types.VarArg(types.Any))
def _share(context, builder, sig, args):
    part, _, values, _, _ = sig.args
    _, count, value, grain, at_once = args
    run = runner(context, builder, compiled(context, part.dispatcher, values), values)
    data = builder.bitcast(cgutils.alloca_once_value(builder, value), PTR)
    exception = cgutils.alloca_once_value(builder, const(None, excinfo_ptr_t))
    if AVAILABLE:
        code = external(builder, I32, "gradscribe_share", run, data, count, grain, cgutils.is_true(builder, at_once), exception)
    else:
        code = builder.call(run, [const(0), count, data, exception])
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
    builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], side_effect=True)  # no loop with this in it is vectorised
    return context.get_dummy_value()


class Within:
    """The library that is being compiled, as one more function of it sees it: what both define is there once."""

    def __init__(self, library):
        self.library = library

    def __getattr__(self, name):
        return getattr(self.library, name)

    def add_ir_module(self, module):
        for fn in module.functions:
            if not fn.is_declaration and fn.linkage in ("", "external"):
                fn.linkage = "weak_odr"
        self.library.add_ir_module(module)


def compiled(context, dispatcher, values):
    """The description of a part of the function that is being compiled: it becomes code with it, and not once more before."""
    flags = compiler.Flags()
    dispatcher.targetdescr.options.parse_as_flags(flags, dispatcher.targetoptions)
    flags.no_compile = True
    result = compiler.compile_extra(context.typing_context, context, dispatcher.py_func, (types.int64, types.int64, *values), types.none, flags, {},
                                    Within(context.active_code_library), dispatcher._compiler.pipeline_class)
    return result.fndesc


def runner(context, builder, fndesc, values):
    """int run(low, high, data, exception): calls the compiled part with the values that data points to."""
    module = builder.module
    callee = context.declare_function(module, fndesc)
    # numba's exceptions look whether their function has an environment, which only functions have that Python calls
    own, ours = (context.declare_env_global(module, context.get_env_name(f)) for f in (fndesc, context.fndesc))
    builder.store(builder.load(ours), own)
    fn = ir.Function(module, RUN, module.get_unique_name("run"))
    fn.linkage = "internal"
    b = ir.IRBuilder(fn.append_basic_block("entry"))
    low, high, data, exception = fn.args
    given = b.load(b.bitcast(data, context.get_value_type(values).as_pointer()))
    given = [unowned(context, b, t, x) for t, x in zip(values, cgutils.unpack_tuple(b, given, len(values)))]
    status, _ = context.call_conv.call_function(b, callee, types.none, fndesc.argtypes, [low, high, *given], attrs=("noinline",))
    b.store(b.select(status.is_user_exc, status.excinfoptr, const(None, excinfo_ptr_t)), exception)
    b.ret(status.code)
    return fn


def unowned(context, builder, t, value):
    """An array whose memory somebody else keeps: threads that all counted references to it would wait for each other."""
    if not isinstance(t, types.Array):
        return value
    array = make_array(t)(context, builder, value)
    array.meminfo = const(None, array.meminfo.type)
    array.parent = const(None, array.parent.type)
    return array._getvalue()
