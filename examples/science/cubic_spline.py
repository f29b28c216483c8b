"""A natural cubic spline: Thomas's algorithm for its second derivatives, evaluation with searchsorted.

The spline's second derivatives M solve a tridiagonal system (de Boor, "A practical guide to splines").
Reference: scipy.interpolate.CubicSpline with natural ends, and its slope for the gradient by t.
"""
import numpy as np
from scipy.interpolate import CubicSpline


def thomas(lower, diag, upper, rhs):
    n = len(diag)
    c, d = upper.copy(), rhs.copy()
    c[0] /= diag[0]
    d[0] /= diag[0]
    for i in range(1, n):
        m = diag[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] /= m
        d[i] = (d[i] - lower[i - 1] * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return d


class NaturalSpline:
    def __init__(self, x, y):
        self.x, self.y, self.h = x, y, np.diff(x)
        slope = np.diff(y) / self.h
        inner = thomas(self.h[1:-1], 2 * (self.h[:-1] + self.h[1:]), self.h[1:-1], 6 * np.diff(slope))
        self.M = np.r_[0.0, inner, 0.0]

    def __call__(self, t):
        i = np.clip(np.searchsorted(self.x, t) - 1, 0, len(self.x) - 2)
        h, a, b = self.h[i], self.x[i + 1] - t, t - self.x[i]
        M0, M1, y0, y1 = self.M[i], self.M[i + 1], self.y[i], self.y[i + 1]
        return (M0 * a**3 + M1 * b**3) / (6 * h) + (y0 / h - M0 * h / 6) * a + (y1 / h - M1 * h / 6) * b


def cubic_spline(x, y, t, data):
    spline = NaturalSpline(x, y)
    roughness = np.sum(spline.h * (spline.M[:-1] ** 2 + spline.M[:-1] * spline.M[1:] + spline.M[1:] ** 2)) / 3
    return np.sum((spline(t) - data) ** 2) + 1e-3 * roughness


ALSO = ("vmap", "hvp")


def arguments():
    x = np.array([0.0, 0.4, 1.1, 1.5, 2.3, 3.0])
    t = np.linspace(0.05, 2.95, 13)
    return x, np.sin(x), t, np.sin(1.1 * t)


def reference():
    x, y, t, data = arguments()
    spline = CubicSpline(x, y, bc_type="natural")
    h, M = np.diff(x), spline(x, 2)
    roughness = np.sum(h * (M[:-1] ** 2 + M[:-1] * M[1:] + M[1:] ** 2)) / 3
    misfit = spline(t) - data
    return {"value": np.sum(misfit**2) + 1e-3 * roughness, "rtol": 1e-12,
            "gradient": (None, None, 2.0 * misfit * spline(t, 1), -2.0 * misfit)}
