"""The compiled forms of `complexes`, for numba.  Importing this module registers them."""
from __future__ import annotations

from numba import types
from numba.core.typing.templates import infer_global, signature

from ..compiler.kept import kept
from ..plain import complexes as rc
from .forms import register_form


def part_signature(context, z):
    return signature(z.underlying_float, z)


def unpacked_complex(context, builder, t, value):
    return context.make_complex(builder, t, value)


@register_form(rc.real, part_signature)
def _real(context, builder, sig, args):
    return unpacked_complex(context, builder, sig.args[0], args[0]).real


@register_form(rc.imag, part_signature)
def _imag(context, builder, sig, args):
    return unpacked_complex(context, builder, sig.args[0], args[0]).imag


@register_form(rc.conj, lambda context, z: signature(z, z))
def _conj(context, builder, sig, args):
    z = unpacked_complex(context, builder, sig.args[0], args[0])
    z.imag = builder.fneg(z.imag)
    return z._getvalue()


def _pair(context, x, y):
    narrow = types.unliteral(x) == types.unliteral(y) == types.float32
    return (signature(types.complex64, types.float32, types.float32) if narrow
            else signature(types.complex128, types.float64, types.float64))


@register_form(rc.made, _pair)
def _made(context, builder, sig, args):
    z = context.make_complex(builder, sig.return_type)
    z.real, z.imag = args
    return z._getvalue()


def _of_width(context, x, z):
    return signature(z, z.underlying_float, z)


@register_form(rc.whole, _of_width)
def _whole(context, builder, sig, args):
    z = context.make_complex(builder, sig.return_type)
    z.real, z.imag = args[0], args[0].type(0.0)
    return z._getvalue()


# numba itself refers to them weakly
COMPILED = []
for _function in (rc.divide, rc.divide_by_real, rc.reciprocal, rc.multiplied, rc.power, rc.sinh, rc.cosh, rc.tanh,
                  rc.arccosh):
    COMPILED.append(kept(_function))
    infer_global(_function, types.Dispatcher(COMPILED[-1]))
