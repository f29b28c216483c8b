"""The functions of scipy.special of one number, as compiled text calls them.  SciPy's own here; `native/cephes.py` puts
what SciPy has compiled for Cython in their place."""
import math

import numpy as np

# what compiled text calls -> what SciPy calls it where Cython may call it
FUNCTIONS = {name: name for name in (
    "erf erfc erfcx erfi dawsn erfinv erfcinv expit logit log_expit gammaln gamma loggamma psi exprel cosm1 log1p "
    "expm1 exp2 exp10 cbrt entr ndtr log_ndtr ndtri ndtri_exp i0 i0e i1 i1e iv ive k0 k0e k1 k1e kv kve j0 j1 y0 "
    "y1 jv yv poch expi exp1 expn beta betaln betainc betaincc betaincinv gammainc gammaincc gammaincinv gammainccinv "
    "xlogy xlog1py rel_entr kl_div huber pseudo_huber boxcox boxcox1p inv_boxcox inv_boxcox1p binom hyp0f1 hyp1f1 "
    "hyp2f1 hyperu owens_t stdtr stdtrit wrightomega sindg cosdg yn kn jve").split()}


def _special(name: str):
    def function(*args):
        from scipy import special  # which only those wait for who use it
        with np.errstate(all="ignore"):
            return getattr(special, name)(*args)

    function.__name__ = function.__qualname__ = name
    return function


for _name in FUNCTIONS:
    globals()[_name] = _special(_name)


def erfc_integral(n, x):
    """`special.erfc_integral` of a number."""
    product = before = 1.1283791670955126
    if x < 2.0:
        product = math.exp(x * x) * math.erfc(x) if x > -26.6 else np.inf
        for k in range(1, int(n) + 1):
            before, product = product, (0.5 * before - x * product) / k
        return product
    ratio = 0.0
    for k in range(60, -1, -1):
        ratio = 0.5 / (x + (k + 1) * ratio)
        if k <= n:
            product *= ratio
    return product


# B(2 j) / (2 j)!, of the Bernoulli numbers
BERNOULLI = (8.333333333333333e-02, -1.388888888888889e-03, 3.306878306878307e-05, -8.267195767195768e-07,
             2.08767569878681e-08, -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13,
             8.586062056277845e-15, -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19)


def zeta(s, q):
    """The Hurwitz zeta function, the sum of (q + k) ** -s over k = 0, 1, ..., for s > 1: some terms of it, and of the
    rest what Euler and Maclaurin have (DLMF 25.11.5), whose series needs q as large as s."""
    if s < 1.0:
        return np.nan
    if s == 1.0 or q <= 0.0 and q % 1.0 == 0.0:
        return np.inf
    if s != s or q != q or q <= 0.0 and s < np.inf and s % 1.0 != 0.0:
        return np.nan
    if s == np.inf and 1.0 < q <= 1e8:  # as SciPy has it
        return np.nan
    total = 0.0
    power = q ** -s
    while q < 12.0 or q < s:
        if abs(power) <= 1e-17 * abs(total):
            return total
        total += power
        q += 1.0
        power = q ** -s
    if power == 0.0:
        return total
    total += power * q / (s - 1.0) + 0.5 * power
    factor = s * power / q
    for k in range(12):
        total += BERNOULLI[k] * factor
        factor *= (s + (2 * k + 1)) * (s + (2 * k + 2)) / (q * q)
    return total
