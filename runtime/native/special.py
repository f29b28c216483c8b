"""For numba, what is compiled once and kept: erfinv in straight lines, which LLVM vectorises; gamma samples."""
from __future__ import annotations

import math

import numpy as np
from numba import types
from numba.core.typing.templates import infer_global

from ..compiler.kept import kept
from ..plain import scalars, segments, special
from ..plain.special import DOUBLE, SINGLE
from .float_bits import horner, select_value
from .vectormath import _F4, _F8, _inlined, _log, _log1p, _single, _vector

NEAR, MIDDLE, FAR = (c[::-1] for c in DOUBLE)  # lowest power first
NEAR_F4, FAR_F4 = (_single(c[::-1]) for c in SINGLE)
SQUARED = tuple(np.float32(n) for n in (5.0, 2.5, 3.0))


@_inlined
def _infinite_ends(x, y, c):
    """Infinite at 1 and -1."""
    return select_value(abs(x) == c.one, x * c.inf, y * x)


@_vector
def erfinv_f8(x):
    w = -_log((1.0 - x) * (1.0 + x), _F8)
    root = math.sqrt(w)
    y = select_value(w < 16.0, horner(root - 3.25, MIDDLE), horner(root - 5.0, FAR))
    return _infinite_ends(x, select_value(w < 6.25, horner(w - 3.125, NEAR), y), _F8)


@_vector
def erfinv_f4(x):
    w = -_log1p(-x * x, _F4)
    limit, first, second = SQUARED
    y = select_value(w < limit, horner(w - first, NEAR_F4), horner(np.float32(math.sqrt(w)) - second, FAR_F4))
    return _infinite_ends(x, y, _F4)


digamma = kept(special.digamma_of)
infer_global(special.digamma_of, types.Dispatcher(digamma))
gamma_slope = kept(special.gamma_slope_of)
search = kept(scalars.search)
places = kept(scalars.places)
SEGMENTS = {function: kept(function) for function in segments.FUNCTIONS}


@kept
def round_to(x, digits):
    """round(x, digits) of a float, |digits| <= 22: to the nearest decimal number, and of two to the even one.

    10**22 is a float, and products and remainders are known exactly: so the decision is, and what rounds is one last
    operation.
    """
    if x == 0.0 or x - x != 0.0:  # also what is not finite
        return x
    size = abs(x)
    if digits < 0:
        unit = 10.0 ** -digits
        rest = size % unit
        up = rest > unit - rest
        if rest == unit - rest:
            up = (size - rest) % (2.0 * unit) != 0.0
        rounded = size + (unit - rest) if up else size - rest
        return rounded if x > 0.0 else -rounded
    scale = 10.0 ** digits
    product = size * scale
    if not product < 9007199254740992.0:
        return x
    a, b = size * 134217729.0, scale * 134217729.0  # halves of both factors, whose products are exact
    a_high, b_high = a - (a - size), b - (b - scale)
    a_low, b_low = size - a_high, scale - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    whole = math.floor(product)
    rest = product - whole
    if rest == 0.5 and error != 0.0:
        up = error > 0.0
    elif rest == 0.5:
        up = whole % 2.0 != 0.0
    else:
        up = rest > 0.5
    rounded = (whole + 1.0 if up else whole) / scale
    return rounded if x > 0.0 else -rounded
