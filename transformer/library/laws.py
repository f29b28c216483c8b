"""Densities of scipy.stats for the standard parameters: loc 0 and scale 1.

    Law(methods, support=..., point=...)

methods  the logarithm of the density, the distribution function, ... by SciPy's names: functions of x, or of q, and
         of the parameters of the shape
support  (first, last) of x; either may be a function of the parameters
point    a number inside of the support, at which a formula is finite whose result is not taken
"""
import math
from dataclasses import dataclass
from typing import Callable

import numpy as np
from scipy import special as sp

LOG_ROOT_TWO_PI = 0.9189385332046727
ROOT_TWO_PI = 2.5066282746310002
LOG_PI = math.log(math.pi)


@dataclass(frozen=True)
class Law:
    methods: dict
    shapes: tuple = ()
    support: tuple = (-math.inf, math.inf)
    point: float = 0.5
    valid: Callable | None = None  # of the parameters, where not all of them are to be positive


LAWS: dict[str, Law] = {}


def law(name, *shapes, support=(-math.inf, math.inf), point=0.5, valid=None, **methods):
    LAWS[name] = Law(methods, shapes, support, point, valid)


def log_of(p, q):
    """log(p), where p + q is 1."""
    near = p > 0.5
    return np.where(near, np.log1p(-np.where(near, q, 0.0)), np.log(np.where(near, 1.0, p)))


HALF, UNIT = (0.0, math.inf), (0.0, 1.0)
law("norm", logpdf=lambda x: -x * x / 2 - LOG_ROOT_TWO_PI, pdf=lambda x: np.exp(-x * x / 2) / ROOT_TWO_PI,
    cdf=lambda x: sp.ndtr(x), logcdf=lambda x: sp.log_ndtr(x), sf=lambda x: sp.ndtr(-x),
    logsf=lambda x: sp.log_ndtr(-x), ppf=lambda q: sp.ndtri(q), isf=lambda q: -sp.ndtri(q))
law("uniform", support=UNIT, logpdf=lambda x: x * 0.0, pdf=lambda x: x * 0.0 + 1.0, cdf=lambda x: x * 1.0,
    sf=lambda x: 1.0 - x, ppf=lambda q: q * 1.0, isf=lambda q: 1.0 - q, logcdf=lambda x: np.log(x),
    logsf=lambda x: np.log(1.0 - x))
law("expon", support=HALF, logpdf=lambda x: -x, pdf=lambda x: np.exp(-x), cdf=lambda x: -np.expm1(-x),
    sf=lambda x: np.exp(-x), logcdf=lambda x: log_of(-np.expm1(-x), np.exp(-x)), logsf=lambda x: -x,
    ppf=lambda q: -np.log1p(-q), isf=lambda q: -np.log(q))


def gamma_logpdf(x, a):
    return sp.xlogy(a - 1.0, x) - x - sp.gammaln(a)


law("gamma", "a", support=HALF, logpdf=gamma_logpdf, pdf=lambda x, a: np.exp(gamma_logpdf(x, a)),
    cdf=lambda x, a: sp.gammainc(a, x), sf=lambda x, a: sp.gammaincc(a, x),
    logcdf=lambda x, a: log_of(sp.gammainc(a, x), sp.gammaincc(a, x)),
    logsf=lambda x, a: log_of(sp.gammaincc(a, x), sp.gammainc(a, x)),
    ppf=lambda q, a: sp.gammaincinv(a, q), isf=lambda q, a: sp.gammainccinv(a, q))


def chi2_logpdf(x, df):
    return sp.xlogy(df / 2.0 - 1, x) - x / 2.0 - sp.gammaln(df / 2.0) - (math.log(2) * df) / 2.0


law("chi2", "df", support=HALF, logpdf=chi2_logpdf, pdf=lambda x, df: np.exp(chi2_logpdf(x, df)),
    cdf=lambda x, df: sp.gammainc(df / 2, x / 2), sf=lambda x, df: sp.gammaincc(df / 2, x / 2),
    ppf=lambda q, df: 2 * sp.gammaincinv(df / 2, q), isf=lambda q, df: 2 * sp.gammainccinv(df / 2, q))


def beta_logpdf(x, a, b):
    return sp.xlog1py(b - 1.0, -x) + sp.xlogy(a - 1.0, x) - sp.betaln(a, b)


law("beta", "a", "b", support=UNIT, logpdf=beta_logpdf, pdf=lambda x, a, b: np.exp(beta_logpdf(x, a, b)),
    cdf=lambda x, a, b: sp.betainc(a, b, x), sf=lambda x, a, b: sp.betaincc(a, b, x),
    ppf=lambda q, a, b: sp.betaincinv(a, b, q))


def t_logpdf(x, df):
    infinite = df == np.inf
    d = np.where(infinite, 1.0, df)
    own = (np.log(sp.poch(0.5 * d, 0.5)) - 0.5 * (np.log(d) + LOG_PI) - (d + 1) / 2 * np.log1p(x * x / d))
    return np.where(infinite, -x * x / 2 - LOG_ROOT_TWO_PI, own)


law("t", "df", logpdf=t_logpdf, pdf=lambda x, df: np.exp(t_logpdf(x, df)), cdf=lambda x, df: sp.stdtr(df, x),
    sf=lambda x, df: sp.stdtr(df, -x), ppf=lambda q, df: sp.stdtrit(df, q), isf=lambda q, df: -sp.stdtrit(df, q))


def cauchy_isf(q):
    """1 / tan(pi q), of the smaller of both tails."""
    small = q < 0.5
    value = 1 / np.tan(math.pi * np.where(small, q, 1 - q))
    return np.where(small, value, -value)


law("cauchy", logpdf=lambda x: -LOG_PI - np.log1p(x * x), pdf=lambda x: 1.0 / math.pi / (1.0 + x * x),
    cdf=lambda x: np.arctan2(1.0, -x) / math.pi, sf=lambda x: np.arctan2(1.0, x) / math.pi,
    ppf=lambda q: -cauchy_isf(q), isf=cauchy_isf)


def laplace_cdf(x):
    tail = 0.5 * np.exp(np.where(x > 0, -x, x))  # the slope of abs at 0 would be 0
    return np.where(x > 0, 1.0 - tail, tail)


def laplace_ppf(q):
    return np.where(q > 0.5, -np.log(2 * (1 - q)), np.log(2 * q))


law("laplace", logpdf=lambda x: -np.abs(x) - math.log(2), pdf=lambda x: 0.5 * np.exp(-np.abs(x)), cdf=laplace_cdf,
    sf=lambda x: laplace_cdf(-x), ppf=laplace_ppf, isf=lambda q: -laplace_ppf(q))


def logistic_logpdf(x):
    """-log(4 cosh(x / 2) ** 2), of which the middle has the slope -tanh(x / 2) to the last digit."""
    near = np.abs(x) < 2
    y = np.where(x > 0, -x, x)  # the slope of abs at 0 would be 0
    return np.where(near, -2.0 * np.log(2.0 * np.cosh(np.where(near, x, 0.0) / 2)), y - 2.0 * np.log1p(np.exp(y)))


law("logistic", logpdf=logistic_logpdf, pdf=lambda x: np.exp(logistic_logpdf(x)), cdf=lambda x: sp.expit(x),
    logcdf=lambda x: sp.log_expit(x), sf=lambda x: sp.expit(-x), logsf=lambda x: sp.log_expit(-x),
    ppf=lambda q: sp.logit(q), isf=lambda q: -sp.logit(q))


def lognorm_logpdf(x, s):
    at = np.where(x > 0, x, 1.0)
    return np.where(x > 0, -np.log(at) ** 2 / (2 * s ** 2) - np.log(at) - np.log(s * ROOT_TWO_PI), -np.inf)


law("lognorm", "s", support=HALF, logpdf=lognorm_logpdf, pdf=lambda x, s: np.exp(lognorm_logpdf(x, s)),
    cdf=lambda x, s: sp.ndtr(np.log(x) / s), logcdf=lambda x, s: sp.log_ndtr(np.log(x) / s),
    sf=lambda x, s: sp.ndtr(-np.log(x) / s), logsf=lambda x, s: sp.log_ndtr(-np.log(x) / s),
    ppf=lambda q, s: np.exp(s * sp.ndtri(q)), isf=lambda q, s: np.exp(-s * sp.ndtri(q)))
law("pareto", "b", support=(1.0, math.inf), point=2.0, logpdf=lambda x, b: np.log(b) - (b + 1) * np.log(x),
    pdf=lambda x, b: b * x ** (-b - 1), cdf=lambda x, b: 1 - x ** (-b), sf=lambda x, b: x ** (-b),
    ppf=lambda q, b: (1 - q) ** (-1.0 / b), isf=lambda q, b: q ** (-1.0 / b))
law("halfnorm", support=HALF, logpdf=lambda x: 0.5 * math.log(2 / math.pi) - x * x / 2,
    pdf=lambda x: math.sqrt(2 / math.pi) * np.exp(-x * x / 2))
law("halfcauchy", support=HALF, logpdf=lambda x: math.log(2 / math.pi) - np.log1p(x * x),
    pdf=lambda x: 2 / math.pi / (1 + x * x))

# of integers ----------------------------------------------------------------------------------------------


def poisson_logpmf(k, mu):
    return sp.xlogy(k, mu) - sp.gammaln(k + 1) - mu


def binom_logpmf(k, n, p):
    ways = sp.gammaln(n + 1) - (sp.gammaln(k + 1) + sp.gammaln(n - k + 1))
    return ways + sp.xlogy(k, p) + sp.xlog1py(n - k, -p)


def bernoulli_logpmf(k, p):
    return sp.xlogy(k, p) + sp.xlog1py(1 - k, -p)


def probable(p):
    return (p >= 0) & (p <= 1)


law("poisson", "mu", support=HALF, point=1.0, valid=lambda mu: mu >= 0, logpmf=poisson_logpmf,
    pmf=lambda k, mu: np.exp(poisson_logpmf(k, mu)))
law("binom", "n", "p", support=(0.0, lambda n, p: n), point=0.0,
    valid=lambda n, p: (n >= 0) & (np.floor(n) == n) & probable(p), logpmf=binom_logpmf,
    pmf=lambda k, n, p: np.exp(binom_logpmf(k, n, p)))
law("bernoulli", "p", support=UNIT, point=0.0, valid=probable, logpmf=bernoulli_logpmf,
    pmf=lambda k, p: np.exp(bernoulli_logpmf(k, p)))
