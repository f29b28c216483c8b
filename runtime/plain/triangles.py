"""Functions of SciPy's linear algebra that derivatives call, or that have one form for several of SciPy's."""
import warnings

import numpy as np


def _by_example(function, *operands):
    """SciPy's function of matrices, whose result is as large as the last of them, for stacks that broadcast."""
    stack = np.broadcast_shapes(*[x.shape[:-2] for x in operands])
    operands = [np.broadcast_to(x, stack + x.shape[-2:]) for x in operands]
    out = np.empty(operands[-1].shape, np.result_type(*operands))
    for place in np.ndindex(*stack):
        out[place] = function(*[x[place] for x in operands])
    return out


def solve_lower(a, b):
    """x with a @ x == b, where a is lower triangular: what it has above its diagonal is not read."""
    from scipy import linalg
    return _by_example(lambda a, b: linalg.solve_triangular(a, b, lower=True, check_finite=False), a, b)


def solve_upper(a, b):
    """x with a @ x == b, where a is upper triangular."""
    from scipy import linalg
    return _by_example(lambda a, b: linalg.solve_triangular(a, b, check_finite=False), a, b)


def expm_curve(a, e, f):
    """How expm_slope(a, e) moves where a moves along f: a part of the exponential of a matrix four times as large."""
    def one(a, e, f):
        from scipy import linalg
        n, nothing = len(a), np.zeros_like(a)
        whole = np.block([[a, e, f, nothing], [nothing, a, nothing, f], [nothing, nothing, a, e],
                          [nothing, nothing, nothing, a]])
        return linalg.expm(whole)[:n, 3 * n:]
    return _by_example(one, a, e, f)


def lu(a):
    """What LAPACK has of a square matrix: both factors in one, and which row each was exchanged with."""
    from scipy import linalg
    factors, pivots = np.empty(a.shape, a.dtype), np.empty(a.shape[:-1], np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place in np.ndindex(a.shape[:-2]):
            factors[place], pivots[place] = linalg.lu_factor(a[place], check_finite=False)
    return factors, pivots


def has_cholesky(a):
    """1.0 where np.linalg.cholesky has a result for a matrix, 0.0 where it raises."""
    return _raises_nothing(np.linalg.cholesky, a)


def has_upper_cholesky(a):
    """The same of np.linalg.cholesky(a, upper=True)."""
    return has_cholesky(a.T)


def has_pivots(a):
    """1.0 where a triangular matrix can be solved with: where it has no zero on its diagonal."""
    return a.dtype.type(np.all(np.diagonal(a) != 0))


def has_inverse(a):
    """1.0 where np.linalg.inv, and np.linalg.solve, have a result for a matrix, 0.0 where they raise."""
    return _raises_nothing(np.linalg.inv, a)


def _raises_nothing(function, a):
    try:
        function(a)
    except np.linalg.LinAlgError:
        return a.dtype.type(0)
    return a.dtype.type(1)


def factorise(a):
    """LU factors as LAPACK keeps them: columns first, and the rows counted from 1, in numbers of the matrix's dtype."""
    factors, exchanged = lu(a)
    return np.ascontiguousarray(factors.mT), (exchanged + 1).astype(a.dtype)


def substitute(factors, exchanged, b, transposed=False):
    """x with a @ x == b, or a.mT @ x == b, of what `factorise` gives of a."""
    from scipy import linalg
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    out = np.empty(np.broadcast_shapes(factors.shape[:-2], b.shape[:-2]) + b.shape[-2:], factors.dtype)
    b = np.broadcast_to(b, out.shape)
    core = factors.ndim - 2
    factors, exchanged = [np.broadcast_to(x, out.shape[:-2] + x.shape[core:]) for x in (factors, exchanged)]
    for place in np.ndindex(out.shape[:-2]):
        if (np.diagonal(factors[place]) == 0).any():
            raise np.linalg.LinAlgError("Singular matrix")
        pair = factors[place].T, exchanged[place].real.astype(np.int32) - 1
        out[place] = linalg.lu_solve(pair, b[place], int(transposed), check_finite=False)
    return out[..., 0] if vector else out


def square_root(a):
    """The principal square root of a matrix; no numbers where it is not real."""
    from scipy import linalg
    out = np.empty(a.shape, a.dtype)
    for place in np.ndindex(a.shape[:-2]):
        root = linalg.sqrtm(a[place])
        out[place] = root if root.dtype.kind != "c" or a.dtype.kind == "c" else np.nan
    return out


def sylvester(a, b, c):
    """x with a @ x + x @ b == c."""
    from scipy import linalg
    return _by_example(linalg.solve_sylvester, a, b, c)


def expm_slope(a, e):
    """How expm(a) moves where a moves along e: a part of the exponential of a larger matrix."""
    from scipy import linalg
    return _by_example(lambda a, e: linalg.expm(np.block([[a, e], [np.zeros_like(a), a]]))[:len(a), len(a):], a, e)
