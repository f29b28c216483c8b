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
