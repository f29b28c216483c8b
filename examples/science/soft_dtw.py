"""Soft dynamic time warping between two series, as a loss for averaging them.

Cuturi and Blondel, "Soft-DTW: a differentiable loss function for time-series" (2017).
Reference: the sum over all alignment paths of exp(-cost / gamma), enumerated.
"""
import numpy as np


def soft_min(*values, gamma):
    values = np.array(values) / -gamma
    top = values.max()
    return -gamma * (top + np.log(np.sum(np.exp(values - top))))


def soft_dtw(a, b, band=None, gamma=0.5):
    n, m = len(a), len(b)
    D = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=-1)
    R = np.full((n + 1, m + 1), np.inf)
    R[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if band is not None and abs(i - j) > band:
                continue
            R[i, j] = D[i - 1, j - 1] + soft_min(R[i - 1, j - 1], R[i - 1, j], R[i, j - 1], gamma=gamma)
    return R[n, m]


ALSO = ("vmap", "hvp")


def arguments():
    rng = np.random.default_rng(5)
    return rng.normal(size=(4, 2)), rng.normal(size=(5, 2)), 2


def reference():
    (a, b, band), gamma = arguments(), 0.5
    D = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=-1)

    def paths(i, j):
        if i < 0 or j < 0 or abs(i - j) > band:
            return []
        if i == j == 0:
            return [D[0, 0]]
        return [D[i, j] + c for k, l in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) for c in paths(k, l)]
    return {"value": -gamma * np.log(sum(np.exp(-c / gamma) for c in paths(len(a) - 1, len(b) - 1))), "rtol": 1e-12}
