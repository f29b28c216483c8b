"""Arrays made of what is given: of lists and numbers, in a dtype, copied."""
from __future__ import annotations

import operator

import numpy as np

from ...core import Const
from ...core.types import Type
from ...library.indexes import is_index
from ...library.registry import FUNCTIONS, each, frontend, method
from ...pytree.rows import has_leaves
from ..domain import values as v
from ..domain.classes import deque
from ..domain.growing_lists import NO_ARRAY, grown, items_of_rows, length_of, stacked_list
from ..domain.lattice import has_forms, widest
from ..evaluator.arrays.shapes import numbers_of, only_element, reshape, transposed_view
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.flow.sides import on_kinds
from ..evaluator.objects import protocols
from ..evaluator.objects.containers import container_kind
from ..evaluator.objects.foreign import foreign_value
from ..evaluator.syntax.storing import number_of_dtype, of_numbers

NONE, TRUE, FALSE, ZERO = v.Static(None), v.Static(True), v.Static(False), v.Static(0)
NO_NUMBERS = "a range without numbers becomes an array of integers here, and in NumPy one of floats"
# what array objects are, or what is done to them
SAY_WHICH = ("__array__", "__array_interface__", "__array_struct__", "__array_ufunc__", "__array_function__")


def numpy_is_not_asked(handler):
    """NumPy is not asked what it makes of these arguments:
    it would make a large array, or what is in an array decides."""
    handler.unasked = True
    return handler


def array_of_list(s, value):
    return s.array_of(value) if isinstance(value, (v.Tuple, v.Boxed)) else s.present(value)


def single_axis(s, axis, rank: int) -> int:
    """An axis that is one number, counted from the front."""
    known = tried_now(s, operator.index, s.static(axis, "it is an axis"))
    if not -rank <= known < rank:
        s.stop("numpy.exceptions:AxisError", f"axis {known} is out of bounds for array of dimension {rank}")
    return known % rank


def axes_of(s, t: Type, axis) -> tuple[int, ...]:
    known = s.static(axis, "it is an axis")
    axes = known if isinstance(known, (tuple, list)) else range(t.rank) if known is None else [known]
    axes = tuple(sorted(single_axis(s, v.Static(a), max(t.rank, 1)) for a in axes))
    return axes if t.rank else ()


def dtype_of(s, dtype, default) -> np.dtype:
    known = s.static(dtype, "it is a dtype")
    made = tried_now(s, np.dtype, default if known is None else known)
    if made.kind not in "fiubc":
        s.fail(f"the dtype {made}", "Use floats, complex numbers, integers or bools." if made.names is None
               else "Make an array for each field: x = np.zeros(n).")
    return made


def cast_array(s, value, chosen):
    return value if s.type(value).dtype == chosen else astype_(s, value, v.Static(chosen))


def in_dtype(s, result, dtype):
    return result if dtype == NONE else cast_array(s, result, dtype_of(s, dtype, None))


def array_like(s, value) -> v.Array:
    """np.asarray(value)"""
    value = array_of_list(s, value)
    return value if isinstance(value, v.Array) else s.wrap_array(value)


def joined_arrays(s, parts, axis, name):
    if len({part.flag for part in parts if has_forms(part)}) > 1:  # an array for each side of each branch would be many
        parts = [widest(s, part) or part for part in parts]
    return joined_parts(s, axis, name, *parts)


@on_kinds
def joined_parts(s, axis, name, *parts):
    atoms = [s.atom(p) for p in parts]
    rank = s.b.type(atoms[0]).rank
    if any(s.b.type(a).rank != rank for a in atoms):
        s.fail("an array of parts with different numbers of axes", "Give all parts the same shape.")
    axis = single_axis(s, axis, rank + (name == "np.stack"))
    first = s.b.type(atoms[0]).dims
    for k, a in enumerate(atoms):
        dims = tuple(first[j] if name == "np.stack" or j != axis else d for j, d in enumerate(s.b.type(a).dims))
        atoms[k] = s.match_exactly(a, dims,
                                   "all the input array dimensions except for the concatenation axis must match exactly"
                                 if name != "np.stack" else "all input arrays must have the same shape")
    return s.wrap(s.emit(name, *atoms, axis=axis))


def array_of_items(s, value):
    """np.array of nested sequences of numbers and arrays, or of an object that says which array it is."""
    if v.is_range(value) and (isinstance(value, v.Iter) or value.value):
        numbers = numbers_of(s, value)
        s.ensure(s.type(numbers).dims[0], ">=", 1, "RefusedValue", NO_NUMBERS)
        return numbers
    value = v.Tuple(()) if v.is_range(value) else value
    if is_index(value):
        return foreign_value(s, np.asarray, np.asarray(value.value))
    if (own := protocols.array_protocol(s, value)) is not None:
        return array_of_items(s, own) if isinstance(own, (v.Tuple, v.Boxed)) else own
    if container_kind(value) not in (list, tuple, deque) or any([hasattr(value.cls, name) for name in SAY_WHICH]):
        s.fail(f"{s.describe(value)} is used as an array",
               "Make an array of numbers of it first, e.g. np.array(list(x)).")
    if isinstance(value, v.Boxed) and (g := grown(s, value)) is not None:
        return table_of_rows(s, value, g) if has_leaves(g.one) else stacked_list(s, value, g, NO_ARRAY)
    parts = [array_of_items(s, i) if isinstance(i, (v.Tuple, v.Boxed)) or v.is_range(i) else i for i in s.items(value)]
    if not parts:
        return s.wrap(s.emit("np.zeros", Const(0), dtype=np.dtype(float)))
    if all([x == NONE or isinstance(x, v.Static) and isinstance(x.value, np.ndarray) for x in parts]):
        return v.Static(np.array([x.value for x in parts]))  # of None alone
    return joined_arrays(s, parts, ZERO, "np.stack")


def table_of_rows(s, box, g):
    """np.array of a list in rows whose items are sequences of numbers, or of arrays of one shape."""
    exact, found = [t.dtype for t in g.types if t.kind != "mixed"], [t.dtype for t in g.types]
    if (any([part[0] != "leaf" for part in g.one[2]]) or len({t.dims for t in g.types}) > 1 or not exact
            or np.result_type(*exact) != np.result_type(*found)):
        g.instead()
    if not g.least:
        s.ensure(length_of(s, box, g), ">=", 1, "RefusedValue", NO_ARRAY)
    return joined_arrays(s, items_of_rows(s, box, g), v.Static(1), "np.stack")


@frontend(np.asarray, np.asanyarray)
def asarray(s, a, dtype=NONE, order=NONE, copy=NONE):
    wanted, copied = s.static(order, "it is a memory order"), s.static(copy, "it says whether there is a copy")
    result = as_dtype(s, a, dtype)
    if copied and (result is a or is_index(a)):
        result = copy_(s, result)
    elif copied is False and result is not a:
        tried_now(s, np.array, a.value if is_index(a) else [0.0], s.type(result).dtype, copy=False)
    if wanted not in ("C", "F") or s.type(result).rank < 2:
        return result
    if copied is False:
        s.fail(f"an array in the order {wanted!r} without a copy", "Leave copy= out, or order=.")
    return in_memory_order(s, copy_(s, result) if copied else result, wanted)


def as_dtype(s, a, dtype):
    """The value as an array of this dtype: the array itself, where it is one."""
    if isinstance(a, (v.Tuple, v.Boxed)) or v.is_range(a) or is_index(a):
        return in_dtype(s, array_of_items(s, a if dtype == NONE else of_numbers(s, a, dtype_of(s, dtype, None))), dtype)
    if dtype == NONE:
        return array_like(s, a)
    chosen = dtype_of(s, dtype, None)
    if a == NONE and chosen.kind in "fc":
        a = v.Number(Const(np.array(None, chosen)[()]))
    return array_like(s, number_of_dtype(s, a, chosen) if s.type(a).kind == "py" else cast_array(s, a, chosen))


@frontend(np.array)
def np_array(s, object, dtype=NONE, copy=TRUE, order=NONE, ndmin=ZERO):
    result = asarray(s, object, dtype, order, copy)
    missing = 0 if ndmin == ZERO else s.static(ndmin, "it is a number of axes") - s.type(result).rank
    return (FUNCTIONS[np.expand_dims](s, result, v.Tuple(tuple(map(v.Static, range(missing)))))
            if missing > 0 else result)


@each({np.ascontiguousarray: "C", np.asfortranarray: "F"})
def contiguous(order, s, a, dtype=NONE):
    result = as_dtype(s, a, dtype)
    return in_memory_order(s, result, order) if s.type(result).rank else reshape(s, result, [v.Static(1)])


def in_memory_order(s, x, order: str):
    """The array itself, where it is known to be in this memory order, else a copy."""
    if order == "F":
        turn = range(s.type(x).rank)[::-1]
        return transposed_view(s, in_memory_order(s, transposed_view(s, x, turn), "C"), turn)
    have = s.order(s.atom(x))
    if have == "C" and s.type(x).rank > 1 and not (isinstance(x, v.Array) and x.path):
        return x
    made = copy_method(s, x)
    if have != "F":  # only the run time knows whether this is a copy
        s.freeze(x, made, "np.ascontiguousarray gives it, or a copy of it", same=True)
    return made


@method("copy")
def copy_method(s, a):
    """x.copy() is in C order, np.copy(x) in that of x."""
    return a if isinstance(a, v.Number) else s.wrap(s.emit("np.copy", s.atom(a)), order="C")


@frontend(np.copy)
def copy_(s, a):
    return s.wrap(s.emit("np.copy", s.atom(array_like(s, a))))


@method("astype")
def astype_(s, a, dtype, copy=TRUE):
    chosen = dtype_of(s, dtype, None)
    t = s.type(a)
    if t.kind == "py":
        return number_of_dtype(s, a, chosen)
    if t.dtype == chosen and len(s.b.types_of(s.atom(a))) == 1:
        return s.wrap(s.emit("np.copy", s.atom(a))) if t.kind == "array" and s.static(copy, "it is a flag") else a
    return s.wrap(s.emit("rt.astype", s.atom(a), dtype=chosen))


@frontend(np.generic)
@numpy_is_not_asked
def scalar_type(s, cls, x=ZERO):
    """np.float32(x) and its like."""
    value, chosen = array_of_list(s, x), s.static(cls, "")
    if isinstance(value, v.Static):
        return v.Number(Const(tried_now(s, chosen, value.value)))
    return astype_(s, value, v.Static(np.dtype(chosen)))


@method("item")
def item_(s, a):
    atom = s.atom(a)
    t = s.b.type(atom)
    if t.rank:
        atom = only_element(s, atom, "ValueError", "can only convert an array of size 1 to a Python scalar")
    return s.wrap(s.emit({"c": "complex", "f": "float", "i": "int", "u": "int", "b": "bool"}[t.dtype.kind], atom))
