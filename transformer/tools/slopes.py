"""Is the derivative of a core function right at a point?  Forward against reverse mode, and both against differences.

    <w, J v> = <J^T w, v>             the dot-product test: to rounding
    J v = (f(x + h v) - f(x - h v)) / 2h   to what steps of several lengths say of the error of a difference

A difference says nothing at a kink, where the slopes of the two sides differ; what lies between them is no mistake.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import numpy as np

from ..core import Const, Fun, Let
from ..errors.messages import GradscribeError
from ..transform.jvp import jvp
from ..transform.vjp import vjp

RIGHT, WRONG, KINK, POLE, OVERFLOW, UNDEFINED, UNDECIDED, REFUSED, FIXED = (
    "right", "wrong", "kink", "pole", "overflow", "undefined", "undecided", "refused", "fixed on purpose")
ORDER = (FIXED, RIGHT, UNDECIDED, KINK, UNDEFINED, OVERFLOW, POLE, REFUSED, WRONG)  # from good to bad
SINGULARITIES = (UNDEFINED, OVERFLOW, POLE)  # where values or slopes are no numbers
POWERS = (0.2, 0.3, 0.4)  # of the precision of a number: relative steps, from where a formula is far from rounding on
APART = 4  # operands up to which each is moved by itself


@dataclass(frozen=True)
class SlopeCheck:
    """What was found of a derivative.

    dot         relative error of the dot-product test; None: there is one mode only
    difference  relative error against differences; None: they say nothing
    numbers     of what is not right: (what the derivative gives, what differences give); of a pole the values there
    operand     the name of the operand that was moved, where it was one
    """

    verdict: str
    dot: float | None = None
    difference: float | None = None
    numbers: tuple = ()
    operand: str | None = None
    said: GradscribeError | None = None


class BothModes:
    """A core function of which all results are floats, and its two derivatives, ready to run.

    moved  the parameters that derivatives are taken with respect to, floats
    ready  from a core function to one of Python
    loose  is it computed by a library, which rounds as the problem at hand asks for?
    """

    def __init__(self, fun: Fun, moved: tuple[str, ...], ready: Callable, loose: bool = False):
        active = tuple([p in moved for p in fun.params])
        self.fun, self.loose = fun, loose
        self.moved = [k for k, is_active in enumerate(active) if is_active]
        self.value, self.refusal = ready(fun), None
        self.push = self.pull = None
        for name, of in ("push", jvp), ("pull", vjp):
            try:
                setattr(self, name, ready(of(fun, active)))
            except GradscribeError as error:  # a rule may be for one mode only
                self.refusal = error

    def results(self, values) -> list:
        return list(self.value(*values))

    def pushed(self, values, directions) -> list:
        return list(self.push(*values, *directions)[len(self.fun.body.results):])

    def pulled(self, values, cotangents) -> list:
        return list(self.pull(*values, *cotangents)[len(self.fun.body.results):])


# numbers ----------------------------------------------------------------------------------------
def displaced_by(x, dx, h: float):
    """x + h dx, of the kind and dtype of x."""
    if isinstance(x, np.ndarray):
        return np.asarray(x + h * dx, x.dtype)
    return x.dtype.type(x + h * dx) if isinstance(x, np.generic) else type(x)(x + h * dx)


def is_of_floats(x) -> bool:
    return np.asarray(x).dtype.kind in "fc"


def in_reals(values) -> np.ndarray:
    """All elements in one array of real numbers; of a complex one both parts."""
    parts = [np.ravel(x) for x in values]
    wide = [np.ascontiguousarray(p, complex).view(float) if p.dtype.kind == "c" else p.astype(float) for p in parts]
    return np.concatenate(wide) if wide else np.zeros(0)


def conjugated(values) -> list:
    """A cotangent meets a tangent without conjugation: what `in_reals` of one of them must have the signs of."""
    return [np.conj(x) for x in values]


def direction_for(x, rng, symmetric: bool = False):
    """A direction in the size of x: elements move by about as much as they are; zeros by the size of the others."""
    shape = np.shape(x)

    def signed():
        return rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)
    sizes = np.abs(np.asarray(x))
    finite = np.isfinite(sizes)
    typical = np.max(sizes, where=finite, initial=0.0) or 1.0
    r = signed() + 1j * signed() if np.asarray(x).dtype.kind == "c" else signed()
    r = r * np.where(finite, np.where(sizes == 0.0, typical, sizes), 0.0)
    if symmetric and len(shape) > 1 and shape[-1] == shape[-2] and np.array_equal(x, np.conj(np.swapaxes(x, -1, -2))):
        r = (r + np.conj(np.swapaxes(r, -1, -2))) / 2
    return like_operand(x, r)


def like_operand(x, r):
    """r with the kind and dtype of x."""
    if isinstance(x, np.ndarray):
        return np.asarray(r, x.dtype)
    return x.dtype.type(r) if isinstance(x, np.generic) else type(x)(r)


def cotangent_for(x, rng):
    shape = np.shape(x)
    r = rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)
    return like_operand(x, r * (1 + 0.5j) if np.asarray(x).dtype.kind == "c" else r)


def precision(values) -> tuple[float, float]:
    """That of the coarsest floats, and the size below which numbers have fewer digits than that."""
    kinds = [np.finfo(np.asarray(x).dtype) for x in values]
    return max([float(k.eps) for k in kinds]), max([float(k.smallest_normal) for k in kinds])


def relative(difference: float, scale: float) -> float:
    """A relative error; of nothing none."""
    return float(difference / scale) if difference else 0.0


# differences ------------------------------------------------------------------------------------
@dataclass
class Differences:
    """Slopes of a function along a direction by differences, and how far they may be off; of the smallest step the two
    sides."""

    slope: np.ndarray
    error: np.ndarray
    sides: tuple[np.ndarray, np.ndarray]
    kinked: np.ndarray
    near: np.ndarray  # is there no number beside the point, either?


def differences_along(along: Callable, at: np.ndarray, eps: float, tiny: float) -> Differences:
    """`along(h)`: the numbers at the step h; `at`: those at 0; eps and tiny: their `precision`."""
    best, error = np.full(at.shape, np.nan), np.full(at.shape, np.inf)
    jumps, sides, near = [], None, None
    for power in POWERS:
        h = 0.5 ** round(-np.log2(eps ** power))
        up, down, up2, down2 = along(h), along(-h), along(h / 2), along(-h / 2)
        wide, close = (up - down) / (2 * h), (up2 - down2) / h
        right, left = (up2 - at) / (h / 2), (at - down2) / (h / 2)
        rounding = 4 * eps * (np.abs(at) + np.abs(up) + np.abs(down) + np.abs(close) + tiny) / h
        found, off = (4 * close - wide) / 3, np.abs(close - wide) + rounding
        for side, far in (right, (up - at) / h), (left, (at - down) / h):  # beside the end of a domain there is one
            one = ~np.isfinite(off) & np.isfinite(side) & np.isfinite(far)
            found = np.where(one, 2 * side - far, found)
            off = np.where(one, np.abs(side - far) + 4 * eps * (np.abs(at) + np.abs(side) + tiny) / h, off)
        better = np.isfinite(off) & (off < error)
        best, error = np.where(better, found, best), np.where(better, off, error)
        jumps.append((np.abs(right - left), rounding))
        sides, near = (left, right), ~np.isfinite(up2) & ~np.isfinite(down2)
    (before, _), (last, rounding) = jumps[-2:]  # a curve's halves with the step, a kink's stays
    return Differences(best, error, sides, (last > 0.4 * before) & (last > 20 * rounding), near)


# the comparison ---------------------------------------------------------------------------------
class Point:
    """A derivative at a point: `values` of all parameters."""

    def __init__(self, derivative: BothModes, values: list, rng):
        self.of, self.values, self.rng = derivative, values, rng
        self.results = derivative.results(values)
        self.at = in_reals(self.results)
        self.operands = [values[k] for k in derivative.moved]
        self.eps, self.tiny = precision([*self.operands, *self.results])
        known = [a.value for stmt in derivative.fun.body.stmts if isinstance(stmt, Let) for a in stmt.args
                 if isinstance(a, Const) and isinstance(a.value, (float, complex, np.inexact))]
        self.finite = bool(np.all(np.isfinite(in_reals([*filter(is_of_floats, values), *known]))))
        self.cotangents = [cotangent_for(x, rng) for x in self.results]
        self.bars = None
        if derivative.pull is not None:
            self.bars = derivative.pulled(values, self.cotangents)

    def slope(self, together: bool = False) -> SlopeCheck:
        """The worst of what is found for its operands, each moved by itself where they are few, or `together`."""
        if self.of.push is None and self.of.pull is None:
            return SlopeCheck(REFUSED, said=self.of.refusal)
        if not self.at.size or not in_reals(self.operands).size:
            return SlopeCheck(RIGHT)
        count = len(self.operands)
        groups = [[k] for k in range(count)] if count <= APART and not together else [[*range(count)]]
        return worst([self.along(group) for group in groups])

    def along(self, group: list[int]) -> SlopeCheck:
        """Move these operands."""
        still = [like_operand(x, np.zeros(np.shape(x))) for x in self.operands]
        moves = [direction_for(x, self.rng, self.of.loose) if k in group else still[k]
                 for k, x in enumerate(self.operands)]
        operand = self.of.fun.params[self.of.moved[group[0]]] if len(group) == 1 else None
        dots = in_reals(self.of.pushed(self.values, moves)) if self.of.push is not None else None
        found = differences_along(lambda h: self.stepped(moves, h), self.at, self.eps, self.tiny)
        if self.finite and (singular := self.singular(dots, found, group)) is not None:
            return SlopeCheck(*singular, operand=operand)
        if dots is None:
            return self.summed(moves, found, operand)
        product = self.product(moves, dots)
        verdict, difference, numbers = judged(dots, found, np.abs(self.at) + self.tiny, self.eps)
        if product is not None and product > self.allowed and verdict != WRONG:
            verdict, numbers = WRONG, ("forward and reverse mode differ",)
        return SlopeCheck(verdict, product, difference, numbers, operand)

    @property
    def allowed(self) -> float:
        """What the dot-product test may be off by: 1e-10 in float64."""
        return self.eps * (5e5 if not self.of.loose else 5e8)

    def stepped(self, moves, h: float) -> np.ndarray:
        values = list(self.values)
        for k, x, dx in zip(self.of.moved, self.operands, moves):
            values[k] = displaced_by(x, dx, h)
        try:
            found = in_reals(self.of.results(values))
        except Exception:  # beside the end of a domain, as math.sqrt(-h) does
            return np.full(self.at.shape, np.nan)
        return found if found.shape == self.at.shape else np.full(self.at.shape, np.nan)

    def product(self, moves, dots) -> float | None:
        """The relative error of the dot-product test; None where there is no number, or one mode only."""
        if self.bars is None:
            return None
        one = in_reals(conjugated(self.cotangents)) * dots
        other = in_reals(conjugated(self.bars)) * in_reals(moves)
        if not (np.all(np.isfinite(one)) and np.all(np.isfinite(other))):
            return None
        lost = self.tiny * (1.0 + np.sum(np.abs(in_reals(moves))))  # below it products have fewer digits
        return relative(abs(np.sum(one) - np.sum(other)), max(np.sum(np.abs(one)) + np.sum(np.abs(other)), lost))

    def singular(self, dots, found: Differences, group) -> tuple | None:
        """A verdict where values or slopes are no numbers, though all operands are."""
        bars = in_reals([self.bars[k] for k in group]) if self.bars is not None else np.zeros(0)
        bad = ~np.isfinite(self.at)
        if np.any(bad):
            first = self.at[bad][0]
            around = np.all(found.near[bad])
            return (UNDEFINED if around and np.any(np.isnan(self.at)) else OVERFLOW if around else POLE,
                    None, None, (f"the value is {first}",))
        if self.bars is None and dots is not None:
            bars = dots
        wrong = bars[~np.isfinite(bars)]
        return (POLE, None, None, (f"the slope is {wrong[0]}",)) if wrong.size else None

    def summed(self, moves, found: Differences, operand) -> SlopeCheck:
        """Reverse mode alone: <w, differences> = <J^T w, v>."""
        w = in_reals(conjugated(self.cotangents))
        other = in_reals(conjugated(self.bars)) * in_reals(moves)
        if not (np.all(np.isfinite(found.slope)) and np.all(np.isfinite(other))):
            return SlopeCheck(UNDECIDED, operand=operand)
        total = np.array([np.sum(other)])
        left, right = (np.array([np.sum(w * side)]) for side in found.sides)
        at_all = Differences(np.array([np.sum(w * found.slope)]), np.array([np.sum(np.abs(w) * found.error)]),
                             (np.minimum(left, right), np.maximum(left, right)), np.array([np.any(found.kinked)]),
                             np.zeros(1, bool))
        size = np.array([np.sum(np.abs(w * self.at)) + self.tiny])
        verdict, difference, numbers = judged(total, at_all, size, self.eps)
        return SlopeCheck(verdict, None, difference, numbers, operand)


def judged(given: np.ndarray, found: Differences, at: np.ndarray, eps: float) -> tuple:
    """(verdict, relative error, numbers) of slopes against differences; `at`: how large the values are there."""
    known = np.isfinite(given) & np.isfinite(found.slope)
    if not np.any(known):
        return UNDECIDED, None, ()
    given, slope, error, kinked, at = (x[known] for x in (given, found.slope, found.error, found.kinked, at))
    left, right = (x[known] for x in found.sides)
    off, scale = np.abs(given - slope), np.maximum(np.abs(given), np.abs(slope))
    bad = off > 10 * error + 10 * np.sqrt(eps) * scale
    # a direction is as large as the operands, and so a slope may be as large as the value
    rough = error > 1e-3 * max(np.max(scale), np.max(at, where=np.isfinite(at), initial=0.0))
    low, high = np.minimum(left, right), np.maximum(left, right)
    room = 1e-3 * (high - low)
    excused = (bad | rough) & kinked & (given >= low - room) & (given <= high + room)
    wrong, sure = bad & ~excused, ~excused & ~rough
    difference = relative(np.max(off[sure]), np.max(np.maximum(scale, error)[sure])) if np.any(sure) else None
    if np.any(wrong):
        k = int(np.argmax(np.where(wrong, off, -1.0)))
        return WRONG, difference, (float(given[k]), float(slope[k]))
    if np.any(excused):
        k = int(np.argmax(excused))
        return KINK, difference, (float(left[k]), float(right[k]))
    return (UNDECIDED if np.any(rough) else RIGHT), difference, ()


def largest_known(numbers) -> float | None:
    return max([x for x in numbers if x is not None], default=None)


def worst(slopes: list[SlopeCheck]) -> SlopeCheck:
    """The worst verdict, with the largest errors."""
    one = max(slopes, key=lambda s: ORDER.index(s.verdict))
    errors = [largest_known(xs) for xs in ([s.dot for s in slopes], [s.difference for s in slopes])]
    return SlopeCheck(one.verdict, *errors, one.numbers, one.operand, one.said)
