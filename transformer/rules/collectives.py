"""Operations between the examples of a `vmap` that has an `axis_name`.

They stand in core only while the function of one example is written: `gather` is what they become when the axis that
they name gets all its examples, `across` what they become when another axis does.
"""
from __future__ import annotations

import numpy as np

from ..core import Const, Let
from ..core.types import Dim, Type
from ..errors.messages import UnsupportedError
from .inference import result_scalar
from .kinds import Op, bar_name, conform, dot_name, zeros_of
from .registry import OPS, register


def unbound_axis(axis_name):
    raise NameError(f"unbound axis name: {axis_name}. Call it in a function whose vmap or pmap has that name: "
                    f"gs.pmap(f, axis_name={axis_name!r})")


class Collective(Op):
    """`axis_name` is the axis, `size` the Dim of its examples."""

    def __init__(self, name):
        super().__init__(name, lambda *args, axis_name, **params: unbound_axis(axis_name))

    def jvp(self, b, let, tangents):
        if tangents[0] is None:
            return (None,)
        return (b.emit(self, tangents[0], hint=dot_name(let.name), **dict(let.params)),)

    def across(self, c):
        return c.again(c.args[0], **dict(c.let.params))

    def bind(self, c, x) -> bool:
        """Bind the result to a value that is the same for all examples."""
        t = c.b.type(c.let.name)
        x = conform(c.b, x, t, c.hint)
        c.b.append(Let(c.let.names, OPS["retype"], (x,), (("dims", t.dims),), c.b.origin))
        return False


class FoldOp(Collective):
    """psum, pmean, pmax, pmin: `reduce` over the examples."""

    def __init__(self, name, reduce: str):
        super().__init__(name)
        self.reduce = reduce

    def infer(self, b, args, params):
        t = b.type(args[0])
        dtype = result_scalar(OPS[self.reduce], (), (Type("array", t.dtype, (Dim.of(1),)),)).dtype
        if dtype.kind in "iu" and t.dtype.kind in "iu":  # as between devices; np.sum would widen it
            dtype = t.dtype
        return (Type("array", dtype, t.dims) if t.dims else Type("np", dtype),)

    def gather(self, c) -> bool:
        y, dtype = c.emit(self.reduce, c.all(0), axis=(0,), keepdims=False), c.b.type(c.let.name).dtype
        return self.bind(c, y if c.b.type(y).dtype == dtype else c.emit("rt.astype", y, dtype=dtype))


class LinearFold(FoldOp):
    def vjp(self, b, let, cotangents, wanted):
        g = b.emit(self, cotangents[0], hint=bar_name(let.args[0]), **dict(let.params))
        return [conform(b, g, b.type(let.args[0]))]


class Extremum(FoldOp):
    def jvp(self, b, let, tangents):
        raise UnsupportedError(let.origin, f"a derivative of gs.lax.{self.name}, which has none here or in JAX",
                               instead="Use gs.stop_gradient on its argument, or gs.lax.all_gather and np.max.")

    def vjp(self, b, let, cotangents, wanted):
        return self.jvp(b, let, ())


class AllGather(Collective):
    """The values of all examples, stacked along a new first axis, the same for each."""

    def infer(self, b, args, params):
        t = b.type(args[0])
        return (Type("array", t.dtype, (params["size"], *t.dims)),)

    def vjp(self, b, let, cotangents, wanted):
        hint, params = bar_name(let.args[0]), dict(let.params)
        total = b.emit(OPS["psum"], cotangents[0], hint=hint, **params)
        k = b.emit(OPS["axis_index"], hint="k", **params)
        return [conform(b, b.emit(OPS["getitem"], total, k, hint=hint, index=("i",)), b.type(let.args[0]))]

    def gather(self, c):
        return self.bind(c, c.all(0))

    def across(self, c):
        y = super().across(c)
        rank = c.b.type(y).rank
        return c.transposed(y, (1, 0, *range(2, rank)))


class Permute(Collective):
    """y[target] = x[source] for the pairs (source, target) of `perm`; zero at other places."""

    def infer(self, b, args, params):
        t = b.type(args[0])
        return (t if t.kind == "array" else Type("np", t.dtype),)

    def vjp(self, b, let, cotangents, wanted):
        params = dict(let.params) | {"perm": tuple((t, s) for s, t in let.param("perm"))}
        return [conform(b, b.emit(self, cotangents[0], hint=bar_name(let.args[0]), **params), b.type(let.args[0]))]

    def gather(self, c):
        x = c.all(0)
        y = zeros_of(c.b, c.b.type(x), c.hint)
        for source, target in c.let.param("perm"):
            part = c.emit("getitem", x, Const(source), index=("i",))
            y = c.emit("rt.update", y, part, Const(target), index=("i",))
        return y


class AxisIndex(Collective):
    """The number of the example."""

    def infer(self, b, args, params):
        return (Type("np", np.dtype(np.int64)),)

    def jvp(self, b, let, tangents):
        return (None,)

    def vjp(self, b, let, cotangents, wanted):
        return []

    def gather(self, c):
        return c.emit("np.arange", c.number(), dtype=np.dtype(np.int64), count=c.size)


register(LinearFold("psum", "np.sum"), complex=True)
register(LinearFold("pmean", "np.mean"), complex=True)
register(Extremum("pmax", "np.max"))
register(Extremum("pmin", "np.min"))
register(AllGather("all_gather"), complex=True)
register(Permute("ppermute"), complex=True)
register(AxisIndex("axis_index"))
