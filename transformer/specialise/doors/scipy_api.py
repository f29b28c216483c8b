"""SciPy's functions: entered once the user has imported their module, since it takes longer than all of ours."""
from __future__ import annotations

import importlib

import numpy as np

from ...library.registry import FUNCTIONS, LATE, each, frontend
from ...rules import BY_FUNCTION
from ...rules.kinds import Elementwise
from .numpy_api import ufunc
from .numpy_arrays import NONE, array_of_list

# module of SciPy's -> those of `library`
CHAPTERS = {"scipy.special": ("special", "special_sums"), "scipy.linalg": ("scipy_linalg",)}


def enter(chapters) -> None:
    for chapter in chapters:
        importlib.import_module(f"...library.{chapter}", __package__)
    if "special" in chapters:
        from scipy.special import zeta
        frontend(zeta)(hurwitz)
    each({f: f for f, op in BY_FUNCTION.items() if f not in FUNCTIONS
          and isinstance(op, Elementwise) and isinstance(f, np.ufunc)})(ufunc)


def hurwitz(s, x, q=NONE):
    """Of one argument, it has other values where x < 1."""
    if q == NONE:
        s.fail("scipy.special.zeta of one argument", "Write zeta(x, 1.0), which it is for x > 1.")
    return s.elementwise("scipy.special.zeta", array_of_list(s, x), array_of_list(s, q), numpy=True)


LATE.update({module: lambda chapters=chapters: enter(chapters) for module, chapters in CHAPTERS.items()})
