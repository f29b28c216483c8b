"""np.linalg: what LAPACK computes.  Derivatives are those of M. Giles, "An extended collection of matrix derivative
results for forward and reverse mode algorithmic differentiation" (2008); numbers of sections are of that report.

The formulas are those of complex matrices.  A cotangent g of y says that the loss moves by Re(sum(g * dy)), so that the
cotangent of a in y = p @ a @ q is p.mT @ g @ q.mT, and in y = mH(a) it is mH(g).  Of real numbers conj(x) is x.
"""
import numpy as np

from gradscribe import runtime as rt
from gradscribe.runtime.plain import lapack

from ..core import Const
from ..rules.host import larger_stack
from .registry import form, host
from .triangular import plus, solve_lower, solve_upper

SINGULAR = ((np.linalg.LinAlgError, "Singular matrix"),)


def conj(x):
    """The complex conjugate in a formula: of real numbers nothing is computed."""
    return np.conjugate(x) if x.type.dtype.kind == "c" else x


def mH(x):
    """The last two axes exchanged, and conjugated."""
    return conj(x).mT


# factors that several systems have in common ------------------------------------------------------------
def _factorise_kernel(a, factors, exchanged):
    return lapack.factorise(a, factors, exchanged)


def _substitute_kernel(factors, exchanged, b, x):
    return lapack.substitute(factors, exchanged, lapack.columns(b), lapack.columns(x), False)


def _substitute_transposed_kernel(factors, exchanged, b, x):
    return lapack.substitute(factors, exchanged, lapack.columns(b), lapack.columns(x), True)


def of_factors(factors, exchanged, b):
    return "(m,m),(m),(m)->(m)" if b.rank == 1 else "(m,m),(m),(m,n)->(m,n)"


factorise = host(rt.factorise, "(m,m)->(m,m),(m)", kernel=_factorise_kernel, complex=True)
substitute = host(rt.substitute, of_factors, kernel=_substitute_kernel, fails=SINGULAR, complex=True)
substitute_transposed = form(rt.substitute, of_factors, "(transposed)", fixed={"transposed": True},
                             kernel=_substitute_transposed_kernel, fails=SINGULAR, complex=True)


# solve --------------------------------------------------------------------------------------------------
def _solve_kernel(a, b, x):
    return lapack.solve(a, lapack.columns(b), lapack.columns(x))


def _solve_tangent(x, a, b, da, db):
    """dx = a^-1 (db - da x)   (2.3.1)"""
    if da is None:
        return solve(a, db)
    if b.ndim > 1 or x.ndim == 1:
        return solve(a, -(da @ x) if db is None else db - da @ x)
    change = (da @ x[..., None])[..., 0]  # a vector for each matrix of a stack
    return solve(a, (-change if db is None else db - change)[..., None])[..., 0]


def _solve_cotangent(g, x, a, b):
    """b_bar = a^-T g, a_bar = -b_bar x^T   (2.3.1)"""
    if b.ndim == 1 and a.ndim > 2:
        b_bar = solve(a.mT, g[..., None])
        return -(b_bar @ x[..., None, :]), b_bar[..., 0]
    b_bar = solve(a.mT, g)
    if b.ndim == 1:
        return -np.outer(b_bar, x), b_bar
    return -(b_bar @ x.mT), b_bar


def _solve_for_all(c):
    """One matrix and a right-hand side for each example is one matrix of right-hand sides, factorised once."""
    (a, b), rank = c.args, c.type(0).rank
    if c.type(1).rank > 1 or not c.batched[1]:
        return larger_stack(c)
    if rank == 2 and not c.batched[0]:
        return c.transposed(c.again(a, c.transposed(b, (1, 0))), (1, 0))
    columns = c.emit("getitem", b, index=(":", *("n",) * (rank - 2), ":", "n"))
    return c.emit("getitem", c.again(a, columns), Const(0), index=(":",) * rank + ("i",))


solve = host(np.linalg.solve, lambda a, b: "solve1: (m,m),(m)->(m)" if b.rank == 1 else "(m,m),(m,n)->(m,n)",
             kernel=_solve_kernel,
             fails=SINGULAR, tangent=_solve_tangent, cotangent=_solve_cotangent, stacked=_solve_for_all,
             parts=(factorise, substitute, substitute_transposed), complex=True)


# inverse ------------------------------------------------------------------------------------------------
def _inv_kernel(a, y):
    return lapack.solve(a, np.eye(a.shape[0], dtype=a.dtype), y)


inv = host(np.linalg.inv, "(m,m)->(m,m)", kernel=_inv_kernel, fails=SINGULAR,
           tangent=lambda y, a, da: -(y @ da @ y),  # (2.2.3)
           cotangent=lambda g, y, a: -(y.mT @ g @ y.mT), complex=True)


def _inverse_kernel(a, y):
    if lapack.solve(a, np.eye(a.shape[0], dtype=a.dtype), y):
        for i in range(a.shape[0]):
            for j in range(a.shape[0]):
                y[i, j] = np.nan
    return 0


# for derivatives of what is there for singular matrices, too: one such of a stack leaves the others theirs
inverse = host(rt.inverse, "(m,m)->(m,m)", kernel=_inverse_kernel, tangent=lambda y, a, da: -(y @ da @ y),
               cotangent=lambda g, y, a: -(y.mT @ g @ y.mT), complex=True)


# determinants -------------------------------------------------------------------------------------------
def spread(g):
    """A number for each matrix of a stack, so that it broadcasts against them."""
    return g if g.ndim == 0 else g[..., None, None]


def total_of(x):
    """The sum over each matrix of a stack."""
    return np.sum(x, axis=(x.ndim - 2, x.ndim - 1), keepdims=False)


def _cofactors_kernel(a, y):
    if lapack.cofactors(a, y) == 0:
        return 0
    n = a.shape[0]
    u, s, vt = np.empty((n, n), a.dtype), np.empty(n, a.real.dtype), np.empty((n, n), a.dtype)
    finite = np.isfinite(a).all()
    if finite:
        finite = lapack.svd(a, u, s, vt) == 0
    sign = a.dtype.type(np.nan)
    if finite:
        of_u, _ = lapack.slogdet(u)
        of_vt, _ = lapack.slogdet(vt)
        sign = of_u * of_vt
    for i in range(n):
        for j in range(n):
            u[i, j], vt[i, j] = np.conj(u[i, j]), np.conj(vt[i, j])
    for k in range(n):
        others = a.dtype.type(sign)
        for j in range(n):
            if j != k:
                others *= s[j]
        for i in range(n):
            u[i, k] *= others
    for i in range(n):
        for j in range(n):
            total = a.dtype.type(0) if finite else a.dtype.type(np.nan)
            for k in range(n):
                total += u[i, k] * vt[k, j]
            y[i, j] = total
    return 0


def _cofactors_slope_kernel(a, da, y):
    if lapack.cofactors_slope(a, da, y):
        for i in range(a.shape[0]):
            for j in range(a.shape[0]):
                y[i, j] = np.nan
    return 0


def _cofactors_curve(a, da, db):
    """How the slope for da changes where a changes by db: it is as the slope for db changes by da."""
    p, y, slope = inverse(a).mT, cofactors(a), cofactors_slope(a, db)
    one, other = p @ da.mT, p @ db.mT
    sums = [np.sum(x * da, axis=(a.ndim - 2, a.ndim - 1), keepdims=True) for x in (p, other @ p)]
    return sums[0] * slope - one @ slope + other @ one @ y - sums[1] * y


# The derivatives of det(a) are polynomials of its elements: the first two are there for all matrices, singular or not
cofactors_slope = host(
    rt.cofactors_slope, "(m,m),(m,m)->(m,m)", kernel=_cofactors_slope_kernel, complex=True,
    tangent=lambda y, a, da, a_dot, da_dot: plus(None if a_dot is None else _cofactors_curve(a, da, a_dot),
                                                 None if da_dot is None else cofactors_slope(a, da_dot)),
    cotangent=lambda g, y, a, da: (_cofactors_curve(a, da, g), cofactors_slope(a, g)))
cofactors = host(rt.cofactors, "(m,m)->(m,m)", kernel=_cofactors_kernel, complex=True,
                 tangent=lambda y, a, da: cofactors_slope(a, da), cotangent=lambda g, y, a: cofactors_slope(a, g))


def _det_kernel(a, y):
    sign, logarithm = lapack.slogdet(a)
    y[0] = sign * np.exp(logarithm)
    return 0


# (2.2.4) has det(a) a^-T, which are the cofactors of a: these are there for singular matrices, too
det = host(np.linalg.det, "(m,m)->()", kernel=_det_kernel,
           tangent=lambda y, a, da: total_of(cofactors(a) * da),
           cotangent=lambda g, y, a: spread(g) * cofactors(a), complex=True)


def _slogdet_tangent(sign, y, a, da):
    """Of the logarithm of the determinant, tr(a^-1 da), the imaginary part is what turns the sign."""
    change = total_of(inverse(a).mT * da)
    return None if sign.type.dtype.kind != "c" else np.imag(change) * 1j * sign, change


def _slogdet_cotangent(g_sign, g, sign, y, a):
    if sign.type.dtype.kind == "c" and g_sign is not None:
        g = plus(g, np.imag(g_sign * sign) * 1j)
    if g is None:
        return None
    return spread(g) * inverse(a).mT


def _slogdet_kernel(a, sign, logarithm):
    sign[0], logarithm[0] = lapack.slogdet(a)
    return 0


slogdet = host(np.linalg.slogdet, "(m,m)->(),()", kernel=_slogdet_kernel, several=type(np.linalg.slogdet(np.eye(1))),
               tangent=_slogdet_tangent, cotangent=_slogdet_cotangent, complex=True)


# Cholesky -----------------------------------------------------------------------------------------------
def _half_kernel(a, y):
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            y[i, j] = a[i, j] if j < i else a[i, j] / 2 if i == j else a.dtype.type(0)
    return 0


half = host(rt.lower_half, "(m,m)->(m,m)", kernel=_half_kernel, tangent=lambda y, a, da: half(da),
            cotangent=lambda g, y, a: half(g), complex=True)


def symmetric(da):
    """A change of a symmetric matrix, or of a Hermitian one, of which the lower half is read."""
    lower = half(da)
    return lower + mH(lower)


def _cholesky_kernel(a, y):
    return lapack.cholesky(a, y, False)


def _cholesky_tangent(y, a, da):
    """dy = y half(y^-1 da y^-H), where da is Hermitian:
    NumPy reads the lower half alone, and takes the upper one to be the same."""
    return y @ half(solve_lower(y, mH(solve_lower(y, symmetric(da)))))


def _cholesky_cotangent(g, y, a):
    s = solve_upper(y.mT, mH(solve_upper(y.mT, half(y.mT @ g))))  # what comes back for the Hermitian a
    return half(s + mH(s))


CHOLESKY = dict(fails=((np.linalg.LinAlgError, "Matrix is not positive definite"),), complex=True)
cholesky = host(np.linalg.cholesky, "(m,m)->(m,m)", kernel=_cholesky_kernel, tangent=_cholesky_tangent,
                cotangent=_cholesky_cotangent, **CHOLESKY)


# what a try block asks before: does the function have a result?
def _has_cholesky_kernel(a, y):
    y[0] = 1 - lapack.cholesky(a, np.empty_like(a), False)
    return 0


def _has_upper_cholesky_kernel(a, y):
    y[0] = 1 - lapack.cholesky(a, np.empty_like(a), True)
    return 0


def _has_pivots_kernel(a, y):
    y[0] = 1
    for k in range(a.shape[0]):
        if a[k, k] == 0:
            y[0] = 0
    return 0


def _has_inverse_kernel(a, y):
    y[0] = 1 - lapack.solve(a, np.eye(a.shape[0], dtype=a.dtype), np.empty_like(a))
    return 0


ASKED = dict(stacked=False, tangent=lambda *_: None, cotangent=lambda *_: None)
has_cholesky = host(rt.has_cholesky, "(m,m)->()", kernel=_has_cholesky_kernel, **ASKED)
has_upper_cholesky = host(rt.has_upper_cholesky, "(m,m)->()", kernel=_has_upper_cholesky_kernel, **ASKED)
has_pivots = host(rt.has_pivots, "(m,m)->()", kernel=_has_pivots_kernel, **ASKED)
has_inverse = host(rt.has_inverse, "(m,m)->()", kernel=_has_inverse_kernel, **ASKED)
cholesky.asked, inv.asked, solve.asked = has_cholesky.name, has_inverse.name, has_inverse.name
solve_lower.asked = solve_upper.asked = has_pivots.name


def _cholesky_upper_kernel(a, y):
    return lapack.cholesky(a, y, True)


# mH(y) is the lower factor of mH(a)
cholesky_upper = form(np.linalg.cholesky, "(m,m)->(m,m)", "(upper half)", fixed={"upper": True},
                      kernel=_cholesky_upper_kernel, **CHOLESKY,
                      tangent=lambda y, a, da: mH(_cholesky_tangent(mH(y), a, mH(da))),
                      cotangent=lambda g, y, a: mH(_cholesky_cotangent(mH(g), mH(y), a)))
cholesky_upper.asked = has_upper_cholesky.name
