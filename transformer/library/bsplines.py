"""scipy.interpolate: splines as sums of B-splines, and what SciPy has made of such.  C. de Boor, "A practical guide to
splines" (1978): at a point k + 1 B-splines of degree k are not 0, and a derivative is a spline of the differences of
the coefficients."""
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import interpolate

from .registry import at_least, known, means, read_as, refuse
from .shapes import axis_of
from .splines import Spline, cubic_spline

MODES = {0: 0, "extrapolate": 0, 1: 1, "zeros": 1, 2: 2, "raise": 2, 3: 3, "const": 3}


def values_of_basis(t, k, x):
    """(the number of the first B-spline that is not 0 at a point, and the values there of it and of the next k)"""
    interval = np.clip(np.searchsorted(t, x, "right") - 1, k, len(t) - k - 2)
    values = [np.ones_like(x)]
    for j in range(1, k + 1):
        found, saved = [], np.zeros_like(x)
        for r in range(j):
            after, before = t[interval + r + 1], t[interval + r + 1 - j]
            part = values[r] / (after - before)
            found.append(saved + (after - x) * part)
            saved = (x - before) * part
        values = [*found, saved]
    return interval - k, values


def differenced(t, c, k, nu):
    """The knots, coefficients and degree of a derivative of a spline."""
    for _ in [None] * nu:
        width = (t[k + 1:-1] - t[1:-k - 1]).reshape((-1,) + (1,) * (c.ndim - 1))
        some = width > 0  # what has no width is nowhere
        c = np.where(some, k * (c[1:] - c[:-1]) / np.where(some, width, 1.0), 0.0)
        t, k = t[1:-1], k - 1
    return t, c, k


def spline_at(t, c, k, x, nu):
    """A derivative of a spline at the points of a vector."""
    t, c, k = differenced(t, c[:len(t) - k - 1], k, nu)
    first, weights = values_of_basis(t, k, x)
    y = np.zeros(x.shape + c.shape[1:])
    for j in range(k + 1):
        y = y + weights[j].reshape((-1,) + (1,) * (c.ndim - 1)) * c[first + j]
    return y


@dataclass(frozen=True, eq=False)
class SumOfBasis:
    """scipy.interpolate.BSpline."""

    t: Any
    c: Any
    k: int
    axis: int
    extrapolate: Any

    def __call__(self, x, nu=0, extrapolate=None):
        nu, t, k = known(nu, "it is the order of a derivative"), self.t, self.k
        beyond = self.extrapolate if extrapolate is None else known(extrapolate, "it says what is beyond")
        x = np.asarray(x).astype(float)
        shape, x = x.shape, x.ravel()
        first, last = t[k], t[len(t) - k - 1]
        if beyond == "periodic":
            x = first + (x - first) % (last - first)
        y = spline_at(t, self.c, k, x, nu) if nu <= k else np.zeros(x.shape + self.c.shape[1:])
        if not beyond:
            y = np.where(((x >= first) & (x <= last)).reshape((-1,) + (1,) * (self.c.ndim - 1)), y, np.nan)
        return np.moveaxis(y.reshape(shape + self.c.shape[1:]), tuple(range(len(shape))),
                           tuple(range(self.axis, self.axis + len(shape))))

    def derivative(self, nu=1):
        refuse("a spline's derivative as a spline", "Call the spline with nu=1.")

    def antiderivative(self, nu=1):
        refuse("a spline's integral as a spline", "Call it outside of the function: B = b.antiderivative().")

    def integrate(self, a, b, extrapolate=None):
        refuse("the integral of a spline", "Make b.antiderivative() outside of the function, and take its difference.")


@means(interpolate.BSpline, unasked=True)
def sum_of_basis(t, c, k, extrapolate=True, axis=0):
    t, c, k = np.asarray(t).astype(float), np.asarray(c), known(k, "it is the degree of a spline")
    if c.dtype.kind not in "iuf":
        refuse(f"scipy.interpolate.BSpline of {c.dtype}", "Convert the coefficients: c.astype(float).")
    c, axis, n = c.astype(float), axis_of(known(axis, "it is an axis"), c.ndim), t.shape[0] - k - 1
    extrapolate = known(extrapolate, "it says what is beyond")
    c = np.moveaxis(c, axis, 0)
    if k < 0:
        raise ValueError("Spline order cannot be negative.")
    if t.ndim != 1:
        raise ValueError("Knot vector must be one-dimensional.")
    if n < k + 1:
        raise ValueError(f"Need at least {2 * k + 2} knots for degree {k}")
    if np.any(np.diff(t) < 0):
        raise ValueError("Knots must be in a non-decreasing order.")
    if np.all(t[k:n] == t[n]):
        raise ValueError("Need at least two internal knots.")
    if not np.all(np.isfinite(t)):
        raise ValueError("Knots should not have nans or infs.")
    if c.shape[0] < n:
        raise ValueError("Knots, coefficients and degree are inconsistent.")
    return SumOfBasis(t, c, k, axis, "periodic" if extrapolate == "periodic" else bool(extrapolate))


def of_fitpack(x, t, c, k, der, ext):
    """As FITPACK has it: what is beyond the knots is extended, 0, refused, or as at the end."""
    if der < 0 or der > k:
        raise ValueError(f"0<=der={der}<=k={k} must hold")
    if c.ndim != 1 or len(c) < len(t) - k - 1:
        refuse("scipy.interpolate.splev with fewer coefficients than it needs", "Give it one for each basis function.")
    x = np.asarray(x).astype(float)
    shape, x = x.shape, x.ravel()
    first, last = t[k], t[len(t) - k - 1]
    outside = (x < first) | (x > last)
    if ext == 2 and np.any(outside):
        raise ValueError("Found x value not in the domain")
    if ext == 3:
        x = np.clip(x, first, last)
    y = spline_at(t, c, k, x, der)
    return (np.where(outside, 0.0, y) if ext == 1 else y).reshape(shape)


@means(interpolate.splev, unasked=True)
def splev(x, tck, der=0, ext=0):
    der, ext = known(der, "it is the order of a derivative"), known(ext, "it says what is beyond")
    if isinstance(tck, SumOfBasis):
        if tck.c.ndim > 1:
            raise ValueError("Calling splev() with BSpline objects with c.ndim > 1 is not allowed. Use "
                             "BSpline.__call__(x) instead.")
        if ext != 0:
            raise ValueError(f"Extrapolation mode {ext} is not supported by BSpline.")
        return tck(x, der, True)
    t, c, k = tck
    t, k = np.asarray(t).astype(float), known(k, "it is the degree")
    if ext not in (0, 1, 2, 3):
        raise ValueError(f"ext = {ext} not in (0, 1, 2, 3) ")
    if isinstance(c, (list, tuple)) or c.ndim > 1:
        return [of_fitpack(x, t, np.asarray(row), k, der, ext) for row in c]
    return of_fitpack(x, t, np.asarray(c), k, der, ext)


@dataclass(frozen=True, eq=False)
class Fitted:
    """scipy.interpolate.UnivariateSpline and its kin."""

    tck: Any
    ext: Any

    def __call__(self, x, nu=0, ext=None):
        t, c, k = self.tck
        ext = MODES[self.ext if ext is None else known(ext, "it says what is beyond")]
        return of_fitpack(x, t, c, k, known(nu, "it is the order of a derivative"), ext)


# surfaces ------------------------------------------------------------------------------------------------
def on_surface(tx, ty, c, kx, ky, x, y, dx, dy):
    """A derivative at points (x, y), arrays that broadcast; what is beyond the knots is as at the border."""
    c = c.reshape(len(tx) - kx - 1, len(ty) - ky - 1)
    tx, c, kx = differenced(tx, c, kx, dx)
    ty, c, ky = differenced(ty, c.T, ky, dy)
    first_x, of_x = values_of_basis(tx, kx, np.clip(x, tx[kx], tx[len(tx) - kx - 1]))
    first_y, of_y = values_of_basis(ty, ky, np.clip(y, ty[ky], ty[len(ty) - ky - 1]))
    z = 0.0
    for i in range(kx + 1):
        for j in range(ky + 1):
            z = z + of_x[i] * of_y[j] * c[first_y + j, first_x + i]
    return z


def on_grid(tx, ty, c, kx, ky, x, y, dx, dy):
    x, y = np.atleast_1d(x).astype(float), np.atleast_1d(y).astype(float)
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError("First two entries should be rank-1 arrays.")
    if np.any(x[1:] < x[:-1]) or np.any(y[1:] < y[:-1]):
        raise ValueError("Invalid input data")
    return on_surface(tx, ty, c, kx, ky, x[:, None], y[None, :], dx, dy)


@means(interpolate.bisplev, unasked=True)
def bisplev(x, y, tck, dx=0, dy=0):
    tx, ty, c, kx, ky = tck
    kx, ky = known(kx, "it is a degree"), known(ky, "it is a degree")
    dx, dy = known(dx, "it is the order of a derivative"), known(dy, "it is the order of a derivative")
    if dx < 0 or dx >= kx:
        raise ValueError(f"0 <= dx = {dx} < kx = {kx} must hold")
    if dy < 0 or dy >= ky:
        raise ValueError(f"0 <= dy = {dy} < ky = {ky} must hold")
    z = on_grid(np.asarray(tx), np.asarray(ty), np.asarray(c), kx, ky, x, y, dx, dy)
    if known(z.shape[0], "it decides the shape") > 1:
        return z
    return z[0] if known(z.shape[1], "it decides the shape") > 1 else z[0][0]


@dataclass(frozen=True, eq=False)
class Surface:
    """scipy.interpolate.RectBivariateSpline and its kin."""

    tck: Any
    degrees: Any

    def __call__(self, x, y, dx=0, dy=0, grid=True):
        tx, ty, c = self.tck
        kx, ky = self.degrees
        dx, dy = known(dx, "it is the order of a derivative"), known(dy, "it is the order of a derivative")
        if dx >= kx or dy >= ky:
            refuse("a derivative of a surface of the order of its degree", "Take a surface of a higher degree.")
        if known(grid, "it decides the shape"):
            if np.ndim(x) > 1 or np.ndim(y) > 1:
                refuse("points of a grid that are no vectors", "Write spline(x, y, grid=False).")
            xs, ys = np.atleast_1d(x), np.atleast_1d(y)
            if np.any(xs[1:] < xs[:-1]):
                raise ValueError("x must be sorted to evaluate on a grid.")
            if np.any(ys[1:] < ys[:-1]):
                raise ValueError("y must be sorted to evaluate on a grid.")
            return on_grid(tx, ty, c, kx, ky, xs, ys, dx, dy)
        x, y = np.broadcast_arrays(np.asarray(x).astype(float), np.asarray(y).astype(float))
        return on_surface(tx, ty, c, kx, ky, x, y, dx, dy)

    def ev(self, xi, yi, dx=0, dy=0):
        return self(xi, yi, dx, dy, False)


# interp1d ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class LineBetween:
    """scipy.interpolate.interp1d, along the last axis or of a vector."""

    x: Any
    y: Any
    axis: int
    kind: Any
    bounds_error: Any
    extrapolate: Any
    below: Any = None
    above: Any = None
    spline: Any = None

    def __call__(self, x):
        x = np.asarray(x).astype(float)
        if self.y.ndim != 1:
            refuse("scipy.interpolate.interp1d of a matrix", "Call it for each of its rows, or use CubicSpline.")
        if self.y.dtype != np.float64:
            refuse(f"scipy.interpolate.interp1d of {self.y.dtype}", "Convert the values: y.astype(float).")
        if self.kind not in ("linear", "spline"):
            refuse(f"scipy.interpolate.interp1d of the kind {self.kind}", "Write y[np.searchsorted(xs, x)].")
        shape, x = x.shape, x.ravel()
        if self.bounds_error:
            for out, name, end in ((x < self.x[0], "below the interpolation range's minimum value", self.x[0]),
                                   (x > self.x[-1], "above the interpolation range's maximum value", self.x[-1])):
                if np.any(out):
                    raise ValueError(f"A value ({x[np.argmax(out)]}) in x_new is {name} ({end}).")
        if self.kind == "linear":
            high = np.clip(np.searchsorted(self.x, x), 1, len(self.x) - 1)
            low = high - 1
            slope = (self.y[high] - self.y[low]) / (self.x[high] - self.x[low])
            y = slope * (x - self.x[low]) + self.y[low]
        else:
            y = self.spline(x)
        if not self.extrapolate:
            y = np.where(x < self.x[0], np.ravel(self.below), np.where(x > self.x[-1], np.ravel(self.above), y))
        return y.reshape(shape)


@means(interpolate.interp1d, unasked=True)
def interp1d(x, y, kind="linear", axis=-1, bounds_error=None, fill_value=np.nan, assume_sorted=False):
    x, y, kind = np.asarray(x).astype(float), np.asarray(y), known(kind, "it says what is between")
    if kind not in ("linear", "cubic", 1, 3):
        refuse(f"scipy.interpolate.interp1d of the kind {kind}, made here", "Make it outside, or take kind='cubic'.")
    if x.ndim != 1 or y.ndim != 1:
        refuse("scipy.interpolate.interp1d of a matrix", "Take vectors.")
    if y.dtype not in (np.float64, np.int64):
        refuse(f"scipy.interpolate.interp1d of {y.dtype}", "Convert the values: y.astype(float).")
    if len(x) != len(y):
        raise ValueError("x and y arrays must be equal in length along interpolation axis.")
    if not at_least(len(y), 1):
        refuse("scipy.interpolate.interp1d of what may be no points", "Test the length before.")
    y = y.astype(float)
    if not known(assume_sorted, "it says what is sorted"):
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
    line = kind == "linear" or kind == 1
    return LineBetween(x, y, 0, "linear" if line else "spline", *what_is_beyond(fill_value, bounds_error),
                   None if line else cubic_spline(x, y))


def what_is_beyond(fill_value, bounds_error):
    """(does it raise there, does it go on, the value below, the value above)"""
    if isinstance(fill_value, str):
        if fill_value != "extrapolate":
            refuse(f"fill_value={fill_value}", "Write fill_value='extrapolate', or a number.")
        return bool(bounds_error), True, np.nan, np.nan
    if isinstance(fill_value, tuple):
        return bool(bounds_error), False, *fill_value
    none = bool(known(fill_value != fill_value, "it says what is raised"))
    return none if bounds_error is None else bool(bounds_error), False, fill_value, fill_value


# Hermite's -----------------------------------------------------------------------------------------------
def of_slopes(x, y, s, axis, extrapolate):
    """The cubic polynomials with these values and slopes."""
    h = (x[1:] - x[:-1]).reshape((-1,) + (1,) * (y.ndim - 1))
    slope = (y[1:] - y[:-1]) / h
    t = (s[:-1] + s[1:] - 2 * slope) / h
    return Spline(x, np.stack((t / h, (slope - s[:-1]) / h - t, s[:-1], y[:-1])), axis,
                  True if extrapolate is None else extrapolate)


def points_of_spline(x, y, axis):
    x, y = np.asarray(x).astype(float), np.asarray(y)
    if x.ndim != 1 or y.ndim == 0 or y.dtype.kind not in "iuf":
        refuse("a spline of what is no vector of points and an array of values", "Convert them to floats.")
    axis = axis_of(known(axis, "it is an axis"), y.ndim)
    y = np.moveaxis(y.astype(float), axis, 0)
    if len(x) != len(y):
        raise ValueError("The length of `y` along `axis`=0 doesn't match the length of `x`")
    if np.any(x[1:] <= x[:-1]):
        raise ValueError("`x` must be strictly increasing sequence.")
    return x, y, axis


@means(interpolate.CubicHermiteSpline, unasked=True)
def hermite(x, y, dydx, axis=0, extrapolate=None):
    x, y, axis = points_of_spline(x, y, axis)
    return of_slopes(x, y, np.moveaxis(np.asarray(dydx).astype(float), axis, 0), axis, extrapolate)


@means(interpolate.PchipInterpolator, unasked=True)
def pchip(x, y, axis=0, extrapolate=None):
    x, y, axis = points_of_spline(x, y, axis)
    if known(len(x), "it decides how slopes are found") < 2:
        raise ValueError("`x` must contain at least 2 elements.")
    h = (x[1:] - x[:-1]).reshape((-1,) + (1,) * (y.ndim - 1))
    m = (y[1:] - y[:-1]) / h
    if len(x) == 2:
        return of_slopes(x, y, np.concatenate([m, m]), axis, extrapolate)
    flat = (np.sign(m[1:]) != np.sign(m[:-1])) | (m[1:] == 0) | (m[:-1] == 0)
    w, v = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    mean = (w / np.where(flat, 1.0, m[:-1]) + v / np.where(flat, 1.0, m[1:])) / (w + v)
    inside = np.where(flat, 0.0, 1.0 / np.where(flat, 1.0, mean))
    s = np.concatenate([end_slope(h[:1], h[1:2], m[:1], m[1:2]), inside, end_slope(h[-1:], h[-2:-1], m[-1:], m[-2:-1])])
    return of_slopes(x, y, s, axis, extrapolate)


def end_slope(h, k, m, n):
    """That of a parabola through three points, as far as it keeps the shape."""
    d = ((2 * h + k) * m - h * n) / (h + k)
    steep = (np.sign(m) != np.sign(n)) & (np.abs(d) > 3 * np.abs(m))
    return np.where(np.sign(d) != np.sign(m), 0.0, np.where(steep, 3 * m, d))


for _cls in (interpolate.PchipInterpolator, interpolate.Akima1DInterpolator, interpolate.CubicHermiteSpline):
    read_as(_cls, Spline, {"x": "x", "c": "c", "axis": "axis", "extrapolate": "extrapolate"})
for _cls in (interpolate.UnivariateSpline, interpolate.LSQUnivariateSpline, interpolate.InterpolatedUnivariateSpline):
    read_as(_cls, Fitted, {"tck": "_eval_args", "ext": "ext"})
for _cls in (interpolate.RectBivariateSpline, interpolate.SmoothBivariateSpline, interpolate.LSQBivariateSpline):
    read_as(_cls, Surface, {"tck": "tck", "degrees": "degrees"})
read_as(interpolate.BSpline, SumOfBasis, {"t": "t", "c": "c", "k": "k", "axis": "axis", "extrapolate": "extrapolate"})
read_as(interpolate.interp1d, LineBetween, {
    "x": "x", "y": "y", "axis": "axis", "kind": "_kind", "bounds_error": "bounds_error", "extrapolate": "_extrapolate",
    "below": "_fill_value_below", "above": "_fill_value_above", "spline": "_spline"})
