"""What Python writes into users' classes, dataclasses and named tuples: done by functions of the library."""
from __future__ import annotations

import functools

from ...library.dataclass_functions import PYTHON_WRITES
from ..domain import values as v
from ..domain.classes import type_of_value
from ..evaluator.syntax.calls import WRITTEN, bound_arguments, call_function


def owner_of(s, f, value) -> type:
    """The class that a method was written into."""
    cls = type_of_value(s, value)
    return next((c for c in cls.__mro__ if vars(c).get(f.__name__) is f), cls)


def by_library(module: str, function, s, f, args, kwargs):
    """By a function of the library, which is given the class that the method was written into, and its name;
    what is called so and stands in no dataclass is a user's, made by exec."""
    if module == "dataclasses" and not (args and "__dataclass_fields__" in vars(owner_of(s, f, args[0]))):
        return call_function(s, f, args, kwargs)
    first, *others = bound_arguments(s, f, args, kwargs).values()
    return s.call_value(function, [v.Static(owner_of(s, f, first)), v.Static(f.__name__), first, *others], {})


WRITTEN.update({place: functools.partial(by_library, place[0], function) for place, function in PYTHON_WRITES.items()})
