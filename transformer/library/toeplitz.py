"""scipy.linalg.solve_toeplitz: by the recursion of N. Levinson, 1947, as SciPy has it."""
import numpy as np
from scipy import linalg as sl

from gradscribe import runtime as rt

from .registry import at_least, means, moving_as, refuse
from .scipy_linalg import checked, right_side, toeplitz


@means(sl.solve_toeplitz, unasked=True)
def solve_toeplitz(c_or_cr, b, check_finite=True):
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, c_or_cr)
    c, r, b = checked(c, check_finite), checked(r, check_finite), right_side(b, check_finite)
    if c.ndim != 1 or r.ndim != 1:
        refuse("scipy.linalg.solve_toeplitz of several matrices", "Take one, with gs.vmap for several.")
    if any([x.dtype.kind == "c" for x in (c, r, b)]):
        refuse("scipy.linalg.solve_toeplitz of complex numbers", "Solve with the matrix, scipy.linalg.toeplitz(c, r).")
    if len(c) != len(r) or len(b) != len(c):
        raise ValueError("Incompatible dimensions.")
    if not at_least(len(c), 1):
        refuse("scipy.linalg.solve_toeplitz of what may be empty", "Test the length before.")
    c, r, b = c.astype(float), r.astype(float), b.astype(float)
    sides = b[:, None] if b.ndim == 1 else b
    found = levinson(*map(rt.stop_gradient, (c, r, sides)))
    x = moving_as(rt.stop_gradient(found), np.linalg.solve(toeplitz(c, r), sides))
    return x[:, 0] if b.ndim == 1 else x


def levinson(c, r, b):
    """The solutions for the leading blocks of the matrix, each made of the one before it. `g` solves a block for the
    row that comes next, `h` for the column."""
    n = len(c)
    x, g, h = np.zeros(b.shape), np.zeros(n), np.zeros(n)
    is_regular(c[0])
    x[0] = b[0] / c[0]
    if n > 1:
        g[0], h[0] = r[1] / c[0], c[1] / c[0]
    for m in range(1, n):
        down = c[1:m + 1] @ g[:m] - c[0]
        is_regular(down)
        x[m] = (c[m:0:-1] @ x[:m] - b[m]) / down
        x[:m] -= g[:m][::-1, None] * x[m]
        if m < n - 1:
            across = r[1:m + 1] @ h[:m] - c[0]
            is_regular(across)
            g[m], h[m] = (r[m:0:-1] @ g[:m] - r[m + 1]) / across, (c[m:0:-1] @ h[:m] - c[m + 1]) / down
            g[:m], h[:m] = g[:m] - g[m] * h[:m][::-1], h[:m] - h[m] * g[:m][::-1]
    return x


def is_regular(minor):
    if minor == 0:
        raise np.linalg.LinAlgError("Singular principal minor")
