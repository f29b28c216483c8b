"""What is said of a name, a function and a class that are refused whatever the arguments are."""
from __future__ import annotations

import difflib
import functools
import types as pytypes

import numpy as np

from ...frontend.capture import not_python
from ...library.registry import handler_of
from .impure import title_of

SOLVERS = {  # of SciPy's: what to write instead
    "scipy.optimize.": "Write the iterations out, as a loop (Newton's method); gs.optim.minimize minimises with our "
                       "derivatives.",
    "scipy.integrate.": "Write the steps out, as a loop (Runge-Kutta), or a sum of weights times values at nodes: "
                        "scipy.special.roots_legendre(n) has them.",
    "scipy.interpolate.": "Compute the coefficients before, and evaluate the polynomials with NumPy."}


def undefined(name: str) -> tuple[str, str]:
    return f"the name '{name}' is not defined", f"Define {name} before the function is transformed."


def no_attribute(obj, name: str) -> tuple[str, str]:
    """Of a module, a class or another object from outside."""
    called = getattr(obj, "__name__", type(obj).__name__)
    kind = "module" if isinstance(obj, pytypes.ModuleType) else "class" if isinstance(obj, type) else "object"
    near = INSTEAD_OF.get(name) if obj is np else None
    near = near or next(iter(difflib.get_close_matches(name, names_with_rules() if obj is np else dir(obj), 1)), None)
    shown = "np" if obj is np else called
    instead = said_by(obj, name) or (f"Did you mean {shown}.{near}?" if near else "Check the spelling.")
    return f"the {kind} {called} has no attribute '{name}'", instead


def said_by(obj, name: str) -> str:
    """What a module itself says of a name that it has not."""
    own = vars(obj).get("__getattr__") if isinstance(obj, pytypes.ModuleType) else None
    if own is None:
        return ""
    try:
        own(name)
    except AttributeError as error:
        words = str(error).partition(f"'{name}'")[2].lstrip(".: \n")
        return words[:1].upper() + words[1:]
    return ""


def no_rule(f) -> tuple[str, str]:
    """Why a function without a rule and without Python source is refused, and what to do instead."""
    if (isinstance(getattr(f, "__wrapped__", getattr(f, "py_func", None)), pytypes.FunctionType)
            and not title_of(f).startswith(("np.", "scipy."))):
        return not_python(f)  # compiled by numba, cached, ...: the Python function is there to be called instead
    if not callable(f):
        return not_python(f)
    solver = next((words for module, words in SOLVERS.items() if title_of(f).startswith(module)), None)
    if solver is not None:
        return f"{title_of(f)} has no rule: implicit derivatives, of what a solver finds, are not there yet", solver
    name = title_of(f).removeprefix("np.")
    near = (f"np.{INSTEAD_OF[name]}" if name in INSTEAD_OF and title_of(f).startswith("np.")
            else numpy_name(*name.split(".")[1:]) if name.startswith("scipy.") else None)
    instead = f"{near}, or " if near else ""
    return (f"{title_of(f)} has no rule",
            f"Write it with {instead}the NumPy functions listed in docs/rules.md, or in plain Python.")


def numpy_name(module: str, *names: str) -> str | None:
    """What NumPy calls a function of SciPy's, if that has a rule."""
    found = getattr(getattr(np, module, None), names[-1] if names else "", None)
    return f"np.{module}.{names[-1]}" if found is not None and handler_of(found) is not None else None


# what has taken the place of functions of older NumPys, or does what one without a rule does
INSTEAD_OF = {"trapz": "trapezoid", "product": "prod", "cumproduct": "cumprod", "in1d": "isin", "row_stack": "vstack",
              "msort": "sort", "alltrue": "all", "sometrue": "any", "asfarray": "asarray", "round_": "round",
              "float_": "float64", "asscalar": "ndarray.item", "apply_over_axes": "sum with axis=(0, 1)",
              "unique_values": "unique",
              "asarray_chkfinite": "isfinite", "array2string": "round"}


@functools.cache
def names_with_rules() -> list[str]:
    """What is called np.name and has a rule."""
    return [name for name in dir(np) if not name.startswith("_") and callable(getattr(np, name))
            and handler_of(getattr(np, name)) is not None]


def no_class(cls: type) -> tuple[str, str]:
    """Why objects of a class are not made, and what to do instead."""
    return (f"an object of class {cls.__name__} is made",
            "Use a dataclass, NamedTuple, dict, list or tuple, or a class of your own.")
