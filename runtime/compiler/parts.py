"""Functions of a module that only other functions of it call become machine code with those,
and not once more before."""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, compiler, sigutils, types
from numba.core.callconv import excinfo_ptr_t
from numba.core.registry import CPUDispatcher

from .pipeline import Compiler, Library


class Unfinished(Library):
    """Code that is only there to be linked into other code, which is then optimised as a whole."""

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalized = True


class Callee(CPUDispatcher):
    """A function as those see it that call it; each compiled form is made once."""

    def compile(self, sig):
        args = tuple(map(types.unliteral, sigutils.normalize_signature(sig)[0]))
        if args not in self.overloads:
            flags = compiler.Flags()
            self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
            flags.no_compile, flags.noalias = True, hasattr(self.py_func, "apart")
            library = Unfinished(self.targetctx.codegen(), self.py_func.__qualname__)
            self.overloads[args] = compiler.compile_extra(self.typingctx, self.targetctx, self.py_func, args, None,
                                                          flags, {}, library, Compiler)
        return self.overloads[args]

    def lower_call(self, context, builder, caller, types, args):
        """A call by the function `caller`, which is left where this one raises:
        where what it returns lies, and of which type it is."""
        made = self.compile(types)
        callee, conv = declared(context, builder, caller, made), context.call_conv
        memory = cgutils.alloca_once(builder, conv.get_return_type(made.signature.return_type).pointee)
        exception = cgutils.alloca_once_value(builder, ir.Constant(excinfo_ptr_t, None))
        given = conv._get_arg_packer(made.signature.args).as_arguments(builder, args)
        code = builder.call(callee, [memory, exception, *given])
        status = conv._get_return_status(builder, code, builder.load(exception))
        with cgutils.if_unlikely(builder, status.is_error):
            conv.return_status_propagate(builder, status)
        return memory, made.signature.return_type

    @staticmethod
    def item(context, builder, returned, k):
        """One of the values of a tuple that a part has returned."""
        memory, t = returned
        value, model = builder.load(cgutils.gep_inbounds(builder, memory, 0, k)), context.data_model_manager[t[k]]
        return value if value.type == model.get_value_type() else model.from_return(builder, value)


def declared(context, builder, caller, made):
    """A compiled part, as the function `caller`, which is being written, sees it."""
    context.active_code_library.add_linking_library(made.library)
    # numba's exceptions look whether their function has an environment, which only functions have that Python calls
    own, ours = (context.declare_env_global(builder.module, context.get_env_name(f)) for f in (made.fndesc, caller))
    builder.store(builder.load(ours), own)
    return context.declare_function(builder.module, made.fndesc)
