"""scipy.linalg: factors by elimination, square roots of matrices, and Sylvester's equation.

The derivative of the factors is that of F. de Hoog et al., "The derivative of the matrix LU factorisation" (2011),
that of a square root solves Sylvester's equation: N. Higham, "Functions of Matrices" (2008), 6.1.
"""
import numpy as np
from scipy import linalg as sl

from gradscribe import runtime as rt
from gradscribe.runtime.plain import lapack

from .linalg import solve
from .registry import at_least, ensure, host, known, means, refuse
from .scipy_linalg import matrix, of_columns, right_side, square
from .triangular import plus, solve_lower, solve_upper, upper_part


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


factors_of = host(rt.lu, "(m,m)->(m,m),(m)", kernel=_lu_kernel, tangent=_lu_tangent, cotangent=_lu_cotangent,
                  complex=True)


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


@means(sl.lu_factor, unasked=True, complex=True)
def lu_factor(a, check_finite=True):
    factors, pivots = factors_of(square_of(a, check_finite, "lu_factor"))
    return factors, pivots


@means(sl.lu_solve, unasked=True, complex=True)
def lu_solve(lu_and_piv, b, trans=0, check_finite=True):
    (factors, pivots), trans = lu_and_piv, known(trans, "it says what is solved")
    factors, b = matrix(factors, check_finite), right_side(b, check_finite)
    if factors.shape[0] != b.shape[0]:
        raise ValueError(f"Shapes of lu {factors.shape} and b {b.shape} are incompatible")
    if trans not in (0, 1, 2):
        refuse(f"scipy.linalg.lu_solve with trans={trans!r}", "Write 0 or 1.")
    ensure(np.all(np.diagonal(factors) != 0), "scipy.linalg.lu_solve of a singular matrix")
    order = order_of(pivots)
    if trans == 2 and factors.dtype.kind == "c":
        factors = np.conj(factors)
    return of_columns(eliminated if trans == 0 else turned, (unit_lower(factors), factors, order), b)


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


@means(sl.lu, unasked=True, complex=True)
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
    single = at_least(n, 1) and at_least(1, n)  # of which SciPy gives the complex number 1
    return np.eye(n, dtype=a.dtype if single else a.real.dtype)[place], lower, upper


# square roots -------------------------------------------------------------------------------------------
def _root_kernel(a, y):
    """E. Denman and A. Beavers' iteration, in the form of a product and scaled by determinants: Higham, (6.29)."""
    n = a.shape[0]
    x = a * np.ones(1)  # of double precision
    m, inverse, one = x.copy(), np.empty((n, n), x.dtype), np.eye(n, dtype=x.dtype)
    change, steps = np.inf, 0 if np.isfinite(x).all() else 1000
    while change > 1e-14 * n and steps < 100 and n > 0:
        if lapack.solve(m, one, inverse):
            steps = 1000
        else:
            _, logarithm = lapack.slogdet(m)
            scale = np.exp(-logarithm / (2 * n)) if change > 1e-2 else 1.0
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
    if n > 0 and not np.abs(x @ x - a).max() <= 1e-6 * np.abs(a).max():
        steps = 1000
    for i in range(n):
        for j in range(n):
            y[i, j] = x[i, j] if steps < 100 else np.nan
    return 0


def _sylvester_kernel(a, b, c, x):
    """By the eigenvectors of both matrices; where these are dependent, as one system for all numbers of x."""
    m, n = c.shape
    whole_a, whole_b, whole_c = a.astype(np.complex128), b.astype(np.complex128), c.astype(np.complex128)
    left, right = np.empty((m, m), np.complex128), np.empty((n, n), np.complex128)
    of_a, of_b = np.empty(m, np.complex128), np.empty(n, np.complex128)
    inner, y = np.zeros((m, n), np.complex128), np.zeros((n, m), np.complex128)
    if m == 0 or n == 0:
        return 0
    found = lapack.eig(whole_a, of_a, left) + lapack.eig(whole_b, of_b, right) == 0
    found = found and lapack.solve(left, whole_c @ right, inner) == 0
    for i in range(m):
        for j in range(n):
            total = of_a[i] + of_b[j]
            found = found and total != 0
            inner[i, j] *= 1 / total if total != 0 else 1.0
    found = found and lapack.solve(right.T.copy(), (left @ inner).T.copy(), y) == 0
    z = y.T.copy()
    size = (np.abs(whole_a).max() + np.abs(whole_b).max()) * np.abs(z).max() + np.abs(whole_c).max()
    if not found or not np.abs(whole_a @ z + z @ whole_b - whole_c).max() <= 1e-9 * size:
        if m * n > 2000:
            return 2
        system, solution = np.zeros((m * n, m * n), np.complex128), np.empty((m * n, 1), np.complex128)
        for i in range(m):
            for j in range(n):
                for k in range(m):
                    system[i * n + j, k * n + j] += whole_a[i, k]
                for k in range(n):
                    system[i * n + j, i * n + k] += whole_b[k, j]
        if lapack.solve(system, whole_c.reshape((m * n, 1)), solution):
            return 1
        z = solution.reshape((m, n))
    lapack.narrowed(z, x)
    return 0


def _sylvester_cotangent(g, x, a, b, c):
    c_bar = sylvester(a.mT, b.mT, g)
    return -(c_bar @ x.mT), -(x.mT @ c_bar), c_bar


sylvester = host(rt.sylvester, "(m,m),(n,n),(m,n)->(m,n)", kernel=_sylvester_kernel,
                 fails=((np.linalg.LinAlgError, "Sylvester's equation has no solution, or several"),
                        (np.linalg.LinAlgError, "Large matrices with dependent eigenvectors in Sylvester's equation")),
                 cotangent=_sylvester_cotangent, complex=True,
                 tangent=lambda x, a, b, c, da, db, dc: sylvester(a, b, plus(
                     dc, None if da is None else -(da @ x), None if db is None else -(x @ db))))
root_of = host(rt.square_root, "(m,m)->(m,m)", kernel=_root_kernel,
               tangent=lambda y, a, da: sylvester(y, y, da), cotangent=lambda g, y, a: sylvester(y.mT, y.mT, g),
               complex=True)


@means(sl.sqrtm, unasked=True, complex=True)
def sqrtm(A):
    a = matrix(A, False)
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    y = root_of(a)
    ensure(not np.any(np.isnan(y)), "scipy.linalg.sqrtm of a matrix whose root is complex, or not found")
    return y


@means(sl.solve_sylvester, unasked=True, complex=True)
def solve_sylvester(a, b, q):
    a, b, q = [matrix(x, False) for x in (a, b, q)]
    if not at_least(a.size * b.size, 1) and a.size * b.size == 0:  # SciPy looks no further
        ensure(q.size == 0, "scipy.linalg.solve_sylvester without unknowns, of which SciPy gives what is in memory")
        return q.astype(np.result_type(a.dtype, b.dtype, q.dtype))
    a, b = square(a, True, "Matrix must be square."), square(b, True, "Matrix must be square.")
    if a.shape[0] != q.shape[0] or b.shape[0] != q.shape[1]:
        raise ValueError("Dimensions of matrices do not agree.")
    return sylvester(a, b, q)
