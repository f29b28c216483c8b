"""Elementwise rules: one line each, the formula as a textbook has it.

A formula takes (y, *args) and gives dy/dx.  At kinks the conventions are JAX's: abs'(0) = 0,
maximum and minimum share ties equally.
"""
import builtins
import operator

import numpy as np

from gradscribe import runtime as rt

from ..core import VIEW
from ..errors import UnsupportedError
from .kinds import Comparison, Division, Elementwise, Power, Quotient, Selection, Shift
from .registry import OPS, register


def elementwise(name, fn, *partials, symbol=None, also=(), kind=Elementwise, **facts):
    return register(kind(name, fn, *partials, symbol=symbol), fn, *also, **facts)


def ufunc(fn, *partials, **facts):
    return elementwise(f"np.{fn.__name__}", fn, *partials, **facts)


def vector(fn, *partials, **facts):
    """Compiled to a function of `runtime.vectormath`."""
    return ufunc(fn, *partials, compiled=f"vm.{fn.__name__}", **facts)


def libm(fn, *partials, **facts):
    """Compiled to a function of the C library, one element at a time."""
    return ufunc(fn, *partials, compiled=f"rs.{fn.__name__}", **facts)


def selection(name, fn, *terms, also=()):
    return register(Selection(name, fn, *terms), fn, *also)


def refused(what):
    """A partial derivative that does not exist here."""
    def partial(y, *args):
        raise UnsupportedError(None, f"the derivative of {what}", instead="Take it as constant: gs.stop_gradient.")
    return partial


def gamma_slope(log_z, a):
    return a.apply(OPS["rt.gamma_slope"], log_z, a)


def digamma(x):
    return x.apply(OPS["rt.digamma"], x)


def one(y, *args):
    return 1


def direction(y, x):
    """The derivative of abs: the sign, of complex numbers the conjugate of x / abs(x); 0 at 0."""
    if x.type.dtype.kind != "c":
        return np.sign(x)
    return np.where(y == 0, 0, x.apply(OPS["np.conjugate"], x) / np.where(y == 0, 1, y))


def has_logarithm(a):
    return a != 0 if a.type.dtype.kind == "c" else a > 0


# arithmetic: Python's operators, which are NumPy's ufuncs on arrays
elementwise("add", operator.add, one, one, symbol="+", also=(np.add,), commutes=True, light=True, exact_of="f",
            complex=True)
elementwise("subtract", operator.sub, one, lambda y, a, b: -1, symbol="-", also=(np.subtract,),
            light=True, exact_of="f", complex=True)
elementwise("multiply", operator.mul, lambda y, a, b: b, lambda y, a, b: a, symbol="*", also=(np.multiply,),
            commutes=True, light=True, exact_of="f", complex=True)
register(Quotient("divide", operator.truediv, lambda y, a, b: 1 / b, lambda y, a, b: -(y / b), symbol="/"),
         operator.truediv, np.true_divide, complex=True)
elementwise("floor_divide", operator.floordiv, None, None, symbol="//", also=(np.floor_divide,), kind=Division)
elementwise("mod", operator.mod, one, lambda y, a, b: -(a // b), symbol="%", also=(np.remainder,), kind=Division)
elementwise("negative", operator.neg, lambda y, x: -1, symbol="-", also=(np.negative,), light=True, exact_of="f",
            complex=True)
elementwise("power", operator.pow,
            lambda y, a, b: b * a ** (b - (b != 0)),  # 0 for b = 0, where a may be 0 too
            lambda y, a, b: y * np.log(np.where(has_logarithm(a), a, 1)), symbol="**", also=(np.power,), kind=Power,
            complex=True)


class Conjugate(Elementwise):
    """The one function whose derivative is not a factor: a tangent is conjugated, and so is a cotangent."""

    def term(self, b, let, k, g, hint):
        return b.emit(self, g, hint=hint)


# comparison and logic: no derivative
def comparison(name, fn, symbol, ufunc, opposite, holds, **facts):
    return register(Comparison(name, fn, symbol, opposite, holds), fn, ufunc, **facts)


comparison("less", operator.lt, "<", np.less, "greater_equal", lambda a, b: [b - a - 1])
comparison("less_equal", operator.le, "<=", np.less_equal, "greater", lambda a, b: [b - a])
comparison("greater", operator.gt, ">", np.greater, "less_equal", lambda a, b: [a - b - 1])
comparison("greater_equal", operator.ge, ">=", np.greater_equal, "less", lambda a, b: [a - b])
comparison("equal", operator.eq, "==", np.equal, "not_equal", lambda a, b: [a - b, b - a], commutes=True,
           complex=True)
comparison("not_equal", operator.ne, "!=", np.not_equal, "equal", lambda a, b: [], commutes=True,
           complex=True)
elementwise("and_", operator.and_, None, None, symbol="&", also=(np.bitwise_and,), exact_of="bif")
elementwise("or_", operator.or_, None, None, symbol="|", also=(np.bitwise_or,), exact_of="bif")
elementwise("xor", operator.xor, None, None, symbol="^", also=(np.bitwise_xor,))
elementwise("lshift", operator.lshift, None, None, symbol="<<", also=(np.left_shift,), kind=Shift)
elementwise("rshift", operator.rshift, None, None, symbol=">>", also=(np.right_shift,), kind=Shift)
elementwise("invert", operator.invert, None, symbol="~", also=(np.invert,))
elementwise("not ", operator.not_, None, symbol="not ", exact_of="bif", complex=True)
for _fn in (np.logical_and, np.logical_or, np.logical_xor):
    ufunc(_fn, None, None, complex=True)
for _fn in (np.logical_not, np.isinf, np.isfinite, np.isnan):
    ufunc(_fn, None, complex=True)
ufunc(np.sign, None)
for _fn in (np.floor, np.ceil, np.rint, np.trunc):
    ufunc(_fn, None, compiled=f"rs.{_fn.__name__}", rounds=True)

# functions of one argument
vector(np.exp, lambda y, x: y, complex=True)
vector(np.expm1, lambda y, x: y + 1, complex=True)
vector(np.log, lambda y, x: 1 / x, complex=True)
vector(np.log1p, lambda y, x: 1 / (1 + x), complex=True)
ufunc(np.sqrt, lambda y, x: 0.5 / y, compiled="rs.sqrt", complex=True)
ufunc(np.square, lambda y, x: 2 * x, complex=True)
libm(np.exp2, lambda y, x: 0.6931471805599453 * y, complex=True)  # log(2)
libm(np.log2, lambda y, x: 1.4426950408889634 / x, complex=True)  # 1 / log(2)
libm(np.log10, lambda y, x: 0.4342944819032518 / x, complex=True)  # 1 / log(10)
libm(np.cbrt, lambda y, x: 1 / (3 * y * y))
vector(np.sin, lambda y, x: np.cos(x), complex=True)
vector(np.cos, lambda y, x: -np.sin(x), complex=True)
libm(np.tan, lambda y, x: 1 + y * y, complex=True)
libm(np.sinh, lambda y, x: np.cosh(x), complex="rc.sinh")
libm(np.cosh, lambda y, x: np.sinh(x), complex="rc.cosh")
vector(np.tanh, lambda y, x: 1 - y * y, complex="rc.tanh")
libm(np.arcsin, lambda y, x: 1 / np.sqrt(1 - x * x), complex=True)
libm(np.arccos, lambda y, x: -(1 / np.sqrt(1 - x * x)), complex=True)
libm(np.arctan, lambda y, x: 1 / (1 + x * x), complex=True)
libm(np.arcsinh, lambda y, x: 1 / np.sqrt(x * x + 1), complex=True)
libm(np.arccosh, lambda y, x: 1 / np.sqrt(x * x - 1))
libm(np.arctanh, lambda y, x: 1 / (1 - x * x), complex=True)
elementwise("abs", builtins.abs, direction, also=(np.absolute, np.abs), light=True, exact_of="f", complex=True)

# complex numbers: a partial derivative p of a real y means dy = Re(p dz)
elementwise("np.real", np.real, one, memory=VIEW, complex=True)
elementwise("np.imag", np.imag, lambda y, z: -1j, memory=VIEW, complex=True)
register(Conjugate("np.conjugate", np.conjugate, one), np.conjugate, complex=True)
elementwise("complex", complex, one, lambda y, a, b: 1j, complex=True, converts=True)

elementwise("rt.erf", rt.erf, lambda y, x: 1.1283791670955126 * np.exp(-x * x), compiled="rs.erf")  # 2 / sqrt(pi)
elementwise("rt.erfc", rt.erfc, lambda y, x: -1.1283791670955126 * np.exp(-x * x), compiled="rs.erfc")

# sqrt(pi) / 2
elementwise("rt.erfinv", rt.erfinv, lambda y, x: 0.886226925452758 * np.exp(y * y), compiled="vm.erfinv")
elementwise("rt.lgamma", rt.lgamma, lambda y, x: digamma(x), compiled="rs.lgamma")
elementwise("rt.gamma", rt.gamma, lambda y, x: y * digamma(x), compiled="rs.gamma")
elementwise("rt.digamma", rt.digamma, refused("digamma"))

# samples of the gamma distribution: their derivative with respect to the shape is that which keeps their quantile
elementwise("rt.gamma_sample", rt.gamma_sample, None, lambda y, z, a: gamma_slope(z, a))
elementwise("rt.gamma_slope", rt.gamma_slope, refused("the derivative of a gamma sample"),
            refused("the derivative of a gamma sample"))

# the same under another name, in other units, of other dtypes
ufunc(np.fabs, lambda y, x: np.sign(x))
ufunc(np.positive, one)
ufunc(np.reciprocal, lambda y, x: -(y * y))
for _fn in (np.deg2rad, np.radians):
    ufunc(_fn, lambda y, x: np.pi / 180)
for _fn in (np.rad2deg, np.degrees):
    ufunc(_fn, lambda y, x: 180 / np.pi)
for _fn in (np.signbit, np.spacing):
    ufunc(_fn, None)
for _fn in (np.gcd, np.lcm):
    ufunc(_fn, None, None)

# functions of two
ufunc(np.float_power, lambda y, a, b: b * np.float_power(a, b - (b != 0)),
      lambda y, a, b: y * np.log(np.where(a > 0, a, 1)))
ufunc(np.ldexp, lambda y, a, b: np.ldexp(1.0, b), None)
# of an infinite sum, to the infinite term
ufunc(np.logaddexp, lambda y, a, b: np.where(a == np.inf, 1.0, np.exp(a - y)),
      lambda y, a, b: np.where(b == np.inf, 1.0, np.exp(b - y)))
ufunc(np.logaddexp2, lambda y, a, b: np.where(a == np.inf, 1.0, np.exp2(a - y)),
      lambda y, a, b: np.where(b == np.inf, 1.0, np.exp2(b - y)))
# ties go to the second argument, and what is no number to the other one
ufunc(np.fmax, lambda y, a, b: np.where((a > b) | np.isnan(b), 1.0, 0.0),
      lambda y, a, b: np.where((a > b) | np.isnan(b), 0.0, 1.0))
ufunc(np.fmin, lambda y, a, b: np.where((a < b) | np.isnan(b), 1.0, 0.0),
      lambda y, a, b: np.where((a < b) | np.isnan(b), 0.0, 1.0))
libm(np.arctan2, lambda y, a, b: b / (a * a + b * b), lambda y, a, b: -(a / (a * a + b * b)))
libm(np.hypot, lambda y, a, b: a / y, lambda y, a, b: b / y)
libm(np.copysign, lambda y, a, b: np.sign(a) * np.copysign(1.0, b), None)
ufunc(np.fmod, one, lambda y, a, b: -np.trunc(a / b))
ufunc(np.maximum, lambda y, a, b: np.where(a > b, 1.0, np.where(a == b, 0.5, 0.0)),
      lambda y, a, b: np.where(b > a, 1.0, np.where(a == b, 0.5, 0.0)))
ufunc(np.minimum, lambda y, a, b: np.where(a < b, 1.0, np.where(a == b, 0.5, 0.0)),
      lambda y, a, b: np.where(b < a, 1.0, np.where(a == b, 0.5, 0.0)))


# a bound that is reached has its share; where the bounds meet or cross, the upper one counts
elementwise("np.clip", np.clip,
            lambda y, x, low, high: np.where(low < high,
            np.where(x != y, 0.0, np.where(x == low, 0.5, np.where(x == high, 0.5, 1.0))), 0.0),
            lambda y, x, low, high: np.where(low < high, np.where(x < low, 1.0, np.where(x == low, 0.5, 0.0)), 0.0),
            lambda y, x, low, high: np.where(low < high, np.where(x > high, 1.0, np.where(x == high, 0.5, 0.0)), 1.0))

# choice: what is not chosen gets an exact zero
selection("np.where", np.where, None, lambda g, c, a, b: np.where(c, g, 0), lambda g, c, a, b: np.where(c, 0, g))
selection("rt.choose", rt.choose, None, lambda g, c, a, b: np.where(c, g, 0), lambda g, c, a, b: np.where(c, 0, g))

# random words
elementwise("rt.threefry", rt.threefry, None, None, None, None, compiled="rs.threefry")

# conversions
def _cast_term(y, x):
    return 1


class ToInt(Elementwise):
    """int(x), which raises of an infinite number and of nan."""

    def may_raise(self, let, types, known):
        return types[0].is_float


elementwise("round", builtins.round, None, None)  # of a Python float to a number of digits
elementwise("float", float, _cast_term, converts=True)
elementwise("int", int, None, kind=ToInt, converts=True)
elementwise("bool", bool, None, converts=True, complex=True)
