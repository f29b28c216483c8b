"""Which roots are norms: of sums of products, each of which is as small as the square of what it is made of.

    s = x * x                  np.sqrt(s) is a norm, and `x * x` and `y * y` are the products that it is made of:
    t = y * y                  the slope of np.sqrt(s) is infinite at 0, but x / np.sqrt(s) is at most 1
    r = np.sqrt(s + t)

Sums, parts, shapes, choices, branches and loops may stand in between.
"""
from __future__ import annotations

from ..core import Block, Const, For, Fun, If, Let, While, walk
from ..core.types import Type
from ..rules import OPS
from ..rules.indexing import Getitem, Update
from ..rules.kinds import FLAT, Bilinear, Elementwise, Linear
from ..rules.norms import NormSlope, Slope, Times
from ..rules.operators import Selection
from .signs import Signs
from .steepness import joins_elements


class Norms:
    """roots: the names of norms; products: those of the products that they are made of.

    active  the names that have a derivative
    """

    def __init__(self, fun: Fun, active, signs: Signs):
        self.types, self.active = fun.types, active
        self.sources: dict[str, Let | tuple] = {}  # what a name is bound by: a statement, or the names it may be
        self.roots: set[str] = set()
        self.products: set[str] = set()
        self.sums: set[str] = set()  # what stands between them
        stmts = walk(fun.body)
        for stmt in stmts:
            self.note(stmt)
        for stmt in stmts:
            if isinstance(stmt, Let) and is_root(stmt, fun.types) and not signs.is_above(stmt.args[0]):
                self.look_behind(stmt)

    def note(self, stmt) -> None:
        match stmt:
            case Let(names=names):
                self.sources.update(dict.fromkeys(names, stmt))
            case If(names=names, then=Block(results=a), orelse=Block(results=b)):
                self.sources.update(zip(names, zip(a, b)))
            case For() | While():
                self.sources.update(zip(stmt.carried, zip(stmt.inits, stmt.body.results)))

    def look_behind(self, root: Let) -> None:
        """Enter a root whose operand is made of products and of what has no derivative."""
        any_product = isinstance(root.op, Slope)  # in a derivative the other factor may be what is moved along
        products, seen, waiting = set(), set(), [root.args[0]]
        found = False
        while waiting:
            name = waiting.pop()
            if name in self.sums:  # behind another root
                found = True
            if name in self.sums or name in seen or name not in self.active:
                continue
            seen.add(name)
            let = self.sources.get(name)
            behind = let if isinstance(let, tuple) else None if let is None else self.behind(let, any_product)
            if behind is None:
                return
            if not behind or self.is_weighted(let):
                products.add(name)
            waiting += behind
        if products or found:
            self.roots.add(root.name)
            self.products |= products
            if not any_product:
                self.sums |= seen

    def behind(self, let: Let, any_product: bool) -> tuple | None:
        """Where a sum of products goes on; () for a product of like factors, None for anything else."""
        op, active = let.op, [a for a in let.args if a in self.active]
        if self.has_kink(let, active):
            return None
        if op is OPS["multiply"]:
            return () if any_product else self.factors(active)
        if is_product(let, self.types):
            return ()
        if op is OPS["divide"]:
            return tuple(active) if active == [let.args[0]] else None
        if isinstance(op, Update):
            return let.args[:2]
        straight = (isinstance(op, (Selection, Getitem)) or joins_elements(op)
                    or op is not OPS["power"] and is_straight(let, self.types))
        return tuple(active) if straight else None

    def has_kink(self, let: Let, active: list[str]) -> bool:
        """Is it made of an abs, whose kink is not that of the norm?"""
        made = [self.sources.get(a) for a in active]
        return not is_square(let) and any(isinstance(x, Let) and x.op is OPS["abs"] for x in made)

    def is_weighted(self, let) -> bool:
        """Has a product two factors with a derivative?"""
        return isinstance(let, Let) and let.op is OPS["multiply"] and all(a in self.active for a in let.args)

    def factors(self, active: list[str]) -> tuple | None:
        """Where a product goes on: it is one of like factors, a scale, or one with a factor that is a square itself."""
        if len(active) < 2:
            return tuple(active)
        if self.scaled(active[0]) == self.scaled(active[1]):
            return ()
        squares = [a for a in active if isinstance(let := self.sources.get(a), Let) and is_square(let)]
        return tuple(squares[:1]) or None

    def scaled(self, name: str) -> str:
        """What a name is a scale of, or has the elements of."""
        while isinstance(let := self.sources.get(name), Let):
            active = [a for a in let.args if a in self.active]
            straight = (isinstance(let.op, (Bilinear, Getitem)) or let.op in (OPS["multiply"], OPS["divide"])
                        or is_straight(let, self.types))
            if not straight or len(active) != 1 or let.op is OPS["divide"] and active != [let.args[0]]:
                break
            name = active[0]
        return name


def is_root(let: Let, types: dict[str, Type]) -> bool:
    """sqrt(x), x ** p of p from 1/2 to 1, and a slope of norms."""
    if len(let.names) != 1 or types[let.name].dtype.kind != "f" or not isinstance((*let.args, None)[0], str):
        return False
    if let.op is OPS["power"]:
        return isinstance(let.args[1], Const) and 0.5 <= let.args[1].value < 1
    return let.op is OPS["np.sqrt"] or isinstance(let.op, Slope)


def is_straight(let: Let, types: dict[str, Type]) -> bool:
    """Is it linear, or straight in each element?"""
    return isinstance(let.op, Linear) or isinstance(let.op, Elementwise) and let.op.curvature(let, types) == FLAT


def is_whole(exponent) -> bool:
    return not isinstance(exponent, complex) and exponent >= 2 and exponent == int(exponent)


def is_whole_power(let: Let) -> bool:
    return let.op is OPS["power"] and isinstance(let.args[1], Const) and is_whole(let.args[1].value)


def is_square(let: Let) -> bool:
    """x * x, x ** 2 and np.square(x)"""
    return (let.op is OPS["np.square"] or let.op is OPS["multiply"] and let.args[0] == let.args[1]
            or let.op is OPS["power"] and isinstance(let.args[1], Const) and let.args[1].value == 2)


def is_product(let: Let, types: dict[str, Type]) -> bool:
    """Is it, in one operation, as small as the square of what it is made of?"""
    op = let.op
    return (isinstance(op, (NormSlope, Times)) or op is OPS["np.square"] or is_whole_power(let)
            or isinstance(op, Bilinear) and is_inner(let, types))


def is_inner(let: Let, types: dict[str, Type]) -> bool:
    """Is a product of matrices one of rows and columns, each of which gives one number?"""
    dims = types[let.name].dims
    return let.op is OPS["matmul"] and (all(types[a].rank == 1 for a in let.args) or len(dims) > 1
                                        and dims[-1].is_one and dims[-2].is_one)
