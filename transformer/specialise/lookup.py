"""Names and attributes: the function's own variables, and what it sees from outside.

Arrays and numbers from outside are read at each call, as hidden arguments; functions, modules, strings
and other objects are static, and each call checks that they are still the same.
"""
from __future__ import annotations

import collections
import difflib
import sys
import types as pytypes

import gast
import numpy as np

from ..core import Const
from ..tree import is_object, parts, static_fields
from ..types import PYTHON_DTYPE, Dim, Type
from . import values as v
from .sides import on_sides
from ..outside import ABSENT, Kind, Path, Shape, can_change_unseen, hiding, is_leaf


INLINED = sys.version_info >= (3, 12)  # is a comprehension a part of the function around it, for Python's messages?
RETURNS_DIFFER = ("the results of the paths of this function do not fit together",
                  "Return the same kind of value (dtype, number of axes, lengths) on all paths.")


def lookup(s, name: str):
    frame = s.frames[-1]
    while frame is not None:
        if name in frame.locals:
            value = s.heap.get((frame, name))
            if value is None:
                s.stop(*unbound(name, frame, s.frames[-1]))
            if isinstance(value, v.Clash) and name.startswith("_gs_ret"):
                s.clash(value, *RETURNS_DIFFER)
            if isinstance(value, v.Clash):
                s.clash(value, f"the variable '{name}' cannot be used here",
                       f"Give {name} the same kind of value (dtype, number of axes, lengths) on all paths.")
            if isinstance(value, v.Maybe) and value.missing != "None":
                if value.flag not in s.known_true and not name.startswith("_gs_"):
                    s.require(value.flag, *unbound(name, frame, s.frames[-1]))
                return value.value
            return value.value if isinstance(value, v.Maybe) and value.flag in s.known_true else value
        if frame.parent is None:
            break
        frame = frame.parent
    captured = frame.captured
    if name in captured.freevars:
        cell = captured.freevars[name]
        if not has_content(cell):
            s.fail(*undefined(name))
        return lift(s, cell.cell_contents, Path(name, cell, name, "cell"), (id(cell),))
    path = Path(name, captured.globals, name, "name")
    found = path.now()
    if found is ABSENT:
        s.fail(*undefined(name))
    # Python's own modules, and NumPy's, are taken as they are
    if name not in captured.globals and getattr(found, "__module__", None) == "builtins":
        if not captured.ours:
            s.guard(Path("globals()", captured.globals, None, "default").item(name), ABSENT)
        return v.Static(found)
    return lift(s, found, path, (id(captured.globals), name))


def unbound(name: str, frame, current) -> tuple[str, str]:
    """What Python raises where a variable of a frame is read that has no value."""
    while INLINED and isinstance(current.node, (gast.ListComp, gast.DictComp)) and current is not frame:
        current = current.parent
    if current is frame:
        return "UnboundLocalError", f"cannot access local variable '{name}' where it is not associated with a value"
    return "NameError", (f"cannot access free variable '{name}' "
                         "where it is not associated with a value in enclosing scope")


def owner(frame, name: str):
    """The frame whose variable a name is that is assigned to in this one:
    its own, or one around, where it is nonlocal."""
    while name not in frame.locals and frame.parent is not None:
        frame = frame.parent
    return frame


def has_content(cell) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def undefined(name: str) -> tuple[str, str]:
    return f"the name '{name}' is not defined", f"Define {name} before the function is transformed."


def lift(s, obj, path: Path, key: tuple):
    """The value of an object from outside, the same value each time it is met."""
    key = (*key, path.text)
    if key not in s.lifted:
        before = set(s.heap) if not s.lifting else ()
        s.lifting.append(obj)
        try:
            s.lifted[key] = _lift(s, obj, path, key)
        finally:
            s.lifting.pop()
        if not s.lifting:
            s.outside.update((k, x) for k, x in s.heap.items() if k not in before)
    return s.lifted[key]


def is_own(path: Path) -> bool:
    """Does a function of Gradscribe itself see this?  Its numbers and functions do not change;
    its settings, which are strings, do."""
    namespace = (path.root if isinstance(path.root, dict)
                 else path.root.__globals__ if isinstance(path.root, pytypes.FunctionType) else {})
    return str(namespace.get("__name__", "")).startswith("gradscribe.")


def _lift(s, obj, path, key):
    if is_own(path) and not is_container(obj) and not isinstance(obj, (str, np.ndarray)):
        return s.static_number(obj)
    if is_leaf(obj):
        if path.text in s.static_paths or s.exact and (type(obj) is int or isinstance(obj, np.integer)):
            s.guard(path, obj)
            return v.Static(obj) if not isinstance(obj, np.generic) else v.Num(Const(obj))
        value = s.parameter(obj, path.text.replace(".", "_").replace("[", "_").replace("]", "").replace("'", ""), path)
        s.guard(path, Kind.of(obj))
        if isinstance(value, v.Array):
            value.cell.outside = path.text
        return value
    if is_container(obj):
        if any(x is obj for x in s.lifting[:-1]):
            s.fail(f"{path.text} contains itself", "Use containers that do not.")
        s.guard(path, Shape.of(obj))
        return made_of(s, obj, lambda x, p: lift(s, x, p, key), path, path.text)
    if can_change_unseen(obj):
        s.fail(f"{path.text} is a {type(obj).__name__}, which may change from one call to the next",
               "Make a tuple, list or dict of it, or pass it to the function.")
    s.guard(path, obj)
    s.guard_members(obj)
    s.paths[id(obj)] = Path(path.text, obj, None, "default")
    return v.Static(obj)


def is_container(x) -> bool:
    return isinstance(x, (tuple, list, dict)) or is_object(x)


def build(s, obj, leaf, path=Path("", None, None, "default"), outside=None):
    """The value of an object: of a container that of its items; `leaf(object, path)` for what is none."""
    def item(x, p):
        return made_of(s, x, item, p, outside) if is_container(x) else leaf(x, p)

    return item(obj, path)


def made_of(s, obj, item, path, outside):
    """The value of a container: `item(object, path)` for what is in it; `outside`:
    what to call it when it is not ours to change."""
    def box(*contents):
        value = s.box(*contents)
        value.box.outside = outside
        return value

    s.guard_members(type(obj))
    match obj:
        case tuple():
            return v.Tuple(tuple(item(x, path.item(k)) for k, x in enumerate(tuple.__iter__(obj))), type(obj))
        case list():
            if type(obj) is not list:
                s.fail(f"a {type(obj).__name__}", "Pass a plain list: list(x).")
            return box([item(x, path.item(k)) for k, x in enumerate(obj)])
        case dict():
            if type(obj) not in (dict, collections.OrderedDict):
                s.fail(f"a {type(obj).__name__}", "Pass a plain dict: dict(d).")
            return box([item(x, path.item(k)) for k, x in obj.items()], type(obj), obj.keys(), "dict")
    for name in hiding(obj):
        s.fail(f"a {type(obj).__name__} with an attribute '{name}' of its own, which hides that of its class",
               f"Make {name} a field of the class.")
    values, fixed = parts(obj)[0], static_fields(type(obj))
    s.partial.add(type(obj))
    return box([static_field(s, x, path.attr(n)) if n in fixed else item(x, path.attr(n)) for n, x in values.items()],
               type(obj), values, v.OBJECT)


def static_field(s, obj, path):
    """A field of a dataclass that is part of its structure; of one from outside, the program holds while it stays."""
    if isinstance(path, Path):
        s.guard(path, obj)
    return v.Static(obj)


PLAIN_MODULES = ("numpy", "math", "scipy", "gradscribe", "builtins", "operator")


@on_sides
def attribute(s, value, attr: str):
    from .objects import get_attribute, of_library, users_class
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
                                                 or c not in (tuple, slice) and not issubclass(c, (list, dict))):
            return get_attribute(s, value, attr)
        case v.Tuple() | v.Boxed() | v.Iter():
            if not hasattr(s.class_of(value), attr):
                s.stop("AttributeError", f"'{s.class_name(value)}' object has no attribute '{attr}'")
            if isinstance(value, v.Iter) and value.kind == "range" and attr in ("start", "stop", "step"):
                return value.parts[("start", "stop", "step").index(attr)]
            return v.Bound(value, attr)
        case v.Static(value=obj):
            return get_attribute(s, value, attr) if users_class(value) is not None else static_attribute(s, obj, attr)
    s.fail(f"{s.describe(value)} has no attribute '{attr}' here", "Use numbers, arrays and containers of them.")


def static_attribute(s, obj, attr):
    if type(obj) in (str, bytes, int, float, bool, type(None)):
        if not hasattr(obj, attr):
            s.stop("AttributeError", f"'{type(obj).__name__}' object has no attribute '{attr}'")
        return v.Bound(v.Static(obj), attr) if callable(getattr(obj, attr)) else v.Static(getattr(obj, attr))
    module = (obj.__name__ if isinstance(obj, pytypes.ModuleType)
              else getattr(type(obj), "__module__", "") or "").split(".")[0]
    if isinstance(obj, type):
        module = obj.__module__.split(".")[0]
    elif (isinstance(obj, (pytypes.FunctionType, pytypes.MethodType, BaseException))
            or hasattr(type(obj), "__gradscribe_call__")):
        module = "one of the user's"  # what they hold is
    if not hasattr(obj, attr):
        s.guard(path_of(s, obj).attr(attr), ABSENT)
        s.missing(v.Static(obj), attr)
        s.fail(f"{s.describe(v.Static(obj))} has no attribute '{attr}'", "Check the spelling.")
    result = getattr(obj, attr)
    if module in PLAIN_MODULES:
        return s.static_number(result) if isinstance(result, np.generic) else v.Static(result)
    return lift(s, result, path_of(s, obj).attr(attr), (id(obj),))


def path_of(s, obj) -> Path:
    """Where an outside object is found."""
    return s.paths.get(id(obj)) or Path(getattr(obj, "__name__", None) or type(obj).__name__, obj, None, "default")


def array_attribute(s, value, attr):
    from .indexing import transpose
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
        case "real" if t.dtype.kind != "c":
            return value if t.kind != "py" or t.dtype.kind != "b" else s.elementwise("add", value, v.Static(0))
    if not hasattr(np.ndarray if t.kind == "array" else t.python_type if t.kind == "py" else t.dtype.type, attr):
        s.missing(value, attr)
        near = difflib.get_close_matches(attr, dir(np.ndarray), 1)
        s.fail(f"an array has no attribute '{attr}'",
               f"Did you mean {near[0]}?" if near else "See docs/rules.md for those with a rule.")
    if not callable(getattr(np.ndarray if t.kind == "array" else t.python_type if t.kind == "py"
                            else t.dtype.type, attr)):
        s.fail(f"the attribute '{attr}' of {s.describe(value)}", "docs/rules.md lists the attributes that there are.")
    return v.Bound(value, attr)


def parameter_type(obj, name, fresh) -> Type:
    """The type of an argument: sizes are 1 or a name for the run time's length."""
    if isinstance(obj, np.ndarray):
        dims = []
        for k, n in enumerate(obj.shape):
            dims.append(Dim.of(1) if n == 1 else Dim.of(fresh(f"{name}_len{k or ''}")))
        return Type("array", obj.dtype, tuple(dims))
    if isinstance(obj, np.generic):
        return Type("np", obj.dtype)
    return Type("py", PYTHON_DTYPE[type(obj)])
