"""Factorisations of matrices: eigh, svd, qr, least squares, pinv.  Where a function has other shapes for tall and wide
matrices there is an operation for each (`decompositions` has the functions that choose).

Derivatives: of eigenvalues and singular values M. Giles, "Collected matrix derivative results for forward and reverse
mode algorithmic differentiation" (2008), 3.1 and 3.2, of singular vectors J. Townsend, "Differentiating the singular
value decomposition" (2016), of QR M. Seeger et al., "Auto-differentiating linear algebra" (2017), 3.2, of the pseudo
inverse G. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems" (1973).
Where eigenvalues or singular values are equal their vectors have no derivative: it is infinite or nan.
"""
import numpy as np

from gradscribe import runtime as rt
from gradscribe.runtime import lapack

from ..errors import UnsupportedError
from .linalg import half, solve
from .registry import form, host
from .triangular import plus

EIGENVALUES = ((np.linalg.LinAlgError, "Eigenvalues did not converge"),)
SINGULAR_VALUES = ((np.linalg.LinAlgError, "SVD did not converge"),)
LEAST_SQUARES = ((np.linalg.LinAlgError, "SVD did not converge in Linear Least Squares"),)


def row(s):
    """A number for each column of a matrix."""
    return s[..., None, :]


def column(s):
    """A number for each row of a matrix."""
    return s[..., :, None]


def of_columns(x):
    """The sum of each column."""
    return np.sum(x, axis=(x.ndim - 2,), keepdims=False)


def of_rows(x):
    return np.sum(x, axis=(x.ndim - 1,), keepdims=False)


def symmetric(da):
    """A change of a symmetric matrix, of which the lower half is read."""
    lower = half(da)
    return lower + lower.mT


# differences of eigenvalues -----------------------------------------------------------------------------
def _gaps_kernel(w, y):
    n = w.shape[0]
    for i in range(n):
        for j in range(n):
            y[i, j] = w.dtype.type(0) if i == j else w.dtype.type(1) / (w[j] - w[i])
    return 0


def _gaps_cotangent(g, y, w):
    moved = g * y * y
    return of_rows(moved) - of_columns(moved)


gaps = host(rt.gaps, "(m)->(m,m)", kernel=_gaps_kernel, tangent=lambda y, w, dw: -(y * y * (row(dw) - column(dw))),
            cotangent=_gaps_cotangent, complex=True)


# eigenvalues of symmetric matrices ----------------------------------------------------------------------
def _eigh_kernel(a, w, v):
    return lapack.eigh(a, w, v)


def _eigh_tangent(w, v, a, da):
    p = v.mT @ symmetric(da) @ v
    return of_columns(v * (symmetric(da) @ v)), v @ (gaps(w) * p)


def _eigh_cotangent(g_w, g_v, w, v, a):
    s = plus(None if g_w is None else (v * row(g_w)) @ v.mT,
             None if g_v is None else v @ (gaps(w) * (v.mT @ g_v)) @ v.mT)
    return half(s + s.mT)


eigh = host(np.linalg.eigh, "(m,m)->(m),(m,m)", kernel=_eigh_kernel, fails=EIGENVALUES,
            several=type(np.linalg.eigh(np.eye(1))), tangent=_eigh_tangent, cotangent=_eigh_cotangent)


def _eigvalsh_kernel(a, w):
    return lapack.eigvalsh(a, w)


def _eigvalsh_tangent(w, a, da):
    v = eigh(a)[1]
    return of_columns(v * (symmetric(da) @ v))


def _eigvalsh_cotangent(g, w, a):
    v = eigh(a)[1]
    s = (v * row(g)) @ v.mT
    return half(s + s.mT)


eigvalsh = host(np.linalg.eigvalsh, "(m,m)->(m)", kernel=_eigvalsh_kernel, fails=EIGENVALUES,
                tangent=_eigvalsh_tangent, cotangent=_eigvalsh_cotangent)


# singular values ----------------------------------------------------------------------------------------
def _svd_kernel(a, u, s, vt):
    return lapack.thin_svd(a, u, s, vt)


def is_square(a) -> bool:
    return a.type.dims[-1] == a.type.dims[-2]


def _svd_tangent(u, s, vt, a, da):
    p = u.mT @ da @ vt.mT
    g = gaps(s * s)
    du = u @ (g * (p * row(s) + column(s) * p.mT))
    dv = vt.mT @ (g * (column(s) * p + p.mT * row(s)))
    if not is_square(a):
        du, dv = _outside(u, s, vt, da, du, dv)
    return du, of_columns(u * (da @ vt.mT)), dv.mT


def _outside(u, s, vt, da, du, dv):
    """The parts of changes that are at right angles to all columns of u, or of v."""
    if is_square(vt):
        left = da @ vt.mT / row(s)
        return du + left - u @ (u.mT @ left), dv
    right = da.mT @ u / row(s)
    return du, dv + right - vt.mT @ (vt @ right)


def _svd_cotangent(g_u, g_s, g_vt, u, s, vt, a):
    parts = []
    if g_u is not None:
        x = u.mT @ g_u
        parts.append(u @ (gaps(s * s) * (x - x.mT) * row(s)) @ vt)
        if not is_square(a) and is_square(vt):
            parts.append((g_u - u @ x) / row(s) @ vt)
    if g_vt is not None:
        x = vt @ g_vt.mT
        parts.append(u @ (column(s) * (gaps(s * s) * (x - x.mT))) @ vt)
        if not is_square(a) and is_square(u):
            parts.append(u / row(s) @ (g_vt - x.mT @ vt))
    if g_s is not None:
        parts.append((u * row(g_s)) @ vt)
    return plus(*parts)


SVD = dict(fixed={"full_matrices": False}, kernel=_svd_kernel, fails=SINGULAR_VALUES, tangent=_svd_tangent,
           cotangent=_svd_cotangent, several=type(np.linalg.svd(np.eye(1))))
svd_tall = form(np.linalg.svd, "(m,n)->(m,n),(n),(n,n)", "(tall)", **SVD)
svd_wide = form(np.linalg.svd, "(m,n)->(m,m),(m),(m,n)", "(wide)", **SVD)


def _refused():
    raise UnsupportedError(None, "the derivative of all singular vectors of a matrix that is not square, of which some "
                                 "are anything at right angles to the others", instead="Write full_matrices=False.")


def _full_tangent(u, s, vt, a, da):
    return _refused()


def _full_cotangent(g_u, g_s, g_vt, u, s, vt, a):
    return _refused() if g_u is not None or g_vt is not None else _svdvals_cotangent(g_s, s, a)


FULL = SVD | dict(fixed={}, tangent=_full_tangent, cotangent=_full_cotangent)
svd_full_tall = form(np.linalg.svd, "(m,n)->(m,m),(n),(n,n)", "(tall, all of u)", **FULL)
svd_full_wide = form(np.linalg.svd, "(m,n)->(m,m),(m),(n,n)", "(wide, all of v)", **FULL)


def _svdvals_kernel(a, s):
    return lapack.svdvals(a, s)


def thin(s, a):
    """The singular vectors of a matrix with these singular values."""
    return (svd_tall if s.type.dims[-1] == a.type.dims[-1] else svd_wide)(a)


def _svdvals_tangent(s, a, da):
    u, _, vt = thin(s, a)
    return of_columns(u * (da @ vt.mT))


def _svdvals_cotangent(g, s, a):
    u, _, vt = thin(s, a)
    return (u * row(g)) @ vt


VALUES = dict(fixed={"compute_uv": False}, kernel=_svdvals_kernel, fails=SINGULAR_VALUES, tangent=_svdvals_tangent,
              cotangent=_svdvals_cotangent)
svdvals_tall = form(np.linalg.svd, "(m,n)->(n)", "(tall, values)", **VALUES)
svdvals_wide = form(np.linalg.svd, "(m,n)->(m)", "(wide, values)", **VALUES)


# QR -----------------------------------------------------------------------------------------------------
def _qr_kernel(a, q, r):
    return lapack.qr(a, q, r)


def _right_solved(x, r):
    """x @ r^-1"""
    return solve(r.mT, x.mT).mT


def _qr_tangent(q, r, a, da):
    x = _right_solved(da, r)
    inner = q.mT @ x
    lower = half(inner)
    turned = lower - lower.mT
    return q @ (turned - inner) + x, (inner - turned) @ r


def _qr_cotangent(g_q, g_r, q, r, a):
    m = plus(None if g_r is None else r @ g_r.mT, None if g_q is None else -(g_q.mT @ q))
    lower = half(m)
    return _right_solved(plus(g_q, q @ (lower + lower.mT)), r.mT)


qr_tall = form(np.linalg.qr, "(m,n)->(m,n),(n,n)", "(tall)", kernel=_qr_kernel, tangent=_qr_tangent,
               cotangent=_qr_cotangent, several=type(np.linalg.qr(np.eye(1))))


def _orthogonal_refused(*args):
    raise UnsupportedError(None, "the derivative of np.linalg.qr with mode='complete' of a tall matrix, of which some "
                                 "columns are anything at right angles to the others", instead="Write mode='reduced'.")


qr_complete = form(np.linalg.qr, "(m,n)->(m,m),(m,n)", "(tall, all of q)", fixed={"mode": "complete"}, kernel=None,
                   tangent=_orthogonal_refused, cotangent=_orthogonal_refused, several=type(np.linalg.qr(np.eye(1))))


# least squares ------------------------------------------------------------------------------------------
def _pinv_kernel(a, y):
    m, n = a.shape
    k = min(m, n)
    u, s, vt = np.empty((m, k), a.dtype), np.empty(k, a.dtype), np.empty((k, n), a.dtype)
    failed = lapack.thin_svd(a, u, s, vt)
    limit = a.dtype.type(0) if k == 0 else a.dtype.type(1e-15) * s[0]
    for i in range(n):
        for j in range(m):
            total = a.dtype.type(0)
            for c in range(k):
                total += vt[c, i] * (u[j, c] * (a.dtype.type(1) / s[c] if s[c] > limit else a.dtype.type(0)))
            y[i, j] = total
    return failed


def _pinv_tangent(y, a, da):
    outer = da.mT @ (y.mT @ y)
    inner = y @ y.mT @ da.mT
    return -(y @ da @ y) + inner - inner @ a @ y + outer - y @ (a @ outer)


def _pinv_cotangent(g, y, a):
    left, right = g.mT @ (y @ y.mT), y.mT @ y @ g.mT
    return -(y.mT @ g @ y.mT) + left - a @ (y @ left) + right - right @ y @ a


pinv = host(np.linalg.pinv, "(m,n)->(n,m)", kernel=_pinv_kernel, fails=SINGULAR_VALUES, tangent=_pinv_tangent,
            cotangent=_pinv_cotangent)


def _lstsq_tangent(x, s, rank, a, b, da, db):
    y = pinv(a)
    if da is None:
        return y @ db, None, None
    outer = da.mT @ (y.mT @ x)
    change = y @ (y.mT @ (da.mT @ (b - a @ x))) - y @ (da @ x) + outer - y @ (a @ outer)
    return change if db is None else change + y @ db, _svdvals_tangent(s, a, da), None


def _lstsq_cotangent(g, g_s, g_rank, x, s, rank, a, b):
    of_values = None if g_s is None else _svdvals_cotangent(g_s, s, a)
    if g is None:
        return of_values, None
    y = pinv(a)
    b_bar = y.mT @ g
    outer = y.mT @ x @ g.mT
    a_bar = (b - a @ x) @ (y @ b_bar).mT - b_bar @ x.mT + outer - outer @ y @ a
    return plus(a_bar, of_values), b_bar


def _lstsq_kernel(a, b, x, s, rank):
    return lapack.least_squares(a, b, x, s, rank)


LSTSQ = dict(kernel=_lstsq_kernel, fails=LEAST_SQUARES, stacked=False, tangent=_lstsq_tangent,
             cotangent=_lstsq_cotangent)
lstsq_tall = form(rt.least_squares, "(m,n),(m,k)->(n,k),(n),()", "(tall)", **LSTSQ)
lstsq_wide = form(rt.least_squares, "(m,n),(m,k)->(n,k),(m),()", "(wide)", **LSTSQ)
