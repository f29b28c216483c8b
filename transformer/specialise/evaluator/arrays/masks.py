"""Arrays of bools as indices, and the places where they are true, of which only the run time knows how many there are.

    y = x[x > 0.0]        ->        places = np.flatnonzero(x > 0.0)
                                    y = x[places]

The number of places is a length like others: the name that their count is bound to.
"""
from __future__ import annotations

from ....core import Const
from ....core.types import Dim, Type
from ....library.masks import by_axes
from ...domain import values as v
from ...machine.lengths import STRETCHED


def is_mask(s, part) -> bool:
    return isinstance(part, v.Array) and s.type(part).dtype.kind == "b" and s.type(part).rank > 0


def subscript_parts(index) -> tuple:
    """The parts of a subscript."""
    return index.items if isinstance(index, v.Tuple) and index.cls is not slice else (index,)


def is_one_mask(s, index, arrays: int) -> bool:
    """Are all index arrays of an index, so many, of one mask: each place once?"""
    return arrays > 0 and any([is_mask(s, p) and s.type(p).rank == arrays for p in subscript_parts(index)])


def flat_places(s, mask: str) -> str:
    """The places of the true elements of an array, counted through all of it."""
    key = ("places", mask)
    if key not in s.sight.interned:
        axes = tuple(range(s.b.type(mask).rank))
        count = s.emit("int", s.emit("np.sum", mask, axis=axes, keepdims=False), hint="count")
        s.nonnegative.add(count)
        s.sight.interned[key] = s.emit("np.flatnonzero", mask, count, hint="places")
        s.noted.add(s.sight.interned[key])
    return s.sight.interned[key]


def mask_places(s, mask: v.Array, dims, first: int) -> list[str]:
    """A mask as index arrays, one for each of its axes: those of these lengths, from axis `first` on."""
    atom = fitted_mask(s, mask, dims, first)
    flat = s.wrap(flat_places(s, atom))
    if len(dims) == 1:
        return [s.atom(flat)]
    shape = v.Tuple(tuple([s.wrap(s.dim_atom(d)) for d in dims]))
    return [s.atom(part) for part in s.call_value(by_axes, [flat, shape], {}).items]


def fitted_mask(s, mask: v.Array, dims, first: int = 0) -> str:
    """The mask with the lengths of the array that it is of, which a check proves equal to its own."""
    atom = s.read(mask)
    for k, d in enumerate(dims):
        own = s.b.type(atom).dims
        if own[k] != d:
            how = (f"boolean index did not match indexed array along axis {first + k}; size of axis is {{}} but size "
                   "of corresponding boolean axis is {}")
            sizes = s.dim_atom(d), s.dim_atom(own[k])
            if None not in (d.constant, own[k].constant):
                s.stop("IndexError", how.format(d, own[k]))
            atom = s.match_exactly(atom, (*own[:k], d, *own[k + 1:]), how, sizes, "IndexError")
    return atom


def whole_mask(s, base: v.Array, index) -> v.Array | None:
    """The mask of all elements that an index is, if it is one."""
    if len(parts := subscript_parts(index)) == 1:
        (index,) = parts
    if isinstance(index, v.Boxed) and index.cls is list:
        index = s.array_of(index)
    return index if is_mask(s, index) and s.type(index).rank == s.type(base).rank else None


def masked_fill(s, base: v.Array, mask: v.Array, value):
    """The array with one number where the mask is true; None where it would have another dtype."""
    t = s.type(base)
    if not isinstance(value, (v.Number, v.Static)) or not s.is_numeric(value):
        return None
    chosen = s.wrap(fitted_mask(s, mask, t.dims))
    new = s.elementwise("np.where", chosen, value, s.wrap(s.read(base)), numpy=True)
    return new if s.type(new).dtype == t.dtype else None


def check_values(s, value, count: Dim) -> None:
    """Refuse values for the elements of a mask of a whole array that NumPy would not store."""
    t: Type = s.b.type(s.atom(value))
    if t.rank > 1:
        s.stop("TypeError", "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
                            f"input has {t.rank} dimensions")
    if t.rank and t.dims[0] != count and not t.dims[0].is_one:
        sizes = s.dim_atom(t.dims[0]), s.dim_atom(count)
        same = s.emit("equal", *sizes, hint="ok")
        if not s.surely_not_one(t.dims[0]):  # one value is for all places
            several = s.emit("not_equal", sizes[0], Const(1), hint="ok")
            s.require(s.emit("or_", several, same, hint="ok"), "RefusedValue", STRETCHED)
        s.require(same, "ValueError", "NumPy boolean array indexing assignment cannot "
                  "assign {} input values to the {} output values where the mask is true", *sizes)
