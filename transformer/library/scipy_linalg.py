"""scipy.linalg: of one matrix, and of stacks under vmap.  Imported when the user has imported SciPy's module."""
import numpy as np
from scipy import linalg as sl

from gradscribe import runtime as rt

from . import symmetric
from .decompositions import mH
from .registry import at_least, ensure, form, known, means, refuse
from .triangular import expm_kernel, expm_slope, solve_lower, solve_upper

LinAlgError = np.linalg.LinAlgError
plain_expm = form(sl.expm, "(m,m)->(m,m)", "(square)", kernel=expm_kernel,
                  tangent=lambda y, a, da: expm_slope(a, da), cotangent=lambda g, y, a: expm_slope(a.mT, g),
                  complex=True)


def checked(a, check_finite):
    """The array as floats or complex numbers, which are finite where that is asked."""
    a = np.asarray(a)
    if a.dtype not in (np.float64, np.float32, np.complex128, np.complex64):
        if a.dtype != np.int64:
            refuse(f"a function of scipy.linalg of {a.dtype}", "Convert it: a.astype(float).")
        a = a.astype(float)
    if known(check_finite, "it says what is tested") and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return a


def matrix(a, check_finite):
    a = checked(a, check_finite)
    if a.ndim != 2:
        refuse(f"a function of scipy.linalg of an array of {a.ndim} axes", "Take one matrix, with gs.vmap for several.")
    return a


def square(a, check_finite, message):
    a = matrix(a, check_finite)
    if a.shape[0] != a.shape[1]:
        raise ValueError(message)
    return a


def right_side(b, check_finite):
    b = checked(b, check_finite)
    if b.ndim != 1 and b.ndim != 2:
        refuse(f"a right-hand side of {b.ndim} axes", "Give it a vector or a matrix.")
    return b


def of_columns(solver, a, b):
    """The solution for a vector or a matrix b, in the float type of both."""
    return solver(a, b[:, None])[:, 0] if b.ndim == 1 else solver(a, b)


@means(sl.expm, unasked=True, complex=True)
def expm(A):
    a = np.asarray(A)
    if a.ndim == 0 or a.dtype.kind not in "fc" and a.dtype != np.int64:
        refuse("scipy.linalg.expm of a number, or of small integers", "Give it a matrix of floats.")
    if a.ndim < 2:
        raise LinAlgError("The input array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return plain_expm(a.astype(float) if a.dtype == np.int64 else a)


@means(sl.inv, unasked=True, complex=True)
def inv(a, check_finite=True):
    return np.linalg.inv(square(a, check_finite, "Expected a square matrix"))


@means(sl.det, unasked=True, complex=True)
def det(a, check_finite=True):
    a = square(a, check_finite, "Last 2 dimensions of the array must be square")
    if a.dtype != np.float64 and a.dtype != np.complex128:
        refuse(f"scipy.linalg.det of {a.dtype}, which is computed in double precision",
               "Convert it: a.astype(float), a.astype(complex).")
    return np.linalg.det(a)


@means(sl.cholesky, unasked=True, complex=True)
def cholesky(a, lower=False, check_finite=True):
    a, lower = square(a, check_finite, "Input array is expected to be square"), known(lower, "it says which half")
    return np.linalg.cholesky(a, upper=not lower)


@means(sl.cho_factor, unasked=True, complex=True)
def cho_factor(a, lower=False, check_finite=True):
    """In its other half the factor has what the matrix has there."""
    lower = known(lower, "it says which half")
    c = cholesky(a, lower, check_finite)
    return np.where(half_of(c, lower), c, a), lower


def half_of(a, lower):
    """Which of the elements stand in the lower half, or in the upper one."""
    n = np.arange(a.shape[0])
    return (n[:, None] >= n) if lower else (n[:, None] <= n)


@means(sl.cho_solve, unasked=True, complex=True)
def cho_solve(c_and_lower, b, check_finite=True):
    c, lower = c_and_lower
    c, b, lower = matrix(c, check_finite), right_side(b, check_finite), known(lower, "it says which half")
    if c.shape[0] != c.shape[1]:
        raise ValueError("The factored matrix c is not square.")
    if c.shape[1] != b.shape[0]:
        raise ValueError(f"incompatible dimensions ({c.shape} and {b.shape})")
    ensure(np.all(np.diagonal(c) != 0.0), "scipy.linalg.cho_solve with a factor that has a zero on its diagonal")
    return of_columns(by_lower if lower else by_upper, c, b)


def by_lower(c, b):
    return solve_upper(mH(c), solve_lower(c, b))


def by_upper(c, b):
    return solve_upper(c, solve_lower(mH(c), b))


@means(sl.solve_triangular, unasked=True, complex=True)
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, check_finite=True):
    a, b = square(a, check_finite, "expected square matrix"), right_side(b, check_finite)
    trans, lower = known(trans, "it says what is solved"), known(lower, "it says which half")
    if trans not in (0, 1, 2, "N", "T", "C"):
        refuse(f"scipy.linalg.solve_triangular with trans={trans!r}", "Write 0 or 1.")
    if a.shape[0] != b.shape[0]:
        raise ValueError(f"shapes of a {a.shape} and b {b.shape} are incompatible")
    if known(unit_diagonal, "it says what is read"):
        n = np.arange(a.shape[0])
        a = np.where(n[:, None] == n, 1.0, a).astype(a.dtype)
    if trans not in (0, "N"):
        a, lower = mH(a) if trans in (2, "C") else a.T, not lower
    return of_columns(solve_lower if lower else solve_upper, a, b)


@means(sl.solve, unasked=True, complex=True)
def solve(a, b, lower=False, check_finite=True, assume_a=None, transposed=False):
    assume_a, lower = known(assume_a, "it says what is read"), known(lower, "it says which half")
    a, b = square(a, check_finite, "Expected square matrix"), right_side(b, check_finite)
    if at_least(a.shape[0], 1) and not at_least(a.shape[0], 2):  # by which SciPy divides any right-hand side
        if a[0, 0] == 0:
            raise LinAlgError("A singular matrix detected.")
        return b / a[0, 0]
    if known(transposed, "it says what is solved"):
        if a.dtype.kind == "c":
            refuse("scipy.linalg.solve with transposed=True of complex numbers, which SciPy has not", "Write a.T.")
        a, lower = a.T, not lower
    if assume_a in ("pos", "positive definite"):
        return cho_solve((np.linalg.cholesky(a, upper=not lower), lower), b, False)
    if assume_a in ("sym", "symmetric"):
        return np.linalg.solve(np.where(half_of(a, lower), a, a.T), b)
    if assume_a in ("her", "hermitian"):
        whole, n = np.where(half_of(a, lower), a, mH(a)), np.arange(a.shape[0])
        return np.linalg.solve(np.where(n[:, None] == n, a.real, whole) if a.dtype.kind == "c" else whole, b)
    if assume_a in ("upper triangular", "lower triangular"):
        return of_columns(solve_upper if assume_a[0] == "u" else solve_lower, a, b)
    if assume_a not in (None, "gen", "general"):
        refuse(f"scipy.linalg.solve with assume_a={assume_a!r}", "Leave it out.")
    return np.linalg.solve(a, b)


# those that NumPy has -----------------------------------------------------------------------------------
@means(sl.eigh, unasked=True, complex=True)
def eigh(a, b=None, lower=True, eigvals_only=False, check_finite=True):
    if known(eigvals_only, "it says what is given"):
        return eigvalsh(a, b, lower, check_finite)
    if b is None:
        return symmetric.one(of_lower_half(a, lower, check_finite, "a"))
    return symmetric.two(*of_two(a, b, lower, check_finite))


def of_two(a, b, lower, check_finite):
    """Two matrices of one size, the second of which has to be positive definite."""
    a, b = of_lower_half(a, lower, check_finite, "a"), of_lower_half(b, lower, check_finite, "b")
    if a.shape != b.shape:
        raise ValueError(f"wrong b dimensions {b.shape}, should be {a.shape}")
    if a.dtype != b.dtype:
        a, b = a.astype(np.result_type(a.dtype, b.dtype)), b.astype(np.result_type(a.dtype, b.dtype))
    ensure(rt.has_cholesky(b) > 0.0, "scipy.linalg.eigh of a second matrix that is not positive definite")
    return a, b


def of_lower_half(a, lower, check_finite, name):
    a = square(a, check_finite, f"expected square \"{name}\" matrix")
    if not known(lower, "it says which half"):
        refuse("scipy.linalg.eigh of the upper half of a matrix, by which its vectors have other signs",
               "Give it the whole matrix, without lower=False.")
    if a.dtype.kind == "c":
        refuse("the vectors of scipy.linalg.eigh of complex numbers, whose phases are not those of NumPy's",
               "Write np.linalg.eigh(a).")
    return a


@means(sl.svdvals, unasked=True, complex=True)
def svdvals(a, check_finite=True):
    return np.linalg.svdvals(matrix(a, check_finite))


# matrices of numbers ------------------------------------------------------------------------------------
@means(sl.block_diag, unasked=True, complex=True)
def block_diag(*arrs):
    blocks = [np.atleast_2d(np.asarray(a)) for a in arrs]
    if len(blocks) == 0 or any([b.ndim != 2 for b in blocks]):
        refuse("scipy.linalg.block_diag of nothing, or of stacks", "Give it matrices.")
    dtype = blocks[0].dtype
    for b in blocks:
        dtype = np.result_type(dtype, b.dtype)
    out = np.zeros((sum([b.shape[0] for b in blocks]), sum([b.shape[1] for b in blocks])), dtype)
    row = column = 0
    for b in blocks:
        out[row:row + b.shape[0], column:column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return out


def vector(c):
    c = np.asarray(c)
    if c.ndim != 1:
        refuse("rows of a matrix from what is no vector", "Give it vectors.")
    return c


@means(sl.toeplitz, unasked=True, complex=True)
def toeplitz(c, r=None):
    c = vector(c)
    r = vector(r) if r is not None else np.conj(c) if c.dtype.kind == "c" else c
    m, n = len(c), len(r)
    return np.concatenate([c[::-1], r[1:]])[np.arange(m)[::-1][:, None] + np.arange(n)]


@means(sl.hankel, unasked=True, complex=True)
def hankel(c, r=None):
    c = vector(c)
    r = np.zeros_like(c) if r is None else vector(r)
    return np.concatenate([c, r[1:]])[np.arange(len(c))[:, None] + np.arange(len(r))]


@means(sl.circulant, unasked=True, complex=True)
def circulant(c):
    c = vector(c)
    n = len(c)
    return c[(np.arange(n)[:, None] - np.arange(n)) % n]


@means(sl.eigvalsh, unasked=True, complex=True)
def eigvalsh(a, b=None, lower=True, check_finite=True):
    if b is not None:
        return symmetric.two(*of_two(a, b, lower, check_finite))[0]
    half = "L" if known(lower, "it says which half") else "U"
    return np.linalg.eigvalsh(square(a, check_finite, "expected square \"a\" matrix"), half)


@means(sl.norm, unasked=True, complex=True)
def scipys_norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    a, whole = np.asarray(a), axis is None and not known(keepdims, "it decides the shape")
    ord = known(ord, "it says which norm")
    if known(check_finite, "it says what is tested") and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    if whole and a.ndim == 2 and (ord == 1 or ord == np.inf):
        refuse(f"scipy.linalg.norm of a matrix with ord={ord}, whose class depends on the memory order",
               f"Write np.linalg.norm(x, {ord}).")
    found = np.linalg.norm(a, ord, axis, keepdims)
    if not (whole and a.ndim == 1 and (ord is None or ord == 2) and a.dtype.kind in "fc") or not at_least(len(a), 1):
        return found
    limits = np.finfo(found.dtype)  # BLAS scales numbers whose squares are too large or too small
    ensure(np.isfinite(found) & (found > limits.tiny ** 0.5 / limits.eps) | ~np.any(a),
           "scipy.linalg.norm of a vector whose squares are too large or too small: scale it before")
    return float(found)


@means(sl.solve_banded, unasked=True, complex=True)
def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    lower, upper = known(l_and_u, "it says how many diagonals there are")
    a, b = matrix(ab, check_finite), right_side(b, check_finite)
    if a.shape[1] != b.shape[0]:
        raise ValueError("shapes of ab and b are not compatible.")
    if lower + upper + 1 != a.shape[0]:
        raise ValueError(f"invalid values for the number of lower and upper diagonals: l+u+1 ({lower + upper + 1}) "
                         f"does not equal ab.shape[0] ({a.shape[0]})")
    dtype = np.result_type(a, b)
    return of_columns(lambda a, b: in_band(a.astype(dtype), b.astype(dtype), lower, upper), a, b)


def in_band(ab, b, lower, upper):
    """The solution by elimination, in each column with the largest of the rows that reach it."""
    n, width = ab.shape[1], lower + upper + 1
    if not at_least(n, max(lower, upper) + 1):
        refuse("scipy.linalg.solve_banded of fewer unknowns than diagonals at a side", "Use np.linalg.solve.")
    rows = np.zeros((n + lower + 1, width), ab.dtype)  # of row i what stands from column i - lower on
    for k in [*range(width)]:
        above = k - lower  # of the main diagonal
        rows[max(-above, 0):n - max(above, 0), k] = ab[upper - above, max(above, 0):n - max(-above, 0)]
    b = np.concatenate([b, np.zeros((lower + 1, b.shape[1]), b.dtype)])
    active, right = np.zeros((lower + 1, width), ab.dtype), b[:lower + 1].copy()
    for i in [*range(lower + 1)]:  # its rows begin at the same column
        active[i, :width - lower + i] = rows[i, lower - i:]
    done, sides = np.zeros((n, width), ab.dtype), np.zeros((n, b.shape[1]), b.dtype)
    for k in range(n):
        place = np.argmax(np.abs(active[:, 0]))
        pivot, side = active[place].copy(), right[place].copy()
        if pivot[0] == 0:
            raise LinAlgError("singular matrix")
        active[place], right[place] = active[0], right[0]
        factors = active[1:, :1] / pivot[0]
        done[k], sides[k] = pivot, side
        active[:-1, :-1] = active[1:, 1:] - factors * pivot[1:]
        active[:-1, -1] = 0
        right[:-1] = right[1:] - factors * side
        active[-1], right[-1] = rows[k + lower + 1], b[k + lower + 1]
    x = np.zeros((n + width - 1, b.shape[1]), b.dtype)
    for k in range(n - 1, -1, -1):
        x[k] = (sides[k] - done[k, 1:] @ x[k + 1:k + width]) / done[k, 0]
    return x[:n].copy()
