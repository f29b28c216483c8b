"""What a thread of a GPU calls of SciPy's special functions of one number, as `runtime.cephes`.

What is here is the device's own, or a formula of such; other functions have no form.  Those of SINGLE compute float32
in single precision, all others in double, because they cancel or are series.
"""
from __future__ import annotations

import math

from .device import ONE, TWO, of_the_device

SINGLE = frozenset("erf erfc erfcx erfinv erfcinv ndtr ndtri gamma gammaln log1p expm1 exp2 exp10 cbrt expit log_expit "
                   "logit xlogy xlog1py entr".split())

# the device's own, under the names of its library
gpu_erfinv = gpu_erfcinv = gpu_erfcx = gpu_normcdf = gpu_normcdfinv = of_the_device
gpu_j0 = gpu_j1 = gpu_y0 = gpu_y1 = gpu_cbrt = gpu_exp2 = gpu_exp10 = of_the_device
gpu_digamma_of = of_the_device  # of `runtime.special`
gpu_like = of_the_device  # (number, x): the number as a float of x's width


def gpu_erf(x):
    return math.erf(x)


def gpu_erfc(x):
    return math.erfc(x)


def gpu_gamma(x):
    return math.copysign(gpu_like(math.inf, x), x) if x == 0 else math.gamma(x)


def gpu_gammaln(x):
    return x if x == -math.inf else math.lgamma(x)


def gpu_psi(x):
    return math.copysign(math.inf, -x) if x == 0 else math.nan if x == -math.inf else gpu_digamma_of(x)


def gpu_log1p(x):
    return math.log1p(x)


def gpu_expm1(x):
    return math.expm1(x)


def gpu_ndtr(x):
    return gpu_normcdf(x)


def gpu_ndtri(p):
    return gpu_normcdfinv(p)


def gpu_expit(x):
    return ONE / (ONE + math.exp(-x)) if x >= 0 else math.exp(x) / (ONE + math.exp(x)) if x < 0 else x


def gpu_log_expit(x):
    return x - math.log1p(math.exp(x)) if x < 0 else -math.log1p(math.exp(-x))


def gpu_logit(p):
    near = gpu_like(0.3, p) < p and p < gpu_like(0.65, p)
    return math.log1p((TWO * p - ONE) / (ONE - p)) if near else math.log(p / (ONE - p))


def gpu_xlogy(x, y):
    return gpu_like(0.0, x) if x == 0 and y == y else x * math.log(y)


def gpu_xlog1py(x, y):
    return gpu_like(0.0, x) if x == 0 and y == y else x * math.log1p(y)


def gpu_entr(x):
    return -x * math.log(x) if x > 0 else gpu_like(0.0, x) if x == 0 else x if x != x else gpu_like(-math.inf, x)


def gpu_rel_entr(x, y):
    if x != x or y != y:
        return x + y
    if x > 0.0 and y > 0.0:
        ratio = x / y
        if 0.5 < ratio and ratio < 2.0:
            return x * math.log1p((x - y) / y)
        return x * (math.log(ratio) if 1e-300 < ratio and ratio < math.inf else math.log(x) - math.log(y))
    return 0.0 if x == 0 and y >= 0.0 else math.inf


def gpu_kl_div(x, y):
    if x != x or y != y:
        return x + y
    if x > 0.0 and y > 0.0:
        return x * math.log(x / y) - x + y
    return y if x == 0 and y >= 0.0 else math.inf


def gpu_huber(delta, r):
    size = math.fabs(r)
    if delta < 0.0:
        return math.inf
    return 0.5 * r * r if size <= delta else delta * (size - 0.5 * delta)


def gpu_pseudo_huber(delta, r):
    if delta < 0.0:
        return math.inf
    if delta == 0 or r == 0:
        return 0.0
    ratio = r / delta
    return delta * delta * math.expm1(0.5 * math.log1p(ratio * ratio))


def gpu_exprel(x):
    return 1.0 if math.fabs(x) < 1e-16 else math.inf if x > 717.0 else math.expm1(x) / x


def gpu_boxcox(x, lmbda):
    return math.log(x) if math.fabs(lmbda) < 1e-19 else math.expm1(lmbda * math.log(x)) / lmbda


def gpu_boxcox1p(x, lmbda):
    logarithm = math.log1p(x)
    if math.fabs(lmbda) < 1e-19 or (math.fabs(logarithm) < 1e-289 and math.fabs(lmbda) < 1e273):
        return logarithm
    return math.expm1(lmbda * logarithm) / lmbda


def gpu_exponent(x, lmbda):
    """log(1 + lmbda x) / lmbda, where the product may be too large."""
    product = lmbda * x
    if product == math.inf:
        return (math.log(math.fabs(x)) + math.log(math.fabs(lmbda))) / lmbda
    return math.log1p(product) / lmbda


def gpu_inv_boxcox(x, lmbda):
    return math.exp(x) if lmbda == 0 else math.exp(gpu_exponent(x, lmbda))


def gpu_inv_boxcox1p(x, lmbda):
    if lmbda == 0:
        return math.expm1(x)
    return x if math.fabs(lmbda * x) < 1e-154 else math.expm1(gpu_exponent(x, lmbda))
