"""Objects that stand for an array which they have not in their hands: whatever is done with one asks for it."""
from __future__ import annotations

import operator

import numpy as np

from ..pytree.containers import map_leaves


class Proxy:
    """What a subclass says is `_value()`: the array, or number."""

    def _value(self):
        raise NotImplementedError

    def __array__(self, dtype=None, copy=None):
        return np.array(self._value(), dtype, copy=copy)

    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return getattr(ufunc, method)(*map(asked, args), **map_leaves(asked, kwargs))

    def __array_function__(self, function, types, args, kwargs):
        args, kwargs = map_leaves(asked, (args, kwargs))
        return function(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__array_"):  # numpy shall ask for the array
            raise AttributeError(name)
        return getattr(self._value(), name)

    def __getitem__(self, index):
        return self._value()[asked(index)]

    __hash__ = None


def asked(x):
    """The value of a proxy; anything else as it is."""
    return x._value() if isinstance(x, Proxy) else x


def forced_method(function):
    """The method of a function that takes the value, and those of what else it is given."""
    return lambda self, *others: function(self._value(), *map(asked, others))


def _second(function):
    return lambda self, other: function(asked(other), self._value())


for _name in "lt le eq ne gt ge neg pos abs invert index".split():
    setattr(Proxy, f"__{_name}__", forced_method(getattr(operator, _name)))
BINARY = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split()
for _name in BINARY:
    _plain = _name.strip("_")
    setattr(Proxy, f"__{_plain}__", forced_method(getattr(operator, _name)))
    setattr(Proxy, f"__r{_plain}__", _second(getattr(operator, _name)))
for _function in len, iter, float, int, complex, bool, repr, str, round, format, divmod:
    setattr(Proxy, f"__{_function.__name__}__", forced_method(_function))
