"""Every elementwise operation, on every dtype and kind, compiled against NumPy."""
import numpy as np
import pytest

from gradscribe.transformer.errors.messages import RefusedRange
from gradscribe.transformer.rules import OPS
from gradscribe.transformer.rules.kinds import Elementwise
from tests.runtime.lowering import Stages, emit, function, layouts

UNARY, BINARY = {}, {}
for name, op in OPS.items():
    if (isinstance(op, Elementwise) and name not in ("np.where", "float", "int", "bool", "not ",
                                                     "complex", "np.real", "np.imag", "np.conjugate")
            and not name.startswith(("rt.", "scipy."))):
        # the others: test_special, test_scipy_special
        (UNARY if len(op.partials) == 1 else BINARY)[name] = op

FLOATS = np.array([0.0, -0.0, 0.3, -0.7, 1.0, -1.0, 2.5, -3.5, 1e-310, -40.0, 700.0, np.inf, -np.inf, np.nan])
VALUES = {
    "f8": FLOATS,
    "f4": np.array([0.0, -0.0, 0.3, -0.7, 1.0, -1.0, 2.5, -3.5, -40.0, 80.0, np.inf, -np.inf, np.nan], np.float32),
    "i8": np.array([0, 1, -1, 2, 3, -7, 12, 63], np.int64),
    "i4": np.array([0, 1, -1, 2, 3, -7, 12, 31], np.int32),
    "?": np.array([True, False]),
}


def accepted(op, *samples):
    """Does NumPy know the operation on these?"""
    try:
        with np.errstate(all="ignore"):
            return np.asarray(op.fn(*samples)).dtype in (np.float64, np.float32, np.int64, np.int32, np.bool_)
    except (TypeError, ValueError):
        return False


@pytest.mark.heavy(one_in=17)
@pytest.mark.parametrize("dtype", VALUES)
def test_unary(dtype):
    """All operations of one argument, on arrays and on NumPy scalars."""
    one = np.ones(1, dtype)
    names = [n for n, op in UNARY.items() if accepted(op, one)]

    def body(b, x, s):
        return tuple(emit(b, n, x) for n in names) + tuple(emit(b, n, s) for n in names)

    run = Stages(function([f"{dtype}[n]", dtype], body))
    for x in layouts(VALUES[dtype]):
        run(x, x[0], rtol=2e-6 if dtype == "f4" else 1e-12)
    for s in VALUES[dtype][:4]:
        run(VALUES[dtype][:0], s)


def grid(x, y):
    return np.repeat(x, len(y)), np.tile(y, len(x))


@pytest.mark.heavy(one_in=27)
@pytest.mark.parametrize("left, right", [("f8", "f8"), ("f4", "f4"), ("f4", "f8"), ("i8", "i8"), ("i4", "i4"),
                                         ("i8", "f4"), ("?", "?"), ("?", "f8"), ("i8", "?")])
def test_binary(left, right):
    """All operations of two arguments on all pairs of values."""
    names = [n for n, op in BINARY.items() if accepted(op, np.ones(1, left), np.ones(1, right))]
    names = [n for n in names if not ("shift" in n and "f" in left + right)]
    x, y = grid(VALUES[left], VALUES[right])
    keep = (x != 0) | (y != 0)  # NumPy does not say which zero is the larger
    x, y = x[keep], y[keep]

    def body(b, x, y, s):
        return (tuple(emit(b, n, x, y) for n in names if n != "power")
                + tuple(emit(b, n, x, s) for n in names if n != "power"))

    run = Stages(function([f"{left}[n]", f"{right}[n]", right], body))
    x = x[x != 0]
    run(x, y[:len(x)], VALUES[right][0], rtol=2e-6)
    run(x, y[:len(x)], VALUES[right][1], rtol=2e-6)


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
def test_python_numbers_are_weak(dtype):
    """A Python number takes the dtype of the array that it meets."""
    names = [n for n, op in BINARY.items()
             if accepted(op, np.ones(1, dtype), 2) and "shift" not in n and n != "np.ldexp"]

    def body(b, x, k):
        return (tuple(emit(b, n, x, v) for n in names for v in (2, k))
                + tuple(emit(b, n, 3, x) for n in names if n != "power")
                + ((emit(b, "multiply", x, 0.1),) if dtype != "i8" else ()))

    run = Stages(function([f"{dtype}[n]", "int"], body))
    run(np.array([1, 2, 3, 5], dtype), 3, rtol=2e-6)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 5, -1, -2, 0.5, 1.5, -0.5, np.float64(2.0)])
def test_constant_powers(exponent):
    run = Stages(function(["f8[n]", "f4[m]"],
                          lambda b, x, y: (emit(b, "power", x, exponent), emit(b, "power", y, exponent))))
    run(np.array([0.5, 2.0, 3.0, 0.0, np.inf, np.nan]), np.array([0.5, 2.0, 3.0, 0.0], np.float32), rtol=2e-6)


def test_powers_of_arrays():
    run = Stages(function(["f8[n]", "f8[n]", "i8[n]", "i8[n]"], lambda b, x, y, i, j: (
        emit(b, "power", x, y), emit(b, "power", x, i), emit(b, "power", i, j), emit(b, "power", i, 3))))
    x = np.array([0.5, -2.0, 3.0, 0.0, 1.0])
    run(x, np.array([2.0, 3.0, 0.5, 0.0, -1.0]), np.array([3, 2, -7, 0, 1]), np.array([3, 62, 2, 0, 5]))
    run(x, x, np.array([3, 2, -7, 0, 1]), np.array([3, 62, -2, 0, 5]))  # an int to a negative power raises


def test_where():
    run = Stages(function(["?[n]", "f8[n]", "f4[n]", "float"], lambda b, c, x, y, s: (
        emit(b, "np.where", c, x, y), emit(b, "np.where", c, y, s), emit(b, "np.where", c, x, np.inf),
        emit(b, "np.where", c, 1, 0))))
    run(np.array([True, False, True]), np.array([1.0, np.nan, 3.0]), np.array([4.0, 5.0, np.inf], np.float32), 0.1)


def test_conversions():
    run = Stages(function(["f8", "f4", "i8", "?", "float", "int", "bool"], lambda b, *args: tuple(
        emit(b, n, a) for a in args for n in ("float", "int", "bool"))))
    run(np.float64(2.7), np.float32(-3.7), np.int64(5), np.True_, -0.5, 7, False)
    run(np.float64(0.0), np.float32(0.0), np.int64(0), np.False_, 0.0, 0, True)
    run(np.float64(np.nan), np.float32(0.0), np.int64(0), np.False_, 0.0, 0, True)


def test_astype():
    names = [np.dtype(d) for d in ("f8", "f4", "i8", "i4", "?")]
    run = Stages(function(["f8[n]", "f4[n]", "i8[n]", "?[n]", "float", "int"], lambda b, *args: tuple(
        emit(b, "rt.astype", a, dtype=d) for a in args for d in names)))
    run(np.array([0.0, 1.7, -2.2]), np.array([0.0, 1.7, -2.2], np.float32), np.array([0, 3, -4]),
        np.array([True, False, True]), 1.5, 3)


# Python numbers ------------------------------------------------------------------------------------
INTS = [0, 1, -1, 2, 7, -7, 2**31, -(2**31), 2**62, 2**63 - 1, -(2**63)]


def test_python_ints():
    """Exactly Python's, or an exception: what does not fit into 64 bits is never wrapped."""
    for name in ("add", "subtract", "multiply", "floor_divide", "mod", "divide", "and_", "or_", "xor", "less", "equal"):
        run = Stages(function(["int", "int"], lambda b, x, y, name=name: emit(b, name, x, y)))
        for x in INTS:
            for y in INTS:
                want = python_int(OPS[name].fn, x, y)
                for stage in (run.plain, run.compiled):
                    assert python_int(lambda x, y: stage(x, y)[0], x, y) == want, (name, x, y, stage)


def python_int(function, x, y):
    """The type and value, or the name of the exception; "refused" for what has more than 64 bits."""
    try:
        value = function(x, y)
    except Exception as error:
        return "refused" if isinstance(error, RefusedRange) else type(error).__name__
    if type(value) is int and not -(2**63) <= value < 2**63:
        return "refused"
    return type(value), value


def test_python_int_powers_and_shifts():
    power = Stages(function(["int", "int"], lambda b, x, y: emit(b, "power", x, y)))
    for x, y in [(2, 10), (2, 62), (2, 63), (-2, 63), (-2, 64), (3, 39), (3, 50), (0, 0), (-1, 10**9 + 1), (10, 18),
                 (10, 19), (7, 1)]:
        for stage in (power.plain, power.compiled):
            assert python_int(lambda x, y: stage(x, y)[0], x, y) == python_int(pow, x, y), (x, y)
    for stage in (power.plain, power.compiled):
        with pytest.raises(ValueError, match="negative integer powers"):
            stage(2, -1)
    shift = Stages(function(["int", "int"], lambda b, x, y: (emit(b, "lshift", x, y), emit(b, "rshift", x, y))))
    shift(5, 3)
    shift(-5, 3)
    shift(5, -1)
    assert python_int(lambda x, y: shift.compiled(x, y)[0], 1, 63) == "refused"
    one = Stages(function(["int"], lambda b, x: (emit(b, "negative", x), emit(b, "abs", x), emit(b, "invert", x),
                                                 emit(b, "not ", x))))
    one(5)
    one(-5)
    for stage in (one.plain, one.compiled):
        with pytest.raises(RefusedRange):
            stage(-(2**63))


def test_python_floats_raise_as_python_does():
    run = Stages(function(["float", "float"], lambda b, x, y: (emit(b, "divide", x, y), emit(b, "mod", x, y),
                                                               emit(b, "floor_divide", x, y))))
    for x in (0.0, 1.5, -7.0, np.inf):
        for y in (1.0, -2.0, 0.0, np.inf):
            run(float(x), float(y))
    power = Stages(function(["float", "float"], lambda b, x, y: emit(b, "power", x, y)))
    power(2.0, 0.5)
    power(0.0, -1.0)
    for stage in (power.plain, power.compiled):
        with pytest.raises(ValueError, match="complex"):
            stage(-8.0, 1 / 3)
    assert power.compiled(-8.0, 3.0) == (-512.0,)


def test_numpy_scalars_follow_numpy():
    run = Stages(function(["f8", "f8", "i8", "i8"], lambda b, x, y, i, j: (
        emit(b, "divide", x, y), emit(b, "floor_divide", i, j), emit(b, "mod", i, j), emit(b, "divide", i, j),
        emit(b, "multiply", i, j))))
    run(np.float64(1.0), np.float64(0.0), np.int64(5), np.int64(0))
    run(np.float64(-1.0), np.float64(0.0), np.int64(-5), np.int64(3))
    run(np.float64(0.0), np.float64(0.0), np.int64(2**62), np.int64(4))
