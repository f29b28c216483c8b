"""Loops: operations on arrays as one loop nest that computes element by element.

    y = np.tanh(x * w)        n = x.shape[0]
                              y = rm.empty((n,), np.float64)
                              for i in range(n):
                                  t = x[i] * w[i]
                                  y[i] = vm.tanh_f8(t)

A nest is written by *pulling*: the value of a name at an index is an element of an array, or a scalar that is
computed from what it needs at the indices where it needs it.  Each value at an index is a placeholder: `loops.naming`
gives those a name that are read more than once.  Views move indices and cost nothing; what is inside the nest is
never stored.
"""
from __future__ import annotations

import contextlib
import math
from typing import Callable

from ..core import PASSED, Atom, Const, Let
from ..core.types import PY_FLOAT, PY_INT, Type
from ..loop_core.core import I8, ONE, ZERO, Expr, Length, Load, Name, expr, integer, is_one, number, rs
from ..rules.kinds import Elementwise
from ..rules.shape import CastOp, Created
from . import views
from .casts import ScalarOperand, cast_operand
from .rolls import Rolls
from .scalar import Scalars
from .writer import Writer, letters

LITTLE = 4096  # numbers: memory that is not worth a thought


def is_elementwise(let: Let) -> bool:
    return isinstance(let.op, (Elementwise, CastOp))


class Pull:
    """Values at indices.  `inner` are the statements of the nest; all other names exist already.

    stored: {name: index -> value} of values of the nest that were computed before, and where they are now.
    """

    def __init__(self, w: Writer, scalars: Scalars, lets: list[Let], know: views.Know | None = None):
        self.w, self.scalars, self.know = w, scalars, know or views.Know()
        self.inner: dict[str, Let] = {name: let for let in lets for name in let.names}
        self.stored: dict[str, Callable] = {}
        self.parts: dict[str, list[views.IndexEntry]] = {}
        self.memo: dict[tuple, Expr] = {}
        self.lengths: dict[tuple[Atom, int], Expr] = {}
        self.rolls = Rolls(w)

    # shapes ------------------------------------------------------------------------------------
    def length(self, atom: Atom, axis: int) -> Expr:
        """A length; a name of its own after the first time."""
        dim = self.w.type(atom).dims[axis]
        if dim.constant is not None:
            return expr(dim.constant)
        if dim.names == {str(dim)} and self.w.in_scope(str(dim)):
            return self.w.name(str(dim))
        key = (atom, axis)
        if key not in self.lengths:
            self.lengths[key] = self.w.let("n", self._length(atom, axis))
        return self.lengths[key]

    def _length(self, atom: Atom, axis: int) -> Expr:
        let = self.inner.get(atom)
        if let is None:
            return Length(self.w.name(atom), axis)
        op, args = let.op.name, let.args
        if (known := self.w.number(self.w.type(atom).dims[axis])) is not None:
            return known
        if op == "np.transpose":
            return self.length(args[0], let.param("axes")[axis])
        if let.op.lengths_at is not None:
            return self.w.atom(args[let.op.lengths_at + axis])
        if op == "np.arange":
            return self.arange_length(let)
        if let.op.index_at is not None:
            return self.view_lengths(let)[axis]
        rank = self.w.type(atom).rank
        for arg in args:
            t = self.w.type(arg)
            k = axis - rank + t.rank
            if k >= 0 and not t.dims[k].is_one:
                return self.length(arg, k)
        return ONE

    def arange_length(self, let: Let) -> Expr:
        atoms = [self.w.atom(a) for a in let.args]
        return rs.slice_count(*([ZERO, atoms[0], ONE] if len(atoms) == 1 else [*atoms, ONE][:3]))

    def shape(self, atom: Atom) -> list[Expr]:
        return [self.length(atom, k) for k in range(self.w.type(atom).rank)]

    # views ---------------------------------------------------------------------------------------
    def view(self, let: Let) -> list[views.IndexEntry]:
        """The parts of the index of a getitem, with what must be computed once before the loops."""
        if let.name not in self.parts:
            base = let.args[0]
            self.parts[let.name] = views.prepare(self.w, let.param("index"), let.args[1:],
                                                 lambda k: self.length(base, k),
                                                 self.w.type(base).dims, self.know)
            for p in self.parts[let.name]:
                if p.code == "a":
                    self.length(base, p.axis)
        return self.parts[let.name]

    def array_shape(self, parts) -> list[Expr]:
        """The broadcast shape of the index arrays."""
        arrays = [p.array for p in parts if p.code == "a"]
        widest = max(arrays, key=lambda a: self.w.type(a).rank, default=None)
        if widest is None:
            return []
        rank = self.w.type(widest).rank
        out = [ONE] * rank
        for a in arrays:
            t = self.w.type(a)
            for k, d in enumerate(t.dims):
                if not d.is_one:
                    out[k + rank - t.rank] = self.length(a, k)
        return out

    def view_lengths(self, let: Let) -> list[Expr]:
        parts, base = self.view(let), let.args[0]
        return views.lengths(parts, self.w.type(base).rank, lambda k: self.length(base, k), self.array_shape(parts))

    def prepare(self, lets) -> None:
        """The lines before the loops: bounds of slices, indices, lengths of bases."""
        for let in lets:
            if let.op.index_at is not None and self.w.type(let.args[0]).rank:
                self.view(let)
            if let.op.name == "np.roll":
                self.cut(let)
            for name in let.names:
                self.shape(name)

    # values --------------------------------------------------------------------------------------
    def aligned(self, atom: Atom, out: list[Expr]) -> Expr:
        """An operand's value at the place `out` of what it broadcasts to."""
        t = self.w.type(atom)
        own = out[len(out) - t.rank:] if t.rank else []
        return self.at(atom, [ZERO if d.is_one else i for d, i in zip(t.dims, own)])

    def operand(self, atom: Atom, out: list[Expr]) -> ScalarOperand:
        t = self.w.type(atom)
        scalar = t if t.kind == "py" else t.scalar()
        if isinstance(atom, Const):
            return ScalarOperand(self.w.atom(atom), scalar, atom.value, self.w)
        return ScalarOperand(self.aligned(atom, out), scalar, w=self.w)

    def at(self, atom: Atom, idx: list[Expr], named: bool = False) -> Expr:
        """The value of an atom at an index; `named`: a name or a number, wherever it is read."""
        if isinstance(atom, Const):
            return self.w.atom(atom)
        key = (atom, tuple(idx))
        if key not in self.memo:
            self.memo[key] = self.w.placeholder(atom if atom in self.inner else "e", self.value(atom, idx), named)
        return self.memo[key]

    def value(self, atom: str, idx: list[Expr]) -> Expr:
        if atom in self.stored:
            return self.stored[atom](idx)
        let = self.inner.get(atom)
        if let is not None:
            return self.compute(atom, let, idx)
        return self.w.name(atom) if self.w.type(atom).kind != "array" else Load(self.w.name(atom), tuple(idx))

    def compute(self, name: str, let: Let, idx: list[Expr]) -> Expr:
        op, args, out = let.op.name, let.args, self.w.type(name)
        if is_elementwise(let):
            operands = [self.operand(a, idx) for a in args]
            return self.scalars.expression(let, operands, out if out.kind == "py" else out.scalar())
        if let.op.elements is PASSED:
            return self.at(args[0], idx) if self.w.type(args[0]).rank == out.rank else self.aligned(args[0], idx)
        if op == "np.transpose":
            base = list(idx)
            for k, axis in enumerate(let.param("axes")):
                base[axis] = idx[k]
            return self.at(args[0], base)
        if op == "np.roll":
            return self.at(args[0], self.rolled(let, idx))
        if op == "np.reshape":
            return self.at(args[0], self.reshaped(let, idx))
        if let.op.lengths_at == 1:
            value = self.operand(args[0], idx)
            if value.type == PY_FLOAT:  # as an array of shape () it would be, which wraps around
                value.type = value.type.scalar()
            return cast_operand(value, out.dtype)
        if op == "getitem":
            return self.element(let, idx)
        return self.created(let, out, idx)

    def created(self, let: Let, out: Type, idx: list[Expr]) -> Expr:
        op = let.op.name
        if isinstance(let.op, Created):
            return number(let.op.fill, out.dtype)
        if op == "np.eye":
            return rs.select(idx[0].eq(idx[1]), number(1, out.dtype), number(0, out.dtype))
        if op == "np.arange":
            atoms = [self.w.atom(a) for a in let.args]
            start, step = (ZERO, ONE) if len(atoms) == 1 else (atoms[0], (atoms + [ONE])[2])
            return cast_operand(ScalarOperand(views.Slice(start, step, ONE).place(idx[0]), PY_INT), out.dtype)
        raise NotImplementedError(f"{op} inside a loop nest")

    def element(self, let: Let, idx: list[Expr]) -> Expr:
        return self.at(let.args[0], self.places(let.args[0], self.view(let), idx))

    def places(self, base: Atom, parts: list[views.IndexEntry], idx: list[Expr]) -> list[Expr]:
        """The index in the base of an element of a view."""
        ranks = [self.w.type(p.array).rank for p in parts if p.code == "a"]
        return views.base_index(parts, idx, max(ranks, default=0), lambda p, out: self.gathered(base, p, out))

    def gathered(self, base: Atom, part: views.IndexEntry, out: list[Expr]) -> Expr:
        """The place that an index array names, wrapped and checked."""
        place = cast_operand(self.operand(part.array, out), I8)
        return self.w.let("k", views.checked_index(self.w, place, part.axis, self.length(base, part.axis)))

    def cut(self, let: Let) -> tuple[Name, Name]:
        return self.rolls.cut(self.w.atom(let.args[1]), self.length(let.name, let.param("axis")))

    def cuts(self, space: list[Expr]) -> tuple[list, list]:
        """Of rolls along the last axis of a nest: their cuts, and where the pieces begin; a GPU has a thread for each
        element."""
        found = [] if self.w.threads else [self.cut(let) for let in self.inner.values() if let.op.name == "np.roll"
                                           and let.param("axis") == self.w.type(let.name).rank - 1
                                           and self.length(let.name, let.param("axis")) == space[-1]]
        found = list(dict.fromkeys(found))
        return found, self.rolls.in_order([first for first, _ in found])

    def rolled(self, let: Let, idx: list[Expr]) -> list[Expr]:
        """The index in what is rolled."""
        axis, cut = let.param("axis"), self.cut(let)
        key = (cut, idx[axis])
        if key not in self.memo:
            self.memo[key] = self.rolls.place(cut, idx[axis])
        return [self.memo[key] if k == axis else i for k, i in enumerate(idx)]

    def reshaped(self, let: Let, idx: list[Expr]) -> list[Expr]:
        """A reshape that only adds or drops axes of length 1."""
        rest = [i for i, d in zip(idx, self.w.type(let.name).dims) if not d.is_one]
        return [ZERO if d.is_one else rest.pop(0) for d in self.w.type(let.args[0]).dims]

    @contextlib.contextmanager
    def loops(self, lengths: list[Expr], kind: str = "sequential"):
        """A loop is open for each length but 1: the index."""
        with contextlib.ExitStack() as stack:
            idx = [ZERO if is_one(n) else self.w.new(letters(k)) for k, n in enumerate(lengths)]
            for i, n in zip(idx, lengths):
                if i != ZERO:
                    stack.enter_context(self.w.loop(i, ZERO, n, kind=kind))
            yield idx


def lower_new_array(w: Writer, name: Name, lengths: list[Expr], local=None, zeroed: bool = False) -> None:
    """Memory for an array.

    `local(loop)` says that nothing of it is left after an iteration of a loop: then one array, allocated
    before the loop, serves all iterations.  Out of a branch, which may never be taken, go arrays that need no more
    memory than arguments may, or little.
    """
    names = {n.id for n in lengths if isinstance(n, Name)}
    if not local or not names <= w.small:
        return w.alloc(name, lengths, zeroed)
    rows = math.prod(integer(n) for n in lengths if integer(n) is not None)
    w.alloc(name, lengths, zeroed, w.leaves(local),
            rows <= LITTLE and len([n for n in lengths if isinstance(n, Name)]) <= 1 and names <= w.sizes)


def anywhere(loop) -> bool:
    return True
