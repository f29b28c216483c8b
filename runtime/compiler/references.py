"""What the variables of a compiled function refer to, and until when: numba's lowering of variables, in less text.

numba forgets what variables refer to where a function is left by an exception.  Here their records of memory stand in a
row in memory as well, from when a variable is bound until it is deleted, and each way out with an exception goes by one
block that lets go of all that stand there.  (That block could read the variables: LLVM would then have to say for each
way out what they are.)  References to what is kept anyway are not counted: to arguments and views of them, which the
caller keeps, and to views of other arrays that one block makes and uses up, as long as the array stays what it is.  To
count one takes as long as several operations on numbers, and what is done for each matrix of a stack takes a view of
each argument.
"""
from __future__ import annotations

from collections import Counter

from llvmlite import ir as llvm
from numba.core import cgutils, ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.callconv import RETCODE_NONE, RETCODE_OK
from numba.core.lowering import Lower

from ..plain import lapack, memory as rm

# functions whose result lies in the memory of this argument
LENDING = {rm.fresh: 0, rm.copy_to: 1, rm.transpose: 0, lapack.columns: 0}
PTR = cgutils.voidptr_t
RECORD = types.MemInfoPointer(types.voidptr)


class References(Lower):
    def init(self):
        super().init()
        self.references = {}  # type -> how many a value holds

    def lower_function_body(self):
        bound = [(s.target.name, s.value) for _, block in sorted(self.blocks.items())
                 for s in block.find_insts(ir.Assign) if self.counted(self.typeof(s.target.name))]
        times = Counter(name for name, _ in bound)
        self.lent = self.all_lent(bound, times)
        self.lent |= self.lent_for_a_block(bound, times)
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
            case ir.Expr(op="build_tuple"):
                return all(item.name in lent for item in value.items)
        return self.lender(value) in lent

    def lender(self, value) -> str | None:
        """The variable that refers to the memory in which a value lies, if it is a view."""
        match value:
            case ir.Var():
                return value.name
            case ir.Expr(op="static_getitem"):
                return value.value.name
            case ir.Expr(op="getitem"):  # an index array makes an array of its own
                own = any(isinstance(t, types.ArrayCompatible) for t in axes(self.typeof(value.index.name)))
                return None if own else value.value.name
            case ir.Expr(op="call"):
                place = LENDING.get(getattr(self.typeof(value.func.name), "typing_key", None))
                return None if place is None else value.args[place].name
        return None

    def lent_for_a_block(self, bound, times) -> set[str]:
        """The variables that are bound once, to views which one block alone reads, and by then what they
        are views of is not bound anew, nor has it ended."""
        readers = Counter(name for block in self.blocks.values()
                          for name in {n for stmt in block.body for n in read_in(stmt)})
        candidates = {name for name, _ in bound if times[name] == readers[name] == 1} - self.lent
        return {name for block in self.blocks.values() for name in self.lent_in(block, candidates)}

    def lent_in(self, block, candidates: set[str]) -> dict[str, str]:
        """The candidates that are lent in a block, and the variables that keep their memory."""
        keepers, first, last, changed = {}, {}, {}, {}  # where variables are read; where they are bound, or end
        for k, stmt in enumerate(block.body):
            for name in read_in(stmt):
                first.setdefault(name, k)
                last[name] = len(block.body) if isinstance(stmt, ir.Return) else k  # what is returned is the caller's
            if isinstance(stmt, (ir.Assign, ir.Del)):
                name = stmt.target.name if isinstance(stmt, ir.Assign) else stmt.value
                changed.setdefault(name, []).append(k)
        for k, stmt in enumerate(block.body):
            if isinstance(stmt, ir.Assign) and stmt.target.name in candidates and first.get(stmt.target.name, -1) > k:
                name, keeper = stmt.target.name, self.lender(stmt.value)
                keeper, end = keepers.get(keeper, keeper), last[name]
                if keeper and end < len(block.body) and not any(k < at < end for at in changed.get(keeper, ())):
                    keepers[name] = keeper
        return keepers

    def _find_singly_assigned_variable(self):
        """The variables that are values: bound once, where it dominates all that reads them.  numba has those alone
        that live in one block; of others that refer to memory, the row says whether they do still."""
        used = compute_use_defs(self.blocks).usemap
        dominators = compute_cfg_from_blocks(self.blocks).dominators()
        bound = [(s.target.name, label) for label, block in self.blocks.items() for s in block.find_insts(ir.Assign)]
        times, blocks_of, elsewhere = Counter(name for name, _ in bound), dict(bound), {}
        for label, names in used.items():
            for name in names:
                elsewhere.setdefault(name, []).append(label)
        self._blk_local_varmap = {}
        self._singly_assigned_vars = {
            name for name, n in times.items()
            if n == 1 and all(blocks_of[name] < label and blocks_of[name] in dominators[label]
                              for label in elsewhere.get(name, ()))}
        self.spanning = self._singly_assigned_vars & elsewhere.keys()

    def storevar(self, value, name, argidx=None):
        lent = name in self.lent
        if lent:
            self.decref(self.typeof(name), value)
        if name in self._singly_assigned_vars:
            if name in self.spanning:
                self.let_go_of_held(name)
            self._blk_local_varmap[name] = value
        else:
            place = self.getvar(name)
            if argidx is None and not lent:
                self.let_go_of(name, place)
            self.builder.store(value, place)
        if not lent:
            self.hold(name, value)

    def delvar(self, name):
        if name in self.lent:
            return
        value = self._blk_local_varmap.get(name)
        if name in self.spanning:
            self.let_go_of_held(name)
        elif value is not None:
            self.decref(self.typeof(name), value)
        else:
            self._singly_assigned_vars.discard(name)
            place = self.getvar(name)
            self.let_go_of(name, place)
            self.forget(self.typeof(name), place)
        self.hold(name, None)

    def alloca(self, name, type):
        """numba clears all of a variable where the function begins, and again where it is deleted, so that each of its
        numbers lives that long: LLVM took a third of its time for this. What is read before it is bound are references.
        """
        with self.builder.goto_entry_block():
            place = self.builder.alloca(self.context.get_value_type(type), name=name)
            self.forget(type, place)
        return place

    def let_go_of_held(self, name):
        for place in self.places.get(name, ()):
            self.context.nrt.decref(self.builder, RECORD, self.builder.load(place))

    def forget(self, t, place):
        """What lies there refers to nothing from now on."""
        for record in self.record_places(t, place):
            self.builder.store(record.type.pointee(None), record)

    def let_go_of(self, name, place):
        for record in self.record_places(self.typeof(name), place):
            self.context.nrt.decref(self.builder, RECORD, self.builder.load(record))

    def record_places(self, t, place) -> list:
        """Where a value that lies in memory has the records of memory that it refers to."""
        if not self.counted(t):
            return []
        if isinstance(t, types.Array):
            position = self.context.data_model_manager[t].get_field_position("meminfo")
            return [cgutils.gep_inbounds(self.builder, place, 0, position)]
        assert isinstance(t, types.BaseTuple), t  # what our text has
        return [record for k, inner in enumerate(t)
                for record in self.record_places(inner, cgutils.gep_inbounds(self.builder, place, 0, k))]

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

    def counted(self, t) -> int:
        """How many references to memory values of this type hold."""
        if t not in self.references:
            self.references[t] = (sum(map(self.counted, t)) if isinstance(t, types.BaseTuple) else
                                  int(self.context.data_model_manager[t].contains_nrt_meminfo()))
        return self.references[t]


def read_in(stmt) -> set[str]:
    """The variables that a statement reads."""
    read = stmt.value if isinstance(stmt, ir.Assign) else stmt
    if isinstance(read, ir.Var):
        return {read.name}
    return {v.name for v in read.list_vars()} if hasattr(read, "list_vars") else set()


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
