"""scipy.special: sums of exponentials, and functions that are made of others."""
import math
import operator

import numpy as np
from scipy import special as sp

from gradscribe import runtime as rt

from .registry import at_least, ensure, known, means, refuse


# sums of exponentials -----------------------------------------------------------------------------------
@means(sp.logsumexp)
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    a, axis = floats(a), known(axis, "it is an axis")
    keepdims, return_sign = known(keepdims, "it decides the shape"), known(return_sign, "it decides what is given")
    a = a.reshape(1) if a.ndim == 0 else a
    if b is not None:
        b = floats(b)
        dtype = np.result_type(a.dtype, b.dtype)
        a, b = np.where(b == 0, -np.inf, a.astype(dtype)), b.astype(dtype)
    largest = highest(a, axis)
    at = finite(largest)
    hit = a == largest
    # of the largest the exponential is 1, which log1p adds: so what is less by far counts
    parts = np.where(hit, np.expm1(a - at), np.exp(a - at))
    if b is None:
        count = np.sum(hit, axis=axis, keepdims=True).astype(a.dtype)
        out = np.log1p(np.sum(parts, axis=axis, keepdims=True) / count) + np.log(count) + at
        sign = np.ones_like(out)
    else:
        count = np.sum(np.where(hit, b, 0), axis=axis, keepdims=True)
        rest = np.sum(np.where(b == 0, 0, b * parts), axis=axis, keepdims=True)
        total = count + rest
        same = (count != 0) & (np.abs(rest) <= 0.5 * np.abs(count))
        safe = np.where(same, count, 1)
        out = np.where(same, np.log1p(np.where(same, rest, 0) / safe) + np.log(np.abs(safe)),
                       np.log(np.abs(np.where(same, 1, total)))) + at
        sign = np.sign(total)
        if not return_sign:
            out = np.where(total < 0, np.nan, out)
    if not keepdims:
        out, sign = squeezed(out, axis), squeezed(sign, axis)
    return (out, sign) if return_sign else out


def floats(a):
    a = np.asarray(a)
    return a if a.dtype.kind == "f" else a.astype(float)


def highest(a, axis):
    """The largest elements, which derivatives take as constant: what is subtracted is added again."""
    for k in range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,):
        if not at_least(a.shape[k], 1):
            refuse("sums of exponentials of what may be empty", "Test the length before.")
    return rt.stop_gradient(np.max(a, axis=axis, keepdims=True))


def finite(a):
    return np.where(np.isfinite(a), a, 0)


def squeezed(a, axis):
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [operator.index(k) % a.ndim for k in axes]
    return a[tuple([0 if k in axes else slice(None) for k in range(a.ndim)])]


@means(sp.softmax)
def softmax(x, axis=None):
    x, axis = np.asarray(x), known(axis, "it is an axis")
    if x.ndim == 0:
        return np.exp(x - rt.stop_gradient(x)) * 0 + np.exp(x - x)
    parts = np.exp(x - highest(x, axis))
    return parts / np.sum(parts, axis=axis, keepdims=True)


@means(sp.log_softmax)
def log_softmax(x, axis=None):
    x, axis = np.asarray(x), known(axis, "it is an axis")
    if x.ndim == 0:
        return (x - x) - np.log(np.exp(x - x))
    shifted = x - finite(highest(x, axis))
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


@means(sp.softplus)
def softplus(x):
    x = floats(x)
    return np.where(x > 0, x, 0) + np.log1p(np.exp(np.where(x > 0, -x, x)))


@means(np.i0)
def i0(x):
    return np.asarray(sp.i0(floats(x)))


def riemann(x):
    x = np.asarray(x)
    ensure(np.all((x > 1) | np.isnan(x)), "scipy.special.zeta of one argument that is not larger than 1")
    return sp.zeta(x, 1.0)


# gamma functions and what is counted with them ----------------------------------------------------------
@means(sp.polygamma)
def polygamma(n, x):
    n = known(n, "it is the order of a derivative")
    if not isinstance(n, (int, np.integer)):
        refuse("scipy.special.polygamma of several orders", "Call it for each of them.")
    if n == 0:
        return np.asarray(sp.psi(x))
    return np.asarray((-1.0) ** (n + 1) * math.gamma(n + 1.0) * sp.zeta(n + 1.0, np.asarray(x)))


@means(sp.multigammaln, unasked=True)
def multigammaln(a, d):
    a, d = np.asarray(a), known(d, "it is a number of dimensions")
    if isinstance(d, (np.ndarray, list, tuple)) or math.floor(d) != d:
        raise ValueError("d should be a positive integer (dimension)")
    if np.any(a <= 0.5 * (d - 1)):
        raise ValueError(f"condition a ({a}) > 0.5 * (d-1) ({0.5 * (d - 1)}) not met")
    total = sp.gammaln(a)
    for j in range(2, int(d) + 1):
        total = total + sp.gammaln(a - (j - 1.0) / 2)
    return total + np.float64(d * (d - 1) * 0.25 * math.log(math.pi))


@means(sp.factorial)
def factorial(n, exact=False):
    n = np.asarray(n)
    if known(exact, "it decides the dtype"):
        refuse("scipy.special.factorial with exact=True of what only the run time knows", "Write exact=False.")
    if not at_least(n.size, 1):
        refuse("scipy.special.factorial of what may be empty", "Test the length before.")
    if n.dtype.kind not in "iu":
        refuse(f"scipy.special.factorial of {n.dtype}", "Write scipy.special.gamma(n + 1).")
    return np.where(n < 0, 0.0, sp.gamma(np.maximum(n, 0) + 1.0))[()]


@means(sp.comb)
def comb(N, k, exact=False):
    if known(exact, "it decides the dtype"):
        refuse("scipy.special.comb with exact=True of what only the run time knows", "Write exact=False.")
    k, N = np.asarray(k), np.asarray(N)
    return np.where((k <= N) & (N >= 0) & (k >= 0), sp.binom(N, k), 0.0)[()]


# where a power meets its own exponent -------------------------------------------------------------------
@means(sp.lambertw, unasked=True, complex=True)
def lambertw(z, k=0):
    """Of real numbers: both branches that are real. A step of Halley's triples the digits, of derivatives as well."""
    z, k = np.asarray(z), known(k, "it says which branch")
    if z.dtype.kind not in "biuf" or k not in (0, -1):
        refuse("scipy.special.lambertw of complex numbers, or of another branch than 0 and -1",
               "Pass real numbers, and 0 or -1.")
    x = z.astype(float)
    ensure(np.all((x > -EXP_MINUS_1) & (x < 0.0 if k == -1 else x == x)), "scipy.special.lambertw is not real there")
    near = x < -0.25
    p = np.sqrt(np.where(near, 2.0 * (math.e * np.where(near, x, -0.3) + 1.0), 1.0)) * (1.0 if k == 0 else -1.0)
    curve = 1.0 - p * (1.0 / 3.0 - p * (11.0 / 72.0 - p * (43.0 / 540.0)))
    w = np.where(near, -1.0 + p * curve, first_guess(x, near, k))
    done = near & (np.abs(p) < 1e-3) | np.isinf(x) | (x == 0.0)  # what stands there is exact, and the step is 0 / 0
    y = np.where(done, -0.5, w)
    for _ in range(5):
        f = y - np.where(done, -0.5, x) * np.exp(-y)
        y = y - f / (y + 1.0 - (y + 2.0) * f / (2.0 * y + 2.0))
    return (np.where(done, w, y) + 0j)[()]


EXP_MINUS_1 = 0.36787944117144233


def first_guess(x, near, k):
    """A first guess away from the point where both branches meet."""
    if k == 0:
        above = np.log1p(np.where(near, 0.0, x))
        return above * (1.0 - np.log1p(above) / (2.0 + above))
    deep = np.log(-np.where(near, -0.1, x))
    return deep - np.log(-deep) * (1.0 - 1.0 / deep)
