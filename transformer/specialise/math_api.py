"""`math`, and Python's built-in functions of numbers."""
from __future__ import annotations

import math

from . import values as v
from .calls import frontend
from .expressions import truth
from .numpy_api import listed, only_element

NONE = v.Static(None)


@frontend(abs)
def abs_(s, x):
    return s.elementwise("abs", x)


@frontend(pow)
def pow_(s, x, y):
    return s.elementwise("power", x, y)


@frontend(divmod)
def divmod_(s, x, y):
    return v.Tuple((s.elementwise("floor_divide", x, y), s.elementwise("mod", x, y)))


def _convert(cls):
    def handler(s, x=v.Static(0)):
        if isinstance(x, v.Static):
            return v.Static(cls(x.value))
        value = listed(s, x)
        if cls is bool:
            value = truth(s, value)
            if isinstance(value, v.Static):
                return value
        atom = s.atom(value)
        t = s.b.type(atom)
        if t.rank:
            atom = only_element(s, atom, "TypeError", "only 0-dimensional arrays can be converted to Python scalars")
        if t.kind == "py" and t.python_type is cls:
            return v.Num(atom)
        return s.wrap(s.emit(cls.__name__, atom))
    handler.__name__ = cls.__name__
    return handler


for _cls in (float, int, bool):
    frontend(_cls)(_convert(_cls))


@frontend(round)
def round_(s, x, digits=NONE):
    if not (isinstance(x, v.Static) and isinstance(digits, v.Static)):
        s.fail("round of a value of the run time", "Write np.rint(x), or np.floor(x + 0.5).")
    return v.Static(round(x.value, digits.value))


# math: NumPy's functions with a Python float as the result -----------------------------------
def _math(name, ufunc_name, allowed=None):
    def handler(s, *args):
        if all(isinstance(a, v.Static) for a in args):
            try:
                return v.Static(getattr(math, name)(*(a.value for a in args)))
            except (ValueError, OverflowError) as error:
                s.stop(type(error).__name__, str(error))
        if allowed is not None:  # a NaN passes: math gives a NaN for it too
            inside = s.elementwise("or_", s.elementwise(allowed, args[0], v.Static(0)), s.elementwise("not_equal", args[0], args[0]))
            s.require(s.atom(inside), "ValueError", "math domain error")
        result = s.elementwise(ufunc_name, *args, numpy=True)
        if name == "exp":
            fits = s.elementwise("or_", s.elementwise("less", result, v.Static(math.inf)), s.elementwise("equal", args[0], v.Static(math.inf)))
            fits = s.elementwise("or_", fits, s.elementwise("not_equal", args[0], args[0]))
            s.require(s.atom(fits), "OverflowError", "math range error")
        return s.wrap(s.emit("float", s.atom(result)))
    handler.__name__ = f"math.{name}"
    return handler


# what math refuses: (name, NumPy's, the comparison with 0 that must hold)
for _name, _ufunc, _allowed in (("log", "np.log", "greater"), ("sqrt", "np.sqrt", "greater_equal")):
    frontend(getattr(math, _name))(_math(_name, _ufunc, _allowed))
for _name, _ufunc in {"exp": "np.exp", "sin": "np.sin", "cos": "np.cos", "tan": "np.tan", "tanh": "np.tanh", "atan": "np.arctan",
                      "atan2": "np.arctan2", "hypot": "np.hypot"}.items():
    frontend(getattr(math, _name))(_math(_name, _ufunc))
