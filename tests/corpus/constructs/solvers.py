"""What solvers find, integrals, and generators that are made inside."""
import math
import random

import numpy as np
from scipy import integrate, linalg, optimize
from scipy.integrate import quad

from tests.corpus.registry import normal, program, uniform


@program(construct="scipy.optimize.brentq", args=lambda: (uniform(901, 3), 0.4), argnums=(0, 1))
def equilibria(k, load):
    """A root of a closure for each of several arrays."""
    total = 0.0
    for stiffness in k:
        x = optimize.brentq(lambda x: stiffness * x + x ** 3 - load, -2.0, 2.0, xtol=1e-14)
        total = total + x * stiffness
    return total


@program(construct="scipy.integrate.quad", args=lambda: (uniform(908, 3), 0.4, 1.3), argnums=(0, 1, 2))
def doses(rates, start, scale):
    """An integral of a closure, one of an array's item to infinity, and one of a function with args."""
    total = quad(lambda t, s: s * math.exp(-t * t), start, 2.0, args=(scale,))[0]
    for k in range(len(rates)):
        rest, _ = quad(lambda t: np.exp(-rates[k] * t) / (1.0 + t), start, np.inf)
        total = total + rest * rates[k]
    return total


def logistic(t, y, rate, limit):
    return rate * y * (1.0 - y / limit)


@program(construct="scipy.integrate.solve_ivp", args=lambda: (uniform(902, 2), 1.3, 4.0), argnums=(0, 1, 2))
def growth(y0, rate, limit):
    """A solution at times that are asked for."""
    found = integrate.solve_ivp(logistic, (0.0, 2.0), y0, t_eval=np.linspace(0.0, 2.0, 5), args=(rate, limit))
    return np.trapezoid(found.y[0] * found.y[1], found.t)


@program(construct="scipy.linalg.solve_continuous_are", args=lambda: (normal(903, 3, 3), normal(904, 3, 1), 0.5),
         argnums=(0, 1, 2))
def regulator(A, B, weight):
    """The gain of a regulator."""
    P = linalg.solve_continuous_are(A, B, np.eye(3), weight)
    return np.sum((B.T @ P / weight) ** 2) + np.trace(linalg.solve_discrete_lyapunov(0.1 * A, P))


class Layer:
    def __init__(self, n, seed=4):
        rng = np.random.RandomState(seed)
        self.W = {gate: 0.3 * rng.randn(n, n) for gate in "zr"}
        self.b = rng.uniform(-1.0, 1.0, size=n)

    def __call__(self, x):
        return np.tanh(self.W["z"] @ x + self.b) * (self.W["r"] @ x)


@program(construct="np.random.RandomState of a seed", args=lambda: (normal(905, 3),))
def initial_layer(x):
    """The same weights at each call."""
    return np.sum(Layer(3)(x)) + Layer(3, seed=5)(x)[0]


@program(construct="np.random.default_rng of a seed", args=lambda: (normal(906, 4), 0.3), argnums=(0, 1))
def noisy_steps(x, sigma):
    """Draws of several laws, with parameters of the run, and an order."""
    rng = np.random.default_rng([5, 1])
    y = x[rng.permutation(4)] + rng.normal(0.0, sigma, size=4)
    for k in range(3):
        y[k] = y[k] * rng.uniform(0.5, 0.5 + sigma) + rng.normal(x[k])
    kept = rng.choice(y, size=2, replace=False) * rng.integers(1, 4)
    return np.sum(y ** 2) + kept @ rng.exponential(sigma, 2) + float(rng.random())


@program(construct="random.Random of a seed", args=lambda: (normal(907, 3),))
def shuffled(x):
    """Lists and arrays that are shuffled."""
    r, y, items = random.Random(3), x * 2.0, [x[0], x[1] ** 2, x[2]]
    np.random.default_rng(7).shuffle(y)
    r.shuffle(items)
    return y @ np.arange(3.0) + r.gauss(0.0, 1.0) * items[0] - items[2] * r.choice([x[0], x[1]]) + r.uniform(1.0, 2.0)
