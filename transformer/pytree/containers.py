"""Containers: what is in one, and the same container of other things.

Tuples, lists, deques, dicts, dataclasses and objects of registered classes are containers, and so are arguments of
plain classes; what is none is a leaf.  What walks over arguments and results of calls walks by `opened`, or, where only
the structure of a result is known, by `folded`:

    {"w": (x, y)}        (dict, ("w",), (                      of the leaves x and y
                             (tuple, None, (("leaf", 0), ("leaf", 1))),))

`gs.tree` (tree.py) is for users: there the leaves of a dict come in the order of its sorted keys.
"""
from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import functools
import inspect
import sys
import types
import typing
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np

from ..errors.messages import UnsupportedError
from ..frontend.capture import INSTALLED
from ..frontend.module_names import module_of, package_of
from .rows import SplitRows

REGISTERED: dict[type, tuple[Callable, Callable]] = {}  # class -> (flatten, unflatten), as `register` was given them
READERS: dict[tuple[str, str], Callable] = {}  # (package, class of its own) -> what takes objects apart: `Foreign`


def is_dataclass_value(x) -> bool:
    return dataclasses.is_dataclass(x) and not isinstance(x, type)


def is_object(x) -> bool:
    """Is it a dataclass or of a registered class: a node whose children are attributes?"""
    return is_dataclass_value(x) or type(x) in REGISTERED


def is_plain(x) -> bool:
    """Is it an object of another class of the user's, with floats in its attributes or in what these hold?
    As an argument it is a container."""
    return is_plain_class(type(x)) and holds_floats(x)


@functools.cache
def is_plain_class(cls: type) -> bool:
    """Do the objects of a class have all that they hold in their `__dict__`, as Python looks for it?"""
    users = [c for c in cls.__mro__ if c not in (object, abc.ABC, typing.Generic, typing.Protocol)]
    slots = any(isinstance(x, types.MemberDescriptorType) for c in users for x in vars(c).values())
    return (not dataclasses.is_dataclass(cls) and cls not in REGISTERED and not slots
            and cls.__getattribute__ is object.__getattribute__ and not any(map(is_installed, users)))


def is_installed(cls: type) -> bool:
    """Is a class Python's, a library's or ours?"""
    module = sys.modules.get(module_of(cls))
    return (package_of(cls) in ("builtins", "gradscribe")
            or (getattr(module, "__file__", None) or "").startswith(INSTALLED))


def holds_floats(x, around: tuple = ()) -> bool:
    """Is it an object with floats, complex numbers and arrays of them in its attributes, or in what these hold?"""
    def is_float(y):
        if isinstance(y, (tuple, list, collections.deque, dict)):
            return any(map(is_float, y.values() if isinstance(y, dict) else y))
        return (isinstance(y, (float, complex)) or isinstance(y, (np.ndarray, np.generic)) and y.dtype.kind in "fc"
                or not is_installed(type(y)) and id(y) not in around and holds_floats(y, (*around, id(y))))
    if isinstance(x, (type, enum.Enum)) or inspect.isroutine(x) or inspect.ismodule(x):
        return False
    return type(x) in REGISTERED or any(map(is_float, [*getattr(x, "__dict__", {}).values(), *in_slots(x)]))


def in_slots(x) -> list:
    """What an object of a class of the user's has in slots."""
    slots = [slot for cls in type(x).__mro__ if not is_installed(cls) for slot in vars(cls).values()
             if isinstance(slot, types.MemberDescriptorType)]
    return [getattr(x, slot.__name__) for slot in slots if hasattr(x, slot.__name__)]


_static: dict[type, frozenset[str]] = {}


def declare_static(cls: type, names) -> None:
    """Say which attributes of a class are part of the structure."""
    _static[cls] = frozenset(names)


def static_fields(cls: type) -> frozenset[str]:
    """The attributes of a class that are part of the structure.

    Of a dataclass its fields with metadata={"static": True}; of a registered class what its children are not, as it was
    found when `parts` first took an object apart.
    """
    if cls not in _static and cls not in REGISTERED:
        fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
        _static[cls] = frozenset(f.name for f in fields if f.metadata.get("static", False))
    return _static.get(cls, frozenset())


class Child:
    """Stands for a child, to see where `unflatten` puts it."""

    def __init__(self, k: int):
        self.k = k


def object_parts(x) -> tuple[dict[str, Any], Any]:
    """({attribute: value} with those of the children first and in order, what else makes the object) of an object.

    Inside a transformed function an object is its attributes: the children of a registered class must be found among
    them.
    """
    cls = type(x)
    if cls not in REGISTERED:
        if cls.__getattribute__ is not object.__getattribute__:
            raise UnsupportedError(None, f"{cls.__name__} has a __getattribute__",
                                   instead="Write a __getattr__, which is asked for what is not found.")
        missing = [f.name for f in dataclasses.fields(x) if not hasattr(x, f.name)]
        if missing:
            raise UnsupportedError(None,
                f"a {cls.__name__} without the attribute '{missing[0]}', which is a field of it",
                instead="Let its __init__ store all fields.")
        values = {f.name: getattr(x, f.name) for f in dataclasses.fields(x)}
        return values, tuple(values[name] for name in sorted(static_fields(cls)))
    flatten, unflatten = REGISTERED[cls]
    children, aux = flatten(x)[:2]
    found = vars(unflatten(aux, [Child(k) for k in range(len(children))]))
    places = {value.k: name for name, value in found.items() if isinstance(value, Child)}
    fixed = frozenset(found) - frozenset(places.values())
    if len(places) != len(children) or _static.setdefault(cls, fixed) != fixed:
        raise UnsupportedError(None,
            f"a {cls.__name__} whose children are not attributes, each of its own and always the same",
                               instead="Let unflatten store each child in an attribute, or use a dataclass.")
    return {places[k]: child for k, child in enumerate(children)} | {name: found[name] for name in sorted(fixed)}, aux


def of_fields(cls: type, values: dict[str, Any]):
    """An object with these attributes.  Its __init__, and its descriptors, are for what users make:
    a tree's leaves may be anything."""
    return with_fields(cls() if cls is types.SimpleNamespace else object.__new__(cls), values)


def with_fields(made, values: dict[str, Any]):
    """The object itself, with these attributes put into it."""
    own = getattr(made, "__dict__", None)
    for name, value in values.items():
        if own is None or any(isinstance(vars(c).get(name), types.MemberDescriptorType) for c in type(made).__mro__):
            object.__setattr__(made, name, value)
        else:
            own[name] = value
    return made


def made_of(cls: type, keys, items):
    """A container or an object with these items, made without a call of its class: see `of_fields`."""
    if isinstance(cls, SplitRows):
        return cls.made(items)
    if (made := getattr(cls, "__gradscribe_made__", None)) is not None:
        return made(keys, items)
    if issubclass(cls, tuple):
        return tuple.__new__(cls, items)
    if issubclass(cls, list):
        made = list.__new__(cls)
        list.extend(made, items)
        return made
    if cls is set:
        return set(items)
    if issubclass(cls, collections.deque):
        return collections.deque(items, getattr(cls, "most", None))
    if issubclass(cls, collections.defaultdict):
        return collections.defaultdict(cls.made_by, zip(keys, items))
    if issubclass(cls, dict):
        base = collections.OrderedDict if issubclass(cls, collections.OrderedDict) else dict
        made = base.__new__(cls)
        for key, item in zip(keys, items):
            base.__setitem__(made, key, item)
        return made
    return of_fields(cls, dict(zip(keys, items)))


def only_stores(cls: type, keys) -> bool:
    """Does a call of a dataclass with these fields store them, and nothing else?"""
    if (not dataclasses.is_dataclass(cls) or type(cls) is not type or cls.__new__ is not object.__new__
            or cls.__setattr__ is not object.__setattr__):
        return False
    fields, init = dataclasses.fields(cls), vars(cls).get("__init__")
    code = getattr(init, "__code__", None)
    if (code is None or not is_written_by_dataclass(init) or "__post_init__" in code.co_names
            or len(fields) != code.co_argcount + code.co_kwonlyargcount - 1):
        return False
    return {f.name for f in fields if f.init and _is_stored(cls, f.name)} == set(keys)


def is_written_by_dataclass(method) -> bool:
    """Has `dataclass` written it?  Pickled by value, its code has another file name."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_qualname.startswith("__create_fn__.<locals>.")


def _is_stored(cls: type, name: str) -> bool:
    """Does a store into an attribute go into the object itself?"""
    found = inspect.getattr_static(cls, name, None)
    return isinstance(found, types.MemberDescriptorType) or not hasattr(type(found), "__set__")


# walking --------------------------------------------------------------------------------------------
class Opened(NamedTuple):
    """A container: the keys of what is in it (None: numbers), and what is.

    fixed  the keys of what is part of its structure
    aux    what else makes the object
    """

    keys: tuple | None
    items: tuple
    fixed: frozenset[str]
    aux: Any

    def varying(self) -> list:
        """What is in it and no part of its structure."""
        return [x for k, x in zip(self.keys, self.items) if k not in self.fixed] if self.fixed else [*self.items]


plainly, NOTHING = tuple.__new__, frozenset()  # a call of Opened takes three times as long
LEAVES = frozenset((float, int, bool, complex, str, type(None), np.ndarray, np.float64))  # which need no closer look


def open_container(x) -> Opened | None:
    """A container; None of a leaf.  What classes of users make of iteration and len() does not matter."""
    if type(x) in LEAVES:
        return foreign_parts(x).opened if is_records(x) else None
    if isinstance(x, tuple) and not is_pythons_record(x):
        return plainly(Opened, (None, x if type(x) is tuple else tuple(tuple.__iter__(x)), NOTHING, ()))
    if isinstance(x, list):
        return plainly(Opened, (None, tuple(list.__iter__(x)), NOTHING, ()))
    if type(x) is collections.deque:
        return plainly(Opened, (None, tuple(x), NOTHING, ()))
    if isinstance(x, dict):
        return plainly(Opened, (tuple(x), tuple(x.values()), NOTHING, ()))
    if is_object(x):
        values, aux = object_parts(x)
        return Opened(tuple(values), tuple(values.values()), static_fields(type(x)), aux)
    if is_plain(x):  # it does not say what is part of the structure: ints and bools are
        fixed = {name: value for name, value in vars(x).items() if type(value) in (int, bool)}
        return Opened(tuple(vars(x)), tuple(vars(x).values()), frozenset(fixed), (tuple(vars(x)), *fixed.values()))
    found = foreign_parts(x)
    return None if found is None else found.opened


class Foreign(NamedTuple):
    """What an object of a library holds: a structured array its fields, a DataFrame its columns.

    cls     the class of ours whose objects stand for it in a program
    opened  what is in it, by the attributes that it has there
    ways    how each is found in the object: (("item", "a"), ("attr", "values"))
    like    another one of other contents
    """

    cls: type
    opened: Opened
    ways: tuple
    like: Callable


def foreign_parts(x) -> Foreign | None:
    cls = type(x)
    reader = READERS.get((package_of(cls), cls.__name__))
    return None if reader is None or isinstance(x, np.ndarray) and not is_records(x) else reader(x)


def is_records(x) -> bool:
    """Is it an array whose dtype has named fields?"""
    return type(x) in (np.ndarray, np.recarray) and x.dtype.names is not None


def is_container(x) -> bool:
    return (isinstance(x, (tuple, list, dict)) and not is_pythons_record(x)
            or type(x) is collections.deque or is_object(x) or foreign_parts(x) is not None)


def is_pythons_record(x) -> bool:
    """sys.float_info and its like: a tuple that has attributes, some of which are none of its items."""
    return hasattr(type(x), "n_sequence_fields")


@functools.cache
def deque_of(maxlen: int | None) -> type:
    """The class that a deque has here, which says how many items it holds at most: Python keeps that in the object."""
    return (collections.deque if maxlen is None
            else type("deque", (collections.deque,), {"__module__": "collections", "most": maxlen}))


def class_of(x) -> type:
    """The class of a container, and of a deque the one that says how many items it holds at most."""
    return (deque_of(x.maxlen) if type(x) is collections.deque
            else type(x) if (found := foreign_parts(x)) is None else found.cls)


def container_leaves(x) -> Iterator:
    """What is in containers and is none, in order; what is part of their structure left out."""
    node = open_container(x)
    if node is None:
        yield x
    else:
        for item in node.varying():
            yield from container_leaves(item)


def map_leaves(change: Callable[[Any], Any], x):
    """The same containers with `change(leaf)` for each leaf, in order."""
    node = open_container(x)
    if node is None:
        return change(x)
    if node.fixed:
        return container_like(x, node,
                              [i if k in node.fixed else map_leaves(change, i) for k, i in zip(node.keys, node.items)])
    return container_like(x, node, [map_leaves(change, item) for item in node.items])


def container_like(x, node: Opened, items: list):
    """A container like x, which was opened, with these items."""
    if type(x) in REGISTERED and not isinstance(x, (tuple, list, dict)):
        return REGISTERED[type(x)][1](node.aux, items[:len(items) - len(node.fixed)])  # the children come first
    if (found := foreign_parts(x)) is not None:
        return found.like(items)
    return made_of(class_of(x), node.keys, items)


def folded_structure(structure, leaf: Callable, static: Callable, made: Callable, python: Callable | None = None,
                     either: Callable | None = None):
    """What becomes of a result of this structure, from the inside out.  (By no inner function that calls itself: such
    a function holds the leaves until garbage is collected.)

    leaf(k)                 of ("leaf", k), the leaf of this number
    static(object)          of ("static", object), what is known before the run
    made(cls, keys, items)  of (cls, keys, parts), a container; the items are what has become of the parts
    python(k, classes)      of ("python", k, classes), a number whose class flags say, as `number_of` has them
    either(k, part, other)  of ("either", k, part, other), the first where the leaf k is true; part() is what it becomes
    """
    return _folded(structure, (leaf, static, made, python, either))


def number_of_class(k: int, classes, leaves):
    """The leaf k as a number of the class that the run says.

    classes  [(leaf, cls), ...]: cls is the class, None NumPy's own, if none before is and this leaf, or None, holds
    """
    cls, x = next(cls for flag, cls in classes if flag is None or leaves[flag]), leaves[k]
    return x if cls is None else cls(x if cls is complex or not isinstance(x, complex) else x.real)


def _folded(structure, handlers):
    leaf, static, made, python, either = handlers
    tag = structure[0]
    if tag == "leaf":
        return leaf(structure[1])
    if tag == "static":
        return static(structure[1])
    if tag == "python":
        return python(*structure[1:])
    if tag == "either":
        return either(structure[1], *[lambda part=part: _folded(part, handlers) for part in structure[2:]])
    cls, keys, parts = structure
    return made(cls, keys, [_folded(part, handlers) for part in parts])
