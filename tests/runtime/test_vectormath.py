"""Vector math: true to 2 ulp, vectorised at full width, and its coefficients derived anew."""
import functools
import math
import os
import re
import subprocess
import sys

import llvmlite.binding
import mpmath as mp
import numpy as np
import pytest
from numba import njit

import gradscribe as gs
from gradscribe.runtime.native import vectormath as vm

CIRCULAR = {"sin", "cos"}


def loop(function):
    """out[i] = function(x[i])"""
    @njit(error_model="numpy")
    def fill(x, out):
        for i in range(x.size):
            out[i] = function(x[i])
    return fill


LOOPS = {key: loop(function) for key, function in vm.VECTOR_MATH.items()}


def values(name, x):
    out = np.empty_like(x)
    LOOPS[name, x.dtype.name](x, out)
    return out


every = pytest.mark.parametrize("name, dtype", sorted(vm.VECTOR_MATH))


# ---- accuracy

def neighbours(points, dtype, steps=2):
    """The points as dtype, with the floats next to them, and all their negatives."""
    with np.errstate(over="ignore"):
        x = np.asarray(points).astype(dtype)
    x = x[np.isfinite(x) & (x > 0)]
    bits = x.view(f"i{x.itemsize}")
    near = np.concatenate([bits + step for step in range(-steps, steps + 1)]).view(dtype)
    return np.concatenate([near, -near])


def hard(dtype):
    """Where reductions change their k, where results overflow or go subnormal, where they cancel."""
    form = np.finfo(dtype)
    ends = np.array([form.max, form.tiny, form.smallest_subnormal], np.longdouble)
    log2 = np.concatenate([np.arange(-1500, 1500) / 2, np.arange(form.minexp - form.nmant, form.maxexp)])
    return np.concatenate([
        neighbours(np.abs(np.log(ends)), dtype, 5),
        neighbours(np.log(2) / 2 * np.arange(1, 60), dtype),
        neighbours(np.log(2) / 2 * np.arange(60, 2200, 37), dtype),
        neighbours(np.exp2(log2[::9]), dtype),
        neighbours(np.abs([np.sqrt(2) - 1, np.sqrt(0.5) - 1, np.sqrt(2), np.sqrt(0.5), 1]), dtype, 9),
        neighbours(np.pi / 2 * np.arange(1, 40), dtype),
        neighbours(np.pi / 2 * np.array([7 ** j for j in range(2, 20)]), dtype),
        neighbours([2.0 ** 20, 2.0 ** 80, form.max], dtype, 1)])


def sample(dtype, count):
    """Floats of every size, more of them where functions have their shape."""
    rng = np.random.default_rng(7)
    integer = np.dtype(f"i{np.dtype(dtype).itemsize}")
    bits = rng.integers(np.iinfo(integer).min, np.iinfo(integer).max, count, integer).view(dtype)
    sign = rng.choice([-1.0, 1.0], count)
    parts = [bits, rng.normal(0, 1, count), rng.uniform(-30, 30, count), rng.uniform(-750, 710, count),
             rng.uniform(-1e5, 1e5, count), sign * np.exp2(rng.uniform(-60, 5, count)), hard(dtype)]
    x = np.concatenate([part.astype(dtype) for part in parts])
    return x[np.isfinite(x)]


def ulps(got, want, form):
    """|got - want| in units of the last place of want, an mpmath number;
    inf is the power of two after the last float."""
    if np.isnan(got):
        return mp.inf
    end = mp.ldexp(1, form.maxexp)
    got, want = (min(max(mp.mpf(value), -end), end) for value in (float(got), want))
    exponent = max(mp.frexp(want)[1], form.minexp + 1)
    return abs(got - want) / mp.ldexp(1, min(exponent, form.maxexp) - form.nmant - 1)


def in_domain(name, x):
    return {"log": x > 0, "log1p": x > -1, "sqrt": x >= 0}.get(name, x == x)


def worst(name, x):
    """(ulps, x) where the function is worst."""
    x = x[in_domain(name, x)]
    got = values(name, x)
    true = getattr(mp, name)
    form = np.finfo(x.dtype)
    with mp.workprec(200):
        return max((float(ulps(g, true(mp.mpf(float(v))), form)), v) for g, v in zip(got, x))


@pytest.mark.heavy(one_in=11)
@every
def test_accuracy(name, dtype):
    error, at = worst(name, sample(np.dtype(dtype).type, 250))
    assert error <= 2, (error, at)


@pytest.mark.heavy(one_in=8)
def test_accuracy_without_fused_multiply_add():
    if "NUMBA_CPU_NAME" in os.environ:
        pytest.skip("this is the inner run")
    generic = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "GRADSCRIBE_TEST_ALL": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k",
               "test_accuracy and float64"]
    run = subprocess.run(command, env=generic, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.heavy(one_in=3)
@every
def test_special_values(name, dtype):
    form = np.finfo(dtype)
    small = form.smallest_subnormal
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, small, -small, form.max, -form.max], dtype)
    if name in CIRCULAR:
        x = x[:-2]
    x = np.append(x, np.array([-1, -2], dtype)) if name in ("log", "log1p", "sqrt") else x
    with np.errstate(all="ignore"):
        want = getattr(np, name)(x)
    got = values(name, x)
    np.testing.assert_array_equal(got[~np.isnan(want)], want[~np.isnan(want)])
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    np.testing.assert_array_equal(np.signbit(got[~np.isnan(want)]), np.signbit(want[~np.isnan(want)]))


def test_callable_from_python():
    assert vm.exp_f8(0.0) == 1 and vm.log_f8(0.0) == -np.inf and vm.sin_f8(1e22) == np.sin(1e22)


# ---- machine code

FEATURES = llvmlite.binding.get_host_cpu_features()
modern = pytest.mark.skipif(FEATURES.get("avx", False) and not FEATURES["avx2"], reason="no integers at full width")

REGISTERS = "%zmm", "%ymm", "%xmm", ".2d", ".4s"
SCALAR = r"\bv?(?:add|sub|mul|div|f?n?madd\w*|f?n?msub\w*|max|min|cvt\w*)s[sd]\b|\bf\w+\s+[sd]\d"
CALL = r"\bcall|\bblr?\b"
LIBM = r"(?<![\w.])_?(?:exp|expm1|tanh|log|log1p|sin|cos)f?(?![\w.])"


def assembly(kernel):
    return next(iter(kernel.inspect_asm().values()))


def inner_loops(asm):
    """The blocks that jump back to their own start."""
    for block in re.split(r"\n(?=\.?L\w+:)", asm):
        label = block.split(":")[0]
        body, jump, _ = block.rpartition(label)
        if re.search(r"\n\s*(?:j\w+|b\.?\w*|cbn?z\s.*)\s*$", body):
            yield body


def width(block):
    """The widest kind of vector register in the block."""
    return next((register for register in REGISTERS if register in block), None)


@functools.cache
def full_width(dtype):
    """The registers that LLVM fills on this CPU where nothing stands in the way: not always the widest there are."""
    plain = loop(njit(lambda x: x + x))
    plain(np.ones(1, dtype), np.ones(1, dtype))
    widest = min((REGISTERS.index(width(body)) for body in inner_loops(assembly(plain)) if width(body)))
    return REGISTERS[widest]


def vector_loops(asm, dtype="float64"):
    """Inner loops at full width that do more than move data."""
    return [body for body in inner_loops(asm)
            if full_width(dtype) in body and re.search(r"mulp[sd]|fmul|fmla|sqrt", body)]


def gradient_of_squares(tanh):
    """The gradient of sum(tanh(x*w + b)**2) in x."""
    @njit(error_model="numpy")
    def gradient(x, w, b, x_bar):
        for i in range(x.size):
            y = tanh(x[i] * w + b)
            x_bar[i] = 2.0 * y * (1.0 - y * y) * w
    return gradient


@modern
def test_gradient_loop_is_vectorised():
    gradient = gradient_of_squares(vm.tanh_f8)
    x = np.linspace(-2, 2, 101)
    x_bar = np.empty_like(x)
    gradient(x, 3.0, 0.5, x_bar)
    np.testing.assert_allclose(x_bar, 6 * np.tanh(3 * x + 0.5) * (1 - np.tanh(3 * x + 0.5) ** 2), rtol=1e-12,
                               atol=1e-14)

    bodies = vector_loops(assembly(gradient))
    assert bodies
    for body in bodies:
        assert "div" in body                                    # tanh's quotient: this is the loop over x
        assert not re.search(SCALAR, body)
        assert not re.search(CALL, body)
    assert not re.search(LIBM, assembly(gradient))


def test_the_patterns_find_libm_and_scalar_code():
    gradient = gradient_of_squares(math.tanh)
    gradient(np.ones(1), 3.0, 0.5, np.ones(1))
    assert re.search(LIBM, assembly(gradient))
    assert re.search(SCALAR, assembly(gradient))


@pytest.mark.heavy(one_in=2)
@modern
@every
def test_loops_are_vectorised(name, dtype):
    values(name, np.ones(1, dtype))
    asm = assembly(LOOPS[name, dtype])
    bodies = vector_loops(asm, dtype)
    assert bodies
    assert not any(re.search(SCALAR, body) for body in bodies)
    if name in CIRCULAR:
        assert f"gradscribe_far_{name}_" in asm                 # a vector of far ones, out of line
    else:
        assert not any(re.search(CALL, body) for body in bodies)
        assert not re.search(LIBM, asm)
        assert dtype == "float64" or not any(re.search("cvtps2pd|fcvtl", body) for body in bodies)


# ---- the polynomials

LN2_2 = mp.log(2) / 2
REACH = mp.mpf("1.0001")                                        # r may leave its interval by a rounding


def exp_p(r):
    return (mp.expm1(r) - r) / r ** 2 if abs(r) > 1e-15 else mp.mpf(1) / 2


def coth_p(z):
    r = mp.sqrt(z)
    return (r * mp.coth(r / 2) - 2) / z


def log_p(z):
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) / s - 2) / z


def sin_p(z):
    r = mp.sqrt(z)
    return (mp.sin(r) / r - 1) / z


def cos_p(z):
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2


R = LN2_2 * REACH
S = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * REACH
Q = (mp.pi / 4 * REACH) ** 2
TINY = mp.mpf(10) ** -14

# The coefficients; the function they approximate, what its error is weighted with, the interval; the relative error
# of the whole formula that is promised, as a power of 2.  exp's weight is that of exp(r) - 1, with a floor at zero.
_POLYNOMIALS = {
    "exp_f8": (vm._F8.exp, exp_p, lambda r: max(abs(r), R / 8), -R, R, -55),
    "exp_f4": (vm._F4.exp, exp_p, lambda r: max(abs(r), R / 8), -R, R, -26),
    "coth_f8": (vm._F8.coth, coth_p, lambda z: z / 2, TINY, R ** 2, -60),
    "coth_f4": (vm._F4.coth, coth_p, lambda z: z / 2, TINY, R ** 2, -28),
    "log_f8": (vm._F8.log, log_p, lambda z: z / 2, TINY, S, -59),
    "log_f4": (vm._F4.log, log_p, lambda z: z / 2, TINY, S, -30),
    "sin_f8": (vm._SIN_F8, sin_p, lambda z: z, TINY, Q, -57),
    "cos_f8": (vm._COS_F8, cos_p, lambda z: z * z, TINY ** (6 / mp.mpf(7)), Q, -64),
    "sin_f4": (vm._SIN_F4, sin_p, lambda z: z, TINY, Q, -37),
    "cos_f4": (vm._COS_F4, cos_p, lambda z: z * z, TINY ** (6 / mp.mpf(7)), Q, -33),
}


def largest_of_each_sign(points, errors):
    """One point for each run of errors of equal sign: where the error is largest."""
    runs = []
    for point, error in zip(points, errors):
        if runs and (error > 0) == (runs[-1][1] > 0):
            runs[-1] = max(runs[-1], (point, error), key=lambda run: abs(run[1]))
        else:
            runs.append((point, error))
    return runs


def minimax(function, weight, low, high, count, rounds=5):
    """The polynomial with `count` coefficients whose weighted error is least, by Remez exchange; and that error."""
    def cosines(fractions):
        return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * fraction) for fraction in fractions]

    grid = cosines([mp.mpf(i) / (30 * count) for i in range(30 * count + 1)])
    wanted, weights = [function(t) for t in grid], [weight(t) for t in grid]
    nodes = cosines([mp.mpf(2 * i + 1) / (2 * count + 2) for i in range(count + 1)])
    for _ in range(rounds):
        # sum_j c[j] node**j plus an error of equal size and alternating sign is the function
        system = mp.matrix([[t ** j for j in range(count)] + [(-1) ** i / weight(t)] for i, t in enumerate(nodes)])
        *coefficients, _ = mp.lu_solve(system, mp.matrix([function(t) for t in nodes]))
        errors = [w * (mp.polyval(coefficients[::-1], t, asc=False) - f) for t, w, f in zip(grid, weights, wanted)]
        runs = largest_of_each_sign(grid, errors)
        while len(runs) > count + 1:
            runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
        nodes = [t for t, _ in runs]
    return coefficients, max(map(abs, errors))


@pytest.mark.parametrize("name", _POLYNOMIALS)
def test_polynomial_is_minimax(name):
    stored, function, weight, low, high, bound = _POLYNOMIALS[name]
    with mp.workdps(50):
        derived, error = minimax(function, weight, low, high, len(stored))
    assert error < 2.0 ** bound
    assert stored == pytest.approx([float(c) for c in derived],
                                   rel=1e-7 if isinstance(stored[0], np.float32) else 1e-13, abs=0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_hypot_is_that_of_the_c_library(dtype):
    far = 300 if dtype == np.float64 else 37
    rng, limits = np.random.default_rng(5), np.finfo(dtype)
    x = (rng.normal(size=5000) * 10.0 ** rng.uniform(-far, far, 5000)).astype(dtype)
    y = (x * 10.0 ** rng.uniform(-20, 20, 5000)).astype(dtype)
    special = np.array([0.0, -0.0, 1.0, 3.0, 4.0, np.inf, -np.inf, np.nan, limits.tiny, limits.tiny / 4, limits.max],
                       dtype)
    f = gs.jit(lambda x, y: np.hypot(x, y))
    np.testing.assert_array_max_ulp(f(x, y), np.hypot(x, y), 1)
    x, y = np.repeat(special, len(special)), np.tile(special, len(special))
    np.testing.assert_array_equal(f(x, y), np.hypot(x, y))
