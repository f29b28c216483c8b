"""Programs that the scoreboard of the CPU has not, as a user of Gradscribe writes them."""
import numpy as np

import gradscribe as gs

SOFTENING = 1e-2


def axpy(a, x, y):
    return a * x + y


def price(s0, sigma, key, n):
    """A call option at the money, from as many paths of a stock."""
    z = gs.random.normal(key, (n,), np.float64)
    return np.sum(np.maximum(s0 * np.exp(sigma * z - 0.5 * sigma * sigma) - 1.0, 0.0)) / n


def energy(p, x):
    """Of a body at p, in the field of all bodies."""
    total = 0.0
    for j in range(len(x)):
        dx, dy, dz = x[j, 0] - p[0], x[j, 1] - p[1], x[j, 2] - p[2]
        total -= 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING)
    return total


def energy_by_arrays(p, x):
    """The same, as libraries want it."""
    away = x - p
    return -np.sum(1.0 / np.sqrt(np.sum(away * away, axis=1) + SOFTENING))
