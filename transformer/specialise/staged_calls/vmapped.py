"""`gs.vmap` inside a specialisation: record the function of one example, batch it, inline it."""
from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Hashable

import numpy as np

from ...core import Const, Meanwhile, inline, quoted
from ...core.types import Dim, Type
from ...errors.messages import SpecialisationError
from ...pytree.containers import static_fields
from ...rules.batching import lifted
from ...rules.kinds import conform
from ...transform.batch import batch
from ..domain import values as v
from ..domain.growing_lists import structured_value
from ..evaluator.arrays.shapes import first_axis_to
from ..evaluator.names.places import place
from .collectives import Axis
from .leaves import argument_name, leaves_of, marked, named_parts, shape_of
from .record import fresh_leaves, integers_of, record


def vmapped(s, function, args, kwargs, in_axes=0, out_axes=0, axis_name=None, axis_size=None, no_stores=()):
    """The result of the batched function; `no_stores`: what is said of one that stores into its arguments, and what to
    write, where that is refused: the batched one has copies of them."""
    axes = prefixes(s, in_axes, args, "in_axes")
    args = [fresh_leaves(s, a) for a in args]
    kwargs = {k: fresh_leaves(s, a) for k, a in kwargs.items()}
    mapped = []  # (leaf, its axis, what the user calls it)
    for k, (a, axis) in enumerate(zip(args, axes)):
        mapped += mapped_leaves(s, a, axis, argument_name(function, k), place(function, k))
    for k, a in kwargs.items():
        mapped += mapped_leaves(s, a, 0, k, place(function))
    atoms, size = examples_first(s, mapped, axis_size)
    types, orders = [example(s.b.type(a)) for a in atoms], [s.order(a) if s.order(a) == "C" else None for a in atoms]
    with axis_in_sight(s, axis_name, size):
        r = record(s, function, args, kwargs, [x for x, _, _ in mapped], types, orders, derived=False, seen=False)
    if r.stores and no_stores:
        s.fail(*no_stores, origin=place(function))
    fun, differs = batch(r.fun, tuple(k < r.count for k in range(len(r.fun.params))), size, axis_name,
                         remarks=s.facts.remarks, threads=s.facts.on_gpu)
    more = tuple(sorted(size.names - set(r.fun.params)))
    results = inline(s.b, fun, (*atoms, *r.args[len(atoms):], *more))
    return Outputs(s, size, results, differs, place(function)).placed(r.out, out_axes)


def example(t: Type) -> Type:
    """The type of one example of an array."""
    return Type("array", t.dtype, t.dims[1:]) if t.rank > 1 else Type("np", t.dtype)


# what goes in ---------------------------------------------------------------------------------
def prefixes(s, spec, args, what) -> list:
    """The part of a prefix tree for each argument."""
    if spec is None or is_axis(spec):
        return [spec] * len(args)
    if not isinstance(spec, (tuple, list)) or len(spec) != len(args):
        given = f"has {len(spec)} entries" if isinstance(spec, (tuple, list)) else f"is {spec!r}"
        s.fail(f"{what} of vmap {given}, and the call has {len(args)} positional argument{'s' * (len(args) != 1)}",
               "Give one entry per argument (an axis, None, or a tree of them), or one axis for all.",
               error=SpecialisationError)
    return list(spec)


def mapped_leaves(s, value, axis, name: str, origin) -> list:
    """[(leaf, axis, name)] of the leaves that have an axis of examples."""
    if axis is None:
        return []
    if is_axis(axis):
        for x in [*leaves_of(s, value), *integers_of(s, value)]:
            t = s.b.type(s.atom(x))
            if not -t.rank <= axis < t.rank:
                s.fail(f"vmap maps {name} along axis {axis}, and it has a leaf of {t.rank} "
                       f"ax{'i' if t.rank == 1 else 'e'}s: {t}",
                       (f"Give an axis from {-t.rank} to {t.rank - 1}. " if t.rank else "")
                       + "Name the arguments that are the same for all examples with None: in_axes=(0, None).",
                       error=SpecialisationError, origin=origin)
        return [(x, axis % s.type(x).rank, text) for x, text in named_parts(s, value, name, leaves_of)]
    parts = axes_of_parts(axis, *shape_of(s, value)) if isinstance(value, (v.Tuple, v.Boxed)) else None
    if parts is None:
        s.fail(f"in_axes of vmap has {axis!r} for {name}, which is {s.describe(value)}",
               "Give in_axes the structure of the argument, or one axis for all of it.",
               error=SpecialisationError, origin=origin)
    keys = shape_of(s, value)[1] or range(len(parts))
    return [found for (fixed, item), part, k in zip(marked(s, value), parts, keys) if not fixed
            for found in mapped_leaves(s, item, part, f"{name}[{quoted(k)}]", origin)]


def is_axis(x) -> bool:
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def axes_of_parts(axis, cls, keys, count: int) -> list | None:
    """The axes for the items of a container, from a dict, an object of its class or a sequence;
    None where it does not fit."""
    if keys is not None and dataclasses.is_dataclass(axis) and type(axis) is cls:
        return [getattr(axis, k) for k in keys]
    if keys is not None and isinstance(axis, dict) and set(axis) == set(keys):
        return [axis[k] for k in keys]
    return list(axis) if keys is None and isinstance(axis, (tuple, list, deque)) and len(axis) == count else None


def examples_first(s, mapped, axis_size):
    """(atoms of the leaves with the axis of examples first, how many examples there are)"""
    if axis_size is not None and not (is_axis(axis_size) and axis_size >= 0):
        s.fail(f"axis_size of vmap is {axis_size!r}", "Give the number of examples.", error=SpecialisationError)
    size = None if axis_size is None else Dim.of(int(axis_size))
    first, atoms = "axis_size", []
    for leaf, axis, name in mapped:
        t, atom = s.type(leaf), s.atom(leaf)
        if size is None:
            size, first = t.dims[axis], name
        have = t.dims[axis]
        if have != size:
            message = f"vmap has {{}} examples in {first}, and {{}} in {name} (axis {axis} of {t.rank})"
            if (have - size).constant is not None or have.is_one != size.is_one:
                s.fail(message.format(size, have), "Give all mapped axes one length.", error=SpecialisationError)
            dims = (*t.dims[:axis], size, *t.dims[axis + 1:])
            atom = s.match_exactly(atom, dims, message, [s.dim_atom(size), s.dim_atom(have)])
        if axis:
            atom = s.emit("np.transpose", atom, axes=(axis, *(k for k in range(t.rank) if k != axis)))
        atoms.append(atom)
    if size is None:
        s.fail("vmap maps no argument", "Map at least one, or give axis_size.", error=SpecialisationError)
    return atoms, size


def axis_in_sight(s, name, size, devices=None):
    """Collectives may name this axis meanwhile."""
    if not isinstance(name, Hashable):
        s.fail(f"axis_name is {name!r}, which has no hash", "Give a string.", error=SpecialisationError)
    return Meanwhile(s, "axes", s.axes if name is None else s.axes | {name: Axis(name, size, devices)})


# what comes out -------------------------------------------------------------------------------
class Outputs:
    def __init__(self, s, size, results, differs, where):
        self.s, self.size, self.results, self.differs, self.where = s, size, results, differs, where

    def placed(self, structure, axes):
        """The value of a result structure, its leaves with the axis of examples where `axes`, a prefix tree, says."""
        s = self.s
        atoms: dict[int, object] = {}

        def visit(part, axis):
            if part[0] in ("leaf", "static"):
                return visit_leaf(*part, axis)
            cls, keys, parts = part
            inner = ([axis] * len(parts) if axis is None or is_axis(axis)
                     else axes_of_parts(axis, cls, keys or None, len(parts)))
            if inner is None:
                s.fail(f"out_axes of vmap has {axis!r} for a {cls.__name__} of {len(parts)}",
                       "Give out_axes the structure of the result.", error=SpecialisationError)
            fixed = static_fields(cls)
            return (cls, keys, tuple(p if k in fixed else visit(p, a)
                                     for k, p, a in zip(keys or range(len(parts)), parts, inner)))

        def visit_leaf(kind, x, axis):
            if axis is not None and not is_axis(axis):
                s.fail(f"out_axes of vmap has {axis!r} for {'a number or an array' if kind == 'leaf' else repr(x)}",
                       "An axis is an int, or None.", error=SpecialisationError)
            if kind == "leaf":
                atoms[x] = s.wrap(self.leaf(x, axis))
                return kind, x
            if not isinstance(x, (int, float, complex, np.generic)) or axis is None:
                return kind, x
            k = len(self.results) + len(atoms)
            atoms[k] = s.wrap(self.moved(self.spread(Const(x)), axis))
            return "leaf", k

        structure = visit(structure, axes)
        return structured_value(s, structure, atoms)

    def leaf(self, k, axis):
        atom = self.results[k]
        if axis is None:
            if self.differs[k]:
                self.s.fail("out_axes of vmap has None for a result that differs between examples",
                            "Give it an axis, or join it: gs.lax.pmean, gs.lax.psum.",
                            error=SpecialisationError, origin=self.where)
            return atom
        return self.moved(atom if self.differs[k] else self.spread(atom), axis)

    def spread(self, atom):
        return conform(self.s.b, atom, lifted(self.s.b.type(atom), self.size))

    def moved(self, atom, axis):
        s = self.s
        rank = s.b.type(atom).rank
        if not -rank <= axis < rank:
            s.fail(f"out_axes of vmap has {axis} for a result of {rank} ax{'i' if rank == 1 else 'e'}s",
                   f"Give an axis from {-rank} to {rank - 1}.", error=SpecialisationError)
        return first_axis_to(s, atom, axis % rank)
