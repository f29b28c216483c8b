"""JAX's `jax.flatten_util`: a tree as one vector."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import tree


def ravel_pytree(pytree: Any) -> tuple[np.ndarray, Callable[[np.ndarray], Any]]:
    """Return the elements of all leaves as one vector, and the function that makes a tree of such a vector again.

    Parameters
    ----------
    pytree : tree
        Of arrays and numbers.

    Returns
    -------
    flat : ndarray of one axis
        The elements, in the dtype that the leaves have together.
    unravel : callable
        Vector -> tree, in which each leaf has its own shape and dtype again; it raises ValueError for a vector of
        another length.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> flat, unravel = gs.flatten_util.ravel_pytree({"b": 3.0, "w": np.array([1.0, 2.0])})
    >>> flat, unravel(2.0 * flat)
    (array([3., 1., 2.]), {'b': np.float64(6.0), 'w': array([2., 4.])})
    """
    leaves, structure = tree.flatten(pytree)
    arrays = [np.asarray(x) for x in leaves]
    shapes, dtypes, sizes = [x.shape for x in arrays], [x.dtype for x in arrays], [x.size for x in arrays]

    def unravel(flat):
        if np.shape(flat) != (sum(sizes),):
            raise ValueError(f"the vector needs {sum(sizes)} elements, and has the shape {np.shape(flat)}")
        found, start = [], 0
        for shape, dtype, size in zip(shapes, dtypes, sizes):
            found.append(np.reshape(flat[start:start + size], shape)[()].astype(dtype))
            start = start + size
        return tree.unflatten(structure, found)

    flat = np.concatenate([np.reshape(x, -1) for x in arrays]) if len(arrays) > 0 else np.zeros(0)
    return flat, unravel


__all__ = ["ravel_pytree"]
