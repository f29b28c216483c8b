"""Which names are above 0, or not below it, whatever the arguments are (or nan).

    e = np.exp(z)            not below 0: it may be rounded to 0
    s = np.sum(e)            above 0, as a sum over all of them
    n = 1.0 + x * x          above 0
"""
from __future__ import annotations

from ..core import Block, Const, For, Fun, If, Let, While
from ..rules import OPS
from ..rules.indexing import Getitem
from ..rules.kinds import CURVED, FLAT, Elementwise, Reduction
from ..rules.operators import Selection
from ..rules.shape import Join
from .steepness import moves

EXPONENTIALS = frozenset({OPS["np.exp"], OPS["np.exp2"]})


class Signs:
    def __init__(self, fun: Fun):
        self.above: set[str] = set()
        self.least_zero: set[str] = set()  # not below 0
        self.exponentials: set[str] = set()
        self.block(fun.body)

    def block(self, block: Block) -> None:
        for stmt in block.stmts:
            match stmt:
                case Let(names=(name,)):
                    self.note(name, stmt)
                case For() | While():
                    self.block(stmt.body)
                case If():
                    for side in (stmt.then, stmt.orelse):
                        self.block(side)
                    for name, *sides in zip(stmt.names, stmt.then.results, stmt.orelse.results):
                        self.enter(name, all(map(self.is_above, sides)), all(map(self.is_not_below, sides)))

    def is_above(self, atom) -> bool:
        """Is it more than 0?"""
        return atom in self.above if isinstance(atom, str) else is_real(atom) and atom.value > 0

    def is_not_below(self, atom) -> bool:
        return atom in self.least_zero if isinstance(atom, str) else is_real(atom) and atom.value >= 0

    def curvature(self, let: Let, types) -> int:
        """That of the operation, which has no pole where its operand is above 0."""
        if not isinstance(let.op, Elementwise):
            return FLAT
        at = let.op.pole_at_zero
        return CURVED if at is not None and self.is_above(let.args[at]) else let.op.curvature(let, types)

    def enter(self, name: str, above: bool, not_below: bool) -> None:
        if above:
            self.above.add(name)
        if above or not_below:
            self.least_zero.add(name)

    def note(self, name: str, let: Let) -> None:
        op, args = let.op, let.args
        if op in EXPONENTIALS:
            self.exponentials.add(name)
        above, not_below = [self.is_above(a) for a in args], [self.is_not_below(a) for a in args]
        if op is OPS["add"]:
            return self.enter(name, any(above) and all(not_below), all(not_below))
        if op in (OPS["multiply"], OPS["divide"]):
            square = op is OPS["multiply"] and args[0] == args[1]
            return self.enter(name, all(above), all(not_below) or square)
        if op is OPS["power"]:
            even = is_real(args[1]) and args[1].value % 2 == 0
            return self.enter(name, above[0], not_below[0] or even)
        if op is OPS["np.maximum"]:
            return self.enter(name, any(above), any(not_below))
        if isinstance(op, Reduction) and op.joins == "+":
            return self.enter(name, above[0] or args[0] in self.exponentials, not_below[0])
        if isinstance(op, Selection):
            sides = args[1:] if op.choices[0] is None else args
            return self.enter(name, all(map(self.is_above, sides)), all(map(self.is_not_below, sides)))
        if moves(op) or isinstance(op, Getitem) or op in (OPS["np.sqrt"], OPS["float"]):
            if args and args[0] in self.exponentials:
                self.exponentials.add(name)
            root = op is OPS["np.sqrt"]
            of = len(args) if isinstance(op, Join) else 1  # of a shape the other arguments are lengths
            return self.enter(name, bool(args) and all(above[:of]), root or bool(args) and all(not_below[:of]))
        return self.enter(name, op is OPS["np.cosh"], op in EXPONENTIALS or op in (OPS["abs"], OPS["np.square"]))


def is_real(atom) -> bool:
    return isinstance(atom, Const) and not isinstance(atom.value, complex)
