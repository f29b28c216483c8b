"""SciPy's minimisers with our derivatives, over trees of parameters: `gs.optim.minimize`."""
from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from gradscribe.transformer.api import grad, jit, jvp, value_and_grad
from gradscribe.transformer.functions.sweeps import Primal
from gradscribe.transformer.functions.transformed import Jit

from . import tree
from ._types import Tree

GRADIENT_FREE = ("nelder-mead", "powell", "cobyla", "cobyqa")
BY_PRODUCTS = ("newton-cg", "trust-ncg", "trust-krylov", "trust-constr")
BY_HESSIAN = ("dogleg", "trust-exact")


class Flat:
    """A tree of floats as one vector, and back."""

    def __init__(self, x):
        self.leaves, self.structure = tree.flatten(x)
        for leaf in self.leaves:
            if np.asarray(leaf).dtype.kind != "f":
                raise TypeError(f"x0 holds {type(leaf).__name__} {leaf!r:.40}, and only floats can be varied")
        self.ends = np.cumsum([0, *(np.size(leaf) for leaf in self.leaves)])

    def vector(self, x):
        return np.concatenate([np.zeros(0), *(np.ravel(np.asarray(leaf, float)) for leaf in tree.leaves(x))])

    def tree(self, vector):
        parts = [vector[a:b] for a, b in zip(self.ends, self.ends[1:])]
        return tree.unflatten(self.structure, [
            part.reshape(leaf.shape).astype(leaf.dtype) if isinstance(leaf, np.ndarray) else type(leaf)(part[0])
            for part, leaf in zip(parts, self.leaves)])


def minimize(f: Callable[..., Any], x0: Tree, args: tuple[Any, ...] = (), method: str = "BFGS", *,
             bounds: Sequence[Tree] | None = None, tol: float | None = None,
             callback: Callable[[Tree], Any] | None = None, options: dict[str, Any] | None = None) -> Any:
    """Minimise a function over a tree of parameters: scipy.optimize.minimize with our derivatives.

    Parameters
    ----------
    f : callable
        (x, *args) -> float; of gs.jit(f) the derivatives are compiled too.
    x0 : float, ndarray, or a tree of them
        Where to start.
    args : tuple
        Further arguments of f.
    method : str
        Any of SciPy's; it gets the gradient, and where it uses them the products of the Hessian with vectors (by
        forward over reverse), or the Hessian (from such products).
    bounds : pair of numbers, or of trees like x0, or None
        (lower, upper).
    tol : float or None
        As SciPy has it.
    callback : callable or None
        Called with x after each iteration.
    options : dict or None
        As SciPy has them.

    Returns
    -------
    scipy.optimize.OptimizeResult
        Its `x` (and `jac`, where there is one) is a tree like x0.

    Raises
    ------
    TypeError
        Where x0 holds what is no float.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(p): return (p["x"] - 1.0) ** 2 + np.sum((p["y"] - p["x"]) ** 2)
    >>> result = gs.optim.minimize(f, {"x": 0.0, "y": np.zeros(2)}, method="trust-ncg")
    >>> result.success, round(result.x["x"], 5), result.x["y"].round(5)
    (True, 1.0, array([1., 1.]))
    """
    from scipy import optimize
    flat = Flat(x0)
    given = functions_for(f, flat, args, method.lower())
    if bounds is not None:
        given["bounds"] = optimize.Bounds(*(float(b) if isinstance(b, (int, float))
                                            else flat.vector(b) for b in bounds))
    if callback is not None:
        given["callback"] = lambda vector, *state: callback(flat.tree(vector))
    result = optimize.minimize(x0=flat.vector(x0), method=method, tol=tol, options=options, **given)
    result.x = flat.tree(result.x)
    if isinstance(getattr(result, "jac", None), np.ndarray):
        result.jac = flat.tree(result.jac)
    return result


def functions_for(f, flat: Flat, args: tuple, kind: str) -> dict[str, Any]:
    """What SciPy's method of this name asks of f, as functions of vectors."""
    wrap = jit if isinstance(f, Jit) else Primal
    value_of, both = wrap(lambda x, *args: f(x, *args)), wrap(value_and_grad(f))
    product = wrap(lambda x, v, *args: jvp(lambda y: grad(f)(y, *args), (x,), (v,))[1])

    def value_and_gradient(vector):
        value, gradient = both(flat.tree(vector), *args)
        return float(value), flat.vector(gradient)

    def product_with(vector, direction):
        return flat.vector(product(flat.tree(vector), flat.tree(direction), *args))

    def hessian(vector):
        return np.stack([product_with(vector, e) for e in np.eye(len(vector))])

    given: dict[str, Any] = {"fun": lambda vector: float(value_of(flat.tree(vector), *args))}
    if kind not in GRADIENT_FREE:
        given = {"fun": value_and_gradient, "jac": True}
    if kind in BY_PRODUCTS:
        given["hessp"] = product_with
    if kind in BY_HESSIAN:
        given["hess"] = hessian
    return given
