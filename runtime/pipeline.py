"""numba's way from a function to machine code, for text that we have written ourselves: the same code, sooner.

numba's passes look for what our text does not have (closures, `with`, generators, overloads to inline, literals to
unroll), and after each of them it works out again which variables live where.  Here all that comes before lowering is
one pass.  What operators do with numbers and arrays is asked once: numba tries dozens of overloads each time, when it
types an operation and when it lowers it. LLVM gets less to read than from numba, optimises it once, and makes code of
it that is as fast.
"""
from __future__ import annotations

import operator
from collections import Counter

import llvmlite.binding
from llvmlite import ir as llvm
from numba.core import cgutils, ir, types
from numba.core.callconv import RETCODE_NONE, RETCODE_OK
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import NativeLowering, NoPythonBackend, type_inference_stage
from numba.core.untyped_passes import FixupArgs, TranslateByteCode
from numba.np.arrayobj import fix_integer_index, load_item, store_item

from . import memory as rm
from .garbage import uncollected
from .native_failure import Calling
from .native_typing import OPERATORS, Typing

LENDING = {rm.fresh: 0, rm.copy_to: 1, rm.transpose: 0}  # functions whose result lies in the memory of this argument
PTR = cgutils.voidptr_t
RECORD = types.MemInfoPointer(types.voidptr)
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
        spread(state.func_ir)
        PostProcessor(state.func_ir).run()
        state.typemap, state.return_type, state.calltypes, state.typing_errors = type_inference_stage(
            Typing(state.typingctx), state.targetctx, state.func_ir, state.args, state.return_type, state.locals)
        PostProcessor(state.func_ir).run(emit_dels=True)
        return True


def spread(func_ir) -> None:
    """Calls with many arguments get each of them: Python makes a tuple of more than 30."""
    for block in func_ir.blocks.values():
        tuples = {s.target.name: s for s in block.find_insts(ir.Assign)
                  if isinstance(s.value, ir.Expr) and s.value.op == "build_tuple"}
        for call in block.find_exprs("call"):
            made = tuples.get(call.vararg and call.vararg.name)
            if made is not None:
                call.args, call.vararg = [*call.args, *made.value.items], None
                block.body.remove(made)


class Lowering(Lower):
    """numba's, without what it asks of typing a second time, and with loops over ranges of step 1 or -1 as C would have
    them.

    For each loop numba makes an object of the range, an iterator with a count of what is left, and a pair of the index
    and whether there is one: a quarter of all that LLVM had to read.  Here an index is compared with the stop, and
    added to.
    """

    def init(self):
        super().init()
        self.references = {}  # type -> how many a value holds
        self.returned = {}  # variable -> the part that it was returned by, and where it lies
        # variable -> (type of the index, start, stop, step), (index in memory, stop, step) or (index, is there one?)
        self.loops = {}

    def lower_inst(self, inst):
        if isinstance(inst, ir.Assign) and (self.of_loop(inst.target, inst.value)
                                            or self.of_part(inst.target, inst.value)):
            return
        if isinstance(inst, ir.Return) and self.returns_as_it_is(inst.value):
            return
        if not isinstance(inst, ir.Del) or inst.value not in self.returned and self.counted(self.typeof(inst.value)):
            super().lower_inst(inst)

    # references ----------------------------------------------------------------------------------------
    # numba forgets what variables refer to where a function is left by an exception.  Here their records of memory
    # stand in a row in memory as well, from when a variable is bound until it is deleted, and each way out with an
    # exception goes by one block that lets go of all that stand there.  (That block could read the variables: LLVM
    # would then have to say for each way out what they are.) References to what the caller keeps anyway, that is to
    # arguments and views of them, are not counted.

    def lower_function_body(self):
        bound = [(s.target.name, s.value) for _, block in sorted(self.blocks.items())
                 for s in block.find_insts(ir.Assign)]
        bound = [(name, value) for name, value in bound if self.counted(self.typeof(name))]
        times = Counter(name for name, _ in bound)
        self.lent = self.all_lent(bound, times)
        free = self.lent | {name for block in self.blocks.values() for name in bound_last(block) if times[name] == 1}
        slots = {name: self.counted(self.typeof(name)) for name in times if name not in free}
        total, self.places = sum(slots.values()), {}
        if total:
            row = cgutils.alloca_once(self.builder, llvm.ArrayType(PTR, total), name="references", zfill=True)
            places = iter([cgutils.gep_inbounds(self.builder, row, 0, k) for k in range(total)])
            self.places = {name: [next(places) for _ in range(count)] for name, count in slots.items()}
        tail = super().lower_function_body()
        if total:
            self.let_go(row, total)
        return tail

    def all_lent(self, bound, times) -> set[str]:
        """The variables that are bound once, to an argument or to a view of one."""
        lent = set()
        for name, value in bound:
            if times[name] == 1 and self.is_lent(value, lent):
                lent.add(name)
        return lent

    def is_lent(self, value, lent) -> bool:
        match value:
            case ir.Arg():
                return True
            case ir.Var():
                return value.name in lent
            case ir.Expr(op="build_tuple"):
                return all(item.name in lent for item in value.items)
            case ir.Expr(op="static_getitem"):
                return value.value.name in lent
            case ir.Expr(op="getitem"):  # an index array makes an array of its own
                return value.value.name in lent and not any(isinstance(t, types.ArrayCompatible)
                                                            for t in axes(self.typeof(value.index.name)))
            case ir.Expr(op="call"):
                place = LENDING.get(getattr(self.typeof(value.func.name), "typing_key", None))
                return place is not None and value.args[place].name in lent
        return False

    def storevar(self, value, name, argidx=None):
        if name not in self.lent:
            super().storevar(value, name, argidx)
            self.hold(name, value)
            return
        self.decref(self.typeof(name), value)
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def delvar(self, name):
        if name not in self.lent:
            super().delvar(name)
            self.hold(name, None)

    def hold(self, name, value):
        """What the variable refers to from now on; None: nothing."""
        places = self.places.get(name, ())
        records = [llvm.Constant(PTR, None)] * len(places)
        if places and value is not None:
            records = self.records(self.typeof(name), value)
        for place, record in zip(places, records, strict=True):
            self.builder.store(record, place)

    def records(self, t, value) -> list:
        """The records of memory that a value refers to: numba takes all of its parts out to find them."""
        if isinstance(t, types.Array):
            return [self.builder.extract_value(value, self.context.data_model_manager[t].get_field_position("meminfo"))]
        if isinstance(t, types.BaseTuple):
            return [r for k, inner in enumerate(t) if self.counted(inner)
                    for r in self.records(inner, self.builder.extract_value(value, k))]
        return [record for _, record in self.context.nrt.get_meminfos(self.builder, t, value)]

    def incref(self, typ, val):
        for record in self.records(typ, val) if self.counted(typ) else ():
            self.context.nrt.incref(self.builder, RECORD, record)

    def decref(self, typ, val):
        for record in self.records(typ, val) if self.counted(typ) else ():
            self.context.nrt.decref(self.builder, RECORD, record)

    def let_go(self, row, total):
        """Lead all ways out with an exception by a block that lets go of what the row holds."""
        exits = [b for b in self.function.blocks if isinstance(b.terminator, llvm.Ret)
                 and b.terminator.return_value not in (RETCODE_OK, RETCODE_NONE)]
        if not exits:
            return
        after = self.function.append_basic_block("error")
        self.builder.position_at_end(after)
        code = self.builder.phi(RETCODE_OK.type)
        for block in exits:
            code.add_incoming(block.terminator.return_value, block)
            block.instructions.pop()
            block.terminator = None
            self.builder.position_at_end(block)
            self.builder.branch(after)
        self.builder.position_at_end(after)
        self.builder.call(release(self.context, self.module),
                          [cgutils.gep_inbounds(self.builder, row, 0, 0), llvm.IntType(64)(total)])
        self.builder.ret(code)

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
                found = place, stop, step
            case ir.Var() if value.name in loops:
                found = loops[value.name]
            case ir.Expr(op="iternext") if value.value.name in loops:
                place, stop, step = loops[value.value.name]
                index = self.builder.load(place)
                self.builder.store(self.builder.add(index, index.type(step), flags=["nsw"]), place)
                found = index, self.builder.icmp_signed("<" if step > 0 else ">", index, stop)
            case _:
                return False
        if found is not None:
            loops[target.name] = found
        return found is not None

    def simple_range(self, call):
        """(type, start, stop, step) of a call of `range`;
        None if its step is not known to be 1 or -1, or it is not of signed integers."""
        signature = self.fndesc.calltypes[call]
        t = signature.return_type.dtype
        step = 1
        if len(call.args) == 3:
            made = self.func_ir.get_definition(call.args[2])
            step = made.value if isinstance(made, ir.Const) else None
        if step not in (1, -1) or not t.signed:
            return None
        values = [self._cast_var(v, wanted) for v, wanted in zip(call.args, signature.args)]
        start, stop = values[:2] if len(values) > 1 else (self.context.get_constant(t, 0), values[0])
        return stop.type, start, stop, step

    def lower_expr(self, resty, expr):
        if expr.op == "getattr" and expr.attr == "shape" and isinstance(self.typeof(expr.value.name), types.Array):
            return self.part(expr.value, "shape")
        pair = self.loops.get(expr.value.name) if expr.op in ("pair_first", "pair_second") else None
        if pair is None:
            return super().lower_expr(resty, expr)
        t = self.typeof(expr.value.name)
        return self.context.cast(self.builder, pair[expr.op == "pair_second"],
                                 (t.first_type, t.second_type)[expr.op == "pair_second"], resty)

    def alloca_lltype(self, name, lltype, datamodel=None):
        return cgutils.alloca_once(self.builder, lltype, name=name)  # numba asks LLVM for its size, too, for debuggers

    def counted(self, t) -> int:
        """How many references to memory values of this type hold."""
        if t not in self.references:
            self.references[t] = (sum(map(self.counted, t)) if isinstance(t, types.BaseTuple) else
                                  int(self.context.data_model_manager[t].contains_nrt_meminfo()))
        return self.references[t]

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
        """Is it a call of a part (`native_parts`), or an item of what one has returned?  Each item is taken once,
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

    # elements of arrays ------------------------------------------------------------------------------
    # numba copies the record of an array for each access, to read three of its fields: that was most of what LLVM read.

    def lower_getitem(self, resty, expr, value, index, signature):
        t, at = signature.args
        if self.is_element(value, t, at):
            return self.context.cast(self.builder,
                load_item(self.context, self.builder, t, self.place(value, index, at)), t.dtype, resty)
        return self.operation(operator.getitem, signature, (value, index), resty)

    def lower_setitem(self, target, index, value, signature):
        t, at, given = signature.args
        if not (self.is_element(target, t, at) and isinstance(given, (types.Number, types.Boolean))):
            return super().lower_setitem(target, index, value, signature)
        item = self.context.cast(self.builder, self._cast_var(value, given), given, t.dtype)
        return store_item(self.context, self.builder, t, item, self.place(target, index, at))

    def is_element(self, array, t, at) -> bool:
        """Is it an array of numbers, with an integer for each axis?"""
        return (isinstance(t, types.Array) and self.typeof(array.name) == t
                and isinstance(t.dtype, (types.Number, types.Boolean))
                and len(axes(at)) == t.ndim and all(isinstance(a, types.Integer) for a in axes(at)))

    def place(self, array, index, at):
        """The address of an element."""
        t, builder = self.typeof(array.name), self.builder
        value = self._cast_var(index, at)
        indices = cgutils.unpack_tuple(builder, value, t.ndim) if isinstance(at, types.BaseTuple) else [value]
        shape = cgutils.unpack_tuple(builder, self.part(array, "shape"), t.ndim)
        strides = cgutils.unpack_tuple(builder, self.part(array, "strides"), t.ndim) if t.layout == "A" else None
        indices = [fix_integer_index(self.context, builder, a, i, n) for a, i, n in zip(axes(at), indices, shape)]
        return cgutils.get_item_pointer2(self.context, builder, self.part(array, "data"), shape, strides,
                                         t.layout, indices)

    def part(self, array, name):
        """One field of the record of an array."""
        position = self.context.data_model_manager[self.typeof(array.name)].get_field_position(name)
        held = self._blk_local_varmap.get(array.name)
        if held is not None:
            return self.builder.extract_value(held, position)
        return self.builder.load(cgutils.gep_inbounds(self.builder, self.getvar(array.name), 0, position))

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


def axes(t) -> tuple:
    """The types of the parts of an index."""
    return tuple(t) if isinstance(t, types.BaseTuple) else (t,)


def bound_last(block):
    """The names that a block which returns binds at its end, where nothing is raised any more."""
    if not isinstance(block.terminator, ir.Return):
        return
    for inst in reversed(block.body[:-1]):
        if isinstance(inst, ir.Assign):
            if not (isinstance(inst.value, ir.Expr) and inst.value.op in ("build_tuple", "cast")):
                return
            yield inst.target.name
        elif not isinstance(inst, ir.Del):
            return


def release(context, module):
    """void release(records, count): a function of the module that lets go of all of them that are not null."""
    name = "gradscribe.release"
    if name in module.globals:
        return module.globals[name]
    function = llvm.Function(module, llvm.FunctionType(llvm.VoidType(), [PTR.as_pointer(), llvm.IntType(64)]), name)
    function.linkage = "internal"
    for attribute in ("cold", "noinline", "minsize", "optsize"):
        function.attributes.add(attribute)
    builder = llvm.IRBuilder(function.append_basic_block())
    with cgutils.for_range(builder, function.args[1]) as loop:
        context.nrt.decref(builder, RECORD, builder.load(builder.gep(function.args[0], [loop.index])))
    builder.ret_void()
    return function


class Library(JITCodeLibrary):
    """numba's, optimised once.

    numba runs the passes of LLVM over each function before it links, then a short pipeline and the whole one over the
    module, so that more references can be pruned.  Our text holds few, and the whole pipeline does what the others did:
    a third of LLVM's time. numba also prunes references that an exception leaves alone; ours does not leave them alone.
    """

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
