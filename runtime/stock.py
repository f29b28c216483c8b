"""The way through numba: ours (`pipeline`), or numba's own where ours does not fit the version of numba or is not wanted.

numba's own takes longer to compile, and keeps some bytes for each exception that compiled code raises; the results are the same.
GRADSCRIBE_PIPELINE=stock, a variable of the environment, chooses it.
"""
from __future__ import annotations

import functools
import os
import warnings


def chosen() -> bool:
    """Does the user want numba's own?"""
    return os.environ.get("GRADSCRIBE_PIPELINE") == "stock"


@functools.cache
def compiler():
    """The class of numba's that compiles."""
    from numba.core.compiler import Compiler as Stock
    if chosen():
        return Stock
    try:
        from .pipeline import Compiler
    except Exception as error:  # numba's inner modules are nobody's promise: whatever it is that is not there
        import numba
        warnings.warn(f"gradscribe: its own way through numba does not fit numba {numba.__version__} ({error!r}); numba's own is used, which "
                      "takes longer to compile.", stacklevel=2)
        return Stock
    return Compiler


def used() -> bool:
    """Is numba's own used?"""
    return compiler().__module__.startswith("numba.")
