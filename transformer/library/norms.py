"""np.linalg.norm."""
import numpy as np

from .registry import at_least, known, means, refuse


@means(np.linalg.norm, complex=True)
def norm(x, ord=None, axis=None, keepdims=False):
    x, ord, axis, keepdims = (np.asarray(x), known(ord, "it says which norm"), known(axis, "it is an axis"),
                              bool(known(keepdims, "it decides the shape")))
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (int(axis),)
    if x.dtype.kind not in "fc":
        x = x.astype(float)
    if axis is None and (ord is None or ord in ("f", "fro") and x.ndim == 2 or ord == 2 and x.ndim == 1):
        return np.sqrt(np.sum(squares(x), keepdims=keepdims))
    if len(axes) == 1:
        return vector_norm(x, ord, axes[0], keepdims)
    if len(axes) == 2:
        return matrix_norm(x, ord, axes[0] % x.ndim, axes[1] % x.ndim, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def squares(x):
    return x.real ** 2 + x.imag ** 2 if x.dtype.kind == "c" else x ** 2


def vector_norm(x, ord, axis, keepdims):
    if ord is None or ord == 2:
        return np.sqrt(np.sum(squares(x), axis, keepdims=keepdims))
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
    return np.sum(np.abs(x) ** ord, axis, keepdims=keepdims) ** (1 / ord)


def matrix_norm(x, ord, rows, columns, keepdims):
    if rows == columns:
        raise ValueError("Duplicate axes given.")
    if ord is None or ord in ("fro", "f"):
        return np.sqrt(np.sum(squares(x), (rows, columns), keepdims=keepdims))
    if ord == 2 or ord == -2 or ord == "nuc":
        return of_singular_values(np.moveaxis(x, (rows, columns), (-2, -1)), ord, (rows, columns), keepdims)
    if ord != 1 and ord != -1 and ord != np.inf and ord != -np.inf:
        raise ValueError("Invalid norm order for matrices.")
    over, along = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = np.sum(np.abs(x), over, keepdims=keepdims)
    along -= along > over and not keepdims
    return largest(sums, along, keepdims) if ord > 0 else np.min(sums, along, keepdims=keepdims)


def of_singular_values(x, ord, axes, keepdims):
    s = np.linalg.svdvals(x)
    found = (np.sum(s, axis=-1) if ord == "nuc" else largest(s, s.ndim - 1, False) if ord == 2
             else np.min(s, axis=-1))
    return np.expand_dims(found, axes) if keepdims else found


def largest(x, axis, keepdims):
    """The largest of numbers that are not negative: of none, 0."""
    if not at_least(x.shape[axis], 1):
        refuse("np.linalg.norm of what may be empty", "Test the length before.")
    return np.max(x, axis, keepdims=keepdims)
