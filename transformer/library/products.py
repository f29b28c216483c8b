"""Products of vectors and matrices, made of `@`."""
import numpy as np

from .registry import means
from .shapes import product


@means(np.inner)
def inner(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    return np.dot(a, b if b.ndim == 1 else b.swapaxes(-1, -2))


@means(np.vdot)
def vdot(a, b):
    return np.ravel(a) @ np.ravel(b)


def product_with_vector(a, b):
    """A stack of matrices, and a vector at either side."""
    return (a[None] @ b)[..., 0, :] if a.ndim == 1 else (a @ b[:, None])[..., 0]


@means(np.dot, method="dot")
def dot(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if b.ndim <= 2:
        return a @ b
    rows, columns = a.shape[:-1], b.shape[:-2] + b.shape[-1:]
    b = b.swapaxes(-2, -1).reshape(product(columns), b.shape[-2]).T
    return (a.reshape(product(rows), a.shape[-1]) @ b).reshape(rows + columns)
