"""Arrays seen in another shape: transposed, or with other axes."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....core import Const
from ....core.types import Dim, Type
from ...domain import values as v


def first_axis_to(s, atom, axis: int, joined: bool = False):
    """An array with its first axis at `axis`; joined: as one with the axis that stands there."""
    order = [*range(1, s.b.type(atom).rank)]
    order.insert(axis, 0)
    atom = s.emit("np.transpose", atom, axes=tuple(order)) if axis else atom
    dims = s.b.type(atom).dims
    if not joined:
        return atom
    return s.emit("np.reshape", atom, *map(s.dim_atom, (*dims[:axis], dims[axis] * dims[axis + 1], *dims[axis + 2:])))


def transposed_view(s, value, axes):
    if isinstance(value, v.Number) or s.type(value).rank < 2:
        return replace(value, whole=True) if isinstance(value, v.Array) else value
    return s.view(value, "np.transpose", axes=tuple(axes))


def reshape(s, value, shape):
    """x.reshape(shape): a view where the memory order is known to allow it, so that stores go through it."""
    value = value if isinstance(value, v.Array) else s.wrap_array(value)
    t = s.type(value)
    dims = resolve_shape(s, t, shape)
    atoms = [s.dim_atom(d) for d in dims]
    s.facts.orders |= t.rank > 1
    shares = reshape_is_view(s, value, t.dims, dims)
    if shares:
        return s.view(value, "np.reshape", *atoms)
    copied = s.wrap(s.emit("np.reshape", s.read(value), *atoms))
    if shares is None:  # only the run time knows, so that neither may be stored into
        s.freeze(value, copied, "it was reshaped, and only the run time knows whether that made a copy")
    return copied


def reshape_is_view(s, value: v.Array, dims, new_dims) -> bool | None:
    """Does reshape give a view?  None where only the run time knows."""
    long = [d for d in dims if not d.is_one]
    if len(long) < 2 or long == [d for d in new_dims if not d.is_one]:
        return True  # one row of elements, wherever they stand, or only axes of length 1 that come and go
    contiguous = is_contiguous(s, value)
    if contiguous is not False:
        return contiguous
    flat = sum(not d.is_one for d in new_dims) < 2
    return False if flat and sum(s.surely_not_one(d) for d in dims) > 1 else None


def is_contiguous(s, value: v.Array) -> bool | None:
    """Do the elements stand in memory one after the other, in the order of the indices?  None: only the run knows."""
    if not value.path:
        return {"C": True, "F": False}.get(value.cell.order)
    last, base = value.path[-1], v.Array(value.cell, value.path[:-1])
    before, params = s.type(base).dims, dict(last.params)
    inner = is_contiguous(s, base)
    if last.op == "np.transpose":
        long = [k for k in params["axes"] if not before[k].is_one]
        if long == sorted(long):
            return inner
        return False if inner and all(s.surely_not_one(before[k]) for k in long) else None
    return True if inner and (last.op == "np.reshape" or is_one_stretch(params["index"])) else None


def is_one_stretch(index) -> bool:
    """Does an index take elements that stand next to each other: by integers, a slice, then whole axes?"""
    codes = [c for c in index if c != "n"]
    first, *rest = codes[next((k for k, c in enumerate(codes) if c != "i"), len(codes)):] or ["i"]
    return (first == ":" or first[0] == "s" and first[-1] == "0") and all(c == ":" for c in rest)


def resolve_shape(s, t: Type, shape) -> tuple[Dim, ...]:
    """The dims of a new shape, with -1 resolved and the number of elements checked."""
    sizes = [s.b.dim(s.atom(p)) for p in shape]
    total = known = Dim.of(1)
    for d in t.dims:
        total = total * d
    for d in sizes:
        if d != -1:
            s.not_negative(d)
            known = known * d
    holes = [k for k, d in enumerate(sizes) if d == -1]
    if len(holes) > 1:
        s.stop("ValueError", "can only specify one unknown dimension")
        sizes = [Dim.of(1) if k in holes[1:] else d for k, d in enumerate(sizes)]
    text = ",".join("newaxis" if k in holes else "{}" for k in range(len(sizes))) + "," * (len(sizes) == 1)
    numbers = [total, *(d for d in sizes if d != -1)]
    said = "ValueError", f"cannot reshape array of size {{}} into shape ({text})", numbers
    if holes:
        sizes[holes[0]] = divided_dim(s, total, known, said)
    else:
        s.make_sure(total, "==", known, *said)
    return tuple(sizes)


def divided_dim(s, total: Dim, known: Dim, said: tuple) -> Dim:
    """The length that is left for -1; `said`: of an array of which no such shape can be made."""
    if known == 1:
        return total
    s.make_sure(known, "!=", Dim.of(0), *said)
    if len(known.terms) == 1:
        total, known = cancelled(total, known)
        if known.constant and all(d % known.constant == 0 for _, d in total.terms):
            return Dim(tuple((m, d // known.constant) for m, d in total.terms))
    q = s.int_op("floor_divide", s.dim_atom(total), s.dim_atom(known))
    s.make_sure(s.b.dim(q) * known, "==", total, *said)
    return s.b.dim(q)


def cancelled(total: Dim, known: Dim) -> tuple[Dim, Dim]:
    """A polynomial and a product without the names that all their terms have; those are not 0."""
    monomials = [list(m) for m, _ in (*known.terms, *total.terms)]
    for name in known.terms[0][0]:
        if all(name in m for m in monomials):
            for m in monomials:
                m.remove(name)
    terms = [(tuple(m), c) for m, (_, c) in zip(monomials, (*known.terms, *total.terms))]
    return Dim(tuple(sorted(terms[1:]))), Dim(tuple(terms[:1]))


def only_element(s, atom, kind: str, message: str):
    """The element of an array that has one; of any other, an exception."""
    dims = s.b.type(atom).dims
    if not all(d.is_one for d in dims):
        if any(s.surely_not_one(d) for d in dims):
            s.stop(kind, message)
        for d in dims:
            s.require(s.emit("equal", s.dim_atom(d), Const(1), hint="ok"), kind, message)
    return s.emit("getitem", atom, *[Const(0)] * len(dims), index=("i",) * len(dims))


def numbers_of(s, value: v.Iter | v.Static) -> v.Array:
    """The array of the numbers of a range."""
    r = getattr(value, "value", None)
    bounds = value.parts if r is None else map(v.Static, (r.start, r.stop, r.step))
    return s.call_value(v.Static(np.arange), [*bounds], {"dtype": v.Static(np.int64)})
