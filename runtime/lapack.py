"""LAPACK for kernels of compiled text: one example, floats of one dtype, in any memory order.  Plain NumPy here; the
compiled forms are in `native_lapack`.  What LAPACK stores into is a copy; the number that a function gives
is 1 where LAPACK has failed, else 0."""
import numpy as np


def _done(function, *args) -> int:
    with np.errstate(all="ignore"):
        try:
            function(*args)
        except np.linalg.LinAlgError:
            return 1
    return 0


def _into(outs, results):
    for out, result in zip(outs, results, strict=True):
        out[...] = result


def solve(a, b, x):
    """x[...] = the solution of a @ x == b, for a matrix b."""
    return _done(lambda: _into([x], [np.linalg.solve(a, b)]))


def slogdet(a):
    """(sign, logarithm of the absolute value) of the determinant."""
    with np.errstate(all="ignore"):
        return np.linalg.slogdet(a)


def cholesky(a, lower):
    """lower[...] = the lower triangular matrix with lower @ lower.T == a, of which only the lower half is read."""
    return _done(lambda: _into([lower], [np.linalg.cholesky(a)]))


def svd(a, u, s, vt):
    """u @ diag(s) @ vt == a, for a square matrix."""
    return _done(lambda: _into([u, s, vt], np.linalg.svd(a)))


def eigh(a, w, v):
    """a @ v == v * w, where a is symmetric: only its lower half is read."""
    return _done(lambda: _into([w, v], np.linalg.eigh(a)))


def eigvalsh(a, w):
    return _done(lambda: _into([w], [np.linalg.eigvalsh(a)]))


def thin_svd(a, u, s, vt):
    """u @ diag(s) @ vt == a, with as many columns of u and rows of vt as they have."""
    return _done(lambda: _into([u, s, vt], np.linalg.svd(a, full_matrices=u.shape[1] > s.shape[0]
                                                         or vt.shape[0] > s.shape[0])))


def svdvals(a, s):
    return _done(lambda: _into([s], [np.linalg.svd(a, compute_uv=False)]))


def qr(a, q, r):
    """q @ r == a, which has as many rows as columns or more."""
    return _done(lambda: _into([q, r], np.linalg.qr(a)))


def least_squares(a, b, x, s, rank):
    """x[...] = what makes a @ x - b least, and of several the smallest; the singular values, and how many count."""
    def found():
        solution, _, count, values = np.linalg.lstsq(a, b, rcond=None)
        return solution, values, count
    return _done(lambda: _into([x, s, rank], found()))
