"""Which sums of products, and which products of stacks of matrices, are contractions (`optimise/contractions.py`)."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import prod
from typing import Any

from ..core import MOVED, PASSED, SAME, VIEW, Atom, Fun, Let, read_counts, walk
from ..core.types import Dim
from ..rules import OPS
from .spaces import ONE, Places, aligned, base_space, keeps_ones

OF_BLAS = "fdFD"
LITTLE = 512  # products of elements: a loop of known lengths has made so few before a library is called


@dataclass
class ProductFactor:
    """An array, and the number of the loop over each of its axes."""

    atom: str
    places: Places

    @property
    def loops(self) -> list[int]:
        return [p for p in self.places if p is not ONE]

    def is_vector(self, at: int) -> bool:
        """Has it one row, or column, by an axis of length 1, or by none?"""
        return len(self.places) < 2 or self.places[at] is ONE


@dataclass
class ContractionPlan:
    """Products that are summed over the loops which no axis of the result has; `places` are the loops of these axes.

    lengths  of each loop over the products
    origin   of the product
    """

    factors: list[ProductFactor]
    places: Places
    lengths: dict[int, Dim]
    origin: Any

    @property
    def kept(self) -> list[int]:
        """The loops of the result that a factor has; it is the same along others."""
        there = {p for f in self.factors for p in f.loops}
        return [p for p in self.places if p in there]

    @property
    def summed(self) -> list[int]:
        return [p for p in self.lengths if p not in self.places]

    @property
    def pays(self) -> bool:
        """Is the product larger than each factor, and each sum one of products?"""
        uses = Counter([p for f in self.factors for p in f.loops])
        known = [self.lengths[p].constant for p in uses]
        return (bool(self.kept and self.summed) and all(uses[p] > 1 for p in self.summed)
                and all(len(f.loops) < len(uses) for f in self.factors) and (None in known or prod(known) > LITTLE))


class Contractions:
    """Those of a function.

    plans  {the name of a result: what it is}
    moved  {the name of a checked array: its new axes}, where the array is to be checked before it gets these: then it
           is a factor as it is
    """

    def __init__(self, fun: Fun):
        self.types, self.plans, self.moved = fun.types, {}, {}
        stmts = walk(fun.body)
        lets = [stmt for stmt in stmts if isinstance(stmt, Let) and len(stmt.names) == 1]
        self.defs = {let.name: let for let in lets}
        self.uses = read_counts(fun.body)
        for let in lets:
            plan = self.of_sum(let) if let.op is OPS["np.sum"] else self.of_stack(let)
            if plan is not None and plan.pays:
                self.plans[let.name] = plan
        for plan in self.plans.values():
            for factor in plan.factors:
                self.note_moved(factor.atom)

    # what a statement is --------------------------------------------------------------------------
    def of_sum(self, let: Let) -> ContractionPlan | None:
        x = let.args[0]
        if not self.is_product(x) or self.uses[x] > 1:
            return None
        places, lengths = self.own_places(x), self.own_lengths(x)
        if self.defs[x].op is OPS["matmul"]:
            factors, inner = self.of_matmul(self.defs[x])
            if inner is not ONE:  # two sums over axes that do not lie side by side
                return None
        else:
            factors = self.factors(x, places)
        axis, whole = let.param("axis"), let.param("keepdims")
        kept = [ONE if k in axis else p for k, p in enumerate(places) if whole or k not in axis]
        return self.contraction(factors, kept, lengths, self.defs[x].origin)

    def of_stack(self, let: Let) -> ContractionPlan | None:
        """A product of two stacks, one of which has vectors for what is one matrix of the other."""
        if let.op is not OPS["matmul"] or not self.is_plain(let) or min(self.types[a].rank for a in let.args) < 2:
            return None
        (x, y), inner = self.of_matmul(let)
        rank = self.types[let.name].rank
        if inner is ONE or not any(own.is_vector(at) and set(own.loops[:-1]) - set(other.loops)
                                   for own, other, at in ((x, y, -2), (y, x, -1))):
            return None
        lengths = self.own_lengths(let.name) | {rank: self.types[let.args[0]].dims[-1]}
        return self.contraction([x, y], self.own_places(let.name), lengths, let.origin)

    def contraction(self, factors: list[ProductFactor], places, lengths: dict[int, Dim], origin) -> ContractionPlan:
        return ContractionPlan(factors, tuple(places), {p: n for p, n in lengths.items() if not n.is_one}, origin)

    # factors --------------------------------------------------------------------------------------
    def own_places(self, x: str) -> Places:
        t = self.types[x]
        return aligned(t, t.rank)

    def own_lengths(self, x: str) -> dict[int, Dim]:
        return dict(enumerate(self.types[x].dims))

    def is_plain(self, let: Let) -> bool:
        """Is it of arrays of one dtype that BLAS has?"""
        t = self.types[let.name]
        return t.kind == "array" and t.dtype.char in OF_BLAS and all([
            isinstance(a, str) and self.types[a].kind == "array" and self.types[a].rank > 0
            and self.types[a].dtype == t.dtype for a in let.args])

    def is_product(self, x: Atom) -> bool:
        """Is it a product of arrays?"""
        let = self.defs.get(x)
        return (let is not None and let.op in (OPS["multiply"], OPS["matmul"]) and self.is_plain(let)
                and (let.op is OPS["multiply"] or min(self.types[a].rank for a in let.args) > 1))

    def of_matmul(self, let: Let) -> tuple[list[ProductFactor], int | str]:
        """Both factors, and the loop that a product of two matrices sums over."""
        x, y = let.args
        places, rank = self.own_places(let.name), self.types[let.name].rank
        inner = ONE if self.types[x].dims[-1].is_one else rank
        stacks = [tuple(ONE if d.is_one else places[k + rank - t.rank] for k, d in enumerate(t.dims[:-2]))
                  for t in (self.types[x], self.types[y])]
        factors = ProductFactor(x, (*stacks[0], places[-2], inner)), ProductFactor(y, (*stacks[1], inner, places[-1]))
        return [self.seen_through(f) for f in factors], inner

    def factors(self, x: str, places: Places) -> list[ProductFactor]:
        """The factors of a product that is larger than they are, and those of these."""
        own = ProductFactor(x, places)
        if not self.is_product(x) or self.defs[x].op is not OPS["multiply"]:
            return [own]
        axes = [(a, aligned(self.types[a], self.types[x].rank)) for a in self.defs[x].args]
        parts = [self.seen_through(ProductFactor(a, tuple([p if p is ONE else places[p] for p in own])))
                 for a, own in axes]
        found = [part for f in parts for part in self.factors(f.atom, f.places)]
        return [own] if any(len(f.loops) == len(own.loops) for f in found) else found

    def seen_through(self, factor: ProductFactor) -> ProductFactor:
        """The array that a factor is a view of, with new axes or with its axes in another order."""
        while (let := self.defs.get(factor.atom)) is not None:
            if let.op is OPS["rt.match"]:
                new = self.new_axes(let)
                return ProductFactor(let.name, tuple(p for k, p in enumerate(factor.places) if k not in new))
            base = let.args[0] if let.args else None
            if not isinstance(base, str) or not self.types[base].rank or not self.is_view(let):
                break
            places = base_space(let, self.types[base], self.types[let.name], factor.places)
            if None in places:
                break
            factor = ProductFactor(base, places)
        return factor

    def is_view(self, let: Let) -> bool:
        """Are its elements those of its first argument, in the memory where they are?"""
        if let.op is OPS["np.reshape"]:
            return keeps_ones(self.types[let.args[0]], self.types[let.name])
        return let.op.memory is VIEW and let.op.elements is MOVED or (
            let.op.memory is SAME and let.op.elements is PASSED and self.types[let.name].kind == "array")

    def new_axes(self, check: Let) -> tuple[int, ...]:
        """The axes of what is checked that are new ones of what it is a view of; none where that could not be checked
        instead."""
        x = check.args[0]
        let = self.defs.get(x)
        if let is None:
            return ()
        if let.op is OPS["rt.match"]:
            new = self.new_axes(let)
        elif let.op is OPS["getitem"] and set(let.param("index")) <= {":", "n"}:
            new = tuple(k for k, code in enumerate(let.param("index")) if code == "n")
        else:
            return ()
        return () if set(new) & set(check.param("axes")) else new

    def note_moved(self, x: str) -> None:
        let = self.defs.get(x)
        if let is not None and let.op is OPS["rt.match"] and self.new_axes(let):
            self.moved[x] = self.new_axes(let)
            self.note_moved(let.args[0])
