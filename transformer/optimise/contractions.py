"""The sum of a product that is larger than each of its factors is a contraction, for which the product is not made.

    column = a[:, :, None]                y = a @ b
    row = b[None, :, :]
    t = column * row
    y = np.sum(t, axis=(1,))

    g = y_bar[:, :, :, None]              A_bar = np.einsum("ijk,ijl->jkl", y_bar, d, optimize=True)
    e = d[:, :, None, :]
    t = g * e
    A_bar = np.sum(t, axis=(0,))

So are the sum over a stack of products of matrices, each a column times a row, and a stack of products in which one
matrix meets many vectors.  Two factors give the same products as before, added in another order.  This is for finished
programs: derivatives are taken of products and sums.  `analyse/contractions.py` says what is a contraction.
"""
from __future__ import annotations

from dataclasses import replace
from math import prod
from string import ascii_letters

import numpy as np

from ..analyse.contractions import ContractionPlan, Contractions, ProductFactor
from ..analyse.spaces import ONE
from ..core import Builder, Const, Fun, Let, walk
from ..core.types import Dim
from ..rules import OPS
from ..rules.kinds import dim_atoms
from ..rules.linalg import letters_of
from .rewriter import Rewriter

SOME = 10  # for a length that only the run knows
LETTERS = ascii_letters[8:] + ascii_letters[:8]  # from i on


def contractions(fun: Fun) -> Fun:
    if not any([isinstance(s, Let) and s.op in (OPS["np.sum"], OPS["matmul"]) for s in walk(fun.body)]):
        return fun
    found = Contractions(fun)
    return Contracting(fun, found).run() if found.plans else fun


class Contracting(Rewriter):
    def __init__(self, fun: Fun, found: Contractions):
        super().__init__(fun)
        self.found = found
        self.checked: dict[str, str] = {}  # an array that was checked -> the same without new axes

    def let(self, let: Let) -> None:
        name = let.names[0] if let.names else None
        if name in self.found.plans:
            self.contract(let, self.found.plans[name])
        elif name in self.found.moved:
            self.check(let, self.found.moved[name])
        else:
            self.emit(let)

    def check(self, let: Let, new: tuple[int, ...]) -> None:
        """The lengths of an array are checked before it gets new axes."""
        x, *numbers = let.args
        x = self.checked[x] if x in self.checked else self.definition(x).args[0]
        rank = self.types[let.name].rank
        whole = [k for k in range(rank) if k not in new]
        given = dict(let.params) | {"axes": tuple(whole.index(k) for k in let.param("axes")),
                                    "dims": tuple(self.types[let.name].dims[k] for k in whole)}
        with self.b.at(let.origin):
            self.checked[let.name] = self.b.emit(let.op, x, *numbers, hint=let.name, **given)
        index = tuple("n" if k in new else ":" for k in range(rank))
        self.emit(replace(let, op=OPS["getitem"], args=(self.checked[let.name],), params=(("index", index),)))

    def contract(self, let: Let, plan: ContractionPlan) -> None:
        dims = self.types[let.name].dims
        with self.b.at(plan.origin):
            op, args, params = self.contraction(plan)
            if len(dims) > len(plan.kept):
                args, op = (self.b.emit(op, *args, hint=let.name, **params),), OPS["getitem"]
                params = {"index": tuple(":" if p in plan.kept else "n" for p in plan.places)}
            if any([p not in plan.kept for p in plan.places if p is not ONE]):
                args = self.b.emit(op, *args, hint=let.name, **params), *dim_atoms(self.b, dims)
                op, params = OPS["np.broadcast_to"], {}
        self.emit(replace(let, op=op, args=args, params=tuple(params.items()), origin=plan.origin))

    def contraction(self, plan: ContractionPlan) -> tuple:
        """(operation, arguments, parameters)"""
        factors = [ProductFactor(self.operand(f, plan), tuple(f.loops)) for f in plan.factors]
        if matrices := as_matrices(factors, plan):
            return OPS["matmul"], tuple(turned(self.b, f, order) for f, order in matrices), {}
        names = dict(zip((*plan.kept, *plan.summed), LETTERS))
        terms = ["".join([names[p] for p in f.places]) for f in factors]
        subscripts = f"{','.join(terms)}->{''.join([names[p] for p in plan.kept])}"
        return OPS["np.einsum"], tuple(f.atom for f in factors), {"subscripts": subscripts}

    def operand(self, factor: ProductFactor, plan: ContractionPlan) -> str:
        """A factor without its axes of length 1, and under the lengths that the loops have."""
        x = self.checked.get(factor.atom, factor.atom)
        codes = tuple("i" if p is ONE else ":" for p in factor.places)
        if "i" in codes:
            x = self.b.emit(OPS["getitem"], x, *[Const(0)] * codes.count("i"), hint=x, index=codes)
        dims = tuple(plan.lengths[p] for p in factor.loops)
        return x if self.types[x].dims == dims else self.b.emit(OPS["retype"], x, hint=x, dims=dims)


def turned(b: Builder, factor: ProductFactor, order: tuple) -> str:
    """The array of a factor with its axes in another order."""
    if factor.places == order:
        return factor.atom
    return b.emit(OPS["np.transpose"], factor.atom, hint="t", axes=tuple(map(factor.places.index, order)))


def as_matrices(factors: list[ProductFactor], plan: ContractionPlan) -> list | None:
    """[(a factor, the order that its loops should have)] where the contraction is a product of two matrices."""
    if len(factors) != 2 or len(plan.kept) != 2 or len(plan.summed) != 1:
        return None
    (row, column), (inner,) = plan.kept, plan.summed
    left, right = factors if row in factors[0].places else factors[::-1]
    return [(left, (row, inner)), (right, (inner, column))]


def matrix_products(fun: Fun) -> Fun:
    """Contractions as products of stacks of matrices, of two factors each, in the order of np.einsum_path.

        y = np.einsum("ijk,ijl->jkl", a, b, optimize=True)        t = np.transpose(a, axes=(1, 2, 0))
                                                                  u = np.transpose(b, axes=(1, 0, 2))
                                                                  y = t @ u
    """
    is_there = any([isinstance(stmt, Let) and stmt.op is OPS["np.einsum"] for stmt in walk(fun.body)])
    return MatrixProducts(fun).run() if is_there else fun


class MatrixProducts(Rewriter):
    def let(self, let: Let) -> None:
        if let.op is not OPS["np.einsum"]:
            return self.emit(let)
        terms, out = letters_of(let.param("subscripts"))
        factors = [ProductFactor(x, tuple(term)) for x, term in zip(let.args, terms)]
        with self.b.at(let.origin):
            for step in self.path(let.param("subscripts"), factors):
                chosen = [factors[k] for k in step]
                factors = [f for k, f in enumerate(factors) if k not in step]
                needed = set(out).union(*[f.places for f in factors])
                factors.append(self.product(*in_result_order(chosen, out), needed, let.name))
            self.alias(let.name, turned(self.b, factors[0], tuple(out)))

    def path(self, subscripts: str, factors: list[ProductFactor]) -> list[tuple[int, ...]]:
        """The order of the products: of lengths that only the run knows, as if they were equal."""
        shapes = [np.broadcast_to(0.0, [SOME if d.constant is None else d.constant for d in self.types[f.atom].dims])
                  for f in factors]
        return np.einsum_path(subscripts, *shapes, optimize="optimal")[0][1:]

    def product(self, x: ProductFactor, y: ProductFactor, needed: set, hint: str) -> ProductFactor:
        """The product of two, summed over the loops of both that are not needed any more."""
        both = [p for p in x.places if p in y.places]
        stack, inner = [p for p in both if p in needed], [p for p in both if p not in needed]
        rows, columns = [p for p in x.places if p not in both], [p for p in y.places if p not in both]
        lengths = dict(zip((*x.places, *y.places), (*self.types[x.atom].dims, *self.types[y.atom].dims)))
        left, right = self.matrices(x, stack, rows, inner), self.matrices(y, stack, inner, columns)
        made = self.b.emit(OPS["matmul"], left, right, hint=hint)
        order = (*stack, *rows, *columns)
        return ProductFactor(self.shaped(made, [lengths[p] for p in order]), order)

    def matrices(self, factor: ProductFactor, stack: list, rows: list, columns: list) -> str:
        """A stack of matrices of a factor."""
        x = turned(self.b, factor, (*stack, *rows, *columns))
        dims = self.types[x].dims
        cut, end = len(stack), len(stack) + len(rows)
        sides = [prod(own, start=Dim.of(1)) for own in (dims[cut:end], dims[end:])]
        return self.shaped(x, [*dims[:cut], *sides])

    def shaped(self, x: str, dims: list) -> str:
        if self.types[x].dims == tuple(dims):
            return x
        return self.b.emit(OPS["np.reshape"], x, *dim_atoms(self.b, dims), hint=x)


def in_result_order(pair: list[ProductFactor], out: str) -> list[ProductFactor]:
    """Two factors, that one first whose own loops come first in the result."""
    first = next((p for p in out if sum(p in f.places for f in pair) == 1), None)
    return pair[::-1] if first in pair[1].places and first not in pair[0].places else pair
