"""References for tests/support/accuracy.py: numbers of mpmath with their first and second derivatives,
and functions of them in closed form."""
from __future__ import annotations

from mpmath import mp, mpf


class Jet:
    """A value, and its first and second derivative with respect to x."""

    def __init__(self, value, slope=0, bend=0):
        self.parts = (mp.mpmathify(value), mp.mpmathify(slope), mp.mpmathify(bend))

    def __add__(self, other):
        return Jet(*(a + b for a, b in zip(self.parts, jet(other).parts)))

    def __mul__(self, other):
        (a, p, s), (b, q, t) = self.parts, jet(other).parts
        return Jet(a * b, p * b + a * q, s * b + 2 * p * q + a * t)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -jet(other)

    def __rsub__(self, other):
        return jet(other) - self

    def __truediv__(self, other):
        return self * reciprocal(jet(other))

    def __rtruediv__(self, other):
        return jet(other) / self

    def __lt__(self, other):
        return self.parts[0] < jet(other).parts[0]

    def __gt__(self, other):
        return self.parts[0] > jet(other).parts[0]

    __radd__, __rmul__ = __add__, __mul__


def jet(x) -> Jet:
    return x if isinstance(x, Jet) else Jet(x)


class Undefined(ArithmeticError):
    """There is no finite value, or no derivative."""


def lift(f, slope, bend):
    """A function of jets, from those of numbers: the function and its two derivatives."""
    def function(x):
        v, p, s = jet(x).parts
        a, b = slope(v), bend(v)
        return Jet(f(v), a * p, b * p * p + a * s)
    return function


def chain(f, *slopes):
    """A function of jets, from that of numbers and its derivatives' formulas, which are functions of jets."""
    def function(*args):
        args = [jet(x) for x in args]
        value, first, second = f(*(x.parts[0] for x in args)), mpf(0), mpf(0)
        for x, slope in zip(args, slopes):
            if any(x.parts[1:]):
                of = slope(*args)
                first += of.parts[0] * x.parts[1]
                second += of.parts[1] * x.parts[1] + of.parts[0] * x.parts[2]
        return Jet(value, first, second)
    return function


def inside(low, high, function):
    """Undefined where the first argument is not between."""
    def guarded(x, *rest):
        if not low < jet(x).parts[0] < high:
            raise Undefined
        return function(x, *rest)
    return guarded


INF = mp.inf
reciprocal = lift(lambda x: 1 / x, lambda x: -1 / x ** 2, lambda x: 2 / x ** 3)
exp = lift(mp.exp, mp.exp, mp.exp)
expm1 = lift(mp.expm1, mp.exp, mp.exp)
log = inside(0, INF, lift(mp.log, lambda x: 1 / x, lambda x: -1 / x ** 2))
log1p = inside(-1, INF, lift(mp.log1p, lambda x: 1 / (1 + x), lambda x: -1 / (1 + x) ** 2))
sqrt = inside(0, INF, lift(mp.sqrt, lambda x: 1 / (2 * mp.sqrt(x)), lambda x: -1 / (4 * x * mp.sqrt(x))))
sin = lift(mp.sin, mp.cos, lambda x: -mp.sin(x))
cos = lift(mp.cos, lambda x: -mp.sin(x), lambda x: -mp.cos(x))
tan = lift(mp.tan, lambda x: mp.sec(x) ** 2, lambda x: 2 * mp.tan(x) * mp.sec(x) ** 2)
sinh, cosh = lift(mp.sinh, mp.cosh, mp.sinh), lift(mp.cosh, mp.sinh, mp.cosh)
tanh = lift(mp.tanh, lambda x: mp.sech(x) ** 2, lambda x: -2 * mp.tanh(x) * mp.sech(x) ** 2)
arcsin = inside(-1, 1, lift(mp.asin, lambda x: 1 / mp.sqrt(1 - x * x), lambda x: x / mp.sqrt(1 - x * x) ** 3))
arccos = inside(-1, 1, lift(mp.acos, lambda x: -1 / mp.sqrt(1 - x * x), lambda x: -x / mp.sqrt(1 - x * x) ** 3))
arctan = lift(mp.atan, lambda x: 1 / (1 + x * x), lambda x: -2 * x / (1 + x * x) ** 2)
arcsinh = lift(mp.asinh, lambda x: 1 / mp.sqrt(1 + x * x), lambda x: -x / mp.sqrt(1 + x * x) ** 3)
arccosh = inside(1, INF, lift(mp.acosh, lambda x: 1 / mp.sqrt(x * x - 1), lambda x: -x / mp.sqrt(x * x - 1) ** 3))
arctanh = inside(-1, 1, lift(mp.atanh, lambda x: 1 / (1 - x * x), lambda x: 2 * x / (1 - x * x) ** 2))


def cbrt(x):
    x = jet(x)
    if x.parts[0] == 0:
        raise Undefined
    return absolute(x) * exp(log(absolute(x)) * (mpf(-2) / 3)) * mp.sign(x.parts[0])


def absolute(x):
    x = jet(x)
    if x.parts[0] == 0:
        raise Undefined
    return x * mp.sign(x.parts[0])


def power(a, b):
    """Of a positive base, or with a constant whole exponent."""
    a, b = jet(a), jet(b)
    k = b.parts[0]
    if not any(b.parts[1:]):
        if a.parts[0] == 0 and k < 2 or a.parts[0] < 0 and k != mp.floor(k):
            raise Undefined
        return lift(lambda x: x ** k, lambda x: k * x ** (k - 1), lambda x: k * (k - 1) * x ** (k - 2))(a)
    return exp(log(a) * b)


def larger(a, b, sign=1):
    a, b = jet(a), jet(b)
    if a.parts[0] == b.parts[0]:
        raise Undefined
    return a if (a.parts[0] > b.parts[0]) == (sign > 0) else b


def smaller(a, b):
    return larger(a, b, -1)


# special functions ----------------------------------------------------------------------------------------
ROOT_PI, ROOT_2, ROOT_2PI = (lambda: mp.sqrt(mp.pi)), (lambda: mp.sqrt(2)), (lambda: mp.sqrt(2 * mp.pi))
erf = chain(mp.erf, lambda x: 2 / ROOT_PI() * exp(-x * x))
erfc = chain(mp.erfc, lambda x: -2 / ROOT_PI() * exp(-x * x))
erfi = chain(mp.erfi, lambda x: 2 / ROOT_PI() * exp(x * x))


def no_pole(f):
    """Undefined at 0, -1, -2, ..."""
    def guarded(x, *rest):
        v = jet(x).parts[0]
        if v <= 0 and v == mp.floor(v):
            raise Undefined
        return f(x, *rest)
    return guarded


def polygamma(n, x):
    return no_pole(lift(*(lambda v, k=k: mp.psi(int(n) + k, v) for k in range(3))))(x)


def psi(x):
    return polygamma(0, x)


gamma = no_pole(lift(mp.gamma, lambda x: mp.gamma(x) * mp.psi(0, x),
                     lambda x: mp.gamma(x) * (mp.psi(0, x) ** 2 + mp.psi(1, x))))


def log_gamma(x):
    return mp.loggamma(x) if x > 0 else mp.log(mp.pi / abs(mp.sinpi(x))) - mp.loggamma(1 - x)


gammaln = no_pole(chain(log_gamma, psi))


def zeta(s, q):
    return inside(0, INF, lift(lambda v: mp.zeta(s, v), lambda v: -s * mp.zeta(s + 1, v),
                               lambda v: s * (s + 1) * mp.zeta(s + 2, v)))(q)


def bessel(f, below, above, scaled=None):
    """Of order v, by f' = (below f[v - 1] + above f[v + 1]) / 2, times exp(scaled(x) x)."""
    def function(v, x):
        # (the order is a number)
        v = v.parts[0] if isinstance(v, Jet) else mpf(v)
        of = lift(lambda x: f(v, x), lambda x: (below * f(v - 1, x) + above * f(v + 1, x)) / 2,
                  lambda x: (f(v - 2, x) + 2 * below * above * f(v, x) + f(v + 2, x)) / 4)
        x = jet(x)
        if scaled is None:
            return of(x)
        return of(x) * exp(x * scaled(x.parts[0]))
    return function


jv = bessel(mp.besselj, 1, -1)
yv = bessel(mp.bessely, 1, -1)
iv = bessel(mp.besseli, 1, 1)
kv = bessel(mp.besselk, -1, -1)
ive = bessel(mp.besseli, 1, 1, lambda x: -mp.sign(x))
kve = bessel(mp.besselk, -1, -1, lambda x: 1)


def inverse(f, start):
    """The inverse of a function of one jet; `start(float)` is near."""
    def function(y, *rest):
        v, p, s = jet(y).parts
        x = mpf(float(start(float(v), *(float(r) for r in rest))))
        if not mp.isfinite(x):
            raise Undefined
        for _ in range(12):
            of = f(Jet(x, 1), *rest)
            step = (of.parts[0] - v) / of.parts[1]
            x -= step
            if abs(step) <= abs(x) * mpf(10) ** (5 - mp.dps):
                break
        else:
            raise Undefined
        of = f(Jet(x, 1), *rest)
        a = 1 / of.parts[1]
        b = -of.parts[2] * a ** 3
        return Jet(x, a * p, b * p * p + a * s)
    return function


def numeric(f):
    """Derivatives by differences, with four times the digits."""
    def function(*args):
        k, = (k for k, x in enumerate(args) if isinstance(x, Jet))
        args = [x.parts[0] if isinstance(x, Jet) else mpf(x) for x in args]
        here = mp.dps
        with mp.workdps(4 * here):
            h = (abs(args[k]) or 1) * mpf(10) ** -here
            below, at, above = (f(*args[:k], args[k] + n * h, *args[k + 1:]) for n in (-1, 0, 1))
            return Jet(at, (above - below) / (2 * h), (above - 2 * at + below) / h ** 2)
    return function
