"""Eigenvalues of symmetric matrices as scipy.linalg.eigh gives them, and those of two.  Derivatives: J. de Leeuw,
"Derivatives of generalized eigen systems with applications" (2007), section 3.  Imported with `scipy_linalg`."""
from scipy import linalg as sl

from gradscribe.runtime.plain import lapack

from .factors import EIGENVALUES, gaps, of_columns, row
from .linalg import half, symmetric
from .registry import form
from .triangular import plus


def _one_kernel(a, w, v):
    return lapack.scipys_eigh(a, w, v)


def _one_tangent(w, v, a, da):
    moved = symmetric(da) @ v
    return of_columns(v * moved), v @ (gaps(w) * (v.mT @ moved))


def _one_cotangent(g_w, g_v, w, v, a):
    return both_halves(brought_back(g_w, g_v, w, v))


def both_halves(s):
    """A cotangent of a symmetric matrix, for the half that is read."""
    return half(s + s.mT)


def brought_back(g_w, g_v, w, v, times=None):
    """v @ m @ v.T of the cotangent m of v.T @ da @ v; of m * row(times) where that is given."""
    m = None if g_v is None else gaps(w) * (v.mT @ g_v)
    if times is not None:
        g_w, m = None if g_w is None else g_w * times, None if m is None else m * row(times)
    return plus(None if g_w is None else (v * row(g_w)) @ v.mT, None if m is None else v @ m @ v.mT)


one = form(sl.eigh, "(m,m)->(m),(m,m)", "(one matrix)", kernel=_one_kernel, stacked=False, fails=EIGENVALUES,
           tangent=_one_tangent, cotangent=_one_cotangent)


def _two_kernel(a, b, w, v):
    return lapack.general_eigh(a, b, w, v)


def _two_tangent(w, v, a, b, da, db):
    """Of v.T @ a @ v = diag(w) and v.T @ b @ v = 1."""
    of_a, of_b = [None if d is None else symmetric(d) @ v for d in (da, db)]
    change = plus(None if of_a is None else of_a, None if of_b is None else -(of_b * row(w)))
    dv = v @ (gaps(w) * (v.mT @ change))
    return of_columns(v * change), dv if of_b is None else dv - v * row(0.5 * of_columns(v * of_b))


def _two_cotangent(g_w, g_v, w, v, a, b):
    of_length = None if g_v is None else (v * row(0.5 * of_columns(v * g_v))) @ v.mT
    return (both_halves(brought_back(g_w, g_v, w, v)),
            -both_halves(plus(brought_back(g_w, g_v, w, v, w), of_length)))


two = form(sl.eigh, "(m,m),(m,m)->(m),(m,m)", "(two matrices)", kernel=_two_kernel, stacked=False, fails=EIGENVALUES,
           tangent=_two_tangent, cotangent=_two_cotangent)
