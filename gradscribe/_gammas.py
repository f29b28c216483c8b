"""Gamma numbers of gs.random: the numbers of `jax.random.loggamma`, of all elements at once."""
from __future__ import annotations

import math

import numpy as np

from gradscribe.runtime import erfinv, gamma_sample, stop_gradient

from ._keys import size_of, split, split_each, unit_of_each


def normal_of(unit, dtype):
    """Normal numbers of those that are uniform in [0, 1)."""
    low = dtype(-1.0 + 2.0**-24 if dtype == np.float32 else -1.0 + 2.0**-53)  # the next number above -1
    return dtype(math.sqrt(2.0)) * erfinv(unit * dtype(2.0) + low)


def log_gamma(key, a, dtype):
    """Logarithms of gamma samples of the shapes a, by G. Marsaglia, W. W. Tsang, "A simple method for generating gamma
    variables" (2000).  Each has a key of its own; below 1 a sample of a + 1 is multiplied by u ** (1/a).
    """
    given = np.reshape(stop_gradient(a), -1)
    fixed = np.where(given > 0, given, 1)  # for other numbers there is no distribution
    words = split(key, size_of(a.shape))
    keys, below_one = split_each((words[:, 0], words[:, 1]), 2)
    d = np.where(fixed < 1, fixed + 1, fixed) - dtype(1 / 3)
    c = dtype(1 / 3) / np.sqrt(d)
    cube, done = np.ones_like(fixed), np.zeros(fixed.shape, bool)
    while not np.all(done):
        keys, of_x, of_u = split_each(keys, 3)
        x, v = np.zeros_like(fixed), -np.ones_like(fixed)
        while np.any((v <= 0) & ~done):
            of_x, of_one = split_each(of_x, 2)
            one = normal_of(unit_of_each(of_one, dtype), dtype)
            x, v = np.where(v <= 0, one, x), np.where(v <= 0, 1 + one * c, v)
        square, v, u = x * x, np.where(v > 0, v * v * v, 1), unit_of_each(of_u, dtype)
        refused = (u >= 1 - 0.0331 * (square * square)) & (
            np.log(np.where(u > 0, u, 1)) >= square * 0.5 + d * (1 - v + np.log(v)))
        accepted = ~refused & ~done
        cube, done = np.where(accepted, v, cube), done | accepted
    power = np.log(1 - unit_of_each(below_one, dtype)) / fixed
    log_z = np.log(d) + np.log(cube) + np.where(fixed < 1, power, 0)
    log_z = np.where(given > 0, log_z, np.where(given == 0, dtype(-np.inf), dtype(np.nan)))
    return gamma_sample(np.reshape(log_z, a.shape), a)
