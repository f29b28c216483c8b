"""Polynomials, by their coefficients from the highest power on; windows."""
import operator

import numpy as np

from .eigen import in_double, real_values, real_where_all_are
from .registry import at_least, ensure, known, means, refuse
from .shapes import element, integer, whole


@means(np.polyval, complex=True)
def polyval(p, x):
    p, x = np.asarray(p), np.asarray(x)
    y = np.zeros(x.shape, np.result_type(p.dtype, x.dtype))
    for k in range(len(p)):
        y = y * x + p[k]
    return element(y)


def vector(p):
    """Coefficients as a vector."""
    p = np.atleast_1d(p)
    if p.ndim > 1 or not at_least(len(p), 1):
        refuse("a polynomial of a matrix, or of no coefficients", "Give a vector.")
    return p


def as_long(a, b):
    """Both with as many coefficients, zeros in front."""
    a, b = vector(a), vector(b)
    n = max(len(a), len(b))
    return np.concatenate([np.zeros(n - len(a), a.dtype), a]), np.concatenate([np.zeros(n - len(b), b.dtype), b])


@means(np.polyadd, unasked=True, complex=True)
def polyadd(a1, a2):
    a, b = as_long(a1, a2)
    return a + b


@means(np.polysub, unasked=True, complex=True)
def polysub(a1, a2):
    a, b = as_long(a1, a2)
    return a - b


def without_zeros(p):
    """The coefficients from the first that is not 0 on."""
    p = vector(p)
    some = np.flatnonzero(p != 0)
    first = int(some[0]) if len(some) > 0 else len(p) - 1
    return p[np.arange(first, len(p))]


@means(np.polymul, unasked=True, complex=True)
def polymul(a1, a2):
    return np.convolve(without_zeros(a1), without_zeros(a2))


@means(np.polyder, unasked=True, complex=True)
def polyder(p, m=1):
    if np.ndim(p) == 0:
        refuse("a polynomial that is one number", "Give a list.")
    p, m = vector(p), whole(m, "it says how often")
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    for _ in range(m):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


@means(np.polyint, unasked=True, complex=True)
def polyint(p, m=1, k=None):
    if np.ndim(p) == 0:
        refuse("a polynomial that is one number", "Give a list.")
    p, m = vector(p), whole(m, "it says how often")
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = [0.0] * m if k is None else [k] * m if np.ndim(k) == 0 else [x for x in k]
    if len(constants) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for n in range(m):
        p = np.concatenate([p / np.arange(len(p), 0, -1), np.reshape(np.multiply(constants[n], 1.0), (1,))])
    return p


@means(np.polydiv, unasked=True)
def polydiv(u, v):
    u, v = vector(u) + 0.0, vector(v) + 0.0
    m, n = len(u) - 1, len(v) - 1
    q, r = np.zeros(max(m - n + 1, 1), np.result_type(u.dtype, v.dtype)), u.astype(np.result_type(u.dtype, v.dtype))
    scale = 1.0 / v[0]
    for k in range(0, m - n + 1):
        d = scale * r[k]
        q[k] = d
        r[k:k + n + 1] -= d * v
    some = np.flatnonzero(~(np.abs(r) <= 1e-8))  # what is no number stays
    return q, r[np.arange(int(some[0]) if len(some) > 0 else len(r) - 1, len(r))]


@means(np.poly, unasked=True, complex=True)
def poly(seq_of_zeros):
    zeros = np.asarray(seq_of_zeros)
    if zeros.ndim == 2 and zeros.dtype.kind == "f" and zeros.dtype != np.float16:
        if zeros.shape[0] != zeros.shape[1]:
            raise ValueError("input must be 1d or non-empty square 2d array.")
        return np.real(with_zeros(np.linalg.eigvals(zeros.astype(np.result_type(zeros.dtype, np.complex64)))))
    if zeros.dtype.kind == "c":
        refuse("np.poly of complex numbers, whose values decide whether the result is complex",
               "Multiply the factors: np.convolve.")
    if zeros.ndim != 1 or not at_least(len(zeros), 1) or zeros.dtype.kind == "b":
        refuse("np.poly of what is no vector of numbers, and no matrix of floats", "Give a vector of zeros.")
    return with_zeros(zeros * 1.0 if zeros.dtype != np.float16 else zeros.astype(float))


def with_zeros(zeros):
    """The coefficients of the polynomial with these zeros."""
    a = np.ones(1, zeros.dtype)
    for k in range(known(len(zeros), "it is the degree")):
        a = np.concatenate([a, np.zeros(1, a.dtype)]) - np.concatenate([np.zeros(1, a.dtype), a * zeros[k]])
    return a


@means(np.roots, unasked=True, complex=True)
def roots(p):
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    if p.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    if p.dtype.kind not in "fc":
        p = p.astype(float)
    some = np.flatnonzero(p)
    ensure(len(some) > 1, "np.roots of a polynomial with one coefficient, whose result is real")
    zeros = np.zeros(len(p) - 1 - some[-1], p.dtype)
    p = p[np.arange(some[0], some[-1] + 1)]
    n = len(p) - 1
    companion = np.zeros((n, n), p.dtype)
    companion[np.arange(1, n), np.arange(0, n - 1)] = 1
    companion[:1] = -p[1:] / p[0]
    if p.dtype.kind == "c":
        return np.concatenate([np.linalg.eigvals(companion), zeros])
    found = in_double(real_values, companion)
    return real_where_all_are(np.concatenate([found, zeros.astype(found.dtype)]))


@means(np.polyfit, unasked=True)
def polyfit(x, y, deg, w=None):
    order = whole(deg, "it is the degree") + 1
    x, y = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if order < 1:
        raise ValueError("expected deg >= 0")
    if x.dtype == np.float16 or y.dtype == np.float16:
        refuse("np.polyfit of float16", "Convert the points: x.astype(float).")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
    if not at_least(len(x), order):
        refuse("np.polyfit of fewer points than coefficients", "Take a smaller degree.")
    left = np.vander(x, order)
    if w is not None:
        w = np.asarray(w) + 0.0
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if len(w) != len(y):
            raise TypeError("expected w and y to have the same length")
        left, y = left * w[:, None], y * (w[:, None] if y.ndim == 2 else w)
    scale = np.sqrt(np.sum(left * left, axis=0))
    c = np.linalg.lstsq(left / scale, y)[0]
    return (c.T / scale).T


# windows -------------------------------------------------------------------------------------------------
def window(M, of_one):
    """A window of M places, which are from -1 to 1."""
    if isinstance(M, (int, np.integer)):
        m = operator.index(M)
        places = 2 * np.arange(m) + (1 - m)
    else:
        m = known(M, "it is a length")
        places = np.arange(1 - m, m, 2)
    return of_one(places / max(m - 1, 1))


@means(np.hanning, unasked=True)
def hanning(M):
    return window(M, lambda t: 0.5 + 0.5 * np.cos(np.pi * t))


@means(np.hamming, unasked=True)
def hamming(M):
    return window(M, lambda t: 0.54 + 0.46 * np.cos(np.pi * t))


@means(np.blackman, unasked=True)
def blackman(M):
    return window(M, lambda t: 0.42 + 0.5 * np.cos(np.pi * t) + 0.08 * np.cos(2.0 * np.pi * t))


@means(np.bartlett, unasked=True)
def bartlett(M):
    return window(M, lambda t: np.where(t <= 0, 1 + t, 1 - t))


@means(np.kaiser, unasked=True)
def kaiser(M, beta):
    M = integer(M, "it is a length")
    beta = np.multiply(beta, 1.0).astype(float)
    return window(M, lambda t: np.i0(beta * np.sqrt(np.maximum(1.0 - t ** 2, 0.0))) / np.i0(beta))
