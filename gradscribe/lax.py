"""Control flow, collectives, convolutions, parts of arrays and NumPy's functions, by the names of `jax.lax`.

The control flow is plain Python: `cond` is an `if`, `scan` a `for`.  Code that was written for JAX keeps running; new
code needs none of it.
"""
from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from gradscribe.runtime import stop_gradient
from gradscribe.transformer.functions.sweeps import Primal
from gradscribe.transformer.library.collectives import (all_gather, axis_index, axis_size, pmax, pmean, pmin, ppermute,
                                                        psum)
from gradscribe.transformer.library.scans import same_carry, slice_count_of, slices, stacked_trees

from ._convolutions import (ConvDimensionNumbers, conv, conv_dimension_numbers, conv_general_dilated,
                            conv_with_general_padding)
from ._exchange import all_to_all, pshuffle, psum_scatter
from ._operators import (acos, acosh, add, argmax, argmin, asin, asinh, atan, atan2, atanh, bitwise_and, bitwise_not,
                         bitwise_or, bitwise_xor, clamp, cummax, cummin, cumprod, cumsum, digamma, div, eq, erf,
                         erf_inv, erfc, ge, gt, integer_pow, is_finite, le, lgamma, logistic, lt, max_, min_, mul, ne,
                         neg, rem, rsqrt, sub, top_k)
from ._products import batch_matmul, dot, dot_general
from ._shapes import (broadcast, broadcast_in_dim, broadcasted_iota, concatenate, convert_element_type, expand_dims,
                      iota, reshape, rev, squeeze, transpose)
from ._slicing import (dynamic_index_in_dim, dynamic_slice, dynamic_slice_in_dim, dynamic_update_index_in_dim,
                       dynamic_update_slice, dynamic_update_slice_in_dim, index_in_dim, slice_ as slice, slice_in_dim)
from ._types import Array, ArrayLike, Index, T, Tree, U
from ._windows import pad, reduce_window
from .tree import map as tree_map


def cond(pred: ArrayLike, true_fun: Callable[..., T], false_fun: Callable[..., U], *operands: Tree) -> T | U:
    """Return true_fun(*operands) where pred holds, else false_fun(*operands).

    Only that one runs, of each example of a `vmap` too.

    Parameters
    ----------
    pred : number or ndarray of one element
        The condition.
    true_fun, false_fun : callable
        They give trees of one structure, with the same shapes, where only the run time knows which of them runs.
    *operands : tree
        The arguments of either.

    Returns
    -------
    tree
        What the function that has run gives.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.grad(lambda x: gs.lax.cond(x > 0.0, lambda x: x * x, lambda x: -x, x))(3.0)
    6.0
    """
    if pred:
        return true_fun(*operands)
    return false_fun(*operands)


def switch(index: Index, branches: Sequence[Callable[..., Tree]], *operands: Tree) -> Tree:
    """Return branches[index](*operands).

    Parameters
    ----------
    index : int
        Which branch runs; an index below 0 means the first, one too large the last of them.
    branches : sequence of callable
        Functions whose results fit together, as those of `cond`.
    *operands : tree
        The arguments of each.

    Returns
    -------
    tree
        What the function that has run gives.

    Raises
    ------
    ValueError
        Where there are no branches.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.lax.switch(7, [lambda x: x, lambda x: 10.0 * x], 2.0)
    20.0
    """
    if len(branches) == 0:
        raise ValueError("switch needs at least one branch")
    if len(branches) == 1:
        return branches[0](*operands)
    half = len(branches) // 2
    if index < half:
        return switch(index, branches[:half], *operands)
    return switch(index - half, branches[half:], *operands)


def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Array:
    """Return on_true where pred holds, else on_false, element by element.

    Parameters
    ----------
    pred : bool or ndarray of bool
        The condition, for all elements or for each.
    on_true, on_false : ndarray
        What is chosen from; both of one shape.

    Returns
    -------
    ndarray
        Of that shape.

    Raises
    ------
    TypeError
        Where the shapes differ.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.select(np.array([True, False]), np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    array([1., 4.])
    """
    if np.shape(on_true) != np.shape(on_false):
        raise TypeError("select needs cases of one shape")
    return np.where(pred, on_true, on_false)


def while_loop(cond_fun: Callable[[T], Any], body_fun: Callable[[T], T], init_val: T) -> T:
    """Return the value after `while cond_fun(val): val = body_fun(val)`.

    It is differentiable in forward and in reverse mode.

    Parameters
    ----------
    cond_fun : callable
        Value -> condition.
    body_fun : callable
        Value -> the next value, of the same structure and shapes.
    init_val : tree
        The first value.

    Returns
    -------
    tree
        The last value.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.grad(lambda x: gs.lax.while_loop(lambda v: v < 10.0, lambda v: v * v, x))(2.0)
    32.0
    """
    val = init_val
    while cond_fun(val):
        val = body_fun(val)
    return val


def fori_loop(lower: Index, upper: Index, body_fun: Callable[[int, T], T], init_val: T, *, unroll: Any = None) -> T:
    """Return the value after `for i in range(lower, upper): val = body_fun(i, val)`.

    Parameters
    ----------
    lower, upper : int
        The first i, and the one after the last.
    body_fun : callable
        (i, value) -> the next value, of the same structure and shapes.
    init_val : tree
        The first value.
    unroll : any
        Taken from JAX's signature; the compiler unrolls as it sees fit.

    Returns
    -------
    tree
        The last value.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.grad(lambda x: gs.lax.fori_loop(0, 3, lambda i, v: v * x, 1.0))(2.0)
    12.0
    """
    val = init_val
    for i in range(lower, upper):
        val = body_fun(i, val)
    return val


def scan(f: Callable[[T, Any], tuple[T, Any]], init: T, xs: Tree = None, length: int | None = None,
         reverse: bool = False, unroll: Any = 1) -> tuple[T, Tree]:
    """Loop over the slices of arrays with a value that is carried, and collect results.

    Parameters
    ----------
    f : callable
        (carry, x) -> (carry, y).
    init : tree
        The first carry; f gives one of the same structure and shapes.
    xs : tree of ndarray, or None
        Arrays that have their first axis in common: x is the tree of their slices; None: x is None.
    length : int or None
        How many slices there are, where xs is None.
    reverse : bool
        Begin with the last slice; each y stands at the place of its x all the same.
    unroll : any
        Taken from JAX's signature; the compiler unrolls as it sees fit.

    Returns
    -------
    carry : tree
        The last carry.
    ys : tree of ndarray
        The tree of y with the results stacked along a new first axis.

    Raises
    ------
    ValueError
        Where the arrays have different lengths, or nothing tells how many slices there are.
    TypeError
        Where a carry has another structure or other shapes than the one before.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.scan(lambda total, x: (total + x, total * x), 0.0, np.array([1.0, 2.0, 3.0]))
    (np.float64(6.0), array([0., 2., 9.]))
    """
    n = slice_count_of(xs, length)
    carry, ys = init, []
    for i in range(n):
        step, y = f(carry, slices(xs, n - 1 - i if reverse else i))
        same_carry(carry, step)
        carry = step
        ys.append(y)
    return carry, stacked_trees(ys, reverse, lambda: Primal(scan)(f, init, xs, length, reverse)[1])


def map(f: Callable[[Any], Any], xs: Tree) -> Tree:
    """Return f of each slice of a tree of arrays, the results stacked.

    It is a loop, where `vmap` batches.

    Parameters
    ----------
    f : callable
        Takes and gives a tree.
    xs : tree of ndarray
        Arrays that have their first axis in common, along which they are sliced.

    Returns
    -------
    tree of ndarray
        The results, stacked along a new first axis.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.map(lambda x: x * x, np.array([1.0, 2.0, 3.0]))
    array([1., 4., 9.])
    """
    return scan(lambda _, x: (None, f(x)), None, xs)[1]


def associative_scan(fn: Callable[[T, T], T], elems: T, reverse: bool = False, axis: int = 0) -> T:
    """Return the running results of an associative function: y[0] = x[0], y[k] = fn(y[k - 1], x[k]).

    Parameters
    ----------
    fn : callable
        Of two trees like elems; each of its arrays has any length along the axis.
    elems : tree of ndarray
        Arrays of one length along the axis.
    reverse : bool
        Begin with the last: y[k] = fn(y[k + 1], x[k]).
    axis : int
        The axis along which x[k] is taken.

    Returns
    -------
    tree of ndarray
        Like elems.

    Notes
    -----
    It is a loop, and takes n - 1 calls of fn one after the other, where JAX takes them in another order.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.associative_scan(np.add, np.array([1.0, 2.0, 3.0]))
    array([1., 3., 6.])
    """
    first = tree_map(lambda x: slice_in_dim(x, -1 if reverse else 0, None if reverse else 1, axis=axis), elems)
    rest = tree_map(lambda x: np.moveaxis(x, axis, 0)[:-1] if reverse else np.moveaxis(x, axis, 0)[1:], elems)

    def step(total, x):
        total = fn(total, tree_map(lambda a: np.expand_dims(a, axis), x))
        return total, tree_map(lambda a: np.squeeze(a, axis), total)

    others = tree_map(lambda y: np.moveaxis(y, 0, axis), scan(step, first, rest, reverse=reverse)[1])
    if reverse:
        return tree_map(lambda a, b: np.concatenate([b, a], axis), first, others)
    return tree_map(lambda a, b: np.concatenate([a, b], axis), first, others)


# the names that hide Python's own come last
abs, cbrt, ceil, cos, cosh, exp, exp2, expm1, floor = (np.abs, np.cbrt, np.ceil, np.cos, np.cosh, np.exp, np.exp2,
                                                       np.expm1, np.floor)
full, full_like, log, log1p, nextafter, sign, sin, sinh = (np.full, np.full_like, np.log, np.log1p, np.nextafter,
                                                           np.sign, np.sin, np.sinh)
sqrt, square, tan, tanh = np.sqrt, np.square, np.tan, np.tanh
max, min, pow = max_, min_, np.power

__all__ = [
    "ConvDimensionNumbers", "abs", "acos", "acosh", "add", "all_gather", "all_to_all", "argmax", "argmin",
    "asin", "asinh", "associative_scan", "atan", "atan2", "atanh", "axis_index", "axis_size", "batch_matmul",
    "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "broadcast", "broadcast_in_dim",
    "broadcasted_iota", "cbrt", "ceil", "clamp", "concatenate", "cond", "conv", "conv_dimension_numbers",
    "conv_general_dilated", "conv_with_general_padding", "convert_element_type", "cos", "cosh", "cummax",
    "cummin", "cumprod", "cumsum", "digamma", "div", "dot", "dot_general", "dynamic_index_in_dim",
    "dynamic_slice", "dynamic_slice_in_dim", "dynamic_update_index_in_dim", "dynamic_update_slice",
    "dynamic_update_slice_in_dim", "eq", "erf", "erf_inv", "erfc", "exp", "exp2", "expand_dims", "expm1",
    "floor", "fori_loop", "full", "full_like", "ge", "gt", "index_in_dim", "integer_pow", "iota", "is_finite",
    "le", "lgamma", "log", "log1p", "logistic", "lt", "map", "max", "min", "mul", "ne", "neg", "nextafter",
    "pad", "pmax", "pmean", "pmin", "pow", "ppermute", "pshuffle", "psum", "psum_scatter", "reduce_window",
    "rem", "reshape", "rev", "rsqrt", "scan", "select", "sign", "sin", "sinh", "slice", "slice_in_dim", "sqrt",
    "square", "squeeze", "stop_gradient", "sub", "switch", "tan", "tanh", "top_k", "transpose", "while_loop"]
