"""Running a program, comparing two results, and derivatives by finite differences."""

import copy
import warnings
from dataclasses import dataclass

import numpy as np

FLOAT = (float, np.floating)
EPS = np.finfo(np.float64).eps


@dataclass(frozen=True)
class Result:
    """What a call gave, and what it left in its arguments."""

    out: object = None
    error: BaseException | None = None
    args: tuple = ()


def run(function, args) -> Result:
    args = copy.deepcopy(args)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Result(function(*args), None, args)
        except Exception as error:  # whatever it is, it is what the function does
            return Result(None, error, args)


def overflows(function, args, divide="raise") -> bool:
    """Does a number on the way become infinite? What comes back from there, as exp(-inf),
    has a derivative of 0 times infinity."""
    with np.errstate(over="raise", divide=divide):
        try:
            function(*copy.deepcopy(args))
        except FloatingPointError:
            return True
    return False


def leaves(value) -> list:
    if value is None:
        return []
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def floating(value) -> bool:
    return isinstance(value, FLOAT) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def flat(values) -> np.ndarray:
    """The float leaves as one float64 vector."""
    parts = [np.asarray(v, np.float64).ravel() for v in leaves(values) if floating(v)]
    return np.concatenate(parts) if parts else np.zeros(0)


def finite(value) -> bool:
    return bool(np.isfinite(flat(value)).all())


def single(*values) -> bool:
    """Is any of it float32?"""
    return any(getattr(v, "dtype", None) == np.float32 for v in leaves(values))


# -- comparing


def differs(expected, got, rtol, scale=1.0) -> str | None:
    """How `got` differs from `expected` in structure, type, dtype, shape or value; None if it does not."""
    if not isinstance(expected, (tuple, list)) and not isinstance(got, (tuple, list)):
        return differs_leaf(expected, got, rtol, scale)
    if type(expected) is not type(got) or len(expected) != len(got):
        return f"structure: expected {brief(expected)}, got {brief(got)}"
    found = (differs(a, b, rtol, scale) for a, b in zip(expected, got))
    return next((f"[{i}] {why}" for i, why in enumerate(found) if why), None)


def without_axes(expected, got):
    """What a device gave, where numbers are arrays without axes: those that ought to be arrays are."""
    if isinstance(expected, (tuple, list)) and isinstance(got, (tuple, list)):
        return type(got)(map(without_axes, expected, got))
    return np.asarray(got) if isinstance(expected, np.ndarray) and isinstance(got, np.generic) else got


def brief(value):
    text = " ".join(repr(value).split())
    kind = f" ({value.dtype}{list(value.shape)})" if isinstance(value, np.ndarray) else f" ({type(value).__name__})"
    return (text if len(text) < 90 else text[:87] + "...") + kind


def apart(a, b):
    """How far two vectors are apart: not at all where both are the same infinity or not a number."""
    with np.errstate(invalid="ignore"):
        return np.where((a == b) | np.isnan(a) & np.isnan(b), 0.0, a - b)


def differs_leaf(expected, got, rtol, scale):
    if expected is None or got is None:
        return None if expected is got else f"expected {brief(expected)}, got {brief(got)}"
    if not same_kind(expected, got):
        return f"type: expected {brief(expected)}, got {brief(got)}"
    a, b = np.asarray(expected), np.asarray(got)
    if a.shape != b.shape:
        return f"shape: expected {list(a.shape)}, got {list(b.shape)}"
    if a.dtype.kind in "biu":
        return None if np.array_equal(a, b) else f"value: expected {brief(expected)}, got {brief(got)}"
    a, b = a.astype(np.float64), b.astype(np.float64)
    both = np.isfinite(a) & np.isfinite(b)
    with np.errstate(invalid="ignore"):
        near = np.where(both, np.abs(a - b) <= rtol * (scale + np.abs(a)), (a == b) | (np.isnan(a) & np.isnan(b)))
    return None if near.all() else f"value: expected {brief(expected)}, got {brief(got)}"


def same_kind(expected, got):
    """Equal types and dtypes. A Python number may come back as a NumPy one of a kind that can hold it: `s = 0.0` that a
    loop of no rounds leaves alone is joined with what the rounds would have made of it."""
    if isinstance(expected, (bool, np.bool_)):
        return isinstance(got, (bool, np.bool_))
    if type(expected) is int:
        return isinstance(got, (int, np.integer, *FLOAT)) and not isinstance(got, bool)
    if type(expected) is float:
        return isinstance(got, FLOAT)
    if isinstance(expected, np.ndarray) or isinstance(got, np.ndarray):
        return isinstance(expected, np.ndarray) and isinstance(got, np.ndarray) and expected.dtype == got.dtype
    return np.asarray(expected).dtype == np.asarray(got).dtype and isinstance(got, (np.generic, float, int))


# -- finite differences


def widened(args):
    """Float32 as float64: differences of float32 numbers are mostly noise."""
    wide = lambda v: v.astype(np.float64) if isinstance(v, (np.ndarray, np.generic)) and v.dtype == np.float32 else v
    return tuple(wide(v) for v in args)


def tangents(args, rng: np.random.Generator):
    """A direction: normal numbers of each float argument's type, None for the others."""
    return tuple(like(v, rng.normal(size=np.shape(v))) if floating(v) else None for v in args)


def like(value, numbers):
    """Numbers in the type, dtype and shape of a value."""
    if isinstance(value, np.ndarray):
        return np.asarray(numbers, dtype=value.dtype).reshape(value.shape)
    return type(value)(np.asarray(numbers).item())


def moved(args, direction, step):
    return tuple(v if t is None else v + step * t for v, t in zip(args, direction))


@dataclass(frozen=True)
class Slope:
    """A directional derivative of all float outputs, and where it can be trusted how far (inf: not at all)."""

    value: np.ndarray
    error: np.ndarray

    @property
    def sure(self):
        # beyond, sin(x) of a huge x fools any step
        return (self.error <= 1e-4 * (1 + np.abs(self.value))) & (np.abs(self.value) < 1e6)


def slope(function, args, direction, steps=(4e-4, 1e-5), noise=0.0) -> Slope:
    """Central differences, extrapolated; `noise` is how far the values may be off, where that is more than usual. A
    test that flips, a kink or a jump nearby makes the estimates disagree: then that output is tried with the next step,
    and given up after the last."""
    args, direction = widened(args), widened(direction)
    base = run(function, args)
    here = flat(base.out)
    best = Slope(np.zeros_like(here), np.full_like(here, np.inf))
    for step in steps:
        if best.sure.all():
            break
        new = slope_at(function, args, direction, step, here, noise)
        better = new.error < best.error
        best = Slope(np.where(better, new.value, best.value), np.where(better, new.error, best.error))
    return best


def long_slope(function, args, direction, step=1e-9) -> Slope | None:
    """Central differences in long doubles, whose steps may be so small that what changes fast does not fool them; None
    where the program has no form for long doubles."""
    long = lambda v: (v if v is None or not floating(v) else np.longdouble(v) if np.ndim(v) == 0
                      else v.astype(np.longdouble))
    args, direction = tuple(map(long, args)), tuple(map(long, direction))

    def at(h):
        out = run(function, moved(args, direction, np.longdouble(h))).out
        return np.concatenate([np.zeros(0, np.longdouble),
                               *[np.asarray(v, np.longdouble).ravel() for v in leaves(out) if floating(v)]])

    here = at(0.0)
    found = [(at(h) - at(-h), h) for h in (step, step / 2)]
    if any(d.shape != here.shape or not np.isfinite(d).all() for d, _ in found) or not here.size:
        return None
    first, second = (d / (2 * np.longdouble(h)) for d, h in found)
    noise = 40 * np.finfo(np.longdouble).eps * np.abs(here) / step
    value = (4 * second - first) / 3
    return Slope(value.astype(np.float64), (np.abs(value - second) + noise).astype(np.float64))


def slope_at(function, args, direction, h, here, noise):
    at = lambda step: flat(run(function, moved(args, direction, step)).out)
    ahead, behind = ([at(sign * h / k) for k in (1, 2, 4)] for sign in (1, -1))
    unknown = Slope(np.zeros_like(here), np.full_like(here, np.inf))
    if any(v.shape != here.shape or not np.isfinite(v).all() for v in (*ahead, *behind)):
        return unknown
    first, second, third = ((a - b) / (2 * h / k) for a, b, k in zip(ahead, behind, (1, 2, 4)))
    coarse, fine = (4 * second - first) / 3, (4 * third - second) / 3
    noise = np.maximum(40 * EPS * (np.abs(here) + 1), noise) / h
    error = 2 * np.abs(fine - coarse) + noise
    # The slopes on both sides differ by f'' h where f is smooth, by a constant at a kink.
    bend = [np.abs(a + b - 2 * here) / (h / k) for a, b, k in zip(ahead, behind, (1, 2, 4))]
    kink = (bend[2] > 0.6 * bend[0]) & (bend[2] > 1e-6 * (1 + np.abs(fine)) + 4 * noise)
    return Slope(fine, np.where(kink, np.inf, error))
