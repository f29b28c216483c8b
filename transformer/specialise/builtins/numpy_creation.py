"""Arrays of a shape: zeros, full, arange, eye."""
from __future__ import annotations

import numpy as np

from ...core import Const
from ...core.types import Dim, sample
from ...library.creation import arange_from_zero, arange_of_floats, eye_beside
from ...library.registry import each, frontend
from ..domain import values as v
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.objects.iteration import as_int
from ..evaluator.syntax.indexing import set_item
from ..evaluator.syntax.storing import number_of_dtype
from .numpy_arrays import NONE, ZERO, array_of_list, dtype_of, numpy_is_not_asked


def shape_values(s, shape):
    """The values of a shape: one int, or a tuple or list of ints."""
    if len(shape) == 1 and isinstance(shape[0], (v.Tuple, v.Boxed)):
        shape = s.items(shape[0])
    return [as_int(s, p) for p in shape]


def new_shape(s, shape) -> list:
    """The sizes of an array that is made, none of them negative."""
    atoms = [s.atom(p) for p in shape_values(s, [shape])]
    for atom in atoms:
        s.not_negative(s.b.dim(atom))
    return atoms


@each({np.zeros: "np.zeros", np.ones: "np.ones", np.empty: "np.zeros"})
@numpy_is_not_asked
def create(name, s, shape, dtype=NONE):
    """np.empty is zeros: what it holds is anybody's guess, and a guess must not become a result."""
    return s.wrap(s.emit(name, *new_shape(s, shape), dtype=dtype_of(s, dtype, np.float64)))


@each({np.zeros_like: "np.zeros", np.ones_like: "np.ones", np.empty_like: "np.zeros"})
@numpy_is_not_asked
def create_like(name, s, a, dtype=NONE, shape=NONE):
    x = s.atom(array_of_list(s, a))
    t = s.b.type(x)
    sizes = [s.dim_atom(d) for d in t.dims] if shape == NONE else new_shape(s, shape)
    return s.wrap(s.emit(name, *sizes, dtype=dtype_of(s, dtype, t.dtype)), order=s.order(x) if shape == NONE else "")


@frontend(np.full)
@numpy_is_not_asked
def full_(s, shape, fill_value, dtype=NONE):
    value = array_of_list(s, fill_value)
    t = s.type(value)
    if dtype == NONE:
        s.refuse_several([s.atom(value)])
    chosen = dtype_of(s, dtype, t.dtype)
    if t.rank:
        made = create("np.zeros", s, shape, v.Static(chosen))
        set_item(s, made, v.Static(...), value)
        return made
    # which is no int to NumPy here: what does not fit is C's to say
    if t.kind == "py" and t.dtype.kind == "f" and chosen.kind in "iu":
        value = s.wrap(s.emit("rt.astype", s.atom(value), dtype=np.dtype(float)))
    elif t.kind == "py":
        value = number_of_dtype(s, value, chosen)
    return s.wrap(s.emit("rt.full", s.atom(value), *new_shape(s, shape), dtype=chosen))


@frontend(np.full_like)
@numpy_is_not_asked
def full_like(s, a, fill_value, dtype=NONE, shape=NONE):
    x = s.atom(array_of_list(s, a))
    t = s.b.type(x)
    wanted = v.Tuple(tuple(s.dim_value(d) for d in t.dims)) if shape == NONE else shape
    made = s.atom(full_(s, wanted, fill_value, dtype if dtype != NONE else v.Static(t.dtype)))
    return s.wrap(made, order=s.order(x) if shape == NONE else "C")


def first_fit(bounds, dtype) -> bool:
    """Does np.arange have the first two items in its dtype?  The others wrap around, as all its sums do."""
    start, _, step = (a.value if isinstance(a, Const) else None for a in bounds)
    if dtype.kind not in "iu" or start is None or step is None:
        return dtype.kind == "f"
    return all(np.iinfo(dtype).min <= x <= np.iinfo(dtype).max for x in (int(start), int(start) + int(step)))


@frontend(np.arange)
@numpy_is_not_asked
def arange(s, start=None, stop=NONE, step=v.Static(1), dtype=NONE):
    if stop == NONE:
        start, stop = None, start
    if stop in (None, NONE) or start == NONE:
        s.stop("TypeError", "arange() requires stop to be specified.")
    given = [start or ZERO, stop, v.Static(1) if step == NONE else step]
    bounds = [*map(s.atom, given)]
    s.refuse_several(bounds)
    refuse_bounds(s, given, bounds)
    kinds = [*map(s.b.type, bounds)]
    chosen = dtype_of(s, dtype, np.arange(*map(sample, kinds)).dtype)
    if chosen == float and any(t.dtype.kind == "f" and not isinstance(a, Const) for a, t in zip(bounds, kinds)):
        from_zero = isinstance(bounds[0], Const) and str(bounds[0].value) in ("0", "0.0")
        return s.call_value(arange_from_zero if from_zero else arange_of_floats, given, {})
    if any(t.dtype.kind not in "iub" for t in kinds):
        known = [s.static(x, "it decides the length of np.arange of floats") for x in given]
        count = Dim.of(len(tried_now(s, np.arange, *known, dtype=chosen)))
    else:
        count = count_of_ints(s, *[s.atom(as_int(s, s.wrap(a))) for a in bounds])
        if chosen.itemsize < 8 and not first_fit(bounds, chosen):
            tried_now(s, np.arange, *(s.static(x, "it decides what np.arange makes of small integers") for x in given),
                      dtype=chosen)
    return s.wrap(s.emit("np.arange", *bounds, dtype=chosen, count=count))


def refuse_bounds(s, given, bounds) -> None:
    """What np.arange raises of its bounds, whatever the dtype."""
    if Const(0) == bounds[2]:
        s.stop("ZeroDivisionError", "division by zero")
    if any(isinstance(x, (v.Tuple, v.Boxed)) for x in given):
        s.stop("TypeError", "unsupported operand type(s) for -")
    if any(s.b.type(a).rank for a in bounds):
        s.stop("ValueError",
               "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")


def count_of_ints(s, start, stop, step) -> Dim:
    """How many integers np.arange gives."""
    whole = (start == Const(0) and step == Const(1) and not isinstance(stop, Const)
             and (s.is_count(stop) or s.presume(s.b.dim(stop), ">=", 0)))
    return s.b.dim(stop if whole else s.int_op("rt.trip_count", start, stop, step, hint="count"))


@frontend(np.eye)
@numpy_is_not_asked
def eye(s, N, M=NONE, k=ZERO, dtype=v.Static(float)):
    if k != ZERO:
        return s.call_value(eye_beside, [N, M, k, dtype], {})
    rows, columns = new_shape(s, v.Tuple((N, N if M == NONE else M)))
    return s.wrap(s.emit("np.eye", rows, columns, dtype=dtype_of(s, dtype, np.float64)))
