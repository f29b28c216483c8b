"""Products of vectors and matrices, made of `@`."""
import operator

import numpy as np

from .registry import known, means, own, refuse
from .shapes import product


@means(np.inner, complex=True)
def inner(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    return np.dot(a, b if b.ndim == 1 else b.swapaxes(-1, -2))


@means(np.vdot, complex=True)
def vdot(a, b):
    a = own(a)
    return np.ravel(np.conjugate(a) if a.dtype.kind == "c" else a) @ np.ravel(own(b))


def product_with_vector(a, b):
    """A stack of matrices, and a vector at either side."""
    return (a[None] @ b)[..., 0, :] if a.ndim == 1 else (a @ b[:, None])[..., 0]


@means(np.dot, method="dot", complex=True)
def dot(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if b.ndim <= 2:
        return a @ b
    rows, columns = a.shape[:-1], b.shape[:-2] + b.shape[-1:]
    b = b.swapaxes(-2, -1).reshape(product(columns), b.shape[-2]).T
    return (a.reshape(product(rows), a.shape[-1]) @ b).reshape(rows + columns)


@means(np.kron, complex=True)
def kron(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return np.multiply(a, b)
    rank = max(a.ndim, b.ndim)
    rows, columns = (1,) * (rank - a.ndim) + a.shape, (1,) * (rank - b.ndim) + b.shape
    blocks = (a.reshape(tuple([m for n in rows for m in (n, 1)]))
              * b.reshape(tuple([m for n in columns for m in (1, n)])))
    return blocks.reshape(tuple([n * m for n, m in zip(rows, columns)]))


@means(np.cross, unasked=True, complex=True)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa, axisb, axisc = axis, axis, axis
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    a, b = (np.moveaxis(a, named_axis(axisa, a.ndim, "axisa"), -1),
            np.moveaxis(b, named_axis(axisb, b.ndim, "axisb"), -1))
    sizes = [known(n, "it is the number of coordinates") for n in (a.shape[-1], b.shape[-1])]
    if min(sizes) < 2 or max(sizes) > 3:
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    if min(sizes) == 2:
        refuse("np.cross of vectors with 2 coordinates", "Write x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0].")
    axisc = named_axis(axisc, max(a.ndim, b.ndim), "axisc")
    a, b = [[x[k] if x.ndim == 1 else x[..., k] for k in range(3)] for x in (a, b)]
    return np.stack([a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))], axisc)


def named_axis(axis, rank, name):
    axis = operator.index(known(axis, "it is an axis"))
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(axis, rank, name)
    return axis % rank


@means(np.tensordot, unasked=True, complex=True)
def tensordot(a, b, axes=2):
    a, b, axes = np.asarray(a), np.asarray(b), known(axes, "it says which axes are summed over")
    first, second = summed_axes(a, b, axes)
    rows, columns = [k for k in range(a.ndim) if k not in first], [k for k in range(b.ndim) if k not in second]
    left = np.transpose(a, rows + first).reshape(product(lengths_of(a, rows)), product(lengths_of(a, first)))
    right = np.transpose(b, second + columns).reshape(product(lengths_of(b, second)), product(lengths_of(b, columns)))
    return (left @ right).reshape(tuple(lengths_of(a, rows) + lengths_of(b, columns)))


def summed_axes(a, b, axes):
    """The axes of both arrays that are summed over, as np.tensordot is given them, counted from the front."""
    first, second = axes if isinstance(axes, (list, tuple)) else (list(range(-axes, 0)), list(range(axes)))
    first, second = [list(own) if isinstance(own, (list, tuple)) else [own] for own in (first, second)]
    if len(set(first)) != len(first) or len(set(second)) != len(second):
        raise ValueError("duplicate axes are not allowed in tensordot")
    if len(first) != len(second):
        raise ValueError("shape-mismatch for sum")
    for k, n in zip(first, second):
        if a.shape[k] != b.shape[n]:
            raise ValueError("shape-mismatch for sum")
    return [k % a.ndim for k in first], [k % b.ndim for k in second]


def lengths_of(x, axes):
    return [x.shape[k] for k in axes]
