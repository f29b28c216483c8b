"""Updates of parts of an array that leave the array as it is: JAX's `x.at[index].set(values)`."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from gradscribe.transformer.specialise.evaluator.objects.attributes import WRITTEN

from ._types import Array, ArrayLike


@dataclass(frozen=True, eq=False)
class At:
    """An array, of which a part is to be named: `at(x)[index]`.

    Parameters
    ----------
    array : ndarray
        The array, which stays as it is.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.at(np.array([1.0, 2.0]))[0].set(5.0)
    array([5., 2.])
    """

    array: Any

    def __getitem__(self, index: Any) -> Place:
        return Place(self.array, index)


@dataclass(frozen=True, eq=False)
class Place:
    """A part of an array, for updates that each give a new array.

    Where an index comes up several times, each of its updates counts.

    Parameters
    ----------
    array : ndarray
        The array, which stays as it is.
    index : index
        All that NumPy takes.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.at(np.array([1.0, 2.0]))[[0, 0]].add(5.0)
    array([11.,  2.])
    """

    array: Any
    index: Any

    def get(self) -> Array:
        """Return the part, as an array of its own.

        Returns
        -------
        ndarray
            A copy of array[index].
        """
        return np.array(self.array[self.index])

    def set(self, values: ArrayLike) -> Array:
        """Return the array with these values there.

        Where an index comes up several times, the last of its values counts.

        Parameters
        ----------
        values : array_like
            They broadcast to the part, and are converted as by an assignment.

        Returns
        -------
        ndarray
            A new array.

        Raises
        ------
        IndexError
            Where the index is out of range.
        ValueError
            Where the index is a mask, and the values are not one number.
        """
        if is_mask(self.index):
            return self.where_masked(values, values)
        new = np.array(self.array)
        new[self.index] = values
        return new

    def add(self, values: ArrayLike) -> Array:
        """Return the array with the values added there.

        Parameters
        ----------
        values : array_like
            They broadcast to the part.

        Returns
        -------
        ndarray
            A new array.

        Raises
        ------
        IndexError
            Where the index is out of range.
        TypeError
            Where the result does not fit the array's dtype.
        ValueError
            Where the index is a mask, and the values are not one number.
        """
        if is_mask(self.index):
            return self.where_masked(of_kind(self.array + values, self.array), values)
        new = np.array(self.array)
        np.add.at(new, self.index, of_kind(values, new))
        return new

    def multiply(self, values: ArrayLike) -> Array:
        """Return the array multiplied by the values there.

        Parameters
        ----------
        values : array_like
            They broadcast to the part.

        Returns
        -------
        ndarray
            A new array.

        Raises
        ------
        IndexError
            Where the index is out of range.
        TypeError
            Where the result does not fit the array's dtype.
        ValueError
            Where the index is a mask, and the values are not one number.
        """
        return self.one_by_one(lambda x, v: x * v, values)

    def divide(self, values: ArrayLike) -> Array:
        """Return the array divided by the values there.

        Parameters
        ----------
        values : array_like
            They broadcast to the part.

        Returns
        -------
        ndarray
            A new array.

        Raises
        ------
        IndexError
            Where the index is out of range.
        TypeError
            Where the result does not fit the array's dtype.
        ValueError
            Where the index is a mask, and the values are not one number.
        """
        return self.one_by_one(lambda x, v: x / v, values)

    def min(self, values: ArrayLike) -> Array:
        """Return the array with the smaller of its elements and the values there.

        Parameters
        ----------
        values : array_like
            They broadcast to the part.

        Returns
        -------
        ndarray
            A new array.

        Raises
        ------
        IndexError
            Where the index is out of range.
        TypeError
            Where the result does not fit the array's dtype.
        ValueError
            Where the index is a mask, and the values are not one number.
        """
        return self.one_by_one(np.minimum, values)

    def max(self, values: ArrayLike) -> Array:
        """Return the array with the larger of its elements and the values there.

        Parameters
        ----------
        values : array_like
            They broadcast to the part.

        Returns
        -------
        ndarray
            A new array.

        Raises
        ------
        IndexError
            Where the index is out of range.
        TypeError
            Where the result does not fit the array's dtype.
        ValueError
            Where the index is a mask, and the values are not one number.
        """
        return self.one_by_one(np.maximum, values)

    def apply(self, fun: Callable[[Any], Any]) -> Array:
        """Return the array with fun of its elements there.

        An element whose index comes up several times goes through fun as often.

        Parameters
        ----------
        fun : callable
            A function of one element.

        Returns
        -------
        ndarray
            A new array.

        Raises
        ------
        IndexError
            Where the index is out of range.
        TypeError
            Where the result does not fit the array's dtype.
        """
        return self.one_by_one(lambda x, _: fun(x), 0.0)

    def one_by_one(self, fun: Callable[[Any, Any], Any], values: ArrayLike) -> Array:
        """The array with fun(element, value) for its elements there, one after the other."""
        if is_mask(self.index):
            return self.where_masked(of_kind(fun(self.array, values), self.array), values)
        if not is_fancy(self.index):  # no element comes up twice
            new = np.array(self.array)
            new[self.index] = of_kind(fun(new[self.index], values), new)
            return new
        new = np.array(self.array.reshape(-1))
        places = np.arange(new.size).reshape(self.array.shape)[self.index]
        each = np.broadcast_to(values, places.shape).reshape(-1)
        places = places.reshape(-1)
        for k in range(len(places)):
            new[places[k]] = of_kind(fun(new[places[k]], each[k]), new)
        return new.reshape(self.array.shape)

    def where_masked(self, new: Array, values: ArrayLike) -> Array:
        """`new` where the index, a mask, holds; the mask has the leading axes of the array."""
        if np.ndim(values) > 0:
            raise ValueError("values at a mask must be one number")
        mask = self.index.reshape(self.index.shape + (1,) * (self.array.ndim - self.index.ndim))
        return np.where(mask, new, self.array).astype(self.array.dtype)


KINDS = "buifc"


def of_kind(values, array):
    """The values, if NumPy would put them into the array in place: floats do not become ints."""
    if KINDS.index(np.asarray(values).dtype.kind) > KINDS.index(array.dtype.kind):
        raise TypeError("the result of an update does not fit the dtype of the array: convert the array first, with "
                        "x.astype")
    return values


def is_mask(index) -> bool:
    return isinstance(index, np.ndarray) and index.dtype == bool


def is_fancy(index) -> bool:
    """Is there an array or a list of indices in it?"""
    parts = index if isinstance(index, tuple) else (index,)
    return any([isinstance(part, (np.ndarray, list)) for part in parts])


def at(x: Any) -> At:
    """Name a part of an array for an update: `at(x)[index].set(values)` is a new array, and x stays as it is.

    In a function that is transformed `x.at[index]` is the same, as in JAX.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    At
        What `[index]` is written behind.  The index may be all that NumPy takes, and a mask where the values are one
        number.  Then come the methods `set`, `add`, `multiply`, `divide`, `min`, `max` (each of values that broadcast
        to x[index]), `apply` (of a function of one element) and `get`.

    Raises
    ------
    IndexError
        By the methods: where an index is out of range (JAX drops such an update).
    TypeError
        By the methods: for what would have to be rounded to fit the array's dtype, but for `set`, which converts as
        an assignment does.

    Notes
    -----
    Each of several updates of one element counts, as with NumPy's `np.add.at`.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> gs.at(x)[1:].set(0.0), gs.at(x)[[0, 0]].add(10.0)
    (array([1., 0., 0.]), array([21.,  2.,  3.]))
    >>> gs.grad(lambda x: np.sum(gs.at(x)[0].multiply(5.0)))(x)
    array([5., 1., 1.])
    """
    return At(np.asarray(x))


WRITTEN["at"] = at
__all__ = ["at"]
