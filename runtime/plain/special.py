"""Special functions that generated source calls, of numbers and arrays.
Their compiled forms are in `native/special.py`."""
from __future__ import annotations

import math

import numpy as np

# M. Giles, "Approximating the erfinv function" (2010): polynomials in w = -log(1 - x*x), or in its square root, highest
# power first
SINGLE = (
    (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
     0.246640727, 1.50140941),
    (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
     1.00167406, 2.83297682))
DOUBLE = (
    (-3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18, 1.115787767802518096e-17,
     -1.333171662854620906e-16,
     2.0972767875968561637e-17, 6.6376381343583238325e-15, -4.0545662729752068639e-14, -8.1519341976054721522e-14,
     2.6335093153082322977e-12,
     -1.2975133253453532498e-11, -5.4154120542946279317e-11, 1.051212273321532285e-09, -4.1126339803469836976e-09,
     -2.9070369957882005086e-08,
     4.2347877827932403518e-07, -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,
     -0.00074070253416626697512,
     -0.0060336708714301490533, 0.24015818242558961693, 1.6536545626831027356),
    (2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
     1.5027403968909827627e-06,
     -4.013867526981545969e-06, 2.9234449089955446044e-06, 1.2475304481671778723e-05, -4.7318229009055733981e-05,
     6.8284851459573175448e-05,
     2.4031110387097893999e-05, -0.0003550375203628474796, 0.00095328937973738049703, -0.0016882755560235047313,
     0.0024914420961078508066,
     -0.0037512085075692412107, 0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635),
    (-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09, -3.7894654401267369937e-09,
     7.6157012080783393804e-09,
     -1.4960026627149240478e-08, 2.9147953450901080826e-08, -6.7711997758452339498e-08, 2.2900482228026654717e-07,
     -9.9298272942317002539e-07,
     4.5260625972231537039e-06, -1.9681778105531670567e-05, 7.5995277030017761139e-05, -0.00021503011930044477347,
     -0.00013871931833623122026,
     1.0103004648645343977, 4.8499064014085844221))


def erf(x):
    """The error function."""
    from scipy import special  # a quarter of a second, which only those pay who use it
    return special.erf(x)


def erfc(x):
    """1 - erf(x), accurate where it is small."""
    from scipy import special
    return special.erfc(x)


def lgamma(x):
    """The logarithm of the absolute value of the gamma function."""
    from scipy import special
    with np.errstate(all="ignore"):  # SciPy has -inf at -inf, and inf near 0
        return np.where(np.abs(x) < 1e-30, -np.log(np.abs(x)), special.gammaln(np.where(x == -np.inf, np.inf, x)))[()]


def gamma(x):
    """The gamma function."""
    from scipy import special
    return special.gamma(x)


def digamma(x):
    """The derivative of the logarithm of the gamma function."""
    from scipy import special
    return special.digamma(x)


def polynomial(coefficients, x):
    """By Horner's rule, the highest power first."""
    y = x * 0 + coefficients[0]
    for c in coefficients[1:]:
        y = y * x + c
    return y


def erfinv(x):
    """The x of which the error function is this."""
    with np.errstate(all="ignore"):
        single = np.asarray(x).dtype == np.float32
        w = -np.log1p(-x * x) if single else -np.log((1 - x) * (1 + x))  # of float32 as XLA has it, which rounds near 1
        root = np.sqrt(w)
        if single:
            y = np.where(w < 5, polynomial(SINGLE[0], w - 2.5), polynomial(SINGLE[1], root - 3))
        else:
            y = np.where(w < 16, polynomial(DOUBLE[1], root - 3.25), polynomial(DOUBLE[2], root - 5))
            y = np.where(w < 6.25, polynomial(DOUBLE[0], w - 3.125), y)
        return np.where(np.abs(x) == 1, x * np.inf, y * x)[()]


TWO_OVER_ROOT_PI = 1.1283791670955126
NEAR, TERMS = 2.0, 60  # up to where the recurrence loses little, and how many quotients there are enough beyond


def erfc_integral(n, x):
    """exp(x * x) times the n-th integral of erfc from infinity on, for whole numbers n >= 1.

    They are the solution of y(k - 2) = 2 x y(k - 1) + 2 k y(k), y(-1) = 2 / sqrt(pi), that falls fastest with k (DLMF
    7.18.7): each over the one before is a continued fraction.  Where x is small or negative the recurrence itself does.
    """
    from scipy import special
    wide, most = np.asarray(x, np.float64), int(np.max(n))
    with np.errstate(all="ignore"):
        far, ratio, product = np.maximum(wide, NEAR), 0.0, TWO_OVER_ROOT_PI
        for k in range(TERMS, -1, -1):
            ratio = 0.5 / (far + (k + 1) * ratio)
            if k <= most:
                product = product * np.where(k <= n, ratio, 1.0)
        before, near = TWO_OVER_ROOT_PI, special.erfcx(np.minimum(wide, NEAR))
        for k in range(1, most + 1):
            before, near = near, np.where(k <= n, (0.5 * before - wide * near) / k, near)
    return np.where(wide < NEAR, near, product).astype(np.result_type(x, np.float32))[()]


# gamma samples
# ------------------------------------------------------------------------------------------------------------------
def digamma_of(x):
    """`digamma` of a number."""
    shift = 0.0
    if x <= 0.0:  # by reflection; at a pole there is none
        if x == math.floor(x):
            return math.nan
        shift = -math.pi / math.tan(math.pi * x)
        x = 1.0 - x
    while x < 10.0:
        shift -= 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    tail = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760)))))
    return shift + math.log(x) - 0.5 / x - tail


def gamma_slope_of(log_z, a):
    """How the logarithm of a gamma sample z moves with its shape a, so that its quantile stays: d log z / da.

    With P(a, z) the distribution function and p its density, dz/da = -(dP/da) / p (M. Figurnov, S. Mohamed, A. Mnih,
    "Implicit reparameterization gradients", 2018).  Below the mean P is its power series, above 1 - P its continued
    fraction; both have the factor z**a exp(-z) / gamma(a), which p has too.  All derivatives are with respect to a.
    """
    if not (a > 0.0 and log_z < 709.0):
        return math.nan
    z = math.exp(log_z)
    if z <= a + 1.0:  # P = z**a exp(-z) / gamma(a + 1) * (1 + z/(a+1) + z*z/((a+1)*(a+2)) + ...)
        term, term_dot, total, total_dot, n = 1.0, 0.0, 1.0, 0.0, 0.0
        while term > 1e-17 * total or -term_dot > 1e-17 * -total_dot:
            n += 1.0
            term_dot = (term_dot - term / (a + n)) * z / (a + n)
            term *= z / (a + n)
            total += term
            total_dot += term_dot
        return -(total * (log_z - digamma_of(a + 1.0)) + total_dot) / a
    # 1 - P = z**a exp(-z) / gamma(a) * 1/(z+1-a - 1*(1-a)/(z+3-a - 2*(2-a)/(z+5-a - ...))), by Steed's method
    b = z + 1.0 - a
    d, d_dot = 1.0 / b, 1.0 / (b * b)
    step, step_dot, h, h_dot, n = d, d_dot, d, d_dot, 0.0
    while abs(step) > 1e-17 * abs(h) or abs(step_dot) > 1e-17 * abs(h_dot):
        n += 1.0
        factor = n * (a - n)
        b += 2.0
        e = 1.0 / (b + factor * d)
        e_dot = -e * e * (-1.0 + n * d + factor * d_dot)
        step_dot = (b * e_dot - e) * step + (b * e - 1.0) * step_dot
        step *= b * e - 1.0
        d, d_dot = e, e_dot
        h += step
        h_dot += step_dot
        if n > 1e5:
            break
    return h * (log_z - digamma_of(a)) + h_dot


def gamma_slope(log_z, a):
    """`gamma_slope_of`, elementwise."""
    return np.asarray(np.frompyfunc(gamma_slope_of, 2, 1)(log_z, a), np.result_type(log_z, a))[()]


def gamma_sample(log_z, a):
    """log_z, the logarithm of a sample of the gamma distribution of shape a."""
    return log_z + 0 * a
