"""Functions of SciPy's linear algebra that derivatives call, or that have one form for several of SciPy's."""
import numpy as np


def _stacked(function, a, b):
    """SciPy's function of one matrix, for stacks of them."""
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = np.broadcast_to(a, stack + a.shape[-2:]), np.broadcast_to(b, stack + b.shape[-2:])
    out = np.empty(b.shape, np.result_type(a, b))
    for place in np.ndindex(*stack):
        out[place] = function(a[place], b[place])
    return out


def solve_lower(a, b):
    """x with a @ x == b, where a is lower triangular: what it has above its diagonal is not read."""
    from scipy import linalg
    return _stacked(lambda a, b: linalg.solve_triangular(a, b, lower=True, check_finite=False), a, b)


def solve_upper(a, b):
    """x with a @ x == b, where a is upper triangular."""
    from scipy import linalg
    return _stacked(lambda a, b: linalg.solve_triangular(a, b, check_finite=False), a, b)


def expm_slope(a, e):
    """How expm(a) moves where a moves along e: a part of the exponential of a larger matrix."""
    from scipy import linalg
    return _stacked(lambda a, e: linalg.expm(np.block([[a, e], [np.zeros_like(a), a]]))[:len(a), len(a):], a, e)
