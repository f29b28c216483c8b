"""What is said of a name, a function and a class that are refused whatever the arguments are."""
from __future__ import annotations

import types as pytypes

from ...capture import not_python
from .impure import called


SOLVERS = {  # of SciPy's: what to write instead
    "scipy.optimize.": "Write the iterations out, as a loop (Newton's method); gs.optim.minimize minimises with our "
                       "derivatives.",
    "scipy.integrate.": "Write the steps out, as a loop (Runge-Kutta), or a sum of weights times values at nodes: "
                        "scipy.special.roots_legendre(n) has them.",
    "scipy.interpolate.": "Compute the coefficients before, and evaluate the polynomials with NumPy."}


def undefined(name: str) -> tuple[str, str]:
    return f"the name '{name}' is not defined", f"Define {name} before the function is transformed."


def no_rule(f) -> tuple[str, str]:
    """Why a function without a rule and without Python source is refused, and what to do instead."""
    if (isinstance(getattr(f, "__wrapped__", getattr(f, "py_func", None)), pytypes.FunctionType)
            and not called(f).startswith("np.")):
        return not_python(f)  # compiled by numba, cached, ...: the Python function is there to be called instead
    if not callable(f):
        return not_python(f)
    solver = next((words for module, words in SOLVERS.items() if called(f).startswith(module)), None)
    if solver is not None:
        return f"{called(f)} has no rule: implicit derivatives, of what a solver finds, are not there yet", solver
    return f"{called(f)} has no rule", "Write it with the NumPy functions listed in docs/rules.md, or in plain Python."


def no_class(cls: type) -> tuple[str, str]:
    """Why objects of a class are not made, and what to do instead."""
    return (f"an object of class {cls.__name__} is made",
            "Use a dataclass, NamedTuple, dict, list or tuple, or a class of your own.")
