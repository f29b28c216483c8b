"""Complex numbers: their parts, and what makes one."""
from __future__ import annotations

import sys

import numpy as np

from ...library.registry import FUNCTIONS, frontend, method, read_only
from ...rules.kinds import zeros_of
from ..domain import values as v
from ..evaluator.objects.containers import by_python
from . import math_api
from .numpy_arrays import array_of_list

OF_REALS = "it is the imaginary part of an array of reals, which NumPy makes read-only: write np.zeros_like(x)"
WHY = "it is a part of a complex array, in the same memory: change that, or copy the part first"


def is_complex(s, value) -> bool:
    return s.type(value).dtype.kind == "c"


def real_number(s, value):
    """A value that is real: of Python's bools their number."""
    t = s.type(value)
    return s.elementwise("add", value, v.Static(0)) if t.kind == "py" and t.dtype.kind == "b" else value


def complex_part(s, value, name: str):
    """z.real and z.imag: of an array views, into which nothing is stored here."""
    part = s.elementwise(f"np.{name}", value)
    if not isinstance(value, v.Array):
        return part
    view = part if isinstance(part, v.Array) else s.wrap(s.emit("np.asarray", s.atom(part)))
    return FUNCTIONS[read_only](s, view, value, v.Static(WHY))


@frontend(np.real)
def real_(s, val):
    value = array_of_list(s, val)
    return complex_part(s, value, "real") if is_complex(s, value) else real_number(s, value)


@frontend(np.imag)
def imag_(s, val):
    value = array_of_list(s, val)
    if is_complex(s, value):
        return complex_part(s, value, "imag")
    t = s.type(value)
    if t.kind == "py":
        s.refuse_several([s.atom(value)])
        return v.Static(0 if t.dtype.kind == "b" else t.python_type(0))
    zeros = s.wrap(zeros_of(s.b, t))
    return FUNCTIONS[read_only](s, zeros, zeros, v.Static(OF_REALS)) if isinstance(zeros, v.Array) else zeros


@method("conj", "conjugate")
def conjugate_(s, a):
    if s.type(a).kind == "py":
        return s.elementwise("complex", real_(s, a), s.elementwise("negative", imag_(s, a))) if is_complex(s, a) \
            else real_number(s, a)
    return s.elementwise("np.conjugate", a, numpy=True) if is_complex(s, a) else a


def made_complex(s, x):
    """A value as complex() sees it: what the methods of a user's class give."""
    z = math_api.special_method(s, x, "__complex__")
    if z is None:
        return math_api.as_number(s, x, *math_api.REAL_NUMBER)
    if not isinstance(z, (v.Number, v.Static)) or not s.is_numeric(z) or s.type(z).dtype != np.complex128:
        s.stop("TypeError", f"{s.class_name(x)}.__complex__() must return a complex, not {s.class_name(z)}"
               if sys.version_info >= (3, 14) else f"__complex__ returned non-complex (type {s.class_name(z)})")
    return z


@frontend(complex)
def complex_(s, real=v.Static(0), imag=None):
    given = [made_complex(s, real), *([] if imag is None else [math_api.as_number(s, imag, *math_api.REAL_NUMBER)])]
    if not all(map(s.is_numeric, given)) or any([s.type(x).rank for x in given]):
        return by_python(s, complex, *given)
    return s.elementwise("complex", *given)
