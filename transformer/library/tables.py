"""DataFrames and Series of pandas that are outside of a function: their columns are arrays of the call.  Imported when
the user has imported pandas (`registry.LATE`)."""
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas

from .records import ReadOnly
from .registry import READ_AS, refuse


@dataclass(frozen=True, eq=False)
class Column(ReadOnly):
    """A Series, or a column of a DataFrame. What pandas has of its own, such as sums without NaNs, is refused."""

    values: Any

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


@dataclass(frozen=True, eq=False)
class Table(ReadOnly):
    """A DataFrame, by its columns of numbers: that of the name "a" is the field "column a"."""

    _shape: Any

    def __getitem__(self, key):
        if isinstance(key, list):
            return TableColumns([self[name].values for name in key])
        if not isinstance(key, str):
            refuse("an index of a DataFrame that is no name of a column", NAMED)
        return Column(getattr(self, f"column {key}"))

    def __setitem__(self, key, value):
        refuse("a store into a DataFrame", "Return the new column.")

    def __len__(self):
        return self._shape[0]

    @property
    def shape(self):
        return self._shape

    def __iter__(self):
        refuse("a loop over a DataFrame", NAMED)

    def __array__(self):
        refuse("a DataFrame as an array", NAMED)

    def __getattr__(self, name):
        if name in OWN or name.startswith("column "):
            refuse(f"{name.removeprefix('column ')} of a DataFrame, which is no column of numbers", NAMED)
        return self[name]


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


NAMED = "Take arrays of its columns of numbers: df['a'].to_numpy(), df[['a', 'b']].to_numpy()."
OWN = frozenset(dir(pandas.DataFrame))


def is_of_numbers(x) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind in "fiub"


def reading_of_table(df):
    names = [name for name in df.columns if isinstance(name, str)]
    if len(names) < len(df.columns) or len(set(names)) < len(names):
        return Table, {}
    return Table, {"_shape": (("attr", "shape"),)} | {
        f"column {name}": (("item", name), ("attr", "values")) for name in names if is_of_numbers(df[name].values)}


def reading_of_series(series):
    return Column, {"values": (("attr", "values"),)} if is_of_numbers(series.values) else {}


READ_AS.update({pandas.DataFrame: reading_of_table, pandas.Series: reading_of_series})
