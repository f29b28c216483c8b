"""What is known of records and of objects of other libraries is what they hold; all else that is done is refused."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .registry import computed, refuse


class ReadOnly:
    """What has fields that are arrays, and of all else that is done with it nothing."""

    __array_ufunc__ = None  # x * records is for the records to do


def refused_of_records(name):
    def operator(self, *others):
        return self.__getattr__(name)
    return operator


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul", "and", "or", "xor"):
    setattr(ReadOnly, f"__{_name}__", refused_of_records("arithmetic"))
    setattr(ReadOnly, f"__r{_name}__", refused_of_records("arithmetic"))
for _name in ("neg", "pos", "abs", "invert", "float", "int", "complex"):
    setattr(ReadOnly, f"__{_name}__", refused_of_records("arithmetic"))
for _name in ("lt", "le", "gt", "ge", "eq", "ne", "contains", "bool"):
    setattr(ReadOnly, f"__{_name}__", refused_of_records("a comparison"))


@dataclass(frozen=True, eq=False)
class Texts(ReadOnly):
    """A field of strings, which are known before the run; one of them is Python's."""

    known: Any

    def __getitem__(self, key):
        if not isinstance(key, (int, np.integer)):
            refuse("a part of a field of strings", "Take the strings one by one: p['name'][i].")
        return [*computed(listed_texts, self.known)][key]

    def __eq__(self, other):
        return np.array([*computed(equal_texts, self.known, other)])

    def __ne__(self, other):
        return ~(self == other)

    def __len__(self):
        return len(self.known)

    def __iter__(self):
        return iter([*computed(listed_texts, self.known)])

    @property
    def shape(self):
        return self.known.shape

    @property
    def dtype(self):
        return self.known.dtype

    def tolist(self):
        return [*computed(listed_texts, self.known)]

    def __array__(self):
        refuse("a field of strings as an array", "Compare it with a string: p['name'] == 'sand'.")

    def __getattr__(self, name):
        refuse(f"{name} of a field of strings", "Compare it with a string: p['name'] == 'sand'.")


def listed_texts(texts):
    return tuple(texts.tolist())


def equal_texts(texts, other):
    return tuple((texts == other).tolist())
