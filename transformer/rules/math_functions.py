"""`math`, whose functions raise where NumPy's say nothing: for each the value, and where it raises.

A row is (name, its value, where it is a domain error, may numbers that are finite give one that is not: a range error).
"""
from __future__ import annotations

import functools
import math

import numpy as np

from .expr import Formula
from .registry import OPS


def wide(x: Formula) -> Formula:
    """The number as NumPy's, so that operators on it do not raise."""
    return x.apply(OPS["rt.astype"], x, dtype=np.dtype(np.float64))


def infinite(x) -> Formula:
    return np.abs(x) == math.inf


def is_pole(x) -> Formula:
    """Is it an integer that is not positive: a pole of the gamma function?"""
    return (x <= 0.0) & (np.floor(x) == x)


def no_division(x, y) -> Formula:
    """Is x without a remainder by y, though neither is not a number?"""
    return infinite(x) & (y == y) | (y == 0.0) & (x == x)


def remainder(x, y):
    """x minus the nearest multiple of y, to the even one of two; each step is exact."""
    a, b = np.abs(x), np.abs(y)
    m = np.fmod(a, b)
    c = b - m
    r = np.where(m < c, m, np.where(m > c, -c, m - 2.0 * np.fmod(0.5 * (a - m), b)))
    return np.copysign(1.0, x) * r


def no_power(x, y) -> Formula:
    """Is x ** y no real number?"""
    return (x < 0.0) & (x > -math.inf) & (np.floor(y) != y) & (y == y) | (x == 0.0) & (y < 0.0) & (y > -math.inf)


REAL = (
    ("sqrt", np.sqrt, lambda x: x < 0.0, False), ("cbrt", np.cbrt, None, False),
    ("exp", np.exp, None, True), ("exp2", np.exp2, None, True), ("expm1", np.expm1, None, True),
    ("log", np.log, lambda x: x <= 0.0, False),
    ("log2", np.log2, lambda x: x <= 0.0, False), ("log10", np.log10, lambda x: x <= 0.0, False),
    ("log1p", np.log1p, lambda x: x <= -1.0, False),
    ("sin", np.sin, infinite, False), ("cos", np.cos, infinite, False), ("tan", np.tan, infinite, False),
    ("asin", np.arcsin, lambda x: np.abs(x) > 1.0, False), ("acos", np.arccos, lambda x: np.abs(x) > 1.0, False),
    ("atan", np.arctan, None, False),
    ("sinh", np.sinh, None, True), ("cosh", np.cosh, None, True), ("tanh", np.tanh, None, False),
    ("asinh", np.arcsinh, None, False), ("acosh", np.arccosh, lambda x: x < 1.0, False),
    ("atanh", np.arctanh, lambda x: np.abs(x) >= 1.0, False),
    ("erf", lambda x: x.apply(OPS["rt.erf"], x), None, False),
    ("erfc", lambda x: x.apply(OPS["rt.erfc"], x), None, False),
    ("gamma", lambda x: x.apply(OPS["rt.gamma"], x), is_pole, True),
    ("lgamma", lambda x: x.apply(OPS["rt.lgamma"], x), lambda x: is_pole(x) & (x > -math.inf), True),
    ("fabs", np.abs, None, False), ("degrees", lambda x: x * (180.0 / math.pi), None, False),
    ("radians", lambda x: x * (math.pi / 180.0), None, False),
    ("atan2", np.arctan2, None, False), ("copysign", np.copysign, None, False), ("fmod", np.fmod, no_division, False),
    ("remainder", remainder, no_division, False), ("pow", lambda x, y: wide(x) ** wide(y), no_power, True),
    ("hypot", lambda *xs: functools.reduce(np.hypot, xs) if len(xs) > 1 else np.abs(*xs), None, False),
    ("nextafter", np.nextafter, None, False),
    ("isnan", np.isnan, None, False), ("isinf", np.isinf, None, False), ("isfinite", np.isfinite, None, False),
)
