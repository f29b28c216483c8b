"""The negative log likelihood of daily returns under GARCH(1,1) with normal innovations (Bollerslev, 1986).

v[t] = omega + alpha e[t-1]^2 + beta v[t-1], started at the variance of the sample; returns in percent.

Reference: mpmath. The same sums with 30 digits (mp.dps = 30), one return after the other, gave 19.8068188293475449844.
"""
from math import log, pi

import numpy as np


def garch(mu, omega, alpha, beta, returns):
    if not (omega > 0 and alpha >= 0 and beta >= 0 and alpha + beta < 1):
        return np.inf
    variance = np.var(returns)
    nll = 0
    for r in returns:
        e = r - mu
        nll += 0.5 * (log(2 * pi) + log(variance) + e**2 / variance)
        variance = omega + alpha * e**2 + beta * variance
    return nll


ALSO = ("vmap", "hvp")


def arguments():
    t = np.arange(12)
    return 0.05, 0.1, 0.15, 0.7, np.sin(5.0 * t) * (1.0 + 0.1 * t)


def reference():
    return {"value": 19.8068188293475449844, "rtol": 1e-13}
