"""What a thread of a GPU calls for complex numbers: functions of `runtime.complexes`, and NumPy's, under their names.

Values that are infinite or not numbers are those of C99, annex G, as NumPy's are.  Numbers in formulas are whole and
short, as in `device`, or have the width of the argument (`like`).
"""
from __future__ import annotations

import math

import numpy as np

from .device import of_the_device

ONE, TWO = np.int16(1), np.int16(2)

floor = of_the_device
like = of_the_device  # (number, x): the number as a float of x's width


# parts and arithmetic ----------------------------------------------------------------------------------------
def made(x, y):
    return complex(x, y)


def real(z):
    return z.real


def imag(z):
    return z.imag


def conj(z):
    return z.conjugate()


def whole(x, z):
    """The real number x as a complex one of z's width."""
    return made(like(x, z.real), like(0.0, z.real))


def divide(a, b):
    """By Smith's method, as `runtime.complexes.divide`."""
    x, y = math.fabs(b.real), math.fabs(b.imag)
    if x >= y:
        if x == 0 and y == 0:
            return made(a.real / x, a.imag / x)
        ratio = b.imag / b.real
        scale = b.real + b.imag * ratio
        return made((a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale)
    ratio = b.real / b.imag
    scale = b.imag + b.real * ratio
    return made((a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale)


def divide_by_real(a, r):
    scale = like(1.0, r) / r
    if scale != 0 and math.fabs(scale) < math.inf:
        ratio = (r - r) * r
        return made((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)
    return divide(a, whole(r, a))


def reciprocal(z):
    """By Smith's method, as `runtime.complexes.reciprocal`."""
    x, y = z.real, z.imag
    if math.fabs(y) <= math.fabs(x):
        ratio = y / x
        scale = x + y * ratio
        return made(like(1.0, x) / scale, -ratio / scale)
    ratio = x / y
    scale = x * ratio + y
    return made(ratio / scale, like(-1.0, x) / scale)


def multiplied(a, n):
    result, square = whole(1.0, a), a
    while n > 0:
        if n % 2:
            result = result * square
        square = square * square
        n //= 2
    return result


def power(a, b):
    """As `runtime.complexes.power`."""
    if b.real == 0 and b.imag == 0:
        return whole(1.0, a)
    if a.real == 0 and a.imag == 0:
        return whole(0.0, a) if b.real > 0 else made(like(math.nan, a.real), like(math.nan, a.real))
    if b.imag == 0 and -100 < b.real and b.real < 100 and b.real == floor(b.real):
        n = int(b.real)
        if n == 1:
            return a
        if n == 2:
            return a * a
        if n == 3:
            return a * (a * a)
        result = multiplied(a, abs(n))
        return result if n > 0 else divide(whole(1.0, a), result)
    return exp(b * log(a))


# exponentials and logarithms ---------------------------------------------------------------------------------
def is_finite(x):
    return math.fabs(x) < math.inf


def turned(x, y, scale):
    """scale exp(x) (cos(y) + i sin(y)), where exp(x) alone may be too large."""
    size = math.exp(x)
    if size == math.inf and x < math.inf:
        half = math.exp(x / TWO)
        return made(half * scale * math.cos(y) * half, half * scale * math.sin(y) * half)
    return made(size * scale * math.cos(y), size * scale * math.sin(y))


def exp(z):
    x, y = z.real, z.imag
    if y == 0:
        return made(math.exp(x), y)
    if math.fabs(x) == math.inf and not is_finite(y):
        return made(x, like(math.nan, x)) if x > 0 else whole(0.0, z)
    return turned(x, y, like(1.0, x))


def exp2(z):
    return exp(made(z.real * like(0.6931471805599453, z.real), z.imag * like(0.6931471805599453, z.real)))


def expm1(z):
    x, y = z.real, z.imag
    half = math.sin(y / TWO)
    return made(math.expm1(x) * math.cos(y) - TWO * half * half, math.exp(x) * math.sin(y))


def log(z):
    x, y = math.fabs(z.real), math.fabs(z.imag)
    most, least = (x, y) if x > y else (y, x)
    angle = math.atan2(z.imag, z.real)
    if TWO * most > ONE and most < TWO:
        return made(math.log1p((most - ONE) * (most + ONE) + least * least) / TWO, angle)
    size = math.hypot(x, y)
    if size == math.inf and x < math.inf and y < math.inf:
        return made(math.log(math.hypot(x / TWO, y / TWO)) + like(0.6931471805599453, x), angle)
    return made(math.log(size), angle)


def log1p(z):
    x = z.real + ONE
    return made(math.log(math.hypot(x, z.imag)), math.atan2(z.imag, x))


def log2(z):
    found = log(z)
    factor = like(1.4426950408889634, z.real)
    return made(found.real * factor, found.imag * factor)


def log10(z):
    found = log(z)
    factor = like(0.4342944819032518, z.real)
    return made(found.real * factor, found.imag * factor)


def sqrt(z):
    x, y = z.real, z.imag
    if x == 0 and y == 0:
        return made(math.fabs(x), y)
    if math.fabs(y) == math.inf:
        return made(math.fabs(y), y)
    if x == math.inf:
        return made(x, y if y != y else math.copysign(like(0.0, x), y))
    if x == -math.inf:
        return made(math.fabs(y - y), math.copysign(-x, y))
    up = math.hypot(x, y) + math.fabs(x)
    if up == math.inf:
        half = of_sizes(x / like(4.0, x), y / like(4.0, x))
        return made(half.real * TWO, half.imag * TWO)
    if up < like(1e-36, x):  # 2**24 is a square
        large = of_sizes(x * like(16777216.0, x), y * like(16777216.0, x))
        return made(large.real / like(4096.0, x), large.imag / like(4096.0, x))
    return of_sizes(x, y)


def of_sizes(x, y):
    """The square root of x + iy, whose absolute value is neither too large nor too small."""
    root = math.sqrt((math.hypot(x, y) + math.fabs(x)) / TWO)
    if x >= 0:
        return made(root, y / (TWO * root))
    return made(math.fabs(y) / (TWO * root), math.copysign(root, y))


# trigonometry ------------------------------------------------------------------------------------------------
def sinh(z):
    x, y = z.real, z.imag
    if y == 0:
        return made(math.sinh(x), y)
    if not is_finite(y) and (x == 0 or math.fabs(x) == math.inf):
        return made(x * x if x != 0 else x, like(math.nan, x))
    if math.cosh(x) == math.inf and is_finite(x):
        large = turned(math.fabs(x), y, like(0.5, x))
        return made(math.copysign(like(1.0, x), x) * large.real, large.imag)
    return made(math.sinh(x) * math.cos(y), math.cosh(x) * math.sin(y))


def cosh(z):
    x, y = z.real, z.imag
    if y == 0:
        return made(math.cosh(x), y * math.copysign(like(1.0, x), x))
    if not is_finite(y) and (x == 0 or math.fabs(x) == math.inf):
        return made(like(math.nan, x), x) if x == 0 else made(x * x, like(math.nan, x))
    if x == 0:
        return made(math.cos(y), x * math.sin(y))
    if math.cosh(x) == math.inf and is_finite(x):
        large = turned(math.fabs(x), y, like(0.5, x))
        return made(large.real, math.copysign(like(1.0, x), x) * large.imag)
    return made(math.cosh(x) * math.cos(y), math.sinh(x) * math.sin(y))


def tanh(z):
    """Kahan 1987, "Branch cuts for complex elementary functions", procedure CTANH."""
    x, y = z.real, z.imag
    if y == 0:
        return made(math.tanh(x), y)
    if not is_finite(y) and is_finite(x):
        return made(x if x == 0 else like(math.nan, x), like(math.nan, x))
    if math.fabs(x) > 22:
        return made(math.copysign(like(1.0, x), x), math.copysign(like(0.0, x), math.sin(TWO * y)))
    t, s = math.tan(y), math.sinh(x)
    beta, rho = ONE + t * t, math.sqrt(ONE + s * s)
    below = ONE + beta * s * s
    return made(beta * rho * s / below, t / below)


def sin(z):
    if math.fabs(z.imag) == math.inf and not is_finite(z.real):
        return made(like(math.nan, z.real), math.fabs(z.imag))
    found = sinh(made(-z.imag, z.real))
    return made(found.imag, -found.real)


def cos(z):
    return cosh(made(-z.imag, z.real))


def tan(z):
    found = tanh(made(-z.imag, z.real))
    return made(found.imag, -found.real)


# their inverses, by the formulas of Kahan's paper -----------------------------------------------------------------
def is_large(x, y):
    """Is a number so large that 1 does not count beside its square?"""
    limit = like(1e15, x)
    return (math.fabs(x) == math.inf or math.fabs(y) == math.inf
            or x == x and y == y and (math.fabs(x) > limit or math.fabs(y) > limit))


def doubled_logarithm(z):
    """The logarithm of twice the absolute value."""
    return log(z).real + like(0.6931471805599453, z.real)


def arcsinh(z):
    found = arcsin(made(-z.imag, z.real))
    return made(found.imag, -found.real)


def arcsin(z):
    x, y = z.real, z.imag
    if is_large(x, y):
        return made(math.atan2(x, math.fabs(y)), math.copysign(doubled_logarithm(z), y))
    if x == 0 and y != y:
        return z
    below, above = sqrt(made(ONE - x, -y)), sqrt(made(ONE + x, y))
    product = below.real * above.real - below.imag * above.imag
    return made(math.atan2(x, product), math.asinh(below.real * above.imag - below.imag * above.real))


def arccos(z):
    x, y = z.real, z.imag
    if is_large(x, y):
        return made(math.atan2(math.fabs(y), x), -math.copysign(doubled_logarithm(z), y))
    if x == 0 and y != y:
        return made(math.atan2(like(1.0, x), x), y)
    below, above = sqrt(made(ONE - x, -y)), sqrt(made(ONE + x, y))
    return made(TWO * math.atan2(below.real, above.real),
                math.asinh(above.real * below.imag - above.imag * below.real))


def arctan(z):
    found = arctanh(made(-z.imag, z.real))
    return made(found.imag, -found.real)


def arctanh(z):
    x, y = math.fabs(z.real), z.imag
    quarter = math.atan2(like(1.0, x), like(0.0, x))  # of a turn
    if is_large(x, y):
        angle = y if y != y else math.copysign(quarter, y)
        if x == math.inf or math.fabs(y) == math.inf:
            return made(math.copysign(like(0.0, x), z.real), angle)
        return made(math.copysign(reciprocal(made(x, y)).real, z.real), angle)
    if x == 0 and y != y:
        return z
    if x == 1:
        if y == 0:
            return made(math.copysign(like(math.inf, x), z.real), y)
        size = math.log(math.sqrt(math.hypot(like(2.0, x), y)) / math.sqrt(math.fabs(y)))
        angle = (quarter + math.atan2(math.fabs(y), like(2.0, x))) / TWO
        return made(math.copysign(size, z.real), math.copysign(angle, y))
    away = ONE - x
    size = math.log1p(TWO * (TWO * x) / (away * away + y * y)) / TWO / TWO
    return made(math.copysign(size, z.real), math.atan2(TWO * y, away * (ONE + x) - y * y) / TWO)
