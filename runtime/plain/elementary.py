"""exp_f8, exp_f4, tanh_f8, ... of one number, as compiled text calls them.

Plain NumPy here; `native` puts the functions of `vectormath`, which LLVM vectorises, in their place.
"""
import numpy as np

from .special import erfinv

NAMES = ("exp", "expm1", "log", "log1p", "tanh", "sin", "cos", "erfinv")


def _scalar(ufunc, dtype):
    def function(x):
        with np.errstate(all="ignore"):
            return dtype(ufunc(dtype(x)))

    return function


for _name in NAMES:
    for _suffix, _dtype in (("f8", np.float64), ("f4", np.float32)):
        globals()[f"{_name}_{_suffix}"] = _f = _scalar(erfinv if _name == "erfinv" else getattr(np, _name), _dtype)
        _f.__name__ = _f.__qualname__ = f"{_name}_{_suffix}"
