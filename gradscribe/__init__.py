"""Gradscribe: derivatives and compilation of ordinary NumPy code, by source transformation.

>>> import numpy as np, gradscribe as gs
>>> def f(x): return np.sum(np.sin(x) ** 2)
>>> gs.grad(f)(np.array([0.0, np.pi / 4])).round(6)
array([0., 1.])
"""
from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from gradscribe.runtime.devices import jobs as _jobs  # noqa: F401  a process of a job that fails ends it from here on

from ._hints import instead_of
from ._load import load as load
from ._version import __version__ as __version__

if TYPE_CHECKING:
    from ._everything import *  # noqa: F403  what type checkers see
    from ._everything import __all__
else:
    def __getattr__(name: str):
        """All else at its first use: what `gs.save` has written runs where nothing of the transformer is loaded."""
        inner = name.startswith("_") and name != "__all__" or name in ("initializers", "runtime", "transformer")
        public = None if inner else importlib.import_module(f"{__name__}._everything")  # other threads wait for it here
        if not hasattr(public, "__all__"):  # it is on its way, and asks for one of its modules
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        globals().update({key: getattr(public, key) for key in public.__all__}, __all__=public.__all__)
        if name not in globals():
            raise AttributeError(instead_of(__name__, name, __all__))
        return globals()[name]

    def __dir__():
        return {*getattr(sys.modules[__name__], "__all__"), *(name for name in globals() if name.startswith("__"))}
