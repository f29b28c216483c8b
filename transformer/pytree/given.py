"""The objects of the arguments of a call, by where they stand: a result may hold them, and be put into them."""
from __future__ import annotations

import collections
import types
from typing import Iterator, NamedTuple

from .containers import REGISTERED, foreign_parts, open_container, with_fields


class Given(NamedTuple):
    """Stands in a result for an object of the arguments: the one that `objects_in` finds at this place."""

    place: int


def objects_in(x) -> Iterator:
    """An object and all that is in containers in it, these among them, each before what is in it."""
    yield x
    node = open_container(x)
    for item in node.items if node is not None else ():
        yield from objects_in(item)


def placed_in(x, parts) -> dict:
    """{name: where `objects_in` finds it} of the parts (id, name) of an object; those of one id in their order."""
    places: dict[int, list[Given]] = {}
    for k, part in enumerate(objects_in(x)):
        places.setdefault(id(part), []).append(Given(k))
    return {name: places[own].pop(0) for own, name in parts if places.get(own)}


def is_refillable(x) -> bool:
    """Can `refilled` put what is in another one into this container?"""
    return foreign_parts(x) is None and (type(x) not in REGISTERED or type(x) is types.SimpleNamespace)


def refilled(old, new) -> None:
    """Put into a container what is in another of its class, and nothing else."""
    if isinstance(old, (list, dict, collections.deque)):
        old.clear()
        (old.update if isinstance(old, dict) else old.extend)(new)
        return
    fields = open_container(new)  # None where no float is left in it
    after = ({} if fields is None else dict(zip(fields.keys, fields.items))) | getattr(new, "__dict__", {})
    for name in set(open_container(old).keys) - set(after):
        object.__delattr__(old, name)
    with_fields(old, after)
