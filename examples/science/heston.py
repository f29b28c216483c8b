"""A call under Heston's stochastic volatility by Monte Carlo, with full truncation (Lord, Koekkoek and van Dijk, 2010); the normal draws are passed in.

Rates per year, times in years; antithetic paths. The variance may become negative, and is taken as 0 where it is used.

Reference: mpmath. The same paths one by one with 30 digits, from the same draws, gave 5.043595802907362110024.
"""
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri


@dataclass
class Heston:
    v0: float
    kappa: float
    theta: float
    xi: float
    rho: float


def simulate(model, spot, rate, years, Z1, Z2):
    steps, paths = Z1.shape
    dt = years / steps
    Z2 = model.rho * Z1 + np.sqrt(1 - model.rho**2) * Z2
    log_s = np.full(paths, np.log(spot))
    v = np.full(paths, model.v0)
    for i in range(steps):
        v_plus = np.maximum(v, 0)
        alive = v > 0                   # not sqrt(v_plus): its slope at 0 is infinite
        vol = np.zeros(paths)
        vol[alive] = np.sqrt(v[alive] * dt)
        log_s += (rate - 0.5 * v_plus) * dt + vol * Z1[i]
        v += model.kappa * (model.theta - v_plus) * dt + model.xi * vol * Z2[i]
    return np.exp(log_s)


def heston(model, spot, strike, rate, years, Z1, Z2):
    S = np.concatenate([simulate(model, spot, rate, years, Z1, Z2), simulate(model, spot, rate, years, -Z1, -Z2)])
    payoff = np.where(S > strike, S - strike, 0.0)
    return np.exp(-rate * years) * payoff.mean()


ALSO = ("vmap", "hvp")


def draws(steps, paths, irrational):
    return ndtri(np.modf((np.arange(steps * paths) + 1.0) * irrational)[0]).reshape(steps, paths)


def arguments():
    return Heston(0.04, 1.5, 0.05, 0.6, -0.7), 100.0, 102.0, 0.02, 0.5, draws(6, 8, 2.0**0.5), draws(6, 8, 3.0**0.5)


def reference():
    return {"value": 5.043595802907362110024, "rtol": 1e-12}
