"""Results of calls that may still run."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .containers import mapped


class Awaited:
    """An array, or a number, that is being computed.  What looks at it waits, and is told what went wrong."""

    def __init__(self, call: Any, number: int, cls: type | None = None):
        self._call, self._number, self._cls = call, number, cls

    def _value(self):
        value = self._call.results()[self._number]
        return value if self._cls is None else self._cls(value)

    def __array__(self, dtype=None, copy=None):
        return np.array(self._value(), dtype, copy=copy)

    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return getattr(ufunc, method)(*map(value, args), **{k: value(x) for k, x in kwargs.items()})

    def __array_function__(self, function, types, args, kwargs):
        args, kwargs = mapped(value, (args, kwargs))
        return function(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__array_"):  # numpy shall ask for the array
            raise AttributeError(name)
        return getattr(self._value(), name)

    def __getitem__(self, index):
        return self._value()[value(index)]

    def __setitem__(self, index, x):
        self._value()[value(index)] = value(x)

    def __reduce__(self):
        return value, (self._value(),)

    __hash__ = None


def _first(function):
    return lambda self, *others: function(self._value(), *map(value, others))


def _second(function):
    return lambda self, other: function(value(other), self._value())


for _name in "lt le eq ne gt ge neg pos abs invert index".split():
    setattr(Awaited, f"__{_name}__", _first(getattr(operator, _name)))
for _name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    _plain = _name.strip("_")
    setattr(Awaited, f"__{_plain}__", _first(getattr(operator, _name)))
    setattr(Awaited, f"__r{_plain}__", _second(getattr(operator, _name)))
    setattr(Awaited, f"__i{_plain}__", _first(getattr(operator, f"i{_plain}")))
for _function in len, iter, float, int, complex, bool, repr, str, round, format, divmod:
    setattr(Awaited, f"__{_function.__name__}__", _first(_function))


def value(x):
    """What an awaited result is, once it is computed; anything else as it is."""
    return x._value() if type(x) is Awaited else x
