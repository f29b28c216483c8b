"""One type for a number that has one of two: found, and numbers made of it."""
from __future__ import annotations

import numpy as np

from ...core import Const, JoinedConstant
from ...core.types import PY_INT, Type
from ...rules.kinds import cast
from . import values as v

MOST = 2 ** 53  # up to here each int is a float
ORDER = "biufc"


def join_types(a: Type, b: Type) -> Type:
    """The type of a value that is one of two; dims are joined by who knows the scope."""
    if (a.kind == "tape" or b.kind == "tape" or a.rank != b.rank
            or (a.kind == "array") != (b.kind == "array") and a.rank):
        raise v.Conflict(f"it is {a} on one path and {b} on another")
    if a.kind == b.kind == "py":
        return a if ORDER.index(a.dtype.kind) >= ORDER.index(b.dtype.kind) else b
    dtype = np.result_type(*(t.python_type(1) if t.kind == "py" else t.dtype for t in (a, b)))
    for t in (a, b):
        if t.kind != "py" and t.dtype != dtype:
            raise v.Conflict(f"its dtype is {a.dtype} on one path and {b.dtype} on another")
    return Type("np" if "np" in (a.kind, b.kind) or "py" in (a.kind, b.kind) else "array", dtype, a.dims)


def exact(s, atom, t: Type) -> None:
    """A Conflict unless a value stays what it is as one of type t:
    only a constant that it has exactly becomes a NumPy number of less width."""
    have = s.b.type(atom)
    if have.kind != "py" or have.dtype == t.dtype and (t.kind == "py" or have.dtype.kind == "b"):
        return
    if have.dtype.kind == "b":
        raise v.Conflict("it is a bool on one path and a number on another; give both one type: int(...)")
    named = t.python_type.__name__ if t.kind == "py" else f"np.{t.dtype}"
    if isinstance(atom, Const):
        x = atom.value
        try:
            made = (t.python_type if t.kind == "py" else t.dtype.type)(x)
        except OverflowError:
            made = None
        if x == x and (made is None or (made.item() if t.kind != "py" else made) != x):
            raise v.Conflict(f"it is {x!r} on one path, and {named} on another, which cannot be {x!r}; give both one "
                             f"type: {named}(...)")
    elif have.dtype != t.dtype and (t.dtype.kind != "f" and t.dtype != np.int64 or t.dtype.itemsize < 8):
        raise v.Conflict(f"it is a Python {have} on one path, and {named} on another, which is narrower; give both "
                         f"one type: {named}(...)")


def convert(s, atom, t: Type, hint):
    """The atom as a value of type t (same rank), emitted where the machine stands."""
    have = s.b.type(atom)
    if have == t:
        return atom
    if have == PY_INT and t.is_float and isinstance(atom, str) and not s.is_count(atom):
        s.require(s.emit("less_equal", s.emit("abs", atom), Const(MOST), hint="ok"), "RefusedRange",
                  "an int of more than 53 bits meets a float: it would lose its last digits")
    if have.kind == "array" and t.kind == "np":
        atom = s.emit("getitem", atom, hint=hint, index=())
    joins = have.kind == "py" and t.kind in ("py", "np")
    if joins and isinstance(atom, Const):
        return JoinedConstant((t.python_type if t.kind == "py" else t.dtype.type)(atom.value), type(atom.value))
    if joins:
        atom = (s.emit("rt.astype", atom, hint=hint, dtype=t.dtype, joined=True) if t.kind == "np"
                else s.emit(t.python_type.__name__, atom, hint=hint, joined=True))
    else:
        atom = cast(s.b, atom, t.kind, t.dtype, hint)
    if s.b.type(atom).dims != t.dims:
        atom = s.emit("retype", atom, hint=hint, dims=t.dims)
    return atom
