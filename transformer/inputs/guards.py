"""What a specialisation has looked at outside of the function, and whether it is still so.

Each look-up is a `Path`; what was found there, nothing among it, is noted with `s.guard(path, known)`, and the program
holds while `holds(path, known)`.  The fast path (programs/fast_path.py) spells the same tests.
"""
from __future__ import annotations

import builtins
import dataclasses
import enum
import functools
import inspect
import sys
import types as pytypes
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..frontend.module_names import package_of
from ..pytree.containers import (REGISTERED, foreign_parts, is_dataclass_value, is_plain_class, is_pythons_record,
                                 is_records, object_parts)


class NoItem:
    """What is known of a place where nothing was found."""

    def __repr__(self):
        return "ABSENT"


ABSENT = NoItem()


@dataclass(frozen=True, eq=False)
class Path:
    """Where an outside object is found at call time."""

    text: str
    holder: Any  # a namespace (dict), a closure cell, an object, or a Path
    key: Any
    how: str  # "name", "cell", "default" (the holder itself), "attr", "item", "own" (an entry of the object's __dict__)

    def get(self):
        match self.how:
            case "name":
                return self.holder[self.key] if self.key in self.holder else getattr(builtins, self.key)
            case "cell":
                return self.holder.cell_contents
            case "attr":
                return getattr(self.holder.get(), self.key)
            case "item":
                holder = self.holder.get()
                return next((b for b in (tuple, list, dict) if isinstance(holder, b)),
                            type(holder)).__getitem__(holder, self.key)
            case "own":
                return vars(self.holder.get())[self.key]
            case "default":
                return self.holder

    def assign(self, x) -> None:
        """To a variable."""
        if self.how == "cell":
            self.holder.cell_contents = x
        else:
            self.holder[self.key] = x

    def now(self):
        """What is found there, or ABSENT."""
        try:
            return self.get()
        except (LookupError, AttributeError, ValueError, TypeError):
            return ABSENT

    @property
    def root(self):
        """What the way starts from."""
        return self.holder.root if isinstance(self.holder, Path) else self.holder

    @property
    def place(self) -> tuple:
        """Equal for ways that are the same."""
        before = self.holder.place if isinstance(self.holder, Path) else (id(self.holder),)
        return (*before, self.how, static_key(self.key))

    def attr(self, key):
        return Path(f"{self.text}.{key}", self, key, "attr")

    def item(self, key):
        return Path(f"{self.text}[{key!r}]", self, key, "item")

    def way(self, steps):
        """Further along `steps`, such as (("item", "a"), ("attr", "values"))."""
        return functools.reduce(lambda at, step: getattr(at, step[0])(step[1]), steps, self)

    def own(self, key):
        return Path(f"{self.text}.{key}", self, key, "own")


LEAST, MOST = -2 ** 63, 2 ** 63 - 1


def is_run_time_leaf(x) -> bool:
    """Is it a number or array, which the run time brings?  (An IntEnum and other
    subclasses of int and float are objects.)"""
    return not is_huge(x) and (type(x) in (float, int, bool, complex)
                               or isinstance(x, (np.ndarray, np.generic)) and not is_records(x))


def is_huge(x) -> bool:
    """Is it an int of more than 64 bits, which only Python has?  A program is made for each such value."""
    return type(x) is int and not LEAST <= x <= MOST


# what is known of an object ------------------------------------------------------------------
class Same:
    """A key that is equal to that of the same object only."""

    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Same) and self.x is other.x

    def __hash__(self):
        return id(self.x)


def static_key(x):
    """A key of an object that a specialisation knows, equal only to that of one it cannot be distinguished from."""
    cls = type(x)
    if is_texts(x):
        return (cls, x.dtype, x.shape, x.tobytes())
    if cls in (str, int, bool, bytes, type(None)):
        return (cls, x)
    if cls in (float, complex):
        return (cls, repr(x))  # 0.0 and -0.0 differ, a NaN is a NaN
    if cls in (tuple, frozenset, set):
        return (cls, *map(static_key, x))  # in the order of their items: a loop over them may show it
    if cls in (range, slice):
        return (cls, *map(static_key, (x.start, x.stop, x.step)))
    if isinstance(x, tuple):
        return (cls, Same(x) if vars_of(x) else tuple(map(static_key, x)))
    if isinstance(x, np.generic):
        return (cls, x.dtype, x.tobytes() if x.dtype != object else Same(x))
    if isinstance(x, np.dtype):
        return (cls, x)
    if cls is pytypes.MethodType:
        return (cls, Same(x.__func__), Same(x.__self__))
    if cls is pytypes.BuiltinMethodType:
        return (cls, x.__name__, Same(x.__self__))
    return (cls, Same(x))


def is_texts(x) -> bool:
    """Is it an array of strings, such as a field of records? A program knows what it holds."""
    return isinstance(x, np.ndarray) and x.dtype.kind in "US"


def vars_of(x) -> dict:
    """What an object has in attributes of its own."""
    return getattr(x, "__dict__", {})


@functools.cache
def field_names(cls: type) -> frozenset[str]:
    return frozenset(f.name for f in dataclasses.fields(cls))


def beside_fields(x) -> tuple[str, ...]:
    """The attributes of an object of a dataclass that are no fields.
    (What a cached_property keeps is no other than what it computes.)"""
    own = vars_of(x).keys()
    if not is_dataclass_value(x) or own <= field_names(type(x)):
        return ()
    return tuple(sorted(n for n in own - field_names(type(x)) if not isinstance(
        inspect.getattr_static(type(x), n, ABSENT), functools.cached_property)))


def hiding(x) -> list[str]:
    """Those of them that hide what its class has."""
    return [n for n in beside_fields(x) if inspect.getattr_static(type(x), n, ABSENT) is not ABSENT]


def has_only_fields(x) -> bool:
    """Are all attributes of an object known: is it of a plain class, or of a dataclass and has nothing but fields?"""
    if is_plain_class(type(x)):
        return True
    may_be_there = {n for cls in type(x).__mro__ for n, found in vars(cls).items()
                    if isinstance(found, (pytypes.MemberDescriptorType, functools.cached_property))}
    return (is_dataclass_value(x) and type(x) not in REGISTERED and may_be_there <= field_names(type(x))
            and not beside_fields(x))


class Seen:
    """What a program knows of an outside object, where that is not which object it is."""

    @classmethod
    def of(cls, obj):
        raise NotImplementedError

    def fits(self, obj) -> bool:
        raise NotImplementedError


def size_of(obj) -> int:
    """How many items a tuple or list has, whatever its class makes of len()."""
    return (tuple if isinstance(obj, tuple) else list).__len__(obj)


@dataclass(frozen=True)
class Shape(Seen):
    """Of a container: its class and its keys or length."""

    cls: type
    keys: tuple

    @classmethod
    def of(cls, obj) -> "Shape":
        keys = (tuple(map(static_key, obj)) if isinstance(obj, dict)
                else (len(obj), obj.maxlen) if type(obj) is deque
                else (size_of(obj),) if isinstance(obj, (tuple, list))
                else (found.cls, *found.opened.keys) if (found := foreign_parts(obj)) is not None
                else (*object_parts(obj)[0], *beside_fields(obj)))
        return Shape(type(obj), keys)

    def fits(self, obj) -> bool:
        return type(obj) is self.cls and Shape.of(obj).keys == self.keys


@dataclass(frozen=True)
class Kind(Seen):
    """Of an array or number: all but its values and sizes."""

    cls: type
    dtype: np.dtype | None = None
    ones: tuple[bool, ...] = ()
    order: str | None = None
    huge: bool = False

    @classmethod
    def of(cls, obj) -> "Kind":
        if not isinstance(obj, np.ndarray):
            return Kind(type(obj), getattr(obj, "dtype", None), huge=is_huge(obj))
        order = "C" if obj.flags.c_contiguous else "F" if obj.flags.f_contiguous else None
        return Kind(type(obj), obj.dtype, tuple(n == 1 for n in obj.shape), order)

    def fits(self, obj) -> bool:
        return type(obj) is self.cls and Kind.of(obj) == self


@dataclass(frozen=True)
class SizeGuard(Seen):
    """Of the attributes of a class or object: how many.  One that was read has a guard of its own;
    this tells that one that was not there has come."""

    count: int

    @classmethod
    def of(cls, obj) -> "SizeGuard":
        return SizeGuard(len(obj))

    def fits(self, obj) -> bool:
        return len(obj) == self.count


@dataclass(frozen=True)
class Value(Seen):
    """Of a string, a set and their like: what it is equal to."""

    key: tuple

    @classmethod
    def of(cls, obj) -> "Value":
        return Value(static_key(obj))

    def fits(self, obj) -> bool:
        return type(obj) is self.key[0] and static_key(obj) == self.key

    def __str__(self):
        cls, *parts = self.key
        return repr(parts[0]) if len(parts) == 1 else f"what it was, of class {cls.__name__}"


@dataclass(frozen=True, eq=False)
class Instance(Seen):
    """Of an object of a class that is written in Python: which object, and of which class."""

    obj: Any
    cls: type

    @classmethod
    def of(cls, obj) -> "Instance":
        return Instance(obj, type(obj))

    def fits(self, obj) -> bool:
        return obj is self.obj and type(obj) is self.cls


LIBRARIES = {*sys.stdlib_module_names, "numpy", "scipy", "gradscribe"} - {"__main__"}
VALUES = (str, bytes, int, float, complex, bool, range, slice, set, frozenset, pytypes.MethodType,
          pytypes.BuiltinMethodType)


def seen(obj):
    """What is to be known of a static object: itself, what it is equal to, or which instance of what class."""
    if isinstance(obj, Seen) or obj is ABSENT:
        return obj
    if ((type(obj) in VALUES or isinstance(obj, (np.generic, np.dtype)) or is_texts(obj))
            and not isinstance(getattr(obj, "__self__", None), pytypes.ModuleType)):
        return Value.of(obj)
    return (Instance.of(obj) if has_python_code(type(obj))
            and not isinstance(obj, (type, enum.Enum, pytypes.ModuleType)) else obj)


def has_python_code(cls: type) -> bool:
    """Is it a class that a user has written?"""
    return cls.__flags__ & 1 << 9 and package_of(cls) not in {*LIBRARIES, "pandas"}  # Py_TPFLAGS_HEAPTYPE


def holds(path: Path, known) -> bool:
    """Is what is known of the object at the path still so?"""
    now = path.now()
    return known.fits(now) if isinstance(known, Seen) else now is known


def can_change_unseen(obj) -> bool:
    """Is it a container or an iterator that no guard can look into: a deque, an open file, iter(x)?"""
    cls = type(obj)
    closed = package_of(cls) in LIBRARIES and hasattr(cls, "__iter__") and not is_pythons_record(obj)
    return closed and cls not in VALUES and not isinstance(obj,
                                                           (type, np.dtype, pytypes.GenericAlias, pytypes.UnionType))


__all__ = ["ABSENT", "Kind", "Path", "Shape", "can_change_unseen", "holds", "is_run_time_leaf", "seen", "static_key"]
