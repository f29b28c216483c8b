"""Loops: operations on arrays as one loop nest that computes element by element.

    y = np.tanh(x * w)        n = x.shape[0]
                              y = rm.empty((n,), np.float64)
                              for i in range(n):
                                  t = x[i] * w[i]
                                  y[i] = vm.tanh_f8(t)

A nest is written by *pulling*: the value of a name at an index is the text of an element of an array, or
of a scalar that is computed first, in lines of its own, from what it needs at the indices where it needs it.
Views move indices and cost nothing; what is inside the nest and read at one place only is never stored.
"""
from __future__ import annotations

import contextlib
import math
from typing import Callable

from ..core import PASSED, Atom, Const, Let
from ..rules.kinds import Elementwise
from ..rules.shape import Cast, Created
from ..types import PY_FLOAT, PY_INT, Type
from . import views
from .scalar import Operand, ScalarText, cast
from .writer import Writer, atomic, constant, dtype_text, is_name, tuple_text

LITTLE = 4096  # numbers: memory that is not worth a thought


def is_elementwise(let: Let) -> bool:
    return isinstance(let.op, (Elementwise, Cast))


class Pull:
    """Values at indices.  `inner` are the statements of the nest; all other names exist already.

    stored: {name: index -> text} of values of the nest that were computed before, and where they are now.
    """

    def __init__(self, w: Writer, scalars: ScalarText, lets: list[Let], know: views.Know | None = None):
        self.w, self.scalars, self.know = w, scalars, know or views.Know()
        self.inner: dict[str, Let] = {name: let for let in lets for name in let.names}
        self.stored: dict[str, Callable] = {}
        self.parts: dict[str, list[views.Part]] = {}
        self.memo: dict[tuple, str] = {}
        self.lengths: dict[tuple[Atom, int], str] = {}
        self.reads: dict[tuple, int] = {}  # how often the place of a nest that is written now reads what
        self.counts: dict[tuple, int] | None = None  # the same while it is found out

    # shapes ------------------------------------------------------------------------------------
    def length(self, atom: Atom, axis: int) -> str:
        """The text of a length; a name of its own after the first time."""
        dim = self.w.type(atom).dims[axis]
        if dim.constant is not None:
            return str(dim.constant)
        if dim.names == {str(dim)} and self.w.in_scope(str(dim)):
            return self.w.name(str(dim))
        key = (atom, axis)
        if key not in self.lengths:
            self.lengths[key] = self.w.let("n", self._length(atom, axis))
        return self.lengths[key]

    def _length(self, atom: Atom, axis: int) -> str:
        let = self.inner.get(atom)
        if let is None:
            return f"{self.w.atom(atom)}.shape[{axis}]"
        op, args = let.op.name, let.args
        if (text := self.w.number(self.w.type(atom).dims[axis])) is not None:
            return text
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
        return "1"

    def arange_length(self, let: Let) -> str:
        atoms = [self.w.atom(a) for a in let.args]
        start, stop, step = ["0", atoms[0], "1"] if len(atoms) == 1 else [*atoms, "1"][:3]
        return f"rs.slice_count({start}, {stop}, {step})"

    def shape(self, atom: Atom) -> list[str]:
        return [self.length(atom, k) for k in range(self.w.type(atom).rank)]

    # views ---------------------------------------------------------------------------------------
    def view(self, let: Let) -> list[views.Part]:
        """The parts of the index of a getitem, with what must be computed once before the loops."""
        if let.name not in self.parts:
            base = let.args[0]
            self.parts[let.name] = views.prepare(self.w, let.param("index"), let.args[1:], lambda k: self.length(base, k),
                                                 self.w.type(base).dims, self.know)
            for p in self.parts[let.name]:
                if p.code == "a":
                    self.length(base, p.axis)
        return self.parts[let.name]

    def array_shape(self, parts) -> list[str]:
        """The broadcast shape of the index arrays."""
        arrays = [p.array for p in parts if p.code == "a"]
        widest = max(arrays, key=lambda a: self.w.type(a).rank, default=None)
        if widest is None:
            return []
        rank = self.w.type(widest).rank
        out = ["1"] * rank
        for a in arrays:
            t = self.w.type(a)
            for k, d in enumerate(t.dims):
                if not d.is_one:
                    out[k + rank - t.rank] = self.length(a, k)
        return out

    def view_lengths(self, let: Let) -> list[str]:
        parts, base = self.view(let), let.args[0]
        return views.lengths(parts, self.w.type(base).rank, lambda k: self.length(base, k), self.array_shape(parts))

    def prepare(self, lets) -> None:
        """The lines before the loops: bounds of slices, indices, lengths of bases."""
        for let in lets:
            if let.op.index_at is not None and self.w.type(let.args[0]).rank:
                self.view(let)
            for name in let.names:
                self.shape(name)

    # values --------------------------------------------------------------------------------------
    def aligned(self, atom: Atom, out: list[str], named: bool = False) -> str:
        """The text of an operand's value at the place `out` of what it broadcasts to."""
        t = self.w.type(atom)
        own = out[len(out) - t.rank:] if t.rank else []
        return self.at(atom, ["0" if d.is_one else i for d, i in zip(t.dims, own)], named)

    def operand(self, atom: Atom, out: list[str], named: bool = False) -> Operand:
        t = self.w.type(atom)
        scalar = t if t.kind == "py" else t.scalar()
        if isinstance(atom, Const):
            return Operand(self.w.atom(atom), scalar, atom.value, self.w)
        return Operand(self.aligned(atom, out, named), scalar, w=self.w)

    def at(self, atom: Atom, idx: list[str], named: bool = False) -> str:
        """The text of the value of an atom at an index; `named`: a name or a number, to be read more than once."""
        if isinstance(atom, Const):
            return self.w.atom(atom)
        key = (atom, tuple(idx))
        if self.counts is not None:
            self.counts[key] = self.counts.get(key, 0) + 1
            if self.counts[key] == 1:
                self.text(atom, idx)
            return "e"
        if key in self.memo:
            return self.memo[key]
        text = self.text(atom, idx)
        if is_name(text):
            return text
        if named or self.reads.get(key, 0) > 1 or len(text) > 70:
            self.memo[key] = text = self.w.let(atom if atom in self.inner else "e", text)
            return text
        return atomic(text)

    def text(self, atom: str, idx: list[str]) -> str:
        if atom in self.stored:
            return self.stored[atom](idx)
        let = self.inner.get(atom)
        if let is not None:
            return self.compute(atom, let, idx)
        if self.w.type(atom).kind != "array":
            return self.w.name(atom)
        return f"{self.w.name(atom)}[{', '.join(idx) or '()'}]"

    def compute(self, name: str, let: Let, idx: list[str]) -> str:
        op, args, out = let.op.name, let.args, self.w.type(name)
        if is_elementwise(let):
            operands = [self.operand(a, idx, let.op.names_twice) for a in args]
            return self.scalars.expression(let, operands, out if out.kind == "py" else out.scalar())
        if let.op.elements is PASSED:
            return self.at(args[0], idx) if self.w.type(args[0]).rank == out.rank else self.aligned(args[0], idx)
        if op == "np.transpose":
            base = [""] * len(idx)
            for k, axis in enumerate(let.param("axes")):
                base[axis] = idx[k]
            return self.at(args[0], base)
        if op == "np.reshape":
            return self.at(args[0], self.reshaped(let, idx))
        if let.op.lengths_at == 1:
            value = self.operand(args[0], idx)
            if value.type == PY_FLOAT:  # as an array of shape () it would be, which wraps around
                value.type = value.type.scalar()
            return cast(value, out.dtype)
        if op == "getitem":
            return self.element(let, idx)
        return self.created(let, out, idx)

    def created(self, let: Let, out: Type, idx: list[str]) -> str:
        op = let.op.name
        if isinstance(let.op, Created):
            return constant(let.op.fill, out.dtype)
        if op == "np.eye":
            return self.w.let("e", f"rs.select({idx[0]} == {idx[1]}, {constant(1, out.dtype)}, {constant(0, out.dtype)})")
        if op == "np.arange":
            atoms = [self.w.atom(a) for a in let.args]
            start, step = ("0", "1") if len(atoms) == 1 else (atoms[0], (atoms + ["1"])[2])
            place = views.Slice(start, step, "").place(idx[0])
            return cast(Operand(self.w.let("e", place) if out.dtype.kind != "i" else f"({place})", PY_INT), out.dtype)
        raise NotImplementedError(f"{op} inside a loop nest")

    def element(self, let: Let, idx: list[str]) -> str:
        base, rank = let.args[0], self.w.type(let.args[0]).rank
        parts = self.view(let)
        ranks = [self.w.type(p.array).rank for p in parts if p.code == "a"]
        places = views.base_index(parts, rank, idx, max(ranks, default=0),
                                  lambda p, out: self.gathered(base, p, out))
        return self.at(base, places)

    def gathered(self, base: Atom, part: views.Part, out: list[str]) -> str:
        """The place that an index array names, wrapped and checked."""
        value = self.operand(part.array, out, named=True)
        text = value.text if value.dtype == "int64" else f"np.int64({value.text})"
        return self.w.let("k", views.checked_index(self.w, text, part.axis, self.length(base, part.axis)))

    def reshaped(self, let: Let, idx: list[str]) -> list[str]:
        """A reshape that only adds or drops axes of length 1."""
        rest = [i for i, d in zip(idx, self.w.type(let.name).dims) if not d.is_one]
        return ["0" if d.is_one else rest.pop(0) for d in self.w.type(let.args[0]).dims]

    def loops(self, lengths: list[str]):
        """Open a loop for each length but 1; the index and how many loops there are."""
        stack, idx = contextlib.ExitStack(), []
        for k, n in enumerate(lengths):
            if n == "1":
                idx.append("0")
                continue
            i = self.w.fresh("ijklmn"[min(k, 5)])
            stack.enter_context(self.w.indented(f"for {i} in range({n}):"))
            idx.append(i)
        return stack, idx


def new_array(w: Writer, name: str, t: Type, lengths: list[str], local=None) -> None:
    """A line that allocates an array.

    `local(loop)` says that nothing of it is left after an iteration of a loop: then one array, allocated
    before the loop, serves all iterations.
    """
    shape = f"({tuple_text(lengths)}, {dtype_text(t.dtype)})"
    level = place_of(w, lengths, local)
    if level == len(w.scopes) - 1:
        w.line(f"{name} = rm.empty{shape}")
    else:
        w.insert(level, f"{name} = rm.buffer{shape}")


def place_of(w: Writer, lengths: list[str], local) -> int:
    """The scope in which an array of these lengths is best allocated.

    Out of a branch, which may never be taken, go arrays that need no more memory than arguments may, or little.
    """
    names = [n for n in lengths if not n.isdigit()]
    if not local or not w.small.issuperset(names):
        return len(w.scopes) - 1
    rows = math.prod(int(n) for n in lengths if n.isdigit())
    return w.outermost(set(names), local, branches=rows <= LITTLE and len(names) <= 1 and w.sizes.issuperset(names))


def may_move(w: Writer, lengths: list[str], local) -> bool:
    return place_of(w, lengths, local) < len(w.scopes) - 1


def anywhere(loop) -> bool:
    return True
