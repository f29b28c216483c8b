"""What to write instead of functions and classes that have no rule: the one table of it.

A key is what users call the function or class; one that ends in a dot stands for all whose names begin so.  Each row
has a program in `tests/refusals/advice.py` that follows what is said here, and gives what the refused one gives.
"""
from __future__ import annotations

SOLVE = ("Write scipy.integrate.solve_ivp(lambda t, y: f(y, t), (t[0], t[-1]), y0, t_eval=t, rtol=1e-8, "
         "atol=1e-8).y.T: its methods RK45 and RK23 are there.")
NODES = ("Write scipy.integrate.quad(f, a, b)[0] of each number, or sum the values at nodes with their weights: t, w = "
         "scipy.special.roots_legendre(n) are those of -1 to 1, and an integral from a to b is (b - a) / 2 * np.sum(w "
         "* f((a + b) / 2 + (b - a) / 2 * t)).")
ITERATE = "Write the iterations out, as a loop: Newton's method is x = x - f(x) / gs.grad(f)(x)."
PAIRWISE = "Write the distances: np.linalg.norm(a[:, None] - b[None], axis=-1)."
HINTS = {
    "functools.cmp_to_key": "Give what orders the items as a key: sorted(items, key=lambda item: ...).",
    "np.nditer": "Loop over x.ravel().",
    "np.poly1d": "Write np.polyval(coefficients, x).",
    "np.polynomial.polynomial.": "Write np.polyval(coefficients[::-1], x): it takes the highest power first.",
    "scipy.integrate.": NODES,
    "scipy.integrate.cumulative_simpson": "Write the sums of np.cumsum, of values times weights.",
    "scipy.integrate.cumulative_trapezoid": "Write np.cumsum((y[1:] + y[:-1]) / 2.0 * np.diff(x)).",
    "scipy.integrate.dblquad": "Write an integral of an integral: quad(lambda x: quad(lambda y: f(y, x), c, d)[0], a, "
                               "b)[0].",
    "scipy.integrate.odeint": SOLVE,
    "scipy.integrate.simpson": "Of an odd number of points at a distance h it is h / 3.0 * (y[0] + 4.0 * "
                               "np.sum(y[1:-1:2]) + 2.0 * np.sum(y[2:-1:2]) + y[-1]).",
    "scipy.integrate.trapezoid": "Write np.trapezoid(y, x).",
    "scipy.interpolate.": "Write np.interp(x, xp, fp) for straight lines, scipy.interpolate.CubicSpline(xp, fp)(x) for "
                          "curves.",
    "scipy.interpolate.RegularGridInterpolator":
        "Find the cell, i = np.searchsorted(xp, x) - 1, and weigh its corners: (1.0 - t) * f[i] + t * f[i + 1] with t "
        "= (x - xp[i]) / (xp[i + 1] - xp[i]), along one axis after the other.",
    "scipy.interpolate.griddata": "Weigh the values by the distances: w = 1.0 / d**2; np.sum(w * f) / np.sum(w).",
    "scipy.ndimage.map_coordinates":
        "Find the cell, i = np.floor(x).astype(int), and weigh its corners: (1.0 - t) * f[i] + t * f[i + 1] with t = x "
        "- i, along one axis after the other.",
    "pd.": "Call it before and pass arrays of what it gives; of dates and an index that are known when the function is "
           "transformed, pandas computes then.",
    "scipy.optimize.": ITERATE,
    "scipy.optimize.minimize": "Write the iterations out, as a loop: x = x - rate * gs.grad(f)(x).  Around all, "
                               "gs.optim.minimize minimises with our derivatives.",
    "scipy.sparse.": "Make the matrix before, outside of the function: A @ x and A.T @ x have derivatives.",
    "scipy.sparse.linalg.": "Solve with the full matrix: np.linalg.solve(A.toarray(), b), made before the call.",
    "scipy.spatial.distance.": PAIRWISE,
    "scipy.spatial.distance.pdist": "Write i, j = np.triu_indices(len(a), 1); np.linalg.norm(a[i] - a[j], axis=-1).",
    "scipy.spatial.transform.": "Write the turns, one after the other: Rotation.from_rotvec(angle * axis) is one, and "
                                "p * q is q and then p.",
    "scipy.stats.gaussian_kde": "Write np.mean(np.exp(-0.5 * ((t - x) / h) ** 2)) / (h * np.sqrt(2.0 * np.pi)).",
}

# functions of NumPy that do what others without a rule do, or that have taken the place of those of older NumPys
INSTEAD_OF = {"trapz": "trapezoid", "product": "prod", "cumproduct": "cumprod", "in1d": "isin", "row_stack": "vstack",
              "msort": "sort", "alltrue": "all", "sometrue": "any", "asfarray": "asarray", "round_": "round",
              "float_": "float64", "asscalar": "ndarray.item", "apply_over_axes": "sum with axis=(0, 1)",
              "unique_values": "unique",
              "asarray_chkfinite": "isfinite", "array2string": "round"}


def hint_of(title: str) -> str | None:
    """What to write instead of what users call by this name, if the table has it."""
    rows = [key for key in HINTS if title == key or key.endswith(".") and title.startswith(key)]
    return HINTS[max(rows, key=len)] if rows else None
