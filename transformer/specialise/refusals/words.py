"""What is said of a name, a function and a class that are refused whatever the arguments are."""
from __future__ import annotations

import difflib
import types as pytypes

from ...capture import not_python
from .impure import called


def undefined(name: str) -> tuple[str, str]:
    return f"the name '{name}' is not defined", f"Define {name} before the function is transformed."


def no_attribute(obj, name: str) -> tuple[str, str]:
    """Of a module, a class or another object from outside."""
    called = getattr(obj, "__name__", type(obj).__name__)
    kind = "module" if isinstance(obj, pytypes.ModuleType) else "class" if isinstance(obj, type) else "object"
    near = difflib.get_close_matches(name, dir(obj), 1)
    return (f"the {kind} {called} has no attribute '{name}'",
            f"Did you mean {called}.{near[0]}?" if near else "Check the spelling.")


def no_rule(f) -> tuple[str, str]:
    """Why a function without a rule and without Python source is refused, and what to do instead."""
    if (isinstance(getattr(f, "__wrapped__", getattr(f, "py_func", None)), pytypes.FunctionType)
            and not called(f).startswith("np.")):
        return not_python(f)  # compiled by numba, cached, ...: the Python function is there to be called instead
    if not callable(f):
        return not_python(f)
    return f"{called(f)} has no rule", "Write it with the NumPy functions listed in docs/rules.md, or in plain Python."


def no_class(cls: type) -> tuple[str, str]:
    """Why objects of a class are not made, and what to do instead."""
    return (f"an object of class {cls.__name__} is made",
            "Use a dataclass, NamedTuple, dict, list or tuple, or a class of your own.")
