"""An American put on a binomial tree (Cox, Ross and Rubinstein, 1979).

Rates per year, times in years.

Reference: mpmath. Five steps with 30 digits give 4.48845853472591430399; the example is that of Hull, Options, Futures, and Other Derivatives, who prints 4.49.
"""
import numpy as np


def american_put(spot, strike, rate, sigma, years, steps):
    dt = years / steps
    u = np.exp(sigma * np.sqrt(dt))
    d = 1 / u
    p = (np.exp(rate * dt) - d) / (u - d)
    discount = np.exp(-rate * dt)

    prices = spot * d ** np.arange(steps, -1, -1) * u ** np.arange(0, steps + 1)
    values = np.maximum(strike - prices, 0)
    for i in range(steps - 1, -1, -1):
        values[:i + 1] = discount * (p * values[1:i + 2] + (1 - p) * values[:i + 1])
        prices = prices[:-1] * u
        exercise = strike - prices
        early = exercise > values[:i + 1]
        values[:i + 1][early] = exercise[early]
    return values[0]


ALSO = ("vmap", "hvp")


def arguments():
    return 50.0, 50.0, 0.1, 0.4, 5.0 / 12.0, 5


def reference():
    return {"value": 4.48845853472591430399, "rtol": 1e-12}
