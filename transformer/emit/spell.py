"""How operations are written: the text of an expression, with the parentheses it needs and no others."""
from __future__ import annotations

from typing import Callable

import numpy as np

from ..core import Const, Joined, show_static
from ..rules.indexing import spell as spell_index
from ..rules.kinds import Elementwise
from ..types import type_of_number
from .tree import Call, Expr, calls_of

ATOM, POWER, UNARY, PRODUCT, SUM, SHIFT, AND, XOR, OR, COMPARE, NOT, ALL, ANY = range(13, 0, -1)
PRECEDENCE = {"**": POWER, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "@": PRODUCT, "+": SUM, "-": SUM, "<<": SHIFT,
              ">>": SHIFT, "&": AND, "^": XOR, "|": OR, "and": ALL, "or": ANY,
              **dict.fromkeys(["<", "<=", ">", ">=", "==", "!="], COMPARE)}


class Speller:
    """Writes expressions with the names that `rename` gives; what is `risky` may raise, and does not go behind an `and`."""

    def __init__(self, types: dict, rename: Callable[[str], str] = lambda n: n, risky: frozenset[str] = frozenset()):
        self.types, self.rename, self.risky = types, rename, risky
        self.written: dict[int, tuple[Call, tuple[str, int]]] = {}

    def text(self, expr: Expr) -> str:
        return self.rename(expr) if type(expr) is str else self.write(expr)[0]

    def at_least(self, expr: Expr, precedence: int) -> str:
        if type(expr) is str:
            return self.rename(expr)
        text, own = self.write(expr)
        return text if own >= precedence else f"({text})"

    def type(self, expr: Expr):
        kind = type(expr)
        return self.types[expr] if kind is str else self.types[expr.name] if kind is Call else type_of_number(expr.value)

    def write(self, expr: Expr) -> tuple[str, int]:
        """(text, precedence)"""
        kind = type(expr)
        if kind is str:
            return self.rename(expr), ATOM
        if kind is Const or kind is Joined:
            text = str(expr)
            return text, UNARY if text.startswith("-") else ATOM
        known = self.written.get(id(expr))
        if known is None:  # `Denest` asks again for each larger expression that it tries to make; what is kept keeps its id
            known = self.written[id(expr)] = expr, self.call(expr)
        return known[1]

    def call(self, expr: Call) -> tuple[str, int]:
        if expr.op.symbol:
            return self.operator(expr)
        special = SPECIAL.get(expr.op.name)
        text = special(self, expr) if special else None
        if text is None:
            args = self.weak(expr) if isinstance(expr.op, Elementwise) else expr.args
            text = expr.op.show([self.text(a) for a in args], dict(expr.params))
        return (text, ATOM) if isinstance(text, str) else text

    def weak(self, call: Call) -> tuple[Expr, ...]:
        """The arguments, np.float64(2.0) as 2.0 where another argument fixes the dtype anyway."""
        if not any([type(a) is Const and isinstance(a.value, np.generic) for a in call.args]):
            return call.args
        strong = {self.type(a).dtype for a in call.args if self.type(a).kind != "py" and not isinstance(a, Const)}
        return tuple([literal(a, strong) for a in call.args])

    def operator(self, call: Call) -> tuple[str, int]:
        symbol, args = call.op.symbol, self.weak(call)
        if len(args) == 1:
            own = NOT if symbol == "not " else UNARY
            return symbol + self.at_least(args[0], own), own
        if symbol in "&|" and all(self.type(a).kind == "py" and self.type(a).dtype.kind == "b" for a in args) and self.risky.isdisjoint(c.name for c in calls_of(args[1])):
            symbol = {"&": "and", "|": "or"}[symbol]
        own = PRECEDENCE[symbol]
        left, right = (ATOM, UNARY) if symbol == "**" else (own + 1 if own == COMPARE else own, own + 1)
        return f"{self.at_least(args[0], left)} {symbol} {self.at_least(args[1], right)}", own

    def shape(self, args) -> str:
        """The ints of a shape: n, (n, m)."""
        return self.text(args[0]) if len(args) == 1 else f"({', '.join(map(self.text, args))})"

    def dtype(self, call: Call, default="float64") -> str:
        dtype = np.dtype(call.param("dtype"))
        return "" if dtype.name == default else f", dtype={show_static(dtype)}"

    def index(self, codes, atoms) -> str:
        codes = list(codes)
        while len(codes) > 1 and codes[-1] == ":":
            codes.pop()
        return spell_index(tuple(codes), [self.text(a) for a in atoms])


def literal(expr: Expr, dtypes) -> Expr:
    """A NumPy scalar of one of these dtypes as a Python number; other expressions as they are."""
    if isinstance(expr, Const) and isinstance(expr.value, (np.float64, np.int64, np.bool_)) and expr.value.dtype in dtypes:
        return Const(expr.value.item())
    return expr


# operations with a form of their own ---------------------------------------------------------------
def _getitem(s: Speller, call: Call):
    return f"{s.at_least(call.args[0], ATOM)}[{s.index(call.param('index'), call.args[1:])}]"


def _size(s: Speller, call: Call):
    if call.param("axis") == 0:
        return f"len({s.text(call.args[0])})"
    return f"{s.at_least(call.args[0], ATOM)}.shape[{call.param('axis')}]"


def _create(s: Speller, call: Call):
    return f"{call.op.name}({s.shape(call.args) if call.args else '()'}{s.dtype(call)})"


def _full(s: Speller, call: Call):
    value, *dims = call.args
    return full(s, value, dims, np.dtype(call.param("dtype")))


def full(s: Speller, value: Expr, dims, dtype: np.dtype) -> str:
    value = literal(value, {dtype})
    shape = s.shape(dims) if dims else "()"
    dtyped = "" if dtype == np.float64 else f", dtype={show_static(dtype)}"
    if isinstance(value, Const) and value.value in (0, 1) and not np.signbit(value.value):
        return f"np.{'ones' if value.value else 'zeros'}({shape}{dtyped})"
    return f"np.full({shape}, {s.text(value)}{dtyped if s.type(value).dtype == dtype == np.float64 else f', dtype={show_static(dtype)}'})"


def _reduce(s: Speller, call: Call):
    axis, rank = tuple(call.param("axis")), s.type(call.args[0]).rank
    parts = [s.text(call.args[0])]
    if axis != tuple(range(rank)):
        parts.append(f"axis={axis[0] if len(axis) == 1 else axis}")
    if call.param("keepdims"):
        parts.append("keepdims=True")
    return f"{call.op.name}({', '.join(parts)})"


def _transpose(s: Speller, call: Call):
    axes = tuple(call.param("axes"))
    if axes == tuple(reversed(range(len(axes)))):
        return s.at_least(call.args[0], ATOM) + ".T"
    return f"np.transpose({s.text(call.args[0])}, {axes})"


def _copy(s: Speller, call: Call):
    match call.args[0]:
        case Call(op=op, args=(value, *dims)) if op.name == "np.broadcast_to" and s.type(value).rank == 0:
            return full(s, value, dims, s.types[call.name].dtype)
    return s.at_least(call.args[0], ATOM) + ".copy()"


def _astype(s: Speller, call: Call):
    dtype = show_static(np.dtype(call.param("dtype")))
    have = s.type(call.args[0])
    if have.kind == "py" or have.kind == "np" and have.dtype.kind == "f":  # which may be written as a Python number: 0.0
        return f"{dtype}({s.text(call.args[0])})"
    return f"{s.at_least(call.args[0], ATOM)}.astype({dtype})"


def _shaped(s: Speller, call: Call):
    x, *dims = call.args
    x = literal(x, {s.types[call.name].dtype}) if s.types[call.name].dtype == np.float64 else x
    return f"{call.op.name}({s.text(x)}, {s.shape(dims) if dims else '()'})"


def _reshape(s: Speller, call: Call):
    x, *dims = call.args
    if s.type(x).kind != "array":
        return _shaped(s, call)
    return f"{s.at_least(x, ATOM)}.reshape({', '.join(map(s.text, dims)) if dims else '()'})"


def _arange(s: Speller, call: Call):
    args = list(call.args)
    if len(args) == 3 and args[2] == Const(1):
        args.pop()
    if len(args) == 2 and args[0] == Const(0):
        args.pop(0)
    exact = all(s.type(a).dtype.kind == "i" for a in args) and np.dtype(call.param("dtype")) == np.int64
    return f"np.arange({', '.join(map(s.text, args))}{'' if exact else s.dtype(call, default='')})"


def _same(s: Speller, call: Call):
    return s.write(call.args[0])


SPECIAL = {
    "getitem": _getitem, "rt.size": _size, "np.zeros": _create, "np.ones": _create, "np.empty": _create, "rt.full": _full,
    "np.transpose": _transpose, "np.copy": _copy, "rt.astype": _astype, "np.broadcast_to": _shaped, "np.reshape": _reshape,
    "np.arange": _arange, "retype": _same, "rt.again": _same,
    **dict.fromkeys(["np.sum", "np.mean", "np.max", "np.min", "np.any", "np.all"], _reduce),
}
