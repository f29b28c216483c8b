"""scipy.special: functions of one element.  Imported when the user has imported SciPy's module (`registry.LATE`).

A derivative that is no textbook's says where it is from; numbers are those of equations of the DLMF (dlmf.nist.gov).
With respect to an argument for which no formula is known (the order of a Bessel function) it is refused by name.
"""
import math

import numpy as np
from scipy import special as sp

from ..errors.messages import UnsupportedError
from ..rules.elementwise import elementwise, erfc_integral
from ..rules.norms import cosine
from ..rules.operators import in_dtype_of
from ..rules.registry import OPS

TWO_OVER_ROOT_PI = 1.1283791670955126
ROOT_TWO_PI = 2.5066282746310002
ROOT_TWO_OVER_PI = 0.7978845608028654
DEGREE = math.pi / 180


def special(name, *partials, instead=None):
    """scipy.special's function of this name, and its derivative in each argument; a string says which is not known."""
    fn = getattr(sp, name)
    rules = [unknown(f"scipy.special.{name} with respect to {p}", instead) if isinstance(p, str) else p
             for p in partials]
    return elementwise(f"scipy.special.{name}", fn, *rules, also=(fn,), compiled=f"sp.{name}", module="scipy.special")


def unknown(what, instead):
    def partial(y, *args):
        raise UnsupportedError(None, f"the derivative of {what}",
                               instead=instead or "Take it as constant there: gs.stop_gradient.")
    return partial


def zeta(s, q):
    """The Hurwitz zeta function of expressions."""
    return q.apply(OPS["scipy.special.zeta"], s, q)


def gamma_slope(log_z, a):
    return a.apply(OPS["rt.gamma_slope"], log_z, a)


def unless_zero(z, x, y):
    """y, but 1 where x and it are 0."""
    return np.where(y != 0, in_dtype_of(z, y), x == 0)


def _normal_hazard(above, below, positive):
    """The density of the normal distribution over its distribution function: each half where nothing overflows."""
    return np.where(positive, np.exp(-above * above / 2) / (ROOT_TWO_PI * sp.ndtr(above)),
                    ROOT_TWO_OVER_PI / sp.erfcx(-below / math.sqrt(2)))


# errors, and the normal distribution --------------------------------------------------------------------
special("erf", lambda y, x: TWO_OVER_ROOT_PI * np.exp(-x * x))
special("erfc", lambda y, x: -TWO_OVER_ROOT_PI * np.exp(-x * x))
special("erfcx", lambda y, x: -2 * erfc_integral(1.0, x))  # 2 x y - 2 / sqrt(pi), which cancels
special("erfi", lambda y, x: TWO_OVER_ROOT_PI * np.exp(x * x))
special("dawsn", lambda y, x: 1 - 2 * x * y)
special("erfinv", lambda y, x: 0.886226925452758 * np.exp(y * y))  # sqrt(pi) / 2
special("erfcinv", lambda y, x: -0.886226925452758 * np.exp(y * y))
special("ndtr", lambda y, x: np.exp(-x * x / 2) / ROOT_TWO_PI)
special("log_ndtr", lambda y, x: _normal_hazard(np.where(x > 0, x, 0.0), np.where(x > 0, 0.0, x), x > 0))
special("ndtri", lambda y, x: ROOT_TWO_PI * np.exp(y * y / 2))
special("ndtri_exp", lambda y, x: sp.erfcx(y / -math.sqrt(2)) / ROOT_TWO_OVER_PI)
special("owens_t", lambda y, h, a: -np.exp(-h * h / 2) * sp.erf(a * h / math.sqrt(2)) / (2 * ROOT_TWO_PI),
        lambda y, h, a: np.exp(-h * h * (1 + a * a) / 2) / (2 * math.pi * (1 + a * a)))

# logistic, powers and logarithms ------------------------------------------------------------------------
special("expit", lambda y, x: y * sp.expit(-x))
special("logit", lambda y, x: 1 / (x * (1 - x)))
special("log_expit", lambda y, x: sp.expit(-x))
special("log1p", lambda y, x: 1 / (1 + x))
special("expm1", lambda y, x: np.exp(x))
special("exp2", lambda y, x: 2 * math.log(2) * sp.exp2(x - 1))  # as of np.exp2
special("exp10", lambda y, x: math.log(10) * y)
special("cbrt", lambda y, x: 1 / (3 * y * y))
special("cosm1", lambda y, x: -np.sin(x))
special("sindg", lambda y, x: DEGREE * sp.cosdg(x))
special("cosdg", lambda y, x: -DEGREE * sp.sindg(x))
special("exprel", lambda y, x: sp.hyp1f1(2.0, 3.0, x) / 2)  # exprel is 1F1(1; 2; x)
special("wrightomega", lambda y, x: y / (1 + y))
special("entr", lambda y, x: -np.log(x) - 1)
# where x is 0 they are 0 for every y
special("xlogy", lambda z, x, y: np.log(y), lambda z, x, y: x / unless_zero(z, x, y))
special("xlog1py", lambda z, x, y: np.log1p(y),
        lambda z, x, y: x / unless_zero(z, x, 1 + y))
special("rel_entr", lambda z, x, y: np.log(x / y) + 1,
        lambda z, x, y: -(x / unless_zero(z, x, y)))
special("kl_div", lambda z, x, y: np.log(x / y),
        lambda z, x, y: 1 - x / unless_zero(z, x, y))


def _boxcox_slope(log_x, power):
    """The derivative of (exp(power log_x) - 1) / power with respect to power: of exprel, which has no 0 / 0."""
    return log_x * log_x * sp.hyp1f1(2.0, 3.0, power * log_x) / 2


special("boxcox", lambda y, x, p: x ** (p - 1), lambda y, x, p: _boxcox_slope(np.log(in_dtype_of(y, x)), p))
special("boxcox1p", lambda y, x, p: (1 + x) ** (p - 1), lambda y, x, p: _boxcox_slope(np.log1p(in_dtype_of(y, x)), p))
special("inv_boxcox", lambda x, y, p: x ** (1 - p),
        lambda x, y, p: -_boxcox_slope(np.log(x), p) * x ** (1 - p))
special("inv_boxcox1p", lambda x, y, p: (1 + x) ** (1 - p),
        lambda x, y, p: -_boxcox_slope(np.log1p(x), p) * (1 + x) ** (1 - p))
special("huber", lambda y, d, r: np.where(np.abs(r) <= d, 0.0, np.abs(r) - d),
        lambda y, d, r: np.where(np.abs(r) <= d, r, d * np.sign(r)))
special("pseudo_huber", lambda y, d, r: r * (r / np.hypot(d, r)) * (r / (np.hypot(d, r) + d)) ** 2,
        lambda y, d, r: d * cosine(r, np.hypot(d, r), d))

# gamma and beta -----------------------------------------------------------------------------------------
special("zeta", "its first argument", lambda y, s, q: -s * zeta(s + 1, q))  # 25.11.17
special("psi", lambda y, x: zeta(2.0, x))  # 25.11.12
special("gammaln", lambda y, x: sp.psi(x))
special("loggamma", lambda y, x: sp.psi(x))
special("gamma", lambda y, x: y * sp.psi(x))
special("beta", lambda y, a, b: y * (sp.psi(a) - sp.psi(a + b)), lambda y, a, b: y * (sp.psi(b) - sp.psi(a + b)))
special("betaln", lambda y, a, b: sp.psi(a) - sp.psi(a + b), lambda y, a, b: sp.psi(b) - sp.psi(a + b))
special("poch", lambda y, z, m: y * (sp.psi(z + m) - sp.psi(z)), lambda y, z, m: y * sp.psi(z + m))
special("binom", "n", "k", instead="Write it with scipy.special.gammaln.")


def _gamma_density(a, x):
    return np.exp(sp.xlogy(a - 1, x) - x - sp.gammaln(a))


def _gamma_shape(a, x):
    """The derivative of gammainc(a, x) with respect to a: at a constant quantile x moves with a as samples do."""
    inside = np.where(x > 0, x, 1.0)
    return np.where(x > 0, -gamma_slope(np.log(inside), a) * np.exp(sp.xlogy(a, inside) - inside - sp.gammaln(a)), 0.0)


special("gammainc", lambda y, a, x: _gamma_shape(a, x), lambda y, a, x: _gamma_density(a, x))
special("gammaincc", lambda y, a, x: -_gamma_shape(a, x), lambda y, a, x: -_gamma_density(a, x))
special("gammaincinv", lambda x, a, p: x * gamma_slope(np.log(x), a), lambda x, a, p: 1 / _gamma_density(a, x))
special("gammainccinv", lambda x, a, p: x * gamma_slope(np.log(x), a), lambda x, a, p: -(1 / _gamma_density(a, x)))


def _beta_density(a, b, x):
    return np.exp(sp.xlogy(a - 1, x) + sp.xlog1py(b - 1, -x) - sp.betaln(a, b))


special("betainc", "a", "b", lambda y, a, b, x: _beta_density(a, b, x))
special("betaincc", "a", "b", lambda y, a, b, x: -_beta_density(a, b, x))
special("betaincinv", "a", "b", lambda x, a, b, p: 1 / _beta_density(a, b, x))


def _student_density(df, t):
    return (np.exp(sp.gammaln((df + 1) / 2) - sp.gammaln(df / 2) - (df + 1) / 2 * np.log1p(t * t / df))
            / np.sqrt(math.pi * df))


special("stdtr", "df", lambda y, df, t: _student_density(df, t))
special("stdtrit", "df", lambda t, df, p: 1 / _student_density(df, t))

# Bessel functions ---------------------------------------------------------------------------------------
special("j0", lambda y, x: -sp.j1(x))  # 10.6.3
special("jve", "its order", lambda y, v, x: (sp.jve(v - 1, x) - sp.jve(v + 1, x)) / 2)
special("j1", lambda y, x: (sp.j0(x) - sp.jv(2.0, x)) / 2)  # 10.6.1, as below
special("y0", lambda y, x: -sp.y1(x))
special("y1", lambda y, x: (sp.y0(x) - sp.yv(2.0, x)) / 2)
special("jv", "its order", lambda y, v, x: (sp.jv(v - 1, x) - sp.jv(v + 1, x)) / 2)
special("yn", "its order", lambda y, n, x: (sp.yv(n - 1, x) - sp.yv(n + 1, x)) / 2)
special("kn", "its order", lambda y, n, x: -(sp.kv(n - 1, x) + sp.kv(n + 1, x)) / 2)
special("yv", "its order", lambda y, v, x: (sp.yv(v - 1, x) - sp.yv(v + 1, x)) / 2)
special("i0", lambda y, x: sp.i1(x))  # 10.29.3
special("i1", lambda y, x: (sp.i0(x) + sp.iv(2.0, x)) / 2)  # 10.29.1, as below
special("k0", lambda y, x: -sp.k1(x))
special("k1", lambda y, x: -(sp.k0(x) + sp.kv(2.0, x)) / 2)
special("iv", "its order", lambda y, v, x: (sp.iv(v - 1, x) + sp.iv(v + 1, x)) / 2)
special("kv", "its order", lambda y, v, x: -(sp.kv(v - 1, x) + sp.kv(v + 1, x)) / 2)
special("i0e", lambda y, x: sp.i1e(x) - np.sign(x) * y)  # those with an e are exp(-|x|) or exp(x) times the others
special("i1e", lambda y, x: (sp.i0e(x) + sp.ive(2.0, x)) / 2 - np.sign(x) * y)
special("k0e", lambda y, x: y - sp.k1e(x))
special("k1e", lambda y, x: y - (sp.k0e(x) + sp.kve(2.0, x)) / 2)
special("ive", "its order", lambda y, v, x: (sp.ive(v - 1, x) + sp.ive(v + 1, x)) / 2 - np.sign(x) * y)
special("kve", "its order", lambda y, v, x: y - (sp.kve(v - 1, x) + sp.kve(v + 1, x)) / 2)

# integrals and hypergeometric functions -----------------------------------------------------------------
special("expi", lambda y, x: np.exp(x) / x)
special("expn", "n", lambda y, n, x: np.where(n > 0, -sp.expn(np.where(n > 0, n - 1.0, 0.0), x),
                                              -y - np.exp(-x) / (x * x)))  # 8.19.13
special("exp1", lambda y, x: -np.exp(-x) / x)
special("hyp0f1", "b", lambda y, b, x: sp.hyp0f1(b + 1, x) / b)  # 16.3.1, as those below
special("hyp1f1", "a", "b", lambda y, a, b, x: a / b * sp.hyp1f1(a + 1, b + 1, x))  # 13.3.15
special("hyp2f1", "a", "b", "c", lambda y, a, b, c, x: a * b / c * sp.hyp2f1(a + 1, b + 1, c + 1, x))  # 15.5.1
special("hyperu", "a", "b", lambda y, a, b, x: -a * sp.hyperu(a + 1, b + 1, x))  # 13.3.22
