"""Expressions that emit core as they are computed, so that a rule is a formula that also runs.

`lambda y, x: 1 - y * y` gives a number when called with numbers, and appends two statements when
called with `Expr`s.  NumPy functions of an `Expr` arrive here by NumPy's own protocols.
"""
from __future__ import annotations

import operator

import numpy as np

from ..core import Atom, Builder, Const, Let
from .inference import Unaligned
from .registry import BY_FUNCTION, OPS


def atom_of(value) -> Atom:
    return value.atom if isinstance(value, Formula) else value if isinstance(value, (str, Const)) else Const(value)


def _is(value, number) -> bool:
    """Is it this Python number?  (Weak, so that dropping it changes no dtype.)"""
    value = atom_of(value)
    return isinstance(value, Const) and not isinstance(value.value, np.generic) and value.value == number


class Formula:
    """An atom together with the builder that its uses are emitted to."""

    __array_priority__ = 1000

    def __init__(self, b: Builder, atom: Atom, hint: str = "t", own: bool = False):
        self.b, self.atom, self.hint = b, atom, hint
        self.own = own  # computed by the formula itself, so that nobody else reads it

    @property
    def type(self):
        return self.b.type(self.atom)

    def apply(self, op, *args, **params) -> "Formula":
        return Formula(self.b, self.b.emit(op, *map(atom_of, args), hint=self.hint, **params), self.hint, own=True)

    # arithmetic, with the neutral elements taken out -----------------------------------------
    def __add__(self, other):
        return self if _is(other, 0) else self.apply(OPS["add"], self, other)

    def __radd__(self, other):
        return self if _is(other, 0) else self.apply(OPS["add"], other, self)

    def __sub__(self, other):
        return self if _is(other, 0) else self.apply(OPS["subtract"], self, other)

    def __rsub__(self, other):
        return -self if _is(other, 0) else self.apply(OPS["subtract"], other, self)

    def __mul__(self, other):
        return multiply(self, other)

    def __rmul__(self, other):
        return multiply(other, self)

    def __truediv__(self, other):
        return self if _is(other, 1) else self.apply(OPS["divide"], self, other)

    def __rtruediv__(self, other):
        return self.apply(OPS["divide"], other, self)

    def __floordiv__(self, other):
        return self.apply(OPS["floor_divide"], self, other)

    def __mod__(self, other):
        return self.apply(OPS["mod"], self, other)

    def __neg__(self):
        return self.apply(OPS["negative"], self)

    def __pow__(self, other):
        return self if _is(other, 1) else self.apply(OPS["power"], self, other)

    def __rpow__(self, other):
        return self.apply(OPS["power"], other, self)

    def __matmul__(self, other):
        return self.apply(OPS["matmul"], self, other)

    def _operator(symbol):
        return lambda self, other: self.apply(OPS[symbol], self, other)

    __lt__, __le__, __gt__, __ge__, __eq__, __ne__, __and__, __or__ = map(
        _operator, ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "and_", "or_"))
    __hash__ = None

    @property
    def T(self):
        return self.apply(OPS["np.transpose"], self, axes=tuple(reversed(range(self.type.rank))))

    @property
    def mT(self):
        """The last two axes exchanged."""
        rank = self.type.rank
        return self.apply(OPS["np.transpose"], self, axes=(*range(rank - 2), rank - 1, rank - 2))

    @property
    def ndim(self) -> int:
        return self.type.rank

    def __getitem__(self, index):
        """x[..., None], x[..., 0, :]: of whole axes, new ones and constants."""
        index = index if isinstance(index, tuple) else (index,)
        rest = (slice(None),) * (self.ndim - sum(i is not None and i is not ... for i in index))
        at = index.index(...) if ... in index else len(index)
        index = (*index[:at], *rest, *index[at + 1:])
        codes = tuple("n" if i is None else ":" if isinstance(i, slice) else "i" for i in index)
        return self.apply(OPS["getitem"], self, *[i for i in index if isinstance(i, int)], index=codes)

    # NumPy's protocols ---------------------------------------------------------------------
    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        infix = {np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul,
                 np.true_divide: operator.truediv,
                 np.power: operator.pow, np.matmul: operator.matmul, np.negative: operator.neg}
        if ufunc in infix and not any(isinstance(a, np.generic) for a in args):
            return infix[ufunc](*args)
        return self.apply(BY_FUNCTION[ufunc], *args, **kwargs)

    def __array_function__(self, function, types, args, kwargs):
        if function is np.where and not any(self.b.type(atom_of(a)).rank for a in args):
            return self.apply(OPS["rt.choose"], *args)  # np.where makes an array of shape () of numbers
        return self.apply(BY_FUNCTION[function], *args, **kwargs)


def definition(b: Builder, atom: Atom) -> Let | None:
    """The statement that binds an atom, if it is the last one of the current block."""
    last = b.stmts[-1] if b.stmts else None
    return last if isinstance(last, Let) and last.names == (atom,) else None


def multiply(x, y):
    """x * y, where a formula's `1`, `-1`, `1 / u` and `-u` are folded into the product."""
    if not isinstance(x, Formula) and not isinstance(y, Formula):
        return x * y
    e, pairs = x if isinstance(x, Formula) else y, ((x, y), (y, x))
    for p, g in pairs:
        if _is(p, 1):
            return g
    for p, g in pairs:
        if _is(p, -1):
            return -g
    for p, g in pairs:
        if (product := folded_product(e, p, g)) is not None:
            return product
    return e.apply(OPS["multiply"], x, y)


def folded_product(e: Formula, p, g) -> Formula | None:
    """p * g, emitted by e, if p is `1 / u` or `-u` of the formula itself, which is not emitted then."""
    let = definition(e.b, p.atom) if isinstance(p, Formula) and p.own else None
    if let and let.op.name == "divide" and _is(let.args[0], 1):
        e.b.stmts.pop()
        return e.apply(OPS["divide"], g, let.args[1])
    if let and let.op.name == "negative":
        e.b.stmts.pop()
        return -multiply(Formula(e.b, let.args[0], e.hint), g)
    return None


def any_of(b: Builder, masks: list[Atom]) -> Atom | None:
    """Where any of the masks is; None of arrays whose lengths only the run knows to agree."""
    either = Formula(b, masks[0], "mask")
    try:
        for mask in masks[1:]:
            either = either | Formula(b, mask)
    except Unaligned:
        return None
    return either.atom
