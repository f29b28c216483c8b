"""Integers of all widths: arithmetic, bits, shifts and conversions are NumPy's, wrap-around included, compiled too."""
import numpy as np
import pytest
from scipy import special

import gradscribe as gs

DTYPES = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64]


def arithmetic(x, y):
    return (x + y, x * y, x - y, x // y, x % y, -x, abs(x), x < y, x == y, np.where(x > y, x, y), np.maximum(x, y),
            x * 2, x + 3, x % 7, x // 7, np.sum(x), np.max(x), x[0] + y[1], x[2] * y[2])


def bitwise(x, y):
    return x & y, x | y, x ^ y, np.bitwise_xor(x, 3), ~x, x[2] ^ y[1]


def shifts(x, n):
    return x << n, x >> n, x << 3, x >> 1, np.left_shift(x, 7), np.right_shift(x, 63), x[2] >> 5


def conversions(x):
    return tuple([x.astype(np.float32), x.astype(np.float64), x.astype(np.int8), x.astype(np.uint8),
                  x.astype(np.int32), x.astype(np.uint32),
                  x.astype(np.int64), x.astype(np.uint64), x + 0.5, x * np.float32(2.0), x.astype(bool)])


def agree(f, *args):
    with np.errstate(all="ignore"):
        expected = f(*args)
        for way in (gs.test_util.primal, gs.jit):
            for k, (want, got) in enumerate(zip(expected, way(f)(*args), strict=True)):
                assert want.dtype == got.dtype and type(want) is type(got), (way, k)
                np.testing.assert_array_equal(got, want, str((way, k)))


def extremes(dtype, last=5):
    info = np.iinfo(dtype)
    return np.array([0, 1, info.max, info.min, info.max // 3, last], dtype)


@pytest.mark.heavy(one_in=30)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("other", [np.uint32, np.int64, np.uint64])
def test_arithmetic(dtype, other):
    y = np.array([1, np.iinfo(other).max, 3, 5, 7, 2], other)
    agree(arithmetic, extremes(dtype), y)
    if np.result_type(dtype, other).kind in "iu":  # NumPy has no bits of int64 and uint64 together
        agree(bitwise, extremes(dtype), y)


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("dtype", DTYPES)
def test_shifts_and_conversions(dtype):
    agree(shifts, extremes(dtype), np.array([0, 1, 7, 31, 63, 64], dtype))
    agree(conversions, extremes(dtype))


def ordered(x, v):
    return (np.cumsum(x), np.cumsum(v, axis=0), np.cumsum(v, axis=-1), np.argsort(x, kind="stable"),
            np.sort(x), np.searchsorted(np.sort(x), v), np.searchsorted(np.sort(x), v, side="right"),
            np.searchsorted(np.sort(x), 2), x[np.argsort(-x)])


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint32])
def test_order(dtype):
    agree(ordered, np.array([3, 1, 2, 2, 7, 0], dtype), np.array([[0, 2, 5], [9, 2, 1]], dtype))


@pytest.mark.heavy(one_in=26)
def test_derivatives_of_order():
    x = np.array([[3.0, 1.0, 2.0], [0.5, 0.1, 4.0]])
    for axis in (0, 1):
        gs.test_util.check_grads(lambda x: np.cumsum(x**2, axis=axis), (x,), order=2)
    gs.test_util.check_grads(gs.jit(lambda x: np.cumsum(np.sort(x) ** 2)), (x[0],), order=2)


def test_what_is_refused():
    with pytest.raises(gs.UnsupportedError, match="np.sort with order=.*"):
        gs.jit(lambda x: np.sort(x, order="a"))(np.ones(2))
    with pytest.raises(ValueError, match="side"):
        gs.jit(lambda x: np.searchsorted(x, x, side="middle"))(np.ones(2))


def rounds(x, n):
    s = 0.0
    for i in range(n):
        s = s + x[i]
    return s


def test_a_scalar_bool_is_no_length_and_a_python_bool_is():
    x = np.array([2.0, 3.0])
    for f in (rounds, gs.test_util.primal(rounds), gs.jit(rounds)):
        assert f(x, True) == 2.0 and f(x, False) == 0.0
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            f(x, np.True_)


@pytest.mark.parametrize("n", [2**70, -2**64, 2**63, 2**63 - 1, -2**63])
def test_ints_of_more_than_64_bits_are_python_s(n):
    """A program is made for each of them, whatever program small ones have;
    compiled code may refuse what it cannot hold."""
    for f in (lambda n: n + 1, lambda n: n * 0.5, lambda n: (n, n % 7, -n, n > 5),
              lambda n: max(n, 4) * 2 if n > 4 else n):
        plain, compiled = gs.test_util.primal(f), gs.jit(f)
        for k in (3, n, 4, n, 5):
            assert plain(k) == f(k) and type(plain(k)) is type(f(k))
            try:
                assert compiled(k) == f(k) and type(compiled(k)) is type(f(k))
            except (gs.GradscribeError, OverflowError):
                assert k == n


def powers(x, n):
    return np.sum(x ** n + n ** x + np.float_power(n, x) + np.hypot(x, n) * np.arctan2(x, n))


def bessel(x, n):
    return np.sum(special.jv(n, x) * special.iv(n, x) + special.boxcox(x, n) + special.owens_t(n, x)
                  + special.xlog1py(x, n))


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("f", [powers, bessel])
@pytest.mark.parametrize("dtype", [bool, *DTYPES[:-1]])
def test_a_formula_computes_with_integers_as_with_floats(dtype, f):
    """Those that wrap around (n - 1 of 0), and those of whose logarithm NumPy makes a short float."""
    x, n = np.array([0.7, 1.3, 1.9]), np.array([0, 1, 3]).astype(dtype)
    slope, want = gs.grad(f), gs.grad(f)(x, n.astype(float))
    np.testing.assert_allclose(slope(x, n), want, rtol=1e-13)
    np.testing.assert_allclose(gs.jvp(lambda x: f(x, n), (x,), (np.ones(3),))[1], np.sum(want), rtol=1e-13)
    np.testing.assert_allclose(gs.grad(lambda x: f(x, n[1]))(x), gs.grad(lambda x: f(x, 1.0))(x), rtol=1e-13)
    np.testing.assert_allclose(gs.hessian(lambda x: powers(x, n))(x),
                               gs.hessian(lambda x: powers(x, n.astype(float)))(x), rtol=1e-12)
    if dtype in (bool, np.uint8):
        np.testing.assert_allclose(gs.jit(slope)(x, n), want, rtol=1e-13)


def test_a_formula_computes_with_a_bool_of_pythons_as_with_a_float():
    for flag in (True, False):
        slope = gs.grad(lambda x, flag: special.xlog1py(x, flag) + np.power(x, flag))(0.7, flag)
        np.testing.assert_allclose(slope, np.log1p(float(flag)) + float(flag), rtol=1e-15)


def product(x, n):
    return x * n


OF_INTS = {"jvp": lambda f, *args: gs.jvp(f, args, args),
           "vjp": gs.vjp, "linearize": gs.linearize, "hvp": lambda f, *args: gs.hvp(f, args, args),
           **{t.__name__: lambda f, *args, t=t: t(f, argnums=tuple(range(len(args))))(*args)
              for t in (gs.grad, gs.value_and_grad, gs.jacfwd, gs.jacrev, gs.hessian)}}


def in_a_list(x):
    return x[0] * 2.0


def in_a_dict(x):
    return x["n"] * 2.0 if "n" in x else 1.0


def total(x):
    return sum(x) * 2.0


@pytest.mark.parametrize("asked", OF_INTS)
@pytest.mark.parametrize("f, args, what", [
    (product, (3, 2), "dtype int64"), (product, (np.arange(3), np.int32(1)), "dtype int64"),
    (in_a_list, ([3],), "dtype int64"), (in_a_list, ((True,),), "dtype bool"), (in_a_dict, ({"n": 3},), "dtype int64"),
    (total, (range(5),), "a range of ints"), (total, (b"ab",), "the bytes b'ab'"),
    (in_a_dict, ("abc",), "the str 'abc'")], ids=["int", "array", "list", "bool", "dict", "range", "bytes", "str"])
def test_derivatives_of_what_is_no_float_are_refused(asked, f, args, what):
    """gs.jvp, vjp and linearize gave 0, and all of them gave a range, or bytes, back."""
    with pytest.raises(gs.errors.SpecialisationError) as caught:
        OF_INTS[asked](f, *args)
    place, line, caret, instead = str(caught.value).splitlines()[:4]
    name = "argument 0" if asked == "hessian" else "x"  # of the function that gs.hessian makes first
    named = name + "[0]" if f is in_a_list else name + '["n"]' if isinstance(args[0], dict) else "argument 0"
    assert (f"{named} {'is' if what[0] in 'at' else 'has'} {what}, and only floats have derivatives" in place
            and "test_integers.py:" in place)
    assert (line.split("|")[1].strip().startswith(f"def {f.__name__}(") and caret.index("^") == line.index("(") + 1
            and "Pass floats" in instead)


def test_derivatives_of_ints_are_refused_inside_of_other_functions():
    def inside(n):
        return gs.jvp(lambda x: x * x, (n,), (1,))[1]

    def known(x):
        return gs.vjp(lambda x: x * x, 3)[1](1)[0] * x

    def near(n):
        return gs.linearize(lambda x: x * x, n)[1](1)
    for f, x in ((inside, 3), (inside, np.arange(3)), (known, 2.0), (near, 3)):
        for way in (gs.jit, gs.test_util.primal):
            with pytest.raises(gs.errors.SpecialisationError,
                               match=r"test_integers.py:\d+: argument 0 has dtype int64, "):
                way(f)(x)


def test_ints_beside_floats_are_held_fixed():
    """A direction that was asked for was dropped: the tangent of product at (2.0, 3) along (1.0, 1) is 5.0,
    and it gave 3.0."""
    for tangent in (0, None, 0.0, False, np.int8(0)):
        assert gs.jvp(product, (2.0, 3), (1.0, tangent)) == (6.0, 3.0)
    assert gs.vjp(product, 2.0, 3)[1](1.0) == (3.0, 0) and gs.linearize(product, 2.0, 3)[1](1.0, 0) == 3.0
    np.testing.assert_array_equal(gs.jvp(product, (2.0, np.arange(3)), (1.0, np.zeros(3, int)))[1], [0.0, 1.0, 2.0])
    for moved in (lambda: gs.jvp(product, (2.0, 3), (1.0, 1)),
                  lambda: gs.jvp(product, (2.0, np.arange(3)), (1.0, np.array([0, 0, 1]))),
                  lambda: gs.jvp(lambda d: d["x"] * d["n"], ({"x": 2.0, "n": 3},), ({"x": 1.0, "n": 1.0},)),
                  lambda: gs.linearize(product, 2.0, 3)[1](1.0, 1)):
        with pytest.raises(gs.errors.RefusedValue, match="the tangent of an int is not 0.*its tangent is 0") as caught:
            moved()
        assert "test_integers.py:" in caught.value.__notes__[0]
    with pytest.raises(gs.errors.SpecialisationError, match="test_integers.py:.*the tangent of an int is not 0"):
        gs.jit(lambda x: gs.jvp(product, (x, 3), (1.0, 1)))(2.0)
    along = gs.jit(lambda x, n, d: gs.jvp(product, (x, n), (1.0, d))[1])
    assert along(2.0, 3, 0) == 3.0
    with pytest.raises(gs.errors.RefusedValue, match="the tangent of an int is not 0"):
        along(2.0, 3, 1)


def test_a_range_beside_floats_has_zeros():
    assert gs.vjp(lambda x, r: x * sum(r), 2.0, range(3))[1](1.0) == (3.0, (0, 0, 0))
    assert gs.grad(lambda x, r: x * sum(r), (0, 1), allow_int=True)(2.0, range(3)) == (3.0, (0, 0, 0))
    assert gs.jvp(lambda x, r: (x, r), (2.0, range(3)), (1.0, None)) == ((2.0, range(3)), (1.0, (0, 0, 0)))
    assert gs.grad(lambda x, more: x, (0, 1))(2.0, None) == (1.0, None)
