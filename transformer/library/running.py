"""Products of rows, and running ones: their derivatives are made of the products of all other elements, by two running
products and no division.

    prod        g * before * behind
    cumprod     g * before + before * (what later products hand back, by a linear recurrence)
"""
import numpy as np

from gradscribe import runtime as rt

from ..core import OWN, Op
from ..core.types import Type
from ..rules.expr import Formula
from ..rules.inference import result_scalar
from ..rules.kinds import ONE, Reduction, bar_name, conform, dot_name
from ..rules.registry import register
from .registry import host, known, last_product, means, refuse, running_product
from .shapes import axis_of, product, several_axes


# what derivatives need -----------------------------------------------------------------------------------
def _before_kernel(a, y):
    total = a.dtype.type(1)
    for i in range(a.shape[0]):
        y[i] = total
        total *= a[i]
    return 0


def _behind_kernel(a, y):
    total = a.dtype.type(1)
    for i in range(a.shape[0] - 1, -1, -1):
        y[i] = total
        total *= a[i]
    return 0


def _recurrence_before_kernel(a, b, y):
    total = a.dtype.type(0)
    for i in range(a.shape[0]):
        y[i] = total
        total = a[i] * total + b[i]
    return 0


def _recurrence_behind_kernel(a, b, y):
    total = a.dtype.type(0)
    for i in range(a.shape[0] - 1, -1, -1):
        y[i] = total
        total = a[i] * total + b[i]
    return 0


def total(*terms):
    """The sum of those that are there."""
    there = [x for x in terms if x is not None]
    return there[0] if len(there) == 1 else there[0] + there[1]


def change(y, a, b, da, db):
    """b of the recurrence that a change of its solution solves."""
    return total(None if da is None else da * y, db)


before = host(rt.products_before, "(m)->(m)", kernel=_before_kernel,
              tangent=lambda y, a, da: from_before(a, da * y), cotangent=lambda g, y, a: y * from_behind(a, g),
              complex=True)
behind = host(rt.products_behind, "(m)->(m)", kernel=_behind_kernel,
              tangent=lambda y, a, da: from_behind(a, da * y), cotangent=lambda g, y, a: y * from_before(a, g),
              complex=True)


def _recurrence_cotangent(back):
    def cotangent(g, y, a, b):
        found = back()(a, g)
        return y * found, found
    return cotangent


from_before = host(rt.recurrence_before, "(m),(m)->(m)", kernel=_recurrence_before_kernel,
                   tangent=lambda y, a, b, da, db: from_before(a, change(y, a, b, da, db)),
                   cotangent=_recurrence_cotangent(lambda: from_behind), complex=True)
from_behind = host(rt.recurrence_behind, "(m),(m)->(m)", kernel=_recurrence_behind_kernel,
                   tangent=lambda y, a, b, da, db: from_behind(a, change(y, a, b, da, db)),
                   cotangent=_recurrence_cotangent(lambda: from_before), complex=True)


# products ------------------------------------------------------------------------------------------------
def _product_tangent(y, x, dx, reduce):
    return reduce(before(x) * behind(x) * dx)


def _product_cotangent(y, x, g, count, reduce):
    return g * (before(x) * behind(x))


register(Reduction("np.prod", np.prod, "*", 1, _product_tangent, _product_cotangent), last_product, complex=True)


class RunningProduct(Op):
    """np.cumprod along the last axis."""

    memory = OWN

    def infer(self, b, args, params):
        t = b.type(args[0])
        one = result_scalar(self, (("axis", 0),), (Type("array", t.dtype, (ONE,)),))
        return (Type("array", one.dtype, t.dims),)

    def jvp(self, b, let, tangents):
        if tangents[0] is None or b.type(let.name).dtype.kind not in "fc":
            return (None,)
        hint = dot_name(let.name)
        x, dx = (Formula(b, a, hint) for a in (let.args[0], tangents[0]))
        other = before(x)
        return (conform(b, other * dx + x * from_before(x, other * dx), b.type(let.name), hint),)

    def vjp(self, b, let, cotangents, wanted):
        if not wanted[0] or cotangents[0] is None or b.type(let.name).dtype.kind not in "fc":
            return [None]
        hint = bar_name(let.args[0])
        x, g = (Formula(b, a, hint) for a in (let.args[0], cotangents[0]))
        return [conform(b, before(x) * (g + from_behind(x, g * x)), b.type(let.args[0]), hint)]


register(RunningProduct("np.cumprod", np.cumprod), running_product, complex=True,
         across=lambda c: c.again(c.args[0], axis=c.let.param("axis") + 1))


def rows_along(a, axis):
    """(an array whose last axis is the one that is left of these, the shape of what is left without it)"""
    axis = known(axis, "it is an axis")
    if axis is None:
        return a.reshape(product(a.shape)), ()
    axes = several_axes(axis, a.ndim) if a.ndim else []
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    others = [k for k in range(a.ndim) if k not in axes]
    shape = tuple([a.shape[k] for k in others])
    return np.transpose(a, others + axes).reshape(shape + (product([a.shape[k] for k in axes]),)), shape


def kept_axes(y, rank, axis):
    """A result with the axes that were reduced, of length 1."""
    y = np.asarray(y)
    if axis is None or rank == 0:
        return y.reshape((1,) * rank)
    return np.expand_dims(y, tuple(sorted(several_axes(axis, rank))))


@means(np.prod, method="prod", complex=True)
def prod(a, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    a, axis, keepdims = np.asarray(a), known(axis, "it is an axis"), known(keepdims, "it decides the shape")
    if dtype is not None:
        a = a.astype(dtype)
    if where is not True:
        a = np.where(where, a, np.ones(1, a.dtype))
    y = last_product(rows_along(a, axis)[0])
    if dtype is not None:
        y = y.astype(dtype)
    if initial is not None:
        y = y * np.asarray(initial).astype(y.dtype)[()]
    return kept_axes(y, a.ndim, axis) if keepdims else y


@means(np.cumprod, method="cumprod", complex=True)
def cumprod(a, axis=None, dtype=None):
    a = np.asarray(a)
    if dtype is not None:
        a = a.astype(dtype)
    if axis is None or a.ndim < 2:
        axis = axis if axis is None else axis_of(axis, max(a.ndim, 1))
        y = running_product(a.reshape(product(a.shape)))
    else:
        axis = axis_of(axis, a.ndim)
        y = np.moveaxis(running_product(np.moveaxis(a, axis, -1)), -1, axis)
    return y if dtype is None else y.astype(dtype)


@means(np.cumulative_sum, complex=True)
def cumulative_sum(x, axis=None, dtype=None, include_initial=False):
    return cumulative(np.cumsum, np.zeros, x, axis, dtype, include_initial)


@means(np.cumulative_prod, complex=True)
def cumulative_prod(x, axis=None, dtype=None, include_initial=False):
    return cumulative(np.cumprod, np.ones, x, axis, dtype, include_initial)


def cumulative(function, first, x, axis, dtype, include_initial):
    x = np.atleast_1d(x)
    if isinstance(axis, tuple):
        refuse("a running sum or product along several axes", "Give one axis.")
    if axis is None and x.ndim > 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
    axis = axis_of(-1 if axis is None else axis, x.ndim)
    y = function(x, axis, dtype)
    if not known(include_initial, "it decides the length"):
        return y
    shape = y.shape[:axis] + (1,) + y.shape[axis + 1:]
    return np.concatenate([first(shape, y.dtype), y], axis)
