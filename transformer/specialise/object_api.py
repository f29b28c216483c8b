"""What Python writes into users' classes (dataclasses, named tuples), and its functions on objects: done here on our values."""
from __future__ import annotations

import copy
import dataclasses
import enum
import sys
import types as pytypes

import numpy as np

from . import values as v
from .calls import bound_arguments, call_value, frontend, object_value
from .expressions import both, compare_values, text, text_of, truth
from .lookup import lift
from ..outside import Shape
from .objects import (as_builtin, base_of, by_library, call, class_of, delete_attribute, get_attribute, has_attribute, identical, instance, look_up, path_of,
                      plain_attribute, plain_delete, plain_set, set_attribute, special, users_class, words)
from .raising import name_of as exception_name

NOT_IMPLEMENTED = v.Static(NotImplemented)
NONE = v.Static(None)
WRITTEN = {}  # (module, name) of a method that Python writes into a class -> handler(s, its function, arguments, named arguments)


def written(module: str, *names: str):
    def register(handler):
        for name in names:
            WRITTEN[module, name] = handler
        return handler
    return register


def written_by_python(f: pytypes.FunctionType):
    """The handler of a method that `dataclass` or `namedtuple` has written into a class; None of a user's function."""
    module = f.__globals__.get("__name__", "")
    module = "namedtuple" if module.startswith("namedtuple_") or module == "collections" else "dataclasses" if f.__code__.co_filename == "<string>" else module
    return WRITTEN.get((module, f.__name__))


# dataclasses ---------------------------------------------------------------------------------
def owner_of(s, f, value) -> type:
    """The class that a method was written into."""
    cls = class_of(s, value)
    return next((c for c in cls.__mro__ if vars(c).get(f.__name__) is f), cls)


def fields_of(cls: type) -> list[dataclasses.Field]:
    """The fields of a dataclass, those that are only for __post_init__ among them."""
    return [f for f in cls.__dataclass_fields__.values() if f._field_type is not dataclasses._FIELD_CLASSVAR]


def own_fields(cls: type) -> list[dataclasses.Field]:
    return list(dataclasses.fields(cls))


@written("dataclasses", "__init__")
def init(s, f, args, kwargs):
    given = bound_arguments(s, f, args, kwargs)
    self, cls = args[0], owner_of(s, f, args[0])
    frozen, for_post_init = cls.__dataclass_params__.frozen, []
    for field in fields_of(cls):
        made = field.default_factory is not dataclasses.MISSING
        if made and (not field.init or given[field.name] == v.Static(dataclasses._HAS_DEFAULT_FACTORY)):
            value = call(s, v.Static(field.default_factory))
        elif field.init:
            value = given[field.name]
        elif field.default is not dataclasses.MISSING and "__slots__" in vars(cls):
            value = object_value(s, field.default, field.name)
        else:
            continue
        if field._field_type is dataclasses._FIELD_INITVAR:
            for_post_init.append(value)
        else:
            (plain_set if frozen else set_attribute)(s, self, field.name, value)
    if "__post_init__" in f.__code__.co_names:
        call(s, get_attribute(s, self, "__post_init__"), *for_post_init)
    return NONE


@written("dataclasses", "__eq__", "__lt__", "__le__", "__gt__", "__ge__")
def compare_fields(s, f, args, kwargs):
    self, other = args
    if class_of(s, self) is not class_of(s, other):
        return NOT_IMPLEMENTED
    if f.__name__ == "__eq__" and identical(s, self, other) and sys.version_info >= (3, 13):
        return v.Static(True)
    names = [field.name for field in own_fields(owner_of(s, f, self)) if field.compare]
    pairs = [tuple(get_attribute(s, x, n) for x in (self, other)) for n in names]
    return equal_items(s, pairs) if f.__name__ == "__eq__" else ordered_items(s, pairs, f.__name__)


def one(s, a, b) -> bool:
    """Are two values one object, as far as the program can know?"""
    if isinstance(a, v.Array) or isinstance(b, v.Array) or isinstance(a, v.Num):
        return a is b or a == b
    return identical(s, a, b)


def equal_items(s, pairs):
    """Are tuples of these pairs of items equal?  What is the same object is (up to Python 3.12)."""
    result = v.Static(True)
    for a, b in pairs:
        if sys.version_info >= (3, 13) or not one(s, a, b):
            result = both(s, result, lambda a=a, b=b: compare_values(s, "equal", a, b))
    return truth(s, result)


def ordered_items(s, pairs, name: str):
    """The order of two tuples: that of the first items that differ."""
    from .control import choose
    if not pairs:
        return v.Static(name in ("__le__", "__ge__"))
    (a, b), rest = pairs[0], pairs[1:]
    op = {"__lt__": "less", "__le__": "less_equal", "__gt__": "greater", "__ge__": "greater_equal"}[name]
    same = v.Static(True) if one(s, a, b) else truth(s, compare_values(s, "equal", a, b))
    if isinstance(same, v.Static):
        return ordered_items(s, rest, name) if same.value else compare_values(s, op, a, b)
    return choose(s, same.atom, lambda: truth(s, ordered_items(s, rest, name)), lambda: truth(s, compare_values(s, op, a, b)))


@written("dataclasses", "__hash__")
def hash_of_fields(s, f, args, kwargs):
    (self,) = args
    cls = owner_of(s, f, self)
    names = [x.name for x in own_fields(cls) if (x.compare if x.hash is None else x.hash)]
    return v.Static(hash(tuple(s.static(get_attribute(s, self, n), "it is hashed") for n in names)))


@written("dataclasses", "__repr__")
def shown(s, f, args, kwargs):
    (self,) = args
    return fields_text(s, self, class_of(s, self).__qualname__, [x.name for x in own_fields(owner_of(s, f, self)) if x.repr])


def fields_text(s, value, title: str, names):
    parts: list = [f"{title}("]
    for k, n in enumerate(names):
        parts += [", " * (k > 0) + f"{n}=", *text_of(s, get_attribute(s, value, n), "!r", "", n)]
    return text([*parts, ")"])


@written("dataclasses", "__setattr__", "__delattr__")
def frozen(s, f, args, kwargs):
    self, name, *value = args
    cls, key, deleted = owner_of(s, f, self), s.static(name, "it is the name of an attribute"), f.__name__ == "__delattr__"
    if class_of(s, self) is cls or key in cls.__dataclass_fields__:
        s.stop(exception_name(dataclasses.FrozenInstanceError), f"cannot {'delete' if deleted else 'assign to'} field {key!r}")
    found, _ = look_up(class_of(s, self), f.__name__, behind=cls)
    return call(s, v.Static(found), *args)


@frontend(dataclasses.replace)
def replace(s, obj, /, **changes):
    needs_dataclass(s, obj, "replace() should be called on dataclass instances")
    for field in fields_of(class_of(s, obj)):
        if not field.init:
            if field.name in changes:
                s.stop("ValueError" if sys.version_info < (3, 13) else "TypeError",
                       f"field {field.name} is declared with init=False, it cannot be specified with replace()")
        elif field.name not in changes:
            if field._field_type is dataclasses._FIELD_INITVAR and field.default is dataclasses.MISSING:
                s.stop("ValueError" if sys.version_info < (3, 13) else "TypeError", f"InitVar {field.name!r} must be specified with replace()")
            changes[field.name] = get_attribute(s, obj, field.name)
    return call(s, v.Static(class_of(s, obj)), **changes)


written("dataclasses", "_replace", "__replace__")(lambda s, f, args, kwargs: replace(s, *args, **kwargs))


def needs_dataclass(s, obj, message: str) -> None:
    if not dataclasses.is_dataclass(class_of(s, obj)):
        s.stop("TypeError", message)


@frontend(dataclasses.asdict)
def asdict(s, obj, *, dict_factory=v.Static(dict)):
    needs_dataclass(s, obj, "asdict() should be called on dataclass instances")
    if dict_factory != v.Static(dict):
        s.fail("dict_factory= of asdict", "Make it of the dict: factory(asdict(x).items()).")
    return taken_apart(s, obj, lambda names, values: s.box(values, dict, names, "dict"))


@frontend(dataclasses.astuple)
def astuple(s, obj, *, tuple_factory=v.Static(tuple)):
    needs_dataclass(s, obj, "astuple() should be called on dataclass instances")
    if tuple_factory != v.Static(tuple):
        s.fail("tuple_factory= of astuple", "Make it of the tuple: factory(astuple(x)).")
    return taken_apart(s, obj, lambda names, values: v.Tuple(tuple(values)))


def taken_apart(s, value, make):
    """A dataclass, and those in it, as `make` has them; all else is a deep copy."""
    match value:
        case v.Boxed(cls=c) if dataclasses.is_dataclass(c):
            names = [field.name for field in own_fields(c)]
            return make(names, [taken_apart(s, get_attribute(s, value, n), make) for n in names])
        case v.Tuple(items=items, cls=c) if c is not slice:
            return v.Tuple(tuple(taken_apart(s, x, make) for x in items), c)
        case v.Boxed(cls=c) if issubclass(c, (list, dict)):
            return s.box([taken_apart(s, x, make) for x in s.items(value)], c, s.keys(value), value.box.hint)
    return deepcopy(s, value)


@frontend(dataclasses.fields)
def fields(s, x):
    cls = x.value if isinstance(x, v.Static) and isinstance(x.value, type) else class_of(s, x)
    if not dataclasses.is_dataclass(cls):
        s.stop("TypeError", "must be called with a dataclass type or instance")
    return v.Tuple(tuple(map(v.Static, dataclasses.fields(cls))))


@frontend(dataclasses.is_dataclass)
def is_dataclass(s, obj):
    return v.Static(dataclasses.is_dataclass(obj.value if isinstance(obj, v.Static) else class_of(s, obj)))


# named tuples --------------------------------------------------------------------------------
@written("namedtuple", "__new__")
def new_named_tuple(s, f, args, kwargs):
    cls, *items = bound_arguments(s, f, args, kwargs).values()
    return v.Tuple(tuple(items), s.static(cls, "it is a class"))


@written("namedtuple", "_make")
def make_named_tuple(s, f, args, kwargs):
    of, iterable = bound_arguments(s, f, args, kwargs).values()
    cls, made = of.value, new_tuple(s, of, iterable)
    if len(made.items) != len(cls._fields):
        s.stop("TypeError", f"Expected {len(cls._fields)} arguments, got {len(made.items)}")
    return made


@written("namedtuple", "_replace", "__replace__")
def replace_in_named_tuple(s, f, args, kwargs):
    (self,) = args
    cls = class_of(s, self)
    if not kwargs.keys() <= set(cls._fields):
        s.stop(*words(lambda: f(tuple.__new__(cls, cls._fields), **dict.fromkeys(kwargs))))
    return v.Tuple(tuple(kwargs.get(n, x) for n, x in zip(cls._fields, self.items)), cls)


@written("namedtuple", "_asdict")
def named_tuple_as_dict(s, f, args, kwargs):
    (self,) = args
    return s.box(self.items, dict, class_of(s, self)._fields, "dict")


@written("namedtuple", "__repr__")
def named_tuple_shown(s, f, args, kwargs):
    (self,) = args
    return fields_text(s, self, class_of(s, self).__name__, class_of(s, self)._fields)


# object, type, super -------------------------------------------------------------------------
frontend(type.__call__)(instance)


@frontend(super)
def super_(s, cls=None, value=None):
    if cls is None:
        frame = s.frames[-1]
        cell = frame.captured.freevars.get("__class__") if frame.captured is not None else None
        args = frame.node.args
        first = [*args.posonlyargs, *args.args]
        if cell is None or not first:
            s.stop("RuntimeError", "super(): no arguments" if cell is not None else "super(): __class__ cell not found")
        cls, value = v.Static(cell.cell_contents), s.heap[frame, first[0].id]
    if value is None:
        s.fail("super of a class alone", "Write super().")
    behind = s.static(cls, "it is a class")
    start = value.value if isinstance(value, v.Static) and isinstance(value.value, type) and issubclass(value.value, behind) else class_of(s, value)
    if not issubclass(start, behind):
        s.stop("TypeError", "super(type, obj): obj must be an instance or subtype of type")
    return v.Super(behind, value, start)


@frontend(object.__new__)
def new_object(s, cls, /, *args, **kwargs):
    c = s.static(cls, "it is a class")
    if base_of(c) is not object:
        s.fail(f"object.__new__ of a {c.__name__}", f"Call super().__new__, which is {base_of(c).__name__}.__new__.")
    checked(s, lambda: object.__new__(c, *args, **kwargs))
    return s.box((), c, (), v.OBJECT)


@frontend(object.__init__)
def init_object(s, self, /, *args, **kwargs):
    if users_class(self) is not None:
        checked(s, lambda: object.__init__(base_of(self.cls).__new__(self.cls), *args, **kwargs))
    return NONE


def checked(s, action) -> None:
    """Raise what Python raises of a number of arguments, or of an abstract class."""
    try:
        action()
    except TypeError as error:
        s.stop("TypeError", str(error))


@frontend(tuple.__new__)
def new_tuple(s, cls, iterable=v.Tuple(())):
    from .builtin_api import tuple_
    return v.Tuple(tuple_(s, iterable).items, s.static(cls, "it is a class"))


@frontend(list.__new__)
def new_list(s, cls, /, *args, **kwargs):
    return s.box((), s.static(cls, "it is a class"), (), "list")


@frontend(dict.__new__)
def new_dict(s, cls, /, *args, **kwargs):
    return s.box((), s.static(cls, "it is a class"), (), "dict")


@frontend(list.__init__)
def init_list(s, self, iterable=v.Tuple(())):
    from .builtin_api import list_
    s.change(self, s.items(list_(s, iterable)))
    return NONE


@frontend(dict.__init__)
def init_dict(s, self, /, *args, **kwargs):
    call_value(s, v.Bound(as_builtin(self), "update"), list(args), kwargs)
    return NONE


def name_of(s, name) -> str:
    return s.static(name, "it is the name of an attribute")


@frontend(object.__setattr__)
def object_setattr(s, self, name, value):
    plain_set(s, self, name_of(s, name), value)
    return NONE


@frontend(object.__delattr__)
def object_delattr(s, self, name):
    plain_delete(s, self, name_of(s, name))
    return NONE


@frontend(object.__getattribute__)
def object_getattribute(s, self, name):
    return plain_attribute(s, self, name_of(s, name))


@frontend(object.__eq__)
def object_eq(s, self, other):
    return v.Static(True) if identical(s, self, other) else NOT_IMPLEMENTED


@frontend(object.__ne__)
def object_ne(s, self, other):
    from .protocols import compared
    found = compared(s, self, "__eq__", other)
    return NOT_IMPLEMENTED if found is None else v.Static(not s.static(truth(s, found), "it is compared"))


@frontend(delattr)
def delattr_(s, obj, name):
    delete_attribute(s, obj, name_of(s, name))
    return NONE


@frontend(vars)
def vars_(s, obj):
    if not has_attribute(s, obj, "__dict__"):
        s.stop("TypeError", "vars() argument must have __dict__ attribute")
    return get_attribute(s, obj, "__dict__")


@frontend(hash)
def hash_(s, obj):
    own = special(s, obj, "__hash__")
    if own == NONE:
        s.stop("TypeError", f"unhashable type: '{class_of(s, obj).__name__}'")
    if own is not None:
        return call(s, own)
    if isinstance(obj, v.Boxed):
        s.fail(f"the hash of {s.describe(obj)}", "Hash what it holds.")
    return v.Static(hash(s.static(obj, "it is hashed")))


# copies --------------------------------------------------------------------------------------
@frontend(copy.copy)
def copy_(s, x):
    return copied(s, x, "__copy__", lambda inner: inner)


@frontend(copy.deepcopy)
def deepcopy(s, x, memo=None):
    if memo is not None and memo != NONE:
        s.fail("deepcopy with a memo", "Copy the parts, and make the object of them.")
    done: dict = {}

    def deep(value):
        key = value.box if isinstance(value, v.Boxed) else (value.cell, value.path) if isinstance(value, v.Array) else id(value)
        if key not in done:
            done[key] = copied(s, value, "__deepcopy__", deep), value  # the value is kept, so that its id stays its own
        return done[key][0]

    return deep(x)


def copied(s, x, name: str, inner):
    """A copy of a value, `inner(item)` of what is in it; by the method of its class, where that has one."""
    x = s.present(x) if isinstance(x, v.Maybe) else x
    own = special(s, x, name)
    if own is not None:
        return call(s, own, *([s.box((), dict, (), "dict")] if name == "__deepcopy__" else []))
    refuse_own_state(s, x)
    match x:
        case v.Array():
            return call(s, v.Static(np.copy), x)
        case v.Tuple(items=items, cls=c):
            return x if c is slice or name == "__copy__" else v.Tuple(tuple(map(inner, items)), c)
        case v.Boxed(cls=c):
            return s.box([inner(i) for i in s.items(x)], c, s.keys(x), x.box.hint)
        case v.Static(value=obj) if is_plain(x):
            path, names = path_of(s, obj), tuple(vars(obj))
            s.facts.guards.append((path.attr("__dict__"), Shape.of(vars(obj))))
            return s.box([inner(lift(s, getattr(obj, n), path.attr(n), (id(obj),))) for n in names], type(obj), names, v.OBJECT)
        case v.Static() if users_class(x) is not None and not issubclass(users_class(x), enum.Enum):
            s.fail(f"a copy of {s.describe(x)}", "Define __copy__ and __deepcopy__ in the class.")
    return x


COPYING = ("__new__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__")


def is_plain(value) -> bool:
    """Is it an object from outside that is its attributes?"""
    return users_class(value) is not None and look_up(type(value.value), "__reduce_ex__")[1] is object and hasattr(value.value, "__dict__")


def refuse_own_state(s, x) -> None:
    """Refuse to copy an object whose class says how it is pickled, or what Python calls to put a copy together."""
    cls = users_class(x)
    if cls is None or issubclass(cls, enum.Enum):
        return
    for name in COPYING + (("append", "extend", "__setitem__") if base_of(cls) in (list, dict) else ()):
        found = look_up(cls, name)[0]
        found = found.__func__ if isinstance(found, staticmethod) else found
        if isinstance(found, pytypes.FunctionType) and written_by_python(found) is None and not by_library(found):
            s.fail(f"a copy of {s.describe(x)}, whose class has a {name}", "Define __copy__ and __deepcopy__ in the class.")

