"""Polynomials, by their coefficients from the highest power on; windows."""
import numpy as np

from .registry import at_least, known, means, refuse
from .shapes import element, whole


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


@means(np.polyadd, unasked=True)
def polyadd(a1, a2):
    a, b = as_long(a1, a2)
    return a + b


@means(np.polysub, unasked=True)
def polysub(a1, a2):
    a, b = as_long(a1, a2)
    return a - b


def without_zeros(p):
    """The coefficients from the first that is not 0 on."""
    p = vector(p)
    some = np.flatnonzero(p != 0)
    first = some[0] if len(some) > 0 else len(p) - 1
    return p[np.arange(first, len(p))]


@means(np.polymul, unasked=True)
def polymul(a1, a2):
    return np.convolve(without_zeros(a1), without_zeros(a2))


@means(np.polyder, unasked=True)
def polyder(p, m=1):
    if np.ndim(p) == 0:
        refuse("a polynomial that is one number", "Give a list.")
    p, m = vector(p), whole(m, "it says how often")
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    for _ in range(m):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


@means(np.polyint, unasked=True)
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
    some = np.flatnonzero(np.abs(r) > 1e-8)
    return q, r[np.arange(some[0] if len(some) > 0 else len(r) - 1, len(r))]


@means(np.poly, unasked=True)
def poly(seq_of_zeros):
    zeros = np.asarray(seq_of_zeros)
    if zeros.ndim != 1 or not at_least(len(zeros), 1):
        refuse("np.poly of what is no vector of zeros: of a matrix it needs eigenvalues", "Give a vector of zeros.")
    zeros = zeros * 1.0
    a = np.ones(1, zeros.dtype)
    for k in range(known(len(zeros), "it is the degree")):
        a = np.concatenate([a, np.zeros(1, a.dtype)]) - np.concatenate([np.zeros(1, a.dtype), a * zeros[k]])
    return a


# windows -------------------------------------------------------------------------------------------------
def window(M, of_one):
    """What a window of M places is: (how many, the places from -1 to 1)"""
    m = known(M, "it is a length")
    if m < 1:
        return np.zeros(0)
    if m == 1:
        return np.ones(1)
    return of_one(np.arange(1 - m, m, 2) / (m - 1))


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
