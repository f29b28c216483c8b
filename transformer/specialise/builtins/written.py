"""What Python writes into users' classes, dataclasses and named tuples, and its functions on them:
done here on our values."""
from __future__ import annotations

import dataclasses
import sys

from ...library.dataclass_functions import every_field
from ...library.registry import frontend
from ..domain import values as v
from ..domain.classes import look_up, type_of_value
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.flow.sides import NONE
from ..evaluator.names.lifting import object_value
from ..evaluator.names.problems import name_of as exception_name
from ..evaluator.objects.containers import COMPARISONS
from ..evaluator.objects.making import change_attribute, plain_change
from ..evaluator.objects.objects import call_now, get_attribute, identical_objects
from ..evaluator.objects.protocols import NOT_IMPLEMENTED
from ..evaluator.objects.texts import text_parts
from ..evaluator.objects.truths import either_true, first_to_decide
from ..evaluator.syntax.calls import WRITTEN, bound_arguments, call_function
from ..evaluator.syntax.operators import compare_values


def written(module: str, *names: str):
    """Enter a handler for the methods of these names;
    what is called so and stands in no dataclass is a user's, made by exec."""
    def register(handler):
        def call_it(s, f, args, kwargs):
            if module == "dataclasses" and not (args and "__dataclass_fields__" in vars(owner_of(s, f, args[0]))):
                return call_function(s, f, args, kwargs)
            return handler(s, f, bound_arguments(s, f, args, kwargs))

        WRITTEN.update({(module, name): call_it for name in names})
        return handler
    return register


# dataclasses ---------------------------------------------------------------------------------
def owner_of(s, f, value) -> type:
    """The class that a method was written into."""
    cls = type_of_value(s, value)
    return next((c for c in cls.__mro__ if vars(c).get(f.__name__) is f), cls)


def values_of(s, value, fields) -> v.Tuple:
    """The fields of an object as a tuple."""
    return v.Tuple(tuple([get_attribute(s, value, field.name) for field in fields]))


@written("dataclasses", "__init__")
def init(s, f, given):
    self, *_ = given.values()
    cls, for_post_init = owner_of(s, f, self), []
    for field in every_field(cls):
        made = field.default_factory is not dataclasses.MISSING
        if made and (not field.init or given[field.name] == v.Static(dataclasses._HAS_DEFAULT_FACTORY)):
            value = call_now(s, v.Static(field.default_factory))
        elif field.init:
            value = given[field.name]
        elif field.default is not dataclasses.MISSING and "__slots__" in vars(cls):
            value = object_value(s, field.default, field.name)
        else:
            continue
        if field._field_type is dataclasses._FIELD_INITVAR:
            for_post_init.append(value)
        else:
            (plain_change if cls.__dataclass_params__.frozen else change_attribute)(s, self, field.name, value)
    if "__post_init__" in f.__code__.co_names:
        call_now(s, get_attribute(s, self, "__post_init__"), *for_post_init)
    return NONE


@written("dataclasses", "__eq__", "__lt__", "__le__", "__gt__", "__ge__")
def compare_fields(s, f, given):
    self, other = given.values()
    if type_of_value(s, self) is not type_of_value(s, other):
        return NOT_IMPLEMENTED
    fields = [field for field in dataclasses.fields(owner_of(s, f, self)) if field.compare]
    left, right = (values_of(s, x, fields) for x in (self, other))
    if f.__name__ != "__eq__" or sys.version_info < (3, 13):
        return compare_values(s, COMPARISONS[f.__name__], left, right)
    return either_true(s, identical_objects(s, self, other), lambda: first_to_decide(
        s, True, [lambda a=a, b=b: compare_values(s, "equal", a, b) for a, b in zip(left.items, right.items)]
        or [lambda: v.Static(True)]))


@written("dataclasses", "__hash__")
def hash_of_fields(s, f, given):
    (self,) = given.values()
    fields = dataclasses.fields(owner_of(s, f, self))
    return call_now(s, v.Static(hash),
                    values_of(s, self, [x for x in fields if (x.compare if x.hash is None else x.hash)]))


@written("dataclasses", "__repr__")
def shown_fields(s, f, given):
    (self,) = given.values()
    return fields_text(s, self, type_of_value(s, self).__qualname__,
                       [x.name for x in dataclasses.fields(owner_of(s, f, self)) if x.repr])


def fields_text(s, value, title: str, names):
    parts: list = [f"{title}("]
    for k, n in enumerate(names):
        parts += [", " * (k > 0) + f"{n}=", *text_parts(s, get_attribute(s, value, n), "!r", "", n)]
    return v.text([*parts, ")"])


@written("dataclasses", "__setattr__", "__delattr__")
def frozen(s, f, given):
    self, name, *_ = given.values()
    cls, key, deleted = (owner_of(s, f, self), s.static(name, "it is the name of an attribute"),
                         f.__name__ == "__delattr__")
    if type_of_value(s, self) is cls or key in cls.__dataclass_fields__:
        s.stop(exception_name(dataclasses.FrozenInstanceError),
               f"cannot {'delete' if deleted else 'assign to'} field {key!r}")
    found, _ = look_up(type_of_value(s, self), f.__name__, behind=cls)
    return call_now(s, v.Static(found), *given.values())


@frontend(dataclasses.fields)
def fields(s, x):
    cls = x.value if isinstance(x, v.Static) and isinstance(x.value, type) else type_of_value(s, x)
    if not dataclasses.is_dataclass(cls):
        s.stop("TypeError", "must be called with a dataclass type or instance")
    return v.Tuple(tuple(map(v.Static, dataclasses.fields(cls))))


@frontend(dataclasses.is_dataclass)
def is_dataclass(s, obj):
    return v.Static(dataclasses.is_dataclass(obj.value if isinstance(obj, v.Static) else type_of_value(s, obj)))


# named tuples --------------------------------------------------------------------------------
@written("namedtuple", "__new__")
def new_named_tuple(s, f, given):
    cls, *items = given.values()
    return v.Tuple(tuple(items), s.static(cls, "it is a class"))


@written("namedtuple", "_make")
def make_named_tuple(s, f, given):
    of, iterable = given.values()
    made = call_now(s, v.Static(tuple.__new__), of, iterable)
    if len(made.items) != len(made.cls._fields):
        s.stop("TypeError", f"Expected {len(made.cls._fields)} arguments, got {len(made.items)}")
    return made


@written("namedtuple", "_replace", "__replace__")
def replace_in_named_tuple(s, f, given):
    self, changes = given.values()
    fields = dict(zip(self.cls._fields, self.items))
    if not fields.keys() >= set(s.keys(changes)):
        tried_now(s, f, tuple.__new__(self.cls, fields), **dict.fromkeys(s.keys(changes)))
    return v.Tuple(tuple((fields | dict(zip(s.keys(changes), s.items(changes)))).values()), self.cls)


@written("namedtuple", "_asdict")
def named_tuple_as_dict(s, f, given):
    (self,) = given.values()
    return s.box(self.items, dict, self.cls._fields, "dict")


@written("namedtuple", "__repr__")
def named_tuple_shown(s, f, given):
    (self,) = given.values()
    return fields_text(s, self, self.cls.__name__, self.cls._fields)
