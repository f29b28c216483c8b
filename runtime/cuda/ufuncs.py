"""What a thread of a GPU calls of NumPy's functions of real numbers, under their names, where `device` has none."""
from __future__ import annotations

import math

import numpy as np

from .device import of_the_device

ONE = np.int16(1)

like = nextafter = exp2 = of_the_device


def fabs(x):
    return math.fabs(x)


def positive(x):
    return x


def conjugate(x):
    return x


def deg2rad(x):
    return x * like(0.017453292519943295, x)


def rad2deg(x):
    return x * like(57.29577951308232, x)


def radians(x):
    return deg2rad(x)


def degrees(x):
    return rad2deg(x)


def spacing(x):
    """To the next number that is larger in absolute value."""
    return nextafter(x, math.copysign(like(math.inf, x), x)) - x


def ldexp(x, n):
    return math.ldexp(x, np.int32(min(max(n, -5000), 5000)))


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return abs(a)


def lcm(a, b):
    return abs(a) // gcd(a, b) * abs(b) if a != 0 and b != 0 else a * b


def fmax(a, b):
    """The larger one, or that which is a number."""
    return a if a >= b or b != b else b


def fmin(a, b):
    return a if a <= b or b != b else b


def logaddexp(a, b):
    if a == b:
        return a + like(0.6931471805599453, a)
    apart = a - b
    return a + math.log1p(math.exp(-apart)) if apart > 0 else b + math.log1p(math.exp(apart)) if apart <= 0 else apart


def logaddexp2(a, b):
    if a == b:
        return a + ONE
    apart, factor = a - b, like(1.4426950408889634, a)
    return (a + math.log1p(exp2(-apart)) * factor if apart > 0
            else b + math.log1p(exp2(apart)) * factor if apart <= 0 else apart)


def float_power(a, b):
    return math.pow(a, b)
