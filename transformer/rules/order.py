"""Running sums, and the order of elements."""
import numpy as np

from ..core import Const
from ..core.types import Type
from .elementwise import libm, one_slope
from .inference import Unbatchable, result_scalar
from .kinds import ONE, Inactive, Linear
from .registry import OPS, register


def _cumsum(b, args, axis):
    t = b.type(args[0])
    return Type("array", result_scalar(OPS["np.cumsum"], (("axis", 0),), (Type("array", t.dtype, (ONE,)),)).dtype,
                t.dims)


def _from_behind(b, let, g):
    """What an element adds to the sums from its place on."""
    axis, rank = let.param("axis"), b.type(let.name).rank

    def back(x):
        index = tuple("s001" if k == axis else ":" for k in range(rank))
        return b.emit(OPS["getitem"], x, Const(-1), index=index)

    return [back(b.emit(OPS["np.cumsum"], back(g), axis=axis))]


register(Linear("np.cumsum", np.cumsum, _cumsum, _from_behind))


class Argsort(Inactive):
    """Of each row, along the last axis. Stable whatever is asked for:
    one of the orders that any kind may give, and the same compiled."""

    def show(self, args, params):
        return f"np.argsort({args[0]}, kind='stable')"


register(Argsort("np.argsort", lambda x: np.argsort(x, kind="stable"), lambda b,
                 args: Type("array", np.dtype(np.int64), b.type(args[0]).dims)),
         np.argsort, across=lambda c: c.again(c.args[0]))


class Places(Inactive):
    """Of the true elements, counted through all of the array; how many there are is the second argument."""

    def read_by_people(self, args):
        return args[:1]

    def show(self, args, params):
        return f"np.flatnonzero({args[0]})"


register(Places("np.flatnonzero", lambda x, count: np.flatnonzero(x),
                lambda b, args: Type("array", np.dtype(np.int64), (b.dim(args[1]),))))


def _searchsorted(b, args, side):
    dims = b.type(args[1]).dims
    return Type("array" if dims else "np", np.dtype(np.int64), dims)


def _search_for_all(c):
    """The places of all examples in one sorted array; for several of those NumPy has no function."""
    if c.batched[0]:
        raise Unbatchable("np.searchsorted in several sorted arrays")
    return c.again(*c.args, **dict(c.let.params))


register(Inactive("np.searchsorted", np.searchsorted, _searchsorted), across=_search_for_all)
libm(np.nextafter, one_slope, None)
