"""What is said of a name, a function and a class that are refused whatever the arguments are."""
from __future__ import annotations

import difflib
import functools
import types as pytypes

import numpy as np

from ...frontend.capture import not_python
from ...library.hints import INSTEAD_OF, hint_of
from ...library.registry import handler_of
from .impure import title_of


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
    if isinstance(f, type):
        return no_class(f)
    if hint := hint_of(title_of(f)):
        return f"{title_of(f)} has no rule", hint
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


@functools.cache
def names_with_rules() -> list[str]:
    """What is called np.name and has a rule."""
    return [name for name in dir(np) if not name.startswith("_") and callable(getattr(np, name))
            and handler_of(getattr(np, name)) is not None]


def as_aux(name: str, first: str) -> str:
    """What to write instead of leaving a value behind: returning it beside the result."""
    name = name if isinstance(name, str) and name.isidentifier() else "more"
    return (f"{first}: return result, {name}. Of a derivative it comes as aux: "
            f"slope, {name} = gs.grad(f, has_aux=True)(x).")


def no_class(cls: type) -> tuple[str, str]:
    """Why objects of a class are not made, and what to do instead."""
    if hint := hint_of(title_of(cls)):
        return f"{title_of(cls)} has no rule", hint
    return (f"an object of class {cls.__name__} is made",
            "Use a dataclass, NamedTuple, dict, list or tuple, or a class of your own.")
