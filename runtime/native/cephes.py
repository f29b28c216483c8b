"""The compiled forms of `cephes`: calls of what SciPy has compiled for Cython.

Compiled code, which is kept on disk, calls them by names; importing this module says to LLVM where they are.
"""
from __future__ import annotations

import re

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.typing.templates import infer_global, signature
from scipy.special import cython_special

from ..compiler.kept import kept
from ..plain import cephes
from .capsules import NAME, POINTER
from .forms import register_form

DOUBLE, INT = ir.DoubleType(), ir.IntType(32)


def of_doubles(name: str):
    """The capsule of SciPy's function of this name that takes and gives doubles."""
    for key, capsule in cython_special.__pyx_capi__.items():
        if re.fullmatch(rf"(__pyx_fuse_\d+)?{name}", key):
            arguments = re.fullmatch(r"double \((.*), int __pyx_skip_dispatch\)", NAME(capsule).decode())
            if arguments and set(arguments[1].split(", ")) == {"double"}:
                return capsule
    return None


def numbers(context, *args):
    return signature(types.float64, *[types.float64] * len(args))


def cephes_call(symbol: str):
    def lowering(context, builder, sig, args):
        kind = ir.FunctionType(DOUBLE, [*[DOUBLE] * len(args), INT])
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        return builder.call(function, [*args, ir.Constant(INT, 0)])  # 0: it is not asked whether Python overrides it

    return lowering


for _name, _scipys in cephes.FUNCTIONS.items():
    if _found := of_doubles(_scipys):
        binding.add_symbol(f"scipy_special_{_name}", POINTER(_found, NAME(_found)))
        register_form(getattr(cephes, _name), numbers)(cephes_call(f"scipy_special_{_name}"))
zeta = kept(cephes.zeta)
infer_global(cephes.zeta, types.Dispatcher(zeta))
erfc_integral = kept(cephes.erfc_integral)
infer_global(cephes.erfc_integral, types.Dispatcher(erfc_integral))
