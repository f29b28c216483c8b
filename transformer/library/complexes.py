"""Complex numbers: their argument, and which of them are real."""
import numpy as np

from .registry import ensure, known, means


@means(np.angle, complex=True)
def angle(z, deg=False):
    z = np.asarray(z)
    turned = np.arctan2(np.imag(z), np.real(z))
    return turned * (180 / np.pi) if deg else turned


@means(np.iscomplex, complex=True)
def iscomplex(x):
    return np.imag(np.asarray(x)) != 0


@means(np.isreal, complex=True)
def isreal(x):
    return np.imag(x) == 0


@means(np.real_if_close, unasked=True, complex=True)
def real_if_close(a, tol=100):
    """The real parts, of what is as close as it says."""
    a, tol = np.asarray(a), known(tol, "it says what is close")
    if a.dtype.kind != "c":
        return a
    ensure(np.all(np.abs(a.imag) < (np.finfo(a.dtype).eps * tol if tol > 1 else tol)),
           "np.real_if_close of numbers that are not close, where NumPy's result is complex: write np.real(z), or z")
    return a.real
