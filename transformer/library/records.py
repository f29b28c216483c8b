"""Structured arrays that are outside of a function: their fields are arrays of the call."""
from dataclasses import dataclass
from typing import Any

import numpy as np

from .registry import READ_AS, refuse


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
class Records(ReadOnly):
    """An array of records, by its fields: that of the name "x" is "field x"."""

    _shape: Any

    def __getitem__(self, key):
        if isinstance(key, str):
            return getattr(self, f"field {key}")
        if not isinstance(key, (int, np.integer, slice)):
            refuse("an index of records that is no name, int or slice", FIELDS)
        if not isinstance(key, slice) and not -len(self) <= key < len(self):
            raise IndexError(f"index {key} is out of bounds for axis 0 with size {len(self)}")
        return Part(self, key)

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            refuse("a store of whole records", FIELDS)
        self[key][...] = value

    def __len__(self):
        return self._shape[0]

    def __iter__(self):
        for k in range(len(self)):
            yield Part(self, k)

    @property
    def shape(self):
        return self._shape

    def __array__(self):
        refuse("records as an array of numbers", FIELDS)

    def __getattr__(self, name):
        refuse(f"{name.removeprefix('field ')} of records", FIELDS)


@dataclass(frozen=True, eq=False)
class WithAttributes(Records):
    """A np.recarray, whose fields are attributes."""

    def __getattr__(self, name):
        if name in OWN or name.startswith("field "):
            refuse(f"{name.removeprefix('field ')} of records", FIELDS)
        return self[name]


@dataclass(frozen=True, eq=False)
class Part(ReadOnly):
    """A record, or a slice of records: a view of them."""

    records: Any
    place: Any

    def __getitem__(self, key):
        if not isinstance(key, str):
            refuse("an index of a record that is no name", FIELDS)
        return self.records[key][self.place]

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            refuse("a store of whole records", FIELDS)
        self.records[key][self.place] = value

    def __iter__(self):
        refuse("a loop over what is in a record", FIELDS)

    def __len__(self):
        refuse("the length of a part of records", FIELDS)

    def __array__(self):
        refuse("a part of records as an array of numbers", FIELDS)

    def __getattr__(self, name):
        refuse(f"{name} of a part of records", FIELDS)


FIELDS = "Take the array of a field, and index that: p['x'][i], p['x'][mask]."
OWN = frozenset(dir(np.recarray))


def reading_of_records(array):
    """The fields that are numbers; None of other arrays."""
    if array.dtype.names is None:
        return None
    cls = WithAttributes if type(array) is np.recarray else Records
    return cls, {"_shape": (("attr", "shape"),)} | {
        f"field {name}": (("item", name),) for name in array.dtype.names
        if array.dtype[name].base.kind in "fiubc" and array.dtype[name].base.isnative}


READ_AS.update({np.ndarray: reading_of_records, np.recarray: reading_of_records})
