"""Finance: prices of options, implied volatility, and the Greeks (py_vollib is the name it had before)."""
from vollib.black import black as price_of_black
from vollib.black_scholes import black_scholes as price
from vollib.black_scholes.greeks import analytical
from vollib.black_scholes.implied_volatility import implied_volatility as volatility
from vollib.black_scholes_merton import black_scholes_merton as price_with_dividends
from vollib.ref_python.black_scholes import black_scholes as price_of_reference

from . import Calls

calls = Calls()


@calls(100.0, 90.0, 0.5, 0.01, 0.2)
def black_scholes(S, K, t, r, sigma):
    return price("c", S, K, t, r, sigma)


@calls(5.87602423383, 100.0, 100.0, 0.5, 0.01)
def implied_volatility(price, S, K, t, r):
    return volatility(price, S, K, t, r, "c")


@calls(49.0, 50.0, 0.3846, 0.05, 0.2)
def delta(S, K, t, r, sigma):
    return analytical.delta("c", S, K, t, r, sigma)


@calls(49.0, 50.0, 0.3846, 0.05, 0.2)
def gamma(S, K, t, r, sigma):
    return analytical.gamma("c", S, K, t, r, sigma)


@calls(49.0, 50.0, 0.3846, 0.05, 0.2)
def theta(S, K, t, r, sigma):
    return analytical.theta("c", S, K, t, r, sigma)


@calls(49.0, 50.0, 0.3846, 0.05, 0.2)
def vega(S, K, t, r, sigma):
    return analytical.vega("c", S, K, t, r, sigma)


@calls(49.0, 50.0, 0.3846, 0.05, 0.2)
def rho(S, K, t, r, sigma):
    return analytical.rho("c", S, K, t, r, sigma)


@calls(100.0, 90.0, 0.5, 0.01, 0.2, 0.02)
def black_scholes_merton(S, K, t, r, sigma, q):
    return price_with_dividends("p", S, K, t, r, sigma, q)


@calls(100.0, 100.0, 0.5, 0.02, 0.2)
def black(F, K, t, r, sigma):
    return price_of_black("c", F, K, t, r, sigma)


@calls(100.0, 90.0, 0.5, 0.01, 0.2)
def reference_black_scholes(S, K, t, r, sigma):
    return price_of_reference("c", S, K, t, r, sigma)
