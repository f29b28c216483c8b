"""`value.name`: of arrays, of containers and of objects."""
from __future__ import annotations

import difflib
import types as pytypes

import numpy as np

from ....core.types import PY_BOOL, Dim
from ....errors.messages import MissingAttribute
from ....frontend.module_names import package_of
from ....inputs.guards import ABSENT
from ....library.flat import Flat
from ....library.ranges import to_list
from ....library.registry import FUNCTIONS
from ...domain import values as v
from ...domain.classes import deque, is_deque, of_library, users_class
from ...refusals.words import no_attribute
from ..arrays.shapes import transpose
from ..flow.sides import on_sides
from ..names.lifting import lift, path_of
from ..names.lookup import assigned_in, variable
from .objects import get_attribute

# methods of arrays that are NumPy's functions of the array and the same arguments
AS_FUNCTIONS = {name: getattr(np, name) for name in (
    "argpartition", "choose", "compress", "conj", "conjugate", "cumprod", "prod", "put", "round", "searchsorted")}
AS_FUNCTIONS |= {"tolist": to_list, "__len__": len, "__abs__": abs}
WRITTEN: dict = {"flat": Flat}  # attributes of arrays -> what gives them, written in NumPy; x.at, which JAX has
PLAIN_MODULES = ("numpy", "math", "scipy", "gradscribe", "builtins", "operator")


@on_sides
def attribute(s, value, attr: str):
    match value:
        case v.Array() | v.Num():
            s.refuse_several([value.atom] if isinstance(value, v.Num) else [])
            return array_attribute(s, value, attr)
        case v.Tuple(cls=c) if c is slice and attr in ("start", "stop", "step"):
            return value.items[("start", "stop", "step").index(attr)]
        case v.Super() | v.Static(value=type()):
            return (get_attribute(s, value, attr) if isinstance(value, v.Super) or not of_library(value.value)
                    else static_attribute(s, value.value, attr))
        case v.Tuple(cls=c) | v.Boxed(cls=c) if (users_class(value) is not None
                                                 or c not in (tuple, slice)
                                                 and not issubclass(c, (list, dict, deque))):
            return get_attribute(s, value, attr)
        case v.Problem(args=args) if attr == "args":
            return v.Tuple(args)
        case v.Tuple() | v.Boxed() | v.Iter():
            if not hasattr(s.class_of(value), attr):
                s.stop("AttributeError", f"'{s.class_name(value)}' object has no attribute '{attr}'")
            if attr == "__class__":
                return v.Static(s.class_of(value))
            if isinstance(value, v.Iter) and value.kind == "range" and attr in ("start", "stop", "step"):
                return value.parts[("start", "stop", "step").index(attr)]
            return (v.Bound(value, attr) if attr != "maxlen" or not is_deque(value)
                    else v.Static(getattr(value.cls, "most", None)))
        case v.Static(value=obj):
            return get_attribute(s, value, attr) if users_class(value) is not None else static_attribute(s, obj, attr)
    s.fail(f"{s.describe(value)} has no attribute '{attr}' here", "Use numbers, arrays and containers of them.")


def static_attribute(s, obj, attr):
    if type(obj) in (str, bytes, int, float, complex, bool, type(None)):
        if not hasattr(obj, attr):
            s.stop("AttributeError", f"'{type(obj).__name__}' object has no attribute '{attr}'")
        return v.Bound(v.Static(obj), attr) if callable(getattr(obj, attr)) else v.Static(getattr(obj, attr))
    module = obj.__name__.partition(".")[0] if isinstance(obj, pytypes.ModuleType) else package_of(type(obj))
    if isinstance(obj, type):
        module = package_of(obj)
    elif (isinstance(obj, (pytypes.FunctionType, pytypes.MethodType, BaseException))
            or hasattr(type(obj), "__gradscribe_call__")):
        module = "one of the user's"  # what they hold is
    if isinstance(obj, pytypes.ModuleType) and (frame := assigned_in(s, vars(obj), attr)) is not None:
        return variable(s, frame, attr)
    if not hasattr(obj, attr):
        s.guard(path_of(s, obj).attr(attr), ABSENT)
        s.missing(v.Static(obj), attr)
        s.fail(*no_attribute(obj, attr), error=MissingAttribute)
    result = getattr(obj, attr)
    if module in PLAIN_MODULES:
        return s.static_number(result) if isinstance(result, np.generic) else v.Static(result)
    return lift(s, result, path_of(s, obj).attr(attr), (id(obj),))


def array_attribute(s, value, attr):
    t = s.type(value)
    if t.kind == "py" and not hasattr(t.python_type, attr):
        s.stop("AttributeError", f"'{t.python_type.__name__}' object has no attribute '{attr}'")
    match attr:
        case "shape":
            return v.Tuple(tuple(s.dim_value(d) for d in t.dims))
        case "ndim":
            return v.Static(t.rank)
        case "size":
            total = Dim.of(1)
            for d in t.dims:
                total = total * d
            return s.dim_value(total)
        case "dtype":
            return v.Static(t.dtype)
        case "T":
            return transpose(s, value, tuple(reversed(range(t.rank))))
        case _ if attr in WRITTEN and t.kind == "array":
            return s.call_value(v.Static(WRITTEN[attr]), [value], {})
        case "real" if t == PY_BOOL:
            return s.elementwise("add", value, v.Static(0))
        case "real" | "imag":
            return FUNCTIONS[getattr(np, attr)](s, value)
        case "itemsize" if t.kind != "py":
            return v.Static(t.dtype.itemsize)
        case "nbytes" if t.kind != "py":
            return s.elementwise("multiply", array_attribute(s, value, "size"), v.Static(t.dtype.itemsize))
        case "mT" if t.kind == "array":
            if t.rank < 2:
                s.stop("ValueError", "matrix transpose with ndim < 2 is undefined")
            return transpose(s, value, (*range(t.rank - 2), t.rank - 1, t.rank - 2))
    if not hasattr(np.ndarray if t.kind == "array" else t.python_type if t.kind == "py" else t.dtype.type, attr):
        s.missing(value, attr)
        near = difflib.get_close_matches(attr, dir(np.ndarray), 1)
        s.fail(f"an array has no attribute '{attr}'",
               f"Did you mean {near[0]}?" if near else "See docs/rules.md for those with a rule.",
               error=MissingAttribute)
    if not callable(getattr(np.ndarray if t.kind == "array" else t.python_type if t.kind == "py"
                            else t.dtype.type, attr)):
        s.fail(f"the attribute '{attr}' of {s.describe(value)}", "docs/rules.md lists the attributes that there are.")
    return v.Bound(value, attr)
