"""numba's way from a function to machine code, for text that we have written ourselves: the same code, sooner.

numba's passes look for what our text does not have (closures, `with`, generators, overloads to inline, literals to unroll), and after
each of them it works out again which variables live where.  Here all that comes before lowering is one pass.  What operators do with
numbers and arrays is asked once: numba tries dozens of overloads each time, when it types an operation and when it lowers it.
LLVM gets what it would get from numba, and optimises it as for numba.
"""
from __future__ import annotations

import operator

from numba.core import ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import NativeLowering, NoPythonBackend, type_inference_stage
from numba.core.untyped_passes import FixupArgs, TranslateByteCode

from .garbage import uncollected

# Not `pow`: what it does depends on the value of the exponent.
OPERATORS = {getattr(operator, name) for name in (
    "getitem", "add", "sub", "mul", "truediv", "iadd", "isub", "imul", "itruediv", "neg", "pos", "invert", "not_",
    "and_", "or_", "xor", "lshift", "rshift", "eq", "ne", "lt", "le", "gt", "ge")}
REMEMBERED = OPERATORS | {range, bool, abs}
_answers: dict = {}


class Typing:
    """A typing context that remembers what operators do with numbers and arrays."""

    def __init__(self, context):
        self.context = context

    def __getattr__(self, name):
        return getattr(self.context, name)

    def resolve_function_type(self, func, args, kws):
        function = func if isinstance(func, types.Type) else self.context._lookup_global(func)
        wide = tuple(map(types.unliteral, args))
        if kws or not isinstance(function, types.Function) or function.typing_key not in REMEMBERED or not all(map(plain, wide)):
            return self.context.resolve_function_type(func, args, kws)
        key = function, wide
        if key not in _answers:
            _answers[key] = self.context.resolve_function_type(function, wide, kws)
        return _answers[key]


def plain(t) -> bool:
    """A type whose operators depend on it alone: numbers, arrays, and tuples of them."""
    return isinstance(t, (types.Number, types.Boolean, types.Array)) or isinstance(t, types.BaseTuple) and all(map(plain, t))


@register_pass(mutates_CFG=False, analysis_only=False)
class FrontEnd(AnalysisPass):
    """Byte code -> typed instructions, in which each variable ends where it is not used any more."""

    _name = "gradscribe_front_end"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        TranslateByteCode().run_pass(state)
        FixupArgs().run_pass(state)
        PostProcessor(state.func_ir).run()
        state.typemap, state.return_type, state.calltypes, state.typing_errors = type_inference_stage(
            Typing(state.typingctx), state.targetctx, state.func_ir, state.args, state.return_type, state.locals)
        PostProcessor(state.func_ir).run(emit_dels=True)
        return True


class Lowering(Lower):
    """numba's, without what it asks of typing a second time."""

    def lower_inst(self, inst):
        if not isinstance(inst, ir.Del) or self.counted(self.typeof(inst.value)):
            super().lower_inst(inst)

    def counted(self, t) -> bool:
        """Do values of this type hold references to memory?"""
        return self.context.data_model_manager[t].contains_nrt_meminfo()

    def lower_getitem(self, resty, expr, value, index, signature):
        return self.operation(operator.getitem, signature, (value, index), resty)

    def lower_binop(self, resty, expr, op):
        if op not in OPERATORS:
            return super().lower_binop(resty, expr, op)
        return self.operation(op, self.fndesc.calltypes[expr], (expr.lhs, expr.rhs), resty)

    def operation(self, op, signature, operands, t):
        """`op` of variables as typing has found it."""
        args = [self._cast_var(v, wanted) for v, wanted in zip(operands, signature.args)]
        function = self.context.typing_context.resolve_value_type(op)
        Typing(self.context.typing_context).resolve_function_type(function, signature.args, {})  # other modules of numba may have come in since typing
        run = self.context.get_function(function, signature)
        return self.context.cast(self.builder, run(self.builder, args), signature.return_type, t)


class Library(JITCodeLibrary):
    """numba's, which makes a pass manager for each function of a module, those that it only declares too."""

    def _optimize_functions(self, ll_module):
        if not hasattr(self._codegen, "_pass_builder"):  # numba 0.61 has one manager for all
            return super()._optimize_functions(ll_module)
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class BackEnd(NativeLowering):
    _name = "gradscribe_back_end"
    lowering_class = Lowering

    def run_pass(self, state):
        if state.library is None:  # else it is a part of a function, in whose library it goes
            state.library = Library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super().run_pass(state)


class Compiler(CompilerBase):
    def compile_extra(self, func):
        with uncollected():
            return super().compile_extra(func)

    def define_pipelines(self):
        passes = PassManager("gradscribe")
        passes.add_pass(FrontEnd, "byte code to typed instructions")
        passes.add_pass(BackEnd, "native lowering")
        passes.add_pass(NoPythonBackend, "nopython mode backend")
        passes.finalize()
        return [passes]
