"""Objects of users' classes (see the branch)."""
import types as pytypes

from . import values as v


def special(s, value, name):
    if isinstance(value, (v.Boxed, v.Tuple)) and isinstance(f := getattr(value.cls, name, None), pytypes.FunctionType):
        return v.Partial(v.Static(f), (value,), ())
    return None


def binary(s, name, left, right):
    return None


def in_place(s, name, left, right):
    return None
