"""What a program returns: the object of a result, put together of the leaves that were computed."""
from __future__ import annotations

from .containers import folded_structure, made_of, number_of_class
from .given import Given


def with_classes(structure, classes: dict):
    """The structure of a result in which some leaves may have one of several classes: {k: classes}."""
    return folded_structure(structure, lambda k: ("python", k, classes[k]) if k in classes else ("leaf", k),
                            lambda obj: ("static", obj), lambda cls, keys, items: (cls, keys, tuple(items)),
                            either=lambda k, part, other: ("either", k, part(), other()))


def assemble(structure, leaves, objects=()):
    """The Python object of a result; `objects`: those of the arguments that it may hold."""
    return folded_structure(structure, leaves.__getitem__,
                            lambda obj: objects[obj.place] if type(obj) is Given else obj, made_of,
                            lambda k, classes: number_of_class(k, classes, leaves),
                            lambda k, part, other: part() if leaves[k] else other())
