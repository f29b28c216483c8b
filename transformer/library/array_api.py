"""np.linalg: the functions that the array API has there, which are NumPy's others with fewer arguments."""
import operator

import numpy as np

from .norms import norm
from .registry import known, means
from .shapes import product


@means(np.linalg.matrix_norm, complex=True)
def matrix_norm(x, keepdims=False, ord="fro"):
    return norm(np.asarray(x), ord, (-2, -1), keepdims)


@means(np.linalg.vector_norm, complex=True)
def vector_norm(x, axis=None, keepdims=False, ord=2):
    x, axis, keepdims = np.asarray(x), known(axis, "it is an axis"), bool(known(keepdims, "it decides the shape"))
    if axis is None:
        result = norm(np.ravel(x), ord, 0)
        return result.reshape((1,) * x.ndim) if keepdims else result
    if not isinstance(axis, tuple):
        return norm(x, ord, axis, keepdims)
    axes = [operator.index(k) % x.ndim for k in axis]
    rest = [k for k in range(x.ndim) if k not in axes]
    flat = np.transpose(x, axes + rest).reshape((product([x.shape[k] for k in axes]), *[x.shape[k] for k in rest]))
    result = norm(flat, ord, 0)
    return result.reshape([1 if k in axes else n for k, n in enumerate(x.shape)]) if keepdims else result


@means(np.linalg.vecdot, complex=True)
def vecdot(x1, x2, axis=-1):
    x1, x2, axis = np.asarray(x1), np.asarray(x2), known(axis, "it is an axis")
    x1 = np.conjugate(x1) if x1.dtype.kind == "c" else x1
    x1, x2 = np.moveaxis(x1, axis, -1), np.moveaxis(x2, axis, -1)
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError("vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                         f"(n),(n)->() (size {x2.shape[-1]} is different from {x1.shape[-1]})")
    return np.sum(x1 * x2, axis=-1)


@means(np.linalg.matmul, complex=True)
def matmul(x1, x2):
    return np.matmul(x1, x2)


@means(np.linalg.outer, complex=True)
def outer(x1, x2):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x1.ndim=} and {x2.ndim=}.")
    return np.outer(x1, x2)


@means(np.linalg.cross, unasked=True, complex=True)
def cross(x1, x2, axis=-1):
    x1, x2, axis = np.asarray(x1), np.asarray(x2), known(axis, "it is an axis")
    sizes = [known(x.shape[axis], "it is the number of coordinates") for x in (x1, x2)]
    if sizes != [3, 3]:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, "
                         f"but they are {sizes[0]} and {sizes[1]} dimensional instead.")
    return np.cross(x1, x2, axis=axis)


@means(np.linalg.matrix_transpose, complex=True)
def matrix_transpose(x):
    x = np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return np.swapaxes(x, -1, -2)


@means(np.linalg.diagonal, complex=True)
def diagonal(x, offset=0):
    return np.diagonal(x, offset, -2, -1)


@means(np.linalg.trace, complex=True)
def trace(x, offset=0, dtype=None):
    return np.trace(x, offset, -2, -1, dtype)


@means(np.linalg.tensordot, complex=True)
def tensordot(x1, x2, axes=2):
    return np.tensordot(x1, x2, axes)
