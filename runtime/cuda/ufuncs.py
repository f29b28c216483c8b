"""What a thread of a GPU calls of NumPy's functions of real numbers, under their names, where `device` has none."""
from __future__ import annotations

import math

import numpy as np

from .device import of_the_device

ONE = np.int16(1)

gpu_like = gpu_nextafter = gpu_exp2 = of_the_device


def gpu_fabs(x):
    return math.fabs(x)


def gpu_positive(x):
    return x


def gpu_conjugate(x):
    return x


def gpu_deg2rad(x):
    return x * gpu_like(0.017453292519943295, x)


def gpu_rad2deg(x):
    return x * gpu_like(57.29577951308232, x)


def gpu_radians(x):
    return gpu_deg2rad(x)


def gpu_degrees(x):
    return gpu_rad2deg(x)


def gpu_spacing(x):
    """To the next number that is larger in absolute value."""
    return gpu_nextafter(x, math.copysign(gpu_like(math.inf, x), x)) - x


def gpu_ldexp(x, n):
    return math.ldexp(x, np.int32(min(max(n, -5000), 5000)))


def gpu_gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return abs(a)


def gpu_lcm(a, b):
    return abs(a) // gpu_gcd(a, b) * abs(b) if a != 0 and b != 0 else a * b


def gpu_fmax(a, b):
    """The larger one, or that which is a number."""
    return a if a >= b or b != b else b


def gpu_fmin(a, b):
    return a if a <= b or b != b else b


def gpu_logaddexp(a, b):
    if a == b:
        return a + gpu_like(0.6931471805599453, a)
    apart = a - b
    return a + math.log1p(math.exp(-apart)) if apart > 0 else b + math.log1p(math.exp(apart)) if apart <= 0 else apart


def gpu_logaddexp2(a, b):
    if a == b:
        return a + ONE
    apart, factor = a - b, gpu_like(1.4426950408889634, a)
    return (a + math.log1p(gpu_exp2(-apart)) * factor if apart > 0
            else b + math.log1p(gpu_exp2(apart)) * factor if apart <= 0 else apart)


def gpu_float_power(a, b):
    return math.pow(a, b)
