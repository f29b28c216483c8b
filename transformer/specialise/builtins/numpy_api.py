"""NumPy's functions and methods, as calls of operations.

A handler has NumPy's names for the parameters that it implements; see signatures.py for the others.
"""
from __future__ import annotations

import operator

import numpy as np

from gradscribe import runtime as rt

from ...core import Const
from ...core.types import PY_INT, Dim, Type, sample
from ...library.masked import MASKED
from ...library.masks import nonzero
from ...library.products import product_with_vector
from ...library.registry import FUNCTIONS, each, frontend, method
from ...library.sorting import argsort_along, argsort_of_complex, extreme_of_complex, place_in_complex
from ...rules import BY_FUNCTION, OPS
from ...rules.inference import result_scalar
from ...rules.kinds import ONE, Elementwise
from ..domain import values as v
from ..domain.growing_lists import grown, stacked_list
from ..evaluator.arrays.masks import flat_places
from ..evaluator.arrays.shapes import first_axis_to, reshape, transposed_view
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.syntax.indexing import WHOLE, get_at, set_item
from .numpy_arrays import (FALSE, NONE, TRUE, ZERO, array_like, array_of_list, astype_, axes_of, dtype_of, in_dtype,
                           joined_arrays, numpy_is_not_asked, single_axis)
from .numpy_creation import shape_values


# elementwise: every ufunc that has a rule ------------------------------------------------------
def call_ufunc(f, s, *args, dtype=NONE):
    values = [array_of_list(s, a) for a in args]
    return s.elementwise(BY_FUNCTION[f].name, *(values if dtype == NONE else as_loop(s, f, values, dtype)), numpy=True)


each({f: f for f, op in BY_FUNCTION.items() if isinstance(op, Elementwise) and isinstance(f, np.ufunc)})(call_ufunc)
each({f: f for f in (rt.erf, rt.erfc, rt.erfc_integral, rt.erfinv, rt.gamma, rt.lgamma, rt.digamma, rt.gamma_sample,
                     rt.gamma_slope, rt.threefry)})(call_ufunc)


def as_loop(s, f, values, dtype):
    """The arguments of a ufunc, converted as its loop for this dtype takes them."""
    chosen, have = dtype_of(s, dtype, None), [sample(s.type(a)) for a in values]
    tried_now(s, f, *have, dtype=chosen)
    if f(*have).dtype == chosen:
        return values
    values = [astype_(s, a, v.Static(chosen)) for a in values]
    if chosen.kind != "f" or f(*(sample(s.type(a)) for a in values)).dtype != chosen:
        s.fail(f"np.{f.__name__} with dtype={chosen}", "Convert the arguments, or the result: x.astype(dtype).")
    return values


@frontend(np.where)
def where(s, condition, x=None, y=None):
    if x is None and y is None:
        return s.call_value(nonzero, [condition], {})
    if x is None or y is None:
        s.stop("ValueError", "either both or neither of x and y should be given")
    values = [array_of_list(s, a) for a in (condition, x, y)]
    if any(s.type(a).rank for a in values):
        return s.elementwise("np.where", *values, numpy=True)
    chosen = s.elementwise("rt.choose", *values)
    return s.wrap(s.emit("np.asarray", s.atom(chosen)))


@frontend(np.flatnonzero)
def flatnonzero(s, a):
    x = array_like(s, array_of_list(s, a))
    if s.type(x).dtype.kind != "b":
        x = array_like(s, s.elementwise("not_equal", x, v.Static(0)))
    if not s.type(x).rank:
        x = reshape(s, x, [v.Static(1)])
    return s.wrap(flat_places(s, s.read(x)))


@frontend(np.clip)
@method("clip")
def clip(s, a, a_min=NONE, a_max=NONE, min=NONE, max=NONE):
    x, *bounds = (array_of_list(s, i) for i in (a, a_min if min == NONE else min, a_max if max == NONE else max))
    t = s.type(x)
    if t.dtype.kind in "iu" and t.kind != "py":
        bounds = [bound_in(s, t.dtype, bound, k) for k, bound in enumerate(bounds)]
    name = "np.clip" if NONE not in bounds else "np.minimum" if bounds[0] == NONE else "np.maximum"
    given = [bound for bound in bounds if bound != NONE]
    return s.elementwise(name, x, *given, numpy=True) if given else astype_(s, x, v.Static(t.dtype))


def bound_in(s, dtype, bound, k: int):
    """A bound of np.clip of integers: NONE where it is outside of what the dtype holds; k: 0 of the lower one."""
    if isinstance(bound, v.Number) and s.type(bound) == PY_INT and dtype != np.int64:
        s.fail(f"np.clip of {dtype} with an int that only the run time knows", f"Convert it: np.{dtype}(bound).")
    if isinstance(bound, v.Static) and type(bound.value) is int:
        info = np.iinfo(dtype)
        return NONE if (bound.value <= info.min if k == 0 else bound.value >= info.max) else bound
    return bound


@frontend(rt.stop_gradient)
def stop_gradient_(s, x):
    if isinstance(x, (v.Tuple, v.Boxed)):
        result = s.like(x, [stop_gradient_(s, i) for i in s.items(x)])
        if isinstance(x, v.Boxed):
            s.may_share(result.box, x.box)
        return result
    if not s.is_numeric(x):
        return x
    result = s.wrap(s.emit("rt.stop_gradient", s.atom(x)))
    if isinstance(x, v.Array):
        s.may_share(result.cell, x.cell)
    return result


# reductions ----------------------------------------------------------------------------------
REDUCTIONS = ("sum", "mean", "max", "min", "any", "all")


@each({getattr(np, n): f"np.{n}" for n in REDUCTIONS} | {n: f"np.{n}" for n in REDUCTIONS}
      | {np.amax: "np.max", np.amin: "np.min"})
def reduce_array(name, s, a, axis=NONE, dtype=NONE, keepdims=FALSE, initial=NONE, where=TRUE):
    if initial != NONE or where != TRUE:
        return s.call_value(MASKED[name], [a, axis, dtype, keepdims, initial, where], {})
    x, keep = array_of_list(s, a), bool(s.static(keepdims, "it decides the shape"))
    if (name, s.type(x).dtype.kind) in (("np.max", "c"), ("np.min", "c")):
        return s.call_value(extreme_of_complex, [x, axis, v.Static(keep), v.Static(name == "np.max")], {})
    t, chosen = s.type(x), None if dtype == NONE else dtype_of(s, dtype, None)
    if name == "np.mean" and chosen is not None and chosen.kind != "f":
        s.fail(f"np.mean with dtype={chosen}", "Convert the result: np.mean(x).astype(dtype).")
    if chosen is not None or any([k.kind == "py" for k in s.b.types_of(s.atom(x))]):
        x = astype_(s, x, v.Static(chosen or t.dtype))
    axes = axes_of(s, t, axis)
    result = s.wrap(s.emit(name, s.atom(x), axis=axes, keepdims=keep)) if axes else of_one(s, name, x)
    return in_dtype(s, result, dtype)


def of_one(s, name, x):
    """A reduction of each element for itself."""
    t = s.type(x)
    x = v.Number(s.emit("getitem", s.atom(x), index=())) if t.kind == "array" and not t.rank else x
    if OPS[name].joins in ("|", "&"):
        return s.elementwise("not_equal", x, ZERO)
    if OPS[name].joins == "+" and t.is_float:
        return s.elementwise("add", x, v.Static(0.0))  # which leaves no -0.0
    return astype_(s, x, v.Static(result_scalar(OPS[name], (), (Type("array", t.dtype, (ONE,)),)).dtype))


@each({np.argmax: "np.argmax", np.argmin: "np.argmin", "argmax": "np.argmax", "argmin": "np.argmin"})
def place_of_extremum(name, s, a, axis=NONE, keepdims=FALSE):
    rank = s.type(x := array_of_list(s, a)).rank
    if s.type(x).dtype.kind == "c":
        return s.call_value(place_in_complex, [x, axis, keepdims, v.Static(name == "np.argmax")], {})
    if rank == 0:
        return v.Number(Const(np.int64(0)))
    known = None if axis == NONE else single_axis(s, axis, rank)
    result = s.wrap(s.emit(name, s.atom(x), axis=known))
    if not s.static(keepdims, "it decides the shape"):
        return result
    return (reshape(s, result, [v.Static(1)] * rank) if known is None
            else FUNCTIONS[np.expand_dims](s, result, v.Static(known)))


@frontend(np.cumsum)
@method("cumsum")
def cumsum_(s, a, axis=NONE, dtype=NONE):
    x = array_like(s, a)
    if dtype != NONE:
        x = astype_(s, x, dtype)
    if axis == NONE or s.type(x).rank == 0:
        x, axis = reshape(s, x, [v.Static(-1)]), ZERO
    result = s.wrap(s.emit("np.cumsum", s.atom(x), axis=single_axis(s, axis, s.type(x).rank)))
    return in_dtype(s, result, dtype)


@frontend(np.argsort)
@method("argsort")
def argsort_(s, a, axis=v.Static(-1), kind=NONE, stable=NONE):
    x = array_like(s, a)
    rank = s.type(x).rank
    if s.type(x).dtype.kind == "c":
        return s.call_value(argsort_of_complex, [x, axis], {})
    if rank and axis != NONE and single_axis(s, axis, rank) == rank - 1 or rank == 1:
        order = s.emit("np.argsort", s.atom(x))
        if rank == 1:
            s.permutations.add(order)
        return s.wrap(order)
    return s.call_value(argsort_along, [x, axis], {})


@frontend(np.searchsorted)
@numpy_is_not_asked
def searchsorted(s, a, v, side=v.Static("left"), sorter=NONE):
    a, known = array_like(s, a), s.static(side, "it is a side")
    tried_now(s, np.searchsorted, sample(s.type(a)), 1.0, known)
    if sorter != NONE:
        sorter = array_like(s, sorter)
        same = s.match_exactly(s.atom(a), s.type(sorter).dims, "sorter.size must equal a.size")
        a = get_at(s, s.wrap(same), sorter)
    atoms = [s.atom(a), s.atom(array_of_list(s, v))]
    return s.wrap(s.emit("np.searchsorted", *atoms, side=known))


# products ------------------------------------------------------------------------------------
@frontend(np.matmul)
def matmul_(s, x, y):
    x, y = (s.wrap(s.atom(array_of_list(s, a))) if not isinstance(a, v.Array) else a for a in (x, y))
    ranks = [s.type(a).rank for a in (x, y)]
    if max(ranks) > 2 and 1 in ranks:
        return s.call_value(product_with_vector, [x, y], {})
    return s.wrap(s.aligned(OPS["matmul"], [s.atom(x), s.atom(y)]))


frontend(np.outer)(lambda s, a, b: s.wrap(s.emit("np.outer", *(
    s.atom(reshape(s, array_like(s, x), [v.Static(-1)])) for x in (a, b)))))


# shapes --------------------------------------------------------------------------------------
@frontend(np.transpose, np.permute_dims)
def transpose_function(s, a, axes=NONE):
    return transpose_method(s, array_like(s, a), axes)


@method("transpose")
@numpy_is_not_asked
def transpose_method(s, a, *axes):
    rank = s.type(a).rank
    known = s.static(axes[0] if len(axes) == 1 else v.Tuple(axes) if axes else NONE, "it is the order of the axes")
    tried_now(s, np.transpose, sample(s.type(a)), [known] if isinstance(known, int) else known)
    order = (reversed(range(rank)) if known is None
             else [operator.index(k) % rank for k in ([known] if isinstance(known, int) else known)])
    return transposed_view(s, a, order)


@method("reshape")
@numpy_is_not_asked
def reshape_method(s, a, *shape, order=v.Static("C")):
    known = s.static(order, "it is a memory order")
    if not shape:
        tried_now(s, np.ones(1).reshape, order=known)
    x, sizes = array_like(s, a), shape_values(s, shape)
    if known not in ("C", "F"):
        s.fail(f"reshape with order={known!r}", "Write order='C' or order='F'.")
    if known == "F":
        x, sizes = transposed_view(s, x, reversed(range(s.type(x).rank))), sizes[::-1]
    result = reshape(s, x, sizes)
    result = transposed_view(s, result, reversed(range(len(sizes)))) if known == "F" else result
    return result if isinstance(a, v.Array) or sizes else s.wrap(s.emit("getitem", s.atom(result), index=()))


@frontend(np.reshape)
@numpy_is_not_asked
def reshape_function(s, a, shape, order=v.Static("C")):
    return reshape_method(s, array_like(s, a), shape, order=order)


@frontend(np.ravel)
@method("ravel")
def ravel(s, a, order=v.Static("C")):
    x = array_like(s, a)
    result = reshape_method(s, x, v.Static(-1), order=order)
    if s.type(x).rank != 1:
        return result
    made = s.wrap(s.emit("np.reshape", s.atom(x), s.dim_atom(s.type(x).dims[0])))
    s.freeze(x, made, "np.ravel gives it, or a copy of it where its elements do not stand side by side")
    return made


@method("flatten")
def np_flatten(s, a, order=v.Static("C")):
    return s.wrap(s.emit("np.copy", s.atom(ravel(s, s.wrap(s.atom(a)), order))))


NO_SQUEEZE = "cannot select an axis to squeeze out which has size not equal to one"


@frontend(np.squeeze)
@method("squeeze")
def squeeze_(s, a, axis=NONE):
    x = array_of_list(s, a)
    t = s.type(x)
    axes = tuple(k for k, d in enumerate(t.dims) if d.is_one) if axis == NONE else axes_of(s, t, axis)
    for d in t.dims * (axis == NONE):
        s.not_one_here(d)
    if any(s.surely_not_one(t.dims[k]) for k in axes):
        s.stop("ValueError", NO_SQUEEZE)
    one = tuple(Dim.of(1) if k in axes else d for k, d in enumerate(t.dims))
    if one != t.dims:  # only the run time knows whether they are
        x = s.wrap(s.match_exactly(s.atom(x), one, NO_SQUEEZE))
    if len(axes) != t.rank:
        return get_at(s, x, v.Tuple(tuple(ZERO if k in axes else WHOLE for k in range(t.rank))))
    if t.kind == "py":
        s.fail("squeeze of a Python number, which gives an array of 0 axes", "Leave it out.")
    return reshape(s, x, []) if t.kind == "array" else x


@frontend(np.broadcast_to)
@numpy_is_not_asked
def broadcast_to(s, array, shape):
    atom = s.atom(array_of_list(s, array))
    dims = tuple(s.b.dim(s.atom(p)) for p in shape_values(s, [shape]))
    have = s.b.type(atom)
    if have.rank > len(dims):
        s.stop("ValueError", "input operand has more dimensions than allowed by the axis remapping" if dims
               else "cannot broadcast a non-scalar to a scalar array")
    for d in dims:
        s.not_negative(d)
    wanted = [d if not have.dims[k].is_one else have.dims[k] for k, d in enumerate(dims[len(dims) - have.rank:])]
    text, numbers = s.shape_text(have, Type("array", have.dtype, dims))
    atom = s.matched_array(atom, tuple(wanted), f"operands could not be broadcast together with shapes {text}", numbers)
    result = s.wrap(s.emit("np.broadcast_to", atom, *(s.dim_atom(d) for d in dims)) if dims or have.kind == "array"
                    else s.emit("np.asarray", atom))
    result.cell.frozen = "np.broadcast_to gives an array that cannot be written to"
    if isinstance(array, v.Array):
        s.may_share(result.cell, array.cell)  # it is a view
    return result


frontend(np.shape)(lambda s, a: v.Tuple(tuple(s.dim_value(d) for d in s.type(array_of_list(s, a)).dims)))
frontend(np.ndim)(lambda s, a: v.Static(s.type(array_of_list(s, a)).rank))
frontend(np.iscomplexobj)(lambda s, x: v.Static(s.type(array_of_list(s, x)).dtype.kind == "c"))
frontend(np.isrealobj)(lambda s, x: v.Static(s.type(array_of_list(s, x)).dtype.kind != "c"))
frontend(np.isscalar)(lambda s, element: v.Static(isinstance(element, v.Number)
                                                  or isinstance(element, v.Static) and np.isscalar(element.value)))


def join_arrays(s, arrays, axis, name):
    if isinstance(arrays, v.Boxed) and (g := grown(s, arrays)) is not None:
        return join_rows(s, stacked_list(s, arrays, g), axis, name)
    if not isinstance(arrays, (v.Tuple, v.Boxed)):
        return join_rows(s, array_like(s, arrays), axis, name)
    return joined_arrays(s, [array_of_list(s, a) for a in s.items(arrays)], axis, name)


def join_rows(s, rows, axis, name):
    """What np.stack or np.concatenate makes of the rows of an array: it is turned, and two of its axes become one."""
    rank = s.type(rows).rank
    if rank == 1 and name == "np.concatenate":
        s.stop("ValueError", "zero-dimensional arrays cannot be concatenated")
    at = single_axis(s, axis, rank - (name == "np.concatenate"))
    s.ensure(s.type(rows).dims[0], "!=", 0, "ValueError", f"need at least one array to {name[3:]}")
    turned = first_axis_to(s, s.atom(rows), at, name == "np.concatenate")
    return s.wrap(s.emit("np.copy", turned) if name == "np.stack" and not at else turned)


@frontend(np.concatenate)
def concatenate_(s, arrays, axis=ZERO, dtype=NONE):
    if axis == NONE and isinstance(arrays, (v.Tuple, v.Boxed)):
        arrays, axis = v.Tuple(tuple(ravel(s, array_of_list(s, a)) for a in s.items(arrays))), ZERO
    elif axis == NONE:
        return in_dtype(s, np_flatten(s, arrays), dtype)
    return in_dtype(s, join_arrays(s, arrays, axis, "np.concatenate"), dtype)


frontend(np.stack)(lambda s, arrays, axis=ZERO, dtype=NONE: in_dtype(
    s, join_arrays(s, arrays, axis, "np.stack"), dtype))


@each({np.hstack: 1, np.vstack: 2, getattr(np, "row_stack", np.vstack): 2})
def piled(least: int, s, tup, dtype=NONE):
    """np.hstack (1) and np.vstack (2): arrays of fewer axes get them in front."""
    if isinstance(tup, (v.Tuple, v.Boxed)) and not (isinstance(tup, v.Boxed) and grown(s, tup)):
        parts = [array_like(s, a) for a in s.items(tup)]
        while any(s.type(a).rank < least for a in parts):
            parts = [FUNCTIONS[np.expand_dims](s, a, ZERO) if s.type(a).rank < least else a for a in parts]
        beside = least == 1 and parts and s.type(parts[0]).rank > 1
        return in_dtype(s, joined_arrays(s, parts, v.Static(int(beside)), "np.concatenate"), dtype)
    rows = stacked_list(s, tup, grown(s, tup)) if isinstance(tup, v.Boxed) else array_like(s, tup)
    rank = s.type(rows).rank
    if rank <= least:
        rows = rows if rank == least else FUNCTIONS[np.expand_dims](s, rows, v.Static(1))
        return in_dtype(s, joined_arrays(s, [rows], ZERO, "np.concatenate"), dtype)
    return in_dtype(s, join_rows(s, rows, v.Static(int(least == 1 and rank > 2)), "np.concatenate"), dtype)


# dtypes --------------------------------------------------------------------------------------
@frontend(np.add.at)
@numpy_is_not_asked
def add_at(s, a, indices, b):
    if not isinstance(a, v.Array):
        s.stop("TypeError", "first operand must be array")
    t = s.type(b)
    tried_now(s, np.add.at, np.ones(1, s.type(a).dtype), 0, sample(Type(t.kind, t.dtype, ())))  # whatever it names
    set_item(s, a, indices, b, add=True)
    return NONE


@each({f: f for f in (np.result_type, np.dtype, np.finfo, np.iinfo, np.issubdtype, np.promote_types,
                     np.can_cast, np.isdtype)})
@numpy_is_not_asked
def of_dtypes(function, s, *args, **kwargs):
    """A function of dtypes, which are known before the run; of arrays and numbers the types are."""
    def known(a):
        s.refuse_several([a.atom] if isinstance(a, v.Number) else [])
        return sample(s.type(a)) if isinstance(a, (v.Array, v.Number)) else s.static(a, "it is a dtype")
    return v.Static(tried_now(s, function, *map(known, args), **{n: known(a) for n, a in kwargs.items()}))
