"""The definitions of scipy.stats' laws in numbers of mpmath: their densities and distribution functions,
the logarithms of both."""
from mpmath import mp, mpf

from tests.support import jets as j
from tests.support.accuracy_references import betainc, expit, gammainc, log_ndtr, ndtr, softplus, stdtr, student_density
from tests.support.jets import Undefined, jet

HALF, UNIT, LINE = (0, mp.inf), (0, 1), (-mp.inf, mp.inf)
SHAPES = {"gamma": (2.5,), "chi2": (3.5,), "beta": (1.75, 2.5), "t": (4.5,), "lognorm": (0.75,), "pareto": (2.25,)}


def log_density_beta(x, a, b):
    from tests.support.accuracy_references import betaln
    return (a - 1) * j.log(x) + (b - 1) * j.log1p(-jet(x)) - betaln(a, b)


def cauchy(x):
    return j.arctan(x) / mp.pi + mpf("0.5") if jet(x).parts[0] > -1 else -j.arctan(1 / jet(x)) / mp.pi


def laplace(x):
    x = jet(x)
    return j.exp(x) * mpf("0.5") if x < 0 else 1 - j.exp(-x) * mpf("0.5")


# law -> (support, log density, distribution function, what is above)
LAWS = {
    "norm": (LINE, lambda x: -jet(x) * x * mpf("0.5") - mp.log(2 * mp.pi) / 2, ndtr, lambda x: ndtr(-jet(x))),
    "uniform": (UNIT, lambda x: 0 * jet(x), jet, lambda x: 1 - jet(x)),
    "expon": (HALF, lambda x: -jet(x), lambda x: -j.expm1(-jet(x)), lambda x: j.exp(-jet(x))),
    "gamma": (HALF, lambda x, a: (a - 1) * j.log(x) - x - mp.loggamma(a), lambda x, a: gammainc(a, x),
              lambda x, a: gammainc(a, x, True)),
    "chi2": (HALF, lambda x, a: (a / 2 - 1) * j.log(x) - x / 2 - mp.loggamma(a / 2) - mp.log(2) * a / 2,
             lambda x, a: gammainc(a / 2, x / 2), lambda x, a: gammainc(a / 2, x / 2, True)),
    "beta": (UNIT, log_density_beta, lambda x, a, b: betainc(a, b, x), lambda x, a, b: betainc(b, a, 1 - jet(x))),
    "t": (LINE, lambda x, a: j.log(student_density(a, x)), lambda x, a: stdtr(a, x), lambda x, a: stdtr(a, -jet(x))),
    "cauchy": (LINE, lambda x: -j.log1p(jet(x) * x) - mp.log(mp.pi), cauchy, lambda x: cauchy(-jet(x))),
    "laplace": (LINE, lambda x: -j.absolute(x) - mp.log(2), laplace, lambda x: laplace(-jet(x))),
    "logistic": (LINE, lambda x: -jet(x) - 2 * softplus(-jet(x)), expit, lambda x: expit(-jet(x))),
    "lognorm": (HALF, lambda x, s: -j.log(x) * j.log(x) / (2 * s * s) - j.log(x) - mp.log(s * mp.sqrt(2 * mp.pi)),
                lambda x, s: ndtr(j.log(x) / s), lambda x, s: ndtr(-j.log(x) / s)),
    "pareto": ((1, mp.inf), lambda x, b: mp.log(b) - (b + 1) * j.log(x), lambda x, b: -j.expm1(-b * j.log(x)),
               lambda x, b: j.exp(-b * j.log(x))),
    "halfnorm": (HALF, lambda x: mp.log(2 / mp.pi) / 2 - jet(x) * x * mpf("0.5"), None, None),
    "halfcauchy": (HALF, lambda x: mp.log(2 / mp.pi) - j.log1p(jet(x) * x), None, None),
}
NO_REFERENCE = {"poisson": "of whole numbers: tests/library/test_scipy_stats.py", "binom": "as poisson",
                "bernoulli": "as poisson", "ppf": "an inverse: those of scipy.special are measured", "isf": "as ppf"}


def of_half(function):
    """That of -log or exp of a law: 1 - p near 1 is what is above."""
    below, above = function
    return lambda *args: j.log(below(*args)) if below(*args) < mpf("0.5") else j.log1p(-above(*args))


def reference(law, method):
    (low, high), logpdf, cdf, sf = LAWS[law]
    formula = {"logpdf": logpdf, "pdf": lambda *a: j.exp(logpdf(*a)), "cdf": cdf, "sf": sf,
               "logcdf": of_half((cdf, sf)), "logsf": of_half((sf, cdf))}[method]
    if (law, method) == ("expon", "logsf"):
        formula = logpdf
    if law in ("norm", "logistic") and method in ("logcdf", "logsf"):
        side = 1 if method == "logcdf" else -1
        formula = (lambda x: log_ndtr(side * jet(x))) if law == "norm" else lambda x: -softplus(-side * jet(x))

    def function(x, *shapes):
        if not low < jet(x).parts[0] < high:
            raise Undefined
        return formula(x, *(mpf(a) for a in shapes))
    return function
