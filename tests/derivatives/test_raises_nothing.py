"""A derivative raises nothing that its function does not: Python's numbers at poles and edges are NumPy's in slopes,
and the results Python's floats."""
import itertools
import linecache
import math
import warnings

import numpy as np
import pytest

import gradscribe as gs

FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-200, 5e-324, 1e200, 1e308, math.inf, -math.inf, math.nan)
PAIRS = tuple(itertools.product((0.0, -0.0, 1.0, -2.5, 0.5, 1e-200, 1e200, math.inf, math.nan), repeat=2))
OPERATORS = (
    "x ** 0.5", "x ** 1.5", "x ** 2.0", "x ** 2", "x ** 3", "x ** 1", "x ** 0", "x ** -1",
    "x ** -2", "x ** -0.5", "x ** 0.01", "0.0 ** x", "2 ** x", "1e300 ** x", "x ** True", "1.0 / x", "2.0 // x",
    "2.0 % x", "x % 2.0", "x // 2.0", "divmod(3.0, x)[1]", "-x", "abs(x)", "pow(x, 0.5)", "round(x, 2)",
    "sum([x, x ** 0.5])", "max(0.0, x) ** 0.5", "abs(x) ** 0.5", "(x * x) ** 0.5", "(x if x > 0.0 else 0.0) ** 0.3",
    "int(x > 0.0) * abs(x) ** 0.5", "float(x) ** -1", "(1.0 / complex(x, 1.0)).real", "abs(complex(x, x) ** 2)",
    "math.prod([x, x ** 0.5])", "math.log(abs(x) + 1.0, 2.0)", "math.ldexp(abs(x) ** 0.5, 3)", "math.modf(x)[0]",
    "math.hypot(x, 0.0, x)", "math.dist([x, 0.0], [0.0, x])",
)
MATH = ("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
        "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "gamma", "lgamma", "fabs",
        "degrees", "radians")
UFUNCS = ("sqrt", "cbrt", "exp", "log", "log2", "log1p", "reciprocal", "arcsin", "arctanh", "arccosh", "absolute",
          "sinc", "tan")
OF_TWO = (
    "x ** y", "x / y", "x // y", "x % y", "pow(x, y)", "abs(x - y) ** 0.5", "max(x, y) ** 0.5",
    "(x * x + y * y) ** 0.5", "abs(x) ** y", "min(x, y)", "abs(complex(x, y))", "math.atan2(x, y)",
    "math.copysign(x, y)", "math.fmod(x, y)", "math.remainder(x, y)", "math.pow(x, y)", "math.hypot(x, y)",
    "math.log(x, y)", "np.power(x, y)", "np.divide(x, y)", "np.hypot(x, y)", "np.arctan2(x, y)", "np.logaddexp(x, y)",
    "np.fmod(x, y)", "np.sum(np.ones(2) / x)",
)
ALL = (*[(text, "x") for text in OPERATORS], *[(f"math.{name}(x)", "x") for name in MATH if hasattr(math, name)],
       *[(f"np.{name}(x)", "x") for name in UFUNCS], *[(text, "x, y") for text in OF_TWO])


def written(text, params):
    """A function whose text can be read."""
    file, scope = f"<{text} of test_raises_nothing>", {"math": math, "np": np}
    text = f"def f({params}):\n    return {text}\n"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), scope)
    return scope["f"]


def holds(f, *args) -> bool:
    """Does the function itself raise nothing here, and give a real number?"""
    try:
        return not isinstance(f(*args), complex)
    except (ValueError, ZeroDivisionError, OverflowError):
        return False


def derivatives(f, count, second):
    """A function that gives the first derivatives, backwards and forwards, and the second ones."""
    numbers, ones = tuple(range(count)), (1.0,) * count

    def of(*args):
        first = gs.grad(f, numbers)(*args), gs.jvp(f, args, ones)[1]
        return (*first, gs.hessian(f, numbers)(*args)) if second else first
    return of


@pytest.mark.heavy(one_in=21)
@pytest.mark.parametrize("text, params", ALL, ids=[text for text, _ in ALL])
def test_where_the_function_does_not(text, params):
    f, points = written(text, params), PAIRS if "," in params else [(x,) for x in FLOATS]
    of = derivatives(f, len(points[0]), second="gamma" not in text)  # digamma has no derivative here
    compiled = gs.jit(of)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        # -inf ** 0.5 is refused
        where = [x for x in points if holds(f, *x) and (-math.inf not in x or "**" not in text and "pow" not in text)]
        assert where
        for x in where:
            found, again = of(*x), compiled(*x)
            assert [type(d) for d in found[0]] == [float] * len(x)
            # of second ones rounding may leave nothing
            assert same(again[:2], found[:2]) and classes(again) == classes(found), x


def classes(found) -> list[type]:
    return [type(x) for x in gs.tree.leaves(found)]


def same(got, want) -> bool:
    """Are they equal to rounding?"""
    return np.allclose(gs.tree.leaves(got), gs.tree.leaves(want), rtol=1e-9, atol=1e-12, equal_nan=True)


def payoff(x):
    y = max(0.0, x - 2.0)
    return x * x + y ** 0.5


def clamped(x, n):
    total = 0.0
    for k in range(n):
        total += max(x - k, 0.0) ** 0.5 + (x if x > 0.0 else 0.0) ** 1.5
    return total + x


@pytest.mark.heavy(one_in=2)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_what_is_not_chosen_has_no_part_in_it(way):
    assert repr(way(gs.grad(payoff))(1.0)) == "2.0" == repr(way(gs.hessian(payoff))(1.0))
    assert repr(way(gs.grad(clamped))(-1.0, 3)) == "1.0"
    assert (repr(way(gs.grad(lambda x: x ** 0.5))(0.0)) == "inf"
            and repr(way(gs.grad(lambda x: x ** -1))(-1e-200)) == "-inf")
    assert repr(way(gs.hessian(lambda x: x ** 1.5))(0.0)) == "inf"
    assert repr(way(gs.grad(lambda x, n: 3.0 * x ** n))(2.0, 3)) == "36.0"
    together = way(gs.vmap(gs.grad(payoff)))(np.array([1.0, 2.25]))
    assert together.dtype == np.float64 and np.array_equal(together, [2.0, 5.5])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_where_numpy_divides(way):
    def both(x, z):
        over = gs.jvp(lambda x: np.ones(2, np.float32) / x, (x,), (1.0,))[1]
        logarithm = (gs.jvp(np.log2, (z,), (1.0 + 0.0j,))[1],
                     gs.jvp(lambda z: np.arctan(z + 1.0j), (z,), (1.0 + 0.0j,))[1])
        return over, logarithm, gs.hessian(lambda x: np.log(x))(x)
    over, logarithm, second = way(both)(0.0, 0.0j)
    assert over.dtype == np.float32 and np.array_equal(over, [-np.inf, -np.inf]) and repr(second) == "-inf"
    assert all([type(d) is np.complex128 and not np.isfinite(d) for d in logarithm])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_powers_of_complex_numbers():
    slope = gs.jvp(lambda z: z ** 0.5, (0.0j,), (1.0 + 0.0j,))[1]
    assert type(slope) is complex and not np.isfinite(slope)
    assert gs.jvp(lambda z: z ** 0.5, (4.0 + 0.0j,), (1.0 + 0.0j,)) == (2.0 + 0.0j, 0.25 + 0.0j)
