"""What numba compiles, kept on disk: a file for each function and types of arguments, which `cache` checks.

numba's own files are believed as they lie there, two processes that save at once may take the same file for different
types, and an edit of what a function calls is not noticed.
"""
from __future__ import annotations

import hashlib
import pickle

from numba import njit
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from . import cache, kernels, stock

OPTIONS = dict(nogil=True, error_model="numpy")
# what numba compiles depends on these, which variables of the environment set
SETTINGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "DEBUG_JIT", "DEBUG_NRT", "ENABLE_PROFILING",
            "EXTEND_VARIABLE_LIFETIMES", "LLVM_REFPRUNE_FLAGS", "LLVM_REFPRUNE_PASS", "LOOP_VECTORIZE", "OPT",
            "SLP_VECTORIZE", "USING_SVML")


def kept(function, **options):
    """A function of ours that numba compiles once for each types of arguments, with options of numba's."""
    return keeping(njit(**(options or OPTIONS))(function))


def kept_kernel(function, **options):
    """A function of ours that is compiled once for all programs that call it (`compiler/kernels.py`)."""
    if stock.uses_stock():
        return kept(function, **options)
    compiler = options.pop("pipeline_class")
    return keeping(kernels.LinkedKernel(function, targetoptions=dict(options, nopython=True), pipeline_class=compiler))


def keeping(dispatcher):
    """The dispatcher, with what it compiles kept on disk."""
    assert not dispatcher.py_func.__closure__, "its source does not say what it is compiled from"
    dispatcher._cache = Kept(dispatcher.py_func)
    return dispatcher


class Kept(NullCache):
    """The place of what a dispatcher has compiled, as numba asks for it."""

    def __init__(self, function):
        self.function = function

    @property
    def cache_path(self):
        return cache.folder()

    def name(self, types, target) -> str:
        """The file of what is compiled for these types: the hash of all that it is made of is in its name."""
        function, settings = self.function, [str(getattr(config, name, None)) for name in SETTINGS]
        parts = (cache.fingerprint(), stock.uses_stock(), cache.origin(function), function.__module__,
                 function.__qualname__,
                 function.__code__.co_firstlineno, tuple(types), target.codegen().magic_tuple(), settings)
        digest = hashlib.sha256(repr(parts).encode()).hexdigest()[:24]
        return f"{function.__module__}.{function.__name__}.{digest}.nbc"

    def load_overload(self, types, target):
        target.refresh()
        data = cache.fetch(self.name(types, target))
        if data is None:
            return None
        try:
            called, parts = pickle.loads(data)
            for each in called:
                each.load()
            return CompileResult._rebuild(target, *parts)
        except Exception:  # whatever it is that numba does not find again: it is compiled, and kept, anew
            return None

    def save_overload(self, types, made):
        if not made.library.has_dynamic_globals:  # addresses of this process
            data = dumps((kernels.called_kernels(made.library), made._reduce()))
            cache.store(self.name(types, made.target_context), data)
