"""`value.name`: of arrays, of containers and of objects."""
from __future__ import annotations

import difflib
import math
import sys
import types as pytypes

import numpy as np

from ....core import shows
from ....core.types import Dim
from ....errors.messages import MissingAttribute
from ....frontend.module_names import package_of
from ....inputs.guards import ABSENT
from ....library.flat import Flat
from ....library.indexes import is_fixed
from ....library.ranges import to_list, transposed_matrices
from ....library.registry import FUNCTIONS
from ....library.streams import STREAMS
from ....library.windows import strides_of
from ...domain import values as v
from ...domain.classes import deque, is_deque, is_library_class, users_class
from ...refusals.words import no_attribute
from ..arrays.shapes import transposed_view
from ..arrays.signatures import tried_now
from ..flow.sides import on_values
from ..names.lifting import lift, path_of
from ..names.lookup import assigned_in, variable
from .foreign import foreign_value
from .objects import call_now, get_attribute

# methods of arrays that are NumPy's functions of the array and the same arguments
AS_FUNCTIONS = {"tolist": to_list, "__len__": len, "__abs__": abs} | {name: getattr(np, name) for name in (
    "argpartition choose compress conj conjugate cumprod prod put round searchsorted".split())}
# attributes of arrays -> what gives them, written in NumPy; x.at, which JAX has
WRITTEN: dict = {"flat": Flat, "mT": transposed_matrices, "strides": strides_of}
BOUNDS = ("start", "stop", "step")  # of a slice or range
PLAIN_MODULES = ("numpy", "math", "scipy", "gradscribe", "builtins", "operator", "datetime", "re", "dataclasses")


@on_values
def attribute(s, value, attr: str):
    if attr == "__class__" and not isinstance(value, (v.Super, v.UnraisedException)) and users_class(value) is None:
        return s.call_value(v.Static(type), [value], {})
    match value:
        case v.Array() | v.Number():
            s.refuse_several([value.atom] if isinstance(value, v.Number) else [])
            return array_attribute(s, value, attr)
        case v.Super():
            return get_attribute(s, value, attr)
        case v.Static(value=obj):
            own = not is_library_class(obj) if isinstance(obj, type) else users_class(value) is not None
            return get_attribute(s, value, attr) if own else known_attribute(s, obj, attr)
        case v.Tuple(cls=c) | v.Boxed(cls=c) if (users_class(value) is not None
                                                 or c not in (tuple, slice)
                                                 and not issubclass(c, (list, dict, deque))):
            return get_attribute(s, value, attr)
        case v.Tuple() | v.Boxed() | v.Iter():
            return container_attribute(s, value, attr)
        case v.UnraisedException():
            return of_exception(s, value, attr)
    s.fail(f"{s.describe(value)} has no attribute '{attr}' here", "Use numbers, arrays and containers of them.")


def of_exception(s, error: v.UnraisedException, attr: str):
    """An attribute of an exception, as its class and its own `__init__`, which runs once more here, have it."""
    made = made_by_class(s, error)
    found = s.items(made)[0] if attr == "args" else get_attribute(s, made, attr)
    given, fixed = [*error.args, *[x for _, x in error.kwargs]], (v.Static, v.Number, v.Tuple, v.RunTimeText)
    if any([not isinstance(x, fixed) and x not in given for x in v.walk_values([found])]):
        s.fail(f"the attribute '{attr}' of an exception, which its class makes", "Give it to the exception, as it is.")
    return found


def made_by_class(s, error: v.UnraisedException) -> v.Boxed:
    """The exception as its class makes it, which may do no more than that: it was raised elsewhere, and once."""
    made = s.box((v.Tuple(error.args),), error.cls, ("args",), v.OBJECT)
    if isinstance(error.cls.__init__, pytypes.FunctionType):
        before, first = dict(s.heap), len(s.b.stmts)
        call_now(s, get_attribute(s, made, "__init__"), *error.args, **dict(error.kwargs))
        if shows(s.b.stmts[first:]) or any([s.heap.get(key) is not x for key, x in before.items()
                                            if key[0] is not made.box]):
            s.fail(f"a {error.cls.__name__} that is caught, whose __init__ does more than set its attributes",
                   "Do what else it does where it is raised.")
    return made


def container_attribute(s, value, attr: str):
    """An attribute of an object of one of Python's own classes."""
    cls = s.class_of(value)
    if not hasattr(cls, attr):
        s.stop("AttributeError", f"'{s.class_name(value)}' object has no attribute '{attr}'")
    if cls in (slice, range) and attr in BOUNDS:
        return v.parts(value)[BOUNDS.index(attr)]
    if attr == "maxlen" and is_deque(value):
        return v.Static(getattr(value.cls, "most", None))
    return v.BoundMethod(value, attr)


def known_attribute(s, obj, attr):
    """An attribute of what is known, such as an index of pandas, which does not change."""
    if not is_fixed(obj, attr):
        return static_attribute(s, obj, attr)
    found = tried_now(s, getattr, obj, attr)
    return v.Static(found) if callable(found) else foreign_value(s, obj, found)


def static_attribute(s, obj, attr):
    """An attribute of an object that a library has, as it is at each call."""
    if obj is sys and attr in STREAMS:
        return v.Static(STREAMS[attr])  # it is looked up when the program runs
    if type(obj) in (str, bytes, int, float, complex, bool, type(None)):
        if not hasattr(obj, attr):
            s.stop("AttributeError", f"'{type(obj).__name__}' object has no attribute '{attr}'")
        return v.BoundMethod(v.Static(obj), attr) if callable(getattr(obj, attr)) else v.Static(getattr(obj, attr))
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
    t, cls = s.type(value), s.class_of(value)
    if t.kind == "py" and not hasattr(cls, attr):
        s.stop("AttributeError", f"'{cls.__name__}' object has no attribute '{attr}'")
    if attr in WRITTEN and t.kind == "array":
        return s.call_value(v.Static(WRITTEN[attr]), [value], {})
    if attr in OF_ARRAYS:
        return OF_ARRAYS[attr](s, value, t)
    if not hasattr(cls, attr):
        s.missing(value, attr)
        near = difflib.get_close_matches(attr, dir(np.ndarray), 1)
        s.fail(f"an array has no attribute '{attr}'",
               f"Did you mean {near[0]}?" if near else "See docs/rules.md for those with a rule.",
               error=MissingAttribute)
    if not callable(getattr(cls, attr)):
        s.fail(f"the attribute '{attr}' of {s.describe(value)}", "docs/rules.md lists the attributes that there are.")
    return v.BoundMethod(value, attr)


# attributes of arrays and numbers -> what gives them, of the value and its type
OF_ARRAYS = {
    "shape": lambda s, x, t: v.Tuple(tuple(map(s.dim_value, t.dims))),
    "ndim": lambda s, x, t: v.Static(t.rank),
    "size": lambda s, x, t: s.dim_value(math.prod(t.dims, start=Dim.of(1))),
    "dtype": lambda s, x, t: v.Static(t.dtype),
    "T": lambda s, x, t: transposed_view(s, x, tuple(reversed(range(t.rank)))),
    "real": lambda s, x, t: FUNCTIONS[np.real](s, x),
    "imag": lambda s, x, t: FUNCTIONS[np.imag](s, x),
    "itemsize": lambda s, x, t: v.Static(t.dtype.itemsize),
    "nbytes": lambda s, x, t: s.elementwise("multiply", array_attribute(s, x, "size"), v.Static(t.dtype.itemsize))}
