"""scipy.stats: what stands around the formulas of `laws`: location, scale, support, and parameters that are wrong."""
import inspect
import math

import numpy as np
from scipy import special as sp, stats

from gradscribe import runtime as rt

from .laws import LAWS
from .registry import computed, ensure, known, means, refuse
from .scipy_linalg import checked
from .triangular import solve_lower

ELSEWHERE = {"logpdf": -math.inf, "pdf": 0.0, "logpmf": -math.inf, "pmf": 0.0}
BELOW = {"cdf": 0.0, "logcdf": -math.inf, "sf": 1.0, "logsf": 0.0}
ABOVE = {"cdf": 1.0, "logcdf": 0.0, "sf": 0.0, "logsf": -math.inf}


def floats(a):
    a = np.asarray(a)
    if a.dtype.kind not in "iuf":
        refuse(f"a distribution of {a.dtype}", "Convert it: x.astype(float).")
    return a if a.dtype == np.float64 else a.astype(float)


def usable(shapes, valid):
    """Are the parameters those of a distribution?"""
    good = True if valid is None else valid(*shapes)
    if valid is None:
        for a in shapes:
            good = good & (a > 0)
    return good


def bounds(support, shapes):
    return [b(*shapes) if callable(b) else b for b in support]


def standard(x, loc, scale):
    """Where x is of loc 0 and scale 1.  What is infinitely far away stays there, and so does not change with them."""
    far = np.isinf(x) & np.isfinite(loc) & np.isfinite(scale)
    return np.where(far, x, (np.where(far, 0.0, x) - loc) / scale)


def density(method, formula, support, point, valid, elsewhere, x, shapes, loc, scale):
    """logpdf and pdf."""
    x, loc, scale, shapes = floats(x), floats(loc), floats(scale), [floats(a) for a in shapes]
    z = standard(x, loc, scale)
    good, there = usable(shapes, valid) & (scale > 0), z == z
    low, high = bounds(support, shapes)
    inside = good & (z >= low) & (z <= high)
    z = np.where(inside, z, point)
    value = formula(z, *shapes)
    value = value / scale if method == "pdf" else value - np.log(scale)
    return np.where(good & there, np.where(inside, value, elsewhere), np.nan)[()]


def mass(method, formula, support, point, valid, elsewhere, k, shapes, loc, scale):
    """logpmf and pmf."""
    k, shapes = floats(k) - floats(loc), [floats(a) for a in shapes]
    good = usable(shapes, valid)
    low, high = bounds(support, shapes)
    inside = good & (k >= low) & (k <= high) & (np.floor(k) == k)
    value = formula(np.where(inside, k, point), *shapes)
    return np.where(good & (k == k), np.where(inside, value, elsewhere), np.nan)[()]


def function(method, formula, support, point, valid, ends, x, shapes, loc, scale):
    """cdf, sf and their logarithms."""
    x, loc, scale, shapes = floats(x), floats(loc), floats(scale), [floats(a) for a in shapes]
    z = standard(x, loc, scale)
    good = usable(shapes, valid) & (scale > 0)
    low, high = bounds(support, shapes)
    inside = good & (z > low) & (z < high)
    value = formula(np.where(inside, z, point), *shapes)
    value = np.where(inside, value, np.where(z >= high, ends[1], ends[0]))
    return np.where(good & (z == z), value, np.nan)[()]


def quantile(method, formula, support, point, valid, ends, q, shapes, loc, scale):
    """ppf and isf."""
    q, loc, scale, shapes = floats(q), floats(loc), floats(scale), [floats(a) for a in shapes]
    good = usable(shapes, valid) & (scale > 0) & (loc == loc)
    low, high = bounds(support, shapes)
    inside = good & (q > 0) & (q < 1)
    value = formula(np.where(inside, q, 0.5), *shapes)
    at = [high, low] if method == "isf" else [low, high]
    value = np.where(inside, value, np.where(q == 0, at[0], at[1])) * scale + loc
    return np.where(good & (q >= 0) & (q <= 1), value, np.nan)[()]


# what SciPy's methods are given ---------------------------------------------------------------------------
SIGNATURES: dict = {}  # method of a distribution, such as scipy.stats.norm.logpdf -> its parameters, as SciPy has them
QUANTILES = ("ppf", "isf")


def law_signature(method: str, law: str) -> inspect.Signature:
    required = dict.fromkeys(("q" if method in QUANTILES else "x", *LAWS[law].shapes), inspect.Parameter.empty)
    defaults = required | {"loc": 0} | ({} if method.endswith("pmf") else {"scale": 1})
    return inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
                              for name, default in defaults.items()])


def places_of(method: str, law: str, count: int, names: tuple) -> tuple:
    """(parameter, which argument it is given: its place, or its name) of each that is given."""
    return tuple(law_signature(method, law).bind(*range(count), **{name: name for name in names}).arguments.items())


def parts_of(method: str, law: str) -> tuple:
    """(names of the parameters before loc, which function above computes it, and its first arguments)"""
    own = LAWS[law]
    around = (mass if method.endswith("pmf") else density if method.endswith("pdf")
              else quantile if method in QUANTILES else function)
    ends = ELSEWHERE.get(method, (BELOW.get(method), ABOVE.get(method)))
    return ((("q" if method in QUANTILES else "x"), *own.shapes), around,
            (method, own.methods[method], own.support, own.point, own.valid, ends))


def enter_method(method: str, law: str) -> None:
    SIGNATURES[of_scipy := getattr(getattr(stats, law), method)] = law_signature(method, law)

    @means(of_scipy, unasked=True, complex=True)
    def value(*args, **kwargs):
        given = {"loc": 0, "scale": 1}
        for name, where in computed(places_of, method, law, len(args), tuple(kwargs)):
            given[name] = kwargs[where] if isinstance(where, str) else args[where]
        (first, *shapes), around, fixed = computed(parts_of, method, law)
        return around(*fixed, given[first], tuple([given[name] for name in shapes]), given["loc"], given["scale"])


for _law in LAWS:
    for _method in LAWS[_law].methods:
        enter_method(_method, _law)


# of vectors -----------------------------------------------------------------------------------------------
@means(stats.multivariate_normal.logpdf, unasked=True)
def normal_logpdf(x, mean=None, cov=1, allow_singular=False):
    x, cov = floats(x), floats(cov)
    if cov.ndim != 2:
        refuse("scipy.stats.multivariate_normal with a cov that is no matrix", "Write cov * np.eye(len(mean)).")
    mean = np.zeros(cov.shape[0]) if mean is None else floats(mean)
    if mean.ndim != 1 or x.ndim == 0:
        refuse("scipy.stats.multivariate_normal of numbers", "Use scipy.stats.norm.")
    if cov.shape[0] != cov.shape[1]:
        raise ValueError(f"Array 'cov' must be square if it is two dimensional, but cov.shape = {cov.shape}.")
    if mean.shape[0] != cov.shape[0]:
        raise ValueError("Dimension mismatch: array 'cov' is of shape %s, but 'mean' is a vector of length %d."
                         % (str(cov.shape), len(mean)))
    if known(allow_singular, "it says what is raised"):
        sizes = np.linalg.eigvalsh(rt.stop_gradient(checked(cov, True)))
        ensure(sizes[0] > 1e6 * np.finfo(sizes.dtype).eps * np.max(np.abs(sizes)),
               "scipy.stats.multivariate_normal of a singular cov: add a little to its diagonal")
    root = np.linalg.cholesky(checked(cov, True))
    apart = x - mean
    count = mean.shape[0]
    z = solve_lower(root, apart.reshape(-1, count).T)
    far = np.sum(z * z, axis=0)
    out = -0.5 * (count * math.log(2 * math.pi) + 2 * np.sum(np.log(np.diagonal(root))) + far)
    return out[0] if x.ndim == 1 else np.squeeze(out.reshape(x.shape[:-1]))[()]


@means(stats.multivariate_normal.pdf, unasked=True)
def normal_pdf(x, mean=None, cov=1, allow_singular=False):
    return np.exp(normal_logpdf(x, mean, cov, allow_singular))


@means(stats.dirichlet.logpdf, unasked=True)
def dirichlet_logpdf(x, alpha):
    x, alpha = floats(x), floats(alpha)
    if alpha.ndim != 1:
        raise ValueError(f"Parameter vector 'a' must be one dimensional, but a.shape = {alpha.shape}.")
    if np.min(alpha) <= 0:
        raise ValueError("All parameters must be greater than 0")
    if x.ndim != 1:
        refuse("scipy.stats.dirichlet of several vectors", "Call it under gs.vmap.")
    if x.shape[0] != alpha.shape[0]:
        refuse("scipy.stats.dirichlet of a vector without its last entry", "Append 1 - np.sum(x).")
    if np.min(x) < 0:
        raise ValueError("Each entry in 'x' must be greater than or equal to zero.")
    if np.max(x) > 1:
        raise ValueError("Each entry in 'x' must be smaller or equal one.")
    if np.any((x == 0) & (alpha < 1)):
        raise ValueError("Each entry in 'x' must be greater than zero if its alpha is less than one.")
    if np.abs(np.sum(x) - 1.0) > 10e-10:
        raise ValueError("The input vector 'x' must lie within the normal simplex.")
    return np.sum(sp.xlogy(alpha - 1, x)) - np.sum(sp.gammaln(alpha)) + sp.gammaln(np.sum(alpha))


@means(stats.dirichlet.pdf, unasked=True)
def dirichlet_pdf(x, alpha):
    return np.exp(dirichlet_logpdf(x, alpha))
