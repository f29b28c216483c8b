"""Python's numbers and NumPy's: what programs do with them is the same, transformed and compiled, signs,
exceptions and text included."""
import math
import random

import numpy as np
import pytest

import gradscribe as gs
from gradscribe import runtime as rt
from gradscribe.transformer.core import Const
from gradscribe.transformer.rules import OPS
from tests.library.test_dtypes import Functions, differs, leaves, run
from tests.support.cases import rotating

WAYS = {"plain": gs.test_util.primal, "compiled": gs.jit}
either = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


# ---- text: whatever stands beside whatever, it means what it meant

CONSTANTS = [0, 1, -1, 2, -2, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, -2.0, 2.0**1000, -2.0**1000, math.inf, -math.inf,
             math.nan, np.float64(-2.0), np.float64(-0.0), np.float64(np.nan), np.float32(-0.5), np.int64(-4),
             np.int8(-128), np.uint8(255), np.bool_(True), True]
INFIX = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "<<", ">>"]
PREFIX = ["-", "~", "not ", "abs", "np.sqrt", "float"]


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("op", [op for op in OPS.values() if op.symbol], ids=lambda op: op.name)
def test_core_text_of_constants(op):
    for a in CONSTANTS:
        for b in CONSTANTS if op.symbol not in ("~", "not ") and op.name != "negative" else [None]:
            values = [a] if b is None else [a, b]
            with np.errstate(all="ignore"):
                want = run(op.fn, values)
                text = op.show([str(Const(v)) for v in values], {})
                got = run(lambda: eval(text, {"np": np, "rt": rt}), [])
            assert type(got[1]) is type(want[1]), (text, got, want)
            assert (want[1] is not None or isinstance(want[0], complex)
                    or not differs(got[0], want[0], False)), (text, got, want)


def written(value) -> str:
    return f"({Const(value)})" if not isinstance(value, bool) else repr(value)


def expression(rng, names, depth) -> str:
    """Random text, with parentheses everywhere."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(names) if rng.random() < 0.55 else written(rng.choice(CONSTANTS))
    if rng.random() < 0.2:
        return f"({rng.choice(PREFIX)}({expression(rng, names, depth - 1)}))"
    return f"({expression(rng, names, depth - 1)} {rng.choice(INFIX)} {expression(rng, names, depth - 1)})"


ARGUMENTS = {
    "python": [(2.0, -0.5, 3), (-2.0, 0.5, -1), (-0.0, 4.0, 0)],
    "numpy": [(np.float64(2.0), np.float32(-0.5), np.int64(3)), (np.float64(-2.0), np.float32(0.5), np.int64(1))],
    "arrays": [(np.array([2.0, -2.0, -0.0, np.inf]), np.array([-0.5, 0.5, np.nan, -0.0], np.float32),
                np.array([3, 1, 0, 2]))],
}


@pytest.mark.heavy(one_in=74)
@pytest.mark.parametrize("kind", ARGUMENTS)
@pytest.mark.parametrize("seed", rotating(range(8), 4))
def test_text_of_expressions(kind, seed, tmp_path):
    """Expressions with parentheses everywhere against what is written for them, which has those that it needs."""
    rng, functions, texts = random.Random(seed), Functions(tmp_path), []
    with np.errstate(all="ignore"):
        while len(texts) < 40:
            text = expression(rng, ["x", "y", "n"], 3)
            results = ([run(functions.of([], "x, y, n", text), args) for args in ARGUMENTS[kind]]
                       if set("xyn") & set(text.replace("np", "")) else [(None, 1)])
            numbers = [leaf for result, error in results for leaf in leaves((result,))]
            if (not any(error for _, error in results)
                    and all(acceptable(x) for x in numbers) and len(set(map(type, numbers))) == 1
                    and all(accepted(functions.expressions([text], "x, y, n"), args) for args in ARGUMENTS[kind])):
                texts.append(text)
        f = functions.expressions(texts, "x, y, n")
        for way in WAYS.values():
            for args in ARGUMENTS[kind]:
                want, got = f(*args), way(f)(*args)
                for text, w, g in zip(texts, want, got, strict=True):
                    assert not differs(g, w, True), (way, text, args, g, w)


def acceptable(x) -> bool:
    """A number that compiled code has."""
    return (np.asarray(x).dtype.kind in "biuf" and np.asarray(x).dtype != np.float16
            and not (isinstance(x, int) and abs(x) > 2**53))


def accepted(f, args) -> bool:
    """Neither refused before the run nor in it, as ints to negative powers are."""
    try:
        gs.test_util.primal(f)(*args)
        gs.jit(f).source(*args, stage="compiled")
        return True
    except gs.GradscribeError:
        return False
    except ValueError as error:
        if "negative integer powers" in str(error):
            return False
        raise


@pytest.mark.heavy(one_in=2)
@either
def test_negative_constants(way):
    powers = lambda x, n: (x * (-1.0) ** n, (-np.inf) ** n, -1.0 ** n, x ** -2, 2 - -x, -(-x) ** 2, 1.0 / -2.0 ** n)
    for n in (1, 2, 3, 4):
        assert way(powers)(3.0, n) == powers(3.0, n)
    assert np.array_equal(way(lambda x: np.power(-1.0, x))(np.array([1, 2, 3])), [-1.0, 1.0, -1.0])
    assert gs.jit(gs.grad(lambda x, n: x * (-1.0) ** n))(2.0, 4) == 1.0


# ---- what Python raises

def raising(f, *args):
    return type(run(f, args)[1])


@pytest.mark.heavy(one_in=4)
@either
@pytest.mark.parametrize("f, args, error", [
    (lambda x, n: x ** n, (1e300, 3), OverflowError),
    (lambda x: x ** 3, (1e300,), OverflowError),
    (lambda x: x ** 2, (-1e200,), OverflowError),
    (lambda x: x ** -2, (1e-200,), OverflowError),
    (lambda x, y: x ** y, (10.0, 400.0), OverflowError),
    (lambda x, y: x ** y, (0.0, -1.0), ZeroDivisionError),
    (lambda x: int(x), (math.inf,), OverflowError),
    (lambda x: int(x), (math.nan,), ValueError),
    (lambda x: x + 1, (2**63 - 1,), None),
    (lambda x, y: x >> y, (1, -1), ValueError),
    (lambda x, y: x << y, (1, -1), ValueError),
    (lambda x, n: x + n, (np.uint8(3), 300), OverflowError),
    (lambda x, n: x + n, (np.ones(0, np.uint8), 300), OverflowError),
    (lambda x, n: x + n, (np.ones(2, np.int8), -129), OverflowError),
    (lambda n: np.full(2, n, np.uint8), (300,), OverflowError),
    (lambda n: np.uint8(n), (-1,), OverflowError),
    (lambda x: np.int8(x), (300.5,), OverflowError),
])
def test_exceptions(way, f, args, error):
    got = raising(way(f), *args)
    assert got is (error or type(None)) or error is None and way is gs.jit and issubclass(got, gs.GradscribeError)


def test_what_fits_does_not_raise():
    assert gs.jit(lambda x, n: x ** n)(-math.inf, 3) == -math.inf
    assert gs.jit(lambda x: x ** 2)(-math.inf) == math.inf
    assert math.isnan(gs.jit(lambda x, y: x ** y)(-2.0, math.nan))
    assert gs.jit(lambda x, y: x ** y)(-2.0, math.inf) == math.inf
    assert math.copysign(1.0, gs.jit(lambda x: x ** 0.5)(-0.0)) == 1.0
    assert gs.jit(lambda x: int(x))(-2.0**63) == -2**63
    assert gs.jit(lambda a, b: (a >> b, a << 1, 0 << b))(-5, 100) == (-1, -10, 0)
    assert gs.jit(lambda a, b: a << b)(-1, 63) == -2**63


@either
def test_ints_and_floats_are_compared_exactly(way):
    def f(n, x):
        return n == x, n != x, n < x, n <= x, n > x, n >= x, x == n, x < n, x > n
    for n in (0, -1, 2**53 + 1, -2**53 - 1, 2**62 + 1, 2**63 - 1, -2**63):
        for x in (0.0, -0.5, 2.0**53, -2.0**53, 2.0**62, 2.0**63, -2.0**63, math.inf, -math.inf, math.nan):
            assert way(f)(n, x) == f(n, x), (n, x)
    assert not way(lambda x: 2**53 + 1 == x)(2.0**53)


@either
def test_small_integers_are_compared_with_all_ints(way):
    def f(x, n):
        return x > n, x == n, n < x, x <= n
    for dtype in (np.uint8, np.int8, np.uint64):
        x = np.array([0, 1, np.iinfo(dtype).max], dtype)
        for n in (-1, 0, 128, 300, 2**63 - 1):
            assert all(np.array_equal(g, w) for g, w in zip(way(f)(x, n), f(x, n)))


def test_the_least_integer():
    least = np.array([-2**63, -5])
    with np.errstate(all="ignore"):
        for n in (-1, 2):
            assert np.array_equal(gs.jit(lambda x, n: x // n)(least, np.int64(n)), least // n)
            assert np.array_equal(gs.jit(lambda x, n: x % n)(least, np.int64(n)), least % n)
    assert issubclass(raising(gs.jit(lambda x, n: x // n), -2**63, -1), gs.GradscribeError)


# ---- conversions

@either
def test_float_of_a_single(way):
    x = np.float32(1e30)
    for f in (lambda x: float(x) ** 2, lambda x: float(x) * 3.0, lambda x: float(x) + np.float32(1.0),
              lambda x: np.sqrt(float(x)), lambda x: math.sin(float(x))):
        got = way(f)(x)
        assert got == f(x) and type(got) is type(f(x))


@pytest.mark.heavy(one_in=8)
@either
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8])
def test_stores_of_what_does_not_fit(way, dtype):
    def number(z, v):
        z = z.copy()
        z[0] = v
        return z

    def part(z, v):
        z = z.copy()
        z[1:] = v
        return z

    for f in (number, part):
        for v in (1, 300, -1, 2**40, 2.5, -2.5, 300.5, math.nan, math.inf, np.float64(300.5), np.float32(7.5),
                  np.float64(np.nan), np.int64(300), np.uint8(200), np.int16(-3)):
            with np.errstate(all="ignore"):
                want, got = (run(g, (np.zeros(3, dtype), v)) for g in (f, way(f)))
            assert type(got[1]) is type(want[1]) and (want[1] or np.array_equal(got[0], want[0])), (dtype, v, got, want)


def test_sums_that_an_array_cannot_hold():
    def f(x, v):
        np.add.at(x, [0, 0], v)
        return x
    for x, v in ((np.zeros(2, int), 0.5), (np.zeros(2, bool), 1), (np.zeros(2, np.uint64), np.int8(-1))):
        with pytest.raises(gs.GradscribeError, match="cannot hold the sums"):
            gs.jit(f)(x, v)


@pytest.mark.heavy(one_in=2)
@either
def test_zeros_keep_their_signs(way):
    x, y = np.array([0.0, -0.0, 0.0, -0.0]), np.array([0.0, 0.0, -0.0, -0.0])
    for f in (lambda x, y: np.maximum(x, y), lambda x, y: np.minimum(x, y), lambda x, y: np.clip(x, -0.0, 1.0),
              lambda x, y: np.clip(x, 0.0, 1.0), lambda x, y: np.clip(x, y, 1.0), lambda x, y: np.cumsum(x[1:2]),
              lambda x, y: np.cumsum(x[::2]), lambda x, y: np.amax(x[1::2])):
        assert np.array_equal(np.signbit(way(f)(x, y)), np.signbit(f(x, y)))


# ---- powers at 0

def exact(k, x, order):
    """The derivative of x**k of this order."""
    return 0.0 if k < order else math.perm(int(k), order) * x ** (k - order)


# of 0**k, by k, by k twice, by both: limits from where there is a power
AT_ZERO = {0.0: (-math.inf, math.inf, math.nan), 1.0: (0.0, 0.0, -math.inf), 2.0: (0.0, 0.0, 0.0)}


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("compile", [lambda f: f, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("x", [0.0, np.float64(0.0), np.float32(0.0), 2.0], ids=repr)
def test_powers_at_zero(compile, x):
    power = lambda x, k: x ** k  # noqa: E731
    first, second = compile(gs.grad(power)), compile(gs.grad(gs.grad(power)))
    for k in (0, 1, 2, 3, 0.0, 1.0, 2.0, np.int64(0), np.float64(1.0), np.float64(2.0)):
        assert first(x, k) == exact(k, float(x), 1) and second(x, k) == exact(k, float(x), 2), k
    for k in (0, 1, 2, 0.0, 1.0, 2.0):
        assert compile(gs.grad(power, argnums=0))(x, k) == exact(k, float(x), 1)
    by_exponent, mixed, twice = (compile(gs.grad(power, argnums=1)), compile(gs.grad(gs.grad(power), argnums=1)),
                                 compile(gs.grad(gs.grad(power, argnums=1), argnums=1)))
    for k in (0.0, 1.0, 2.0):
        log = math.log(x) if x else -math.inf
        want = (x**k * log, x**k * log**2, x**(k - 1.0) * (1.0 + k * log)) if x else AT_ZERO[k]
        got = by_exponent(x, k), twice(x, k), mixed(x, k)
        assert got == pytest.approx(want, rel=1e-6 if x else 0.0, nan_ok=True), k


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("compile", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_constant_powers_at_zero(compile):
    for f, k in ((lambda x: x ** 0, 0), (lambda x: x ** 1, 1), (lambda x: x ** 2, 2), (lambda x: x ** 0.0, 0),
                 (lambda x: x ** 1.0, 1), (lambda x: x ** 2.0, 2)):
        assert compile(gs.grad(f))(0.0) == exact(k, 0.0, 1) and compile(gs.grad(gs.grad(f)))(0.0) == exact(k, 0.0, 2)
        summed = lambda x, f=f: np.sum(f(x))  # noqa: E731
        assert compile(gs.grad(summed))(np.zeros(2)).tolist() == [exact(k, 0.0, 1)] * 2


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("compile", [lambda f: f, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_powers_of_arrays_at_zero(compile, dtype):
    def f(x, k):
        return np.sum(x ** k)
    x = np.array([0.0, 2.0, 0.0], dtype)
    for k in (0, 1.0, np.array([0, 1, 2]), np.array([0.0, 1.0, 2.0], dtype)):
        ks = np.broadcast_to(k, 3)
        got = compile(gs.grad(f))(x, k)
        assert got.dtype == dtype and np.array_equal(got, [exact(n, v, 1) for n, v in zip(ks, x)])
        got = compile(gs.grad(lambda x, k: np.sum(gs.grad(f)(x, k))))(x, k)
        assert got.dtype == dtype and np.array_equal(got, [exact(n, v, 2) for n, v in zip(ks, x)])


def test_a_power_of_bools_has_the_dtype_of_its_exponent():
    def f(x, k):
        return x ** k
    x = np.array([True, False])
    assert f(x, 2).dtype != f(x, 3).dtype  # as NumPy has it
    for transformed in (gs.jit(f), gs.test_util.primal(f)):
        for k in (2, 3):
            with pytest.raises(gs.errors.UnsupportedError, match="whose dtype depends on the exponent"):
                transformed(x, k)
