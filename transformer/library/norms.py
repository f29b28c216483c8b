"""np.linalg.norm."""
import numpy as np

from .registry import at_least, known, means


@means(np.linalg.norm, complex=True)
def norm(x, ord=None, axis=None, keepdims=False):
    x, ord, axis, keepdims = (np.asarray(x), known(ord, "it says which norm"), known(axis, "it is an axis"),
                              bool(known(keepdims, "it decides the shape")))
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (int(axis),)
    if x.dtype.kind not in "fc":
        x = x.astype(float)
    if axis is None and (ord is None or ord in ("f", "fro") and x.ndim == 2 or ord == 2 and x.ndim == 1):
        return root_of(x, np.sum(squares(x), keepdims=keepdims), 0.5)
    if len(axes) == 1:
        return vector_norm(x, ord, axes[0], keepdims)
    if len(axes) == 2:
        return matrix_norm(x, ord, axes[0] % x.ndim, axes[1] % x.ndim, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def root_of(x, sums, power):
    """A root of sums over an array; of no elements it is 0 (or infinite), which nothing changes, and no kink."""
    root = lambda s: np.sqrt(s) if power == 0.5 else s ** power  # noqa: E731
    if at_least(x.size, 1):
        return root(sums)
    some = x.size > 0
    return np.where(some, root(np.where(some, sums, 1.0)[()]), 0.0 if power > 0 else np.inf)[()]


def squares(x):
    return x.real ** 2 + x.imag ** 2 if x.dtype.kind == "c" else x ** 2


def vector_norm(x, ord, axis, keepdims):
    if ord is None or ord == 2:
        return root_of(x, np.sum(squares(x), axis, keepdims=keepdims), 0.5)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if ord == np.inf:
        return largest(np.abs(x), axis, keepdims)
    if ord == -np.inf:
        return np.min(np.abs(x), axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((x != 0).astype(x.real.dtype), axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(np.abs(x), axis, keepdims=keepdims)
    return root_of(x, np.sum(np.abs(x) ** ord, axis, keepdims=keepdims), 1 / ord)


def matrix_norm(x, ord, rows, columns, keepdims):
    if rows == columns:
        raise ValueError("Duplicate axes given.")
    if ord is None or ord in ("fro", "f"):
        return root_of(x, np.sum(squares(x), (rows, columns), keepdims=keepdims), 0.5)
    if ord == 2 or ord == -2 or ord == "nuc":
        return of_singular_values(np.moveaxis(x, (rows, columns), (-2, -1)), ord, (rows, columns), keepdims)
    if ord != 1 and ord != -1 and ord != np.inf and ord != -np.inf:
        raise ValueError("Invalid norm order for matrices.")
    over, other = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = np.sum(np.abs(x), over, keepdims=keepdims)
    other -= other > over and not keepdims
    return largest(sums, other, keepdims) if ord > 0 else np.min(sums, other, keepdims=keepdims)


def of_singular_values(x, ord, axes, keepdims):
    s = np.linalg.svdvals(x)
    found = (np.sum(s, axis=-1) if ord == "nuc" else largest(s, s.ndim - 1, False) if ord == 2
             else np.min(s, axis=-1))
    return np.expand_dims(found, axes) if keepdims else found


def largest(x, axis, keepdims):
    """The largest of numbers that are not negative: of none, 0."""
    axis = axis % x.ndim
    if not at_least(x.shape[axis], 1):
        x = np.concatenate([x, np.zeros(x.shape[:axis] + (1,) + x.shape[axis + 1:], x.dtype)], axis)
    return np.max(x, axis, keepdims=keepdims)
