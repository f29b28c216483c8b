"""What `gs.lax.scan` is made of, beside a loop: how often it runs, the slices that go in, and the results put together.

Outside of transformed functions these are ordinary functions; inside, the specialiser knows the result of a body that
never runs.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ...core import Const
from ...errors.messages import SpecialisationError
from ...library.registry import frontend
from ...pytree import user_tree
from ..builtins.numpy_api import join_arrays
from ..domain import values as v
from ..domain.growing_lists import grown, items_of_rows, structured_value
from ..evaluator.objects.iteration import as_int
from ..evaluator.syntax.indexing import get_at
from .leaves import leaves_of, over_leaves, parts_of, rebuild

NO_AXIS = "scan got a value without an axis to scan over"
NO_LENGTH = "scan got no values to scan over, and no length"
CARRY = "scan needs a carry of the same structure and shapes after each step, and this one was {} and became {}"
LENGTHS = "scan got values of different lengths: {} and {}"


def slice_count_of(xs: Any, length: int | None) -> int:
    """How many slices there are in a tree of arrays, which must have `length`, where that is given."""
    leaves = user_tree.leaves(xs)
    if any(np.ndim(x) == 0 for x in leaves):
        raise ValueError(NO_AXIS)
    known = [len(x) for x in leaves] + ([] if length is None else [length])
    if not known:
        raise ValueError(NO_LENGTH)
    for n in known:
        if n != known[0]:
            raise ValueError(LENGTHS.format(known[0], n))
    return known[0]


def same_carry(before: Any, after: Any) -> None:
    """Raise TypeError where a step gives a carry of another structure or of other shapes, as JAX does."""
    shapes = [user_tree.map(np.shape, x) for x in (before, after)]
    if user_tree.structure(before) != user_tree.structure(after) or shapes[0] != shapes[1]:
        raise TypeError(CARRY.format(*shapes))


def slices(xs: Any, k: int) -> Any:
    """x[k] of each array x in a tree."""
    return user_tree.map(lambda x: x[k], xs)


def stacked_trees(ys: list, reverse: bool, of_none: Callable[[], Any]) -> Any:
    """One tree of arrays from a list of trees, in the order of the list or the reverse;
    `of_none()` where it is empty."""
    if not ys:
        return of_none()
    ys = ys[::-1] if reverse else ys
    return user_tree.map(lambda *parts: np.stack(parts), *ys)


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


@frontend(slices)
def _slices(s, xs, k):
    return over_leaves(s, xs, lambda x: get_at(s, x, k))


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


__all__ = ["same_carry", "slice_count_of", "slices", "stacked_trees"]
