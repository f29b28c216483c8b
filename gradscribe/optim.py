"""Optimisers: pure functions over trees of parameters, and SciPy's minimisers with our derivatives.

    optimizer = gs.optim.adam(1e-3)
    state = optimizer.init(params)

    @gs.jit
    def step(params, state, batch):
        value, gradients = gs.value_and_grad(loss)(params, batch)
        params, state = optimizer.update(gradients, state, params)
        return params, state, value

A learning rate is a number, or a schedule: a function from the number of the step, counted from 0, to a number.
"""
from __future__ import annotations

import functools
from typing import Any, Callable, NamedTuple

import numpy as np

from . import tree
from ._minimize import minimize
from ._schedules import Rate, _at, constant, cosine, exponential, warmup
from ._types import T, Tree


class Optimizer(NamedTuple):
    """A pair of pure functions.

    Parameters
    ----------
    init : callable
        Parameters -> state.
    update : callable
        (gradients, state, parameters) -> (new parameters, new state); gradients and parameters are trees of one
        structure.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> optimizer = gs.optim.sgd(0.5)
    >>> params = np.array([1.0, 2.0])
    >>> optimizer.update(np.array([1.0, 1.0]), optimizer.init(params), params)[0]
    array([0.5, 1.5])
    """

    init: Callable[[Any], Any]
    update: Callable[[Any, Any, Any], tuple[Any, Any]]

    def __deepcopy__(self, memo: Any) -> Optimizer:
        return self


class State(NamedTuple):
    """What an optimiser keeps: how many steps were taken, and trees like the parameters."""

    step: int
    first: Any = None
    second: Any = None


def _zeros(params):
    return tree.map(lambda p: 0.0 * p, params)


def _no_tree(params):
    return State(0)


def _one_tree(params):
    return State(0, _zeros(params))


def _two_trees(params):
    return State(0, _zeros(params), _zeros(params))


# optimisers -----------------------------------------------------------------------------------------------------------
def sgd(rate: Rate, momentum: float | None = None, nesterov: bool = False) -> Optimizer:
    """Make an optimiser that descends along the gradient.

    Parameters
    ----------
    rate : float or callable
        The learning rate: a number, or a schedule.
    momentum : float or None
        How much of the last direction is kept; None: nothing.
    nesterov : bool
        Look ahead along the direction.

    Returns
    -------
    Optimizer
        The pair of functions `init` and `update`.

    Raises
    ------
    ValueError
        Where nesterov is True and there is no momentum.

    References
    ----------
    Y. Nesterov, 1983.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> optimizer = gs.optim.sgd(0.1)
    >>> params, state = optimizer.update(np.array([1.0, 2.0]), optimizer.init(np.zeros(2)), np.zeros(2))
    >>> params
    array([-0.1, -0.2])
    """
    if nesterov and momentum is None:
        raise ValueError("nesterov=True needs a momentum")

    update = _plain if momentum is None else _look_ahead if nesterov else _heavy_ball
    return Optimizer(_no_tree if momentum is None else _one_tree,
                     functools.partial(update, rate=rate, momentum=momentum))


def _plain(gradients, state, params, rate, momentum):
    r = _at(rate, state.step)
    return tree.map(lambda p, g: p - r * g, params, gradients), State(state.step + 1)


def _heavy_ball(gradients, state, params, rate, momentum):
    r = _at(rate, state.step)
    velocity = tree.map(lambda v, g: momentum * v + g, state.first, gradients)
    return tree.map(lambda p, v: p - r * v, params, velocity), State(state.step + 1, velocity)


def _look_ahead(gradients, state, params, rate, momentum):
    r = _at(rate, state.step)
    velocity = tree.map(lambda v, g: momentum * v + g, state.first, gradients)
    return (tree.map(lambda p, v, g: p - r * (g + momentum * v), params, velocity, gradients),
            State(state.step + 1, velocity))


def adam(rate: Rate = 1e-3, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Optimizer:
    """Make an optimiser whose steps go by running means of the gradient and of its square.

    Parameters
    ----------
    rate : float or callable
        The learning rate: a number, or a schedule.
    b1, b2 : float
        How much of the running means is kept: of the gradient's, and of its square's.
    eps : float
        Added to the root of the second.

    Returns
    -------
    Optimizer
        The pair of functions `init` and `update`.

    References
    ----------
    D. Kingma, J. Ba, 2014.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> optimizer = gs.optim.adam(0.1)
    >>> params = {"w": np.array([1.0, -2.0]), "b": 3.0}
    >>> params, state = optimizer.update(params, optimizer.init(params), params)
    >>> params["w"].round(6), round(params["b"], 6)
    (array([ 0.9, -1.9]), 2.9)
    """
    return adamw(rate, b1, b2, eps, 0.0)


def adamw(rate: Rate = 1e-3, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8,
          weight_decay: float = 1e-4) -> Optimizer:
    """Make an optimiser as `adam`, with parameters that shrink by rate * weight_decay a step.

    Parameters
    ----------
    rate : float or callable
        The learning rate: a number, or a schedule.
    b1, b2 : float
        How much of the running means is kept: of the gradient's, and of its square's.
    eps : float
        Added to the root of the second.
    weight_decay : float
        How fast parameters shrink.

    Returns
    -------
    Optimizer
        The pair of functions `init` and `update`.

    References
    ----------
    I. Loshchilov, F. Hutter, 2017.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> optimizer = gs.optim.adamw(0.1, weight_decay=0.5)
    >>> params, state = optimizer.update(np.zeros(1), optimizer.init(np.ones(1)), np.ones(1))
    >>> params
    array([0.95])
    """
    return Optimizer(_two_trees, functools.partial(_adamw, rate=rate, b1=b1, b2=b2, eps=eps, weight_decay=weight_decay))


def _adamw(gradients, state, params, rate, b1, b2, eps, weight_decay):
    r, step = _at(rate, state.step), state.step + 1
    mean = tree.map(lambda m, g: b1 * m + (1.0 - b1) * g, state.first, gradients)
    square = tree.map(lambda v, g: b2 * v + (1.0 - b2) * g * g, state.second, gradients)
    c1, c2 = 1.0 - b1**step, 1.0 - b2**step  # the means start from 0
    new = tree.map(lambda p, m, v: p - r * (m / c1 / ((v / c2) ** 0.5 + eps) + weight_decay * p), params, mean, square)
    return new, State(step, mean, square)


def rmsprop(rate: Rate, decay: float = 0.9, eps: float = 1e-8) -> Optimizer:
    """Make an optimiser whose steps go by the gradient over the root of a running mean of its square.

    Parameters
    ----------
    rate : float or callable
        The learning rate: a number, or a schedule.
    decay : float
        How much of the running mean is kept.
    eps : float
        Added to the root.

    Returns
    -------
    Optimizer
        The pair of functions `init` and `update`.

    References
    ----------
    G. Hinton, 2012.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> optimizer = gs.optim.rmsprop(0.1, decay=0.75)
    >>> params, state = optimizer.update(np.array([4.0]), optimizer.init(np.zeros(1)), np.zeros(1))
    >>> params.round(6)
    array([-0.2])
    """
    return Optimizer(_one_tree, functools.partial(_rmsprop, rate=rate, decay=decay, eps=eps))


def _rmsprop(gradients, state, params, rate, decay, eps):
    r = _at(rate, state.step)
    square = tree.map(lambda v, g: decay * v + (1.0 - decay) * g * g, state.first, gradients)
    return (tree.map(lambda p, v, g: p - r * g / (v**0.5 + eps), params, square, gradients),
            State(state.step + 1, square))


def adagrad(rate: Rate, initial: float = 0.1, eps: float = 1e-7) -> Optimizer:
    """Make an optimiser whose steps go by the gradient over the root of the sum of its squares.

    Parameters
    ----------
    rate : float or callable
        The learning rate: a number, or a schedule.
    initial : float
        What the sum starts from.
    eps : float
        Added to the root.

    Returns
    -------
    Optimizer
        The pair of functions `init` and `update`.

    References
    ----------
    J. Duchi, E. Hazan, Y. Singer, 2011.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> optimizer = gs.optim.adagrad(0.1, initial=9.0)
    >>> params, state = optimizer.update(np.array([4.0]), optimizer.init(np.zeros(1)), np.zeros(1))
    >>> params.round(6)
    array([-0.08])
    """
    return Optimizer(functools.partial(_tree_of, initial=initial), functools.partial(_adagrad, rate=rate, eps=eps))


def _tree_of(params, initial):
    return State(0, tree.map(lambda p: 0.0 * p + initial, params))


def _adagrad(gradients, state, params, rate, eps):
    r = _at(rate, state.step)
    total = tree.map(lambda v, g: v + g * g, state.first, gradients)
    return tree.map(lambda p, v, g: p - r * g / (v**0.5 + eps), params, total, gradients), State(state.step + 1, total)


# clipping -------------------------------------------------------------------------------------------------------------
def clip_by_value(gradients: T, limit: float) -> T:
    """Return the gradients with each element between -limit and limit.

    Parameters
    ----------
    gradients : tree
        Of numbers and arrays.
    limit : float
        The bound.

    Returns
    -------
    tree
        Of the same structure.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.optim.clip_by_value({"w": np.array([3.0, -0.5])}, 1.0)
    {'w': array([ 1. , -0.5])}
    """
    return tree.map(lambda g: np.minimum(np.maximum(g, -limit), limit), gradients)


def global_norm(values: Tree) -> float:
    """Return the Euclidean norm of all leaves together.

    Parameters
    ----------
    values : tree
        Of numbers and arrays.

    Returns
    -------
    float
        The norm.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.optim.global_norm({"w": np.array([2.0, 1.0]), "b": 2.0})
    3.0
    """
    return float(np.sqrt(tree.reduce(lambda total, x: total + np.sum(np.square(x)), values, 0.0)))


def clip_by_global_norm(gradients: T, limit: float) -> T:
    """Return the gradients, scaled down together so that their norm is at most limit.

    Parameters
    ----------
    gradients : tree
        Of numbers and arrays.
    limit : float
        The bound of the norm.

    Returns
    -------
    tree
        Of the same structure.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.optim.clip_by_global_norm({"w": np.array([3.0, 4.0])}, 1.0)
    {'w': array([0.6, 0.8])}
    """
    scale = limit / float(np.maximum(global_norm(gradients), limit))  # a Python number leaves float32 what it is
    return tree.map(lambda g: g * scale, gradients)


__all__ = ["Optimizer", "adagrad", "adam", "adamw", "clip_by_global_norm", "clip_by_value", "constant", "cosine",
           "exponential", "global_norm", "minimize", "rmsprop", "sgd", "warmup"]
