"""Elementwise rules: one line each, the formula as a textbook has it.

A formula takes (y, *args) and gives dy/dx.  At kinks the conventions are JAX's: abs'(0) = 0,
maximum and minimum share ties equally.
"""
import builtins
import operator

import numpy as np

from gradscribe import runtime as rt

from ..errors import UnsupportedError
from .kinds import Elementwise, Quotient, Selection
from .registry import OPS, register


def elementwise(name, fn, *partials, symbol=None, also=()):
    return register(Elementwise(name, fn, *partials, symbol=symbol), fn, *also)


def ufunc(fn, *partials):
    return elementwise(f"np.{fn.__name__}", fn, *partials)


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


# arithmetic: Python's operators, which are NumPy's ufuncs on arrays
elementwise("add", operator.add, one, one, symbol="+", also=(np.add,))
elementwise("subtract", operator.sub, one, lambda y, a, b: -1, symbol="-", also=(np.subtract,))
elementwise("multiply", operator.mul, lambda y, a, b: b, lambda y, a, b: a, symbol="*", also=(np.multiply,))
register(Quotient("divide", operator.truediv, lambda y, a, b: 1 / b, lambda y, a, b: -(y / b), symbol="/"), operator.truediv, np.true_divide)
elementwise("floor_divide", operator.floordiv, None, None, symbol="//", also=(np.floor_divide,))
elementwise("mod", operator.mod, one, lambda y, a, b: -(a // b), symbol="%", also=(np.remainder,))
elementwise("negative", operator.neg, lambda y, x: -1, symbol="-", also=(np.negative,))
elementwise("power", operator.pow,
            lambda y, a, b: b * a ** (b - (b != 0)),  # 0 for b = 0, where a may be 0 too
            lambda y, a, b: y * np.log(np.where(a > 0, a, 1)), symbol="**", also=(np.power,))

# comparison and logic: no derivative
for _name, _fn, _symbol, _ufunc in (
        ("less", operator.lt, "<", np.less), ("less_equal", operator.le, "<=", np.less_equal),
        ("greater", operator.gt, ">", np.greater), ("greater_equal", operator.ge, ">=", np.greater_equal),
        ("equal", operator.eq, "==", np.equal), ("not_equal", operator.ne, "!=", np.not_equal),
        ("and_", operator.and_, "&", np.bitwise_and), ("or_", operator.or_, "|", np.bitwise_or),
        ("xor", operator.xor, "^", np.bitwise_xor), ("lshift", operator.lshift, "<<", np.left_shift),
        ("rshift", operator.rshift, ">>", np.right_shift)):
    elementwise(_name, _fn, None, None, symbol=_symbol, also=(_ufunc,))
elementwise("invert", operator.invert, None, symbol="~", also=(np.invert,))
elementwise("not ", operator.not_, None, symbol="not ")
for _fn in (np.logical_and, np.logical_or, np.logical_xor):
    ufunc(_fn, None, None)
for _fn in (np.logical_not, np.isnan, np.isinf, np.isfinite, np.sign, np.floor, np.ceil, np.rint, np.trunc):
    ufunc(_fn, None)

# functions of one argument
ufunc(np.exp, lambda y, x: y)
ufunc(np.expm1, lambda y, x: y + 1)
ufunc(np.log, lambda y, x: 1 / x)
ufunc(np.log1p, lambda y, x: 1 / (1 + x))
ufunc(np.sqrt, lambda y, x: 0.5 / y)
ufunc(np.square, lambda y, x: 2 * x)
ufunc(np.exp2, lambda y, x: 0.6931471805599453 * y)  # log(2)
ufunc(np.log2, lambda y, x: 1.4426950408889634 / x)  # 1 / log(2)
ufunc(np.log10, lambda y, x: 0.4342944819032518 / x)  # 1 / log(10)
ufunc(np.cbrt, lambda y, x: 1 / (3 * y * y))
ufunc(np.sin, lambda y, x: np.cos(x))
ufunc(np.cos, lambda y, x: -np.sin(x))
ufunc(np.tan, lambda y, x: 1 + y * y)
ufunc(np.sinh, lambda y, x: np.cosh(x))
ufunc(np.cosh, lambda y, x: np.sinh(x))
ufunc(np.tanh, lambda y, x: 1 - y * y)
ufunc(np.arcsin, lambda y, x: 1 / np.sqrt(1 - x * x))
ufunc(np.arccos, lambda y, x: -(1 / np.sqrt(1 - x * x)))
ufunc(np.arctan, lambda y, x: 1 / (1 + x * x))
ufunc(np.arcsinh, lambda y, x: 1 / np.sqrt(x * x + 1))
ufunc(np.arccosh, lambda y, x: 1 / np.sqrt(x * x - 1))
ufunc(np.arctanh, lambda y, x: 1 / (1 - x * x))
elementwise("abs", builtins.abs, lambda y, x: np.sign(x), also=(np.absolute, np.abs))

elementwise("rt.erf", rt.erf, lambda y, x: 1.1283791670955126 * np.exp(-x * x))  # 2 / sqrt(pi)
elementwise("rt.erfc", rt.erfc, lambda y, x: -1.1283791670955126 * np.exp(-x * x))

elementwise("rt.erfinv", rt.erfinv, lambda y, x: 0.886226925452758 * np.exp(y * y))  # sqrt(pi) / 2
elementwise("rt.lgamma", rt.lgamma, lambda y, x: digamma(x))
elementwise("rt.gamma", rt.gamma, lambda y, x: y * digamma(x))
elementwise("rt.digamma", rt.digamma, refused("digamma"))

# samples of the gamma distribution: their derivative with respect to the shape is that which keeps their quantile
elementwise("rt.gamma_sample", rt.gamma_sample, None, lambda y, z, a: gamma_slope(z, a))
elementwise("rt.gamma_slope", rt.gamma_slope, refused("the derivative of a gamma sample"), refused("the derivative of a gamma sample"))

# functions of two
ufunc(np.arctan2, lambda y, a, b: b / (a * a + b * b), lambda y, a, b: -(a / (a * a + b * b)))
ufunc(np.hypot, lambda y, a, b: a / y, lambda y, a, b: b / y)
ufunc(np.copysign, lambda y, a, b: np.sign(a) * np.copysign(1.0, b), None)
ufunc(np.fmod, one, lambda y, a, b: -np.trunc(a / b))
ufunc(np.maximum, lambda y, a, b: np.where(a > b, 1.0, np.where(a == b, 0.5, 0.0)),
      lambda y, a, b: np.where(b > a, 1.0, np.where(a == b, 0.5, 0.0)))
ufunc(np.minimum, lambda y, a, b: np.where(a < b, 1.0, np.where(a == b, 0.5, 0.0)),
      lambda y, a, b: np.where(b < a, 1.0, np.where(a == b, 0.5, 0.0)))


# a bound that is reached has its share; where the bounds cross, the upper one counts
elementwise("np.clip", np.clip,
            lambda y, x, low, high: np.where(low > high, 0.0, np.where(x != y, 0.0, np.where(x == low, 0.5, np.where(x == high, 0.5, 1.0)))),
            lambda y, x, low, high: np.where(low < high, np.where(x < low, 1.0, np.where(x == low, 0.5, 0.0)), 0.0),
            lambda y, x, low, high: np.where(low < high, np.where(x > high, 1.0, np.where(x == high, 0.5, 0.0)), 1.0))

# choice: what is not chosen gets an exact zero
selection("np.where", np.where, None, lambda g, c, a, b: np.where(c, g, 0), lambda g, c, a, b: np.where(c, 0, g))
selection("rt.choose", rt.choose, None, lambda g, c, a, b: np.where(c, g, 0), lambda g, c, a, b: np.where(c, 0, g))

# random words
elementwise("rt.threefry", rt.threefry, None, None, None, None)

# conversions
def _cast_term(y, x):
    return 1


elementwise("round", builtins.round, None, None)  # of a Python float to a number of digits
for _fn in (float, int, bool):
    elementwise(_fn.__name__, _fn, _cast_term if _fn is float else None)
