"""What classes are, and what they have under a name: asked of Python's own, nothing is evaluated."""
from __future__ import annotations

import collections
import dataclasses
import datetime
import functools
import re
import sys
import types as pytypes
from typing import Any

import numpy as np

from ...frontend.module_names import module_of, package_of
from ...library.indexes import Index
from ...library.standard import DefaultDict
from . import values as v

MISSING = type("MISSING", (), {})()
LIBRARY = sys.stdlib_module_names - {"__main__"} | {"numpy", "scipy", "pandas", "gradscribe"}
deque, defaultdict = collections.deque, collections.defaultdict
BASES = (list, dict, tuple)  # built-in classes whose subclasses hold items
# where objects hold attributes
SLOTS = (pytypes.MemberDescriptorType, pytypes.GetSetDescriptorType,
         type(collections.namedtuple("Named", "field").field))
_ORDERED = collections.OrderedDict()
_OF = ((), [], {}, {}.values(), {}.items())
_LEAVES = [*map(iter, (*_OF, set(), "", b"", range(0), range(2**70), _ORDERED, _ORDERED.values(), _ORDERED.items(),
                       deque(), np.zeros(0))), *map(reversed, (*_OF, deque()))]
LEAVES = {type(x): x for x in (*_LEAVES, iter(lambda: 0, 0))}  # class -> one of it
COMPOSED = {type(x): x for x in (enumerate(()), zip(), map(bool, ()), filter(None, ()), (x for x in ()))}


def iterator_of_class(cls: type):
    """An iterator of this class of Python's; None of any other class."""
    return LEAVES.get(cls, COMPOSED.get(cls))


def type_of_value(s, value) -> type:
    """What `type(value)` is."""
    match value:
        case v.Static(value=obj):
            return type(obj)
        case v.Array():
            return np.ndarray
        case v.Number(atom=a):
            t = s.b.type(a)
            return t.python_type if t.kind == "py" else t.dtype.type
        case v.Tuple(cls=c) | v.Boxed(cls=c) | v.UnraisedException(cls=c):
            return public_class(c) if issubclass(c, deque) else c
        case v.Iter(kind=kind):
            return range if kind == "range" else type(getattr({}, kind)())
        case v.RunTimeText():
            return str
        case v.Super():
            return super
        case v.Partial():
            return pytypes.MethodType if value.is_method else functools.partial
        case v.BoundMethod():
            return pytypes.BuiltinMethodType
        case v.OneOf(optional=True):
            s.fail("the class of a value that may be None", "Test `is None` first.")
        case v.OneOf(value=v.Array()):
            s.fail(f"the class of {s.describe(value)}", "Make it an array on both paths: np.zeros(...), np.full(...).")
    return pytypes.FunctionType


def classes_of(s, x) -> list[type]:
    """The classes that a value may have: of a number that paths join, several."""
    types = s.b.several.get(x.atom, ()) if isinstance(x, v.Number) else ()
    return [t.python_type if t.kind == "py" else t.dtype.type for t in types] or [type_of_value(s, x)]


def the_one_class(s, x, found: list):
    """What is found of each class that a value may have."""
    if len(set(found)) > 1:
        s.refuse_several([x.atom], "the class of a number that is another on each path")
    return found[0]


def refuse_stand_in(s, value) -> None:
    """An object of a library that is outside is read as one of ours, of whose class no program may know."""
    if isinstance(value, v.Boxed) and is_stand_in(value.cls):
        s.fail(f"the class of an object that is read as {value.cls.__name__}", "Test the class before the call.")


def is_stand_in(cls: type) -> bool:
    return module_of(cls).startswith("gradscribe.transformer.library.")


def is_library_class(cls: type) -> bool:
    """Is it a class of Python, NumPy or Gradscribe?"""
    return package_of(cls) in LIBRARY


def python_function(f):
    """f where it is a built-in function, or a class of a library; None of users' objects and classes, which hash and
    compare as they like and are in no table of ours."""
    is_known = isinstance(f, pytypes.BuiltinFunctionType) or isinstance(f, type) and is_library_class(f)
    return f if is_known else None


def users_class(value) -> type | None:
    """The class of an object of a user's class; None of numbers, arrays, functions,
    and objects of the library's classes."""
    if isinstance(value, (v.Boxed, v.Tuple)):
        c = value.cls
        own = module_of(c) not in ("builtins", "collections") or hasattr(c, "__missing__")
        return c if own and not hasattr(c, "__gradscribe_made_inside__") else None
    if isinstance(value, v.Static) and not is_library_class(type(value.value)):
        return type(value.value)
    return None


def base_of(cls: type) -> type:
    """The built-in class whose items its objects hold, or object."""
    for base in BASES:
        if issubclass(cls, base):
            return base
    return object


def is_deque(value) -> bool:
    return isinstance(value, v.Boxed) and issubclass(value.cls, deque)


@functools.lru_cache(256)
def defaultdict_of(factory) -> type:
    """The class of a defaultdict whose items this value makes, which Python keeps in the object.

    made_by  what a result of the function gets for it; a function that is made inside has no object
    """
    return type("defaultdict", (DefaultDict,), {"__module__": "collections", "default_factory": Factory(factory),
                                                "made_by": getattr(factory, "value", None)})


@dataclasses.dataclass(frozen=True)
class Factory:
    value: Any


def public_class(cls: type) -> type:
    """The class that users see: that of Python's, of one which says more here."""
    return defaultdict if issubclass(cls, DefaultDict) else deque if issubclass(cls, deque) else cls


def is_set(value) -> bool:
    return isinstance(value, v.Boxed) and value.cls is set


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


def empty_object(cls: type):
    """An object of a class that no constructor has seen."""
    return cls() if cls is pytypes.SimpleNamespace else base_of(cls).__new__(cls)


def is_class(value) -> bool:
    return isinstance(value, v.Static) and isinstance(value.value, type)


def is_data(found) -> bool:
    """Does what a class has under a name come before what its objects have?"""
    return isinstance(found, (property, *SLOTS)) or any(look_up(type(found), n)[0] is not MISSING
                                                        for n in ("__set__", "__delete__"))


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


# objects of libraries that do not change: what is made of what is known, Python makes before the run
UNCHANGING = (datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo, re.Pattern, re.Match, Index)


def makeable(cls: type) -> bool:
    """Can objects of this class be made in a function that is transformed?"""
    if (is_library_class(cls) and not dataclasses.is_dataclass(cls) and not hasattr(cls, "_fields")
            and cls is not collections.Counter):  # which Python has in Python
        return False
    new, holder = look_up(cls, "__new__")
    return holder in (object, *BASES) or isinstance(new, (staticmethod, pytypes.FunctionType))
