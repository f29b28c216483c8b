"""Reductions over one, several or all axes.

`tangent(y, x, dx, reduce)` and `cotangent(y, x, g, count, reduce)` are formulas in which y and g keep
the reduced axes, so that they broadcast against x.
"""
import numpy as np

from .kinds import Reduction
from .registry import register


def reduction(fn, joins, empty=None, tangent=None, cotangent=None, also=(), **facts):
    return register(Reduction(f"np.{fn.__name__}", fn, joins, empty, tangent, cotangent), fn, *also, **facts)


reduction(np.sum, "+", 0.0, lambda y, x, dx, reduce: reduce(dx), lambda y, x, g, count, reduce: g, complex=True)
reduction(np.mean, "+", np.nan, lambda y, x, dx, reduce: reduce(dx, "np.mean"), lambda y, x, g, count,
          reduce: g / count(), complex=True)


def extremum_reduction(fn, joins, also):
    def tangent(y, x, dx, reduce):
        hit = x == y
        return reduce(np.where(hit, dx, 0)) / reduce(hit * 1.0)

    def share(y, x, g, reduce):
        """What of g an element has that is the extreme."""
        return g / reduce((x == y) * 1.0)

    def cotangent(y, x, g, count, reduce):
        return np.where(x == y, share(y, x, g, reduce), 0)

    reduction(fn, joins, None, tangent, cotangent, also=(also,), share=share)


extremum_reduction(np.max, ">", np.amax)
extremum_reduction(np.min, "<", np.amin)
reduction(np.any, "|", False, complex=True)
reduction(np.all, "&", True, complex=True)
