"""Names and attributes: the function's own variables, and what it sees from outside.

Arrays and numbers from outside are read at each call, as hidden arguments; functions, modules, strings
and other objects are static, and each call checks that they are still the same.
"""
from __future__ import annotations

import builtins
import collections
import dataclasses
import difflib
import inspect
import types as pytypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core import Const
from ..tree import is_object, parts, static_fields
from ..types import PYTHON_DTYPE, Dim, Type
from . import values as v


@dataclass(frozen=True, eq=False)
class Path:
    """Where an outside object is found at call time."""

    text: str
    holder: Any  # a namespace (dict), a closure cell, or a Path
    key: Any
    how: str  # "name", "cell", "attr", "item"

    def get(self):
        match self.how:
            case "name":
                return self.holder[self.key] if self.key in self.holder else getattr(builtins, self.key)
            case "cell":
                return self.holder.cell_contents
            case "attr":
                return getattr(self.holder.get(), self.key)
            case "item":
                return self.holder.get()[self.key]
            case "default":
                return self.holder
            case "of function":
                return (self.holder.__kwdefaults__ if isinstance(self.key, str) else self.holder.__defaults__)[self.key]

    @property
    def root(self):
        """What the way starts from."""
        return self.holder.root if isinstance(self.holder, Path) else self.holder

    def attr(self, key):
        return Path(f"{self.text}.{key}", self, key, "attr")

    def item(self, key):
        return Path(f"{self.text}[{key!r}]", self, key, "item")


RETURNS_DIFFER = ("the results of the paths of this function do not fit together",
                  "Return the same kind of value (dtype, number of axes, lengths) on all paths.")


def lookup(s, name: str):
    frame = s.frames[-1]
    while frame is not None:
        if name in frame.locals:
            value = s.heap.get((frame, name))
            if value is None:
                s.fail(f"the variable '{name}' is read here, where it may not have a value",
                       f"Give {name} a value before the branch or loop that sets it.")
            if isinstance(value, v.Clash) and name.startswith("_gs_ret"):
                s.clash(value, *RETURNS_DIFFER)
            if isinstance(value, v.Clash):
                s.clash(value, f"the variable '{name}' cannot be used here",
                       f"Give {name} the same kind of value (dtype, number of axes, lengths) on all paths.")
            if isinstance(value, v.Maybe) and value.missing != "None":
                return s.present(value)
            return value
        if frame.parent is None:
            break
        frame = frame.parent
    captured = frame.captured
    if name in captured.freevars:
        cell = captured.freevars[name]
        if not has_content(cell):
            s.fail(*undefined(name))
        return lift(s, cell.cell_contents, Path(name, cell, name, "cell"), (id(cell),))
    if name in captured.globals:
        return lift(s, captured.globals[name], Path(name, captured.globals, name, "name"), (id(captured.globals), name))
    if hasattr(builtins, name):
        return v.Static(getattr(builtins, name))
    s.fail(*undefined(name))


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
        before = set(s.heap)
        s.lifted[key] = _lift(s, obj, path, key)
        s.outside.update((k, x) for k, x in s.heap.items() if k not in before)
    return s.lifted[key]


def is_own(path: Path) -> bool:
    """Does a function of Gradscribe itself see this?  Its numbers do not change."""
    namespace = path.root if isinstance(path.root, dict) else getattr(path.root, "__globals__", {})
    return str(namespace.get("__name__", "")).startswith("gradscribe.")


def _lift(s, obj, path, key):
    if is_leaf(obj) and not isinstance(obj, np.ndarray) and is_own(path):
        return s.static_number(obj)
    if is_leaf(obj):
        if path.text in s.static_paths or s.exact and (type(obj) is int or isinstance(obj, np.integer)):
            s.facts.guards.append((path, obj))
            return v.Static(obj) if not isinstance(obj, np.generic) else v.Num(Const(obj))
        value = s.parameter(obj, path.text.replace(".", "_").replace("[", "_").replace("]", "").replace("'", ""), path)
        s.facts.guards.append((path, Kind.of(obj)))
        if isinstance(value, v.Array):
            value.cell.outside = path.text
        return value
    if is_object(obj) or isinstance(obj, (tuple, list, dict)):
        s.facts.guards.append((path, Shape.of(obj)))
        return build(s, obj, lambda x, p: lift(s, x, p, key), path, path.text)
    if not getattr(builtins, path.text, None) is obj:
        s.facts.guards.append((path, obj))
    s.paths[id(obj)] = path
    return v.Static(obj)


@dataclass(frozen=True)
class Shape:
    """What a guard of a container compares: its class and its keys or length."""

    cls: type
    keys: tuple

    @staticmethod
    def of(obj) -> "Shape":
        keys = tuple(obj) if isinstance(obj, dict) else tuple(range(len(obj))) if isinstance(obj, (tuple, list)) else \
            tuple(parts(obj)[0])
        return Shape(type(obj), keys)


@dataclass(frozen=True)
class Kind:
    """What a guard of an array or number compares: all that the specialisation knows of it."""

    cls: type
    dtype: np.dtype | None = None
    ones: tuple[bool, ...] = ()
    order: str | None = None

    @staticmethod
    def of(obj) -> "Kind":
        if not isinstance(obj, np.ndarray):
            return Kind(type(obj), getattr(obj, "dtype", None))
        order = "C" if obj.flags.c_contiguous else "F" if obj.flags.f_contiguous else None
        return Kind(type(obj), obj.dtype, tuple(n == 1 for n in obj.shape), order)


def is_leaf(x) -> bool:
    """Is it a number or array, which the run time brings?  (An IntEnum and other subclasses of int and float are objects.)"""
    return type(x) in (float, int, bool, complex) or isinstance(x, (np.ndarray, np.generic))


def build(s, obj, leaf, path=None, outside=None):
    """The value of a container: `leaf(object, path)` for what is in it; `outside`: what to call it when it is not ours to change."""
    sub = (lambda k, how: getattr(path, how)(k)) if path is not None else (lambda k, how: None)

    def child(x, k, how):
        p = sub(k, how)
        return build(s, x, leaf, p, outside) if isinstance(x, (tuple, list, dict)) or is_object(x) else leaf(x, p)

    def box(*contents):
        value = s.box(*contents)
        value.box.outside = outside
        return value

    match obj:
        case tuple():
            return v.Tuple(tuple(child(x, k, "item") for k, x in enumerate(obj)), type(obj))
        case list():
            return box([child(x, k, "item") for k, x in enumerate(obj)])
        case dict():
            if type(obj) not in (dict, collections.OrderedDict):
                s.fail(f"a {type(obj).__name__}", "Pass a plain dict: dict(d).")
            return box([child(x, k, "item") for k, x in obj.items()], type(obj), obj.keys(), "dict")
    if is_object(obj):
        values, fixed = parts(obj)[0], static_fields(type(obj))
        return box([static_field(s, x, sub(n, "attr")) if n in fixed else child(x, n, "attr") for n, x in values.items()],
                   type(obj), values, "obj")
    return leaf(obj, path)


def static_field(s, obj, path):
    """A field of a dataclass that is part of its structure; of one from outside, the program holds while it stays."""
    if isinstance(path, Path):
        s.facts.guards.append((path, obj))
    return v.Static(obj)


PLAIN_MODULES = ("numpy", "math", "scipy", "gradscribe", "builtins", "operator")


def attribute(s, value, attr: str):
    match value:
        case v.Array() | v.Num():
            return array_attribute(s, value, attr)
        case v.Maybe():
            return attribute(s, s.present(value), attr)
        case v.Tuple(cls=c) if attr in getattr(c, "_fields", ()):
            return value.items[c._fields.index(attr)]
        case v.Tuple(cls=c) if c is slice and attr in ("start", "stop", "step"):
            return value.items[("start", "stop", "step").index(attr)]
        case v.Boxed(cls=c) if not issubclass(c, (list, dict)):
            if attr in s.keys(value):
                return s.items(value)[s.keys(value).index(attr)]
            return class_attribute(s, value, c, attr)
        case v.Tuple(cls=c) if c not in (tuple, slice) and attr not in ("count", "index"):
            return class_attribute(s, value, c, attr)
        case v.Tuple() | v.Boxed():
            return v.Bound(value, attr)
        case v.Static(value=obj):
            return static_attribute(s, obj, attr)
    s.fail(f"{s.describe(value)} has no attribute '{attr}' here", "Use numbers, arrays and containers of them.")


def class_attribute(s, value, cls, attr):
    found = inspect.getattr_static(cls, attr, None)
    if isinstance(found, (property, pytypes.FunctionType)):
        s.guard(Path(cls.__name__, cls, None, "default").attr(attr), found)
    if isinstance(found, property):
        from .calls import call_value
        return call_value(s, v.Static(found.fget), [value], {})
    if isinstance(found, pytypes.FunctionType):
        return v.Bound(value, attr)
    if isinstance(found, (staticmethod, classmethod)):
        return v.Static(getattr(cls, attr))
    if found is None:
        s.fail(f"{cls.__name__} has no attribute '{attr}'", "Check the spelling.")
    return v.Static(found)


def static_attribute(s, obj, attr):
    if type(obj) in (str, int, float, bool):
        return v.Bound(v.Static(obj), attr)
    module = (obj.__name__ if isinstance(obj, pytypes.ModuleType) else getattr(type(obj), "__module__", "") or "").split(".")[0]
    if isinstance(obj, type):
        module = obj.__module__.split(".")[0]
    found = inspect.getattr_static(type(obj), attr, None) if module not in PLAIN_MODULES else None
    if isinstance(found, property):
        s.guard(Path(type(obj).__name__, type(obj), None, "default").attr(attr), found)
        from .calls import call_value
        return call_value(s, v.Static(found.fget), [v.Static(obj)], {})
    if not hasattr(obj, attr):
        s.fail(f"{s.describe(v.Static(obj))} has no attribute '{attr}'", "Check the spelling.")
    result = getattr(obj, attr)
    if module in PLAIN_MODULES:
        return s.static_number(result) if isinstance(result, np.generic) else v.Static(result)
    if isinstance(result, pytypes.MethodType):
        s.guard(Path(type(obj).__name__, type(obj), None, "default").attr(attr), getattr(type(obj), attr, None))
        return v.Static(result)
    path = s.paths.get(id(obj))
    if path is None:
        path = Path(repr(type(obj).__name__), obj, None, "default")
    return lift(s, result, path.attr(attr), (id(obj),))


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
            return value
    if not hasattr(np.ndarray if t.kind == "array" else t.python_type if t.kind == "py" else t.dtype.type, attr):
        near = difflib.get_close_matches(attr, dir(np.ndarray), 1)
        s.fail(f"an array has no attribute '{attr}'", f"Did you mean {near[0]}?" if near else "See docs/rules.md for those with a rule.")
    return v.Bound(value, attr)


def parameter_type(obj, static_ones: bool, name, fresh) -> Type:
    """The type of an argument: sizes are 1 or a name for the run time's length."""
    if isinstance(obj, np.ndarray):
        dims = []
        for k, n in enumerate(obj.shape):
            dims.append(Dim.of(1) if n == 1 else Dim.of(n) if static_ones else Dim.of(fresh(f"{name}_len{k or ''}")))
        return Type("array", obj.dtype, tuple(dims))
    if isinstance(obj, np.generic):
        return Type("np", obj.dtype)
    return Type("py", PYTHON_DTYPE[type(obj)])
