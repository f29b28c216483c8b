"""Programs of all kinds that the tests of `gs.export` write to files."""
import dataclasses
from typing import NamedTuple

import numpy as np
from scipy import special

import gradscribe as gs
from tests.corpus.registry import normal, positive_definite, uniform

RATE = 0.1
WEIGHTS = np.array([0.1, np.nextafter(1.0, 2.0), 1 / 3])
SETTINGS = {"scale": 2.5, "shift": np.float32(0.1)}


class Point(NamedTuple):
    x: float
    y: np.ndarray


@dataclasses.dataclass
class Layer:
    W: np.ndarray
    b: np.ndarray


class TooLarge(ValueError):
    """What `checked` raises."""


def echo(x, w):
    """The sum of x, each number with what w leaves of the one before it.

    A "quoted" word, and a back\\slash.
    """
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += w * y[i - 1]  # each element hears the one before it
    return np.sum(np.tanh(y)) if w > 0.0 else np.sum(y)


def halved(x):
    while np.sum(x * x) > 1.0:
        x = 0.5 * np.sin(x) + 0.1 * x
    return np.sum(x)


def network(layers, x):
    for layer in layers:
        x = np.tanh(layer.W @ x + layer.b)
    return np.sum(x)


def at_point(p):
    return p.x * np.sum(p.y ** 2)


def of_dict(params, x):
    return np.sum(params["W"] @ x * params["rate"])


def likelihood(x, a):
    return np.sum(special.gammaln(x) + special.erf(a * x))


def gaussian(S, x):
    L = np.linalg.cholesky(S)
    return np.sum(np.log(np.diag(L))) + x @ np.linalg.solve(S, x)


def largest(A):
    return np.linalg.svd(A, compute_uv=False)[0] + np.linalg.det(A)


def outside(x):
    return np.sum(RATE * WEIGHTS * x) * SETTINGS["scale"] + SETTINGS["shift"]


def closed(size, directions):
    def inside(x, power=2):
        return size * np.sum((directions @ x) ** power)
    return inside


def filled(y, x):
    y[1:] = x * 2.0
    y[0] = np.sum(y)
    return y[0] - 1.0


def element(x, k):
    return x[k] ** 2


def checked(x):
    if np.sum(x) > 3.0:
        raise TooLarge(f"the sum is {np.sum(x):.2f}")
    return np.sum(x)


def counted(x, n):
    total = 0
    for k in range(n):
        total = total + x[k]
    return total


def names(size, push, expect):
    while size > 1.0:
        size = size * np.sin(push) * 0.5
    return size * expect


def matrix(n):
    return normal(n, 3, 3)


PROGRAMS = {
    "loop": (gs.value_and_grad(echo, argnums=(0, 1)), (normal(1, 5), 0.5)),
    "loop, jitted": (gs.jit(gs.grad(echo)), (normal(1, 5), -0.5)),
    "while": (gs.grad(halved), (normal(2, 4),)),
    "dataclasses": (gs.value_and_grad(network), ([Layer(matrix(k), normal(k, 3)) for k in range(2)], normal(3, 3))),
    "rows": (gs.grad(network), ([Layer(matrix(k), normal(k, 3)) for k in range(15)], normal(3, 3))),
    "NamedTuple": (gs.value_and_grad(at_point), (Point(2.0, normal(4, 3)),)),
    "dict": (gs.grad(of_dict), ({"W": matrix(1), "rate": 0.3}, normal(5, 3))),
    "special functions": (gs.grad(likelihood, argnums=(0, 1)), (uniform(6, 4), 0.7)),
    "solve": (gs.value_and_grad(gaussian, argnums=(0, 1)), (positive_definite(7, 3), normal(7, 3))),
    "svd": (gs.grad(largest), (matrix(2),)),
    "outside": (gs.value_and_grad(outside), (normal(8, 3),)),
    "closure": (gs.hessian(closed(0.1, matrix(3))), (normal(9, 3),)),
    "vmap": (gs.vmap(echo, in_axes=(0, None)), (normal(10, 4, 6), 0.3)),
    "jacfwd": (gs.jacfwd(lambda x: np.cumsum(x) * x), (normal(11, 4),)),
    "stored into": (gs.jit(filled), (np.zeros(4), normal(12, 3))),
    "IndexError": (gs.grad(element), (normal(13, 3), 5)),
    "ValueError": (gs.grad(of_dict), ({"W": matrix(1), "rate": 0.3}, normal(5, 4))),
    "own exception": (gs.value_and_grad(checked), (np.full(4, 1.25),)),
    "class by the run": (gs.jit(counted), (normal(14, 3), 0)),
    "names": (gs.grad(names, argnums=(0, 1, 2)), (9.0, 0.7, 2.0)),
}
