"""SciPy's functions: entered once the user has imported their module, since it takes longer than all of ours."""
from __future__ import annotations

import importlib

import numpy as np

from ...library.registry import FUNCTIONS, LATE, each, frontend, handler_of
from ...rules import BY_FUNCTION
from ...rules.kinds import Elementwise
from .numpy_api import call_ufunc
from .numpy_arrays import NONE, array_of_list

# module of SciPy's, or one that NumPy imports late -> those of `library`
CHAPTERS = {"scipy.special": ("special", "special_sums"), "scipy.optimize": ("roots", "minima"),
            "scipy.linalg": ("scipy_linalg", "matrix_functions", "riccati", "toeplitz"),
            "scipy.stats": ("special", "scipy_linalg", "distributions"), "scipy.signal": ("signals", "peaks"),
            "scipy.fft": ("cosines",),
            "scipy.ndimage": ("images",), "scipy.interpolate": ("splines", "bsplines"),
            "scipy.sparse": ("sparse",), "scipy.integrate": ("initial_values", "integrals"),
            "numpy.testing": ("testing",), "scipy.spatial": ("neighbours",), "scipy.spatial.transform": ("rotations",),
            "numpy.lib.recfunctions": ("record_functions",)}


def enter_chapters(chapters) -> None:
    for chapter in chapters:
        importlib.import_module(f"...library.{chapter}", __package__)
    if "special_sums" in chapters:
        from scipy.special import zeta
        frontend(zeta)(hurwitz)
    each({f: f for f, op in BY_FUNCTION.items() if f not in FUNCTIONS
          and isinstance(op, Elementwise) and isinstance(f, np.ufunc)})(call_ufunc)


@frontend(np.i0)
def i0(s, x):
    """NumPy's is SciPy's to the last bit, and that has a derivative: `special_sums`."""
    importlib.import_module("scipy.special")
    return handler_of(np.i0)(s, x)


def hurwitz(s, x, q=NONE):
    """Of one argument, it has other values where x < 1."""
    if q == NONE:
        from ...library.special_sums import riemann
        return s.call_value(riemann, [x], {})
    return s.elementwise("scipy.special.zeta", array_of_list(s, x), array_of_list(s, q), numpy=True)


LATE.update({module: lambda chapters=chapters: enter_chapters(chapters) for module, chapters in CHAPTERS.items()})
