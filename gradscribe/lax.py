"""JAX's `jax.lax`, as far as it concerns control flow and the examples of a `vmap`.

The control flow is plain Python: `cond` is an `if`, `scan` a `for`.  Code that was written for JAX keeps running; new
code needs none of it.
"""
from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from gradscribe.runtime import stop_gradient
from gradscribe.transformer.api import Primal
from gradscribe.transformer.specialise.recording.collectives import (all_gather, axis_index, axis_size, pmax, pmean,
                                                                     pmin, ppermute, psum)
from gradscribe.transformer.specialise.recording.scanning import count, same_carry, slices, stacked

from .windows import (ConvDimensionNumbers, conv, conv_dimension_numbers, conv_general_dilated,
                      conv_with_general_padding, pad, reduce_window)

Tree = Any


def cond(pred: Any, true_fun: Callable, false_fun: Callable, *operands: Any) -> Tree:
    """true_fun(*operands) where pred holds, else false_fun(*operands); only that one runs, of each example of a `vmap`
    too.

    pred                 a number, or an array of one element
    true_fun, false_fun  give trees of one structure, with the same shapes, where only the run time knows which of them
    runs

    >>> import gradscribe as gs
    >>> gs.grad(lambda x: gs.lax.cond(x > 0.0, lambda x: x * x, lambda x: -x, x))(3.0)
    6.0
    """
    if pred:
        return true_fun(*operands)
    return false_fun(*operands)


def switch(index: Any, branches: Sequence[Callable], *operands: Any) -> Tree:
    """branches[index](*operands); an index below 0 means the first, one too large the last of them.

    index     an int
    branches  functions whose results fit together, as those of `cond`

    Raises ValueError where there are no branches.

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


def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """on_true where pred holds, else on_false, element by element.

    pred               bools, or one of them
    on_true, on_false  arrays of one shape

    Returns an array of that shape.  Raises TypeError where the shapes differ.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.select(np.array([True, False]), np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    array([1., 4.])
    """
    if np.shape(on_true) != np.shape(on_false):
        raise TypeError("select needs cases of one shape")
    return np.where(pred, on_true, on_false)


def while_loop(cond_fun: Callable[[Tree], Any], body_fun: Callable[[Tree], Tree], init_val: Tree) -> Tree:
    """The value after `while cond_fun(val): val = body_fun(val)`, differentiable in forward and in reverse mode.

    init_val  a tree; the body gives one of the same structure and shapes

    >>> import gradscribe as gs
    >>> gs.grad(lambda x: gs.lax.while_loop(lambda v: v < 10.0, lambda v: v * v, x))(2.0)
    32.0
    """
    val = init_val
    while cond_fun(val):
        val = body_fun(val)
    return val


def fori_loop(lower: int, upper: int, body_fun: Callable[[int, Tree], Tree], init_val: Tree, *,
              unroll: Any = None) -> Tree:
    """The value after `for i in range(lower, upper): val = body_fun(i, val)`.

    lower, upper  ints
    init_val      a tree; the body gives one of the same structure and shapes
    unroll        taken from JAX's signature; the compiler unrolls as it sees fit

    >>> import gradscribe as gs
    >>> gs.grad(lambda x: gs.lax.fori_loop(0, 3, lambda i, v: v * x, 1.0))(2.0)
    12.0
    """
    val = init_val
    for i in range(lower, upper):
        val = body_fun(i, val)
    return val


def scan(f: Callable[[Tree, Tree], tuple[Tree, Tree]], init: Tree, xs: Tree = None, length: int | None = None,
         reverse: bool = False,
         unroll: Any = 1) -> tuple[Tree, Tree]:
    """A loop over the slices of arrays that carries a value and collects results.

    f        (carry, x) -> (carry, y)
    init     the first carry, a tree; f gives one of the same structure and shapes
    xs       a tree of arrays that have their first axis in common: x is the tree of their slices; None: x is None
    length   how many slices there are, where xs is None
    reverse  begin with the last slice; each y stands at the place of its x all the same
    unroll   taken from JAX's signature; the compiler unrolls as it sees fit

    Returns (the last carry, the tree of y with the results stacked along a new first axis).
    Raises ValueError where the arrays have different lengths, or nothing tells how many slices there are, TypeError
    where a carry has another structure or other shapes than the one before.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.scan(lambda total, x: (total + x, total * x), 0.0, np.array([1.0, 2.0, 3.0]))
    (np.float64(6.0), array([0., 2., 9.]))
    """
    n = count(xs, length)
    carry, ys = init, []
    for i in range(n):
        step, y = f(carry, slices(xs, n - 1 - i if reverse else i))
        same_carry(carry, step)
        carry = step
        ys.append(y)
    return carry, stacked(ys, reverse, lambda: Primal(scan)(f, init, xs, length, reverse)[1])


def map(f: Callable[[Tree], Tree], xs: Tree) -> Tree:
    """f of each slice of a tree of arrays, the results stacked: a loop, where `vmap` batches.

    >>> import numpy as np, gradscribe as gs
    >>> gs.lax.map(lambda x: x * x, np.array([1.0, 2.0, 3.0]))
    array([1., 4., 9.])
    """
    return scan(lambda _, x: (None, f(x)), None, xs)[1]


max, min = np.maximum, np.minimum

__all__ = ["ConvDimensionNumbers", "all_gather", "axis_index", "axis_size", "cond", "conv", "conv_dimension_numbers",
           "conv_general_dilated", "conv_with_general_padding", "fori_loop", "map", "pad", "pmax", "pmean", "pmin", "ppermute", "psum", "reduce_window", "scan", "select",
           "stop_gradient", "switch", "while_loop"]
