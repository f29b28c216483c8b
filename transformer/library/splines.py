"""scipy.interpolate.CubicSpline: the slopes at the knots by elimination, and between them polynomials."""
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import interpolate

from .registry import at_least, known, means, read_as, refuse
from .shapes import axis_of


@dataclass(frozen=True, eq=False)
class Spline:
    """What np.interp is with straight lines, with polynomials: in c are the coefficients, that of the highest power
    first."""

    x: Any
    c: Any
    axis: int
    extrapolate: Any

    def __call__(self, x, nu=0, extrapolate=None):
        nu = known(nu, "it is the order of a derivative")
        beyond = self.extrapolate if extrapolate is None else known(extrapolate, "it says what is beyond")
        t = np.asarray(x).astype(float)
        shape, t = t.shape, t.ravel()
        if beyond == "periodic":
            t = self.x[0] + (t - self.x[0]) % (self.x[-1] - self.x[0])
        k = np.clip(np.searchsorted(self.x, t, "right") - 1, 0, len(self.x) - 2)
        d = (t - self.x[k]).reshape((-1,) + (1,) * (self.c.ndim - 2))
        y = np.zeros(t.shape + self.c.shape[2:])
        degree = known(self.c.shape[0], "it is a degree") - 1
        for power in range(degree, nu - 1, -1):
            factor = 1.0
            for n in range(power, power - nu, -1):
                factor = factor * n
            y = y * d + factor * self.c[degree - power][k]
        if not beyond:
            inside = ((t >= self.x[0]) & (t <= self.x[-1])).reshape(d.shape)
            y = np.where(inside, y, np.nan)
        return np.moveaxis(y.reshape(shape + self.c.shape[2:]), tuple(range(len(shape))),
                           tuple(range(self.axis, self.axis + len(shape))))

    def derivative(self, nu=1):
        nu, degree = known(nu, "it is the order of a derivative"), known(self.c.shape[0], "it is a degree") - 1
        if nu < 0 or nu > degree:
            refuse("a spline's integral as a spline", "Sum the integrals between knots: their coefficients are in c.")
        c = self.c
        for n in [*range(degree, degree - nu, -1)]:
            c = c[:-1] * np.arange(n, 0, -1).reshape((-1,) + (1,) * (c.ndim - 1))
        return Spline(self.x, c, self.axis, self.extrapolate)

    def antiderivative(self, nu=1):
        refuse("a spline's integral as a spline", "Sum the integrals between knots: their coefficients are in c.")

    def integrate(self, a, b, extrapolate=None):
        refuse("the integral of a spline", "Sum the integrals between knots: their coefficients are in c.")

    def roots(self, discontinuity=True, extrapolate=None):
        refuse("the zeros of a spline: implicit derivatives are not there yet", "Write Newton's method as a loop.")

    def solve(self, y=0.0, discontinuity=True, extrapolate=None):
        refuse("a spline solved for its argument: implicit derivatives are not there yet",
               "Write Newton's method as a loop.")


def fewer(n, count):
    """Are there fewer points?"""
    if at_least(n, count):
        return False
    if not at_least(count - 1, n):
        refuse("scipy.interpolate.CubicSpline of as many points as only the run time knows",
               "Give it arrays that are as long as arguments are.")
    return True


@means(interpolate.CubicSpline, unasked=True)
def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    x, y, bc_type = np.asarray(x).astype(float), np.asarray(y), known(bc_type, "it says what holds at the ends")
    if y.dtype.kind not in "iuf":
        refuse(f"scipy.interpolate.CubicSpline of {y.dtype}", "Convert the values: y.astype(float).")
    if y.ndim == 0:
        refuse("scipy.interpolate.CubicSpline of a number", "Give it an array.")
    axis = axis_of(known(axis, "it is an axis"), y.ndim)
    y = np.moveaxis(y.astype(float), axis, 0)
    if x.ndim != 1:
        raise ValueError("`x` must be 1-dimensional.")
    if len(x) != len(y):
        raise ValueError("The length of `y` along `axis`=0 doesn't match the length of `x`")
    if fewer(len(x), 2):
        raise ValueError("`x` must contain at least 2 elements.")
    if np.any(x[1:] <= x[:-1]):
        raise ValueError("`x` must be strictly increasing sequence.")
    first, last = ends_of(bc_type)
    for end in (first, last):
        if not isinstance(end, str) and end[1] != 0.0 and np.shape(end[1]) != y.shape[1:]:
            raise ValueError(f"`deriv_value` shape {np.shape(end[1])} is not the expected one {y.shape[1:]}.")
    if extrapolate is None:
        extrapolate = "periodic" if first == "periodic" else True
    h = (x[1:] - x[:-1]).reshape((-1,) + (1,) * (y.ndim - 1))
    slope = (y[1:] - y[:-1]) / h
    if first == "periodic":
        if np.any(np.abs(y[0] - y[-1]) > 1e-15 + 1e-15 * np.abs(y[-1])):
            raise ValueError("The first and last `y` point along axis 0 must be identical (within machine precision) "
                             "when bc_type='periodic'.")
        s = periodic_slopes(h, slope)
    else:
        s = slopes(h, slope, first, last)
    t = (s[:-1] + s[1:] - 2 * slope) / h
    return Spline(x, np.stack((t / h, (slope - s[:-1]) / h - t, s[:-1], y[:-1])), axis, extrapolate)


def ends_of(bc_type):
    """What holds at both ends: "not-a-knot", or (order of a derivative, its value)"""
    if isinstance(bc_type, str):
        bc_type = (bc_type, bc_type)
    if len(bc_type) != 2:
        raise ValueError("`bc_type` must contain 2 elements to specify start and end conditions.")
    found = []
    for end in bc_type:
        if end == "natural":
            end = (2, 0.0)
        elif end == "clamped":
            end = (1, 0.0)
        elif isinstance(end, str) and end not in ("not-a-knot", "periodic"):
            raise ValueError(f"bc_type={end} is not allowed.")
        elif not isinstance(end, str) and (len(end) != 2 or end[0] not in (1, 2)):
            raise ValueError("The specified derivative order must be 1 or 2.")
        found.append(end)
    if found[0] != found[1] and "periodic" in found:
        raise ValueError("'periodic' `bc_type` is defined for both curve ends and cannot be used with other boundary "
                         "conditions.")
    return found


def slopes(h, slope, first, last):
    """The derivatives at the knots of a spline whose second derivative has no jumps."""
    n = h.shape[0] + 1
    if isinstance(first, str) and isinstance(last, str) and fewer(n, 4):
        if fewer(n, 3):
            return np.concatenate([slope, slope])
        change = (slope[1:] - slope[:-1]) / (h[:1] + h[1:])  # of three points a parabola
        return np.concatenate([slope[:1] - change * h[:1], slope[:1] + change * h[:1], slope[1:] + change * h[1:]])
    if fewer(n, 3) and (isinstance(first, str) or isinstance(last, str)):
        first = (1, slope[0]) if isinstance(first, str) else first
        last = (1, slope[-1]) if isinstance(last, str) else last
    if not isinstance(last, str) and last[0] == 2:  # seen from behind: a slope has the other sign there
        last = (2, -last[1])
    main, upper, right = end_row(h, slope, first)
    tail_main, lower, tail_right = end_row(h[::-1], slope[::-1], last)
    return eliminated(np.concatenate([h[1:], lower]), np.concatenate([main, 2 * (h[:-1] + h[1:]), tail_main]),
                      np.concatenate([upper, h[:-1]]),
                      np.concatenate([right, 3 * (h[1:] * slope[:-1] + h[:-1] * slope[1:]), tail_right]))


def end_row(h, slope, end):
    """The equation of the first knot: (its own coefficient, that of the next one, the right-hand side)"""
    if isinstance(end, str):
        width = h[:1] + h[1:2]
        return h[1:2], width, ((h[:1] + 2 * width) * h[1:2] * slope[:1] + h[:1] ** 2 * slope[1:2]) / width
    order, value = end
    if order == 1:
        return np.ones_like(h[:1]), np.zeros_like(h[:1]), value + 0.0 * slope[:1]
    return 2 * h[:1], h[:1], -0.5 * value * h[:1] ** 2 + 3 * (slope[:1] * h[:1])


def eliminated(under, middle, over, right):
    """The solution of a system with three diagonals, by elimination."""
    n = middle.shape[0]
    x = right + 0.0 * middle
    pivots = middle + 0.0
    for k in range(1, n):
        factor = under[k - 1] / pivots[k - 1]
        pivots[k] -= factor * over[k - 1]
        x[k] -= factor * x[k - 1]
    x[n - 1] = x[n - 1] / pivots[n - 1]
    for k in range(n - 2, -1, -1):
        x[k] = (x[k] - over[k] * x[k + 1]) / pivots[k]
    return x


def periodic_slopes(h, slope):
    """The first knot is the last one: without it the system has three diagonals, for two right-hand sides."""
    n = h.shape[0]  # of different knots
    if fewer(n, 2):
        return np.zeros_like(np.concatenate([slope, slope]))
    if fewer(n, 3):
        both = (slope[:1] / h[:1] + slope[1:] / h[1:]) / (1 / h[:1] + 1 / h[1:])
        return np.concatenate([both, both, both])
    before, slope_before = np.concatenate([h[-1:], h[:-1]]), np.concatenate([slope[-1:], slope[:-1]])
    right = 3 * (h * slope_before + before * slope)
    middle = 2 * (h + before)
    under, over = h[1:-1], before[:-2]
    one = eliminated(under, middle[:-1], over, right[:-1])
    ends = np.concatenate([-h[:1], np.zeros_like(h[1:-2]), -before[-2:-1]])
    two = eliminated(under, middle[:-1], over, ends + 0.0 * right[:-1])
    last = ((right[-1:] - h[-1:] * one[-1:] - before[-1:] * one[:1])
            / (middle[-1:] + h[-1:] * two[-1:] + before[-1:] * two[:1]))
    return np.concatenate([one + last * two, last, one[:1] + last * two[:1]])


read_as(interpolate.CubicSpline, Spline, {"x": "x", "c": "c", "axis": "axis", "extrapolate": "extrapolate"})
read_as(interpolate.PPoly, Spline, {"x": "x", "c": "c", "axis": "axis", "extrapolate": "extrapolate"})
