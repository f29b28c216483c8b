"""SciPy's functions: entered once the user has imported their module, since it takes longer than all of ours."""
from __future__ import annotations

import importlib
import inspect

import numpy as np

from ...library.registry import FUNCTIONS, LATE, each, frontend, handler_of
from ...rules import BY_FUNCTION
from ...rules.kinds import Elementwise
from ..domain import values as v
from .numpy_api import call_ufunc
from .numpy_arrays import NONE, array_of_list

# module of SciPy's, or one that NumPy imports late -> those of `library`
CHAPTERS = {"scipy.special": ("special", "special_sums"), "scipy.optimize": ("roots",),
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
    if "distributions" in chapters:
        distributions()
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


class OfLaw:
    """The handler of a method of a distribution, such as scipy.stats.norm.logpdf."""

    unasked = True

    def __init__(self, method: str, law):
        self.method, self.law = method, law
        scale = {} if method.endswith("pmf") else {"scale": v.Static(1)}
        defaults = {n: inspect.Parameter.empty for n in ("q" if method in QUANTILES else "x", *law.shapes)}
        defaults |= {"loc": v.Static(0)} | scale
        self.signature = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=d)
                                            for n, d in defaults.items()])

    def __call__(self, s, *args, **kwargs):
        from ...library import distributions as d
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            s.stop("TypeError", str(error))
        bound.apply_defaults()
        x, *shapes = [bound.arguments.pop(n) for n in list(bound.arguments)[:1 + len(self.law.shapes)]]
        around = (d.mass if self.method.endswith("pmf") else d.density if self.method.endswith("pdf")
                  else d.quantile if self.method in QUANTILES else d.function)
        ends = d.ELSEWHERE.get(self.method, (d.BELOW.get(self.method), d.ABOVE.get(self.method)))
        fixed = [v.Static(i) for i in (self.method, self.law.methods[self.method], self.law.support, self.law.point,
                                       self.law.valid, ends)]
        return s.call_value(around, [*fixed, x, v.Tuple(tuple(shapes)), bound.arguments["loc"],
                                        bound.arguments.get("scale", v.Static(1))], {})


QUANTILES = ("ppf", "isf")


def distributions() -> None:
    from scipy import stats

    from ...library.laws import LAWS
    for name, law in LAWS.items():
        for method in law.methods:
            frontend(getattr(getattr(stats, name), method))(OfLaw(method, law))


def hurwitz(s, x, q=NONE):
    """Of one argument, it has other values where x < 1."""
    if q == NONE:
        from ...library.special_sums import riemann
        return s.call_value(riemann, [x], {})
    return s.elementwise("scipy.special.zeta", array_of_list(s, x), array_of_list(s, q), numpy=True)


LATE.update({module: lambda chapters=chapters: enter_chapters(chapters) for module, chapters in CHAPTERS.items()})
