"""Elementwise rules: one line each, the formula as a textbook has it.

A formula takes (y, *args) and gives dy/dx.  At kinks the conventions are JAX's: abs'(0) = 0,
maximum and minimum share ties equally.
"""
import builtins
import math
import operator

import numpy as np

from gradscribe import runtime as rt

from ..core import VIEW, Const
from ..errors.messages import UnsupportedError
from .kinds import CURVED, POLE, Elementwise
from .norms import cosine, unit
from .operators import Comparison, Division, Power, Product, Quotient, Selection, Shift, in_dtype_of
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


def selection(name, fn, *terms, also=(), **facts):
    return register(Selection(name, fn, *terms), fn, *also, **facts)


def choice_ufunc(fn, *choices, **facts):
    """A ufunc that gives one of its arguments: for each, where it does, and what it is given there of g."""
    terms = [lambda g, *args, mask=mask, term=term: np.where(mask(*args), term(g, *args), 0) for mask, term in choices]
    return selection(f"np.{fn.__name__}", fn, *terms, choices=choices, complex=False, **facts)


def shared_slope(g, a, b):
    """Half of it where both are equal."""
    return np.where(a == b, 0.5 * g, g)


def first_cotangent(g, *args):
    return g


def taken_cotangent(c, *args):
    """Where the test of np.where holds."""
    return c if c.type.dtype.kind == "b" else c != 0


def opposite(mask):
    return mask.apply(OPS["not " if mask.type.kind == "py" else "np.logical_not"], mask)


def refused(what):
    """A partial derivative that does not exist here."""
    def partial(y, *args):
        raise UnsupportedError(None, f"the derivative of {what}", instead="Take it as constant: gs.stop_gradient.")
    return partial


def gamma_slope(log_z, a):
    return a.apply(OPS["rt.gamma_slope"], log_z, a)


def erfc_integral(n, x):
    return x.apply(OPS["rt.erfc_integral"], n, x)


def digamma(x):
    return x.apply(OPS["rt.digamma"], x)


def one_slope(y, *args):
    return 1


def direction(y, x):
    """The derivative of abs: the sign, of complex numbers the conjugate of x / abs(x); 0 at 0."""
    if x.type.dtype.kind != "c":
        return np.sign(x)
    return unit(x.apply(OPS["np.conjugate"], x), y)


def root_of_one_more(x, y):
    """sqrt(x * x + 1) of the sinh of y, which does not overflow; of complex numbers on a branch cut it is that of the
    side that the sign of 0 says, which y has."""
    return np.cosh(y) if x.type.dtype.kind == "c" else np.hypot(x, 1.0)


def less_square(x):
    """1 - x * x: near 1 and -1 of factors that are exact, near 0 with the slope -2 x, which is no difference."""
    return np.where(np.abs(x) < 0.5, 1 - x * x, (1 - x) * (1 + x))


def root_of_less_square(x):
    """sqrt(1 - x * x); of complex numbers on a branch cut that of the side that the sign of 0 says."""
    if x.type.dtype.kind != "c":
        return np.sqrt(less_square(x))
    return np.where(np.abs(x) < 0.5, np.sqrt(1 - x * x), np.sqrt(-(x - 1)) * np.sqrt(x - -1))


def has_logarithm(a):
    return a != 0 if a.type.dtype.kind == "c" else a > 0


def less_by_one(y, a, b):
    """The exponent of the derivative of a ** b, which is 0 where both are, and that of a bool."""
    if b.type.dtype.kind == "b":
        return 0
    return b - (b != 0) if isinstance(b.atom, Const) else in_dtype_of(y, b) - ((b != 0) | (a != 0))


def exponent_slope(y, a, b):
    """dy/db of y = a ** b."""
    if a.type.kind == "py" and isinstance(a.atom, Const) and a.type.dtype.kind != "c" and a.atom.value > 0:
        return math.log(a.atom.value) * y
    return y * np.log(np.where(has_logarithm(a), in_dtype_of(y, a), (a != 0) | (y == 0)))


# arithmetic: Python's operators, which are NumPy's ufuncs on arrays
elementwise("add", operator.add, one_slope, one_slope, symbol="+", also=(np.add,), commutes=True, light=True,
            exact_of="f",
            complex=True, any_constant=True)
elementwise("subtract", operator.sub, one_slope, lambda y, a, b: -1, symbol="-", also=(np.subtract,),
            light=True, exact_of="f", complex=True, any_constant=True)
elementwise("multiply", operator.mul, lambda y, a, b: b, lambda y, a, b: a, symbol="*", also=(np.multiply,),
            kind=Product, commutes=True, light=True, exact_of="f", complex=True, any_constant=True)
register(Quotient("divide", operator.truediv, lambda y, a, b: 1 / b, lambda y, a, b: -(y / b), symbol="/"),
         operator.truediv, np.true_divide, complex=True, regular=1.0, pole_at_zero=1, any_constant=True)
elementwise("floor_divide", operator.floordiv, None, None, symbol="//", also=(np.floor_divide,), kind=Division)
elementwise("mod", operator.mod, one_slope, lambda y, a, b: -(a // b), symbol="%", also=(np.remainder,), kind=Division)
elementwise("negative", operator.neg, lambda y, x: -1, symbol="-", also=(np.negative,), light=True, exact_of="f",
            complex=True)
elementwise("power", operator.pow,
            lambda y, a, b: b * a ** less_by_one(y, a, b), exponent_slope, symbol="**", also=(np.power,), kind=Power,
            complex=True, regular=1.0, pole_at_zero=0)


class Conjugate(Elementwise):
    """The one function whose derivative is not a factor: a tangent is conjugated, and so is a cotangent."""

    def term(self, b, let, k, g, hint, mask=None):
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
vector(np.exp, lambda y, x: y, complex=True, overflows=True)
vector(np.expm1, lambda y, x: np.exp(x), complex=True, overflows=True)
vector(np.log, lambda y, x: 1 / x, complex=True, regular=1.0, pole_at_zero=0)
vector(np.log1p, lambda y, x: 1 / (1 + x), complex=True, regular=1.0)
ufunc(np.sqrt, lambda y, x: 0.5 / y, compiled="rs.sqrt", complex=True, regular=1.0, pole_at_zero=0)
ufunc(np.square, lambda y, x: 2 * x, complex=True)
# log(4) times half of it, which is finite a little beyond the last x of which exp2 is
libm(np.exp2, lambda y, x: 1.3862943611198906 * np.exp2(x - 1), complex=True, overflows=True)
libm(np.log2, lambda y, x: 1.4426950408889634 / x, complex=True, regular=1.0, pole_at_zero=0)  # 1 / log(2)
libm(np.log10, lambda y, x: 0.4342944819032518 / x, complex=True, regular=1.0, pole_at_zero=0)  # 1 / log(10)
libm(np.cbrt, lambda y, x: 1 / (3 * y * y), regular=1.0, pole_at_zero=0)
vector(np.sin, lambda y, x: np.cos(x), complex=True)
vector(np.cos, lambda y, x: -np.sin(x), complex=True)
libm(np.tan, lambda y, x: 1 + y * y, complex=True)
libm(np.sinh, lambda y, x: np.cosh(x), complex="rc.sinh", overflows=True)
libm(np.cosh, lambda y, x: np.sinh(x), complex="rc.cosh", overflows=True)
vector(np.tanh, lambda y, x: 1 - y * y, complex="rc.tanh")
libm(np.arcsin, lambda y, x: 1 / root_of_less_square(x), complex=True, regular=0.5)
libm(np.arccos, lambda y, x: -(1 / root_of_less_square(x)), complex=True, regular=0.5)
libm(np.arctan, lambda y, x: 1 / (1 + x * x), complex=True)
libm(np.arcsinh, lambda y, x: 1 / root_of_one_more(x, y), complex=True)
libm(np.arccosh, lambda y, x: 1 / (np.sqrt(x - 1) * np.sqrt(x - -1)), complex="rc.arccosh",
     regular=2.0)
libm(np.arctanh, lambda y, x: 1 / less_square(x), complex=True, regular=0.5)
class Magnitude(Elementwise):
    """abs, whose slope has a kink; that of complex numbers turns ever faster towards 0."""

    regular = 1.0

    def curvature(self, let, types):
        return POLE if types[let.args[0]].dtype.kind == "c" else CURVED


elementwise("abs", builtins.abs, direction, kind=Magnitude, also=(np.absolute, np.abs), light=True,
            exact_of="f", complex=True)

# complex numbers: a partial derivative p of a real y means dy = Re(p dz)
elementwise("np.real", np.real, one_slope, memory=VIEW, complex=True)
elementwise("np.imag", np.imag, lambda y, z: -1j, memory=VIEW, complex=True)
register(Conjugate("np.conjugate", np.conjugate, one_slope), np.conjugate, complex=True)

elementwise("rt.erf", rt.erf, lambda y, x: 1.1283791670955126 * np.exp(-x * x), compiled="rs.erf")  # 2 / sqrt(pi)
elementwise("rt.erfc", rt.erfc, lambda y, x: -1.1283791670955126 * np.exp(-x * x), compiled="rs.erfc")

# sqrt(pi) / 2
elementwise("rt.erfinv", rt.erfinv, lambda y, x: 0.886226925452758 * np.exp(y * y), compiled="vm.erfinv", regular=0.5)
# exp(x * x) times the n-th integral of erfc, of which the derivatives cancel in no order: dlmf.nist.gov, 7.18.4, 7.18.7
elementwise("rt.erfc_integral", rt.erfc_integral, None, lambda y, n, x: -2 * (n + 1) * erfc_integral(n + 1, x),
            compiled="sp.erfc_integral")
elementwise("rt.lgamma", rt.lgamma, lambda y, x: digamma(x), compiled="rs.lgamma", regular=1.0)
elementwise("rt.gamma", rt.gamma, lambda y, x: y * digamma(x), compiled="rs.gamma", regular=1.0)
elementwise("rt.digamma", rt.digamma, refused("digamma"))

# samples of the gamma distribution: their derivative with respect to the shape is that which keeps their quantile
elementwise("rt.gamma_sample", rt.gamma_sample, None, lambda y, z, a: gamma_slope(z, a))
elementwise("rt.gamma_slope", rt.gamma_slope, refused("the derivative of a gamma sample"),
            refused("the derivative of a gamma sample"))

# the same under another name, in other units, of other dtypes
ufunc(np.fabs, lambda y, x: np.sign(x))
ufunc(np.positive, one_slope)
ufunc(np.reciprocal, lambda y, x: -(y * y), regular=1.0, pole_at_zero=0)
for _fn in (np.deg2rad, np.radians):
    ufunc(_fn, lambda y, x: np.pi / 180)
for _fn in (np.rad2deg, np.degrees):
    ufunc(_fn, lambda y, x: 180 / np.pi)
for _fn in (np.signbit, np.spacing):
    ufunc(_fn, None)
for _fn in (np.gcd, np.lcm):
    ufunc(_fn, None, None)

# functions of two
ufunc(np.float_power, lambda y, a, b: b * np.float_power(a, less_by_one(y, a, b)),
      lambda y, a, b: y * np.log(np.where(a > 0, a, (a != 0) | (y == 0))), regular=1.0)
ufunc(np.ldexp, lambda y, a, b: np.ldexp(in_dtype_of(y, 1.0), b), None)
# of an infinite sum, to the infinite term; exp(a - y) has 1 - exp(a - y) in its own slope, which cancels
ufunc(np.logaddexp, lambda y, a, b: np.where(a == np.inf, 1.0, np.exp(-np.logaddexp(0.0, b - a))),
      lambda y, a, b: np.where(b == np.inf, 1.0, np.exp(-np.logaddexp(0.0, a - b))), regular=1.0)
ufunc(np.logaddexp2, lambda y, a, b: np.where(a == np.inf, 1.0, np.exp2(-np.logaddexp2(0.0, b - a))),
      lambda y, a, b: np.where(b == np.inf, 1.0, np.exp2(-np.logaddexp2(0.0, a - b))), regular=1.0)
# ties go to the second argument, and what is no number to the other one
choice_ufunc(np.fmax, (lambda a, b: (a > b) | np.isnan(b), first_cotangent),
             (lambda a, b: opposite((a > b) | np.isnan(b)), first_cotangent))
choice_ufunc(np.fmin, (lambda a, b: (a < b) | np.isnan(b), first_cotangent),
             (lambda a, b: opposite((a < b) | np.isnan(b)), first_cotangent))
libm(np.arctan2, lambda y, a, b: b / np.hypot(a, b) / np.hypot(a, b),
     lambda y, a, b: -(a / np.hypot(a, b) / np.hypot(a, b)), regular=1.0)
libm(np.hypot, lambda y, a, b: cosine(a, y, b), lambda y, a, b: cosine(b, y, a), regular=1.0)
libm(np.copysign, lambda y, a, b: np.sign(in_dtype_of(y, a)) * np.copysign(1.0, in_dtype_of(y, b)), None)
ufunc(np.fmod, one_slope, lambda y, a, b: -np.rint((a - y) / b))  # y is exact, a / b is not
choice_ufunc(np.maximum, (lambda a, b: a >= b, shared_slope), (lambda a, b: a <= b, shared_slope), hides=False)
choice_ufunc(np.minimum, (lambda a, b: a <= b, shared_slope), (lambda a, b: a >= b, shared_slope), hides=False)
# a bound that is reached has its share; where the bounds meet or cross, the upper one counts
choice_ufunc(np.clip,
             (lambda x, low, high: (low < high) & (low <= x) & (x <= high),
              lambda g, x, low, high: np.where((x == low) | (x == high), 0.5 * g, g)),
             (lambda x, low, high: (low < high) & (x <= low), lambda g, x, low, high: shared_slope(g, x, low)),
             (lambda x, low, high: (low >= high) | (x >= high),
              lambda g, x, low, high: np.where((low < high) & (x == high), 0.5 * g, g)), hides=False)

# choice: what is not chosen gets an exact zero
for _name, _fn in (("np.where", np.where), ("rt.choose", rt.choose)):
    selection(_name, _fn, None, lambda g, c, a, b: np.where(c, g, 0), lambda g, c, a, b: np.where(c, 0, g),
              choices=(None, (taken_cotangent, first_cotangent),
                       (lambda *args: opposite(taken_cotangent(*args)), first_cotangent)))

# random words
elementwise("rt.threefry", rt.threefry, None, None, None, None, compiled="rs.threefry")

# conversions
def _cast_term(y, x):
    return 1


class Conversion(Elementwise):
    """A number as one of a class of Python's; `joined`: where two paths join (`transform/python_numbers.py`)."""

    def infer(self, b, args, params):
        return super().infer(b, args, {})


class ToInt(Conversion):
    """int(x), which raises of an infinite number and of nan."""

    def may_raise(self, let, types, known):
        return types[0].is_float


elementwise("round", builtins.round, None, None)  # of a Python float to a number of digits
elementwise("float", float, _cast_term, kind=Conversion, converts=True)
elementwise("complex", complex, one_slope, lambda y, a, b: 1j, kind=Conversion, complex=True, converts=True)
elementwise("int", int, None, kind=ToInt, converts=True)
elementwise("bool", bool, None, converts=True, complex=True)
