"""What Python writes into users' classes, dataclasses and named tuples, and its functions on them: done here on our values."""
from __future__ import annotations

import copy
import dataclasses
import sys
import types as pytypes

from . import values as v
from .calls import bound_arguments, call_function, frontend, object_value
from .expressions import as_bool, both, compare_values, text, text_of, truth
from .making import plain_set, set_attribute
from .objects import call, class_of, get_attribute, identical, look_up, words
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
    if module.startswith("namedtuple_") or module == "collections":
        module = "namedtuple"
    elif getattr(f, "__wrapped__", f).__code__.co_filename == "<string>":
        module = "dataclasses"
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


def of_dataclass(handler):
    """The handler, where the method is that of a dataclass; else the method is a user's, made by exec."""
    def checked(s, f, args, kwargs):
        ours = args and "__dataclass_fields__" in vars(owner_of(s, f, args[0]))
        return handler(s, f, args, kwargs) if ours else call_function(s, f, args, kwargs)
    return checked


@written("dataclasses", "__init__")
@of_dataclass
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
@of_dataclass
def compare_fields(s, f, args, kwargs):
    self, other = args
    if class_of(s, self) is not class_of(s, other):
        return NOT_IMPLEMENTED
    names = [field.name for field in own_fields(owner_of(s, f, self)) if field.compare]
    pairs = [tuple(get_attribute(s, x, n) for x in (self, other)) for n in names]
    if f.__name__ != "__eq__":
        return ordered_items(s, pairs, f.__name__)
    if sys.version_info < (3, 13):
        return equal_items(s, pairs)
    return v.Static(True) if identical(s, self, other) else equal_fields(s, pairs)


def one(s, a, b) -> bool:
    """Are two values one object, as far as the program can know?"""
    if isinstance(a, v.Array) or isinstance(b, v.Array) or isinstance(a, v.Num):
        return a is b or a == b
    return identical(s, a, b)


def equal_items(s, pairs):
    """Are tuples of these pairs of items equal?  An object is equal to itself."""
    result = v.Static(True)
    for a, b in pairs:
        if not one(s, a, b):
            result = both(s, result, lambda a=a, b=b: compare_values(s, "equal", a, b))
    return as_bool(s, truth(s, result))


def equal_fields(s, pairs):
    """`self.x == other.x and self.y == other.y`, as dataclasses have it from Python 3.13 on."""
    from .control import choose
    if not pairs:
        return v.Static(True)
    (a, b), *rest = pairs
    value = compare_values(s, "equal", a, b)
    if not rest:
        return value
    test = truth(s, value)
    if isinstance(test, v.Static):
        return equal_fields(s, rest) if test.value else value
    return choose(s, test.atom, lambda: equal_fields(s, rest), lambda: value)


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
@of_dataclass
def hash_of_fields(s, f, args, kwargs):
    (self,) = args
    cls = owner_of(s, f, self)
    names = [x.name for x in own_fields(cls) if (x.compare if x.hash is None else x.hash)]
    return v.Static(hash(tuple(s.static(get_attribute(s, self, n), "it is hashed") for n in names)))


@written("dataclasses", "__repr__")
@of_dataclass
def shown(s, f, args, kwargs):
    (self,) = args
    return fields_text(s, self, class_of(s, self).__qualname__, [x.name for x in own_fields(owner_of(s, f, self)) if x.repr])


def fields_text(s, value, title: str, names):
    parts: list = [f"{title}("]
    for k, n in enumerate(names):
        parts += [", " * (k > 0) + f"{n}=", *text_of(s, get_attribute(s, value, n), "!r", "", n)]
    return text([*parts, ")"])


@written("dataclasses", "__setattr__", "__delattr__")
@of_dataclass
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
    return call(s, v.Static(copy.deepcopy), value)


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
    cls, made = of.value, call(s, v.Static(tuple.__new__), of, iterable)
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
