"""scipy.special: sums of exponentials, and functions that are made of others."""
import math
import operator

import numpy as np
from scipy import special as sp

from gradscribe import runtime as rt

from .registry import at_least, ensure, known, means, moving_as, refuse


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


# Lambert's function -------------------------------------------------------------------------------------
@means(sp.lambertw, unasked=True, complex=True)
def lambertw(z, k=0, tol=1e-8):
    """Its real branches: the result is complex, as SciPy's is."""
    x, k, tol = np.asarray(z), known(k, "it is the number of a branch"), known(tol, "it is a tolerance")
    if x.dtype.kind not in "iuf" or x.dtype == np.float32 or np.ndim(k) != 0 or k != 0 and k != -1:
        refuse("scipy.special.lambertw but for real branches of real numbers of double precision",
               "Write k=0 or k=-1, and x.astype(float).")
    x = x.astype(float)
    ensure(np.all((x > -math.exp(-1)) & (k == 0 or x < 0) & (x < np.inf)),
           "scipy.special.lambertw where no real branch is finite: below -1 / e, or with k=-1 from 0 on")
    w = rt.stop_gradient(real_branch(rt.stop_gradient(x), k, tol))
    return moving_as(w, inverse_step(x, inverse_step(x, w))).astype(complex)[()]


def inverse_step(x, w):
    """A step of Newton's for w * exp(w) == x."""
    return w - (w - x * np.exp(-w)) / (1 + w)


def real_branch(x, k, tol):
    w = first_guess(x) if k == 0 else np.log(-x)
    done = np.zeros(x.shape, bool) | (x == 0)
    for _ in range(100):
        if np.all(done):
            break
        low, away = w < 0, np.exp(-np.abs(w))
        miss = np.where(low, w * away - x, w - x * away)
        slope = np.where(low, w * away + away, w + 1) - (w + 2) * miss / (2 * w + 2)
        after = np.where(done, w, w - miss / slope)
        done, w = done | (np.abs(after - w) < tol * np.abs(after)), after
    return w


def first_guess(x):
    """By the series at -1 / e, a quotient of polynomials about 0, and the logarithm's logarithm."""
    near = np.abs(x + math.exp(-1)) < 0.3
    p = np.sqrt(np.where(near, np.maximum(2 * (math.e * x + 1), 0), 1))
    large = x >= 1.5
    far = np.log(np.where(large, x, 2))
    x = np.where(large, 0, x)
    ratio = x * ((12.85106382978723404255 * x + 12.34042553191489361902) * x + 1.0)
    ratio = ratio / ((32.53191489361702127660 * x + 14.34042553191489361702) * x + 1.0)
    return np.where(near, (-p / 3 + 1) * p - 1, np.where(large, far - np.log(far), ratio))
