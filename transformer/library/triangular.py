"""Triangular systems and the exponential of a matrix: what scipy.linalg computes with LAPACK as a whole."""
import numpy as np

from gradscribe import runtime as rt
from gradscribe.runtime.plain import lapack

from .registry import form, host

SINGULAR = ((np.linalg.LinAlgError, "singular matrix"),)


def plus(*terms):
    """The sum of what is there."""
    found = [t for t in terms if t is not None]
    total = found[0]
    for t in found[1:]:
        total = total + t
    return total


def _lower_part_kernel(a, y):
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            y[i, j] = a[i, j] if j <= i else a.dtype.type(0)
    return 0


lower_part = form(np.tril, "(m,m)->(m,m)", "(square)", kernel=_lower_part_kernel,
                  tangent=lambda y, a, da: lower_part(da), cotangent=lambda g, y, a: lower_part(g), complex=True)


def upper_part(a):
    return lower_part(a.mT).mT


def _solve_lower_kernel(a, b, x):
    return lapack.triangular(a, b, x, False)


def _solve_lower_cotangent(g, x, a, b):
    b_bar = solve_upper(a.mT, g)
    return -lower_part(b_bar @ x.mT), b_bar


def _solve_upper_kernel(a, b, x):
    return lapack.triangular(a, b, x, True)


def _solve_upper_cotangent(g, x, a, b):
    b_bar = solve_lower(a.mT, g)
    return -upper_part(b_bar @ x.mT), b_bar


solve_lower = host(rt.solve_lower, "(m,m),(m,n)->(m,n)", kernel=_solve_lower_kernel, fails=SINGULAR,
                   tangent=lambda x, a, b, da, db: solve_lower(a, plus(
                       db, None if da is None else -(lower_part(da) @ x))), cotangent=_solve_lower_cotangent,
                   complex=True)
solve_upper = host(rt.solve_upper, "(m,m),(m,n)->(m,n)", kernel=_solve_upper_kernel, fails=SINGULAR,
                   tangent=lambda x, a, b, da, db: solve_upper(a, plus(
                       db, None if da is None else -(upper_part(da) @ x))), cotangent=_solve_upper_cotangent,
                   complex=True)


def _slope_kernel(a, e, y):
    n = a.shape[0]
    block, result = np.zeros((2 * n, 2 * n), a.dtype), np.empty((2 * n, 2 * n), a.dtype)
    for i in range(n):
        for j in range(n):
            block[i, j], block[n + i, n + j], block[i, n + j] = a[i, j], a[i, j], e[i, j]
    failed = lapack.expm(block, result)
    for i in range(n):
        for j in range(n):
            y[i, j] = result[i, n + j]
    return failed


def _curve_kernel(a, e, f, y):
    n = a.shape[0]
    block, result = np.zeros((4 * n, 4 * n), a.dtype), np.empty((4 * n, 4 * n), a.dtype)
    for k in range(4):
        for i in range(n):
            for j in range(n):
                block[k * n + i, k * n + j] = a[i, j]
    for i in range(n):
        for j in range(n):
            block[i, n + j], block[2 * n + i, 3 * n + j] = e[i, j], e[i, j]
            block[i, 2 * n + j], block[n + i, 3 * n + j] = f[i, j], f[i, j]
    failed = lapack.expm(block, result)
    for i in range(n):
        for j in range(n):
            y[i, j] = result[i, 3 * n + j]
    return failed


expm_curve = host(rt.expm_curve, "(m,m),(m,m),(m,m)->(m,m)", kernel=_curve_kernel, complex=True)


def _slope_tangent(y, a, e, da, de):
    return plus(None if da is None else expm_curve(a, e, da), None if de is None else expm_slope(a, de))


# R. Mathias, "A chain rule for matrix functions and applications" (1996), theorem 2.1
expm_slope = host(rt.expm_slope, "(m,m),(m,m)->(m,m)", kernel=_slope_kernel, tangent=_slope_tangent,
                  cotangent=lambda g, y, a, e: (expm_curve(a.mT, e.mT, g), expm_slope(a.mT, g)), complex=True)


def expm_kernel(a, y):
    return lapack.expm(a, y)
