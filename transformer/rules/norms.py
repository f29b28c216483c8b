"""The slopes of norms, as operations: `runtime/plain/norms.py` says what they give where a norm is 0."""
import functools

from gradscribe import runtime as rt

from ..core import Atom, Builder, Let
from .expr import Formula
from .kinds import Elementwise, conform, dot_name, exprs
from .registry import OPS, register


def unit(x: Formula, r) -> Formula:
    return x.apply(OPS["rt.unit"], x, r)


def cosine(a: Formula, r, b) -> Formula:
    return a.apply(OPS["rt.cosine"], a, r, b)


def norm_slope(g: Formula, r) -> Formula:
    return g.apply(OPS["rt.norm_slope"], g, r)


def times(x: Formula, slope) -> Formula:
    return x.apply(OPS["rt.times"], x, slope)


def depends(y, *args):
    """Stands for a derivative whose formula is that of the kind."""
    return args[0] * args[1]


class Slope(Elementwise):
    """y = x / r, with something else for 0 / 0.

    `tangent` is what stands for the division in y_dot = (x_dot - y * r_dot) / r.
    """

    def __init__(self, name, fn, tangent):
        super().__init__(name, fn, depends, depends)
        self.tangent = tangent

    def jvp(self, b: Builder, let, tangents):
        hint = dot_name(let.name)
        y, r = exprs(b, (let.name, let.args[1]), hint)
        dx, dr = [None if g is None else Formula(b, g, hint) for g in tangents]
        moved = dx if dr is None else -(y * dr) if dx is None else dx - y * dr
        return (conform(b, self.tangent(moved, r), b.type(let.name), hint),)


class UnitOp(Slope):
    def term(self, b, let, k, g: Atom, hint, mask=None):
        y, r, g = exprs(b, (let.name, let.args[1], g), hint)
        return norm_slope(g, r) if k == 0 else -norm_slope(g * y, r)


class Cosine(Elementwise):
    """y = a / r, where r is hypot(a, b) and moves with them: with z = b / r it is y_dot = z (z a_dot - y b_dot) / r, in
    which nothing cancels where b is small beside a."""

    def __init__(self, name, fn):
        super().__init__(name, fn, depends, None, depends)

    def jvp(self, b: Builder, let, tangents):
        hint = dot_name(let.name)
        y, a, r, other = exprs(b, (let.name, *let.args), hint)
        da, _, db = [None if g is None else Formula(b, g, hint) for g in tangents]
        z = cosine(other, r, a)
        moved = None if da is None and db is None else (
            z * da if db is None else -(y * db) if da is None else z * da - y * db)
        return (None if moved is None else conform(b, norm_slope(z * moved, r), b.type(let.name), hint),)

    def term(self, b, let, k, g: Atom, hint, mask=None):
        if k == 1:
            return None
        y, a, r, other, g = exprs(b, (let.name, *let.args, g), hint)
        z = cosine(other, r, a)
        return norm_slope(g * z * z, r) if k == 0 else -norm_slope(g * z * y, r)


class NormSlope(Slope):
    def term(self, b, let, k, g: Atom, hint, mask=None):
        y, r, g = exprs(b, (let.name, let.args[1], g), hint)
        return unit(g, r) if k == 0 else -(y * unit(g, r))


class Times(Elementwise):
    """y = x * slope, where a zero of x counts for more than a slope that is nan."""

    def __init__(self, name, fn):
        super().__init__(name, fn, depends, depends)

    def term(self, b, let, k, g: Atom, hint, mask=None):
        x, slope, g = exprs(b, (*let.args, g), hint)
        return times(g, slope) if k == 0 else times(x, g)


@functools.cache
def power_of_magnitude(n: int) -> Elementwise:
    """abs(z) ** n where its derivative is taken, from n = 2 on, which has no kink; nothing computes it."""
    def partial(y, z):
        conjugate = z.apply(OPS["np.conjugate"], z) if z.type.dtype.kind == "c" else z
        return n * conjugate if n == 2 else n * z.apply(OPS["abs"], z) ** (n - 2) * conjugate

    return Elementwise(f"abs ** {n}", None, partial)


register(UnitOp("rt.unit", rt.unit, unit), complex=True)
register(Cosine("rt.cosine", rt.cosine))
register(NormSlope("rt.norm_slope", rt.norm_slope, norm_slope), complex=True)
register(Times("rt.times", rt.times), complex=True)

# the operation that each of them is where no vector moves in lines
STRICT = {UnitOp: "divide", NormSlope: "divide", Times: "multiply"}

# what divides -> what gives the reciprocal, and what multiplies by it
BY_RECIPROCAL = {"divide": ("divide", "multiply"), "rt.unit": ("rt.norm_slope", "rt.times"),
                 "rt.norm_slope": ("rt.norm_slope", "multiply")}


def root_slope(b: Builder, let: Let, g: Atom, hint: str) -> tuple[Formula, Formula]:
    """(g times a factor, r) whose quotient is g times the slope of a root: 0.5 / sqrt(x), p / x ** (1 - p)"""
    x, y, g = Formula(b, let.args[0], hint), Formula(b, let.name, hint), Formula(b, g, hint)
    power = let.args[1].value if len(let.args) == 2 else 0.5
    return float(power) * g, y if power == 0.5 else x ** (1 - float(power))


def product_slope(b: Builder, let: Let, k: int, g: Atom, hint: str) -> tuple[Formula, Formula]:
    """(x, y) whose product is g times the derivative of a product in its factor k; x moves as the other factor does."""
    op, g = let.op, Formula(b, g, hint)
    if op is OPS["power"] and let.args[1].value > 2:
        x, n = Formula(b, let.args[0], hint), let.args[1].value
        return x, n * x ** (n - 2) * g
    if isinstance(op, Elementwise):
        return op.partials[k](*op.operands(b, let, hint, None)), g
    other = Formula(b, let.args[1 - k], hint)
    return (other if other.ndim == 1 else other.mT), g
