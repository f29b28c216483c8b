"""numba's way from a function to machine code, for text that we have written ourselves: the same code, sooner.

numba's passes look for what our text does not have (closures, `with`, generators, overloads to inline, literals to
unroll), and after each of them it works out again which variables live where.  Here all that comes before lowering is
one pass.  What operators do with numbers and arrays is asked once: numba tries dozens of overloads each time, when it
types an operation and when it lowers it. LLVM gets less to read than from numba, optimises it once, and makes code of
it that is as fast.
"""
from __future__ import annotations

import llvmlite.binding
from llvmlite import ir as llvm
from numba.core import cgutils, ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import NativeLowering, NoPythonBackend, type_inference_stage
from numba.core.untyped_passes import FixupArgs, TranslateByteCode

from .elements import Elements
from .failure import Calling
from .garbage import uncollected
from .later import handlers_later
from .lean import FoldingBuilder, without_unread
from .lifetimes import end_variables
from .loop_hints import AROUND, INNERMOST, Hinted
from .operator_types import OPERATORS, Typing

PRUNED = llvmlite.binding.RefPruneSubpasses


@register_pass(mutates_CFG=False, analysis_only=False)
class FrontEnd(AnalysisPass):
    """Byte code -> typed instructions, in which each variable ends where it is not used any more."""

    _name = "gradscribe_front_end"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        TranslateByteCode().run_pass(state)
        FixupArgs().run_pass(state)
        spread_arguments(state.func_ir)
        state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        state.typemap, state.return_type, state.calltypes, state.typing_errors = type_inference_stage(
            Typing(state.typingctx), state.targetctx, state.func_ir, state.args, state.return_type, state.locals)
        models = state.targetctx.data_model_manager
        holding = {t: models[t].contains_nrt_meminfo() for t in set(state.typemap.values())}
        end_variables(state.func_ir.blocks, {name for name, t in state.typemap.items() if holding[t]})
        return True


def spread_arguments(func_ir) -> None:
    """Calls with many arguments get each of them: Python makes a tuple of more than 30."""
    for block in func_ir.blocks.values():
        tuples = {s.target.name: s for s in block.find_insts(ir.Assign)
                  if isinstance(s.value, ir.Expr) and s.value.op == "build_tuple"}
        for call in block.find_exprs("call"):
            made = tuples.get(call.vararg and call.vararg.name)
            if made is not None:
                call.args, call.vararg = [*call.args, *made.value.items], None
                block.body.remove(made)


class Lowering(Elements):
    """numba's, without what it asks of typing a second time, and with loops over ranges of step 1 or -1 as C would have
    them.

    For each loop numba makes an object of the range, an iterator with a count of what is left, and a pair of the index
    and whether there is one: a quarter of all that LLVM had to read.  Here an index is compared with the stop, and
    added to.
    """

    def init(self):
        super().init()
        self.returned = {}  # variable -> the part that it was returned by, and where it lies
        # variable -> (type of the index, start, stop, step), (index in memory, start, stop, step)
        # or (index, is there one?)
        self.loops = {}
        self.headers = {}  # block that a loop comes round to -> its number
        self.last_long = None  # the number of the last long one

    def setup_function(self, fndesc):
        super().setup_function(fndesc)
        self.builder = FoldingBuilder(self.entry_block)

    def lower_inst(self, inst):
        if isinstance(inst, ir.Assign) and (self.of_loop(inst.target, inst.value)
                                            or self.of_part(inst.target, inst.value)):
            return
        if isinstance(inst, ir.Return) and self.returns_as_it_is(inst.value):
            return
        if not isinstance(inst, ir.Del) or inst.value not in self.returned and self.counted(self.typeof(inst.value)):
            super().lower_inst(inst)
        if isinstance(inst, ir.Jump) and (number := self.headers.get(self.blkmap[self.end_of_jumps(inst)])) is not None:
            self.come_round(number)

    def create_cpython_wrapper(self, release_gil=False):
        CPUContext.create_cpython_wrapper(Calling(self.context), self.library, self.fndesc, self.env, self.call_helper,
                                          release_gil=release_gil)

    # loops ---------------------------------------------------------------------------------------------
    def of_loop(self, target, value) -> bool:
        """Is it a step of iterating over a simple range, other than the index itself?  Then that is lowered here."""
        loops = self.loops
        match value:
            case ir.Expr(op="call") if isinstance(self.typeof(target.name), types.RangeType):
                found = self.simple_range(value)
            case ir.Expr(op="getiter") if value.value.name in loops:
                t, start, stop, step = loops[value.value.name]
                place = cgutils.alloca_once(self.builder, t)
                self.builder.store(start, place)
                found = place, start, stop, step
            case ir.Var() if value.name in loops:
                found = loops[value.name]
            case ir.Expr(op="iternext") if value.value.name in loops:
                place, start, stop, step = loops[value.value.name]
                self.headers[self.builder.block] = number = len(self.headers)
                if not (isinstance(start, llvm.Constant) and isinstance(stop, llvm.Constant)):
                    self.last_long = number
                index = self.builder.load(place)
                least = start if step > 0 else stop
                if isinstance(least, llvm.Constant) and least.constant >= min(step, 0):
                    self.natural.add(index)
                self.builder.store(self.builder.add(index, index.type(step), flags=["nsw"]), place)
                found = index, self.builder.icmp_signed("<" if step > 0 else ">", index, stop)
            case _:
                return False
        if found is not None:
            loops[target.name] = found
        return found is not None

    def end_of_jumps(self, jump):
        """The block that it comes to by way of empty ones."""
        seen = set()
        while jump.target not in seen and isinstance(after := self.blocks[jump.target].body[0], ir.Jump):
            seen.add(jump.target)
            jump = after
        return jump.target

    def come_round(self, number: int) -> None:
        """At the end of a loop's body.  Of one that is long, or has a long one in it, LLVM would write several rounds,
        or the first ones apart: more code that is no faster.  Others it is to write out."""
        if self.last_long is not None and self.last_long >= number:
            hints = INNERMOST if self.last_long == number else AROUND
            self.builder.block.terminator.set_metadata("llvm.loop", Hinted(self.module, hints))

    def simple_range(self, call):
        """(type, start, stop, step) of a call of `range`;
        None if its step is not known to be 1 or -1, or it is not of signed integers."""
        signature = self.fndesc.calltypes[call]
        t = signature.return_type.dtype
        step = 1
        if len(call.args) == 3:
            made = self.definition(call.args[2])
            step = made.value if isinstance(made, ir.Const) else None
        if step not in (1, -1) or not t.signed:
            return None
        values = [self._cast_var(v, wanted) for v, wanted in zip(call.args, signature.args)]
        start, stop = values[:2] if len(values) > 1 else (self.context.get_constant(t, 0), values[0])
        return stop.type, start, stop, step

    def lower_expr(self, resty, expr):
        if expr.op == "getattr" and expr.attr == "shape" and isinstance(self.typeof(expr.value.name), types.Array):
            return self.field(expr.value, "shape")
        pair = self.loops.get(expr.value.name) if expr.op in ("pair_first", "pair_second") else None
        if pair is None:
            return super().lower_expr(resty, expr)
        t = self.typeof(expr.value.name)
        return self.context.cast(self.builder, pair[expr.op == "pair_second"],
                                 (t.first_type, t.second_type)[expr.op == "pair_second"], resty)

    def returns_as_it_is(self, variable) -> bool:
        """Return a value whose form in memory is that of the value,
        which numba would take apart and put together again; False if it is another."""
        t, model = self.fndesc.restype, self.context.data_model_manager[self.fndesc.restype]
        if (self.typeof(variable.name) != t or not isinstance(t, types.BaseTuple)
                or model.get_return_type() != model.get_value_type()):
            return False
        self.call_conv.return_value(self.builder, self.loadvar(variable.name))
        return True

    # calls of parts ------------------------------------------------------------------------------------
    # numba would take the tuple that a call returns for a value, and copy it, and count its references, for each item
    # that it is taken apart into.

    def of_part(self, target, value) -> bool:
        """Is it a call of a part (`compiler/parts.py`), or an item of what one has returned?  Each item is taken once,
        and its references with it."""
        match value:
            case ir.Expr(op="call") if hasattr(part := getattr(self.typeof(value.func.name), "dispatcher", None),
                                               "lower_call"):
                signature = self.fndesc.calltypes[value]
                args = self.fold_call_args(self.typeof(value.func.name), signature, value.args, value.vararg, value.kws)
                self.returned[target.name] = (part,
                        part.lower_call(self.context, self.builder, self.fndesc, signature.args, args))
            case ir.Expr(op="exhaust_iter") if value.value.name in self.returned:
                self.returned[target.name] = self.returned[value.value.name]
            case ir.Expr(op="static_getitem") if value.value.name in self.returned:
                part, returned = self.returned[value.value.name]
                self.storevar(part.item(self.context, self.builder, returned, value.index), target.name)
            case _:
                return False
        return True

    # operators ---------------------------------------------------------------------------------------
    def lower_binop(self, resty, expr, op):
        if op not in OPERATORS:
            return super().lower_binop(resty, expr, op)
        return self.operation(op, self.fndesc.calltypes[expr], (expr.lhs, expr.rhs), resty)

    def operation(self, op, signature, operands, t):
        """`op` of variables as typing has found it."""
        args = [self._cast_var(v, wanted) for v, wanted in zip(operands, signature.args)]
        function = self.context.typing_context.resolve_value_type(op)
        # other modules of numba may have come in since typing
        Typing(self.context.typing_context).resolve_function_type(function, signature.args, {})
        run = self.context.get_function(function, signature)
        return self.context.cast(self.builder, run(self.builder, args), signature.return_type, t)


class Library(JITCodeLibrary):
    """numba's, optimised once.

    numba runs the passes of LLVM over each function before it links, then a short pipeline and the whole one over the
    module, so that more references can be pruned.  Our text holds few, and the whole pipeline does what the others did:
    a third of LLVM's time. numba also prunes references that an exception leaves alone; ours does not leave them alone.
    """

    def add_ir_module(self, ir_module):
        for function in ir_module.functions:
            without_unread(function)
        super().add_ir_module(ir_module)

    def _optimize_functions(self, ll_module):
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self):
        builder = self._codegen._pass_builder()
        passes = builder.getModulePassManager()
        passes.add_refprune_pass(PRUNED.PER_BB | PRUNED.DIAMOND | PRUNED.FANOUT)
        passes.run(self._final_module, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class BackEnd(NativeLowering):
    _name = "gradscribe_back_end"
    lowering_class = Lowering

    def run_pass(self, state):
        if state.library is None:  # else it is a part of a function, in whose library it goes
            state.library = Library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        with handlers_later():
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
