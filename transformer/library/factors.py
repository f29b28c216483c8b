"""Factorisations of matrices: eigh, svd, qr, least squares, pinv.  Where a function has other shapes for tall and wide
matrices there is an operation for each (`decompositions` has the functions that choose).

Derivatives: of eigenvalues and singular values M. Giles, "Collected matrix derivative results for forward and reverse
mode algorithmic differentiation" (2008), 3.1 and 3.2, of singular vectors J. Townsend, "Differentiating the singular
value decomposition" (2016), of QR M. Seeger et al., "Auto-differentiating linear algebra" (2017), 3.2, of the pseudo
inverse G. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems" (1973).
Where eigenvalues or singular values are equal their vectors have no derivative: it is infinite or nan.

The formulas are those of complex matrices, as in `linalg`.  There a vector may be multiplied by any number of absolute
value 1.  The derivative is that of eigenvectors of which none moves along itself, which what does not depend on these
numbers has alike (Z.-Q. Wan and S.-X. Zhang, "Automatic differentiation for complex valued SVD", 2019); of a pair of
singular vectors the left one turns, as in JAX.
"""
import numpy as np

from gradscribe import runtime as rt
from gradscribe.runtime.plain import lapack

from ..errors.messages import UnsupportedError
from .linalg import conj, half, mH, solve, symmetric
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
    return lapack.eigh(a, w, v, False)


def _eigh_tangent(w, v, a, da):
    p = mH(v) @ symmetric(da) @ v
    return of_columns(conj(v) * (symmetric(da) @ v)), v @ (gaps(w) * p)


def _eigh_cotangent(g_w, g_v, w, v, a):
    s = plus(None if g_w is None else (conj(v) * row(g_w)) @ v.mT,
             None if g_v is None else conj(v) @ (gaps(w) * (v.mT @ g_v)) @ v.mT)
    return half(s + mH(s))


EIGH = dict(fails=EIGENVALUES, several=type(np.linalg.eigh(np.eye(1))), complex=True)
eigh = host(np.linalg.eigh, "(m,m)->(m),(m,m)", kernel=_eigh_kernel, tangent=_eigh_tangent, cotangent=_eigh_cotangent,
            **EIGH)


def _eigh_upper_kernel(a, w, v):
    return lapack.eigh(a, w, v, True)


# LAPACK gives other signs of the vectors than of the lower half of the transpose
eigh_upper = form(np.linalg.eigh, "(m,m)->(m),(m,m)", "(upper half)", fixed={"UPLO": "U"}, kernel=_eigh_upper_kernel,
                  tangent=lambda w, v, a, da: _eigh_tangent(w, v, a, mH(da)),
                  cotangent=lambda g_w, g_v, w, v, a: mH(_eigh_cotangent(g_w, g_v, w, v, a)), **EIGH)


def _eigvalsh_kernel(a, w):
    return lapack.eigvalsh(a, w)


def _eigvalsh_tangent(w, a, da):
    v = eigh(a)[1]
    return of_columns(conj(v) * (symmetric(da) @ v))


def _eigvalsh_cotangent(g, w, a):
    v = eigh(a)[1]
    s = (conj(v) * row(g)) @ v.mT
    return half(s + mH(s))


eigvalsh = host(np.linalg.eigvalsh, "(m,m)->(m)", kernel=_eigvalsh_kernel, fails=EIGENVALUES,
                tangent=_eigvalsh_tangent, cotangent=_eigvalsh_cotangent, complex=True)


# singular values ----------------------------------------------------------------------------------------
def _svd_kernel(a, u, s, vt):
    return lapack.thin_svd(a, u, s, vt)


def is_square(a) -> bool:
    return a.type.dims[-1] == a.type.dims[-2]


def _svd_tangent(u, s, vt, a, da):
    p = mH(u) @ da @ mH(vt)
    g = gaps(s * s)
    du = u @ (g * (p * row(s) + column(s) * mH(p)))
    dv = mH(vt) @ (g * (column(s) * p + mH(p) * row(s)))
    if not is_square(a):
        du, dv = _outside(u, s, vt, da, du, dv)
    ds = of_columns(conj(u) * (da @ mH(vt)))
    if a.type.dtype.kind == "c":
        du = du + u * row(np.imag(ds) / s * 1j)
    return du, ds, mH(dv)


def _outside(u, s, vt, da, du, dv):
    """The parts of changes that are at right angles to all columns of u, or of v."""
    if is_square(vt):
        left = da @ mH(vt) / row(s)
        return du + left - u @ (mH(u) @ left), dv
    right = mH(da) @ u / row(s)
    return du, dv + right - mH(vt) @ (vt @ right)


def _svd_cotangent(g_u, g_s, g_vt, u, s, vt, a):
    parts, left, right = [], conj(u), conj(vt)
    if g_u is not None:
        x = u.mT @ g_u
        parts.append(left @ (gaps(s * s) * (x - mH(x)) * row(s)) @ right)
        if a.type.dtype.kind == "c":
            parts.append((left * row(np.imag(of_columns(u * g_u)) / s * 1j)) @ right)
        if not is_square(a) and is_square(vt):
            parts.append((g_u - left @ x) / row(s) @ right)
    if g_vt is not None:
        x = vt @ g_vt.mT
        parts.append(left @ (column(s) * (gaps(s * s) * (conj(x) - x.mT))) @ right)
        if not is_square(a) and is_square(u):
            parts.append(left / row(s) @ (g_vt - x.mT @ right))
    if g_s is not None:
        parts.append((left * row(g_s)) @ right)
    return plus(*parts)


SVD = dict(fixed={"full_matrices": False}, kernel=_svd_kernel, fails=SINGULAR_VALUES, tangent=_svd_tangent,
           cotangent=_svd_cotangent, several=type(np.linalg.svd(np.eye(1))), complex=True)
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
    return of_columns(conj(u) * (da @ mH(vt)))


def _svdvals_cotangent(g, s, a):
    u, _, vt = thin(s, a)
    return (conj(u) * row(g)) @ conj(vt)


VALUES = dict(fixed={"compute_uv": False}, kernel=_svdvals_kernel, fails=SINGULAR_VALUES, tangent=_svdvals_tangent,
              cotangent=_svdvals_cotangent, complex=True)
svdvals_tall = form(np.linalg.svd, "(m,n)->(n)", "(tall, values)", **VALUES)
svdvals_wide = form(np.linalg.svd, "(m,n)->(m)", "(wide, values)", **VALUES)


# QR -----------------------------------------------------------------------------------------------------
def _qr_kernel(a, q, r):
    return lapack.qr(a, q, r)


def _right_solved(x, r):
    """x @ r^-1"""
    return solve(r.mT, x.mT).mT


def _qr_tangent(q, r, a, da):
    """LAPACK's r has real numbers on its diagonal, so that what turns the columns of q is known."""
    x = _right_solved(da, r)
    inner = mH(q) @ x
    lower = half(inner)
    turned = lower - mH(lower)
    return q @ (turned - inner) + x, (inner - turned) @ r


def _qr_cotangent(g_q, g_r, q, r, a):
    m = plus(None if g_r is None else r @ g_r.mT, None if g_q is None else -(g_q.mT @ q))
    lower = half(m)
    return _right_solved(plus(g_q, conj(q) @ (conj(lower) + lower.mT)), r.mT)


qr_tall = form(np.linalg.qr, "(m,n)->(m,n),(n,n)", "(tall)", kernel=_qr_kernel, tangent=_qr_tangent, complex=True,
               cotangent=_qr_cotangent, several=type(np.linalg.qr(np.eye(1))))


def _orthogonal_refused(*args):
    raise UnsupportedError(None, "the derivative of np.linalg.qr with mode='complete' of a tall matrix, of which some "
                                 "columns are anything at right angles to the others", instead="Write mode='reduced'.")


qr_complete = form(np.linalg.qr, "(m,n)->(m,m),(m,n)", "(tall, all of q)", fixed={"mode": "complete"}, kernel=None,
                   tangent=_orthogonal_refused, cotangent=_orthogonal_refused, several=type(np.linalg.qr(np.eye(1))),
                   complex=True)


# least squares ------------------------------------------------------------------------------------------
def _pinv_kernel(a, y):
    m, n = a.shape
    k = min(m, n)
    u, s, vt = np.empty((m, k), a.dtype), np.empty(k, a.real.dtype), np.empty((k, n), a.dtype)
    failed = lapack.thin_svd(a, u, s, vt)
    limit = s.dtype.type(0) if k == 0 else s.dtype.type(1e-15) * s[0]
    for i in range(n):
        for j in range(m):
            total = a.dtype.type(0)
            for c in range(k):
                share = np.conj(u[j, c]) * (s.dtype.type(1) / s[c] if s[c] > limit else s.dtype.type(0))
                total += np.conj(vt[c, i]) * share
            y[i, j] = total
    return failed


def _pinv_tangent(y, a, da):
    outer = mH(da) @ (mH(y) @ y)
    inner = y @ mH(y) @ mH(da)
    return -(y @ da @ y) + inner - inner @ a @ y + outer - y @ (a @ outer)


def _pinv_cotangent(g, y, a):
    left, right = mH(g) @ (conj(y) @ y.mT), y.mT @ conj(y) @ mH(g)
    return -(y.mT @ g @ y.mT) + left - conj(a) @ (conj(y) @ left) + right - right @ conj(y) @ conj(a)


pinv = host(np.linalg.pinv, "(m,n)->(n,m)", kernel=_pinv_kernel, fails=SINGULAR_VALUES, tangent=_pinv_tangent,
            cotangent=_pinv_cotangent, complex=True)


def _lstsq_tangent(x, s, rank, a, b, da, db):
    y = pinv(a)
    if da is None:
        return y @ db, None, None
    outer = mH(da) @ (mH(y) @ x)
    change = y @ (mH(y) @ (mH(da) @ (b - a @ x))) - y @ (da @ x) + outer - y @ (a @ outer)
    return change if db is None else change + y @ db, _svdvals_tangent(s, a, da), None


def _lstsq_cotangent(g, g_s, g_rank, x, s, rank, a, b):
    of_values = None if g_s is None else _svdvals_cotangent(g_s, s, a)
    if g is None:
        return of_values, None
    y = pinv(a)
    b_bar = y.mT @ g
    outer = y.mT @ conj(x) @ mH(g)
    a_bar = conj(b - a @ x) @ (y @ conj(b_bar)).mT - b_bar @ x.mT + outer - outer @ conj(y) @ conj(a)
    return plus(a_bar, of_values), b_bar


def _lstsq_kernel(a, b, x, s, rank):
    return lapack.least_squares(a, b, x, s, rank)


LSTSQ = dict(kernel=_lstsq_kernel, fails=LEAST_SQUARES, stacked=False, tangent=_lstsq_tangent,
             cotangent=_lstsq_cotangent, complex=True)
lstsq_tall = form(rt.least_squares, "(m,n),(m,k)->(n,k),(n),()", "(tall)", **LSTSQ)
lstsq_wide = form(rt.least_squares, "(m,n),(m,k)->(n,k),(m),()", "(wide)", **LSTSQ)
