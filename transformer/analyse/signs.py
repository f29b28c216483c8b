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
        if self.is_exponential(let):
            self.exponentials.add(name)
        above, not_below = [self.is_above(a) for a in args], [self.is_not_below(a) for a in args]
        if op in RULES:
            self.enter(name, *RULES[op](args, above, not_below))
        elif isinstance(op, Reduction) and op.joins == "+":
            self.enter(name, above[0] or args[0] in self.exponentials, not_below[0])
        elif isinstance(op, Selection):
            first = 1 if op.choices[0] is None else 0
            self.enter(name, all(above[first:]), all(not_below[first:]))
        elif args and keeps_signs(op):
            of = len(args) if isinstance(op, Join) else 1  # of a shape the other arguments are lengths
            self.enter(name, all(above[:of]), all(not_below[:of]))

    def is_exponential(self, let: Let) -> bool:
        """Is it above 0 unless it is rounded to 0?"""
        op, args = let.op, let.args
        return (op in EXPONENTIALS
                or bool(args) and (keeps_signs(op) or op is OPS["np.sqrt"]) and args[0] in self.exponentials)


def keeps_signs(op) -> bool:
    """Has each element of the result the sign of one of an argument?"""
    return moves(op) or isinstance(op, Getitem) or op is OPS["float"]


# (arguments, which of them are above 0, which not below it) -> is the result above 0, or not below it
RULES = {
    OPS["add"]: lambda args, above, not_below: (any(above) and all(not_below), all(not_below)),
    OPS["multiply"]: lambda args, above, not_below: (all(above), all(not_below) or args[0] == args[1]),
    OPS["divide"]: lambda args, above, not_below: (all(above), all(not_below)),
    OPS["power"]: lambda args, above, not_below: (above[0], not_below[0] or is_even(args[1])),
    OPS["np.maximum"]: lambda args, above, not_below: (any(above), any(not_below)),
    OPS["np.sqrt"]: lambda args, above, not_below: (above[0], True),
    OPS["np.cosh"]: lambda args, above, not_below: (True, True),
    **dict.fromkeys([*EXPONENTIALS, OPS["abs"], OPS["np.square"]], lambda args, above, not_below: (False, True))}


def is_even(atom) -> bool:
    return is_real(atom) and atom.value % 2 == 0


def is_real(atom) -> bool:
    return isinstance(atom, Const) and not isinstance(atom.value, complex)
