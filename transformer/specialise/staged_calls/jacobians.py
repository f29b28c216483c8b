"""Jacobians inside a specialisation: tangents or pull-backs of all unit vectors at once, by `batch`."""
from __future__ import annotations

import math

from ...core import Atom, Fun, inline
from ...core.types import Dim, Type
from ...errors.messages import SpecialisationError
from ...pytree.containers import folded_structure, static_fields
from ...rules.batching import lifted
from ...rules.kinds import conform, dim_atoms
from ...transform.batch import batch
from ...transform.jvp import jvp
from ...transform.vjp import vjp
from ..domain import values as v
from ..domain.growing_lists import structured_value
from ..evaluator.names.places import place
from .derivatives import chosen_numbers, one_like, refuse_complex
from .leaves import leaf_numbers, rebuild
from .record import differentiable, fresh_leaves, record, returned, without_aux


class Jacobian:
    """A recorded function, and where the parts of its Jacobian go."""

    def __init__(self, s, function, args, kwargs, argnums, has_aux, holomorphic, forward, memory=None):
        numbers = chosen_numbers(s, argnums, args)
        args = [fresh_leaves(s, a) if k in numbers else a for k, a in enumerate(args)]
        self.s, self.argnums, self.has_aux = s, argnums, has_aux
        self.chosen = [args[k] for k in numbers]
        leaves = [leaf for k in numbers for leaf in differentiable(s, args[k], function, k)]
        if len(set(numbers)) < len(numbers):
            s.fail(f"argnums={argnums} names an argument twice", "Name each once.", error=SpecialisationError)
        r = self.recorded = record(s, function, args, kwargs, leaves, memory=memory)
        self.out = without_aux(s, r, has_aux, function)
        self.values = inline(s.b, r.fun, r.args)  # what no Jacobian needs of it goes away later
        self.rows = leaf_numbers(self.out)
        columns = [s.b.type(s.atom(x)) for x in leaves]
        rows = [s.b.type(self.values[k]) for k in self.rows]
        found = [*statics_of(self.out), *(t.dtype for t in rows if not t.is_float)]
        for t in columns if forward else rows:
            refuse_complex(s, [*columns, *rows], t, holomorphic, "jacfwd" if forward else "jacrev", function)
        if found:
            s.fail(f"the Jacobian of a result of dtype {found[0]}, and only floats have derivatives",
                   "Return floats, and the others as aux: has_aux=True.",
                   error=SpecialisationError, origin=place(function))

    def placed(self, parts: dict[tuple[int, int], Atom]):
        """The Jacobian as a value: the structure of the result, and in each leaf that of the arguments."""
        s, leaves = self.s, {}
        for k in self.rows:
            cells = iter([s.wrap(parts[k, i]) for i in range(self.recorded.count)])
            trees = [rebuild(s, a, cells) for a in self.chosen]
            leaves[k] = v.Tuple(tuple(trees)) if isinstance(self.argnums, (tuple, list)) else trees[0]
        jacobian = structured_value(s, self.out, leaves)
        if not self.has_aux:
            return jacobian
        aux = returned(s, self.recorded, self.values, self.recorded.out[2][1])
        return v.Tuple((jacobian, aux))

    def along(self, fun: Fun, t: Type) -> list[Atom]:
        """The results of `fun`, whose last parameter is of type t, for each unit vector there; that axis first.
        A number has one."""
        s, args = self.s, self.recorded.args
        if t.rank == 0:
            one = one_like(t)
            return list(inline(s.b, fun, (*args, s.emit("np.asarray", one) if t.kind == "array" else one)))
        size = math.prod(t.dims, start=Dim.of(1))
        basis = s.emit("np.eye", s.dim_atom(size), s.dim_atom(size), dtype=t.dtype)
        if t.rank > 1:
            basis = s.emit("np.reshape", basis, s.dim_atom(size), *dim_atoms(s.b, t.dims))
        every, differs = batch(fun, (False,) * len(args) + (True,), size)
        more = tuple(sorted(size.names - set(fun.params)))
        results = inline(s.b, every, (*args, basis, *more))
        return [a if d else conform(s.b, a, lifted(s.b.type(a), size)) for a, d in zip(results, differs)]

    def shaped(self, atom: Atom, rows: Type, columns: Type, last: bool) -> Atom:
        """A part with the axes of the result and then those of the argument; `last`:
        it has the argument's one in front."""
        s = self.s
        if last and columns.rank:
            rank = s.b.type(atom).rank
            atom = s.emit("np.transpose", atom, axes=(*range(1, rank), 0)) if rank > 1 else atom
        dims = rows.dims + columns.dims
        return atom if s.b.type(atom).dims == dims or not dims else s.emit("np.reshape", atom, *dim_atoms(s.b, dims))


def statics_of(structure) -> list[str]:
    """What a result structure has of numbers that are known, and of strings, static fields apart:
    the names of their types."""
    def made(cls, keys, items):
        fixed = static_fields(cls)
        return [x for key, found in zip(keys or range(len(items)), items) if key not in fixed for x in found]

    return folded_structure(structure, lambda k: [], lambda obj: [] if obj is None else [type(obj).__name__], made)


def jacfwd(s, function, args, kwargs, argnums=0, has_aux=False, holomorphic=False):
    """One column of the Jacobian for each element of the arguments: the tangents of all unit vectors."""
    j = Jacobian(s, function, args, kwargs, argnums, has_aux, holomorphic, forward=True)
    r, parts = j.recorded, {}
    rows = [s.b.type(a) for a in j.values]
    floats = [k for k, t in enumerate(rows) if t.is_float]
    for i in range(r.count):
        columns = s.b.type(r.args[i])
        dots = j.along(jvp(r.fun, tuple(k == i for k in range(len(r.fun.params)))), columns)[len(rows):]
        for k in j.rows:
            parts[k, i] = j.shaped(dots[floats.index(k)], rows[k], columns, last=True)
    return j.placed(parts)


def jacrev(s, function, args, kwargs, argnums=0, has_aux=False, holomorphic=False, memory=None):
    """One row for each element of the result: the pull-backs of all unit vectors."""
    j = Jacobian(s, function, args, kwargs, argnums, has_aux, holomorphic, forward=False, memory=memory)
    r, parts = j.recorded, {}
    for k in j.rows:
        rows = s.b.type(j.values[k])
        bars = j.along(vjp(r.to_mirror((k,)), r.active, (k,)), rows)[len(r.leaves):]
        for i in range(r.count):
            parts[k, i] = j.shaped(bars[i], rows, s.b.type(r.args[i]), last=False)
    return j.placed(parts)

