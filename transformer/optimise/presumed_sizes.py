"""Lengths of arguments that loops ask to be equal, or to be a number, are taken to be so from the beginning.

    x_len = x.shape[0]                         x_len = x.shape[0]
    x_len1 = x.shape[1]
    for i in range(0, x_len, 1):               for i in range(0, x_len, 1):
        t = x[i, :]                      ->        t = x[i, :]
        t__1 = rt.match(t, 3, x_len1, ...)
        s__2 = s__1 + t__1                         s__2 = s__1 + t

A vector of three numbers then stays in registers, kernels of lengths that would only be found equal in each iteration
become one, and an iteration checks nothing.  The types of the parameters say what was presumed: the entry asks for
that, and where it is not so, the function as it was runs instead, which raises where Python does.  Checks outside of
loops stay: they cost nothing, and what fails there should not have to be compiled again to fail.
"""
from __future__ import annotations

from ..core import Builder, Const, Fun, If, Let, blocks_of
from ..core.types import Dim
from ..rules import OPS
from . import PASSES
from .pipeline import optimise
from .rewriter import Rewriter


def with_sizes_presumed(fun: Fun) -> Fun:
    equal = Presumed(fun).found()
    return optimise(Renamed(fun, equal).run(), PASSES) if equal else fun


def lengths_of_arguments(fun: Fun) -> dict[str, tuple[str, int]]:
    """{a length: the parameter and the axis that have it}, in their order."""
    found: dict[str, tuple[str, int]] = {}
    for p in fun.params:
        for k, d in enumerate(fun.types[p].dims):
            if str(d) in d.names:
                found.setdefault(str(d), (p, k))
    return found


class Presumed:
    def __init__(self, fun: Fun):
        self.fun, self.b = fun, Builder(like=fun)
        self.order = {name: k for k, name in enumerate(lengths_of_arguments(fun))}
        self.lets: dict[str, Let] = {}
        self.equal: dict[str, Dim] = {}  # a length: the one that it is taken to be

    def found(self) -> dict[str, Dim]:
        self.block(self.fun.body, False)
        return self.equal

    def block(self, block, in_loop: bool) -> None:
        for stmt in block.stmts:
            if isinstance(stmt, Let):
                self.lets.update(dict.fromkeys(stmt.names, stmt))
                if in_loop and stmt.op is OPS["rt.match"]:
                    self.match(stmt)
            for inner in blocks_of(stmt):
                self.block(inner, in_loop or not isinstance(stmt, If))

    def match(self, let: Let) -> None:
        dims = self.b.type(let.args[0]).dims
        for axis, wanted in zip(let.param("axes"), let.args[1:]):
            before = dict(self.equal)
            if not self.made_equal(dims[axis], self.b.dim(wanted)):
                self.equal = before

    def made_equal(self, x: Dim, y: Dim) -> bool:
        """Are two lengths the same, if need be by what is taken for granted from here on?"""
        x, y = (d.substitute(self.equal) for d in (x, y))
        if x == y:
            return True
        x, y = sorted((x, y), key=lambda d: self.order.get(str(d), -1))
        if str(y) in self.order and (str(x) in self.order or x.constant is not None and x.constant > 1):
            self.equal = {n: d.substitute({str(y): x}) for n, d in self.equal.items()} | {str(y): x}
            return True
        one, other = (self.lets.get(str(d)) for d in (x, y))
        return one is not None and other is not None and self.computed_alike(one, other)

    def computed_alike(self, one: Let, other: Let) -> bool:
        same = (one.op, one.params, len(one.args)) == (other.op, other.params, len(other.args))
        return same and one.op.length and all(
            self.made_equal(self.b.dim(a), self.b.dim(b)) for a, b in zip(one.args, other.args))


class Renamed(Rewriter):
    """The function with lengths in the place of those that are taken to be the same."""

    def __init__(self, fun: Fun, equal: dict[str, Dim]):
        super().__init__(fun)
        self.lengths = lengths_of_arguments(fun)
        self.equal = equal

    def statements(self, block) -> None:
        if block is self.fun.body:
            for name, (param, axis) in self.lengths.items():
                same = self.equal.get(name)
                if same is None:
                    self.emit(Let((name,), OPS["rt.size"], (param,), (("axis", axis),)))
                else:
                    self.alias(name, str(same) if same.constant is None else Const(same.constant))
        super().statements(block)

    def let(self, let: Let) -> None:
        if let.names[:1] not in [(name,) for name in self.lengths]:
            self.emit(let)
