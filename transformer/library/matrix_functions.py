"""scipy.linalg: factors by elimination, square roots of matrices, and Sylvester's equation.

The derivative of the factors is that of F. de Hoog et al., "The derivative of the matrix LU factorisation" (2011),
that of a square root solves Sylvester's equation: N. Higham, "Functions of Matrices" (2008), 6.1.
"""
import numpy as np
from scipy import linalg as sl

from gradscribe import runtime as rt
from gradscribe.runtime import lapack

from .linalg import solve
from .registry import ensure, host, known, means, refuse
from .scipy_linalg import matrix, of_columns, right_side, square
from .triangular import lower_part, plus, solve_lower, solve_upper, upper_part


# elimination --------------------------------------------------------------------------------------------
def _lu_kernel(a, factors, pivots):
    return lapack.lu(a, factors, pivots)


def below(x):
    """What is below the diagonal."""
    return x - upper_part(x)


def _lu_tangent(y, pivots, a, da):
    change = solve_lower(y.mT, (upper_part(y) @ solve(a, da)).mT).mT  # L^-1 P da U^-1
    lower = below(change)
    return below(y) @ lower + lower + upper_part(change) @ upper_part(y), None


def _lu_cotangent(g, g_pivots, y, pivots, a):
    if g is None:
        return None
    of_lower, upper = below(g), upper_part(y)
    change = below(below(y).mT @ of_lower + of_lower) + upper_part(upper_part(g) @ upper.mT)
    return solve(a.mT, upper.mT @ solve_upper(y, change.mT).mT)


factors_of = host(rt.lu, "(m,m)->(m,m),(m)", kernel=_lu_kernel, tangent=_lu_tangent, cotangent=_lu_cotangent)


def order_of(pivots):
    """The rows of the matrix in the order of the factors."""
    order = np.arange(len(pivots))
    for k in range(len(pivots)):
        first, second = order[k], order[pivots[k]]
        order[k], order[pivots[k]] = second, first
    return order


def square_of(a, check_finite, name):
    a = matrix(a, check_finite)
    if a.shape[0] != a.shape[1]:
        refuse(f"scipy.linalg.{name} of a matrix that is not square", "Take np.linalg.qr.")
    return a


@means(sl.lu_factor, unasked=True)
def lu_factor(a, check_finite=True):
    factors, pivots = factors_of(square_of(a, check_finite, "lu_factor"))
    return factors, pivots


@means(sl.lu_solve, unasked=True)
def lu_solve(lu_and_piv, b, trans=0, check_finite=True):
    (factors, pivots), trans = lu_and_piv, known(trans, "it says what is solved")
    factors, b = matrix(factors, check_finite), right_side(b, check_finite)
    if factors.shape[0] != b.shape[0]:
        raise ValueError(f"Shapes of lu {factors.shape} and b {b.shape} are incompatible")
    if trans not in (0, 1, 2):
        refuse(f"scipy.linalg.lu_solve with trans={trans!r}", "Write 0 or 1.")
    ensure(np.all(np.diagonal(factors) != 0), "scipy.linalg.lu_solve of a singular matrix")
    return of_columns(eliminated if trans == 0 else turned, (unit_lower(factors), factors, order_of(pivots)), b)


def unit_lower(factors):
    return np.tril(factors, -1) + np.eye(factors.shape[0], dtype=factors.dtype)


def eliminated(parts, b):
    lower, upper, order = parts
    return solve_upper(upper, solve_lower(lower, b[order]))


def turned(parts, b):
    lower, upper, order = parts
    y = solve_upper(lower.T, solve_lower(upper.T, b))
    x = np.zeros_like(y)
    x[order] = y
    return x


@means(sl.lu, unasked=True)
def lu(a, permute_l=False, check_finite=True, p_indices=False):
    a = square_of(a, check_finite, "lu")
    factors, pivots = factors_of(a)
    lower, upper, order, n = unit_lower(factors), np.triu(factors), order_of(pivots), a.shape[0]
    place = np.zeros(n, int)
    place[order] = np.arange(n)
    if known(permute_l, "it says what is given"):
        return lower[place], upper
    if known(p_indices, "it says what is given"):
        return place.astype(np.int32), lower, upper
    return np.eye(n, dtype=a.dtype)[place], lower, upper


# square roots -------------------------------------------------------------------------------------------
def _root_kernel(a, y):
    """E. Denman and A. Beavers' iteration, in the form of a product and scaled by determinants: Higham, (6.29)."""
    n = a.shape[0]
    m, x, inverse, one = a.copy(), a.copy(), np.empty((n, n), a.dtype), np.eye(n, dtype=a.dtype)
    change, steps = np.inf, 0
    while change > 1e-14 * n and steps < 100 and n > 0:
        if lapack.solve(m, one, inverse):
            steps = 1000
        else:
            scale = np.exp(-lapack.slogdet(m)[1] / (2 * n)) if change > 1e-2 else 1.0
            square = scale * scale
            x = 0.5 * scale * (x + (x @ inverse) / square)
            m = 0.5 * (one + 0.5 * (square * m + inverse / square))
            before, change = change, 0.0
            for i in range(n):
                for j in range(n):
                    change = max(change, abs(m[i, j] - one[i, j]))
            steps += 1
            if not change < before and change < 1e-8:  # rounding is all that is left
                change = 0.0
    for i in range(n):
        for j in range(n):
            y[i, j] = x[i, j] if steps < 100 else a.dtype.type(np.nan)
    return 0


def _sylvester_kernel(a, b, c, x):
    m, n = c.shape
    left, right = np.empty((m, m), np.complex128), np.empty((n, n), np.complex128)
    of_a, of_b = np.empty(m, np.complex128), np.empty(n, np.complex128)
    failed = lapack.eig(a.astype(np.complex128), of_a, left) + lapack.eig(b.astype(np.complex128), of_b, right)
    inner, y = np.empty((m, n), np.complex128), np.empty((n, m), np.complex128)
    if failed or lapack.solve(left, c.astype(np.complex128) @ right, inner):
        return 1
    for i in range(m):
        for j in range(n):
            inner[i, j] /= of_a[i] + of_b[j]
    if lapack.solve(right.T.copy(), (left @ inner).T.copy(), y):
        return 1
    for i in range(m):
        for j in range(n):
            x[i, j] = y[j, i].real
    return 0


def _sylvester_cotangent(g, x, a, b, c):
    c_bar = sylvester(a.mT, b.mT, g)
    return -(c_bar @ x.mT), -(x.mT @ c_bar), c_bar


sylvester = host(rt.sylvester, "(m,m),(n,n),(m,n)->(m,n)", kernel=_sylvester_kernel,
                 fails=((np.linalg.LinAlgError, "Eigenvalues did not converge"),), cotangent=_sylvester_cotangent,
                 tangent=lambda x, a, b, c, da, db, dc: sylvester(a, b, plus(
                     dc, None if da is None else -(da @ x), None if db is None else -(x @ db))))
root_of = host(rt.square_root, "(m,m)->(m,m)", kernel=_root_kernel,
               tangent=lambda y, a, da: sylvester(y, y, da), cotangent=lambda g, y, a: sylvester(y.mT, y.mT, g))


@means(sl.sqrtm, unasked=True)
def sqrtm(A):
    a = square(A, False, "A must be a square matrix")
    y = root_of(a)
    ensure(not np.any(np.isnan(y)) or np.any(np.isnan(a)),
           "scipy.linalg.sqrtm of a matrix whose root is complex, or not found")
    return y


@means(sl.solve_sylvester, unasked=True)
def solve_sylvester(a, b, q):
    a, b, q = square(a, False, "Matrix must be square."), square(b, False, "Matrix must be square."), matrix(q, False)
    if a.shape[0] != q.shape[0] or b.shape[0] != q.shape[1]:
        raise ValueError("Dimensions of matrices do not agree.")
    return sylvester(a, b, q)
