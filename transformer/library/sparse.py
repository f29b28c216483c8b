"""scipy.sparse: products with matrices that are constants: one that is outside of a function is read as its arrays."""
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from .registry import read_as, refuse


@dataclass(frozen=True, eq=False)
class Compressed:
    """A matrix by its elements, line by line: those of line i are data[k], indptr[i] <= k < indptr[i + 1], each at the
    place indices[k] of the line."""

    data: Any
    indices: Any
    indptr: Any
    _shape: Any
    __array_ufunc__ = None  # x @ A is for A to do

    @property
    def shape(self):
        return self._shape

    @property
    def T(self):
        return self.across(self.data, self.indices, self.indptr, (self._shape[1], self._shape[0]))

    def transpose(self):
        return self.T

    def __matmul__(self, x):
        x, (rows, columns) = factor(self._shape[1], x), self.places()
        return summed(spread(self.data, x) * x[columns], rows, self._shape[0])

    def __rmatmul__(self, x):
        return (self.T @ np.asarray(x).T).T

    def dot(self, x):
        return self @ x

    def __getattr__(self, name):
        refuse(f"{name} of a sparse matrix", "Products with arrays are there: A @ x, x @ A, A.T @ x, A.dot(x). "
                                             "Compute what else is needed of it before.")


class Rows(Compressed):
    """Compressed rows."""

    def across(self, *parts):
        return Columns(*parts)

    def places(self):
        return owners(self), self.indices


class Columns(Compressed):
    """Compressed columns."""

    def across(self, *parts):
        return Rows(*parts)

    def places(self):
        return self.indices, owners(self)


class Matrix:
    """Of SciPy's older classes, whose * is the product, too."""

    def __mul__(self, x):
        if np.ndim(x) == 0:
            refuse("a sparse matrix times a number", "Multiply the result: k * (A @ x).")
        return self @ x


class ByRows(Matrix, Rows):
    def across(self, *parts):
        return ByColumns(*parts)


class ByColumns(Matrix, Columns):
    def across(self, *parts):
        return ByRows(*parts)


def factor(n, x):
    """What stands at the right of a matrix of n columns."""
    if isinstance(x, Compressed):
        refuse("a product of two sparse matrices", "Compute it before, or multiply the vector twice: A @ (B @ x).")
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    if x.ndim > 2:
        refuse("a sparse matrix times a stack of matrices", "Use gs.vmap.")
    if x.shape[0] != n:
        raise ValueError(f"matmul: dimension mismatch with signature (n,k={n}),(k={x.shape[0]},m)->(n,m)")
    return x


def spread(data, x):
    return data if x.ndim == 1 else data[:, None]


def owners(matrix):
    """The line of each element."""
    return np.searchsorted(matrix.indptr, np.arange(len(matrix.data)), "right") - 1


def summed(terms, places, count):
    y = np.zeros((count,) + terms.shape[1:], terms.dtype)
    np.add.at(y, places, terms)
    return y


PARTS = {"data": "data", "indices": "indices", "indptr": "indptr", "_shape": "shape"}
read_as(sparse.csr_matrix, ByRows, PARTS)
read_as(sparse.csc_matrix, ByColumns, PARTS)
read_as(sparse.csr_array, Rows, PARTS)
read_as(sparse.csc_array, Columns, PARTS)
