"""LAPACK for kernels of compiled text: one example, floats or complex numbers of one dtype, in any memory order; what
is real of complex matrices, such as singular values, are floats of the same width.  Plain NumPy here; the compiled
forms are in `native/lapack.py`.  What LAPACK stores into is a copy; the number that a function gives is 1 where LAPACK
has failed, else 0."""
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


def columns(b):
    """A vector as a matrix of one column; a matrix as it is."""
    return b[:, None] if b.ndim == 1 else b


def solve(a, b, x):
    """x[...] = the solution of a @ x == b, for a matrix b."""
    return _done(lambda: _into([x], [np.linalg.solve(a, b)]))


def cofactors(a, y):
    """y[...] = det(a) a^-T by the factors of a; 1 where that has not half the digits of the dtype, or is out of range.

    Both come from the same factors, so that it is as accurate as these where a is nearly singular."""
    with np.errstate(all="ignore"):
        try:
            inverse, det = np.linalg.inv(a), np.linalg.det(a)
        except np.linalg.LinAlgError:
            return 1
        y[...] = det * inverse.T
        limits = np.finfo(a.real.dtype)
        sizes = [abs(x).sum(axis=0).max(initial=0) for x in (a, inverse)]
        sure = sizes[0] * sizes[1] * limits.eps ** 0.5 < 1
    return 0 if sure and limits.tiny < abs(det) < np.inf else 1


def cofactors_slope(a, da, y):
    """y[...] = the change of the cofactors of a where a changes by da; 1 where there is none.

    Where a is regular they are det(a) p with p = a^-T, and their change is sum(p da) det(a) p - det(a) p da^T p.  Where
    it is not, a = u diag(s) v makes the change t = u^H da v^H, and the cofactors of diag(s) change by the products of
    all but two of s times t."""
    n = a.shape[0]
    if n == 0 or not np.isfinite(a).all() or not np.isfinite(da).all():
        return 1
    c, m, d = np.empty((n, n), a.dtype), np.zeros((n, n), a.dtype), np.empty((n, n), a.dtype)
    d[:, :], total = da, a.dtype.type(0)
    if cofactors(a, c) == 0:
        sign, logarithm = slogdet(a)
        det = sign * np.exp(logarithm)
        for i in range(n):
            for j in range(n):
                total += c[i, j] / det * d[i, j]
                m[i, j] = c[i, j] / det
        m = m @ d.T @ c
        for i in range(n):
            for j in range(n):
                y[i, j] = total * c[i, j] - m[i, j]
        return 0
    u, s, v = np.empty((n, n), a.dtype), np.empty(n, a.real.dtype), np.empty((n, n), a.dtype)
    if svd(a, u, s, v):
        return 1
    total = slogdet(u)[0] * slogdet(v)[0]
    u, v = np.conj(u), np.conj(v)
    d = u.T @ d @ v.T
    for k in range(n):
        for j in range(n):
            others = a.dtype.type(total)
            for i in range(n):
                if i not in (k, j):
                    others *= s[i]
            if j != k:
                m[k, j] -= others * d[j, k]
                m[k, k] += others * d[j, j]
    y[:, :] = u @ m @ v
    return 0


def slogdet(a):
    """(sign, logarithm of the absolute value) of the determinant."""
    with np.errstate(all="ignore"):
        return np.linalg.slogdet(a)


def lu(a, factors, pivots):
    """Both factors of a square matrix in one, and which row each was exchanged with, counted from 0."""
    from scipy import linalg
    return _done(lambda: _into([factors, pivots], linalg.lapack.get_lapack_funcs("getrf", (a,))(a)[:2]))


def factorise(a, factors, exchanged):
    """The same, as LAPACK keeps it: columns first, and the rows counted from 1, in numbers of the matrix's dtype."""
    failed = lu(a, factors, exchanged)
    factors[...], exchanged[...] = factors.T.copy(), exchanged + 1
    return failed


def substitute(factors, exchanged, b, x, transposed):
    """x[...] = the solution of a @ x == b, or of a.T @ x == b, of what `factorise` gives of a."""
    from scipy import linalg
    if (np.diagonal(factors) == 0).any():
        return 1
    pair = factors.T, exchanged.real.astype(np.int32) - 1
    return _done(lambda: _into([x], [linalg.lu_solve(pair, b, int(transposed), check_finite=False)]))


def cholesky(a, y, upper):
    """y[...] = the lower triangular matrix with y @ y.T.conj() == a, or the upper one with y.T.conj() @ y == a:
    only that half is read."""
    return _done(lambda: _into([y], [np.linalg.cholesky(a, upper=upper)]))


def svd(a, u, s, vt):
    """u @ diag(s) @ vt == a, for a square matrix."""
    return _done(lambda: _into([u, s, vt], np.linalg.svd(a)))


def eigh(a, w, v, upper):
    """a @ v == v * w, where a is symmetric or Hermitian: only its upper or its lower half is read."""
    return _done(lambda: _into([w, v], np.linalg.eigh(a, "U" if upper else "L")))


def scipys_eigh(a, w, v):
    """The same of the lower half by SciPy's choice of LAPACK's functions, whose vectors may have other signs."""
    from scipy import linalg
    return _done(lambda: _into([w, v], linalg.eigh(a, check_finite=False)))


def general_eigh(a, b, w, v):
    """a @ v == b @ v * w, v.T @ b @ v == 1, where b is positive definite; the lower halves are read."""
    from scipy import linalg
    return _done(lambda: _into([w, v], linalg.eigh(a, b, check_finite=False)))


def eigvalsh(a, w):
    """The eigenvalues, of which the lower half is read."""
    return _done(lambda: _into([w], [np.linalg.eigvalsh(a)]))


def eig(a, w, v):
    return 2 if not np.isfinite(a).all() else _done(lambda: _into([w, v], np.linalg.eig(a)))


def eigvals(a, w):
    return 2 if not np.isfinite(a).all() else _done(lambda: _into([w], [np.linalg.eigvals(a)]))


def vectors_of_real(a, w, v):
    """The same of a real matrix, of which all that is given is complex."""
    return eig(a, w, v)


def values_of_real(a, w):
    return eigvals(a, w)


def thin_svd(a, u, s, vt):
    """u @ diag(s) @ vt == a, with as many columns of u and rows of vt as they have."""
    return _done(lambda: _into([u, s, vt], np.linalg.svd(a, full_matrices=u.shape[1] > s.shape[0]
                                                         or vt.shape[0] > s.shape[0])))


def svdvals(a, s):
    return _done(lambda: _into([s], [np.linalg.svd(a, compute_uv=False)]))


def qr(a, q, r):
    """q @ r == a, which has as many rows as columns or more."""
    return _done(lambda: _into([q, r], np.linalg.qr(a)))


def least_squares(a, b, x, s, rank):
    """x[...] = what makes a @ x - b least, and of several the smallest; the singular values, and how many count."""
    def found():
        solution, _, count, values = np.linalg.lstsq(a, b, rcond=None)
        return solution, values, count
    return _done(lambda: _into([x, s, rank], found()))


def triangular(a, b, x, upper):
    """x[...] = the solution of a @ x == b, where a is triangular."""
    from scipy import linalg
    return _done(lambda: _into([x], [linalg.solve_triangular(a, b, lower=not upper, check_finite=False)]))


def narrowed(z, x):
    """x[...] = z, or its real part where x is real."""
    x[...] = z if x.dtype.kind == "c" else z.real


def expm(a, y):
    """y[...] = the exponential of a, by scaling, the Pade approximant of degree 13, and squaring (N. Higham, "The
    scaling and squaring method for the matrix exponential revisited", 2005)."""
    n, largest = a.shape[0], 0.0
    for j in range(n):
        total = 0.0
        for i in range(n):
            total += abs(a[i, j])
        if not total <= largest:
            largest = total
    squarings = 0
    while largest > 5.371920351148152 and largest < np.inf:
        largest /= 2.0
        squarings += 1
    x = a * np.ones(1)  # of double precision
    for i in range(n):
        for j in range(n):
            x[i, j] /= 2.0 ** squarings
    x2 = x @ x
    x4 = x2 @ x2
    x6 = x4 @ x2
    one = np.eye(n, dtype=x.dtype)
    odd = x @ (x6 @ (PADE[13] * x6 + PADE[11] * x4 + PADE[9] * x2) + PADE[7] * x6 + PADE[5] * x4 + PADE[3] * x2
               + PADE[1] * one)
    even = (x6 @ (PADE[12] * x6 + PADE[10] * x4 + PADE[8] * x2) + PADE[6] * x6 + PADE[4] * x4 + PADE[2] * x2
            + PADE[0] * one)
    result = np.empty((n, n), x.dtype)
    failed = solve(even - odd, even + odd, result)
    for _ in range(squarings):
        result = result @ result
    for i in range(n):
        for j in range(n):
            y[i, j] = result[i, j]
    return failed


PADE = (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
        10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0)
