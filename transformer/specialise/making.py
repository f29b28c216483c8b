"""How objects of users' classes are made and changed: constructors, and stores into attributes."""
from __future__ import annotations

import dataclasses
import enum
import types as pytypes

from ..errors import ImpurityError
from . import values as v
from .lookup import attribute, lift
from .objects import BASES, base_of, call, class_of, empty, is_data, look_up, of_library, path_of, special, type_name, users_class, words
from .sides import on_sides, settled


# making objects ------------------------------------------------------------------------------
def construct(s, cls: type, args, kwargs):
    """`cls(*args, **kwargs)`"""
    made_by, meta = look_up(type(cls), "__call__")
    if isinstance(cls, enum.EnumMeta):
        given = [s.static(a, "it chooses a member of an Enum") for a in args]
        try:
            return v.Static(cls(*given, **{k: s.static(x, "it chooses a member of an Enum") for k, x in kwargs.items()}))
        except (TypeError, ValueError) as error:
            s.stop(type(error).__name__, str(error))
    if isinstance(made_by, pytypes.FunctionType) and not of_library(meta):
        return call(s, v.Static(made_by), v.Static(cls), *args, **kwargs)
    return instance(s, v.Static(cls), *args, **kwargs)


def instance(s, of, /, *args, **kwargs):
    """As type.__call__ does it: __new__, then __init__."""
    cls = of.value
    new, holder = look_up(cls, "__new__")
    if not makeable(cls):
        s.fail(*no_class(cls))
    if isinstance(new, staticmethod):
        s.guard(path_of(s, cls).attr("__new__"), new.__func__)
        made = call(s, v.Static(new.__func__), of, *args, **kwargs)
    elif isinstance(new, pytypes.FunctionType):
        made = call(s, v.Static(new), of, *args, **kwargs)
    else:
        made = call(s, v.Static(holder.__new__), of, *args, **kwargs)
    if not issubclass(class_of(s, made), cls):
        return made
    init, holder = look_up(class_of(s, made), "__init__")
    if isinstance(init, pytypes.FunctionType):
        s.guard(path_of(s, class_of(s, made)).attr("__init__"), init)
    result = call(s, v.Static(init), made, *args, **kwargs)
    if isinstance(init, pytypes.FunctionType) and result != v.Static(None):
        s.stop("TypeError", f"__init__() should return None, not '{type_name(s, result)}'")
    return made


def makeable(cls: type) -> bool:
    """Can objects of this class be made in a function that is transformed?"""
    if of_library(cls) and not dataclasses.is_dataclass(cls) and not hasattr(cls, "_fields"):
        return False
    new, holder = look_up(cls, "__new__")
    return holder in (object, *BASES) or isinstance(new, (staticmethod, pytypes.FunctionType))


def no_class(cls: type) -> tuple[str, str]:
    """Why objects of a class are not made, and what to do instead."""
    return f"an object of class {cls.__name__} is made", "Use a dataclass, NamedTuple, dict, list or tuple, or a class of your own."


# storing attributes --------------------------------------------------------------------------
def set_attribute(s, base, name: str, value) -> None:
    """`base.name = value`"""
    base = settled(s, base, lambda none: attribute(s, none, name))
    own = special(s, base, "__setattr__")
    if own is not None and not isinstance(base, v.Static):
        call(s, own, v.Static(name), value)
    else:
        plain_set(s, base, name, value)


def changed_outside(s, base, name: str) -> None:
    s.fail(f"a store into the attribute '{name}' of {s.describe(base)}", "Return the new value instead, or keep it in a dataclass.", error=ImpurityError)


def plain_set(s, base, name: str, value) -> None:
    """As object.__setattr__ does it."""
    if not isinstance(base, (v.Boxed, v.Tuple)) or users_class(base) is None and not hasattr(base.cls, "__gradscribe_made_inside__"):
        changed_outside(s, base, name)
    cls = base.cls
    found, holder = look_up(cls, name)
    if isinstance(found, property) and found.fset is not None:
        s.guard(path_of(s, cls).attr(name), found)
        call(s, v.Static(found.fset), base, value)
    elif isinstance(getattr(type(found), "__set__", None), pytypes.FunctionType):
        descriptor = lift(s, found, path_of(s, holder).attr("__dict__").item(name), (id(holder), name))
        call(s, special(s, descriptor, "__set__"), base, value)
    elif name == "__class__" or name == "__dict__":
        s.fail(f"a store into {name}", "Make a new object.")
    elif isinstance(found, pytypes.MemberDescriptorType) or not is_data(found) and "__dict__" in dir(cls):
        store(s, base, name, value)
    else:
        s.stop(*words(lambda: object.__setattr__(empty(cls), name, None)))


def store(s, base, name: str, value) -> None:
    """Put an attribute into the object itself."""
    if base_of(base.cls) is not object:
        s.fail(f"an attribute of an object that is a {base_of(base.cls).__name__} as well", "Keep the items in an attribute of a class of its own.")
    if holds(s, value, base.box, set()):
        s.fail(f"a {base.cls.__name__} that holds itself", "Pass the object to the function that needs it.")
    keys, items = s.keys(base), list(s.items(base))
    if name in keys:
        items[keys.index(name)] = value
        s.change(base, items)
    else:
        s.change(base, [*items, value])
        s.heap[base.box, "keys"] = (*keys, name)


def holds(s, value, box, seen: set) -> bool:
    """Is the box in a value?"""
    match value:
        case v.Boxed(box=inner) if inner not in seen:
            seen.add(inner)
            content = s.heap[inner, None]
            return inner is box or isinstance(content, tuple) and any(holds(s, x, box, seen) for x in content)
        case v.Tuple(items=items):
            return any(holds(s, x, box, seen) for x in items)
        case v.Maybe(value=inner):
            return holds(s, inner, box, seen)
    return False


@on_sides
def delete_attribute(s, base, name: str) -> None:
    """`del base.name`"""
    own = special(s, base, "__delattr__")
    if own is not None and not isinstance(base, v.Static):
        call(s, own, v.Static(name))
    else:
        plain_delete(s, base, name)


def plain_delete(s, base, name: str) -> None:
    """As object.__delattr__ does it."""
    if not isinstance(base, v.Boxed) or users_class(base) is None:
        changed_outside(s, base, name)
    found, holder = look_up(base.cls, name)
    if isinstance(found, property) and found.fdel is not None:
        s.guard(path_of(s, base.cls).attr(name), found)
        call(s, v.Static(found.fdel), base)
    elif isinstance(getattr(type(found), "__delete__", None), pytypes.FunctionType):
        descriptor = lift(s, found, path_of(s, holder).attr("__dict__").item(name), (id(holder), name))
        call(s, special(s, descriptor, "__delete__"), base)
    elif name in s.keys(base) and base_of(base.cls) is object and not isinstance(found, property):
        k = s.keys(base).index(name)
        keys, items = [list(x) for x in (s.keys(base), s.items(base))]
        del keys[k], items[k]
        s.change(base, items)
        s.heap[base.box, "keys"] = tuple(keys)
    else:
        s.stop(*words(lambda: object.__delattr__(empty(base.cls), name)))
