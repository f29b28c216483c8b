"""Results of calls that may still run."""
from __future__ import annotations

import operator
from typing import Any

from ..pytree.containers import container_leaves, map_leaves, number_of_class
from .proxy_array import BINARY, Proxy, asked, forced_method


class Awaited(Proxy):
    """An array, or a number, that is being computed.  What looks at it waits, and hears what went wrong."""

    def __init__(self, call: Any, number: int, classes: tuple = ((None, None),)):
        """The result of this number, of one of these classes (`containers.number_of`)."""
        self._call, self._number, self._classes = call, number, classes

    def _value(self):
        return number_of_class(self._number, self._classes, self._call.results())

    def __setitem__(self, index, x):
        self._value()[asked(index)] = asked(x)

    def __reduce__(self):
        return value, (self._value(),)


for _name in BINARY:  # these store into the array
    _in_place = f"i{_name.strip('_')}"
    setattr(Awaited, f"__{_in_place}__", forced_method(getattr(operator, _in_place)))


def value(x):
    """What an awaited result is, once it is computed; anything else as it is."""
    return x._value() if type(x) is Awaited else x


def awaited_values(tree):
    """The tree with the values of what is awaited in it."""
    return map_leaves(value, tree) if any([type(x) is Awaited for x in container_leaves(tree)]) else tree
