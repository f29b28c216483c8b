"""NumPy's functions and methods, as calls of operations."""
from __future__ import annotations

import numpy as np

from gradscribe import runtime as rt

from ..core import Const
from ..rules import BY_FUNCTION, OPS
from ..rules.kinds import ONE, Elementwise, conform, dim_atoms, result_scalar
from ..types import Dim, Type, sample
from . import values as v
from .calls import FUNCTIONS, frontend, method
from .growing import grown, stacked
from .indexing import get_at, reshape, resolve_shape, transpose
from .iteration import as_int

NONE = v.Static(None)


# elementwise: every ufunc that has a rule ------------------------------------------------------
def _ufunc(op):
    def handler(s, *args, dtype=NONE):
        if len(args) != len(op.partials):
            s.fail(f"{op.name} with {len(args)} arguments", "Without out= and where=.")
        result = s.elementwise(op.name, *(listed(s, a) for a in args), numpy=True)
        return result if dtype == NONE else astype(s, result, dtype)
    handler.__name__ = op.name
    return handler


for _function, _op in list(BY_FUNCTION.items()):
    if isinstance(_op, Elementwise) and isinstance(_function, np.ufunc):
        FUNCTIONS[_function] = _ufunc(_op)


for _function in (rt.erf, rt.erfc, rt.erfinv, rt.gamma, rt.lgamma, rt.digamma, rt.gamma_sample, rt.gamma_slope, rt.threefry):
    FUNCTIONS[_function] = _ufunc(BY_FUNCTION[_function])


def listed(s, value):
    return s.array_of(value) if isinstance(value, (v.Tuple, v.Boxed)) else s.present(value) if isinstance(value, v.Maybe) else value


@frontend(np.where)
def where(s, condition, x=None, y=None):
    if x is None:
        s.fail("np.where with one argument gives an array whose size only the run time knows", "Write np.where(condition, a, b).")
    values = [listed(s, a) for a in (condition, x, y)]
    if any(s.type(a).rank for a in values):
        return s.elementwise("np.where", *values, numpy=True)
    chosen = s.elementwise("rt.choose", *values)
    return s.wrap(s.emit("np.asarray", s.atom(chosen)))


@frontend(np.clip)
def clip(s, x, a_min=NONE, a_max=NONE):
    given = [listed(s, a) for a in (x, a_min, a_max) if a != NONE]
    types = [s.type(a) for a in given]
    types[0] = Type("np", types[0].dtype) if types[0].kind == "py" else types[0]
    dtype = np.result_type(*(sample(t) for t in types))
    x, *bounds = [astype(s, a, v.Static(dtype)) if s.type(a).dtype != dtype or k == 0 and s.type(a).kind == "py" else a
                  for k, a in enumerate(given)]
    for name, bound in zip([n for n, a in (("np.maximum", a_min), ("np.minimum", a_max)) if a != NONE], bounds):
        x = s.elementwise(name, x, bound, numpy=True)
    return x


@frontend(rt.stop_gradient)
def stop_gradient(s, x):
    if isinstance(x, (v.Tuple, v.Boxed)):
        items = [stop_gradient(s, i) for i in s.items(x)]
        if isinstance(x, v.Tuple):
            return v.Tuple(tuple(items), x.cls)
        result = s.box(items, x.cls, s.keys(x))
        s.may_share(result.box, x.box)
        return result
    if not s.is_numeric(x):
        return x
    result = s.wrap(s.emit("stop_gradient", s.atom(x)))
    if isinstance(x, v.Array):
        s.may_share(result.cell, x.cell)
    return result


# reductions ----------------------------------------------------------------------------------
def one_axis(s, axis, rank: int) -> int:
    """An axis that is one number, counted from the front."""
    known = s.static(axis, "it is an axis")
    if not -rank <= known < rank:
        s.stop("numpy.exceptions:AxisError", f"axis {known} is out of bounds for array of dimension {rank}")
    return known % rank


def axes_of(s, t: Type, axis) -> tuple[int, ...] | None:
    known = s.static(axis, "it is an axis")
    if known is None:
        return tuple(range(t.rank))
    axes = [known] if isinstance(known, (int, np.integer)) else list(known)
    for a in axes:
        if not -t.rank <= a < t.rank:
            s.stop("numpy.exceptions:AxisError", f"axis {a} is out of bounds for array of dimension {t.rank}")
    return tuple(sorted(a % t.rank for a in axes))


def _reduction(name):
    def handler(s, x, axis=NONE, dtype=NONE, out=NONE, keepdims=v.Static(False)):
        x = listed(s, x)
        if out != NONE:
            s.fail("out= of a reduction", "Assign the result.")
        if dtype != NONE:
            x = astype(s, x, dtype)
        atom = s.atom(x)
        t = s.b.type(atom)
        if t.kind == "py":
            atom = s.emit("rt.astype", atom, dtype=t.dtype)
        axes = axes_of(s, t, axis)
        if t.rank == 0:
            return of_one(s, name, atom)
        return s.wrap(s.emit(name, atom, axis=axes, keepdims=bool(s.static(keepdims, "it decides the shape"))))
    handler.__name__ = name
    return handler


def of_one(s, name, atom):
    """A reduction of a single element."""
    t = s.b.type(atom)
    x = v.Num(s.emit("getitem", atom, index=())) if t.kind == "array" else s.wrap(atom)
    if name in ("np.any", "np.all"):
        return s.elementwise("not_equal", x, v.Static(0))
    return astype(s, x, v.Static(result_scalar(OPS[name], (), (Type("array", t.dtype, (ONE,)),)).dtype))


for _name, _functions in {"np.sum": (np.sum,), "np.mean": (np.mean,), "np.max": (np.max, np.amax), "np.min": (np.min, np.amin),
                          "np.any": (np.any,), "np.all": (np.all,)}.items():
    for _f in _functions:
        FUNCTIONS[_f] = _reduction(_name)
    method(_name[3:])(_reduction(_name))


@frontend(np.var)
@method("var")
def var(s, x, axis=NONE, keepdims=v.Static(False)):
    mean_ = FUNCTIONS[np.mean](s, x, axis=axis, keepdims=v.Static(True))
    d = s.elementwise("subtract", x, mean_)
    return FUNCTIONS[np.mean](s, s.elementwise("multiply", d, d), axis=axis, keepdims=keepdims)


@frontend(np.std)
@method("std")
def std(s, x, axis=NONE, keepdims=v.Static(False)):
    return s.elementwise("np.sqrt", var(s, x, axis=axis, keepdims=keepdims), numpy=True)


def _arg(name):
    def handler(s, x, axis=NONE):
        x = listed(s, x)
        t = s.type(x)
        if t.rank == 0:
            return v.Num(Const(np.int64(0)))
        axes = None if axis == NONE else axes_of(s, t, axis)[0]
        return s.wrap(s.emit(name, s.atom(x), axis=axes))
    handler.__name__ = name
    return handler


for _name in ("argmax", "argmin"):
    FUNCTIONS[getattr(np, _name)] = _arg(f"np.{_name}")
    method(_name)(_arg(f"np.{_name}"))


@frontend(np.cumsum)
@method("cumsum")
def cumsum(s, x, axis=NONE):
    x = listed(s, x)
    if axis == NONE:
        x, axis = reshape(s, x if isinstance(x, v.Array) else s.wrap_array(x), [v.Static(-1)]), v.Static(0)
    return s.wrap(s.emit("np.cumsum", s.atom(x), axis=one_axis(s, axis, s.type(x).rank)))


@frontend(np.argsort)
@method("argsort")
def argsort(s, x, axis=v.Static(-1), kind=NONE, stable=NONE):
    """Always stable, which is one of the orders that any kind may give."""
    x = listed(s, x)
    if s.type(x).rank != 1:
        s.fail("np.argsort of an array that is no vector", "Sort its rows in a loop.")
    one_axis(s, axis, 1)
    return s.wrap(s.emit("np.argsort", s.atom(x)))


@frontend(np.sort)
def sort(s, x, axis=v.Static(-1), kind=NONE, stable=NONE):
    x = listed(s, x)
    return s.wrap(s.atom(get_at(s, x, argsort(s, x, axis))))


@frontend(np.searchsorted)
def searchsorted(s, a, x, side=v.Static("left")):
    atoms = [s.atom(listed(s, a)), s.atom(listed(s, x))]
    known = s.static(side, "it is a side")
    if known not in ("left", "right"):
        s.stop("ValueError", f"search side must be 'left' or 'right' (got '{known}')")
    return s.wrap(s.emit("np.searchsorted", *atoms, side=known))


# products ------------------------------------------------------------------------------------
@frontend(np.matmul)
def matmul(s, x, y):
    x, y = (s.wrap(s.atom(listed(s, a))) if not isinstance(a, v.Array) else a for a in (x, y))
    ranks = [s.type(a).rank for a in (x, y)]
    if 0 in ranks:
        s.stop("ValueError", "matmul: Input operand does not have enough dimensions")
    if max(ranks) > 2 and 1 in ranks:
        k = ranks.index(1)
        grown = get_at(s, (x, y)[k], v.Tuple((NONE, v.Static(Ellipsis)) if k == 0 else (v.Static(Ellipsis), NONE)))
        product = matmul(s, *((grown, y) if k == 0 else (x, grown)))
        rank = s.type(product).rank
        index = [v.Tuple((NONE,) * 3, slice)] * rank
        index[rank - 2 if k == 0 else rank - 1] = v.Static(0)
        return get_at(s, product, v.Tuple(tuple(index)))
    return s.wrap(s.aligned(OPS["matmul"], [s.atom(x), s.atom(y)]))


@frontend(np.dot)
@method("dot")
def dot(s, x, y):
    x, y = listed(s, x), listed(s, y)
    ranks = [s.type(a).rank for a in (x, y)]
    if 0 in ranks:
        x, y = (astype(s, a, v.Static(s.type(a).dtype)) if s.type(a).kind == "py" else a for a in (x, y))
        return s.elementwise("multiply", x, y, numpy=True)
    if max(ranks) > 2 and ranks[1] > 2:
        s.fail("np.dot with an array of more than two axes at the right", "Write it with @ or np.einsum.")
    return matmul(s, x, y)


@frontend(np.vdot, np.inner)
def inner(s, x, y):
    if s.type(x).rank != 1 or s.type(y).rank != 1:
        s.fail("np.inner and np.vdot of more than vectors", "Write x @ y.T.")
    return matmul(s, x, y)


@frontend(np.outer)
def outer(s, x, y):
    atoms = []
    for a in (x, y):
        if s.type(a).rank != 1:
            a = reshape(s, a, [v.Static(-1)])
        atoms.append(s.atom(a))
    return s.wrap(s.emit("np.outer", *atoms))


# shapes --------------------------------------------------------------------------------------
@frontend(np.transpose, np.permute_dims)
@method("transpose")
def transpose_(s, x, *axes):
    rank = s.type(x).rank
    known = [s.static(a, "it is an axis") for a in axes]
    if len(known) == 1 and (known[0] is None or isinstance(known[0], (tuple, list))):
        known = list(known[0]) if known[0] is not None else []
    if known and sorted(k % rank if -rank <= k < rank else k for k in known) != list(range(rank)):
        s.stop("ValueError", "axes don't match array")
        return x
    return transpose(s, x, [k % rank for k in known] if known else list(reversed(range(rank))))


@frontend(np.swapaxes)
@method("swapaxes")
def swapaxes(s, x, a, b):
    axes = list(range(s.type(x).rank))
    (i,), (j,) = axes_of(s, s.type(x), a), axes_of(s, s.type(x), b)
    axes[i], axes[j] = axes[j], axes[i]
    return transpose(s, x, axes)


def shape_values(s, shape):
    """The values of a shape: one int, or a tuple or list of ints."""
    if len(shape) == 1 and isinstance(shape[0], (v.Tuple, v.Boxed)):
        shape = s.items(shape[0])
    return [as_int(s, p) for p in shape]


@method("reshape")
def reshape_method(s, x, *shape, order=v.Static("C")):
    if s.static(order, "it is a memory order") != "C":
        s.fail("reshape in an order other than C", "Transpose, reshape and transpose.")
    return reshape(s, x, shape_values(s, shape))


@frontend(np.reshape)
def reshape_function(s, x, shape, order=v.Static("C")):
    return reshape_method(s, listed(s, x), shape, order=order)


@frontend(np.ravel)
@method("ravel")
def ravel(s, x):
    return reshape(s, x, [v.Static(-1)])


@method("flatten")
def flatten(s, x):
    return s.wrap(s.emit("np.copy", s.atom(reshape(s, s.wrap(s.atom(x)), [v.Static(-1)]))))


@frontend(np.squeeze)
@method("squeeze")
def squeeze(s, x, axis=NONE):
    t = s.type(x)
    axes = tuple(k for k, d in enumerate(t.dims) if d.is_one) if axis == NONE else axes_of(s, t, axis)
    for k in axes:
        if not t.dims[k].is_one:
            s.stop("ValueError", "cannot select an axis to squeeze out which has size not equal to one")
    if len(axes) == t.rank:
        return reshape(s, x, [])
    whole = v.Tuple((NONE,) * 3, slice)
    return get_at(s, x, v.Tuple(tuple(v.Static(0) if k in axes else whole for k in range(t.rank))))


@frontend(np.expand_dims)
def expand_dims(s, x, axis):
    x = listed(s, x)
    rank = s.type(x).rank + 1
    known = one_axis(s, axis, rank)
    whole = v.Tuple((NONE,) * 3, slice)
    x = x if isinstance(x, v.Array) else s.wrap_array(x)
    return get_at(s, x, v.Tuple(tuple(NONE if k == known else whole for k in range(rank))))


@frontend(np.broadcast_to)
def broadcast_to(s, x, shape):
    atom = s.atom(listed(s, x))
    dims = tuple(s.b.dim(s.atom(p)) for p in shape_values(s, [shape]))
    have = s.b.type(atom)
    wanted = [d if not have.dims[k].is_one else have.dims[k] for k, d in enumerate(dims[len(dims) - have.rank:])]
    text, numbers = s.shape_text(have, Type("array", have.dtype, dims))
    atom = s.matched_array(atom, tuple(wanted), f"operands could not be broadcast together with shapes {text}", numbers)
    result = s.wrap(s.emit("np.broadcast_to", atom, *(s.dim_atom(d) for d in dims)))
    result.cell.frozen = "np.broadcast_to gives an array that cannot be written to"
    if isinstance(x, v.Array):
        s.may_share(result.cell, x.cell)  # it is a view
    return result


@frontend(np.shape)
def shape_(s, x):
    return v.Tuple(tuple(s.dim_value(d) for d in s.type(listed(s, x)).dims))


@frontend(np.isscalar)
def isscalar(s, x):
    return v.Static(isinstance(x, v.Num) or isinstance(x, v.Static) and np.isscalar(x.value))


@frontend(np.ndim)
def ndim(s, x):
    return v.Static(s.type(listed(s, x)).rank)


@frontend(np.size)
def size(s, x):
    total = Dim.of(1)
    for d in s.type(listed(s, x)).dims:
        total = total * d
    return s.dim_value(total)


def join_arrays(s, arrays, axis, name):
    if isinstance(arrays, v.Boxed) and (g := grown(s, arrays)) is not None:
        return join_rows(s, stacked(s, arrays, g), g, axis, name)
    parts = [listed(s, a) for a in s.items(arrays)] if isinstance(arrays, (v.Tuple, v.Boxed)) else \
        [get_at(s, arrays, v.Static(k)) for k in range(s.static(s.dim_value(s.type(arrays).dims[0]), "it is the number of arrays joined"))]
    if not parts:
        s.stop("ValueError", f"need at least one array to {name[3:]}")
    atoms = [s.atom(p) for p in parts]
    rank = s.b.type(atoms[0]).rank
    if any(s.b.type(a).rank != rank for a in atoms):
        s.stop("ValueError", "all the input arrays must have same number of dimensions")
    if rank == 0 and name == "np.concatenate":
        s.stop("ValueError", "zero-dimensional arrays cannot be concatenated")
    axis = one_axis(s, axis, rank + (name == "np.stack"))
    first = s.b.type(atoms[0]).dims
    for k, a in enumerate(atoms):
        dims = tuple(first[j] if name == "np.stack" or j != axis else d for j, d in enumerate(s.b.type(a).dims))
        atoms[k] = s.match_exactly(a, dims, "all the input array dimensions except for the concatenation axis must match exactly"
                                 if name != "np.stack" else "all input arrays must have the same shape")
    return s.wrap(s.emit(name, *atoms, axis=axis))


def join_rows(s, rows, g, axis, name):
    """What np.stack or np.concatenate makes of the rows of an array."""
    rank = s.type(rows).rank
    if name == "np.stack":
        order = [*range(1, rank)]
        order.insert(one_axis(s, axis, rank), 0)
        return rows if order[0] == 0 else s.wrap(s.emit("np.transpose", s.atom(rows), axes=tuple(order)))
    if rank == 1 or one_axis(s, axis, rank - 1):
        g.instead()
    count, first, *rest = s.type(rows).dims
    return s.wrap(s.emit("np.reshape", s.atom(rows), *map(s.dim_atom, (count * first, *rest))))


@frontend(np.concatenate)
def concatenate(s, arrays, axis=v.Static(0)):
    if axis == NONE:
        arrays, axis = v.Tuple(tuple(ravel(s, listed(s, a)) for a in s.items(arrays))), v.Static(0)
    return join_arrays(s, arrays, axis, "np.concatenate")


@frontend(np.stack)
def stack(s, arrays, axis=v.Static(0)):
    return join_arrays(s, arrays, axis, "np.stack")


@frontend(np.vstack)
def vstack(s, arrays):
    if isinstance(arrays, v.Boxed) and (g := grown(s, arrays)) is not None:
        stack = stacked(s, arrays, g)
        return stack if s.type(stack).rank == 2 else join_rows(s, stack, g, v.Static(0), "np.concatenate")
    rows = [expand_dims(s, a, v.Static(0)) if s.type(a).rank == 1 else a for a in map(lambda a: listed(s, a), s.items(arrays))]
    return join_arrays(s, v.Tuple(tuple(rows)), v.Static(0), "np.concatenate")


@frontend(np.hstack)
def hstack(s, arrays):
    first = s.type(listed(s, s.items(arrays)[0]))
    return join_arrays(s, arrays, v.Static(0 if first.rank == 1 else 1), "np.concatenate")


# creation ------------------------------------------------------------------------------------
def dtype_of(s, dtype, default) -> np.dtype:
    known = s.static(dtype, "it is a dtype")
    made = np.dtype(default if known is None else known)
    if made.kind not in "fiub":
        s.fail(f"the dtype {made}", "Use floats, integers or bools.")
    return made


def new_shape(s, shape) -> list:
    """The sizes of an array that is made, none of them negative."""
    atoms = [s.atom(p) for p in shape_values(s, [shape])]
    for atom in atoms:
        s.not_negative(s.b.dim(atom))
    return atoms


def _create(name):
    def handler(s, shape, dtype=NONE, order=v.Static("C")):
        atoms = new_shape(s, shape)
        return s.wrap(s.emit(name, *atoms, dtype=dtype_of(s, dtype, np.float64)))
    handler.__name__ = name
    return handler


def _create_like(name):
    def handler(s, x, dtype=NONE):
        x = s.atom(listed(s, x))
        t = s.b.type(x)
        return s.wrap(s.emit(name, *(s.dim_atom(d) for d in t.dims), dtype=dtype_of(s, dtype, t.dtype)), order=s.order(x))
    handler.__name__ = name + "_like"
    return handler


for _name in ("zeros", "ones", "empty"):
    # np.empty is zeros: what it holds is anybody's guess, and a guess must not become a result
    FUNCTIONS[getattr(np, _name)] = _create(f"np.{_name}".replace("empty", "zeros"))
    FUNCTIONS[getattr(np, _name + "_like")] = _create_like(f"np.{_name}".replace("empty", "zeros"))


@frontend(np.full)
def full(s, shape, fill_value, dtype=NONE):
    value = s.atom(listed(s, fill_value))
    t = s.b.type(value)
    chosen = dtype_of(s, dtype, t.dtype)
    dims = tuple(map(s.b.dim, new_shape(s, shape)))
    if t.rank:
        return s.wrap(s.emit("np.copy", s.atom(broadcast_to(s, astype(s, s.wrap(value), v.Static(chosen)), shape))))
    return s.wrap(s.emit("rt.full", value, *(s.dim_atom(d) for d in dims), dtype=chosen))


@frontend(np.full_like)
def full_like(s, x, fill_value, dtype=NONE):
    x = s.atom(listed(s, x))
    t = s.b.type(x)
    shape = v.Tuple(tuple(s.dim_value(d) for d in t.dims))
    return s.wrap(s.atom(full(s, shape, fill_value, dtype if dtype != NONE else v.Static(t.dtype))), order=s.order(x))


@frontend(np.arange)
def arange(s, start, stop=NONE, step=v.Static(1), dtype=NONE):
    if stop == NONE:
        start, stop = v.Static(0), start
    bounds = [s.atom(x) for x in (start, stop, step)]
    kinds = [s.b.type(a) for a in bounds]
    if any(t.dtype.kind not in "iub" for t in kinds):
        known = [s.static(x, "it decides the length of np.arange of floats") for x in (start, stop, step)]
        count = Dim.of(len(np.arange(*known)))
        default = np.float64
    else:
        ints = [s.atom(as_int(s, s.wrap(a))) for a in bounds]
        whole = ints[0] == Const(0) and ints[2] == Const(1) and not isinstance(ints[1], Const) and s.is_count(ints[1])
        count = s.b.dim(ints[1]) if whole else s.b.dim(s.int_op("rt.trip_count", *ints, hint="count"))
        default = np.int64
    return s.wrap(s.emit("np.arange", *bounds, dtype=dtype_of(s, dtype, default), count=count))


@frontend(np.linspace)
def linspace(s, start, stop, num=v.Static(50)):
    n = as_int(s, num)
    k = s.wrap(s.emit("np.arange", Const(0), s.atom(n), Const(1), dtype=np.dtype(float), count=s.b.dim(s.atom(n))))
    width = s.elementwise("divide", s.elementwise("subtract", stop, start), s.elementwise("subtract", n, v.Static(1)))
    return s.elementwise("add", s.elementwise("multiply", k, width), start)


@frontend(np.eye, np.identity)
def eye(s, n, m=NONE, dtype=NONE):
    rows, columns = new_shape(s, v.Tuple((n, n if m == NONE else m)))
    return s.wrap(s.emit("np.eye", rows, columns, dtype=dtype_of(s, dtype, np.float64)))


@method("copy")
def copy_method(s, x):
    """x.copy() is in C order, np.copy(x) in that of x."""
    return x if isinstance(x, v.Num) else s.wrap(s.emit("np.copy", s.atom(x)), order="C")


@frontend(np.copy)
def copy(s, x):
    value = listed(s, x)
    return value if isinstance(value, v.Num) else s.wrap(s.emit("np.copy", s.atom(value)))


@frontend(np.array)
def array(s, x, dtype=NONE):
    result = array_of_items(s, x) if isinstance(x, (v.Tuple, v.Boxed)) else copy(s, s.wrap_array(x))
    return result if dtype == NONE else astype(s, result, dtype)


@frontend(np.ascontiguousarray)
def ascontiguousarray(s, x, dtype=NONE):
    result = asarray(s, x, dtype)
    order = s.order(s.atom(result))
    if order == "C" and not (isinstance(result, v.Array) and result.path):
        return result
    made = copy_method(s, result)
    if order != "F":  # only the run time knows whether this is a copy
        s.freeze(result, made, "np.ascontiguousarray gives it, or a copy of it")
    return made


@frontend(np.asarray)
def asarray(s, x, dtype=NONE):
    if isinstance(x, (v.Tuple, v.Boxed)):
        return array(s, x, dtype)
    result = x if isinstance(x, v.Array) else s.wrap_array(x)
    if dtype == NONE or dtype_of(s, dtype, None) == s.type(result).dtype:
        return result
    return astype(s, result, dtype)


def array_of_items(s, value):
    """np.array of nested sequences of numbers and arrays."""
    if isinstance(value, v.Boxed) and (g := grown(s, value)) is not None:
        return stacked(s, value, g)
    parts = [array_of_items(s, i) if isinstance(i, (v.Tuple, v.Boxed)) else i for i in s.items(value)]
    if not parts:
        return s.wrap(s.emit("np.zeros", Const(0), dtype=np.dtype(float)))
    atoms = [s.atom(p) for p in parts]
    if any(s.b.type(a).rank != s.b.type(atoms[0]).rank for a in atoms):
        s.fail("an array of parts with different numbers of axes", "Give all parts the same shape.")
    return join_arrays(s, v.Tuple(tuple(parts)), v.Static(0), "np.stack")


# dtypes --------------------------------------------------------------------------------------
@method("astype")
def astype(s, x, dtype, copy=NONE):
    chosen = dtype_of(s, dtype, None)
    atom = s.atom(x)
    t = s.b.type(atom)
    if t.kind != "py" and t.dtype == chosen:
        if copy != NONE and not s.static(copy, "it is a flag"):
            return x
        return s.wrap(s.emit("np.copy", atom)) if t.kind == "array" else x
    return s.wrap(s.emit("rt.astype", atom, dtype=chosen)) if not isinstance(atom, Const) else v.Num(Const(chosen.type(atom.value)))


@frontend(np.generic)
def scalar_type(s, cls, x):
    """np.float32(x) and its like."""
    value = listed(s, x)
    if isinstance(value, v.Static):
        return v.Num(Const(s.static(cls, "")(value.value)))
    return astype(s, value, v.Static(np.dtype(s.static(cls, ""))))


@method("item")
def item(s, x):
    atom = s.atom(x)
    t = s.b.type(atom)
    if t.rank:
        atom = only_element(s, atom, "ValueError", "can only convert an array of size 1 to a Python scalar")
    return s.wrap(s.emit({"f": "float", "i": "int", "u": "int", "b": "bool"}[t.dtype.kind], atom))


def only_element(s, atom, kind: str, message: str):
    """The element of an array that has one; of any other, an exception."""
    dims = s.b.type(atom).dims
    if not all(d.is_one for d in dims):
        if any(s.surely_not_one(d) for d in dims):
            s.stop(kind, message)
        for d in dims:
            s.require(s.emit("equal", s.dim_atom(d), Const(1), hint="ok"), kind, message)
    return s.emit("getitem", atom, *[Const(0)] * len(dims), index=("i",) * len(dims))


@method("fill")
def fill(s, x, value):
    from .indexing import set_item
    set_item(s, x, v.Static(Ellipsis), value)
    return NONE


@frontend(np.add.at)
def add_at(s, x, index, value):
    from .indexing import set_item
    set_item(s, x, index, value, add=True)
    return NONE


def _of_dtypes(function):
    """A function of dtypes, which are known before the run; of arrays and numbers the types are."""
    def handler(s, *args):
        known = [sample(s.type(a)) if isinstance(a, (v.Array, v.Num)) else s.static(a, "it is a dtype") for a in args]
        try:
            return v.Static(function(*known))
        except (TypeError, ValueError) as error:
            s.stop(type(error).__name__, str(error))
    handler.__name__ = function.__name__
    return handler


for _function in (np.result_type, np.dtype, np.finfo, np.iinfo, np.issubdtype):
    frontend(_function)(_of_dtypes(_function))


__all__ = ["array_of_items", "conform", "dim_atoms", "join_arrays", "matmul", "resolve_shape"]
