"""Slopes to the last digits: at the seams of a definition, in tails, of huge numbers; against mpmath with 60 digits."""
import mpmath
import numpy as np
import pytest
from scipy import special as sp, stats

import gradscribe as gs

mpmath.mp.dps = 60


def i0(x):
    return np.i0(x)


def laplace_cdf(x):
    return stats.laplace.cdf(x)


def laplace_sf(x):
    return stats.laplace.sf(x)


def logistic_logpdf(x):
    return stats.logistic.logpdf(x)


def logistic_pdf(x):
    return stats.logistic.pdf(x)


def softplus(x):
    return sp.softplus(x)


def log_ndtr(x):
    return sp.log_ndtr(x)


def norm_logcdf(x):
    return stats.norm.logcdf(x)


def norm_logsf(x):
    return stats.norm.logsf(-x)


def erfcx(x):
    return sp.erfcx(x)


def expm1(x):
    return np.expm1(x)


def elu(x):
    return gs.nn.elu(x)


def arcsinh(x):
    return np.arcsinh(x)


def arccosh(x):
    return np.arccosh(x)


def arctan2(x):
    return np.arctan2(1.0, x)


def pseudo_huber(x):
    return sp.pseudo_huber(1.0, x)


def logaddexp(x):
    return np.logaddexp(x, 0.0)


def mills(x):
    """The slope of the logarithm of the normal distribution function, for x below 0 by a continued fraction."""
    if x > -100:
        return mpmath.npdf(x) / mpmath.ncdf(x)
    t = z = -mpmath.mpf(x)
    for k in range(60, 0, -1):
        t = z + k / t
    return t


def mills_slope(x):
    h = mills(x)
    return -h * (mpmath.mpf(x) + h)


def logistic(x):
    return 1 / (1 + mpmath.exp(-x))


def bell(x):
    return logistic(x) * logistic(-x)


def erfcx_slope(x):
    return -mpmath.hyperu(1, 0.5, x * x) / mpmath.sqrt(mpmath.pi)


def erfcx_bend(x):
    return 2 * x * mpmath.hyperu(2, 1.5, x * x) / mpmath.sqrt(mpmath.pi)


def root(x):
    return mpmath.sqrt(1 + x * x)


# the function, its first and second derivative, and where
CASES = [
    (i0, lambda x: mpmath.besseli(1, x), lambda x: (mpmath.besseli(0, x) + mpmath.besseli(2, x)) / 2,
     (0.0, 0.5, 8.0, -8.0, 9.0)),
    (laplace_cdf, lambda x: mpmath.exp(-abs(x)) / 2, None, (0.0, 1.0, -1.0)),
    (laplace_sf, lambda x: -mpmath.exp(-abs(x)) / 2, None, (0.0, 1.0, -1.0)),
    (logistic_logpdf, lambda x: logistic(-x) - logistic(x), lambda x: -2 * bell(x), (0.0, 1.0, -1.0)),
    (logistic_pdf, lambda x: bell(x) * (1 - 2 * logistic(x)), lambda x: bell(x) * (1 - 6 * bell(x)), (0.0, 2.0, -2.0)),
    (softplus, logistic, bell, (0.0, 3.0, -3.0)),
    (log_ndtr, mills, mills_slope, (0.0, 2.0, -1.0, -30.0, -1000.0, -1e5)),
    (norm_logcdf, mills, mills_slope, (0.0, -1000.0, -1e5, -1e8)),
    (norm_logsf, mills, mills_slope, (0.0, -1000.0, -1e5, -1e8)),
    (erfcx, erfcx_slope, erfcx_bend, (2.0, 7.0, 30.0, 1e3, 1e5)),
    (expm1, mpmath.exp, mpmath.exp, (-40.0, -1.0, 2.0)),
    (elu, mpmath.exp, mpmath.exp, (-40.0, -1.0)),
    (arcsinh, lambda x: 1 / root(x), lambda x: -x / root(x) ** 3, (0.5, 1e4, 1e20)),
    (arccosh, lambda x: 1 / mpmath.sqrt(x * x - 1), lambda x: -x / mpmath.sqrt(x * x - 1) ** 3, (1.5, 1e4, 1e20)),
    (arctan2, lambda x: -1 / root(x) ** 2, lambda x: 2 * x / root(x) ** 4, (0.5, 1e4)),
    (pseudo_huber, lambda x: x / root(x), None, (0.5, 1e4, 1e20)),
    (logaddexp, logistic, bell, (0.0, 40.0, -40.0)),
]
POINTS = [pytest.param(f, first, second, x, id=f"{f.__name__}-{x}") for f, first, second, at in CASES for x in at]


def close(got, want, rtol, atol):
    assert abs(float(got) - float(want)) <= rtol * abs(float(want)) + atol, (got, float(want))


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("f, first, second, x", POINTS)
def test_the_slope_is_right_to_the_last_digits(f, first, second, x):
    close(gs.grad(f)(x), first(mpmath.mpf(x)), 2e-13, 1e-15 if f is i0 else 1e-300)
    small = gs.grad(f)(np.float32(x))
    assert small.dtype == np.float32
    close(small, first(mpmath.mpf(float(np.float32(x)))), 1e-5, 1e-6 if f is i0 else 1e-37)
    if second is not None:
        close(gs.grad(gs.grad(f))(x), second(mpmath.mpf(x)), 1e-11, 1e-16)
        close(gs.jvp(gs.grad(f), (x,), (1.0,))[1], second(mpmath.mpf(x)), 1e-11, 1e-16)


@pytest.mark.parametrize("f", [arcsinh, arccosh, pseudo_huber], ids=lambda f: f.__name__)
def test_the_slope_of_a_huge_number_does_not_overflow(f):
    close(gs.grad(f)(1e160), 1.0 if f is pseudo_huber else mpmath.mpf(10) ** -160, 1e-13, 0)


def test_the_slopes_of_arctan2_and_of_angle_do_not_overflow():
    close(gs.grad(np.arctan2, (0, 1))(1e160, 1e160)[0], 5e-161, 1e-13, 0)
    close(gs.grad(np.arctan2, (0, 1))(1e160, 1e160)[1], -5e-161, 1e-13, 0)
    close(gs.grad(lambda y: np.angle(1e160 + 1j * y))(1e160), 5e-161, 1e-13, 0)


def test_the_slope_of_kaiser_at_the_seam_of_i0():
    def window(beta):
        return np.sum(np.kaiser(11, beta))

    def exact(beta):
        return sum(mpmath.besseli(0, beta * mpmath.sqrt(1 - (mpmath.mpf(k) / 5) ** 2)) for k in range(-5, 6)
                   ) / mpmath.besseli(0, beta)

    close(gs.grad(window)(8.0), mpmath.diff(exact, 8), 1e-12, 0)


def test_log_ndtr_far_above_zero_has_no_slope_and_no_nan():
    assert gs.grad(log_ndtr)(60.0) == 0 and gs.grad(gs.grad(log_ndtr))(60.0) == 0


def test_compiled():
    close(gs.jit(gs.grad(log_ndtr))(-1e5), mills(-1e5), 1e-13, 0)
    close(gs.jit(gs.grad(i0))(8.0), mpmath.besseli(1, 8), 1e-13, 0)
