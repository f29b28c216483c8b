"""The way through numba: ours (`pipeline`), or numba's own where ours does not fit the version of numba or is not
wanted.

numba's own takes longer to compile, no threads share loops, and each exception that compiled code raises loses some
bytes; the results are the same.  GRADSCRIBE_PIPELINE=stock, a variable of the environment, chooses it.
"""
from __future__ import annotations

import functools
import os
import warnings


def wants_stock() -> bool:
    """Does the user want numba's own?"""
    return os.environ.get("GRADSCRIBE_PIPELINE") == "stock"


@functools.cache
def uses_stock() -> bool:
    """Is numba's own used?"""
    if not wants_stock():
        try:
            from . import parts  # noqa: F401
            return False
        except Exception as error:  # numba's inner modules are nobody's promise: whatever it is that is not there
            import numba
            warnings.warn(f"gradscribe: its own way through numba does not fit numba {numba.__version__} ({error!r}); "
                          f"numba's own is used, "
                          "which takes longer to compile.", stacklevel=2)
    from . import failure
    failure.by_numba = True
    return True


def way(options: dict):
    """(the class that compiles what Python calls, what makes a function of one that only other functions call)"""
    if uses_stock():
        import numba
        from numba.core.compiler import Compiler
        return Compiler, numba.njit(**options, no_cpython_wrapper=True)
    from .parts import Callee
    from .pipeline import Compiler
    return Compiler, functools.partial(Callee, targetoptions=dict(options, nopython=True, no_cpython_wrapper=True))
