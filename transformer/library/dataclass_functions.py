"""The functions of the module dataclasses on objects: Python's own read the tables of fields at each call, which never
change."""
from __future__ import annotations

import copy
import dataclasses
import sys

from .registry import computed, means

WRONG_FIELD = ValueError if sys.version_info < (3, 13) else TypeError


def check_object(obj, name: str) -> None:
    if isinstance(obj, type) or not dataclasses.is_dataclass(obj):
        raise TypeError(f"{name}() should be called on dataclass instances")


@means(dataclasses.asdict)
def asdict(obj, *, dict_factory=dict):
    check_object(obj, "asdict")
    return taken_apart(obj, dict_factory)


@means(dataclasses.astuple)
def astuple(obj, *, tuple_factory=tuple):
    check_object(obj, "astuple")
    return taken_apart(obj, lambda pairs: tuple_factory([x for _, x in pairs]))


def taken_apart(value, make):
    """A dataclass, and those in it, as `make` has the pairs of names and values; all else is a deep copy."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return make([(f.name, taken_apart(getattr(value, f.name), make)) for f in dataclasses.fields(value)])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[taken_apart(x, make) for x in value])
    if isinstance(value, (list, tuple)):
        return type(value)([taken_apart(x, make) for x in value])
    if isinstance(value, dict):
        return type(value)([(key, taken_apart(x, make)) for key, x in value.items()])
    return copy.deepcopy(value)


def every_field(cls: type) -> tuple:
    """The fields of a dataclass, those that are only for __post_init__ among them."""
    return tuple([f for f in cls.__dataclass_fields__.values() if f._field_type is not dataclasses._FIELD_CLASSVAR])


@means(dataclasses.replace)
def replace(obj, /, **changes):
    check_object(obj, "replace")
    for field in computed(every_field, type(obj)):
        if not field.init:
            if field.name in changes:
                raise WRONG_FIELD(f"field {field.name} is declared with init=False, it cannot be specified with "
                                  "replace()")
        elif field.name not in changes:
            if field._field_type is dataclasses._FIELD_INITVAR and field.default is dataclasses.MISSING:
                raise WRONG_FIELD(f"InitVar {field.name!r} must be specified with replace()")
            changes[field.name] = getattr(obj, field.name)
    return type(obj)(**changes)
