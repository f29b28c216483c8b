"""Results of calls that may still run."""
from __future__ import annotations

import operator
from typing import Any

from .containers import leaves, mapped
from .proxies import BINARY, Proxy, asked, first


class Awaited(Proxy):
    """An array, or a number, that is being computed.  What looks at it waits, and is told what went wrong."""

    def __init__(self, call: Any, number: int, flag: int | None = None, cls: type | None = None):
        """A number of the class, if the result `flag` says so, or is None."""
        self._call, self._number, self._flag, self._cls = call, number, flag, cls

    def _value(self):
        results = self._call.results()
        value = results[self._number]
        is_python = self._cls is not None and (self._flag is None or results[self._flag])
        return self._cls(value) if is_python else value

    def __setitem__(self, index, x):
        self._value()[asked(index)] = asked(x)

    def __reduce__(self):
        return value, (self._value(),)


for _name in BINARY:  # these store into the array
    _in_place = f"i{_name.strip('_')}"
    setattr(Awaited, f"__{_in_place}__", first(getattr(operator, _in_place)))


def value(x):
    """What an awaited result is, once it is computed; anything else as it is."""
    return x._value() if type(x) is Awaited else x


def computed(tree):
    """The tree with the values of what is awaited in it."""
    return mapped(value, tree) if any([type(x) is Awaited for x in leaves(tree)]) else tree
