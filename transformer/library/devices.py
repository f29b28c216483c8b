"""Collectives between devices, as `pmap` has them: what `gs.lax.psum` and its like become in the program of one device.

The first argument is the axis: the number of the device, and where the others are (`runtime/plain/collectives.py`).
"""
from __future__ import annotations

from gradscribe import runtime as rt
from gradscribe.runtime.plain import collectives as rc
from gradscribe.runtime.plain.collectives import RANK

from ..core import Const
from ..core.types import Type
from ..errors.messages import UnsupportedError
from ..rules.host import Host
from ..rules.kinds import bar_name, conform
from ..rules.registry import OPS, register


def of_any_shape(*types: Type) -> str:
    """The signature for an operand of so many axes, which travels whole."""
    core = ",".join(f"k{k}" for k in range(types[-1].rank))
    return f"(n,w),{'(),' * (len(types) - 2)}({core})->({core})"


class Between(Host):
    """A collective: all devices come to it, in one order.  Each of its operands travels whole."""

    effect = True  # a device that left one out, or did it in a branch of its own, would let the others wait
    dispensable = True
    mixed = placed = True

    def __init__(self, fn, kernel, signature=of_any_shape, **facts):
        super().__init__(fn, signature, kernel=kernel, fails=rc.FAILS, **facts)

    def dtypes(self, types):
        return [types[-1].dtype]

    def across(self, c):
        """The operands of all examples travel together."""
        c.unless(*range(len(c.args) - 1))
        return c.again(*c.args[:-1], c.all(len(c.args) - 1))


class Together(Between):
    """Sums that go together: what `optimise/together.py` makes of several, for compilers alone.

    A small operand waits in the memory of its device for one exchange of all that are small; a large one has its own.
    """

    kernels = rc.add_kernel, rc.exchange_kernel, rc.take_kernel

    def dtypes(self, types):
        return [t.dtype for t in types[1:]]


class Extreme(Between):
    def jvp(self, b, let, tangents):
        name = self.name.removeprefix("rt.")
        raise UnsupportedError(let.origin, f"a derivative of gs.lax.{name}, which has none here or in JAX",
                               instead="Use gs.stop_gradient on its argument, or gs.lax.all_gather and np.max.")

    def vjp(self, b, let, cotangents, wanted):
        return self.jvp(b, let, ())


class Gathering(Between):
    def across(self, c):
        y = super().across(c)
        return c.transposed(y, (1, 0, *range(2, c.b.type(y).rank)))

    def vjp(self, b, let, cotangents, wanted):
        axis, x = let.args
        if cotangents[0] is None or not wanted[1]:
            return [None, None]
        total = b.emit(OPS["rt.psum"], axis, cotangents[0], hint=bar_name(x))
        return [None, conform(b, b.emit(OPS["getitem"], total, own_number(b, axis), hint=bar_name(x), index=("i",)),
                              b.type(x), bar_name(x))]


def own_number(b, axis):
    """The number of the device."""
    return b.emit(OPS["getitem"], axis, Const(0), Const(RANK), hint="device", index=("i", "i"))


def gathered(*types: Type) -> str:
    axes = [f"k{k}" for k in range(types[-1].rank)]
    return f"(n,w),({','.join(axes)})->({','.join(['n', *axes])})"


PSUM = register(Between(rt.psum, rc.sum_kernel, tangent=lambda y, axis, x, _, dx: PSUM(axis, dx),
                        cotangent=lambda g, y, axis, x: (None, PSUM(axis, g))), complex=True)
PSUMS = Together(rt.psums, None)
register(Extreme(rt.pmax, rc.most_kernel))
register(Extreme(rt.pmin, rc.least_kernel))
GATHER = register(Gathering(rt.all_gather, rc.gather_kernel, gathered,
                            tangent=lambda y, axis, x, _, dx: GATHER(axis, dx)), complex=True)
PERMUTE = register(Between(rt.ppermute, rc.permute_kernel,
    tangent=lambda y, axis, source, target, x, *dots: PERMUTE(axis, source, target, dots[-1]),
    cotangent=lambda g, y, axis, source, target, x: (None, None, None, PERMUTE(axis, target, source, g))), complex=True)
