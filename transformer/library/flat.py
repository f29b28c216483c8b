"""`x.flat`: an array as a row of its elements, in the order of its indices."""
from dataclasses import dataclass
from typing import Any

import numpy as np

from .registry import ensure


@dataclass(eq=False)
class Flat:
    """Reads are copies; a store repeats its values as often as it takes."""

    base: Any
    begun: bool = False  # it is an iterator, too

    def __len__(self):
        return self.base.size

    def __iter__(self):
        ensure(not self.begun, "x.flat in a variable, over which a second loop goes on: write x.flat in each loop")
        self.begun = True
        return (self[k] for k in range(self.base.size))

    def __array__(self):
        return self.base.flatten()

    def copy(self):
        return self.base.flatten()

    def __getitem__(self, index):
        index = one_axis(index)
        return self.base[self.place(index)] if isinstance(index, (int, np.integer)) else self.base.flatten()[index]

    def place(self, k):
        size = self.base.size
        if k < -size or k >= size:
            raise IndexError(f"index {k} is out of bounds for size {size}")
        return np.unravel_index(k + size if k < 0 else k, self.base.shape)

    def __setitem__(self, index, values):
        index, base = one_axis(index), self.base
        if isinstance(index, (int, np.integer)):
            if np.ndim(values) > 0:
                raise ValueError("Error setting single item of array.")
            base[self.place(index)] = values
            return
        places = np.arange(base.size)[index].reshape(-1)
        values = np.asarray(values).flatten()
        if values.size > 0:
            new = base.flatten()
            new[places] = np.resize(values, places.size)
            base[...] = new.reshape(base.shape)

    def put_all(self, values):
        """x.flat = values"""
        self[:] = values


def one_axis(index):
    count = len(index) if isinstance(index, tuple) else 1
    if isinstance(index, np.ndarray) and index.dtype == bool:
        count = index.ndim
    if count > 1:
        raise IndexError(f"too many indices for flat iterator: flat iterator is 1-dimensional, but {count} were "
                         "indexed")
    return index
