"""Implied volatility of option quotes by Newton's method with bisection as its guard, and a fit of a smile to them.

Black and Scholes (1973), Merton's dividend; the smile is the SVI of Gatheral.
Reference: closed form. Quotes made from known volatilities give these back.
"""
import math

import numpy as np
from scipy.stats import norm


def d1_d2(S, K, T, r, q, sigma):
    v = sigma * np.sqrt(T)
    d1 = (np.log(S / K) + (r - q + 0.5 * sigma**2) * T) / v
    return d1, d1 - v


def price(S, K, T, r, q, sigma, kind="call"):
    d1, d2 = d1_d2(S, K, T, r, q, sigma)
    if kind == "call":
        return S * np.exp(-q * T) * norm.cdf(d1) - K * np.exp(-r * T) * norm.cdf(d2)
    elif kind == "put":
        return K * np.exp(-r * T) * norm.cdf(-d2) - S * np.exp(-q * T) * norm.cdf(-d1)
    raise ValueError(f"unknown option {kind!r}")


def vega(S, K, T, r, q, sigma):
    d1, _ = d1_d2(S, K, T, r, q, sigma)
    return S * np.exp(-q * T) * norm.pdf(d1) * math.sqrt(T)


def implied(quote, S, K, T, r, q, kind, tol=1e-12):
    low, high, sigma = 1e-4, 4.0, 0.3
    for _ in range(100):
        diff = price(S, K, T, r, q, sigma, kind) - quote
        if abs(diff) < tol:
            return sigma
        if diff > 0:
            high = sigma
        else:
            low = sigma
        step = sigma - diff / vega(S, K, T, r, q, sigma)
        sigma = step if low < step < high else 0.5 * (low + high)
    return math.nan


def svi(k, a, b, rho, m, s):
    return a + b * (rho * (k - m) + np.sqrt((k - m) ** 2 + s**2))


def implied_volatility(quotes, strikes, spot, T, smile, r=0.02, q=0.01):
    vols = []
    for quote, strike in zip(quotes, strikes):
        kind = "put" if strike < spot else "call"
        vols.append(implied(quote, spot, strike, T, r, q, kind))
    vols = np.array(vols)
    log_moneyness = np.log(strikes / (spot * np.exp((r - q) * T)))
    model = np.sqrt(svi(log_moneyness, *smile) / T)
    ok = ~np.isnan(vols)
    return np.sqrt(np.mean((vols[ok] - model[ok]) ** 2))


ALSO = ("vmap", "hvp")


def arguments():
    strikes, sigma = np.array([80.0, 90.0, 100.0, 110.0, 125.0]), np.array([0.32, 0.27, 0.24, 0.23, 0.235])
    quotes = np.array([price(102.0, k, 0.5, 0.02, 0.01, s, "put" if k < 102.0 else "call") for k, s in zip(strikes, sigma)])
    return quotes, strikes, 102.0, 0.5, (0.01, 0.1, -0.4, 0.05, 0.15)


def reference():
    _, strikes, spot, T, smile = arguments()
    k = np.log(strikes / (spot * np.exp(0.01 * T)))
    model = np.sqrt(svi(k, *smile) / T)
    return {"value": np.sqrt(np.mean((np.array([0.32, 0.27, 0.24, 0.23, 0.235]) - model) ** 2)), "rtol": 1e-9}
