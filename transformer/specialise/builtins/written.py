"""What Python writes into users' classes, dataclasses and named tuples, and its functions on them:
done here on our values."""
from __future__ import annotations

import dataclasses
import functools

from ...library.dataclass_functions import PYTHON_WRITES, every_field
from ...library.registry import frontend
from ..domain import values as v
from ..domain.classes import type_of_value
from ..evaluator.flow.sides import NONE
from ..evaluator.names.lifting import object_value
from ..evaluator.objects.making import change_attribute, plain_change
from ..evaluator.objects.objects import call_now, get_attribute
from ..evaluator.objects.texts import text_parts
from ..evaluator.syntax.calls import WRITTEN, bound_arguments, call_function


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


@written("namedtuple", "__repr__")
def named_tuple_shown(s, f, given):
    (self,) = given.values()
    return fields_text(s, self, self.cls.__name__, self.cls._fields)


def by_library(function, s, f, given):
    """By a function of the library, which is given the class that the method was written into, and its name."""
    first = next(iter(given.values()))
    return s.call_value(function, [v.Static(owner_of(s, f, first)), v.Static(f.__name__), *given.values()], {})


for (_module, _name), _function in PYTHON_WRITES.items():
    written(_module, _name)(functools.partial(by_library, _function))
