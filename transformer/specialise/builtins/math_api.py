"""`math`, and Python's built-in functions of numbers.

What is known now is computed by Python itself, and Python is asked which classes of arguments it takes. What only the
run time knows is computed by NumPy's functions of doubles, which say nothing where `math` raises: so each row of the
table says where that is.
"""
from __future__ import annotations

import decimal
import fractions
import functools
import inspect
import math

import numpy as np

from ...core import Const
from ...core.types import PY_BOOL, PY_FLOAT
from ...library.registry import FUNCTIONS, each, frontend, method
from ...rules.expr import Formula, atom_of
from ...rules.math_functions import REAL, infinite
from ..domain import values as v
from ..evaluator.arrays.shapes import only_element
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.names.tables import call_value
from ..evaluator.objects import objects, protocols
from ..evaluator.objects.containers import ask_python, is_static_value, python, sampled
from ..evaluator.objects.iteration import as_int
from ..evaluator.objects.truths import as_bool, truth
from ..evaluator.syntax.operators import binary_op
from .numpy_arrays import NONE

REAL_NUMBER = ("__float__", "__index__")


# what Python itself says -----------------------------------------------------------------------
def numeric(enter, f, at_run_time, own=None, methods=REAL_NUMBER) -> None:
    """Enter the handler of a function of Python's: what the class of its arguments says, what Python computes, else
    what is done at run time.

    f        the function, or the name of a method
    own      own(s, *values) is what the method of a user's class that Python has for this function gives, or None
    methods  which make a number of an object of a user's class
    """
    def handler(s, /, *args, **kwargs):
        result = of_user_class(s, f, own, args, kwargs) if own is not None else None
        if result is None:
            args = [as_number(s, x, *methods) for x in args]
            result = ask_python(s, f if callable(f) else python(s, getattr, type(sampled(s, args[0])), f), *args,
                                **kwargs)
        return at_run_time(s, *args, **kwargs) if result is None else result

    enter(handler)


def of_user_class(s, f, own, args, kwargs):
    if all([objects.users_class(x.value if isinstance(x, v.OneOf) else x) is None for x in args]):
        return None
    try:
        bound = inspect.signature(f).bind(*args, **kwargs)
    except TypeError:
        return None  # of a wrong call Python says what is wrong
    return own(s, *bound.arguments.values())


def special_method(s, x, name: str, *others):
    """What the method of this name makes of an object of a user's class; None of all else."""
    own = objects.special(s, s.present(x), name)
    return None if own is None else call_value(s, own, [*others], {})


def by_method(name: str):
    return lambda s, x, *others: special_method(s, x, name, *others)


def as_number(s, x, *names: str):
    """A value as a number: of an object of a user's class that has one of these methods,
    what float() or int() makes of it."""
    if any([objects.special(s, s.present(x), name) is not None for name in names]):
        return protocols.converted(s, int if "__int__" in names else float, x)
    return x


# numbers of the run time ---------------------------------------------------------------------------
def one_number(s, x):
    """A number, or the element of an array that has one, as an atom: what Python converts to a number."""
    atom = s.atom(x)
    return (only_element(s, atom, "TypeError", "only length-1 arrays can be converted to Python scalars")
            if s.b.type(atom).rank else atom)


def double(s, x) -> Formula:
    """A value as a Python float, as a function of `math` takes it."""
    x = as_number(s, x, *REAL_NUMBER)
    if is_static_value(s, x):
        x = ask_python(s, float, x)
    atom = one_number(s, x)
    if not isinstance(atom, Const) and s.b.types_of(atom) != {PY_FLOAT}:
        atom = s.emit("float", atom)
    return Formula(s.b, atom)


def as_python(s, x):
    """The Python float or bool that a result is."""
    atom = atom_of(x)
    t = s.b.type(atom)
    return s.wrap(atom if t in (PY_FLOAT, PY_BOOL) else s.emit("bool" if t.dtype.kind == "b" else "float", atom))


def to_int_(s, x, ufunc=np.trunc):
    """A number as an int: of a float what the ufunc makes of it."""
    atom = one_number(s, x)
    if s.b.type(atom).is_float and ufunc is not np.trunc:
        atom = ufunc(double(s, s.wrap(atom))).atom
    t = s.b.type(atom)
    return s.wrap(atom if t.kind == "py" and t.python_type is int else s.emit("int", atom))


def forbid(s, wrong, kind: str, message: str) -> None:
    """Raise at run time where this holds."""
    s.require(s.emit("not ", atom_of(wrong)), kind, message)


# math: floats ------------------------------------------------------------------------------------------
def computed_row(row, s, *args, **options):
    """A row of the table at run time."""
    name, value, wrong, large = row
    if options:
        s.fail(f"math.{name} with {', '.join(options)}=", "Call it without, once for each step.")
    numbers = [double(s, x) for x in args]
    if wrong is not None:
        forbid(s, wrong(*numbers), "ValueError", "math domain error")
    y = value(*numbers)
    if large:
        forbid(s, functools.reduce(Formula.__and__, [infinite(y), *[np.abs(x) != math.inf for x in numbers]]),
               "OverflowError", "math range error")
    return as_python(s, y)


def log_first(s, args, kwargs):
    """math.log(x, base) takes the logarithm of x before it looks at the base."""
    if len(args) != 2 or kwargs or all([is_static_value(s, x) for x in args]):
        return None
    return s.elementwise("divide", *[call_value(s, v.Static(math.log), [a], {}) for a in args])


for _row in REAL:
    if hasattr(math, _row[0]):  # this Python has it
        _function = getattr(math, _row[0])
        numeric(frontend(_function), _function, functools.partial(computed_row, _row))
_log = FUNCTIONS[math.log]
frontend(math.log)(lambda s, *args, **kwargs: result if (result := log_first(s, args, kwargs)) is not None
                   else _log(s, *args, **kwargs))


# math: all else --------------------------------------------------------------------------------------
def counting_function(s, name: str, f, /, *args, **kwargs):
    """What only Python computes: of values that must be known before the run."""
    why = f"{name} counts with it"
    return ask_python(s, f, *[v.Static(s.static(x, why)) for x in args],
                      **{k: v.Static(s.static(x, why)) for k, x in kwargs.items()})


for _name in ("floor", "ceil", "trunc"):
    _of_math = getattr(math, _name)
    numeric(frontend(_of_math), _of_math, functools.partial(to_int_, ufunc=getattr(np, _name)),
            own=by_method(f"__{_name}__"))
for _of_math in (math.gcd, math.lcm, math.comb, math.perm, math.factorial, math.isqrt):
    numeric(frontend(_of_math), _of_math, functools.partial(lambda f, s,
        *args: counting_function(s, f"math.{f.__name__}", f, *args), _of_math))
for _of_math, _instead in ((math.fsum,
                            "Write sum(...), or np.sum of an array: their roundings differ from those of math.fsum."),
                           (math.frexp, "Take the exponent as math.floor(math.log2(abs(x))) + 1."),
                           (math.ulp, "Write math.nextafter(x, math.inf) - x.")):
    numeric(frontend(_of_math), _of_math, functools.partial(lambda name, instead, s,
        *_: s.fail(f"math.{name} of values of the run time", instead), _of_math.__name__, _instead))
# methods of numbers that only Python has
for _name in ("bit_length", "bit_count", "as_integer_ratio", "hex", "to_bytes"):
    numeric(method(_name), _name, functools.partial(lambda name, s, x, *args,
        **kwargs: counting_function(s, f"the method {name}", getattr(type(sampled(s, x)), name), x, *args, **kwargs),
                                                    _name))


@each({cls: cls for cls in (fractions.Fraction, decimal.Decimal)})
def exact_number(cls, s, *args, **kwargs):
    """A number that only Python computes with."""
    why = f"a {cls.__name__} is made of it"
    return v.Static(tried_now(s, cls, *[s.static(x, why) for x in args],
                              **{k: s.static(x, why) for k, x in kwargs.items()}))


# built-in functions of numbers -----------------------------------------------------------------------
def pow_(s, base, exp, mod=NONE):
    return (binary_op(s, "power", base, exp) if mod == NONE
            else counting_function(s, "pow with three arguments", pow, base, exp, mod))


def power_of_class(s, base, exp, mod=NONE):
    return protocols.binary_method(s, "power", base, exp) if mod == NONE else special_method(s, base, "__pow__", exp,
                                                                                             mod)


def divmod_(s, x, y):
    types = [s.type(a) for a in (x, y)]
    if all(t.kind == "py" for t in types):
        floats = any(t.is_float for t in types)
        s.require(s.emit("not_equal", s.atom(y), Const(0)), "ZeroDivisionError",
                  said(divmod, 1.0 if floats else 1, 0.0 if floats else 0))
    return v.Tuple((s.elementwise("floor_divide", x, y), s.elementwise("mod", x, y)))


def said(f, *args) -> str:
    """The message with which a call of Python's raises."""
    try:
        f(*args)
    except ArithmeticError as error:
        return str(error)
    return ""


def round_(s, number, ndigits=NONE):
    t = s.type(number)
    s.refuse_several([s.atom(number)])
    if ndigits == NONE:
        return to_int_(s, number, np.rint)
    places = s.static(as_int(s, ndigits), "it is a number of digits")
    if not t.is_float:
        if places >= 0:
            return to_int_(s, number) if t.kind == "py" else number
        return ask_python(s, round, v.Static(s.static(number, "its digits are rounded")), v.Static(places))
    if t.kind != "py":
        # as NumPy does
        scale, there, back = (v.Static(10.0 ** abs(places)),
                              *(("multiply", "divide") if places >= 0 else ("divide", "multiply")))
        return s.elementwise(back, s.elementwise("np.rint", s.elementwise(there, number, scale), numpy=True), scale)
    if abs(places) > 22:
        s.fail("round(x, digits) with more than 22 digits", "Use at most 22: a float has 17.")
    y = s.emit("round", s.atom(number), Const(places))
    if places < 0:
        forbid(s, infinite(Formula(s.b, y)) & (np.abs(Formula(s.b, s.atom(number))) != math.inf), "OverflowError",
               "rounded value too large to represent")
    return s.wrap(y)


def is_integer(s, x):
    if not s.type(x).is_float:
        return v.Static(True)
    x = double(s, x)
    return as_python(s, (np.floor(x) == x) & (np.abs(x) != math.inf))


numeric(frontend(abs), abs, lambda s, x: s.elementwise("abs", x), own=lambda s,
        x: protocols.unary_method(s, "abs", x), methods=())
numeric(frontend(pow), pow, pow_, own=power_of_class, methods=())
numeric(frontend(divmod), divmod, divmod_, own=lambda s, x, y: protocols.binary_method(s, "divmod", x, y), methods=())
numeric(frontend(round), round, round_, own=by_method("__round__"), methods=())
numeric(frontend(float), float, lambda s, x: as_python(s, double(s, x)))
numeric(frontend(int), int, lambda s, x, *base: counting_function(s, "int with a base", int, x, *base) if base
        else to_int_(s, x), methods=("__int__", "__index__", "__trunc__"))
numeric(method("is_integer"), "is_integer", is_integer)


@frontend(bool)
def bool_(s, *args, **kwargs):
    return as_bool(s, truth(s, *args)) if len(args) == 1 and not kwargs else ask_python(s, bool, *args, **kwargs)
