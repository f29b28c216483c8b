"""cmath: NumPy's functions of complex numbers, which say nothing where Python's raise.  What is not finite is refused:
there the two differ in their signs."""
import cmath
import math

import numpy as np

from .registry import ensure, means

NOT_FINITE = "a function of cmath of a number that is not finite: take NumPy's, or test it before"


def is_finite_complex(z) -> bool:
    return bool(np.isfinite(z.real) & np.isfinite(z.imag))


def finite_number(z):
    z = complex(z)
    ensure(is_finite_complex(z), NOT_FINITE)
    return z


def entire(function):
    """One whose values may be too large."""
    def of_number(z):
        z = finite_number(z)
        y = complex(function(np.complex128(z)))
        if not is_finite_complex(y):
            raise OverflowError("math range error")
        return y
    return of_number


def with_poles(function, poles):
    def of_number(z):
        z = finite_number(z)
        for pole in poles:
            if z == pole:
                raise ValueError("math domain error")
        return complex(function(np.complex128(z)))
    return of_number


for _name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh"):
    means(getattr(cmath, _name), complex=True)(entire(getattr(np, _name)))
for _name, _poles in (("log10", (0,)), ("sqrt", ()), ("asin", ()), ("acos", ()), ("atan", (1j, -1j)), ("asinh", ()),
                      ("acosh", ()), ("atanh", (1, -1))):
    _numpys = getattr(np, _name.replace("a", "arc", 1) if _name[0] == "a" else _name)
    means(getattr(cmath, _name), complex=True)(with_poles(_numpys, _poles))


@means(cmath.log, complex=True)
def complex_log(z, base=None):
    z = finite_number(z)
    if z == 0:
        raise ValueError("math domain error")
    y = complex(np.log(np.complex128(z)))
    return y if base is None else y / complex_log(base)


@means(cmath.phase, complex=True)
def phase(z):
    z = finite_number(z)
    return math.atan2(z.imag, z.real)


@means(cmath.polar, complex=True)
def polar(z):
    z = finite_number(z)
    return abs(z), math.atan2(z.imag, z.real)


@means(cmath.rect, complex=True)
def rect(r, phi):
    r, phi = float(r), float(phi)
    ensure(math.isfinite(r) and math.isfinite(phi), NOT_FINITE)
    return complex(r * math.cos(phi), r * math.sin(phi))


@means(cmath.isnan, complex=True)
def is_nan(z):
    z = complex(z)
    return math.isnan(z.real) or math.isnan(z.imag)


@means(cmath.isinf, complex=True)
def is_infinite(z):
    z = complex(z)
    return math.isinf(z.real) or math.isinf(z.imag)


@means(cmath.isfinite, complex=True)
def is_finite(z):
    z = complex(z)
    return math.isfinite(z.real) and math.isfinite(z.imag)


@means(cmath.isclose, complex=True)
def is_close(a, b, *, rel_tol=1e-9, abs_tol=0.0):
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    a, b = finite_number(a), finite_number(b)
    apart = abs(a - b)
    return a == b or apart <= rel_tol * abs(a) or apart <= rel_tol * abs(b) or apart <= abs_tol
