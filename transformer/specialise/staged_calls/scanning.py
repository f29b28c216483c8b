"""The parts of `gs.lax.scan` (`library/scans.py`) of which more is known inside of transformed functions."""
from __future__ import annotations

from ...core import Const
from ...errors.messages import SpecialisationError
from ...library.registry import frontend
from ...library.scans import CARRY, LENGTHS, NO_AXIS, NO_LENGTH, same_carry, slice_count_of, stacked_trees
from ..builtins.numpy_api import join_arrays
from ..domain import values as v
from ..domain.growing_lists import grown, items_of_rows, structured_value
from ..evaluator.objects.iteration import as_int
from ..evaluator.syntax.indexing import get_at
from .leaves import leaves_of, over_leaves, parts_of, rebuild


@frontend(slice_count_of)
def _count(s, xs, length):
    dims = []
    for leaf in leaves_of(s, xs):
        t = s.type(leaf)
        if not t.dims:
            s.stop("ValueError", NO_AXIS)
        dims.append(t.dims[0])
    if length != v.Static(None):
        dims.append(s.b.dim(s.atom(as_int(s, length))))
    if not dims:
        s.stop("ValueError", NO_LENGTH)
    for d in dims[1:]:
        if (d - dims[0]).constant not in (None, 0):
            s.fail(LENGTHS.format(dims[0], d), "Give all of them one length.", error=SpecialisationError)
        if d != dims[0]:
            s.require(s.emit("equal", s.dim_atom(dims[0]), s.dim_atom(d), hint="ok"), "ValueError",
                      "scan got values of different lengths")
    if dims[0] == 0:  # nothing runs, but what it would give is asked for: the loop is written
        return v.Number(s.emit("rt.trip_count", Const(0), Const(0), Const(1), hint="n"))
    return s.dim_value(dims[0])


@frontend(same_carry)
def _same_carry(s, before, after):
    types = [[s.b.type(s.atom(part)) for part in parts_of(s, x) if s.is_numeric(part)] for x in (before, after)]
    message = CARRY.format(*[", ".join(map(str, group)) or "nothing" for group in types])
    if len(types[0]) != len(types[1]) or any([t.rank != u.rank for t, u in zip(*types)]):
        s.stop("TypeError", message)
    for t, u in zip(*types):
        for d, e in zip(t.dims, u.dims):
            if (d - e).constant not in (0, None):
                s.stop("TypeError", message)
            if d != e:
                s.require(s.emit("equal", s.dim_atom(d), s.dim_atom(e), hint="ok"), "TypeError", message)
    return v.Static(None)


@frontend(stacked_trees)
def _stacked(s, ys, reverse, of_none):
    g = grown(s, ys)
    if g is not None:
        out = structured_value(s, g.one, items_of_rows(s, ys, g))
    else:
        items = s.items(ys)
        if not items:
            s.stop("RefusedValue", "a scan over nothing, of a function that always raises")
        columns = zip(*(leaves_of(s, over_leaves(s, item, s.wrap_array)) for item in items))
        out = rebuild(s, over_leaves(s, items[0], s.wrap_array),
                      iter([join_arrays(s, v.Tuple(column), v.Static(0), "np.stack") for column in columns]))
    if s.static(reverse, "it is the direction of a scan"):
        back = v.Tuple((v.Static(None), v.Static(None), v.Static(-1)), slice)
        return over_leaves(s, out, lambda x: s.wrap(s.atom(get_at(s, x, back))))
    return out
