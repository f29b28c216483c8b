"""Lengths that must agree: by knowledge, by an assumption at the entry, or by a check at run time."""
from __future__ import annotations

from gradscribe.runtime.plain.arrays import OF_PRODUCT, OF_SHAPES

from ...core import Atom, Const, split_name
from ...core.size_assumptions import RELATIONS, Sizes, assumption_holds, opposite
from ...core.types import PY_BOOL, PY_INT, Dim, Type
from ...rules.inference import ONE, Unaligned, Untyped
from ...rules.kinds import Elementwise, dim_atom
from ...rules.operators import Comparison, Power, Quotient, Shift
from ...rules.registry import OPS
from ..domain import values as v
from ..domain.plans import Plan, Way
from .refusing import builtin_kind

NEGATIVE = "negative dimensions are not allowed"
STRETCHED = ("a size that only the run time knows is 1 here, where NumPy would broadcast; "
             "reshape the array so that its length along this axis is known to be 1")
EMPTY = "a slice of one place, x[k:k + 1], is empty here, where it would broadcast; keep its bounds inside of the array"

COMPARED = {"<": lambda d: (-d, ">=", 1), "<=": lambda d: (-d, ">=", 0), ">": lambda d: (d, ">=", 1),
            ">=": lambda d: (d, ">=", 0), "==": lambda d: (d, "==", 0), "!=": lambda d: (d, "!=", 0)}


class Lengths:
    """What the machine knows of lengths, and how it makes sure of the rest."""

    def dim_value(self, dim: Dim):
        return self.wrap(self.dim_atom(dim))

    def dim_atom(self, dim: Dim) -> Atom:
        """An integer atom for a dim."""
        if dim.constant is not None:
            return Const(dim.constant)
        key = ("dim", dim)
        if key not in self.sight.interned:
            self.sight.interned[key] = dim_atom(self.b, dim)
            self.noted.add(self.sight.interned[key])
        return self.sight.interned[key]

    def at_entry(self, dim: Dim) -> bool:
        """Can it be computed before the program runs, whatever the arguments are?"""
        met: set[str] = set()
        return all(self.total(name, met) for name in dim.names)

    def total(self, name: str, met: set[str]) -> bool:
        """Can the entry compute it, without a division that the program may keep from zero?  `met`: asked already."""
        match self.entry_ints.get(name, ()):
            case None:
                return True
            case (op, args, params) if not isinstance(op, (Power, Shift, Quotient)):
                no_step = op.name == "rt.slice_length" and params["given"].endswith("0")
                safe = op.divisor is None or no_step or self.is_not_zero(args[op.divisor])
                return safe and all(isinstance(a, Const) or a in met or met.add(a) or self.total(a, met) for a in args)
        return False

    def is_not_zero(self, atom: Atom) -> bool:
        dim = self.b.dim(atom)
        return dim.constant != 0 if dim.constant is not None else self.presume(dim, "!=", 0) is True

    def assume(self, dim: Dim, relation: str, number: int) -> None:
        """Note that this specialisation is for sizes with `dim relation number`."""
        if dim.constant is None and (dim, relation, number) not in self.facts.assumptions:
            self.facts.assumptions.append((dim, relation, number))

    def presume(self, dim: Dim, relation: str, number: int) -> bool | None:
        """Is it so for the sizes of this call?  The program is for those of which the same is true; None: not known
        before the run."""
        if not self.at_entry(dim):
            return None
        asked = self.compared(dim) or (dim, relation, number)
        true = assumption_holds(asked, Sizes(self.sizes, self.entry_ints, self.given))
        self.assume(*(asked if true else opposite(asked)))
        return true

    def settle(self, dim: Dim, number: int) -> None:
        """Where a length can only be one number, and is it in this call, the program is for that alone."""
        lengths = [self.sizes.get(n, (0, None)) for n in dim.names]
        if lengths and self.at_entry(dim) and all([axis is not None for _, axis in lengths]) and assumption_holds(
                (dim, "==", number), Sizes(self.sizes, self.entry_ints, self.given)):
            raise v.Restart(frozenset([size_key(self.params[k][1], axis) for k, axis in lengths]))

    def compared(self, dim: Dim):
        """What a flag says of integers, as an assumption."""
        match self.entry_ints.get(next(iter(dim.names), None)):
            case (Comparison() as op, args, _) if (dim == next(iter(dim.names))
                                                   and all([self.b.type(a) in (PY_INT, PY_BOOL) for a in args])):
                x, y = map(self.b.dim, args)
                return COMPARED[op.symbol](x - y)

    def surely_not_one(self, dim: Dim) -> bool:
        return dim.constant != 1 if dim.constant is not None else any(dim == n for n in dim.names & self.not_one)

    def ensure(self, dim: Dim, relation: str, number: int, kind: str, message: str) -> None:
        """Make sure that `dim relation number`: by knowledge, by an assumption at entry, or by a check at run time."""
        name = {"!=": "not_equal", ">=": "greater_equal"}[relation]
        if dim.constant is not None:
            if not OPS[name].fn(dim.constant, number):
                self.stop(kind, message)
            return
        true = self.presume(dim, relation, number)
        if true is None:
            self.require(self.emit(name, self.dim_atom(dim), Const(number), hint="ok"), kind, message)
        elif not true:
            raise v.NeedStatic(self.dim_atom(dim), "programs for many lengths leave this one out", self.origin(),
                               special=True)

    def make_sure(self, d: Dim, relation: str, e: Dim, kind: str, message: str, numbers=()) -> None:
        """The same of two lengths; the program is also for those of which it is not so, and raises. `numbers`: lengths
        that the message has places for."""
        apart = (d - e).constant
        known = self.presume(d - e, relation, 0) if apart is None else RELATIONS[relation](apart, 0)
        if known is False:
            self.stop(kind, message, [self.dim_atom(n) for n in numbers])
        if known is None:
            self.require(self.emit("equal" if relation == "==" else "not_equal", *map(self.dim_atom, (d, e)),
                                   hint="ok"), kind, message, *map(self.dim_atom, numbers))

    def not_one_here(self, dim: Dim) -> None:
        """Make sure that a dim is not 1, where it is not known."""
        if dim.constant is None and not self.surely_not_one(dim):
            self.ensure(dim, "!=", 1, "RefusedValue", STRETCHED)

    def not_negative(self, dim: Dim) -> None:
        """Make sure that a length that the program computes is not negative."""
        if dim.constant is not None or not (all(c > 0 for _, c in dim.terms) and dim.names <= self.nonnegative):
            self.ensure(dim, ">=", 0, "ValueError", NEGATIVE)

    def neither_stretches(self, d: Dim, e: Dim) -> None:
        """Make sure that of two lengths not just one is 1, which would broadcast:
        by knowledge, assumptions, or a check."""
        unknown = [q for q in (d, e) if q.constant is None and not self.surely_not_one(q) and not self.at_entry(q)]
        for q in (d, e):
            if q not in unknown:
                self.not_one_here(q)
        if unknown:
            flags = [self.emit("not_equal", self.dim_atom(q), Const(1), hint="ok") for q in unknown]
            both = flags[0] if len(flags) == 1 else self.emit("and_", *flags, hint="ok")
            same = self.emit("equal", self.dim_atom(d), self.dim_atom(e), hint="ok")
            self.require(self.emit("or_", both, same, hint="ok"), "RefusedValue", STRETCHED)

    def matched_array(self, atom: Atom, dims: tuple[Dim, ...], how: str, numbers=(), kind="ValueError") -> Atom:
        """The array under dims that a check at run time proves equal to its own."""
        have = self.b.type(atom).dims
        if have == dims:
            return atom
        for d, e in zip(have, dims):
            if d != e:
                self.neither_stretches(d, e)
        key = (atom, dims)
        if key not in self.sight.matched:
            self.sight.matched[key] = self.match_exactly(atom, dims, how, numbers, kind)
            self.noted.add(self.sight.matched[key])
        return self.sight.matched[key]

    def shape_text(self, *types: Type) -> tuple[str, list[Atom]]:
        """`({},{}) ({},)` and the lengths to fill in, as NumPy's messages spell shapes."""
        shapes = " ".join("(" + ",".join("{}" for _ in t.dims) + ("," if t.rank == 1 else "") + ")" for t in types)
        return shapes, [self.dim_atom(d) for t in types for d in t.dims]

    def aligned(self, op, atoms: list[Atom], hint: str = "t", **params) -> Atom:
        """Emit an operation; dims that it needs equal and that are not known to be are checked first."""
        atoms = [self.single(a, atoms) for a in atoms] if self.singles and op.name != "matmul" else list(atoms)
        for _ in range(8):
            try:
                if self.b.several and isinstance(op, Elementwise) and self.b.varies(atoms):
                    self.one_dtype(op, atoms)
                asked = self.levels and self.asks(op, atoms, params)
                result = self.b.emit(op, *atoms, hint=hint, **params)
                self.note_order(op, result, atoms, params)
                if asked:
                    self.asked.add(result)
                return result
            except Unaligned as problem:
                self.align(atoms, problem, op)
            except Untyped as problem:
                self.refuse_several(atoms)
                self.stop(builtin_kind(problem.error), str(problem.error))
        raise AssertionError("dims do not settle")

    def single(self, atom: Atom, atoms: list[Atom]) -> Atom:
        """An argument with a length of x[k:k + 1] that meets another length and broadcasts:
        it is 1 there, after a check."""
        dims = list(self.b.type(atom).dims)
        others = [self.b.type(a).dims for a in atoms]
        for k in range(1, len(dims) + 1):
            if dims[-k] in self.singles and any(len(o) >= k and o[-k] not in self.singles for o in others):
                dims[-k] = ONE
        return self.match_exactly(atom, tuple(dims), EMPTY)

    def align(self, atoms, problem: Unaligned, op) -> None:
        j, k = problem.other, problem.position
        x, y = (self.b.type(atoms[i]) for i in (j, k))
        if op.name == "matmul":
            xa, ya = x.rank - 1, max(0, y.rank - 2)
            pairs = ([(xa, ya)] if x.dims[xa] != y.dims[ya]
                     else [(x.rank - a, y.rank - a) for a in range(3, min(x.rank, y.rank) + 1)])
            how = OF_PRODUCT
            numbers = [self.dim_atom(y.dims[ya]), self.dim_atom(x.dims[xa])]
        else:
            pairs = [(x.rank - a, y.rank - a) for a in range(1, min(x.rank, y.rank) + 1)]
            text, numbers = self.shape_text(*(self.b.type(a) for a in atoms if self.b.type(a).rank))
            how = f"{OF_SHAPES}{text} "
        xd, yd = list(x.dims), list(y.dims)
        for p, q in pairs:
            d, e = xd[p], yd[q]
            stretch = op.name != "matmul" or (p, q) != (x.rank - 1, max(0, y.rank - 2))
            if d == e or stretch and (d.is_one or e.is_one):
                continue
            if d.constant is None and e.constant is not None:
                xd[p] = e
            else:
                yd[q] = d
        # a product's inner dims are compared even where they are 1
        match = self.match_exactly if op.name == "matmul" else self.matched_array
        atoms[j], atoms[k] = match(atoms[j], tuple(xd), how, numbers), match(atoms[k], tuple(yd), how, numbers)

    def match_exactly(self, atom, dims, how, numbers=(), kind="ValueError") -> Atom:
        """The array under these dims, after a check at run time; where nothing broadcasts."""
        have = self.b.type(atom).dims
        axes = tuple(k for k, (d, e) in enumerate(zip(have, dims)) if d != e)
        if not axes:
            return atom
        if self.is_caught(kind):  # what follows depends on it
            fits = [self.presume(have[k] - dims[k], "==", 0) for k in axes]
            if False in fits:
                self.stop(kind, how, numbers)
            if None not in fits:
                return self.emit("retype", atom, dims=tuple(dims))
        lengths = [self.dim_atom(dims[k]) for k in axes]
        return self.emit("rt.match", atom, *lengths, *numbers, hint=split_name(atom)[0], dims=tuple(dims),
                         axes=axes, how=how, kind=kind)


def size_key(source, axis: int) -> Plan:
    """That the length of an axis of an argument, or of an array from outside, is known."""
    return Plan(Way.LENGTH, f"{source.text if hasattr(source, 'text') else source}:{axis}")
