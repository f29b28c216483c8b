"""Reductions over one, several or all axes.

`tangent(y, x, dx, reduce)` and `cotangent(y, x, g, count, reduce)` are formulas in which y and g keep
the reduced axes, so that they broadcast against x.
"""
import numpy as np

from .expr import Formula
from .kinds import Reduction, cast
from .registry import register


def reduction(fn, joins, empty=None, tangent=None, cotangent=None, also=(), **facts):
    return register(Reduction(f"np.{fn.__name__}", fn, joins, empty, tangent, cotangent), fn, *also, **facts)


reduction(np.sum, "+", 0.0, lambda y, x, dx, reduce: reduce(dx), lambda y, x, g, count, reduce: g, complex=True)
reduction(np.mean, "+", np.nan, lambda y, x, dx, reduce: reduce(dx, "np.mean"), lambda y, x, g, count,
          reduce: g / count(), complex=True)


def ties(hit, g, reduce):
    """How many elements are the extreme, in the dtype of g: what is divided by an integer is a float64."""
    count, dtype = reduce(hit), g.type.dtype
    return count if dtype == np.float64 else Formula(g.b, cast(g.b, count.atom, "array", dtype, g.hint), g.hint)


def extremum_reduction(fn, joins, also):
    def tangent(y, x, dx, reduce):
        hit = x == y
        return reduce(np.where(hit, dx, 0)) / ties(hit, dx, reduce)

    def share(y, x, g, reduce):
        """What of g an element has that is the extreme."""
        return g / ties(x == y, g, reduce)

    def cotangent(y, x, g, count, reduce):
        return np.where(x == y, share(y, x, g, reduce), 0)

    reduction(fn, joins, None, tangent, cotangent, also=(also,), share=share)


extremum_reduction(np.max, ">", np.amax)
extremum_reduction(np.min, "<", np.amin)
reduction(np.any, "|", False, complex=True)
reduction(np.all, "&", True, complex=True)
