"""Users' classes, by Python's own rules: where an attribute is found, what reading and storing it calls, how an object
is made.

An object that the function makes, or is given as a dataclass, is a `v.Boxed`: its attributes stand in the heap, as the
items of a dict do, and `vars(x)` is the same box seen as a dict.  An object from outside is a `v.Static`, whose
attributes are read at each call.  A named tuple is a `v.Tuple`.  What a class says is read like any function; what
Python itself brings is done by Python.
"""
from __future__ import annotations

import enum
import functools
import types as pytypes

from ....inputs.guards import Path
from ....library.registry import handler_of
from ...domain import values as v
from ...domain.aliasing import FOREVER, reachable_values
from ...domain.classes import (MISSING, SLOTS, Factory, as_builtin, base_of, by_library, empty_object, in_python,
                               is_class, is_data, is_library_class, iterator_of_class, look_up, public_class,
                               type_of_value, users_class)
from ...domain.lattice import which
from ..arrays.signatures import tried_now
from ..flow.control import choose
from ..flow.sides import on_sides
from ..names.lifting import lift, path_of

BUILT_IN = (pytypes.WrapperDescriptorType, pytypes.MethodDescriptorType, pytypes.ClassMethodDescriptorType)
# reading attributes --------------------------------------------------------------------------
def get_attribute(s, value, name: str):
    """`value.name` of an object or class of a user's, or of super()."""
    match value:
        case v.Super(cls=behind, value=owner, start=start):
            found, holder = look_up(start, name, behind)
            if found is MISSING:
                s.stop("AttributeError", f"'super' object has no attribute '{name}'")
            through_class = is_class(owner) and owner.value is start
            return read_through(s, found, holder, name, None if through_class else owner, start,
                                path_of(s, holder).attr(name), start)
        case v.Static(value=type() as cls):
            return class_attribute(s, cls, name)
    cls = type_of_value(s, value)
    return plain_attribute(s, value, name, special(s, value, "__getattr__"))


def plain_attribute(s, value, name: str, otherwise=None):
    """As object.__getattribute__ finds it; `otherwise`: what is asked where it is not found."""
    return where_set(s, value, name, lambda: decided_attribute(s, value, name, otherwise))


def where_set(s, value, name: str, action):
    """`action` on both sides, where only one path has set an attribute of an object."""
    own = dict(zip(s.keys(value), s.items(value))).get(name) if is_own_object(value) else None
    undecided = v.is_unset(own) and own.flag not in s.sight.known_true | s.sight.known_false
    return choose(s, own.flag, action, action) if undecided else action()


def is_own_object(value) -> bool:
    return isinstance(value, v.Boxed) and base_of(value.cls) is object


def decided_attribute(s, value, name: str, otherwise):
    cls = type_of_value(s, value)
    if name == "__class__":
        return v.Static(public_class(cls))
    found, holder = look_up(cls, name)
    outside = isinstance(value, v.Static)
    at = path_of(s, value.value if outside else cls).attr(name)
    own = own_attribute(s, value, name, at)
    if own is not None and not (is_data(found) and not isinstance(found, SLOTS)):
        return own
    if name == "__dict__" and found is not MISSING:
        return as_dict(s, value)
    if found is not MISSING and not isinstance(found, pytypes.MemberDescriptorType):
        return read_through(s, found, holder, name, value, cls, at)
    if otherwise is not None:
        return call_now(s, otherwise, v.Static(name))
    refuse_partial(s, value, name)
    tried_now(s, getattr, value.value if outside else iterator_of_class(cls) or empty_object(cls), name)
    s.fail(f"the attribute {name} of {s.describe(value)}", "Loop over it, or make a list of it.")


def own_attribute(s, value, name: str, at: Path):
    """What stands in the object itself under a name, or None."""
    if is_own_object(value):
        found = s.item(dict(zip(s.keys(value), s.items(value))).get(name))
        return found if not v.is_unset(found) else None if found.flag in s.sight.known_false else found.value
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


def refuse_partial(s, value, name: str) -> None:
    """Refuse an attribute of an object that may have others than those that are known: of an argument, say."""
    if isinstance(value, v.Boxed) and value.cls in s.outside.partial:
        s.fail(f"{value.cls.__name__} has no field '{name}'",
               "Of an argument only the fields are known: make it a field, or a property.")


def as_dict(s, value):
    """`value.__dict__`: its attributes, as a dict."""
    if isinstance(value, v.Static):
        return lift(s, vars(value.value), path_of(s, value.value).attr("__dict__"), (id(value.value),))
    if (not isinstance(value, v.Boxed) or value.cls in s.outside.partial
            or any(isinstance(x, v.Unjoinable) or v.is_unset(x) for x in s.items(value))
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
        if isinstance(of_meta, (pytypes.FunctionType, property)) and not is_library_class(meta):
            return read_through(s, of_meta, meta, name, v.Static(cls), type(cls), path_of(s, type(cls)).attr(name))
        if not hasattr(cls, name):
            tried_now(s, getattr, cls, name)
        result = getattr(cls, name)
        return (lift(s, result, path_of(s, cls).attr(name), (id(cls),)) if not callable(result) and name != "__dict__"
                else v.Static(result))
    return read_through(s, found, holder, name, None, cls, path_of(s, cls).attr(name))


def read_through(s, found, holder, name: str, value, cls: type, at: Path, owner: type | None = None):
    """What the classes have under a name, as it is read through an object (value) or through a class (None).

    at     where it is found at each call
    owner  what a class method is given
    """
    match found:
        case pytypes.FunctionType():
            in_itself = isinstance(value, v.Static) and holder is not None and at.holder.get() is value.value
            s.guard(at.attr("__func__") if in_itself else at, found)
            return method(v.Static(found), value)
        case staticmethod():
            s.guard(at, found.__func__)
            return v.Static(found.__func__)
        case classmethod():
            s.guard(at.attr("__func__"), found.__func__)
            return method(v.Static(found.__func__), v.Static(owner or (cls if not is_class(value) else value.value)))
        case Factory():
            return found.value
        case property() | functools.cached_property() if value is None:
            return v.Static(found)
        case property() | functools.cached_property():
            return property_value(s, found, cls if owner is None else holder, name, value, cls)
        case functools.partialmethod():
            return v.Partial(read_through(s, found.func, holder, name, value, cls, at, owner),
                             tuple(map(v.Static, found.args)),
                             tuple((k, v.Static(x)) for k, x in found.keywords.items()))
        case _ if isinstance(found, BUILT_IN):
            return built_in(found, name, value, cls)
        case _ if hasattr(type(found), "__gradscribe_call__") or isinstance(found, functools._lru_cache_wrapper):
            s.guard(path_of(s, holder).attr("__dict__").item(name), found)
            return method(v.Static(found), value)
    return read_descriptor(s, found, holder, name, value, cls, at)


def read_descriptor(s, found, holder, name: str, value, cls: type, at: Path):
    """What an object of another class than Python has for methods gives: by its `__get__`, else itself."""
    get = getattr(type(found), "__get__", None)
    if isinstance(get, pytypes.FunctionType) and not is_library_class(type(found)):
        return call_descriptor(s, found, holder, name, "__get__", v.Static(None) if value is None else value,
                               v.Static(cls))
    if get is None or isinstance(found, type):
        return lift(s, found, at, (id(at.holder.get()),))
    if value is None:
        return v.Static(found)
    if not isinstance(value, v.Static):
        s.fail(f"{cls.__name__}.{name}, a {type(found).__name__}", "Use a property, or a method.")
    result = getattr(value.value, name)
    return v.Static(result) if callable(result) else lift(s, result, at, (id(value.value),))


def call_descriptor(s, found, holder, name: str, special_name: str, *args):
    """A special method of a descriptor that a class has under a name."""
    descriptor = lift(s, found, path_of(s, holder).attr("__dict__").item(name), (id(holder), name))
    return call_now(s, special(s, descriptor, special_name), *args)


def property_value(s, found: property | functools.cached_property, place: type, name: str, value, cls: type):
    """What a property gives of an object, or a functools.cached_property that was not read yet."""
    if isinstance(found, functools.cached_property):
        return cached(s, found, value, name)
    s.guard(path_of(s, place).attr(name), found)
    if found.fget is None:
        s.stop("AttributeError", f"property '{name}' of '{cls.__name__}' object has no getter")
    return call_now(s, v.Static(found.fget), value)


def method(function, value):
    """A function as a method of a value; of None itself."""
    return function if value is None else v.Partial(function, (value,), (), True)


def built_in(found, name: str, value, cls: type):
    """A method that Python brings: of an object of a user's list, dict or tuple that of its items."""
    if isinstance(found, pytypes.ClassMethodDescriptorType):
        return v.Static(getattr(cls, name))
    if value is None or handler_of(found) is not None:
        return method(v.Static(found), value)
    return v.BoundMethod(as_builtin(value), name)


def cached(s, found, value, name: str):
    """A functools.cached_property that was not read yet."""
    result = call_now(s, v.Static(found.func), value)
    if not isinstance(value, v.Static):
        store_attribute(s, value, name, result)
        return result
    # it is computed here, too, but others may have it by then
    ref = result.cell if isinstance(result, v.Array) else getattr(result, "box", None)
    if ref is not None:
        ref.outside = ref.outside or name
    return result


def call_now(s, function, /, *args, **kwargs):
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
    return read_through(s, found, holder, name, value, cls, path_of(s, cls).attr(name))


def identical_objects(s, left, right):
    """`left is right` of two objects: known, or a flag where a branch or a loop has chosen one of several."""
    if isinstance(left, v.Boxed) and isinstance(right, v.Boxed):
        return identical_boxes(s, which(left.box), which(right.box))
    same = left.value is right.value if isinstance(left, v.Static) and isinstance(right, v.Static) else left is right
    return v.Static(same)


@on_sides
def identical_boxes(s, left: v.Static, right: v.Static):
    boxes = left.value, right.value
    marks = [s.heap.get((box, v.FROZEN), frozenset()) for box in boxes]
    # each of several that a branch has chosen from is marked, and is another
    unsure = marks[0] & marks[1] - (set() if any([box.chosen for box in boxes]) else {FOREVER})
    if left != right and (unsure or all([box.outside for box in boxes])):
        s.fail("`is` of two objects of which only the run time knows whether they are one", "Compare what they hold.")
    return v.Static(left == right)


# storing -------------------------------------------------------------------------------------
def refuse_attribute(s, cls: type, name: str, value) -> None:
    """What Python raises of a store into, or the deletion of, an attribute that cannot be."""
    tried_now(s, object.__setattr__ if value else object.__delattr__, empty_object(cls), name, *value)


def store_attribute(s, base, name: str, *value) -> None:
    """Put an attribute into the object itself, or take it out."""
    if base_of(base.cls) is not object:
        s.fail(f"an attribute of an object that is a {base_of(base.cls).__name__} as well",
               "Keep the items in an attribute of a class of its own.")
    if hold_box(s, value, base.box):
        s.fail(f"a {base.cls.__name__} that holds itself", "Pass the object to the function that needs it.")
    attributes = dict(zip(s.keys(base), s.items(base)))
    if v.is_unset(attributes.get(name)) and attributes[name].flag in s.sight.known_false:
        del attributes[name]
    if value:
        attributes[name] = value[0]
    elif name in attributes:
        del attributes[name]
    else:
        refuse_partial(s, base, name)
        refuse_attribute(s, base.cls, name, value)
    s.change(base, attributes.values())
    if tuple(attributes) != s.keys(base):
        s.heap[base.box, v.KEYS] = tuple(attributes)


def hold_box(s, values, box) -> bool:
    """Is the box in values?  (A function may have it among its defaults or arguments.)"""
    found = reachable_values(s.heap, values, lambda x: v.parts(x) if isinstance(x, (v.Tuple, v.OneOf)) else ())
    return any(isinstance(x, v.Boxed) and x.box is box for x in found)
