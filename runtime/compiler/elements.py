"""Elements and parts of arrays in compiled code: x[i, j], x[a:b], and what stores into them.

numba copies the record of an array for each access, to read three of its fields, and makes each index a value: a tuple,
and slices in it.  Here an index that is nothing else has no value of its own, and a field that was read is read again
as the same value, in the same block.
"""
from __future__ import annotations

import operator
from collections import Counter

from llvmlite import ir as llvm
from numba.core import cgutils, ir, types
from numba.core.ir_utils import get_definition, guard
from numba.np.arrayobj import load_item, store_item

from .array_values import can_slice, counted_from_the_end, field, sliced
from .references import References, axes


class Elements(References):
    def init(self):
        super().init()
        self.natural = set()  # indices of loops that are not negative
        # may indices be negative?
        self.counts_back = not hasattr(self.func_ir.func_id.func, "from_zero")
        self.read = {}  # (a field of an array, place in it) -> (the block in which it was taken out, its value)

    def lower_function_body(self):
        self.indices = self.find_indices()
        return super().lower_function_body()

    def lower_inst(self, inst):
        if not (isinstance(inst, ir.Assign) and inst.target.name in self.indices):
            super().lower_inst(inst)

    # indices -------------------------------------------------------------------------------------------
    def find_indices(self) -> dict[str, tuple]:
        """{a tuple, or a slice, that is an index and nothing else: the variables that it is made of}"""
        made, used, times = self.tuples_and_slices()
        alone = {name: self.typeof(name) for name in made if times[name] == 1 and not used[name]}
        tuples = {name: made[name] for name, t in alone.items() if isinstance(t, types.BaseTuple)}
        around = {v.name for name, items in made.items() if name not in tuples for v in items}
        return tuples | {name: made[name] for name, t in alone.items()
                         if isinstance(t, types.SliceType) and name not in around}

    def tuples_and_slices(self) -> tuple[dict[str, tuple], Counter, Counter]:
        """({a tuple, or a slice of step 1: the variables that it is made of}, how often each variable is read other
        than as an index, how often it is bound)"""
        made, used, times = {}, Counter(), Counter()
        for block in self.blocks.values():
            for stmt in block.body:
                if isinstance(stmt, ir.Assign):
                    times[stmt.target.name] += 1
                    if (items := self.items_of(stmt.value)) is not None:
                        made[stmt.target.name] = items
                        continue
                index = self.index_of(stmt)
                used.update(v.name for v in read_by(stmt) if v is not index)
        return made, used, times

    def items_of(self, value) -> tuple | None:
        """The variables of which a tuple, or a slice of step 1, is made: each a value."""
        items = None
        if isinstance(value, ir.Expr) and value.op == "build_tuple":
            items = tuple(value.items)
        elif isinstance(value, ir.Expr) and self.is_by_one(value):
            items = tuple(value.args[:2])
        return items if items is not None and all(v.name in self._singly_assigned_vars for v in items) else None

    def is_by_one(self, value) -> bool:
        """Does it make a slice of step 1?  x[::1] is x to numba, without an order in memory."""
        if not (isinstance(value, ir.Expr) and value.op == "call" and not value.kws
                and getattr(self.typeof(value.func.name), "typing_key", None) is slice and len(value.args) in (2, 3)):
            return False
        if len(value.args) == 2:
            return True
        step = self.definition(value.args[2])
        return isinstance(step, ir.Const) and step.value == 1

    def definition(self, variable):
        """What a variable is bound to; None where it is bound several times."""
        return guard(get_definition, self.func_ir, variable)

    def index_of(self, stmt):
        """The index variable of a statement that reads or stores what is written here."""
        if isinstance(stmt, ir.SetItem):
            t, at, given = self.fndesc.calltypes[stmt].args
            return stmt.index if self.is_element(stmt.target, t, at) and is_number_type(given) else None
        value = getattr(stmt, "value", None)
        if isinstance(value, ir.Expr) and value.op == "getitem":
            t, at = self.fndesc.calltypes[value].args
            wanted = self.typeof(stmt.target.name)
            here = self.is_element(value.value, t, at) or self.is_slice(value.value, t, value.index, at, wanted)
            return value.index if here else None
        return None

    def entries(self, index, at) -> list:
        """The values of an index: an integer each, or the bounds of a slice."""
        if isinstance(at, types.BaseTuple):
            if index.name in self.indices:
                return [self.entry(v, t) for v, t in zip(self.indices[index.name], at)]
            return [bounds(self.builder, x, t) for x, t in zip(
                cgutils.unpack_tuple(self.builder, self._cast_var(index, at), len(at)), at)]
        return [self.entry(index, at)]

    def entry(self, variable, t):
        if variable.name in self.indices:
            ends = self.indices[variable.name]
            return [None if isinstance(self.typeof(v.name), types.NoneType) else self._cast_var(v, types.int64)
                    for v in ends]
        return bounds(self.builder, self._cast_var(variable, t), t)

    # reading and storing -------------------------------------------------------------------------------
    def lower_getitem(self, resty, expr, value, index, signature):
        t, at = signature.args
        if self.is_element(value, t, at):
            item = load_item(self.context, self.builder, t, self.place(value, index, at))
            return self.context.cast(self.builder, item, t.dtype, resty)
        if self.is_slice(value, t, index, at, resty):
            made = sliced(self.context, self.builder, t, self.loadvar(value.name), resty, axes(at),
                          self.entries(index, at))
            self.incref(resty, made)
            return made
        return self.operation(operator.getitem, signature, (value, index), resty)

    def lower_setitem(self, target, index, value, signature):
        t, at, given = signature.args
        if not (self.is_element(target, t, at) and is_number_type(given)):
            return super().lower_setitem(target, index, value, signature)
        item = self.context.cast(self.builder, self._cast_var(value, given), given, t.dtype)
        return store_item(self.context, self.builder, t, item, self.place(target, index, at))

    def is_element(self, array, t, at) -> bool:
        """Is it an array of numbers, with an integer for each axis?"""
        return (isinstance(t, types.Array) and self.typeof(array.name) == t and is_number_type(t.dtype)
                and len(axes(at)) == t.ndim and all(isinstance(a, types.Integer) for a in axes(at)))

    def is_slice(self, array, t, index, at, wanted) -> bool:
        return (isinstance(wanted, types.Array) and wanted.ndim > 0 and self.typeof(array.name) == t
                and can_slice(t, axes(at)) and self.is_dense(index, axes(at)))

    def is_dense(self, index, entries) -> bool:
        """Have the slices in an index no step but 1?"""
        if not any(isinstance(e, types.SliceType) and e.has_step for e in entries):
            return True
        made = self.definition(index)
        parts = made.items if isinstance(made, ir.Expr) and made.op == "build_tuple" else (index,)
        return all(self.is_by_one(self.definition(part)) for part, e in zip(parts, entries, strict=True)
                   if isinstance(e, types.SliceType) and e.has_step)

    def place(self, array, index, at):
        """The address of an element.  A negative index counts from the end."""
        t, b = self.typeof(array.name), self.builder
        offset, near = None, t.layout != "A"
        order = range(t.ndim) if t.layout != "F" else reversed(range(t.ndim))
        indices = [self.context.cast(b, i, a, types.int64) for a, i in zip(axes(at), self.entries(index, at))]
        for k in order:
            i = indices[k]
            if self.counts_back and i not in self.natural and not (isinstance(i, llvm.Constant) and i.constant >= 0):
                i = counted_from_the_end(b, i, self.of_axis(array, "shape", k), axes(at)[k].signed)
            if not near:
                i = b.mul(i, self.of_axis(array, "strides", k))
            elif offset is not None:
                offset = b.mul(offset, self.of_axis(array, "shape", k))
            offset = i if offset is None else b.add(offset, i)
        data = self.field(array, "data")
        if near:
            return data if offset is None else b.gep(data, [offset])
        return b.bitcast(b.gep(b.bitcast(data, cgutils.voidptr_t), [offset]), data.type)

    def of_axis(self, array, name: str, k: int):
        return self.once((array.name, name, k), lambda: self.builder.extract_value(self.field(array, name), k))

    def field(self, array, name):
        """One field of the record of an array."""
        t, held = self.typeof(array.name), self._blk_local_varmap.get(array.name)
        if held is not None:
            return self.once((array.name, name), lambda: field(self.context, self.builder, t, held, name))
        position = self.context.data_model_manager[t].get_field_position(name)
        return self.builder.load(cgutils.gep_inbounds(self.builder, self.getvar(array.name), 0, position))

    def once(self, key, take):
        """What `take` writes, once in a block, of an array that is a value."""
        block, value = self.read.get(key, (None, None))
        if block is not self.builder.block or key[0] not in self._blk_local_varmap:
            value = take()
            self.read[key] = self.builder.block, value
        return value


def is_number_type(t) -> bool:
    return isinstance(t, (types.Number, types.Boolean))


def read_by(stmt):
    """The variables that a statement reads."""
    value = stmt.value if isinstance(stmt, ir.Assign) else stmt
    return [value] if isinstance(value, ir.Var) else value.list_vars() if hasattr(value, "list_vars") else []


def bounds(builder, value, t):
    """The bounds of a slice; any other entry as it is."""
    return [builder.extract_value(value, k) for k in (0, 1)] if isinstance(t, types.SliceType) else value
