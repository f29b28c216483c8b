"""How a compiled form is entered for numba, and how one leaves its function."""
from __future__ import annotations

from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from ..compiler.failure import return_failure
from . import memory


def register_form(function, typer):
    """A decorator for the lowering `(context, builder, sig, args) -> value` of a function of any types."""

    @infer_global(function)
    class Typing(AbstractTemplate):
        def generic(self, args, kws):
            assert not kws
            return typer(self.context, *args)

    return lower_builtin(function, types.VarArg(types.Any))


def ints(count):
    """int64 of `count` int64 arguments."""
    return lambda context, *args: signature(types.int64, *[types.int64] * count)


def same_float(context, *args):
    """All arguments and the result have one floating type."""
    t = args[0]
    for a in args[1:]:
        t = context.unify_pairs(t, types.unliteral(a))
    t = t if isinstance(t, types.Float) else types.float64
    return signature(t, *[t] * len(args))


def fail(context, builder, site, *numbers):
    """Leave the function with Failure(site, *numbers)."""
    values = (site, *numbers)
    leave = memory.exit_function(builder, f"gradscribe.fail.{len(values)}", len(values),
                                        lambda inner, args: return_failure(context, inner, args))
    leave(*values)


def fail_if(context, builder, bad, site, *numbers):
    with builder.if_then(bad, likely=False):
        fail(context, builder, site, *numbers)
