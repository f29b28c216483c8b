"""Operations on complex numbers that compiled text uses, as NumPy computes them."""
from __future__ import annotations

import numpy as np


def real(z):
    return z.real


def imag(z):
    return z.imag


def conj(z):
    return z.conjugate()


def made(x, y):
    """x + iy, of two floats of one width."""
    return np.complex64(complex(x, y)) if isinstance(x, np.float32) else complex(x, y)


def divide(a, b):
    """a / b, by Smith's method (Smith 1962, "Algorithm 116: Complex division"), which is NumPy's; by 0 as its parts."""
    x, y = abs(b.real), abs(b.imag)
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
    """a / r of a real number r as NumPy divides arrays: of Smith's method a division is left."""
    scale = np.reciprocal(r)
    if scale != 0 and abs(scale) < np.inf:
        ratio = (r - r) * r  # 0 with the sign of r: of what is infinite it makes no numbers
        return made((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)
    return divide(a, whole(r, a))


def whole(x, z):
    """The real number x as a complex one of z's width."""
    return np.complex64(x) if isinstance(z, np.complex64) else complex(x)


def reciprocal(z):
    """1 / z, by Smith's method: of arrays, NumPy's z ** -1."""
    x, y = z.real, z.imag
    if abs(y) <= abs(x):
        ratio = y / x
        scale = x + y * ratio
        return made(1 / scale, -ratio / scale)
    ratio = x / y
    scale = x * ratio + y
    return made(ratio / scale, -1 / scale)


def multiplied(a, n):
    """a to the power of an integer n >= 0, by multiplication as Python does it."""
    result, square = whole(1.0, a), a
    while n > 0:
        if n % 2:
            result = result * square
        square = square * square
        n //= 2
    return result


def power(a, b):
    """a ** b of NumPy: of small whole exponents by multiplication, else exp(b log a)."""
    if b.real == 0 and b.imag == 0:
        return whole(1.0, a)
    if a.real == 0 and a.imag == 0:
        return whole(0.0, a) if b.real > 0 else made(a.real + np.nan, a.imag + np.nan)
    if b.imag == 0 and -100 < b.real < 100 and b.real == np.floor(b.real):
        n = int(b.real)
        if n == 1:
            return a
        if n == 2:
            return a * a
        if n == 3:
            return a * (a * a)
        result = multiplied(a, abs(n))
        return result if n > 0 else divide(whole(1.0, a), result)
    return np.exp(b * np.log(a))


def sinh(z):
    x, y = z.real, z.imag
    if y == 0:
        return made(np.sinh(x), y)
    return made(np.sinh(x) * np.cos(y), np.cosh(x) * np.sin(y))


def cosh(z):
    x, y = z.real, z.imag
    if y == 0:
        return made(np.cosh(x), y * np.copysign(y * 0 + 1, x))
    return made(np.cosh(x) * np.cos(y), np.sinh(x) * np.sin(y))


def tanh(z):
    """Kahan 1987, "Branch cuts for complex elementary functions", procedure CTANH."""
    x, y = z.real, z.imag
    if abs(x) > 22:
        return made(np.sign(x), np.copysign(np.sign(x) * 0, np.sin(2 * y)))
    t, s = np.tan(y), np.sinh(x)
    beta, rho = 1 + t * t, np.sqrt(1 + s * s)
    below = 1 + beta * s * s
    return made(beta * rho * s / below, t / below)


def arccosh(z):
    """arccos, turned by a quarter to where the real part is not negative: the imaginary one keeps its sign, also of
    0."""
    found = np.arccos(z)
    return made(abs(found.imag), np.copysign(found.real, z.imag))
