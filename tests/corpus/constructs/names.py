"""Names of NumPy, SciPy and the standard library that whole programs use in passing."""
import cmath
import decimal
import fractions
import statistics

import numpy as np
import scipy.interpolate
import scipy.linalg
import scipy.special

from tests.corpus.registry import normal, program, uniform

KNOTS = np.linspace(0.0, 3.0, 8)
TCK = scipy.interpolate.splrep(KNOTS, np.sin(KNOTS))
SMOOTH = scipy.interpolate.make_interp_spline(KNOTS, np.sin(KNOTS), k=4)
FITTED = scipy.interpolate.UnivariateSpline(KNOTS, np.cos(KNOTS), s=0, ext="const")
STRAIGHT = scipy.interpolate.interp1d(KNOTS, np.sin(KNOTS), kind="cubic", fill_value="extrapolate")
SURFACE = scipy.interpolate.RectBivariateSpline(KNOTS, KNOTS, np.sin(np.add.outer(KNOTS, 2.0 * KNOTS)))


@program(construct="np.asanyarray, and np.array with copy=", args=lambda: (normal(601, 4),))
def arrays_made(x):
    """Each of the ways that packages begin a function with."""
    y = np.asanyarray(x, dtype=float)
    kept, copied = np.array(y, copy=None), np.array(y, copy=True, order="C")
    copied[0] = 2.0
    turned = np.asfortranarray(kept.reshape(2, 2))
    return np.sum(kept * copied) + np.sum(turned**2 * np.asarray(turned, order="F"))


@program(construct="np.asanyarray of an argument that is stored into", args=lambda: (normal(602, 3),), mutates=True)
def stored_through(x):
    """No copy is made: the argument changes."""
    y = np.asanyarray(x)
    y[0] *= 2.0
    return np.sum(np.array(y, copy=False) ** 3)


@program(construct="a mask of an array without axes", args=lambda: (1.7, normal(603, 3)), argnums=(0, 1))
def masked_number(t, x):
    """As code that takes numbers and arrays alike has it."""
    a = np.array(t)
    a[a > 1.0] = np.sum(x)
    return np.sum(a[a < 5.0] ** 2) + t * x[0]


@program(construct="eigvals and roots of real numbers", args=lambda: (normal(604, 2), uniform(605, 3)), argnums=(0, 1))
def damped(c, p):
    """Complex, as the eigenvalues at hand are."""
    poles = np.linalg.eigvals(np.array([[c[0], -2.0], [2.0 + c[1] ** 2, 0.3]]))
    zeros = np.roots(np.concatenate([p[:2], 3.0 + p[2:]]))
    return np.sum(np.abs(poles) ** 3) + np.max(poles.real) + np.sum(np.abs(zeros + 1.0))


@program(construct="splev, BSpline, UnivariateSpline and interp1d with known knots", args=lambda: (uniform(606, 4),))
def on_curves(x):
    """Curves that were fitted before."""
    return (np.sum(scipy.interpolate.splev(x, TCK)) + np.sum(scipy.interpolate.splev(2.0 * x, TCK, der=1)) ** 2
            + np.sum(SMOOTH(x) * FITTED(x * x)) + np.sum(STRAIGHT(x - 0.7) ** 2))


@program(construct="a surface of splines", args=lambda: (uniform(607, 3), uniform(608, 3)), argnums=(0, 1))
def on_a_surface(x, y):
    """At points, and on a grid."""
    return np.sum(SURFACE.ev(x, y) ** 2) + np.sum(SURFACE(np.sort(x), [0.5, 1.25])) * SURFACE(x[0], y[0], dx=1)[0, 0]


@program(construct="splines of values of the run", args=lambda: (uniform(609, 5),))
def drawn_curves(y):
    """Their knots are known, their values are not."""
    t = np.array([0.4, 1.3, 2.9])
    s = scipy.interpolate.PchipInterpolator(np.arange(5.0), np.cumsum(y))
    line = scipy.interpolate.interp1d(np.arange(5.0), y)
    return np.sum(s(t) ** 2) + np.sum(s.derivative()(t)) + np.sum(line(t) * t)


@program(construct="scipy.linalg.solve_banded", args=lambda: (normal(610, 4, 6), normal(611, 6)), argnums=(0, 1))
def banded(ab, b):
    """Two diagonals below, and one above."""
    return np.sum(scipy.linalg.solve_banded((2, 1), ab, b) ** 2) + scipy.linalg.norm(b)


@program(construct="methods of ufuncs", args=lambda: (uniform(612, 6),))
def by_ufuncs(x):
    """Sums of parts, tables of pairs, and what is done in turn."""
    y = x.copy()
    np.divide.at(y, [0, 2, 2], x[3:])
    return (np.sum(np.add.reduceat(x, [0, 2, 5]) ** 2) + np.sum(np.arctan2.outer(x[:2], x))
            + np.subtract.reduce(x) ** 2 + np.sum(np.divide.accumulate(x)) + np.sum(y**2))


@program(construct="cmath", args=lambda: (uniform(613, 2),))
def impedance(x):
    """Of a coil and a resistance."""
    z = complex(x[0], x[1])
    w = cmath.sqrt(z) * cmath.exp(-z) + cmath.log(z, 3.0) / cmath.cosh(z)
    r, phi = cmath.polar(w)
    return r * cmath.phase(z) + abs(cmath.rect(x[0], phi) - cmath.atan(z)) + cmath.acosh(z).imag


@program(construct="statistics", args=lambda: (uniform(614, 5),))
def described(x):
    """What a list of measurements is like."""
    data = x.tolist()
    return (statistics.mean(data) * statistics.stdev(data) + statistics.fmean(data) ** 2
            + statistics.pvariance(data) + statistics.variance(x) / statistics.pstdev(data))


@program(construct="fractions and decimals that are known", args=lambda: (normal(615, 3),))
def exact_weights(x):
    """Numbers that Python computes with before the run."""
    total = 0.0
    for k in range(1, 4):
        total = total + float(fractions.Fraction(1, k) + fractions.Fraction(1, 2)) * x[k - 1] ** k
    return total * float(decimal.Decimal("1.10") * 2)


@program(construct="np.piecewise of a number", args=lambda: (0.7, 1.3), argnums=(0, 1))
def in_pieces(t, u):
    """One condition for each function."""
    y = np.piecewise(t * u, [t * u < 0.0, t * u >= 0.0], [lambda v: -v, lambda v: v**3])
    return y * u + scipy.special.expn(2, t)


@program(construct="np.linalg.cond with another norm", args=lambda: (normal(616, 3, 3),))
def conditioned(a):
    """How far from singular a matrix is."""
    return np.log(np.linalg.cond(a, "fro")) + np.log(np.linalg.cond(a, 1))


@program(construct="the largest of complex numbers", args=lambda: (normal(617, 4),))
def largest_by_real_part(x):
    """By real parts, then by imaginary ones."""
    z = x + 1j * x**2
    return (np.max(z).imag + np.abs(np.min(z.reshape(2, 2), axis=0)).sum() + np.abs(z[np.argmax(z)])
            + np.sum(np.abs(np.arcsinh(z + 0.5j))) + np.sum(np.real_if_close(np.conj(z) * z)))
