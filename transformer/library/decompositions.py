"""np.linalg: functions that choose a factorisation by the shape of their matrix, and what is made of them."""
import numpy as np

from .factors import (eigh as lower_eigh, eigh_upper, eigvalsh as lower_eigvalsh, lstsq_tall, lstsq_wide,
                      pinv as plain_pinv, qr_complete, qr_tall, svd_full_tall, svd_full_wide, svd_tall, svd_wide,
                      svdvals_tall, svdvals_wide)
from .linalg import cholesky as lower_cholesky, cholesky_upper
from .registry import at_least, ensure, known, means, refuse
from .shapes import product

SVDResult, QRResult = type(np.linalg.svd(np.eye(1))), type(np.linalg.qr(np.eye(1)))
LinAlgError = np.linalg.LinAlgError


def swapped(a):
    return np.swapaxes(a, -1, -2)


def mH(a):
    """Rows for columns, and of complex numbers the conjugates."""
    return np.conj(swapped(a)) if a.dtype.kind == "c" else swapped(a)


def matrices(a):
    a = np.asarray(a)
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    return a


def is_tall(a):
    """Has a matrix as many rows as columns, or more?  Where only the run time knows, it is asked there."""
    m, n = a.shape[-2], a.shape[-1]
    return at_least(m, n) or not at_least(n, m + 1) and m >= n


# symmetric matrices -------------------------------------------------------------------------------------
@means(np.linalg.eigh, unasked=True, complex=True)
def eigh(a, UPLO="L"):
    return (lower_eigh if is_lower(UPLO) else eigh_upper)(np.asarray(a))


@means(np.linalg.eigvalsh, unasked=True, complex=True)
def eigvalsh(a, UPLO="L"):
    return lower_eigvalsh(np.asarray(a) if is_lower(UPLO) else mH(matrices(a)))


@means(np.linalg.cholesky, unasked=True, complex=True)
def cholesky(a, /, *, upper=False):
    return (cholesky_upper if known(upper, "it says which half is read") else lower_cholesky)(np.asarray(a))


def is_lower(half):
    half = known(half, "it says which half is read").upper()
    if half not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return half == "L"


# singular values ----------------------------------------------------------------------------------------
@means(np.linalg.svd, unasked=True, complex=True)
def svd(a, full_matrices=True, compute_uv=True):
    a, whole, vectors = matrices(a), known(full_matrices, "it decides shapes"), known(compute_uv, "it decides shapes")
    if not vectors:
        return singular_values(a)
    m, n = a.shape[-2], a.shape[-1]
    if at_least(m, n) and at_least(n, m) or not whole:
        return svd_tall(a) if is_tall(a) else svd_wide(a)
    return svd_full_tall(a) if is_tall(a) else svd_full_wide(a)


def singular_values(a):
    return svdvals_tall(a) if is_tall(a) else svdvals_wide(a)


@means(np.linalg.svdvals, unasked=True, complex=True)
def svdvals(x):
    return singular_values(matrices(x))


@means(np.linalg.pinv, unasked=True, complex=True)
def pinv(a, rcond=None, hermitian=False, *, rtol=np._NoValue):
    a, symmetric = np.asarray(a), known(hermitian, "it says how")
    limit = rtol if rcond is None else rcond
    if limit is not np._NoValue and np.ndim(limit):
        refuse("np.linalg.pinv with a limit for each matrix", "Give one for all.")
    if limit is np._NoValue and not symmetric:
        return plain_pinv(a)
    if limit is None or limit is np._NoValue:
        limit = 1e-15 if limit is np._NoValue else max(a.shape[-2:]) * np.finfo(a.dtype).eps
    a = matrices(a)
    if symmetric and (at_least(0, a.shape[-2]) or at_least(0, a.shape[-1])):
        return np.zeros_like(swapped(a))
    if symmetric:
        w, v = np.linalg.eigh(a)
        large = np.abs(w) > np.asarray(limit)[..., None] * np.max(np.abs(w), axis=-1, keepdims=True, initial=0)
        return (v * (large.astype(w.dtype) / np.where(large, w, 1))[..., None, :]) @ mH(v)
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    large = s > np.asarray(limit)[..., None] * np.max(s, axis=-1, keepdims=True, initial=0)
    return mH(vt) @ ((large.astype(s.dtype) / np.where(large, s, 1))[..., None] * mH(u))


@means(np.linalg.matrix_rank, unasked=True, complex=True)
def matrix_rank(A, tol=None, rtol=None):
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = np.asarray(A)
    if A.ndim < 2:
        return int(np.any(A != 0))
    s = singular_values(A)
    if tol is None:
        if rtol is None:
            rtol = max(A.shape[-2:]) * np.finfo(s.dtype).eps
        else:
            rtol = np.asarray(rtol)[..., None]
        tol = np.max(s, axis=-1, keepdims=True, initial=0) * rtol
    else:
        tol = np.asarray(tol)[..., None]
    return np.sum(s > tol, axis=-1)


@means(np.linalg.cond, unasked=True, complex=True)
def cond(x, p=None):
    x, p = matrices(x), known(p, "it says which norm")
    hash(p)  # or a TypeError, as NumPy has it
    if p is not None and p != 2 and p != -2:
        return condition_by_inverse(x, p)
    for n in x.shape[-2:]:
        if not at_least(n, 1) and n == 0:
            raise LinAlgError("cond is not defined on empty arrays")
    s = singular_values(x)
    r = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return np.where(np.isnan(r) & ~np.any(np.isnan(x), axis=(-2, -1)), np.inf, r).astype(r.dtype)[()]


def condition_by_inverse(x, p):
    """The product of two norms; where there is no inverse it is refused, since NumPy gives infinity there."""
    if x.dtype.kind not in "fc" or x.dtype in (np.float32, np.complex64):
        refuse(f"np.linalg.cond with p={p!r} of {x.dtype}", "Convert the matrix: x.astype(float).")
    if x.shape[-1] != x.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    ensure(np.all(np.linalg.det(x) != 0), "np.linalg.cond of a matrix without an inverse: test its determinant before")
    r = np.linalg.norm(x, p, (-2, -1)) * np.linalg.norm(np.linalg.inv(x), p, (-2, -1))
    return np.where(np.isnan(r) & ~np.any(np.isnan(x), axis=(-2, -1)), np.inf, r)[()]


# QR and least squares -----------------------------------------------------------------------------------
@means(np.linalg.qr, unasked=True, complex=True)
def qr(a, mode="reduced"):
    a, mode = matrices(a), known(mode, "it decides shapes")
    m, n = a.shape[-2], a.shape[-1]
    if mode not in ("reduced", "complete", "r"):
        if mode == "raw":
            refuse("np.linalg.qr with mode='raw'", "Write mode='reduced'.")
        raise ValueError(f"Unrecognized mode '{mode}'")
    if mode == "complete" and not at_least(n, m):
        return qr_complete(a)
    if at_least(m, n):
        result = qr_tall(a)
        return result[1] if mode == "r" else result
    q, r = qr_tall(a[..., :m])
    r = np.concatenate([r, mH(q) @ a[..., m:]], axis=-1)
    return r if mode == "r" else QRResult(q, r)


@means(np.linalg.lstsq, unasked=True, complex=True)
def lstsq(a, b, rcond=None):
    """What is small beside the largest singular value counts as 0; residuals are those of full rank."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if b.ndim != 1 and b.ndim != 2:
        raise LinAlgError(f"{b.ndim}-dimensional array given. Array must be two-dimensional")
    m, n = a.shape
    if m != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    whole = b[:, None] if b.ndim == 1 else b
    x, s, rank = lstsq_tall(a, whole) if is_tall(a) else lstsq_wide(a, whole)
    if rcond is not None:
        ensure(np.all((s > rcond * np.max(s, initial=0)) == (np.arange(len(s)) < rank)),
               "np.linalg.lstsq with rcond= that counts other singular values as 0 than rcond=None does. "
               "Write np.linalg.pinv(a, rcond) @ b.")
    if at_least(m, n + 1) or not at_least(n, m) and m > n:
        ensure(rank == n, "np.linalg.lstsq of a matrix that has not full rank, whose residuals NumPy leaves out")
        rest = whole - a @ x
        rest = np.sum(rest.real ** 2 + rest.imag ** 2 if rest.dtype.kind == "c" else rest ** 2, axis=0)
    else:
        rest = np.zeros(0, s.dtype)
    return (x[:, 0] if b.ndim == 1 else x), rest, rank, s


# products and inverses ----------------------------------------------------------------------------------
@means(np.linalg.matrix_power, unasked=True, complex=True)
def matrix_power(a, n):
    a = matrices(a)
    if not isinstance(n, (int, np.integer)):
        raise TypeError("exponent must be an integer")
    if a.shape[-2] != a.shape[-1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if not at_least(n, 0) and not at_least(0, n):
        return power_of_run_time(a, n)
    n = known(n, "it says how often it multiplies")
    if n == 0:
        return np.zeros_like(a) + np.eye(a.shape[-1], dtype=a.dtype)
    if n < 0:
        a, n = np.linalg.inv(a), -n
    if n == 1:
        return np.array(a)
    if n == 3:
        return a @ a @ a
    return times(a, n, None)


def power_of_run_time(a, n):
    """Where only the run time knows how often it multiplies."""
    if a.dtype.kind not in "fc":
        ensure(n >= 0, "np.linalg.matrix_power of integers, to a power below 0 that only the run time knows")
    if n == 0:
        return np.zeros_like(a) + np.eye(a.shape[-1], dtype=a.dtype)
    if a.dtype.kind in "fc" and n < 0:
        a, n = np.linalg.inv(a), -n
    while n % 2 == 0:
        a, n = a @ a, n // 2
    result = a
    while n > 1:
        a, n = a @ a, n // 2
        if n % 2 == 1:
            result = result @ a
    return result


def times(power, n, result):
    """result @ power^n"""
    if n % 2:
        result = power if result is None else result @ power
    return result if n < 2 else times(power @ power, n // 2, result)


@means(np.linalg.multi_dot, unasked=True, complex=True)
def multi_dot(arrays):
    arrays = [np.asarray(a) for a in arrays]
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return np.dot(arrays[0], arrays[1])
    for k, a in enumerate(arrays):
        if a.ndim != 2 and not (a.ndim == 1 and k in (0, len(arrays) - 1)):
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if arrays[-1].ndim == 1:
        result = arrays[-1]
        for a in arrays[-2::-1]:
            result = a @ result
        return result
    result = arrays[0]
    for a in arrays[1:]:
        result = result @ a
    return result


@means(np.linalg.tensorsolve, unasked=True, complex=True)
def tensorsolve(a, b, axes=None):
    a, b, axes = np.asarray(a), np.asarray(b), known(axes, "they are axes")
    if axes is not None:
        order = list(range(a.ndim))
        for k in axes:
            order.remove(k)
            order.append(k)
        a = np.transpose(a, order)
    shape = a.shape[b.ndim - a.ndim:] if b.ndim < a.ndim else a.shape
    count = product(shape)
    if a.size != count ** 2:
        raise LinAlgError("Input arrays must satisfy the requirement "
                          "            prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return np.linalg.solve(a.reshape(count, count), np.ravel(b)).reshape(shape)


@means(np.linalg.tensorinv, unasked=True, complex=True)
def tensorinv(a, ind=2):
    a, ind = np.asarray(a), known(ind, "it is a number of axes")
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    if a.ndim == 0:
        refuse("np.linalg.tensorinv of a number", "Write 1 / a.")
    rows, columns = a.shape[:ind], a.shape[ind:]
    return np.linalg.inv(a.reshape(product(columns), -1)).reshape(columns + rows)
