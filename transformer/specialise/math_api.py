"""`math`, and Python's built-in functions of numbers.

What is known now is computed by Python itself, and Python is asked which classes of arguments it takes. What only the run time knows is
computed by NumPy's functions of doubles, which say nothing where `math` raises: so each row of the table says where that is.
"""
from __future__ import annotations

import functools
import math

import numpy as np

from ..core import Const
from ..rules import OPS
from ..rules.expr import Expr, atom_of
from ..types import PY_FLOAT
from . import objects
from . import values as v
from .calls import call_value, frontend, method
from .containers import is_plain, sampled
from .expressions import binary_op, iterate_static, truth
from .numpy_api import only_element

NONE = v.Static(None)
F8 = np.dtype(np.float64)


# what Python itself says -----------------------------------------------------------------------
def by_python(s, f, *args, **kwargs):
    """The value of a function of Python's where all is known now; else None, after Python has had a look at the classes of the arguments."""
    plain = all([is_plain(s, x) for x in (*args, *kwargs.values())])
    try:
        with np.errstate(all="ignore"):
            result = f(*[sampled(s, x) for x in args], **{k: sampled(s, x) for k, x in kwargs.items()})
    except Exception as error:
        if not plain and not isinstance(error, TypeError):
            return None  # it depends on the values
        return s.stop(type(error).__name__, str(error))
    if not plain:
        return None
    return v.Tuple(tuple(map(s.static_number, result))) if isinstance(result, tuple) else s.static_number(result)


def special(s, x, name: str, *others):
    """What the method of this name makes of an object of a user's class; None of all else."""
    own = objects.special(s, x, name)
    return None if own is None else call_value(s, own, [*others], {})


def number(s, x, *names: str):
    """A value as a number: of an object of a user's class, what the first of these methods that it has makes of it."""
    return next((result for name in names or ("__float__", "__index__") if (result := special(s, x, name)) is not None), x)


# numbers of the run time ---------------------------------------------------------------------------
def one_number(s, x):
    """A number, or the element of an array that has one, as an atom: what Python converts to a number."""
    atom = s.atom(x)
    return only_element(s, atom, "TypeError", "only length-1 arrays can be converted to Python scalars") if s.b.type(atom).rank else atom


def double(s, x) -> Expr:
    """A value as a Python float, as a function of `math` takes it."""
    if is_plain(s, x):
        x = by_python(s, float, x)
    atom = one_number(s, x)
    if not isinstance(atom, Const) and s.b.type(atom) != PY_FLOAT:
        atom = s.emit("float", atom)
    return Expr(s.b, atom)


def as_float(s, x):
    """The Python float that a result is."""
    atom = atom_of(x)
    return s.wrap(atom if s.b.type(atom) == PY_FLOAT else s.emit("float", atom))


def wide(x: Expr) -> Expr:
    """The number as NumPy's, so that operators on it do not raise."""
    return x.apply(OPS["rt.astype"], x, dtype=F8)


def both(*flags) -> Expr:
    return functools.reduce(lambda a, b: a.apply(OPS["and_"], a, b), flags)


def either(*flags) -> Expr:
    return functools.reduce(lambda a, b: a.apply(OPS["or_"], a, b), flags)


def infinite(x) -> Expr:
    return np.abs(x) == math.inf


def forbid(s, wrong, kind: str, message: str) -> None:
    """Raise at run time where this holds."""
    s.require(s.emit("not ", atom_of(wrong)), kind, message)


# math: floats ------------------------------------------------------------------------------------------
def whole(x) -> Expr:
    """Is it an integer that is not positive: a pole of the gamma function?"""
    return both(x <= 0.0, np.floor(x) == x)


def no_division(x, y) -> Expr:
    """Is x without a remainder by y, though neither is not a number?"""
    return either(both(infinite(x), y == y), both(y == 0.0, x == x))


def remainder(x, y):
    """x minus the nearest multiple of y, to the even one of two; each step is exact."""
    a, b = np.abs(x), np.abs(y)
    m = np.fmod(a, b)
    c = b - m
    r = np.where(m < c, m, np.where(m > c, -c, m - 2.0 * np.fmod(0.5 * (a - m), b)))
    return np.copysign(1.0, x) * r


def power(x, y):
    return wide(x) ** wide(y)


def no_power(x, y) -> Expr:
    """Is x ** y no real number?"""
    return either(both(x < 0.0, x > -math.inf, np.floor(y) != y, y == y), both(x == 0.0, y < 0.0, y > -math.inf))


# (name, its value, where it is a domain error, may numbers that are finite give one that is not: a range error)
REAL = (
    ("sqrt", np.sqrt, lambda x: x < 0.0, False), ("cbrt", np.cbrt, None, False),
    ("exp", np.exp, None, True), ("exp2", np.exp2, None, True), ("expm1", np.expm1, None, True),
    ("log2", np.log2, lambda x: x <= 0.0, False), ("log10", np.log10, lambda x: x <= 0.0, False), ("log1p", np.log1p, lambda x: x <= -1.0, False),
    ("sin", np.sin, infinite, False), ("cos", np.cos, infinite, False), ("tan", np.tan, infinite, False),
    ("asin", np.arcsin, lambda x: np.abs(x) > 1.0, False), ("acos", np.arccos, lambda x: np.abs(x) > 1.0, False), ("atan", np.arctan, None, False),
    ("sinh", np.sinh, None, True), ("cosh", np.cosh, None, True), ("tanh", np.tanh, None, False),
    ("asinh", np.arcsinh, None, False), ("acosh", np.arccosh, lambda x: x < 1.0, False), ("atanh", np.arctanh, lambda x: np.abs(x) >= 1.0, False),
    ("erf", lambda x: x.apply(OPS["rt.erf"], x), None, False), ("erfc", lambda x: x.apply(OPS["rt.erfc"], x), None, False),
    ("gamma", lambda x: x.apply(OPS["rt.gamma"], x), whole, True),
    ("lgamma", lambda x: x.apply(OPS["rt.lgamma"], x), lambda x: both(whole(x), x > -math.inf), True),
    ("fabs", np.abs, None, False), ("degrees", lambda x: x * (180.0 / math.pi), None, False), ("radians", lambda x: x * (math.pi / 180.0), None, False),
    ("atan2", np.arctan2, None, False), ("copysign", np.copysign, None, False), ("fmod", np.fmod, no_division, False),
    ("remainder", remainder, no_division, False), ("pow", power, no_power, True),
)


def real(name, value, wrong, large):
    function = getattr(math, name, None)

    def handler(s, *args, **kwargs):
        args = [number(s, x) for x in args]
        known = by_python(s, function, *args, **kwargs)
        return known if known is not None else as_float(s, computed(s, value, wrong, large, *[double(s, x) for x in args]))

    handler.__name__ = f"math.{name}"
    if function is not None:  # this Python has it
        frontend(function)(handler)


def computed(s, value, wrong, large, *numbers):
    """A row of the table at run time."""
    if wrong is not None:
        forbid(s, wrong(*numbers), "ValueError", "math domain error")
    y = value(*numbers)
    if large:
        forbid(s, both(infinite(y), *[np.abs(x) != math.inf for x in numbers]), "OverflowError", "math range error")
    return y


for _row in REAL:
    real(*_row)


@frontend(math.log)
def log(s, *args, **kwargs):
    if len(args) not in (1, 2) or kwargs:
        return by_python(s, math.log, *args, **kwargs)
    logs = [log_of(s, number(s, x)) for x in args]
    return logs[0] if len(logs) == 1 else s.elementwise("divide", *logs)


def log_of(s, x):
    known = by_python(s, math.log, x)
    return known if known is not None else as_float(s, computed(s, np.log, lambda x: x <= 0.0, False, double(s, x)))


@frontend(math.hypot)
def hypot(s, *coordinates):
    known = by_python(s, math.hypot, *coordinates)
    if known is not None:
        return known
    numbers = [double(s, number(s, x)) for x in coordinates]
    return as_float(s, functools.reduce(np.hypot, numbers) if len(numbers) > 1 else np.abs(numbers[0]))


@frontend(math.dist)
def dist(s, *points, **kwargs):
    known = by_python(s, math.dist, *points, **kwargs)
    if known is not None:
        return known
    p, q = ([item for item in items_of(s, x)] for x in points)
    if len(p) != len(q):
        s.stop("ValueError", "both points must have the same number of dimensions")
    return hypot(s, *[as_float(s, wide(double(s, a)) - double(s, b)) for a, b in zip(p, q)])


def items_of(s, x) -> list:
    return iterate_static(s, x, "math runs over it")


@frontend(math.isclose)
def isclose(s, *args, **kwargs):
    known = by_python(s, math.isclose, *args, **kwargs)
    if known is not None:
        return known
    x, y = (double(s, number(s, a)) for a in args)
    relative, absolute = (abs_limit(s, kwargs.get(k, v.Static(default))) for k, default in (("rel_tol", 1e-9), ("abs_tol", 0.0)))
    size = np.maximum(np.abs(x), np.abs(y))
    near = either(np.abs(wide(y) - x) <= relative * size, np.abs(wide(y) - x) <= absolute)
    return s.wrap(s.emit("bool", either(x == y, both(near, size < math.inf)).atom))


def abs_limit(s, x) -> Expr:
    limit = double(s, x)
    forbid(s, limit < 0.0, "ValueError", "tolerances must be non-negative")
    return limit


def judged(name, ufunc):
    function = getattr(math, name)

    def handler(s, *args, **kwargs):
        known = by_python(s, function, *args, **kwargs)
        return known if known is not None else s.wrap(s.emit("bool", ufunc(double(s, number(s, args[0]))).atom))

    handler.__name__ = f"math.{name}"
    frontend(function)(handler)


for _name in ("isnan", "isinf", "isfinite"):
    judged(_name, getattr(np, _name))


def rounded(name, method_name, ufunc):
    """floor, ceil and trunc give ints."""
    function = getattr(math, name)

    def handler(s, *args, **kwargs):
        if len(args) == 1 and (result := special(s, args[0], method_name)) is not None:
            return result
        args = [number(s, x) for x in args]
        known = by_python(s, function, *args, **kwargs)
        return known if known is not None else to_int(s, args[0], ufunc)

    handler.__name__ = f"math.{name}"
    frontend(function)(handler)


def to_int(s, x, ufunc=np.trunc):
    """A number as an int: of a float what the ufunc makes of it."""
    atom = one_number(s, x)
    if s.b.type(atom).is_float and ufunc is not np.trunc:
        atom = ufunc(double(s, s.wrap(atom))).atom
    t = s.b.type(atom)
    return s.wrap(atom if t.kind == "py" and t.python_type is int else s.emit("int", atom))


for _name, _special, _ufunc in (("floor", "__floor__", np.floor), ("ceil", "__ceil__", np.ceil), ("trunc", "__trunc__", np.trunc)):
    rounded(_name, _special, _ufunc)


@frontend(math.modf)
def modf(s, *args):
    known = by_python(s, math.modf, *args)
    if known is not None:
        return known
    x = double(s, number(s, args[0]))
    whole = np.trunc(x)
    part = np.copysign(np.where(infinite(x), 0.0, x - whole), x)
    return v.Tuple((as_float(s, part), as_float(s, whole)))


@frontend(math.ldexp)
def ldexp(s, *args):
    known = by_python(s, math.ldexp, *args)
    if known is not None:
        return known
    x, n = double(s, number(s, args[0])), s.static(args[1], "it is an exponent")
    if abs(n) > 1000:
        s.fail("math.ldexp with an exponent of more than 1000", "Write x * 2.0**n, in two steps.")
    return as_float(s, computed(s, lambda x: x * 2.0**n, None, True, x))


@frontend(math.nextafter)
def nextafter(s, *args, **kwargs):
    known = by_python(s, math.nextafter, *args, **kwargs)
    if known is not None:
        return known
    if kwargs:
        s.fail("math.nextafter with steps=", "Call it once for each step.")
    return as_float(s, np.nextafter(*[double(s, number(s, x)) for x in args]))


@frontend(math.prod)
def prod(s, *args, **kwargs):
    known = by_python(s, math.prod, *args, **kwargs)
    if known is not None:
        return known
    items = args[0]
    if isinstance(items, v.Array) and s.type(items).dims[0].constant is None:
        s.fail("math.prod of an array", "Write np.prod(x), or x.prod().")
    return functools.reduce(lambda a, b: binary_op(s, "multiply", a, b), items_of(s, items), kwargs.get("start", v.Static(1)))


def known_only(name, instead):
    """What only Python computes: of values that must be known before the run."""
    function = getattr(math, name, None)

    def handler(s, *args, **kwargs):
        known = by_python(s, function, *args, **kwargs)
        if known is None and instead is not None:
            s.fail(f"math.{name} of values of the run time", instead)
        return known if known is not None else by_python(s, function, *[v.Static(s.static(x, f"math.{name} counts with it")) for x in args])

    handler.__name__ = f"math.{name}"
    if function is not None:
        frontend(function)(handler)


for _name, _instead in (("gcd", None), ("lcm", None), ("comb", None), ("perm", None), ("factorial", None), ("isqrt", None),
                        ("fsum", "Write sum(...), or np.sum of an array: their roundings differ from those of math.fsum."),
                        ("frexp", "Take the exponent as math.floor(math.log2(abs(x))) + 1."), ("ulp", "Write math.nextafter(x, math.inf) - x.")):
    known_only(_name, _instead)


# built-in functions of numbers -----------------------------------------------------------------------
@frontend(abs)
def abs_(s, *args):
    if len(args) == 1 and (result := special(s, args[0], "__abs__")) is not None:
        return result
    known = by_python(s, abs, *args)
    return known if known is not None else s.elementwise("abs", *args)


@frontend(pow)
def pow_(s, *args, **kwargs):
    bound = by_name(s, pow, ("base", "exp", "mod"), args, kwargs)
    if len(bound) == 2 or bound[2] == NONE:
        base, exponent = bound[:2]
        known = by_python(s, pow, base, exponent) if not any(isinstance(x, (v.Tuple, v.Boxed)) and x.cls not in (list, tuple, dict) for x in bound) else None
        return known if known is not None else binary_op(s, "power", base, exponent)
    known = by_python(s, pow, *bound)
    return known if known is not None else by_python(s, pow, *[v.Static(s.static(x, "it goes to pow with three arguments")) for x in bound])


def by_name(s, f, names, args, kwargs) -> list:
    """The arguments of a call in their order; a wrong call is what Python says of it."""
    given = dict(zip(names, args)) | kwargs
    if len(args) > len(names) or len(given) < len(args) + len(kwargs) or list(given) != list(names[:len(given)]) or len(given) < 2:
        by_python(s, f, *args, **kwargs)
    return list(given.values())


@frontend(divmod)
def divmod_(s, *args):
    for (x, y), name in ((args, "__divmod__"), (args[::-1], "__rdivmod__")) if len(args) == 2 else ():
        if (result := special(s, x, name, y)) is not None:
            return result
    known = by_python(s, divmod, *args)
    if known is not None:
        return known
    x, y = args
    types = [s.type(a) for a in args]
    if all(t.kind == "py" for t in types):
        floats = any(t.is_float for t in types)
        s.require(s.emit("not_equal", s.atom(y), Const(0)), "ZeroDivisionError", said(divmod, 1.0 if floats else 1, 0.0 if floats else 0))
    return v.Tuple((s.elementwise("floor_divide", x, y), s.elementwise("mod", x, y)))


def said(f, *args) -> str:
    """The message with which a call of Python's raises."""
    try:
        f(*args)
    except ArithmeticError as error:
        return str(error)
    return ""


def convert(cls, *names):
    def handler(s, *args, **kwargs):
        if len(args) == 1 and not kwargs:
            if isinstance(args[0], v.Text):
                s.fail(f"{cls.__name__} of a string with values of the run time", "Use the number itself.")
            args = [number(s, args[0], *names)]
        known = by_python(s, cls, *args, **kwargs)
        if known is not None:
            return known
        return to_int(s, args[0]) if cls is int else as_float(s, double(s, args[0]))

    handler.__name__ = cls.__name__
    frontend(cls)(handler)


convert(float, "__float__", "__index__")
convert(int, "__int__", "__index__", "__trunc__")


@frontend(bool)
def bool_(s, *args, **kwargs):
    if len(args) != 1 or kwargs:
        return by_python(s, bool, *args, **kwargs)
    value = truth(s, args[0])
    return value if isinstance(value, v.Static) else s.wrap(s.emit("bool", s.atom(value)))


@frontend(round)
def round_(s, *args, **kwargs):
    x, digits = (by_name(s, round, ("number", "ndigits"), args, kwargs) + [NONE])[:2] if len(args) + len(kwargs) != 1 or not args else (args[0], NONE)
    if (result := special(s, x, "__round__", *[digits] * (len(args) + len(kwargs) > 1))) is not None:
        return result
    known = by_python(s, round, x, *[digits] * (len(args) + len(kwargs) > 1))
    if known is not None:
        return known
    t = s.type(x)
    if digits == NONE:
        return to_int(s, x, np.rint) if t.is_float else to_int(s, x)
    places = s.static(digits, "it is a number of digits")
    if not t.is_float:
        if places >= 0:
            return to_int(s, x) if t.kind == "py" else x
        return by_python(s, round, v.Static(s.static(x, "its digits are rounded")), v.Static(places))
    if t.kind != "py":
        scale, there, back = v.Static(10.0 ** abs(places)), *(("multiply", "divide") if places >= 0 else ("divide", "multiply"))  # as NumPy does
        return s.elementwise(back, s.elementwise("np.rint", s.elementwise(there, x, scale), numpy=True), scale)
    if abs(places) > 22:
        s.fail("round(x, digits) with more than 22 digits", "Use at most 22: a float has 17.")
    y = s.emit("round", s.atom(x), Const(places))
    if places < 0:
        forbid(s, both(infinite(Expr(s.b, y)), np.abs(Expr(s.b, s.atom(x))) != math.inf), "OverflowError", "rounded value too large to represent")
    return s.wrap(y)


@method("is_integer")
def is_integer(s, x, *args, **kwargs):
    known = by_python(s, lambda x, *args, **kwargs: x.is_integer(*args, **kwargs), x, *args, **kwargs)
    if known is not None or not s.type(x).is_float:
        return known or v.Static(True)
    x = double(s, x)
    return s.wrap(s.emit("bool", both(np.floor(x) == x, np.abs(x) != math.inf).atom))


def exact(name):
    """A method of numbers that only Python has: of a number that must be known before the run."""
    def handler(s, x, *args, **kwargs):
        call = lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)  # noqa: E731
        known = by_python(s, call, x, *args, **kwargs)
        known = known if known is not None else by_python(s, call, v.Static(s.static(x, f"its method {name} is called")), *args, **kwargs)
        return known if known is not None else s.fail(f"{name} with values of the run time", "Use constants here.")

    handler.__name__ = name
    method(name)(handler)


for _name in ("bit_length", "bit_count", "as_integer_ratio", "hex", "to_bytes"):
    exact(_name)
