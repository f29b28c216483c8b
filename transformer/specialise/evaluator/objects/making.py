"""How objects of users' classes are made and changed: constructors, and stores into attributes."""
from __future__ import annotations

import enum
import functools
import types as pytypes

from ....errors.messages import ImpurityError
from ....library.flat import Flat
from ...domain import values as v
from ...domain.classes import is_data, is_library_class, look_up, makeable, type_of_value, users_class
from ...refusals.words import as_aux, no_class
from ..arrays.signatures import tried_now
from ..flow.sides import divided, settled_value
from ..names.lifting import path_of
from .attributes import attribute
from .containers import sampled
from .objects import call_descriptor, call_now, refuse_attribute, special, store_attribute, where_set


# making objects ------------------------------------------------------------------------------
def construct(s, cls: type, args, kwargs):
    """`cls(*args, **kwargs)`"""
    made_by, meta = look_up(type(cls), "__call__")
    if isinstance(cls, enum.EnumMeta):
        why = "it chooses a member of an Enum"
        return v.Static(tried_now(s, cls, *[s.static(a, why) for a in args],
                                  **{k: s.static(x, why) for k, x in kwargs.items()}))
    if isinstance(made_by, pytypes.FunctionType) and not is_library_class(meta):
        return call_now(s, v.Static(made_by), v.Static(cls), *args, **kwargs)
    return instance(s, v.Static(cls), *args, **kwargs)


def instance(s, of, /, *args, **kwargs):
    """As type.__call__ does it: __new__, then __init__."""
    cls = of.value
    if not makeable(cls):
        s.fail(*no_class(cls))
    new, holder = look_up(cls, "__new__")
    new = getattr(new, "__func__", new)
    if isinstance(new, pytypes.FunctionType):
        s.guard(path_of(s, cls).attr("__new__"), new)
    made = call_now(s, v.Static(new if isinstance(new, pytypes.FunctionType) else holder.__new__), of, *args, **kwargs)
    if not issubclass(type_of_value(s, made), cls):
        return made
    init, _ = look_up(type_of_value(s, made), "__init__")
    if isinstance(init, pytypes.FunctionType):
        s.guard(path_of(s, type_of_value(s, made)).attr("__init__"), init)
    result = call_now(s, v.Static(init), made, *args, **kwargs)
    if result != v.Static(None):
        s.stop("TypeError", f"__init__() should return None, not '{s.class_name(result)}'")
    return made


# changing attributes -------------------------------------------------------------------------
def change_attribute(s, base, name: str, *value) -> None:
    """`base.name = value`; without a value, `del base.name`."""
    if isinstance(base, v.OneOf) and not base.optional:
        return divided(s, base, lambda one: change_attribute(s, one, name, *value))
    change = setattr if value else delattr
    base = settled_value(s, base, lambda none: s.now(change, None, name, *[None for _ in value]))
    own = special(s, base, "__setattr__" if value else "__delattr__")
    if own is not None and not isinstance(base, v.Static):
        call_now(s, own, v.Static(name), *value)
    else:
        plain_change(s, base, name, *value)


PLAIN = (object.__setattr__, type.__setattr__, pytypes.ModuleType.__setattr__)


def puts_back(s, base, name: str, value) -> bool:
    """Is it an array that the object from outside has there already, as in `base.w += x`?"""
    obj = base.value
    if not isinstance(value, v.Array) or type(obj).__setattr__ not in PLAIN or name not in getattr(obj, "__dict__", ()):
        return False
    return not is_data(look_up(type(obj), name)[0]) and attribute(s, base, name) == value


def plain_change(s, base, name: str, *value) -> None:
    """As object.__setattr__ and object.__delattr__ do it."""
    if isinstance(base, v.Array) and name == "flat" and value:
        return call_now(s, v.Static(Flat.put_all), s.call_value(v.Static(Flat), [base], {}), *value)
    if isinstance(base, v.Static) and value and puts_back(s, base, name, *value):
        return None
    if (not isinstance(base, (v.Boxed, v.Tuple)) or users_class(base) is None
            and not hasattr(base.cls, "__gradscribe_made_inside__")):
        if s.is_numeric(base) and s.is_caught("AttributeError") and not hasattr(type_of_value(s, base), name):
            s.now(setattr if value else delattr, sampled(s, base), name, *[None for _ in value])
        s.fail(f"a store into the attribute '{name}' of {s.describe(base)}",
               as_aux(name, "Return the new value, and store it outside"), error=ImpurityError)
    return change_by_class(s, base, name, *value)


def change_by_class(s, base, name: str, *value) -> None:
    """A change of an attribute as the class has it: a property, a descriptor, else one of the object itself."""
    cls, (found, holder) = base.cls, look_up(base.cls, name)
    of_property, of_descriptor = ("fset", "__set__") if value else ("fdel", "__delete__")
    if isinstance(found, property) and getattr(found, of_property) is not None:
        s.guard(path_of(s, cls).attr(name), found)
        call_now(s, v.Static(getattr(found, of_property)), base, *value)
    elif isinstance(getattr(type(found), of_descriptor, None), pytypes.FunctionType):
        call_descriptor(s, found, holder, name, of_descriptor, base, *value)
    elif name in ("__class__", "__dict__"):
        s.fail(f"a store into {name}", "Make a new object.")
    elif isinstance(found, pytypes.MemberDescriptorType) or not is_data(found) and "__dict__" in dir(cls):
        store = functools.partial(store_attribute, s, base, name, *value)
        return store() if value else where_set(s, base, name, store)
    else:
        refuse_attribute(s, cls, name, value)
