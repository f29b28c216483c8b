"""Functions of matrices, or of stacks of them, that derivatives call."""
import numpy as np

from . import lapack


def cofactors(a):
    """The derivative of np.linalg.det: det(a) times the inverse of a, transposed, where that exists and is accurate.

    Where it is not, a = u diag(s) v, and they are det(u) det(v) conj(u) diag(the product of the other s) conj(v),
    which needs no division.
    """
    with np.errstate(all="ignore"):
        det, limits = np.linalg.det(a)[..., None, None], np.finfo(a.dtype)
        regular = (limits.tiny < abs(det)) & (abs(det) < np.inf)
        inverse = np.linalg.inv(np.where(regular, a, np.eye(a.shape[-1], dtype=a.dtype)))
        y = np.multiply(det, inverse.mT, order="C")
        size = [abs(x).sum(axis=-1, keepdims=True).max(axis=-2, keepdims=True, initial=0) for x in (a, inverse.mT)]
        doubtful = ~(regular & (size[0] * size[1] * limits.eps ** 0.5 < 1))
    if doubtful.any():
        places = doubtful[..., 0, 0]
        y[places] = _cofactors_of_any(a[places])
    return y


def _cofactors_of_any(a):
    finite = np.isfinite(a).all(axis=(-2, -1), keepdims=True)
    with np.errstate(all="ignore"):
        u, s, v = np.linalg.svd(np.where(finite, a, 1))
        others = np.prod(np.where(np.eye(a.shape[-1], dtype=bool), 1, s[..., None, :]), axis=-1)
        y = (u.conj() * (others * (np.linalg.det(u) * np.linalg.det(v))[..., None])[..., None, :]) @ v.conj()
    return np.where(finite, y, a.dtype.type(np.nan))


def cofactors_slope(a, da):
    """The change of the cofactors of a matrix a that changes by da, and of stacks of them; else not-a-number."""
    a, da = np.broadcast_arrays(a, da)
    y = np.empty(a.shape, a.dtype)
    for place in np.ndindex(a.shape[:-2]):
        with np.errstate(all="ignore"):
            if lapack.cofactors_slope(a[place], da[place], y[place]):
                y[place] = np.nan
    return y


def inverse(a):
    """np.linalg.inv, of singular matrices not-a-number."""
    with np.errstate(all="ignore"):
        try:
            return np.linalg.inv(a)
        except np.linalg.LinAlgError:
            if a.ndim == 2:
                return np.full(a.shape, np.nan, a.dtype)
            return np.stack([inverse(x) for x in a])


def lower_half(a):
    """The lower triangle of a, with half of its diagonal."""
    return np.tril(a) * (1 - np.eye(a.shape[-1], dtype=a.real.dtype) / 2)


def gaps(w):
    """1 / (w[j] - w[i]) for each pair of numbers; 0 for one with itself."""
    with np.errstate(all="ignore"):
        one = np.eye(w.shape[-1], dtype=bool)
        apart = np.where(one, w.dtype.type(1), w[..., None, :] - w[..., :, None])
        return np.ascontiguousarray(np.where(one, w.dtype.type(0), 1 / apart))


def least_squares(a, b):
    """What makes a @ x - b least, and of several the smallest; the singular values of a, and how many count."""
    x, _, rank, s = np.linalg.lstsq(a, b, rcond=None)
    return x, s, rank


def eig_of_real(a):
    """np.linalg.eig of real matrices, whose result is complex also where all eigenvalues are real."""
    w, v = np.linalg.eig(a)
    wide = np.result_type(a.dtype, np.complex64)
    return w.astype(wide), v.astype(wide)


def eigvals_of_real(a):
    return np.linalg.eigvals(a).astype(np.result_type(a.dtype, np.complex64))
