"""Linear algebra and transforms of arrays of the device: for kernels of the CPU the calls of CuPy that give the same.

`solve` here stands for the kernel `_solve_kernel`, which says what its arguments are; here these are whole stacks.
Where CuPy fails, or what it gives is not finite, the call is done again on the CPU (`host.Stopped`), which knows what
NumPy gives or raises.  Eigenvectors and singular vectors may have other signs than NumPy's.
"""
from __future__ import annotations

import functools
import warnings

import numpy as np

from . import host
from .backend import arrays, systems


def form(kernel):
    """The function of the device that stands for a kernel of the CPU; None where there is none."""
    name = kernel.__name__.strip("_").removesuffix("_kernel")
    return functools.partial(by_rows, kernel) if name in ROWS else FORMS.get(name)


def sure(*values) -> None:
    """What is not finite, the CPU has to say."""
    for value in values:
        if not bool(arrays().isfinite(value).all()):
            raise host.KernelStopped


def store(*pairs) -> None:
    """(an array for a result, the result), ..."""
    sure(*[value for _, value in pairs])
    for out, value in pairs:
        out[...] = value


def stacked(out, *args) -> list:
    """The arguments for each place of the stack that `out` has: CuPy does not broadcast them.

    args  (an array, how many of its last axes are one example's)
    """
    rank = args[0][1]
    stack = out.shape[:len(out.shape) - rank]
    return [arrays().broadcast_to(x, (*stack, *x.shape[x.ndim - core:])) for x, core in args]


def mH(x):
    return x.swapaxes(-2, -1).conj()


def each(function, out, *args):
    """A function of one example, called for all of a stack: `out` is an array for its result."""
    stack = out.shape[:-2]
    args = [arrays().broadcast_to(x, (*stack, *x.shape[x.ndim - core:])) for x, core in args]
    for place in np.ndindex(*stack):
        value = function(*[x[place] for x in args])
        sure(value)
        out[place] = value


# systems of equations ---------------------------------------------------------------------------------------
def gpu_solve(a, b, x):
    if b.ndim == 1:
        b, x = b[:, None], x[..., None]
    store((x, arrays().linalg.solve(*stacked(x, (a, 2), (b, 2)))))


def gpu_inv(a, y):
    store((y, arrays().linalg.inv(a)))


def gpu_inverse(a, y):
    gpu_inv(a, y)


def gpu_factorise(a, factors, exchanged):
    """As LAPACK keeps them: columns first, and the rows counted from 1, in numbers of the matrix's dtype."""
    for place in np.ndindex(a.shape[:-2]):
        both, pivots = factors_of(a[place])
        factors[place] = both.T
        exchanged[place] = pivots + 1


def gpu_lu(a, factors, pivots):
    for place in np.ndindex(a.shape[:-2]):
        factors[place], pivots[place] = factors_of(a[place])


def factors_of(a):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of singular matrices: who divides by the factors says it
        both, pivots = systems().lu_factor(a, check_finite=False)
    sure(both)
    return both, pivots


def gpu_substitute(factors, exchanged, b, x, transposed=0):
    if b.ndim == 1:
        b, x = b[:, None], x[..., None]

    def one(factors, exchanged, b):
        pivots = exchanged.real.astype(np.int32) - 1
        return systems().lu_solve((factors.T, pivots), b, transposed, check_finite=False)

    each(one, x, (factors, 2), (exchanged, 1), (b, 2))


def gpu_substitute_transposed(factors, exchanged, b, x):
    gpu_substitute(factors, exchanged, b, x, 1)


def gpu_solve_lower(a, b, x):
    each(lambda a, b: systems().solve_triangular(a, b, lower=True, check_finite=False), x, (a, 2), (b, 2))


def gpu_solve_upper(a, b, x):
    each(lambda a, b: systems().solve_triangular(a, b, lower=False, check_finite=False), x, (a, 2), (b, 2))


def gpu_lstsq(a, b, x, s, rank):
    solution, _, count, values = arrays().linalg.lstsq(a, b, rcond=None)
    store((x, solution), (s, values))
    rank[...] = count


def gpu_pinv(a, y):
    store((y, arrays().linalg.pinv(a, rcond=1e-15)))


# determinants -----------------------------------------------------------------------------------------------
def gpu_det(a, y):
    store((y, arrays().linalg.det(a)))


def gpu_slogdet(a, sign, logarithm):
    store(*zip((sign, logarithm), arrays().linalg.slogdet(a)))


def gpu_cofactors(a, y):
    """det(a) times the inverse of a, transposed; the CPU's where that has not half the digits of the dtype."""
    inverse, det = arrays().linalg.inv(a), arrays().linalg.det(a)
    store((y, det[..., None, None] * inverse.swapaxes(-2, -1)))
    limits = np.finfo(a.dtype)
    sizes = [abs(x).sum(axis=-2).max(axis=-1) for x in (a, inverse)]
    if not bool(((sizes[0] * sizes[1] * limits.eps ** 0.5 < 1) & (abs(det) > limits.tiny)).all()):
        raise host.KernelStopped


# factors ----------------------------------------------------------------------------------------------------
def gpu_cholesky(a, y):
    store((y, arrays().linalg.cholesky(a)))


def gpu_cholesky_upper(a, y):
    store((y, mH(arrays().linalg.cholesky(mH(a)))))


def gpu_eigh(a, w, v):
    store(*zip((w, v), arrays().linalg.eigh(a, "L")))


def gpu_eigh_upper(a, w, v):
    store(*zip((w, v), arrays().linalg.eigh(a, "U")))


def gpu_eigvalsh(a, w):
    store((w, arrays().linalg.eigvalsh(a)))


def gpu_svd(a, u, s, vt):
    full = u.shape[-1] > s.shape[-1] or vt.shape[-2] > s.shape[-1]
    store(*zip((u, s, vt), arrays().linalg.svd(a, full_matrices=full)))


def gpu_svdvals(a, s):
    store((s, arrays().linalg.svd(a, compute_uv=False)))


def gpu_qr(a, q, r):
    store(*zip((q, r), arrays().linalg.qr(a)))


# parts of matrices, and their exponential ---------------------------------------------------------------------
def gpu_lower_part(a, y):
    y[...] = arrays().tril(a)


def gpu_half(a, y):
    one = arrays().eye(a.shape[-1], dtype=bool)
    y[...] = arrays().where(one, a / 2, arrays().tril(a))


def gpu_gaps(w, y):
    one = arrays().eye(w.shape[-1], dtype=bool)
    apart = arrays().where(one, w.dtype.type(1), w[..., None, :] - w[..., :, None])
    y[...] = arrays().where(one, w.dtype.type(0), 1 / apart)


def gpu_expm(a, y):
    each(systems().expm, y, (a, 2))


def gpu_slope(a, e, y):
    def one(a, e):
        n = a.shape[0]
        return systems().expm(gpu_blocks([[a, e], [None, a]]))[:n, n:]

    each(one, y, (a, 2), (e, 2))


def gpu_curve(a, e, f, y):
    def one(a, e, f):
        n = a.shape[0]
        whole = gpu_blocks([[a, e, f, None], [None, a, None, f], [None, None, a, e], [None, None, None, a]])
        return systems().expm(whole)[:n, 3 * n:]

    each(one, y, (a, 2), (e, 2), (f, 2))


def gpu_blocks(rows):
    """A matrix of square ones, of zeros where there is None."""
    n, count = rows[0][0].shape[0], len(rows)
    whole = arrays().zeros((count * n, count * n), rows[0][0].dtype)
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            if x is not None:
                whole[i * n:(i + 1) * n, j * n:(j + 1) * n] = x
    return whole


# transforms -------------------------------------------------------------------------------------------------
def gpu_fft(a, y):
    y[...] = arrays().fft.fft(a)


def gpu_ifft(a, y):
    y[...] = arrays().fft.ifft(a)


def gpu_fft_of_reals(a, y):
    y[...] = arrays().fft.fft(a.real)


def gpu_real_part(a, y):
    y[...] = arrays().fft.fft(a).real


# row by row ---------------------------------------------------------------------------------------------------
ROWS = ("before", "behind", "recurrence_before", "recurrence_behind")  # kernels that a thread can run as they stand


def by_rows(kernel, *args):
    from . import rows  # which needs a device
    rows.by_rows(kernel, *args)


FORMS = {f.__name__.removeprefix("gpu_"): f for f in (
    gpu_solve, gpu_inv, gpu_inverse, gpu_factorise, gpu_lu, gpu_substitute, gpu_substitute_transposed, gpu_solve_lower,
    gpu_solve_upper, gpu_lstsq, gpu_pinv, gpu_det, gpu_slogdet, gpu_cofactors, gpu_cholesky, gpu_cholesky_upper,
    gpu_eigh, gpu_eigh_upper, gpu_eigvalsh, gpu_svd, gpu_svdvals, gpu_qr, gpu_lower_part, gpu_half, gpu_gaps, gpu_expm,
    gpu_slope, gpu_curve, gpu_fft, gpu_ifft, gpu_fft_of_reals, gpu_real_part)}
