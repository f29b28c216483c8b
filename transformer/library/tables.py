"""DataFrames and Series of pandas: their columns are arrays of the call.  Nothing here needs pandas."""
from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..pytree.containers import READERS, Foreign, Opened
from .indexes import Index
from .read_only import ReadOnly
from .registry import FUNCTIONS, LATE, Written, computed, read_only, refuse

NAMED = "Take arrays of its columns of numbers: df['a'].to_numpy(), df[['a', 'b']].to_numpy()."
MADE = "Make it of arrays of numbers: pd.DataFrame({'a': x}, index=times), or work with the arrays."
RETURNED = ("a DataFrame or Series as a result, or what has the structure of one, such as a gradient",
            "Pass, and return, arrays: df['a'].to_numpy(), or a dict of them.")


@dataclass(frozen=True, eq=False)
class Column(ReadOnly):
    """A Series, or a column of a DataFrame. What pandas has of its own, such as sums without NaNs, is refused."""

    values: Any
    not_returned = RETURNED

    @property
    def shape(self):
        return self.values.shape

    @property
    def size(self):
        return len(self.values)

    def to_numpy(self):
        return self.values

    def __len__(self):
        return len(self.values)

    def __array__(self):
        return self.__getattr__("an array")

    def __getitem__(self, key):
        return self.__getattr__("an index")

    def __iter__(self):
        return self.__getattr__("a loop over it")

    def __getattr__(self, name):
        refuse(f"{name} of a Series of pandas, whose functions skip NaNs and go by the index",
               "Take the array of it: df['a'].to_numpy().")


class Table(ReadOnly):
    """A DataFrame, by its columns of numbers: that of the name "a" is the field "column a".

    names  of all columns; there is a class for each DataFrame of others (`class_of_table`)
    held   of those that are of numbers
    own    what a DataFrame has as attributes
    """

    names: tuple = ()
    held: tuple = ()
    own: frozenset = frozenset()
    not_returned = RETURNED

    def __getitem__(self, key):
        if isinstance(key, list):
            return TableColumns([self[name].values for name in key])
        if not isinstance(key, str):
            refuse("an index of a DataFrame that is no name of a column", NAMED)
        if key not in self.names:
            raise KeyError(key)
        if key not in self.held:
            refuse(f"{key} of a DataFrame, which is no column of numbers", NAMED)
        return Column(getattr(self, f"column {key}"))

    def __setitem__(self, key, value):
        refuse("a store into a DataFrame", "Return the new column.")

    def __len__(self):
        return getattr(self, f"column {computed(first_column, self.held)}").shape[0]

    @property
    def shape(self):
        return len(self), len(self.names)

    @property
    def columns(self):
        return Names(self.names)

    @property
    def values(self):
        return TableColumns([self[name].values for name in self.names]).values

    def to_numpy(self):
        return TableColumns([self[name].values for name in self.names]).values

    def __iter__(self):
        refuse("a loop over a DataFrame", NAMED)

    def __array__(self):
        refuse("a DataFrame as an array", NAMED)

    def __getattr__(self, name):
        if name in self.own or name not in self.names:
            refuse(f"{name.removeprefix('column ')} of a DataFrame, which is no column of numbers", NAMED)
        return self[name]


@dataclass(frozen=True, eq=False)
class NewTable(Table):
    """A DataFrame that the function makes.  Of its index nothing is known."""

    _gs_columns: Any  # {name: array}

    @property
    def names(self):
        return tuple(self._gs_columns)

    @property
    def held(self):
        return tuple(self._gs_columns)

    def __getattr__(self, name):
        if name.startswith("column "):
            return self._gs_columns[name.removeprefix("column ")]
        return Table.__getattr__(self, name)


def new_table(data, index=None):
    """pd.DataFrame({"a": array}, index=times)"""
    if not isinstance(data, dict) or len(data) == 0 or not (index is None or isinstance(index, Index)):
        refuse("a DataFrame of other things than a dict of arrays, with an index that is known", MADE)
    columns = {}
    for name, x in data.items():
        if not (isinstance(name, str) and isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind in "fiub"):
            refuse(f"a DataFrame whose column {name} is no array of numbers with one axis", MADE)
        if len(x) != len(x if index is None else index):
            raise ValueError(f"Length of values ({len(x)}) does not match length of index ({len(index)})")
        if len(x) != len([*data.values()][0]):
            raise ValueError("All arrays must be of the same length")
        column = np.array(x)
        columns[name] = read_only(column, column, "it may be a column of a DataFrame")
    return NewTable(columns)


def enter_tables() -> None:
    cls = sys.modules["pandas"].DataFrame
    NewTable.own = frozenset(dir(cls))
    FUNCTIONS[cls] = Written(new_table, unasked=True)


@dataclass(frozen=True, eq=False)
class Names(ReadOnly):
    """df.columns"""

    names: Any

    def __len__(self):
        return len(self.names)

    def __iter__(self):
        return iter(self.names)

    def __contains__(self, name):
        return name in self.names

    def __getitem__(self, k):
        if not isinstance(k, (int, np.integer)):
            refuse("a part of the columns of a DataFrame", "Make a list of them: list(df.columns).")
        return self.names[k]

    def tolist(self):
        return [*self.names]

    def __getattr__(self, name):
        refuse(f"{name} of the columns of a DataFrame", "Make a list of them: list(df.columns).")


@dataclass(frozen=True, eq=False)
class TableColumns(ReadOnly):
    """Several columns of a DataFrame."""

    columns: Any

    @property
    def values(self):
        kinds = [x.dtype.kind == "b" for x in self.columns]
        if any(kinds) and not all(kinds):
            refuse("columns of bools and of numbers as one array, which pandas makes one of objects",
                   "Take them one by one: df['a'].to_numpy().")
        return np.stack(self.columns, axis=1)

    def to_numpy(self):
        return self.values

    def __len__(self):
        return len(self.columns[0])

    def __array__(self):
        return self.__getattr__("an array")

    def __getattr__(self, name):
        refuse(f"{name} of columns of a DataFrame", "Take the array of them: df[['a', 'b']].to_numpy().")


def is_of_numbers(x) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind in "fiub"


def first_column(held):
    if not held:
        raise NotImplementedError("a DataFrame without columns of numbers")
    return held[0]


@functools.cache
def class_of_table(names: tuple, held: tuple, of: type) -> type:
    return type("DataFrame", (Table,), {
        "__module__": __name__, "names": names, "held": held, "own": frozenset(dir(of)),
        "__gradscribe_item__": staticmethod(lambda key: f"[{key.removeprefix('column ')!r}].values")})


def opened_table(df) -> Foreign:
    """A DataFrame, taken apart."""
    names = tuple([name for name in df.columns if isinstance(name, str)])
    if len(names) < len(df.columns) or len(set(names)) < len(names):
        names = ()
    columns = {name: df[name].values for name in names}
    held = tuple([name for name, x in columns.items() if is_of_numbers(x)])
    keys = tuple([f"column {name}" for name in held])
    return Foreign(class_of_table(names, held, type(df)),
                   Opened(keys, tuple([columns[name] for name in held]), frozenset(), names),
                   tuple([(("item", name), ("attr", "values")) for name in held]),
                   lambda items: df.assign(**dict(zip(held, items))))


def opened_series(series) -> Foreign:
    keys = ("values",) if is_of_numbers(series.values) else ()
    return Foreign(Column, Opened(keys, (series.values,) * len(keys), frozenset(), ()),
                   ((("attr", "values"),),) * len(keys),
                   lambda items: type(series)(items[0], series.index) if items else series)


new_table.__gradscribe_library__ = True
LATE["pandas"] = enter_tables
READERS.update({("pandas", "DataFrame"): opened_table, ("pandas", "Series"): opened_series})
