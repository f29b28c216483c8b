"""What tests/support/accuracy.py compares with: for each function its definition in numbers of mpmath
(tests/support/jets.py), where several arguments move which are measured, and the functions that have no reference, with
a reason."""
from __future__ import annotations

from mpmath import mp, mpf
from scipy import special

from tests.support import jets as j
from tests.support.jets import Jet, Undefined, chain, inside, jet

LOG2 = lambda: mp.log(2)  # noqa: E731  constants have as many digits as are asked for
DEGREE = lambda: mp.pi / 180  # noqa: E731


def sinc(x):
    x = jet(x)
    if x.parts[0] == 0:
        return Jet(1, 0, -mp.pi ** 2 / 3 * x.parts[1] ** 2)
    return j.sin(x * mp.pi) / (x * mp.pi)


def exprel(x):
    x = jet(x)
    if x.parts[0] == 0:
        return Jet(1, x.parts[1] / 2, x.parts[1] ** 2 / 3 + x.parts[2] / 2)
    if abs(x.parts[0]) < 1e-15:  # enough of the series for all digits of a float64
        return 1 + x / 2 + x * x / 6 + x * x * x / 24
    return j.expm1(x) / x


def cosm1(x):
    half = j.sin(jet(x) * mpf("0.5"))
    return -2 * half * half


def ndtr(x):
    return j.erfc(-jet(x) / j.ROOT_2()) * mpf("0.5")


def log_ndtr(x):
    x = jet(x)
    return j.log(ndtr(x)) if x < 5 else j.log1p(-ndtr(-x))


def softplus(x):
    x = jet(x)
    return j.log1p(j.exp(x)) if x < 0 else x + j.log1p(j.exp(-x))


def expit(x):
    return 1 / (1 + j.exp(-jet(x)))


def wrightomega(x):
    def value(v):
        w = mpf(special.wrightomega(float(v)))
        if not mp.isfinite(w) or w == 0:
            raise Undefined
        for _ in range(12):
            w -= (w + mp.log(w) - v) / (1 + 1 / w)
        return w
    return j.lift(value, lambda v: value(v) / (1 + value(v)), lambda v: value(v) / (1 + value(v)) ** 3)(x)


def xlogy(x, y):
    return jet(x) * j.log(y)


def rel_entr(x, y):
    return jet(x) * (j.log(x) - j.log(y))


def boxcox(x, p):
    return exprel(j.log(x) * p) * j.log(x)


def boxcox1p(x, p):
    return exprel(j.log1p(x) * p) * j.log1p(x)


def log_inverse(y, p):
    return j.log1p(jet(y) * p) / p


def huber(d, r):
    d, r = jet(d), j.absolute(r)
    if r.parts[0] == d.parts[0] or d < 0:
        raise Undefined
    return r * r * mpf("0.5") if r < d else d * (r - d * mpf("0.5"))


def pseudo_huber(d, r):
    r, d = jet(r), inside(0, mp.inf, jet)(d)
    u = r / d
    return d * d * (u * u) / (j.sqrt(1 + u * u) + 1)


def beta(a, b):
    return j.exp(betaln(a, b))


def betaln(a, b):
    a, b = inside(0, mp.inf, jet)(a), inside(0, mp.inf, jet)(b)
    return j.gammaln(a) + j.gammaln(b) - j.gammaln(a + b)


def poch(z, m):
    z, m = inside(0, mp.inf, jet)(z), inside(-jet(z).parts[0], mp.inf, jet)(m)
    return j.exp(j.gammaln(z + m) - j.gammaln(z))


def gamma_density(a, x):
    return j.exp(xlogy(jet(a) - 1, x) - x - j.gammaln(a))


def gammainc(a, x, upper=False):
    a = inside(0, mp.inf, lambda a: a)(a)
    if isinstance(a, Jet) and any(a.parts[1:]):
        return j.numeric(lambda a, x: mp.gammainc(a, x, regularized=True) if upper
                                      else mp.gammainc(a, 0, x, regularized=True))(a, x)
    value = ((lambda x: mp.gammainc(a, x, regularized=True)) if upper
             else lambda x: mp.gammainc(a, 0, x, regularized=True))
    return inside(0, mp.inf, chain(value, lambda x: gamma_density(a, x) * (-1 if upper else 1)))(x)


def gammaincc(a, x):
    return gammainc(a, x, True)


def gamma_quantile(function, start):
    of_level = j.inverse(lambda x, a: function(a, x), lambda p, a: start(a, p))
    of_shape = inside(0, mp.inf, j.numeric(lambda a, p: of_level(p, a).parts[0]))
    return lambda a, p: of_shape(a, p) if isinstance(a, Jet) and any(a.parts[1:]) else of_level(p, a)


def betainc(a, b, x):
    density = lambda x: j.exp(xlogy(a - 1, x) + (b - 1) * j.log1p(-x) - betaln(a, b))  # noqa: E731
    return inside(0, 1, chain(lambda x: mp.betainc(a, b, 0, x, regularized=True), density))(x)


def betaincc(a, b, x):
    return betainc(b, a, 1 - jet(x))


def student_density(df, t):
    return j.exp(-(df + 1) / 2 * j.log1p(jet(t) * t / df) - betaln(df / 2, mpf("0.5"))) / mp.sqrt(df)


def stdtr(df, t):
    def value(t):
        tail = mp.betainc(df / 2, mpf("0.5"), 0, df / (df + t * t), regularized=True) / 2
        return tail if t < 0 else 1 - tail
    return chain(value, lambda t: student_density(df, t))(t)


def owens_t(h, a):
    def value(h, a):
        return mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), mp.linspace(0, a, 3)) / (2 * mp.pi)
    return chain(value, lambda h, a: -j.exp(h * h * mpf("-0.5")) * j.erf(a * h / j.ROOT_2()) / (2 * j.ROOT_2PI()),
                 lambda h, a: j.exp(h * h * (1 + a * a) * mpf("-0.5")) / (2 * mp.pi * (1 + a * a)))(h, a)


def hyper(name):
    """Of the last argument, whose derivative is that with all parameters one larger, times a quotient of them."""
    f = getattr(mp, name)
    slopes = {"hyp0f1": lambda b: 1 / b, "hyp1f1": lambda a, b: a / b, "hyp2f1": lambda a, b, c: a * b / c,
              "hyperu": lambda a, b: -a}

    def function(*args):
        *p, x = args
        more, most = [a + 1 for a in p], [a + 2 for a in p]
        once, twice = slopes[name](*p), slopes[name](*p) * slopes[name](*more)
        return j.lift(lambda v: f(*p, v), lambda v: once * f(*more, v), lambda v: twice * f(*most, v))(x)
    return function


def arctan2(a, b):
    a, b = jet(a), jet(b)
    slope = chain(lambda a, b: mp.atan2(a, b), lambda a, b: b / (a * a + b * b), lambda a, b: -a / (a * a + b * b))
    return slope(a, b)


def hypot(a, b):
    return j.sqrt(jet(a) * a + jet(b) * b)


def logaddexp(a, b):
    a, b = jet(a), jet(b)
    return b + softplus(a - b) if a < b else a + softplus(b - a)


def remainder(floor):
    def function(a, b):
        quotient = jet(a).parts[0] / jet(b).parts[0]
        if quotient == mp.floor(quotient):
            raise Undefined
        return jet(a) - jet(b) * (mp.floor(quotient) if floor or quotient > 0 else mp.ceil(quotient))
    return function


def where_positive(x, above, below):
    x = jet(x)
    if x.parts[0] == 0:
        raise Undefined
    return above(x) if x > 0 else below(x)


def elu(x, alpha=1):
    return where_positive(x, lambda x: x, lambda x: alpha * j.expm1(x))


def logit(x):
    return j.log(x) - j.log1p(-jet(x))


def scaled(f, factor):
    return lambda x: f(x) * factor()


def dawson(x):
    return j.ROOT_PI() / 2 * mp.exp(-x * x) * mp.erfi(x)


def erfcx(x):
    return j.erfc(x) * j.exp(jet(x) * x)


def expi(x):
    if jet(x).parts[0] == 0:
        raise Undefined
    return chain(mp.ei, lambda x: j.exp(x) / x)(x)


def expn(n, x):
    n = n.parts[0] if isinstance(n, Jet) else n
    return inside(0, mp.inf, j.lift(lambda v: mp.expint(n, v), lambda v: -mp.expint(n - 1, v),
                                    lambda v: mp.expint(n - 2, v)))(x)


ONE = {  # by the names after the dot
    "exp": j.exp, "expm1": j.expm1, "log": j.log, "log1p": j.log1p, "sqrt": j.sqrt, "square": lambda x: jet(x) * x,
    "exp2": lambda x: j.exp(x * LOG2()), "exp10": lambda x: j.exp(x * mp.log(10)), "log2": lambda x: j.log(x) / LOG2(),
    "log10": lambda x: j.log(x) / mp.log(10), "cbrt": j.cbrt, "sin": j.sin, "cos": j.cos, "tan": j.tan, "sinh": j.sinh,
    "cosh": j.cosh, "tanh": j.tanh, "arcsin": j.arcsin, "arccos": j.arccos, "arctan": j.arctan, "arcsinh": j.arcsinh,
    "arccosh": j.arccosh, "arctanh": j.arctanh, "abs": j.absolute, "fabs": j.absolute, "absolute": j.absolute,
    "negative": lambda x: -jet(x), "positive": jet, "reciprocal": lambda x: 1 / jet(x), "deg2rad": scaled(jet, DEGREE),
    "radians": scaled(jet, DEGREE), "rad2deg": lambda x: x / DEGREE(), "degrees": lambda x: x / DEGREE(), "sinc": sinc,
    "i0": lambda x: j.iv(0, x), "erf": j.erf, "erfc": j.erfc, "erfi": j.erfi, "erfcx": erfcx,
    "dawsn": j.lift(dawson, lambda x: 1 - 2 * x * dawson(x),
                    lambda x: -2 * dawson(x) - 2 * x * (1 - 2 * x * dawson(x))),
    "erfinv": j.inverse(j.erf, special.erfinv), "erfcinv": j.inverse(j.erfc, special.erfcinv), "ndtr": ndtr,
    "log_ndtr": log_ndtr, "ndtri": j.inverse(ndtr, special.ndtri), "ndtri_exp": j.inverse(log_ndtr, special.ndtri_exp),
    "expit": expit, "sigmoid": expit, "logit": logit, "log_expit": lambda x: -softplus(-jet(x)),
    "log_sigmoid": lambda x: -softplus(-jet(x)), "softplus": softplus, "cosm1": cosm1,
    "sindg": lambda x: j.sin(x * DEGREE()), "cosdg": lambda x: j.cos(x * DEGREE()), "exprel": exprel,
    "wrightomega": wrightomega, "entr": lambda x: -(jet(x) * j.log(x)),
    "psi": j.psi, "digamma": j.psi, "gammaln": j.gammaln, "lgamma": j.gammaln, "loggamma": inside(0, mp.inf, j.gammaln),
    "gamma": j.gamma, "expi": expi, "exp1": inside(0, mp.inf, lambda x: -expi(-jet(x))),
    **{f"{kind}{n}": (lambda x, f=f, n=n: f(n, x)) for kind, f in (("j", j.jv), ("i", j.iv)) for n in (0, 1)},
    **{f"{kind}{n}": inside(0, mp.inf, lambda x, f=f, n=n: f(n, x)) for kind, f in (("y", j.yv), ("k", j.kv))
       for n in (0, 1)},
    "i0e": lambda x: j.ive(0, x), "i1e": lambda x: j.ive(1, x), "k0e": inside(0, mp.inf, lambda x: j.kve(0, x)),
    "k1e": inside(0, mp.inf, lambda x: j.kve(1, x)), "relu": lambda x: where_positive(x, jet, lambda x: 0 * x),
    "leaky_relu": lambda x: where_positive(x, jet, lambda x: mpf(0.01) * x), "elu": elu,
    "selu": lambda x: mpf(1.0507009873554805) * elu(x, mpf(1.6732632423543772)), "silu": lambda x: x * expit(x),
    "gelu": lambda x: x * ndtr_by_tanh(x),
}


def ndtr_by_tanh(x):
    inner = mp.sqrt(2 / mp.pi) * (jet(x) + mpf(0.044715) * x * x * x)
    return expit(2 * inner)


SEVERAL = {
    "add": lambda a, b: jet(a) + b, "subtract": lambda a, b: jet(a) - b, "multiply": lambda a, b: jet(a) * b,
    "divide": lambda a, b: jet(a) / b, "mod": remainder(True), "fmod": remainder(False), "power": j.power,
    "float_power": j.power, "logaddexp": logaddexp,
    "logaddexp2": lambda a, b: logaddexp(a * LOG2(), b * LOG2()) / LOG2(),
    "fmax": j.larger, "fmin": j.smaller, "maximum": j.larger, "minimum": j.smaller, "arctan2": arctan2,
    "hypot": hypot, "copysign": lambda a, b: j.absolute(a) * mp.sign(b), "ldexp": lambda a, b: jet(a) * mpf(2) ** b,
    "clip": lambda x, low, high: j.larger(j.smaller(x, high), low), "xlogy": xlogy,
    "xlog1py": lambda x, y: jet(x) * j.log1p(y), "rel_entr": rel_entr, "kl_div": lambda x, y: rel_entr(x, y) - x + y,
    "boxcox": boxcox, "boxcox1p": boxcox1p,
    "inv_boxcox": lambda y, p: j.exp(log_inverse(y, p)), "inv_boxcox1p": lambda y, p: j.expm1(log_inverse(y, p)),
    "huber": huber, "pseudo_huber": pseudo_huber, "zeta": j.zeta, "beta": beta, "betaln": betaln, "poch": poch,
    "gammainc": gammainc, "gammaincc": gammaincc, "gammaincinv": gamma_quantile(gammainc, special.gammaincinv),
    "gammainccinv": gamma_quantile(gammaincc, special.gammainccinv), "betainc": betainc, "betaincc": betaincc,
    "betaincinv": lambda a, b, p: j.inverse(lambda x, a, b: betainc(a, b, x),
                                            lambda p, a, b: special.betaincinv(a, b, p))(p, a, b),
    "stdtr": stdtr,
    "stdtrit": lambda df, p: j.inverse(lambda t, df: stdtr(df, t), lambda p, df: special.stdtrit(df, p))(p, df),
    "jv": j.jv, "iv": j.iv, "ive": j.ive, "kve": lambda v, x: inside(0, mp.inf, lambda x: j.kve(v, x))(x),
    "kv": lambda v, x: inside(0, mp.inf, lambda x: j.kv(v, x))(x),
    "yv": lambda v, x: inside(0, mp.inf, lambda x: j.yv(v, x))(x),
    **{name: hyper(name) for name in ("hyp0f1", "hyp1f1", "hyp2f1", "hyperu")}, "owens_t": owens_t, "expn": expn,
    "polygamma": lambda n, x: j.polygamma(n.parts[0] if isinstance(n, Jet) else n, x),
}
SEVERAL.update(yn=SEVERAL["yv"], kn=SEVERAL["kv"])

# where it is measured; x is what moves. Elsewhere: each argument that has a derivative, at x, beside 0.75, 2.5, 1.25
ARGUMENTS = {
    "expn": ("2, x",),
    "power": ("x, 2.5", "x, -3.0", "0.75, x"), "float_power": ("x, 2.5", "0.75, x"), "clip": ("x, -1.5, 2.5",),
    "ldexp": ("x, 3",), "hyp2f1": ("0.75, 1.25, 2.5, x",), "jv": ("2.5, x",), "yv": ("2.5, x",), "iv": ("2.5, x",),
    "kv": ("2.5, x",), "ive": ("2.5, x",), "kve": ("2.5, x",), "yn": ("2, x",), "kn": ("2, x",), "zeta": ("2.5, x",),
    "gammaincinv": ("2.5, x", "x, 0.25"), "gammainccinv": ("2.5, x", "x, 0.25"), "add": ("x, 0.75", "0.75, x"),
    "huber": ("0.75, x", "x, 0.75"),
}
NO_REFERENCE = {
    "jve": "complex: no function of mpmath's; its parts are those of jv", "binom": "both derivatives are refused",
    "np.real": "the identity of real numbers",
    "np.imag": "0 of real numbers", "np.conjugate": "the identity of real numbers",
    "rt.gamma_sample": "the slope of a sample: tests/jax_parity/test_random.py",
    "rt.gamma_slope": "its derivatives are refused",
    "rt.unit": "what the slopes of norms are written with: tests/derivatives/test_poles.py",
    "rt.norm_slope": "as rt.unit", "rt.times": "as rt.unit", "rt.cosine": "the slope of np.hypot",
    "rt.erfc_integral": "the slopes of special.erfcx",
    "np.round": "steps", "np.around": "steps", "special.factorial": "gamma(x + 1) of whole numbers",
    "np.where": "it chooses", "rt.choose": "it chooses", "float": "a conversion", "complex": "a conversion",
    "np.nextafter": "the neighbour of a number",
}
