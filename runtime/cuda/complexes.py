"""What a thread of a GPU calls for complex numbers: functions of `runtime.complexes`, and NumPy's, under their names.

Values that are infinite or not numbers are those of C99, annex G, as NumPy's are.  Numbers in formulas are whole and
short, as in `device`, or have the width of the argument (`like`).
"""
from __future__ import annotations

import math

import numpy as np

from .device import of_the_device

ONE, TWO = np.int16(1), np.int16(2)

gpu_floor = of_the_device
gpu_like = of_the_device  # (number, x): the number as a float of x's width


# parts and arithmetic ----------------------------------------------------------------------------------------
def gpu_made(x, y):
    return complex(x, y)


def gpu_real(z):
    return z.real


def gpu_imag(z):
    return z.imag


def gpu_conj(z):
    return z.conjugate()


def gpu_whole(x, z):
    """The real number x as a complex one of z's width."""
    return gpu_made(gpu_like(x, z.real), gpu_like(0.0, z.real))


def gpu_divide(a, b):
    """By Smith's method, as `runtime.complexes.divide`."""
    x, y = math.fabs(b.real), math.fabs(b.imag)
    if x >= y:
        if x == 0 and y == 0:
            return gpu_made(a.real / x, a.imag / x)
        ratio = b.imag / b.real
        scale = b.real + b.imag * ratio
        return gpu_made((a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale)
    ratio = b.real / b.imag
    scale = b.imag + b.real * ratio
    return gpu_made((a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale)


def gpu_divide_by_real(a, r):
    scale = gpu_like(1.0, r) / r
    if scale != 0 and math.fabs(scale) < math.inf:
        ratio = (r - r) * r
        return gpu_made((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)
    return gpu_divide(a, gpu_whole(r, a))


def gpu_reciprocal(z):
    """By Smith's method, as `runtime.complexes.reciprocal`."""
    x, y = z.real, z.imag
    if math.fabs(y) <= math.fabs(x):
        ratio = y / x
        scale = x + y * ratio
        return gpu_made(gpu_like(1.0, x) / scale, -ratio / scale)
    ratio = x / y
    scale = x * ratio + y
    return gpu_made(ratio / scale, gpu_like(-1.0, x) / scale)


def gpu_multiplied(a, n):
    result, square = gpu_whole(1.0, a), a
    while n > 0:
        if n % 2:
            result = result * square
        square = square * square
        n //= 2
    return result


def gpu_power(a, b):
    """As `runtime.complexes.power`."""
    if b.real == 0 and b.imag == 0:
        return gpu_whole(1.0, a)
    if a.real == 0 and a.imag == 0:
        return gpu_whole(0.0, a) if b.real > 0 else gpu_made(gpu_like(math.nan, a.real), gpu_like(math.nan, a.real))
    if b.imag == 0 and -100 < b.real and b.real < 100 and b.real == gpu_floor(b.real):
        n = int(b.real)
        if n == 1:
            return a
        if n == 2:
            return a * a
        if n == 3:
            return a * (a * a)
        result = gpu_multiplied(a, abs(n))
        return result if n > 0 else gpu_divide(gpu_whole(1.0, a), result)
    return gpu_exp(b * gpu_log(a))


# exponentials and logarithms ---------------------------------------------------------------------------------
def gpu_is_finite(x):
    return math.fabs(x) < math.inf


def gpu_turned(x, y, scale):
    """scale exp(x) (cos(y) + i sin(y)), where exp(x) alone may be too large."""
    size = math.exp(x)
    if size == math.inf and x < math.inf:
        half = math.exp(x / TWO)
        return gpu_made(half * scale * math.cos(y) * half, half * scale * math.sin(y) * half)
    return gpu_made(size * scale * math.cos(y), size * scale * math.sin(y))


def gpu_exp(z):
    x, y = z.real, z.imag
    if y == 0:
        return gpu_made(math.exp(x), y)
    if math.fabs(x) == math.inf and not gpu_is_finite(y):
        return gpu_made(x, gpu_like(math.nan, x)) if x > 0 else gpu_whole(0.0, z)
    return gpu_turned(x, y, gpu_like(1.0, x))


def gpu_exp2(z):
    return gpu_exp(gpu_made(z.real * gpu_like(0.6931471805599453, z.real),
                            z.imag * gpu_like(0.6931471805599453, z.real)))


def gpu_expm1(z):
    x, y = z.real, z.imag
    half = math.sin(y / TWO)
    return gpu_made(math.expm1(x) * math.cos(y) - TWO * half * half, math.exp(x) * math.sin(y))


def gpu_log(z):
    x, y = math.fabs(z.real), math.fabs(z.imag)
    most, least = (x, y) if x > y else (y, x)
    angle = math.atan2(z.imag, z.real)
    if TWO * most > ONE and most < TWO:
        return gpu_made(math.log1p((most - ONE) * (most + ONE) + least * least) / TWO, angle)
    size = math.hypot(x, y)
    if size == math.inf and x < math.inf and y < math.inf:
        return gpu_made(math.log(math.hypot(x / TWO, y / TWO)) + gpu_like(0.6931471805599453, x), angle)
    return gpu_made(math.log(size), angle)


def gpu_log1p(z):
    x = z.real + ONE
    return gpu_made(math.log(math.hypot(x, z.imag)), math.atan2(z.imag, x))


def gpu_log2(z):
    found = gpu_log(z)
    factor = gpu_like(1.4426950408889634, z.real)
    return gpu_made(found.real * factor, found.imag * factor)


def gpu_log10(z):
    found = gpu_log(z)
    factor = gpu_like(0.4342944819032518, z.real)
    return gpu_made(found.real * factor, found.imag * factor)


def gpu_sqrt(z):
    x, y = z.real, z.imag
    if x == 0 and y == 0:
        return gpu_made(math.fabs(x), y)
    if math.fabs(y) == math.inf:
        return gpu_made(math.fabs(y), y)
    if x == math.inf:
        return gpu_made(x, y if y != y else math.copysign(gpu_like(0.0, x), y))
    if x == -math.inf:
        return gpu_made(math.fabs(y - y), math.copysign(-x, y))
    up = math.hypot(x, y) + math.fabs(x)
    if up == math.inf:
        half = gpu_of_sizes(x / gpu_like(4.0, x), y / gpu_like(4.0, x))
        return gpu_made(half.real * TWO, half.imag * TWO)
    if up < gpu_like(1e-36, x):  # 2**24 is a square
        large = gpu_of_sizes(x * gpu_like(16777216.0, x), y * gpu_like(16777216.0, x))
        return gpu_made(large.real / gpu_like(4096.0, x), large.imag / gpu_like(4096.0, x))
    return gpu_of_sizes(x, y)


def gpu_of_sizes(x, y):
    """The square root of x + iy, whose absolute value is neither too large nor too small."""
    root = math.sqrt((math.hypot(x, y) + math.fabs(x)) / TWO)
    if x >= 0:
        return gpu_made(root, y / (TWO * root))
    return gpu_made(math.fabs(y) / (TWO * root), math.copysign(root, y))


# trigonometry ------------------------------------------------------------------------------------------------
def gpu_sinh(z):
    x, y = z.real, z.imag
    if y == 0:
        return gpu_made(math.sinh(x), y)
    if not gpu_is_finite(y) and (x == 0 or math.fabs(x) == math.inf):
        return gpu_made(x * x if x != 0 else x, gpu_like(math.nan, x))
    if math.cosh(x) == math.inf and gpu_is_finite(x):
        large = gpu_turned(math.fabs(x), y, gpu_like(0.5, x))
        return gpu_made(math.copysign(gpu_like(1.0, x), x) * large.real, large.imag)
    return gpu_made(math.sinh(x) * math.cos(y), math.cosh(x) * math.sin(y))


def gpu_cosh(z):
    x, y = z.real, z.imag
    if y == 0:
        return gpu_made(math.cosh(x), y * math.copysign(gpu_like(1.0, x), x))
    if not gpu_is_finite(y) and (x == 0 or math.fabs(x) == math.inf):
        return gpu_made(gpu_like(math.nan, x), x) if x == 0 else gpu_made(x * x, gpu_like(math.nan, x))
    if x == 0:
        return gpu_made(math.cos(y), x * math.sin(y))
    if math.cosh(x) == math.inf and gpu_is_finite(x):
        large = gpu_turned(math.fabs(x), y, gpu_like(0.5, x))
        return gpu_made(large.real, math.copysign(gpu_like(1.0, x), x) * large.imag)
    return gpu_made(math.cosh(x) * math.cos(y), math.sinh(x) * math.sin(y))


def gpu_tanh(z):
    """Kahan 1987, "Branch cuts for complex elementary functions", procedure CTANH."""
    x, y = z.real, z.imag
    if y == 0:
        return gpu_made(math.tanh(x), y)
    if not gpu_is_finite(y) and gpu_is_finite(x):
        return gpu_made(x if x == 0 else gpu_like(math.nan, x), gpu_like(math.nan, x))
    if math.fabs(x) > 22:
        return gpu_made(math.copysign(gpu_like(1.0, x), x), math.copysign(gpu_like(0.0, x), math.sin(TWO * y)))
    t, s = math.tan(y), math.sinh(x)
    beta, rho = ONE + t * t, math.sqrt(ONE + s * s)
    below = ONE + beta * s * s
    return gpu_made(beta * rho * s / below, t / below)


def gpu_sin(z):
    if math.fabs(z.imag) == math.inf and not gpu_is_finite(z.real):
        return gpu_made(gpu_like(math.nan, z.real), math.fabs(z.imag))
    found = gpu_sinh(gpu_made(-z.imag, z.real))
    return gpu_made(found.imag, -found.real)


def gpu_cos(z):
    return gpu_cosh(gpu_made(-z.imag, z.real))


def gpu_tan(z):
    found = gpu_tanh(gpu_made(-z.imag, z.real))
    return gpu_made(found.imag, -found.real)


# their inverses, by the formulas of Kahan's paper -----------------------------------------------------------------
def gpu_is_large(x, y):
    """Is a number so large that 1 does not count beside its square?"""
    limit = gpu_like(1e15, x)
    return (math.fabs(x) == math.inf or math.fabs(y) == math.inf
            or x == x and y == y and (math.fabs(x) > limit or math.fabs(y) > limit))


def gpu_doubled_logarithm(z):
    """The logarithm of twice the absolute value."""
    return gpu_log(z).real + gpu_like(0.6931471805599453, z.real)


def gpu_arcsinh(z):
    found = gpu_arcsin(gpu_made(-z.imag, z.real))
    return gpu_made(found.imag, -found.real)


def gpu_arcsin(z):
    x, y = z.real, z.imag
    if gpu_is_large(x, y):
        return gpu_made(math.atan2(x, math.fabs(y)), math.copysign(gpu_doubled_logarithm(z), y))
    if x == 0 and y != y:
        return z
    below, above = gpu_sqrt(gpu_made(ONE - x, -y)), gpu_sqrt(gpu_made(ONE + x, y))
    product = below.real * above.real - below.imag * above.imag
    return gpu_made(math.atan2(x, product), math.asinh(below.real * above.imag - below.imag * above.real))


def gpu_arccos(z):
    x, y = z.real, z.imag
    if gpu_is_large(x, y):
        return gpu_made(math.atan2(math.fabs(y), x), -math.copysign(gpu_doubled_logarithm(z), y))
    if x == 0 and y != y:
        return gpu_made(math.atan2(gpu_like(1.0, x), x), y)
    below, above = gpu_sqrt(gpu_made(ONE - x, -y)), gpu_sqrt(gpu_made(ONE + x, y))
    return gpu_made(TWO * math.atan2(below.real, above.real),
                    math.asinh(above.real * below.imag - above.imag * below.real))


def gpu_arccosh(z):
    """As `runtime.complexes.arccosh`."""
    found = gpu_arccos(z)
    return gpu_made(math.fabs(found.imag), math.copysign(found.real, z.imag))


def gpu_arctan(z):
    found = gpu_arctanh(gpu_made(-z.imag, z.real))
    return gpu_made(found.imag, -found.real)


def gpu_arctanh(z):
    x, y = math.fabs(z.real), z.imag
    quarter = math.atan2(gpu_like(1.0, x), gpu_like(0.0, x))  # of a turn
    if gpu_is_large(x, y):
        angle = y if y != y else math.copysign(quarter, y)
        if x == math.inf or math.fabs(y) == math.inf:
            return gpu_made(math.copysign(gpu_like(0.0, x), z.real), angle)
        return gpu_made(math.copysign(gpu_reciprocal(gpu_made(x, y)).real, z.real), angle)
    if x == 0 and y != y:
        return z
    if x == 1:
        if y == 0:
            return gpu_made(math.copysign(gpu_like(math.inf, x), z.real), y)
        size = math.log(math.sqrt(math.hypot(gpu_like(2.0, x), y)) / math.sqrt(math.fabs(y)))
        angle = (quarter + math.atan2(math.fabs(y), gpu_like(2.0, x))) / TWO
        return gpu_made(math.copysign(size, z.real), math.copysign(angle, y))
    away = ONE - x
    size = math.log1p(TWO * (TWO * x) / (away * away + y * y)) / TWO / TWO
    return gpu_made(math.copysign(size, z.real), math.atan2(TWO * y, away * (ONE + x) - y * y) / TWO)
