"""What the derivatives of a program are in the limit: the same text, run by NumPy on numbers of mpmath,
at a point and close around it.

A number here, `Near`, is the list of its values at the point and at places beside it, with 160 digits. What a program
chooses, by a comparison, a mask, `maximum`, `sort`, `max`, it chooses by the values at the point, for all places: a
derivative is that of the side taken. The difference quotients from both sides, at two distances, then say what there
is: a limit, a kink (the sides differ), a pole (the quotient grows as the distance shrinks), or nothing (there is no
side on which the function is real).
"""
import contextlib
import importlib.util
import itertools
import operator
import types

import mpmath
import numpy as np
from mpmath import mp, mpc, mpf

DIGITS = 160
FAR, CLOSE = mpf(10) ** -40, mpf(10) ** -44
NAN, INF = mpf("nan"), mpf("inf")


# ---- real functions of one sample, as IEEE has them

def real(function):
    """Not a number where mpmath leaves the real line."""
    def of(*args):
        if any(mpmath.isnan(a) for a in args):
            return NAN
        try:
            y = function(*args)
        except (ValueError, ZeroDivisionError):
            return NAN
        return NAN if isinstance(y, mpc) and not any(isinstance(a, mpc) for a in args) else y
    return of


def divide(a, b):
    if b == 0:
        return NAN if isinstance(a, mpc) or a == 0 or mpmath.isnan(a) else INF * mpmath.sign(a)
    return a / b


def power(a, b):
    if b == 0:
        return mpf(1)
    if a == 0:
        return mpf(0) if b > 0 else INF
    return a ** b


def cbrt(x):
    return mpmath.sign(x) * mpmath.fabs(x) ** (mpf(1) / 3)


FUNCTIONS = {"sqrt": mp.sqrt, "cbrt": cbrt, "exp": mp.exp, "expm1": mp.expm1,
             "log": mp.log, "log1p": lambda x: mp.log(1 + x), "log2": lambda x: mp.log(x) / mp.log(2),
             "log10": lambda x: mp.log(x) / mp.log(10), "sin": mp.sin, "cos": mp.cos,
             "tan": mp.tan, "arcsin": mp.asin, "arccos": mp.acos, "arctan": mp.atan, "sinh": mp.sinh,
             "cosh": mp.cosh, "tanh": mp.tanh, "arcsinh": mp.asinh, "arccosh": mp.acosh, "arctanh": mp.atanh,
             "hypot": lambda x, y: mp.sqrt(x * x + y * y), "arctan2": mp.atan2, "power": power,
             "logaddexp": lambda x, y: mp.log(mp.exp(x) + mp.exp(y))}
OF_MATH = ({"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}
           | {name: name for name in ("sqrt", "exp", "log", "sin", "cos", "tanh", "hypot")})


# ---- numbers

class Near:
    """The values at a point and beside it."""

    __slots__ = ("at",)
    places = 1

    def __init__(self, at):
        self.at = at

    @property
    def here(self):
        return self.at[0]

    def conjugate(self):
        return lifted(mpmath.conj)(self)

    def __bool__(self):
        return bool(self.here)

    __hash__ = None


def near(x):
    if isinstance(x, Near):
        return x
    value = mpmath.mpmathify(complex(x) if isinstance(x, complex)
                             else int(x) if isinstance(x, (bool, np.bool_, np.integer)) else x)
    return Near([value] * Near.places)


def lifted(function):
    """The function, at each of the places."""
    safe = real(function)
    return lambda *args: Near([safe(*at) for at in zip(*(near(a).at for a in args), strict=True)])


def enter_operators():
    for name, function in {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": divide,
                           "pow": power}.items():
        op = lifted(function)
        setattr(Near, f"__{name}__", lambda a, b, op=op: NotImplemented if isinstance(b, np.ndarray) else op(a, b))
        setattr(Near, f"__r{name}__", lambda a, b, op=op: op(b, a))
    for name, function in {"neg": operator.neg, "pos": operator.pos, "abs": mpmath.fabs}.items():
        setattr(Near, f"__{name}__", lambda a, op=lifted(function): op(a))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):  # choices are made at the point
        setattr(Near, f"__{name}__", lambda a, b, op=getattr(operator, name): op(a.here, near(b).here))
    for name, function in FUNCTIONS.items():  # NumPy calls these of the elements of an array
        setattr(Near, name, lambda *args, op=lifted(function): op(*args))


enter_operators()


# ---- numpy and math for them

def exact(x):
    """An array of such numbers; masks, indices and lists of them stay what they are."""
    if isinstance(x, (float, complex, np.floating)):
        return near(x)
    x = np.asarray(x)
    return np.frompyfunc(near, 1, 1)(x) if x.dtype == object or x.dtype.kind in "fc" else x


def made(function):
    """A function that makes an array: of zeros, say."""
    return (lambda *args, dtype=None, **kwargs: function(*args, dtype=dtype, **kwargs) if dtype in (bool, int)
                                                else all_exact(function(*args, **kwargs)))


def all_exact(x):
    return np.frompyfunc(lambda e: near(0.0 if e is None else e), 1, 1)(x)


def where(condition, *sides):
    return np.where(condition, *map(all_exact, sides)) if sides else np.where(condition)


def sum_(x, *args, where=None, **kwargs):
    return np.sum(x if where is None else np.where(where, x, near(0.0)), *args, **kwargs)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    most = np.finfo(float).max
    new = {INF: most if posinf is None else posinf, -INF: -most if neginf is None else neginf}
    return np.frompyfunc(
        lambda e: near(nan) if mpmath.isnan(e.here) else near(new[e.here]) if e.here in new else e, 1, 1)(x)


def asked(question):
    ask = np.frompyfunc(lambda e: bool(question(near(e).here)), 1, 1)
    return lambda x: np.asarray(ask(x)).astype(bool)[()]


class Module:
    """A module with some of its names replaced."""

    def __init__(self, module, names):
        self.module, self.names = module, names

    def __getattr__(self, name):
        return self.names[name] if name in self.names else getattr(self.module, name)


def elementwise():
    return {name: np.frompyfunc(lifted(function),
                                function.__code__.co_argcount if name in ("hypot", "power", "logaddexp")
                                else 2 if name == "arctan2" else 1, 1)
            for name, function in FUNCTIONS.items()}


NUMPY = Module(np, elementwise() | {name: made(getattr(np, name)) for name in (
    "zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "eye", "linspace")} | {
        "empty": made(np.zeros), "empty_like": made(np.zeros_like),
        "where": where, "sum": sum_, "nan_to_num": nan_to_num, "array": lambda x, dtype=None: np.array(x, object),
        "asarray": lambda x, dtype=None: np.asarray(x, object),
        "isnan": asked(mpmath.isnan), "isfinite": asked(mpmath.isfinite), "isinf": asked(mpmath.isinf),
        "clip": lambda x, low, high: np.maximum(x if high is None else np.minimum(x, high),
                                                -INF if low is None else low)})
MATH = Module(__import__("math"),
              {name: lifted(FUNCTIONS[of]) for name, of in OF_MATH.items()} | {"isnan": asked(mpmath.isnan)})


def exactly(*paths):
    """The functions of these files, on such numbers, and with each other."""
    modules = []
    for path in paths:
        spec = importlib.util.spec_from_file_location("exactly", path)
        modules.append(importlib.util.module_from_spec(spec))
        spec.loader.exec_module(modules[-1])
    own = {name: x for module in modules for name, x in vars(module).items()
           if getattr(x, "__module__", None) == "exactly"}
    for module in modules:
        vars(module).update(own, np=NUMPY, math=MATH)
    return types.SimpleNamespace(**own)


# ---- limits

class Limit:
    """What there is: `low == high` is a limit, two numbers a kink; a pole and nothing have neither."""

    def __init__(self, *sides):
        self.exists = bool(sides) and all(map(mpmath.isfinite, sides))
        self.low, self.high = (float(min(sides)), float(max(sides))) if self.exists else (np.nan, np.nan)
        if self.exists and abs(self.high - self.low) < 1e-9 * max(1.0, abs(self.high)):
            self.low = self.high
        self.kink = self.exists and self.low != self.high

    def __repr__(self):
        return f"between {self.low} and {self.high}" if self.kink else str(self.high) if self.exists else "none"


def limit_of(far, close):
    """Of a quotient that is `far` at a distance and `close` at a smaller one; inf where it grows,
    NaN where it is none."""
    return close if not mpmath.isfinite(close) or abs(close - far) < 1e-8 * max(1, abs(close)) else INF


class Limits:
    """The value, the gradient and the Hessian of a program of one flat point; a gradient and a Hessian of `Limit`."""

    def __init__(self, program, point):
        n, before = len(point), (mp.dps, Near.places)
        steps = {(): 0}
        for h in (FAR, CLOSE):
            for i, a in itertools.product(range(n), (1, -1, 2, -2)):
                steps.setdefault((h, i, a), len(steps))
            for i, j in itertools.combinations(range(n), 2):
                for a, b in itertools.product((1, -1), (1, -1)):
                    steps.setdefault((h, i, a, j, b), len(steps))
        mp.dps, Near.places = DIGITS, len(steps)
        try:
            with contextlib.suppress(ZeroDivisionError), np.errstate(all="ignore"):
                y = near(program([Near([mpf(x) + self.moved(k, step) for step in steps]) for k, x in enumerate(point)]))
            self.f = {step: y.at[k] for step, k in steps.items()}
            self.value = float(self.f[()])
            self.gradient = np.array([self.first(i) for i in range(n)])
            self.hessian = np.array([[self.second(i) if i == j else self.mixed(min(i, j), max(i, j)) for j in range(n)]
                                     for i in range(n)])
        finally:
            mp.dps, Near.places = before

    @staticmethod
    def moved(k, step):
        return sum(step[0] * a for i, a in zip(step[1::2], step[2::2]) if i == k)

    def present(self, *quotients):
        sides = [limit_of(*(q(h) for h in (FAR, CLOSE))) for q in quotients]
        return Limit(*(side for side in sides if not mpmath.isnan(side)))

    def first(self, i):
        return self.present(*(lambda h, a=a: (self.f[h, i, a] - self.f[()]) / (a * h) for a in (1, -1)))

    def second(self, i):
        f, here = self.f, self.f[()]
        return self.present(*(lambda h, a=a: (f[h, i, 2 * a] - 2 * f[h, i, a] + here) / h ** 2 for a in (1, -1)),
                            lambda h: (f[h, i, 1] - 2 * here + f[h, i, -1]) / h ** 2)

    def mixed(self, i, j):
        f = self.f
        return self.present(*(lambda h, a=a, b=b: (f[h, i, a, j, b] - f[h, i, a] - f[h, j, b] + f[()])
                                                  / (a * b * h ** 2) for a in (1, -1) for b in (1, -1)))
