"""`math` and the built-in functions of numbers: what they give, raise and have as derivative is Python's,
plain and compiled."""
import linecache
import math

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import Together, agree

REAL = {"sqrt": 2.5, "cbrt": 2.5, "exp": 0.7, "exp2": 0.7, "expm1": 0.7, "log": 2.5, "log2": 2.5, "log10": 2.5,
        "log1p": 0.7, "sin": 0.7, "cos": 0.7, "tan": 0.7, "asin": 0.3, "acos": 0.3, "atan": 0.7, "sinh": 0.7,
        "cosh": 0.7, "tanh": 0.7, "asinh": 0.7, "acosh": 2.5, "atanh": 0.3, "erf": 0.7, "erfc": 0.7, "gamma": 2.5,
        "lgamma": 2.5, "fabs": -0.7, "degrees": 0.7, "radians": 0.7}
ANY = [0.5, -0.5, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 171.5, 172.0, 710.0, -746.0, 1e300, -1e300, math.inf, -math.inf,
       math.nan, 5e-324]


def of_one(name):
    return written(f"def {name}(x):\n    return math.{name}(x)\n", name)


def written(text, name):
    """A function whose text can be read."""
    file = f"<{name} of test_math>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"math": math, "np": np}
    exec(compile(text, file, "exec"), scope)
    return scope[name]


@pytest.mark.heavy(one_in=18)
@pytest.mark.parametrize("name", REAL)
def test_functions_of_a_float(name):
    f = of_one(name)
    same = Together(f)
    same(REAL[name], gradient=0)
    for x in ANY:
        same(x)
    for x in (3, 0, True, np.float64(0.5), np.float32(0.3), np.int8(1), np.uint64(2), np.array(0.5), np.array(1)):
        agree(f, x, compiled=not isinstance(x, np.float32))  # compiled, see test_from_outside: numbers
    for x in (np.array([0.5, 0.25]), [0.5], None, "a"):
        agree(f, x, compiled=False)
    if name != "gamma" and name != "lgamma":
        gs.test_util.check_grads(f, (REAL[name],), order=2)


TWO = {"atan2": (0.7, -0.4), "copysign": (0.7, -0.4), "fmod": (2.5, -0.7), "remainder": (2.5, -0.7), "pow": (2.5, -0.7),
       "hypot": (0.7, 2.5), "log": (2.5, 3.0)}


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", TWO)
def test_functions_of_two_floats(name):
    f = written(f"def {name}(x, y):\n    return math.{name}(x, y)\n", name)
    same = Together(f)
    same(*TWO[name], gradient=0)
    same(*TWO[name], gradient=1)
    for x in ANY:
        for y in (0.5, -2.0, 0.0, 1.0, math.inf, -math.inf, math.nan, 3.0):
            same(x, y)
    agree(f, 2, 3)
    agree(f, np.int8(2), 3.5)
    agree(f, np.ones(2), 3.5)


def whole_numbers(x):
    return math.floor(x), math.ceil(x), math.trunc(x), math.isnan(x), math.isinf(x), math.isfinite(x), int(x), round(x)


@pytest.mark.parametrize("x", [2.5, -2.5, 3.5, -0.3, 7, True, np.float64(2.5)])
def test_whole_numbers(x):
    agree(whole_numbers, x)


@pytest.mark.parametrize("x", [math.inf, -math.inf, math.nan])
def test_whole_numbers_of_none(x):
    for f in (lambda x: math.floor(x), lambda x: math.ceil(x), lambda x: math.trunc(x), lambda x: int(x),
              lambda x: round(x)):
        agree(f, x, message=False)


def rounded(x):
    return (round(x, 1), round(x, 2), round(x, 3), round(x, 10), round(x, 22), round(x, -1), round(x, -5))


@pytest.mark.heavy(one_in=2)
def test_rounding_to_digits():
    rng = np.random.default_rng(1)
    numbers = [*rng.uniform(-1000, 1000, 50), *np.round(rng.uniform(-1000, 1000, 50), 3),
               *(rng.integers(-10**6, 10**6, 50) / 8), *ANY, 2.675, 1.005, 5e15, 4.5e15 + 0.5,
               *(10.0 ** rng.uniform(-300, 300, 50)), *rng.integers(-(10**17), 10**17, 20).astype(float), 0.15, 25.0,
               35.0, 1e22, 1.5e16]
    f, g = gs.test_util.primal(rounded), gs.jit(rounded)
    for x in map(float, numbers):
        assert str(f(x)) == str(rounded(x)) == str(g(x)), x


@pytest.mark.parametrize("x", [np.float64(2.675), np.float64(-1234.5), np.float32(2.675), np.float64(math.inf),
                               np.int8(7), np.float64(-0.04)])
def test_rounding_of_numpy_scalars(x):
    agree(lambda x: (round(x, 1), round(x, 2), round(x, 0), round(x, ndigits=3)), x)


def test_rounding_has_no_derivative():
    assert gs.grad(lambda x: round(x, 1) * x)(2.34) == 2.3
    assert gs.jit(gs.grad(lambda x: round(x) * x))(2.34) == 2.0


def sequences(x, y):
    return (math.hypot(), math.hypot(x), math.hypot(x, y, 2.0, x), math.dist([x, y], (1.0, 2.0)), math.prod([x, 2, y]),
            math.prod((x, y), start=3), math.prod([]))


def test_sequences():
    agree(sequences, 2.5, -3.0)
    agree(lambda x, y: math.dist([x, y], [1.0, 2.0]), 2.5, -3.0, gradient=0)
    agree(lambda x, y: math.hypot(x, y, 2.0 * x), 2.5, -3.0, gradient=0)
    agree(lambda x: math.prod([x, x, 3.0]), 2.5, gradient=0)
    agree(lambda x: math.dist([x], [1.0, x]), 2.5)


def integers(n, k):
    return (math.gcd(n, k), math.lcm(n, k), math.comb(n, k), math.perm(n, k), math.factorial(n), math.isqrt(n),
            n.bit_length(), n.as_integer_ratio(), pow(n, k, 7))


def test_integers():
    agree(integers, 12, 4)
    agree(lambda n: math.factorial(n), -1)
    agree(lambda n: math.factorial(n), 2.5)
    agree(lambda x: x.is_integer(), 2.0)
    agree(lambda x: x.is_integer(), 2.5)
    agree(lambda x: x.is_integer(), math.inf)
    agree(lambda x: x.is_integer(), np.float64(2.0))
    agree(lambda x: x.is_integer(2), 2.0)
    agree(lambda n: n.bit_length(None), 2)


def others(x, y):
    return (math.isclose(x, y), math.isclose(x, y, rel_tol=0.1), math.isclose(x, y, abs_tol=5.0), math.modf(x),
            math.ldexp(x, 3), math.ldexp(x, -3), math.nextafter(x, y))


@pytest.mark.parametrize("x, y", [(2.5, 2.5), (2.5, 2.6), (2.5, -1.0), (math.inf, math.inf), (math.inf, 1.0),
                                  (-math.inf, math.inf), (math.nan, 1.0), (-0.0, 0.0)])
def test_others(x, y):
    agree(others, x, y)


def test_negative_tolerances():
    agree(lambda x: math.isclose(x, 1.0, rel_tol=-x), 1.0)


@pytest.mark.parametrize("x", [2.5, -3, True, np.float64(2.5), np.int8(-3), np.array(2.5)])
def test_conversions(x):
    agree(lambda x: (float(x), int(x), bool(x), abs(x), divmod(x, 2), pow(x, 2), pow(base=x, exp=2)), x)


def test_conversions_of_strings():
    agree(lambda x: (float("1.5") * x, int("12") * x, int("z", 36) * x, float("inf") * x, int(" -7 ")), 2.0)
    agree(lambda x: float("a"), 2.0)
    agree(lambda x: int("1.5"), 2.0)
    agree(lambda x: int(x, 10), 2.0)


@pytest.mark.parametrize("x, y", [(7, 0), (7.0, 0.0), (7, 2), (-7, 2), (7.5, -2.0)])
def test_divmod(x, y):
    agree(lambda x, y: divmod(x, y), x, y)


def test_wrong_calls():
    for f in (lambda x: math.sin(), lambda x: math.sin(x, x), lambda x: math.sin(x=x), lambda x: abs(),
              lambda x: round(), lambda x: round(x, 1, 2), lambda x: pow(x), lambda x: divmod(x),
              lambda x: float(x, x), lambda x: math.log(), lambda x: math.log(x, x, x), lambda x: math.hypot("a", x),
              lambda x: math.comb(x, 2), lambda x: round(x, x), lambda x: round("a"), lambda x: abs([x]),
              lambda x: float(None), lambda x: int([x]), lambda x: pow(x, 2, 3)):
        agree(f, 2.5)


def test_what_is_refused():
    for f in (lambda x: math.fsum([x, x]), lambda x: math.frexp(x), lambda x: math.ulp(x), lambda x: complex(str(x))):
        with pytest.raises(gs.GradscribeError):
            gs.jit(f)(2.5)
    agree(lambda x: math.fsum([0.1] * 10) * x, 2.0, gradient=0)


def test_the_remainder_of_an_integer_by_what_is_no_number_is_none():
    for f in (lambda x: math.fmod(x, math.nan), lambda x: np.fmod(x, np.nan)):
        for x in (np.int16(3), 3, 2.5):
            assert math.isnan(gs.jit(f)(x))
