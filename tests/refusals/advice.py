"""Programs that follow what refusals advise: for each row of the table of hints one that is refused, and one that is
written as the hint says and gives the same numbers."""
import functools

import numpy as np
import pandas as pd
import scipy.integrate
import scipy.interpolate
import scipy.ndimage
import scipy.optimize
import scipy.sparse.linalg
import scipy.spatial
import scipy.special
import scipy.stats

import gradscribe as gs

POINTS, VALUES = np.linspace(0.0, 2.0, 5), np.array([1.0, 0.5, 2.0, 1.5, 3.0])
GRID = np.linspace(0.0, 1.0, 5)
NEAR = np.array([[0.1, 0.7], [0.9, 0.2]])
MATRIX = scipy.sparse.csc_matrix(np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 5.0]]))
LINE = scipy.interpolate.interp1d(POINTS, VALUES)
PLANE = scipy.interpolate.RegularGridInterpolator((POINTS,), VALUES)
DAYS = pd.date_range("2024-06-03", periods=3)
PARABOLA = np.array([1.0, -2.0, 0.5])


def decay(y, t):
    return -y


def sorted_by_comparison(x):
    return sorted([x[0], x[1], x[2]], key=functools.cmp_to_key(lambda a, b: -1 if a * a < b * b else 1))[0]


def sorted_by_key(x):
    return sorted([x[0], x[1], x[2]], key=lambda a: a * a)[0]


def nditer(x):
    total = 0.0
    for value in np.nditer(x):
        total = total + float(value) ** 2
    return total


def ravelled(x):
    total = 0.0
    for value in x.ravel():
        total = total + value ** 2
    return total


def poly1d(x):
    return np.poly1d(PARABOLA)(x[0])


def polyval(x):
    return np.polyval(PARABOLA, x[0])


def polynomial(x):
    return np.polynomial.Polynomial(PARABOLA)(x[0])


def polyval_of_reversed(x):
    return np.polyval(PARABOLA[::-1], x[0])


def quad_vec(x):
    return scipy.integrate.quad_vec(lambda t: np.exp(-x[0] * t), 0.0, x[1])[0]


def dblquad(x):
    return scipy.integrate.dblquad(lambda s, t: np.exp(-x[0] * t * s), 0.0, x[1], 0.0, 1.0)[0]


def quad_of_quad(x):
    quad = scipy.integrate.quad
    return quad(lambda t: quad(lambda s: np.exp(-x[0] * t * s), 0.0, 1.0)[0], 0.0, x[1])[0]


def legendre(x):
    t, w = scipy.special.roots_legendre(20)
    a, b = 0.0, x[1]
    return (b - a) / 2 * np.sum(w * np.exp(-x[0] * ((a + b) / 2 + (b - a) / 2 * t)))


def cumulative_simpson(x):
    return scipy.integrate.cumulative_simpson(x, dx=1.0)[1]


def cumulative_weights(x):
    return np.cumsum(x * np.array([1.0, 4.0, 1.0]) / 3.0)[2]


def cumulative_trapezoid(x):
    return np.sum(scipy.integrate.cumulative_trapezoid(x, GRID[:3]) ** 2)


def cumulative_means(x):
    return np.sum(np.cumsum((x[1:] + x[:-1]) / 2.0 * np.diff(GRID[:3])) ** 2)


def odeint(x):
    return scipy.integrate.odeint(decay, x, GRID, rtol=1e-12, atol=1e-12)[-1, 0]


def solve_ivp(x):
    return scipy.integrate.solve_ivp(lambda t, y: decay(y, t), (GRID[0], GRID[-1]), x, t_eval=GRID, rtol=1e-12,
                                     atol=1e-12).y.T[-1, 0]


def simpson(x):
    return scipy.integrate.simpson(x, dx=0.5)


def simpson_sum(x):
    h = 0.5
    return h / 3.0 * (x[0] + 4.0 * np.sum(x[1:-1:2]) + 2.0 * np.sum(x[2:-1:2]) + x[-1])


def trapezoid_of_scipy(x):
    return scipy.integrate.trapezoid(x, GRID[:3])


def trapezoid(x):
    return np.trapezoid(x, GRID[:3])


def spline_by_splrep(x):
    return np.sum(scipy.interpolate.splev(x, scipy.interpolate.splrep(LINE.x, LINE.y, k=1)) ** 2)


def interp(x):
    return np.sum(np.interp(x, POINTS, VALUES) ** 2)


def regular_grid(x):
    return np.sum(PLANE(x))


def weighed_corners(x):
    i = np.searchsorted(POINTS, x) - 1
    t = (x - POINTS[i]) / (POINTS[i + 1] - POINTS[i])
    return np.sum((1.0 - t) * VALUES[i] + t * VALUES[i + 1])


def griddata(x):
    return scipy.interpolate.griddata(GRID[:2], x[:2], 0.125)


def weighed(x):
    w = 1.0 / np.abs(GRID[:2] - 0.125)
    return np.sum(w * x[:2]) / np.sum(w)


def map_coordinates(x):
    return np.sum(scipy.ndimage.map_coordinates(VALUES, [x], order=1))


def weighed_cells(x):
    i = np.floor(x).astype(int)
    t = x - i
    return np.sum((1.0 - t) * VALUES[i] + t * VALUES[i + 1])


def fsolve(x):
    return scipy.optimize.fsolve(lambda t: t ** 3 - x[0], 1.0, xtol=1e-14)[0]


def newton(x):
    def f(t):
        return t ** 3 - x[0]

    t = 1.0
    for k in range(30):
        t = t - f(t) / gs.grad(f)(t)
    return t


def minimize(x):
    return scipy.optimize.minimize(lambda t: np.sum((t - x) ** 2), np.zeros(3), tol=1e-12).x[0]


def descent(x):
    def f(t):
        return np.sum((t - x) ** 2)

    t = np.zeros(3)
    for k in range(60):
        t = t - 0.25 * gs.grad(f)(t)
    return t[0]


def sparse(x):
    return np.sum((scipy.sparse.csc_matrix(MATRIX) @ x) ** 2)


def sparse_from_outside(x):
    return np.sum((MATRIX @ x) ** 2)


def spsolve(x):
    return np.sum(scipy.sparse.linalg.spsolve(MATRIX, x) ** 2)


FULL = MATRIX.toarray()


def solve(x):
    return np.sum(np.linalg.solve(FULL, x) ** 2)


def cdist(x):
    return np.sum(scipy.spatial.distance.cdist(np.stack([x, x * x], 1), NEAR))


def distances(x):
    a = np.stack([x, x * x], 1)
    return np.sum(np.linalg.norm(a[:, None] - NEAR[None], axis=-1))


def pdist(x):
    return np.sum(scipy.spatial.distance.pdist(np.stack([x, x * x], 1)))


def pairs(x):
    a = np.stack([x, x * x], 1)
    i, j = np.triu_indices(len(a), 1)
    return np.sum(np.linalg.norm(a[i] - a[j], axis=-1))


def rotation(x):
    turns = scipy.spatial.transform.Rotation.from_davenport(np.eye(3)[[2, 0]], "intrinsic", x[:2])
    return np.sum(turns.as_matrix() @ np.array([1.0, 2.0, 3.0]))


def rotations(x):
    Rotation = scipy.spatial.transform.Rotation
    p, q = [Rotation.from_rotvec(angle * axis) for angle, axis in zip(x, np.eye(3)[[2, 0]])]
    return np.sum((p * q).as_matrix() @ np.array([1.0, 2.0, 3.0]))


def gaussian_kde(x):
    return scipy.stats.gaussian_kde(x, "scott")(0.5)[0]


def kernels(x):
    h = np.std(x, ddof=1) * len(x) ** -0.2
    return np.mean(np.exp(-0.5 * ((0.5 - x) / h) ** 2)) / (h * np.sqrt(2.0 * np.pi))


def series(x):
    return pd.Series(x, DAYS).rolling(2).sum().to_numpy()[1:].sum() * DAYS.day.to_numpy()[0]


def arrays_of_days(x):
    return np.sum(x[1:] + x[:-1]) * np.asarray(DAYS.day)[0]


ADVICE = {  # row of the table of hints -> (what is refused, what is written as it says)
    "functools.cmp_to_key": (sorted_by_comparison, sorted_by_key),
    "np.nditer": (nditer, ravelled),
    "np.poly1d": (poly1d, polyval),
    "np.polynomial.polynomial.": (polynomial, polyval_of_reversed),
    "scipy.integrate.": (quad_vec, legendre),
    "scipy.integrate.cumulative_simpson": (cumulative_simpson, cumulative_weights),
    "scipy.integrate.cumulative_trapezoid": (cumulative_trapezoid, cumulative_means),
    "scipy.integrate.dblquad": (dblquad, quad_of_quad),
    "scipy.integrate.odeint": (odeint, solve_ivp),
    "pd.": (series, arrays_of_days),
    "scipy.integrate.simpson": (simpson, simpson_sum),
    "scipy.integrate.trapezoid": (trapezoid_of_scipy, trapezoid),
    "scipy.interpolate.": (spline_by_splrep, interp),
    "scipy.interpolate.RegularGridInterpolator": (regular_grid, weighed_corners),
    "scipy.interpolate.griddata": (griddata, weighed),
    "scipy.ndimage.map_coordinates": (map_coordinates, weighed_cells),
    "scipy.optimize.": (fsolve, newton),
    "scipy.optimize.minimize": (minimize, descent),
    "scipy.sparse.": (sparse, sparse_from_outside),
    "scipy.sparse.linalg.": (spsolve, solve),
    "scipy.spatial.distance.": (cdist, distances),
    "scipy.spatial.distance.pdist": (pdist, pairs),
    "scipy.spatial.transform.": (rotation, rotations),
    "scipy.stats.gaussian_kde": (gaussian_kde, kernels),
}
