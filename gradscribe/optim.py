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
import math
from typing import Any, Callable, NamedTuple

import numpy as np

from gradscribe.transformer.api import grad, jit, jvp, value_and_grad
from gradscribe.transformer.functions.transformed import Jit, Primal

from . import tree

Rate = float | Callable[[int], float]


class Optimizer(NamedTuple):
    """A pair of pure functions.

    init    parameters -> state
    update  (gradients, state, parameters) -> (new parameters, new state); all trees of one structure
    """

    init: Callable[[Any], Any]
    update: Callable[[Any, Any, Any], tuple[Any, Any]]

    def __deepcopy__(self, memo):
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


def _at(rate, step):
    return rate(step) if callable(rate) else rate


# optimisers -----------------------------------------------------------------------------------------------------------
def sgd(rate: Rate, momentum: float | None = None, nesterov: bool = False) -> Optimizer:
    """Gradient descent.

    rate      number or schedule
    momentum  how much of the last direction is kept; None: nothing
    nesterov  look ahead along the direction (Y. Nesterov, 1983)

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
    """Steps by running means of the gradient and of its square (D. Kingma, J. Ba, 2014).

    rate    number or schedule
    b1, b2  how much of the running means is kept
    eps     added to the root of the second

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
    """`adam`, with parameters that shrink by rate * weight_decay a step (I. Loshchilov, F. Hutter, 2017).

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
    """Steps by the gradient over the root of a running mean of its square (G. Hinton, 2012).

    rate   number or schedule
    decay  how much of the running mean is kept
    eps    added to the root

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
    """Steps by the gradient over the root of the sum of its squares (J. Duchi, E. Hazan, Y. Singer, 2011).

    rate     number or schedule
    initial  what the sum starts from
    eps      added to the root

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
def clip_by_value(gradients, limit: float):
    """The gradients with each element between -limit and limit.

    >>> import numpy as np, gradscribe as gs
    >>> gs.optim.clip_by_value({"w": np.array([3.0, -0.5])}, 1.0)
    {'w': array([ 1. , -0.5])}
    """
    return tree.map(lambda g: np.minimum(np.maximum(g, -limit), limit), gradients)


def global_norm(values) -> float:
    """The Euclidean norm of all leaves together.

    >>> import numpy as np, gradscribe as gs
    >>> gs.optim.global_norm({"w": np.array([2.0, 1.0]), "b": 2.0})
    3.0
    """
    return float(np.sqrt(tree.reduce(lambda total, x: total + np.sum(np.square(x)), values, 0.0)))


def clip_by_global_norm(gradients, limit: float):
    """The gradients, scaled down together so that their norm is at most limit.

    >>> import numpy as np, gradscribe as gs
    >>> gs.optim.clip_by_global_norm({"w": np.array([3.0, 4.0])}, 1.0)
    {'w': array([0.6, 0.8])}
    """
    scale = limit / float(np.maximum(global_norm(gradients), limit))  # a Python number leaves float32 what it is
    return tree.map(lambda g: g * scale, gradients)


# schedules ------------------------------------------------------------------------------------------------------------
Schedule = Callable[[int], float]


def constant(value: float) -> Schedule:
    """The same rate at every step.

    >>> import gradscribe as gs
    >>> gs.optim.constant(0.1)(1000)
    0.1
    """
    return functools.partial(_constant, value)


def _constant(value, step):
    return value


def exponential(value: float, steps: float, factor: float) -> Schedule:
    """A rate that is multiplied by a factor every so many steps, smoothly: value * factor ** (step / steps).

    >>> import gradscribe as gs
    >>> gs.optim.exponential(0.1, 10, 0.5)(20)
    0.025
    """
    return functools.partial(_exponential, value, steps, factor)


def _exponential(value, steps, factor, step):
    return value * factor ** (step / steps)


def cosine(value: float, steps: int, end: float = 0.0) -> Schedule:
    """A rate that goes from value to end along half a cosine, and stays there (I. Loshchilov, F. Hutter, 2016).

    >>> import gradscribe as gs
    >>> [round(gs.optim.cosine(0.1, 10)(k), 6) for k in (0, 5, 10, 20)]
    [0.1, 0.05, 0.0, 0.0]
    """
    return functools.partial(_cosine, value, steps, end)


def _cosine(value, steps, end, step):
    return end + (value - end) * 0.5 * (1.0 + math.cos(math.pi * (min(step, steps) / steps)))


def warmup(steps: int, schedule: Rate) -> Schedule:
    """A rate that grows from 0 in a straight line for so many steps; then that of the schedule, which counts from
    there.

    schedule  number or schedule

    >>> import gradscribe as gs
    >>> rate = gs.optim.warmup(10, gs.optim.cosine(0.1, 100))
    >>> [round(rate(k), 6) for k in (0, 5, 10, 60)]
    [0.0, 0.05, 0.1, 0.05]
    """
    return functools.partial(_warmup, steps, schedule)


def _warmup(steps, schedule, step):
    return _at(schedule, max(step - steps, 0)) * (min(step, steps) / steps)


# SciPy's minimisers ---------------------------------------------------------------------------------------------------
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


def minimize(f: Callable, x0, args: tuple = (), method: str = "BFGS", *, bounds=None, tol: float | None = None,
             callback=None, options: dict | None = None):
    """scipy.optimize.minimize with our derivatives, over a tree of parameters.

    f         (x, *args) -> float; of gs.jit(f) the derivatives are compiled too
    x0        where to start: a float, an array or a tree of them
    args      further arguments of f
    method    any of SciPy's; it gets the gradient, and where it uses them the products of the Hessian with vectors (by
    forward
              over reverse), or the Hessian (from such products)
    bounds    (lower, upper): numbers, or trees like x0
    tol, options  as SciPy has them
    callback  called with x after each iteration

    Returns SciPy's OptimizeResult, whose `x` (and `jac`, where there is one) is a tree like x0.  Raises TypeError where
    x0 holds what is no float.

    >>> import numpy as np, gradscribe as gs
    >>> def f(p): return (p["x"] - 1.0) ** 2 + np.sum((p["y"] - p["x"]) ** 2)
    >>> result = gs.optim.minimize(f, {"x": 0.0, "y": np.zeros(2)}, method="trust-ncg")
    >>> result.success, round(result.x["x"], 5), result.x["y"].round(5)
    (True, 1.0, array([1., 1.]))
    """
    from scipy import optimize
    flat, kind = Flat(x0), method.lower()
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


__all__ = ["Optimizer", "adagrad", "adam", "adamw", "clip_by_global_norm", "clip_by_value", "constant", "cosine",
           "exponential", "global_norm", "minimize",
           "rmsprop", "sgd", "warmup"]
