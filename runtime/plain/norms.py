"""Slopes of norms.  The slope x / r of r = sqrt(x * x + ...) is never more than 1, also where r is 0.

There it has no direction, and 0 stands for it, as for the slope of abs at 0.  What a second derivative makes of that is
nan, unless nothing moves: so what is 0 by this convention is never taken for a number that was computed.
"""
from __future__ import annotations

import numpy as np


def unit(x, r):
    """x / r, and 0 where both are 0: an element of a vector of length 1.

    >>> float(unit(3.0, 5.0)), float(unit(0.0, 0.0)), float(unit(1.0, 0.0))
    (0.6, 0.0, inf)
    """
    with np.errstate(all="ignore"):
        quotient = np.true_divide(x, r)
    return as_given(np.where((np.equal(x, 0)) & (np.equal(r, 0)), 0, quotient), x, r)


def cosine(a, r, b):
    """a / r where r is hypot(a, b), and 0 where both are 0.

    >>> float(cosine(3.0, 5.0, 4.0)), float(cosine(0.0, 0.0, 0.0))
    (0.6, 0.0)
    """
    return unit(a, r)


def norm_slope(g, r):
    """g / r, and nan where r is 0 and g is finite: the cotangent of a sum of squares, for `times`.

    >>> float(norm_slope(3.0, 5.0)), float(norm_slope(3.0, 0.0)), float(norm_slope(np.inf, 0.0))
    (0.6, nan, inf)
    """
    with np.errstate(all="ignore"):
        quotient = np.true_divide(g, r)
    return as_given(np.where(np.equal(r, 0) & np.isfinite(g), np.nan, quotient), g, r)


def times(x, slope):
    """x * slope, and 0 where x is 0 and the slope that of a norm there, nan.

    >>> float(times(2.0, 3.0)), float(times(0.0, np.nan)), float(times(2.0, np.nan))
    (6.0, 0.0, nan)
    """
    with np.errstate(all="ignore"):
        product = np.multiply(x, slope)
    return as_given(np.where(np.equal(x, 0) & np.isnan(slope), 0, product), x, slope)


def as_given(result, *operands):
    """Of Python's numbers a number of Python's, of NumPy's scalars a scalar."""
    return result.item() if all([isinstance(x, (int, float, complex)) and not isinstance(x, np.generic)
                                 for x in operands]) else result[()]
