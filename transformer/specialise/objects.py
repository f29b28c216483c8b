"""Users' classes, by Python's own rules: where an attribute is found, what reading and storing it calls, how an object
is made.

An object that the function makes, or is given as a dataclass, is a `v.Boxed`: its attributes stand in the heap, as the
items of a dict do, and `vars(x)` is the same box seen as a dict.  An object from outside is a `v.Static`, whose
attributes are read at each call.  A named tuple is a `v.Tuple`.  What a class says is read like any function; what
Python itself brings is done by Python.
"""
from __future__ import annotations

import collections
import enum
import functools
import sys
import types as pytypes
from typing import Any

import numpy as np

from . import values as v
from .join import is_frozen
from .lookup import Path, lift, path_of
from .signatures import tried

MISSING = type("MISSING", (), {})()
LIBRARY = sys.stdlib_module_names - {"__main__"} | {"numpy", "scipy", "gradscribe"}
BASES = (list, dict, tuple)  # built-in classes whose subclasses hold items
BUILT_IN = (pytypes.WrapperDescriptorType, pytypes.MethodDescriptorType, pytypes.ClassMethodDescriptorType)
# where objects hold attributes
SLOTS = (pytypes.MemberDescriptorType, pytypes.GetSetDescriptorType,
         type(collections.namedtuple("Named", "field").field))


# classes -------------------------------------------------------------------------------------
def class_of(s, value) -> type:
    """What `type(value)` is."""
    match value:
        case v.Static(value=obj):
            return type(obj)
        case v.Array():
            return np.ndarray
        case v.Num(atom=a):
            t = s.b.type(a)
            return t.python_type if t.kind == "py" else t.dtype.type
        case v.Tuple(cls=c) | v.Boxed(cls=c) | v.Problem(cls=c):
            return c
        case v.Iter(kind=kind):
            return range if kind == "range" else type(getattr({}, kind)())
        case v.Text():
            return str
        case v.Super():
            return super
        case v.Partial():
            return pytypes.MethodType if value.is_method else functools.partial
        case v.Bound():
            return pytypes.BuiltinMethodType
        case v.Maybe():
            s.fail("the class of a value that may be None", "Test `is None` first.")
    return pytypes.FunctionType


def of_library(cls: type) -> bool:
    """Is it a class of Python, NumPy or Gradscribe?"""
    return str(getattr(cls, "__module__", "")).partition(".")[0] in LIBRARY


def users_class(value) -> type | None:
    """The class of an object of a user's class; None of numbers, arrays, functions,
    and objects of the library's classes."""
    if isinstance(value, (v.Boxed, v.Tuple)):
        c = value.cls
        return None if c.__module__ in ("builtins", "collections") or hasattr(c, "__gradscribe_made_inside__") else c
    if isinstance(value, v.Static) and not of_library(type(value.value)):
        return type(value.value)
    return None


def base_of(cls: type) -> type:
    """The built-in class whose items its objects hold, or object."""
    for base in BASES:
        if issubclass(cls, base):
            return base
    return object


def as_builtin(value):
    """An object of a user's list, dict or tuple as one of the built-in class: the same items."""
    if users_class(value) is None or isinstance(value, v.Static) or (base := base_of(value.cls)) is object:
        return value
    return v.Tuple(value.items) if isinstance(value, v.Tuple) else v.Boxed(value.box, base, value.keys)


def look_up(cls: type, name: str, behind: type | None = None) -> tuple[Any, type | None]:
    """(what a class has under a name, the class of its order of look-up that has it); `behind`:
    only those after this one."""
    order = cls.__mro__[cls.__mro__.index(behind) + 1:] if behind is not None else cls.__mro__
    for c in order:
        if name in vars(c):
            return vars(c)[name], c
    return MISSING, None


def empty(cls: type):
    """An object of a class that no constructor has seen."""
    return base_of(cls).__new__(cls)


# reading attributes --------------------------------------------------------------------------
def get_attribute(s, value, name: str):
    """`value.name` of an object or class of a user's, or of super()."""
    match value:
        case v.Super(cls=behind, value=owner, start=start):
            found, holder = look_up(start, name, behind)
            if found is MISSING:
                s.stop("AttributeError", f"'super' object has no attribute '{name}'")
            through_class = is_class(owner) and owner.value is start
            return bound(s, found, holder, name, None if through_class else owner, start,
                         path_of(s, holder).attr(name), start)
        case v.Static(value=type() as cls):
            return class_attribute(s, cls, name)
    cls = class_of(s, value)
    return plain_attribute(s, value, name, special(s, value, "__getattr__"))


def plain_attribute(s, value, name: str, otherwise=None):
    """As object.__getattribute__ finds it; `otherwise`: what is asked where it is not found."""
    cls = class_of(s, value)
    if name == "__class__":
        return v.Static(cls)
    found, holder = look_up(cls, name)
    outside = isinstance(value, v.Static)
    at = path_of(s, value.value if outside else cls).attr(name)
    own = own_attribute(s, value, name, at)
    if own is not None and not (is_data(found) and not isinstance(found, SLOTS)):
        return own
    if name == "__dict__" and found is not MISSING:
        return as_dict(s, value)
    if found is not MISSING and not isinstance(found, pytypes.MemberDescriptorType):
        return bound(s, found, holder, name, value, cls, at)
    if otherwise is not None:
        return call(s, otherwise, v.Static(name))
    if is_partial(s, value):
        s.fail(f"{cls.__name__} has no field '{name}'",
               "Of an argument only the fields are known: make it a field, or a property.")
    tried(s, getattr, value.value if outside else s.iterators.get(cls) or empty(cls), name)


def own_attribute(s, value, name: str, at: Path):
    """What stands in the object itself under a name, or None."""
    if isinstance(value, v.Boxed) and base_of(value.cls) is object:
        keys, items = s.keys(value), s.items(value)
        return s.item(items[keys.index(name)]) if name in keys else None
    if isinstance(value, v.Tuple) and name in getattr(value.cls, "_fields", ()):
        return value.items[value.cls._fields.index(name)]
    if isinstance(value, v.Static) and in_object(value.value, name):
        return lift(s, getattr(value.value, name), at, (id(value.value),))
    return None


def in_object(obj, name: str) -> bool:
    """Does an object from outside hold an attribute itself?"""
    return (name in getattr(obj, "__dict__", ()) or isinstance(look_up(type(obj), name)[0],
                                                               pytypes.MemberDescriptorType)
            and hasattr(obj, name))


def is_partial(s, value) -> bool:
    """May an object have attributes that are not known:
    is it an argument, of which only the fields are, or a copy of one?"""
    return isinstance(value, v.Boxed) and (bool(value.box.outside) or value.cls in s.partial)


def as_dict(s, value):
    """`value.__dict__`: its attributes, as a dict."""
    if isinstance(value, v.Static):
        return lift(s, vars(value.value), path_of(s, value.value).attr("__dict__"), (id(value.value),))
    if (not isinstance(value, v.Boxed) or is_partial(s, value) or any(isinstance(x, v.Clash) for x in s.items(value))
            or any(isinstance(look_up(value.cls, k)[0], pytypes.MemberDescriptorType) for k in s.keys(value))):
        s.fail(f"the __dict__ of {s.describe(value)}",
               "Name the attributes: getattr(x, name) for a name that is known.")
    return v.Boxed(value.box, dict, value.keys)


def class_attribute(s, cls: type, name: str):
    """`cls.name`"""
    if name == "__class__":
        return v.Static(type(cls))
    found, holder = look_up(cls, name)
    of_meta, meta = look_up(type(cls), name)
    if found is MISSING or of_meta is not MISSING and is_data(of_meta) or isinstance(cls, enum.EnumMeta):
        if isinstance(of_meta, (pytypes.FunctionType, property)) and not of_library(meta):
            return bound(s, of_meta, meta, name, v.Static(cls), type(cls), path_of(s, type(cls)).attr(name))
        if not hasattr(cls, name):
            tried(s, getattr, cls, name)
        result = getattr(cls, name)
        return (lift(s, result, path_of(s, cls).attr(name), (id(cls),)) if not callable(result) and name != "__dict__"
                else v.Static(result))
    return bound(s, found, holder, name, None, cls, path_of(s, cls).attr(name))


def is_class(value) -> bool:
    return isinstance(value, v.Static) and isinstance(value.value, type)


def is_data(found) -> bool:
    """Does what a class has under a name come before what its objects have?"""
    return isinstance(found, (property, *SLOTS)) or any(look_up(type(found), n)[0] is not MISSING
                                                        for n in ("__set__", "__delete__"))


def bound(s, found, holder, name: str, value, cls: type, at: Path, owner: type | None = None):
    """What the classes have under a name, as it is read through an object (value) or through a class (None).

    at     where it is found at each call
    owner  what a class method is given
    """
    through_object = (isinstance(value, v.Static) and not isinstance(found, property) and holder is not None
                      and at.holder.get() is value.value)
    match found:
        case pytypes.FunctionType():
            s.guard(at.attr("__func__") if through_object else at, found)
            return method(v.Static(found), value)
        case staticmethod():
            s.guard(at, found.__func__)
            return v.Static(found.__func__)
        case classmethod():
            s.guard(at.attr("__func__"), found.__func__)
            return method(v.Static(found.__func__), v.Static(owner or (cls if not is_class(value) else value.value)))
        case property() | functools.cached_property() if value is None:
            return v.Static(found)
        case property():
            s.guard(path_of(s, cls if owner is None else holder).attr(name), found)
            if found.fget is None:
                s.stop("AttributeError", f"property '{name}' of '{cls.__name__}' object has no getter")
            return call(s, v.Static(found.fget), value)
        case functools.cached_property():
            return cached(s, found, value, name)
        case functools.partialmethod():
            return v.Partial(bound(s, found.func, holder, name, value, cls, at, owner),
                             tuple(map(v.Static, found.args)),
                             tuple((k, v.Static(x)) for k, x in found.keywords.items()))
        case _ if isinstance(found, BUILT_IN):
            return built_in(found, name, value, cls)
        case _ if hasattr(type(found), "__gradscribe_call__") or isinstance(found, functools._lru_cache_wrapper):
            s.guard(path_of(s, holder).attr("__dict__").item(name), found)
            return method(v.Static(found), value)
        case _ if (isinstance(getattr(type(found), "__get__", None), pytypes.FunctionType)
                   and not of_library(type(found))):
            descriptor = lift(s, found, path_of(s, holder).attr("__dict__").item(name), (id(holder), name))
            return call(s, special(s, descriptor, "__get__"), v.Static(None) if value is None else value, v.Static(cls))
        case _ if hasattr(type(found), "__get__") and not isinstance(found, type):
            if value is None:
                return v.Static(found)
            if not isinstance(value, v.Static):
                s.fail(f"{cls.__name__}.{name}, a {type(found).__name__}", "Use a property, or a method.")
            result = getattr(value.value, name)
            return v.Static(result) if callable(result) else lift(s, result, at, (id(value.value),))
    return lift(s, found, at, (id(at.holder.get()),))


def method(function, value):
    """A function as a method of a value; of None itself."""
    return function if value is None else v.Partial(function, (value,), (), True)


def built_in(found, name: str, value, cls: type):
    """A method that Python brings: of an object of a user's list, dict or tuple that of its items."""
    from .calls import handler_of
    if isinstance(found, pytypes.ClassMethodDescriptorType):
        return v.Static(getattr(cls, name))
    if value is None or handler_of(found) is not None:
        return method(v.Static(found), value)
    return v.Bound(as_builtin(value), name)


def cached(s, found, value, name: str):
    """A functools.cached_property that was not read yet."""
    result = call(s, v.Static(found.func), value)
    if isinstance(value, v.Static):  # it is computed here, too, but others may have it by then
        for ref in [result.cell if isinstance(result, v.Array) else getattr(result, "box", None)]:
            if ref is not None:
                ref.outside = ref.outside or name
        return result
    from .making import store
    store(s, value, name, result)
    return result


def call(s, function, /, *args, **kwargs):
    return s.call_value(function, list(args), kwargs)


# special methods, identity --------------------------------------------------------------------
def special(s, value, name: str):
    """The special method that the class of a value defines in Python code, bound to it;
    None where it is built in, or there is none."""
    cls = users_class(value)
    if cls is None:
        return None
    found, holder = look_up(cls, name)
    if found is MISSING or not in_python(found) or isinstance(value, v.Static) and by_library(found):
        return None
    if found is None:
        return v.Static(None)
    return bound(s, found, holder, name, value, cls, path_of(s, cls).attr(name))


def in_python(found) -> bool:
    """Is it what a class written in Python has for a special method?"""
    kinds = (pytypes.FunctionType, staticmethod, classmethod, functools.partialmethod,
             functools._lru_cache_wrapper, type(None))
    return isinstance(found, kinds) or hasattr(type(found), "__gradscribe_call__")


def by_library(found) -> bool:
    """Is it a function that Python runs on the objects as they are,
    such as Enum.__hash__?  (What total_ordering adds calls a user's.)"""
    module = getattr(found, "__globals__", {}).get("__name__", "")
    return module.partition(".")[0] in LIBRARY and module != "functools"


def identical(s, left, right) -> bool:
    """`left is right` of two objects."""
    if isinstance(left, v.Boxed) and isinstance(right, v.Boxed):
        # where a function is recorded, a box stands for another
        boxes = [x.box.original or x.box for x in (left, right)]
        if boxes[0] is not boxes[1] and (all(b.outside for b in boxes)
                                         or is_frozen(s.heap, left.box) and is_frozen(s.heap, right.box)):
            s.fail("`is` of two objects of which only the run time knows whether they are one",
                   "Compare what they hold.")
        return boxes[0] is boxes[1]
    if isinstance(left, v.Static) and isinstance(right, v.Static):
        return left.value is right.value
    return left is right

