"""What Python writes into users' classes, dataclasses and named tuples: done by functions of the library, and here what
makes objects, of which programs make many."""
from __future__ import annotations

import dataclasses
import functools

from ...library.dataclass_functions import PYTHON_WRITES, every_field
from ..domain import values as v
from ..domain.classes import type_of_value
from ..evaluator.flow.sides import NONE
from ..evaluator.names.lifting import object_value
from ..evaluator.objects.making import change_attribute, plain_change
from ..evaluator.objects.objects import call_now, get_attribute
from ..evaluator.syntax.calls import WRITTEN, bound_arguments, call_function


def owner_of(s, f, value) -> type:
    """The class that a method was written into."""
    cls = type_of_value(s, value)
    return next((c for c in cls.__mro__ if vars(c).get(f.__name__) is f), cls)


def init(s, f, self, *values):
    cls, for_post_init = owner_of(s, f, self), []
    given = dict(zip(f.__code__.co_varnames[1:], values))
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


def by_library(function, s, f, *given):
    """By a function of the library, which is given the class that the method was written into, and its name."""
    return s.call_value(function, [v.Static(owner_of(s, f, given[0])), v.Static(f.__name__), *given], {})


def done(module: str, handler, s, f, args, kwargs):
    """What is called so and stands in no dataclass is a user's, made by exec."""
    if module == "dataclasses" and not (args and "__dataclass_fields__" in vars(owner_of(s, f, args[0]))):
        return call_function(s, f, args, kwargs)
    return handler(s, f, *bound_arguments(s, f, args, kwargs).values())


HANDLERS = {place: functools.partial(by_library, function) for place, function in PYTHON_WRITES.items()}
HANDLERS |= {("dataclasses", "__init__"): init, ("namedtuple", "__new__"):
             lambda s, f, cls, *items: v.Tuple(items, s.static(cls, "it is a class"))}
WRITTEN.update({place: functools.partial(done, place[0], handler) for place, handler in HANDLERS.items()})
