"""The functions of the module dataclasses on objects: Python's own read the tables of fields at each call, which never
change. And methods that Python writes into dataclasses and named tuples, of which there is no text to read."""
from __future__ import annotations

import copy
import dataclasses
import operator
import sys
from typing import Callable

from .registry import computed, known, means

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


@means(dataclasses.fields)
def fields(class_or_instance):
    cls = class_or_instance if isinstance(class_or_instance, type) else type(class_or_instance)
    if not computed(dataclasses.is_dataclass, cls):
        raise TypeError("must be called with a dataclass type or instance")
    return tuple([field for field in computed(dataclasses.fields, cls)])


@means(dataclasses.is_dataclass)
def is_dataclass(obj):
    return computed(dataclasses.is_dataclass, obj if isinstance(obj, type) else type(obj))


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


# methods that Python writes ------------------------------------------------------------------------
# (module that writes it, name) -> function(the class that it is written into, its name, *the arguments in order)
PYTHON_WRITES: dict[tuple[str, str], Callable] = {}


def written(module: str, *names: str):
    """Enter a function for what Python writes into classes under these names."""
    def enter(function):
        function.__gradscribe_library__ = True
        PYTHON_WRITES.update({(module, name): function for name in names})
        return function
    return enter


def names_in(cls: type, table: str) -> tuple:
    """The names in a table that Python keeps in a class, which never change."""
    return tuple(getattr(cls, table))


def compared_fields(cls: type) -> tuple:
    return tuple([f.name for f in dataclasses.fields(cls) if f.compare])


def hashed_fields(cls: type) -> tuple:
    return tuple([f.name for f in dataclasses.fields(cls) if (f.compare if f.hash is None else f.hash)])


def field_values(obj, names) -> tuple:
    return tuple([getattr(obj, name) for name in names])


def shown_fields(cls: type) -> tuple:
    return tuple([f.name for f in dataclasses.fields(cls) if f.repr])


@written("dataclasses", "__repr__")
def repr_of_fields(cls, name, self):
    return fields_text(self, type(self).__qualname__, computed(shown_fields, cls))


def fields_text(obj, title, names):
    text = f"{title}("
    for k, name in enumerate(names):
        text = f"{text}{', ' if k else ''}{name}={getattr(obj, name)!r}"
    return f"{text})"


@written("dataclasses", "__eq__", "__lt__", "__le__", "__gt__", "__ge__")
def compare_fields(cls, name, self, other):
    if self.__class__ is not other.__class__:
        return NotImplemented
    names = computed(compared_fields, cls)
    left, right = field_values(self, names), field_values(other, names)
    if name != "__eq__" or sys.version_info < (3, 13):
        return getattr(operator, name)(left, right)
    if self is other:
        return True
    result = True
    for a, b in zip(left, right):
        result = result and a == b
    return result


@written("dataclasses", "__hash__")
def hash_of_fields(cls, name, self):
    return hash(field_values(self, computed(hashed_fields, cls)))


@written("dataclasses", "__setattr__", "__delattr__")
def frozen(cls, name, self, attribute, *value):
    attribute = known(attribute, "it is the name of an attribute")
    if self.__class__ is cls or attribute in computed(names_in, cls, "__dataclass_fields__"):
        raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {attribute!r}")
    return getattr(super(cls, self), name)(attribute, *value)


@written("namedtuple", "__repr__")
def repr_of_items(cls, name, self):
    return fields_text(self, type(self).__name__, computed(names_in, cls, "_fields"))


@written("namedtuple", "_make")
def named_tuple_of(_, name, cls, iterable):
    made = tuple.__new__(cls, iterable)
    count = len(computed(names_in, cls, "_fields"))
    if len(made) != count:
        raise TypeError(f"Expected {count} arguments, got {len(made)}")
    return made


@written("namedtuple", "_replace", "__replace__")
def replaced_items(cls, name, self, changes):
    made = [changes.pop(field, x) for field, x in zip(computed(names_in, cls, "_fields"), self)]
    if changes:
        raise WRONG_FIELD(f"Got unexpected field names: {list(changes)!r}")
    return tuple.__new__(self.__class__, made)


@written("namedtuple", "_asdict")
def as_dict(cls, name, self):
    return dict(zip(computed(names_in, cls, "_fields"), self))
