"""Reductions over one, several or all axes.

`tangent(y, x, dx, reduce)` and `cotangent(y, x, g, count, reduce)` are formulas in which y and g keep
the reduced axes, so that they broadcast against x.
"""
import numpy as np

from .kinds import Reduction
from .registry import register


def reduction(fn, tangent=None, cotangent=None):
    return register(Reduction(f"np.{fn.__name__}", fn, tangent, cotangent), fn, *({np.max: (np.amax,), np.min: (np.amin,)}.get(fn, ())))


reduction(np.sum, lambda y, x, dx, reduce: reduce(dx), lambda y, x, g, count, reduce: g)
reduction(np.mean, lambda y, x, dx, reduce: reduce(dx, "np.mean"), lambda y, x, g, count, reduce: g / count())


def extremum(fn):
    def tangent(y, x, dx, reduce):
        hit = (x == y) * 1.0
        return reduce(hit * dx) / reduce(hit)

    def cotangent(y, x, g, count, reduce):
        hit = (x == y) * 1.0
        return hit * (g / reduce(hit))

    reduction(fn, tangent, cotangent)


extremum(np.max)
extremum(np.min)
reduction(np.any)
reduction(np.all)
