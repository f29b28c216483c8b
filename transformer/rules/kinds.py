"""The kinds: what all rules of a kind have in common.

A rule is a formula.  Its kind broadcasts, sums over broadcast axes, casts and accumulates, so that
no rule ever does.  Two promises hold everywhere: a tangent has exactly the type of its primal, and
a cotangent exactly the type of the value that it belongs to.
"""
from __future__ import annotations

import functools
from typing import Callable

import numpy as np

from ..core import OWN, Atom, Builder, Const, Let, Op, common_order, split_name, whose
from ..core.types import Dim, Type
from ..errors.messages import UnsupportedError
from .expr import Formula, atom_of
from .inference import ONE, elementwise_type, result_scalar
from .registry import OPS


# conforming -----------------------------------------------------------------------------------
def dim_atom(b: Builder, dim: Dim, hint: str = "size") -> Atom:
    """An integer atom with the value of a dim; emits the arithmetic that it needs."""
    if dim.constant is not None:
        return Const(dim.constant)
    if len(dim.names) == 1 and dim == (name := next(iter(dim.names))):
        return name
    if (name := computed_dim(b, dim)) is not None:
        return name
    rises = any(monomial and coefficient > 0 for monomial, coefficient in dim.terms)
    terms = sorted(dim.terms, key=lambda t: ((t[0] == ()) == rises, t[1] < 0, t))  # n - 1, and 1 - n
    mine = hint if len(terms) == 1 else "t"  # the hint is for the whole
    total: Atom | None = None
    for monomial, coefficient in terms:
        term = term_atom(b, monomial, abs(coefficient), mine)
        if total is None:
            total = (Const(coefficient) if not monomial else term if coefficient > 0
                     else b.emit(OPS["negative"], term, hint=mine))
        else:
            last = (monomial, coefficient) == terms[-1]
            total = b.emit(OPS["add" if coefficient > 0 else "subtract"], total, term, hint=hint if last else "t")
    return total


def computed_dim(b: Builder, dim: Dim) -> str | None:
    """The name of an integer of the block at hand that has the value of a dim."""
    for stmt in b.stmts:
        if isinstance(stmt, Let) and b.polynomials.get(stmt.names[0] if stmt.names else "") == dim:
            return stmt.name
    return None


def term_atom(b: Builder, monomial: tuple[str, ...], factor: int, hint: str) -> Atom:
    """A product of names and of a factor that is not negative."""
    if not monomial:
        return Const(factor)
    term: Atom = monomial[0]
    for name in monomial[1:]:
        term = b.emit(OPS["multiply"], term, name, hint=hint)
    return term if factor == 1 else b.emit(OPS["multiply"], Const(factor), term, hint=hint)


def dim_atoms(b: Builder, dims) -> tuple[Atom, ...]:
    return tuple(dim_atom(b, d) for d in dims)


def zeros_of(b: Builder, t: Type, hint: str = "zeros") -> Atom:
    """A zero of exactly this type."""
    if t.kind == "py":
        return Const(t.python_type(0))
    if t.kind == "np":
        return Const(t.dtype.type(0))
    if t.kind == "tape":
        return b.emit(OPS["rt.tape"], hint=hint, dtype=t.dtype)
    return b.emit(OPS["np.zeros"], *dim_atoms(b, t.dims), hint=hint, dtype=t.dtype)


def cast(b: Builder, atom: Atom, kind: str, dtype: np.dtype, hint: str) -> Atom:
    """The value with this dtype, as a Python number ("py"), NumPy scalar ("np") or array."""
    t = b.type(atom)
    if kind == "py":
        if t.kind == "py" and t.dtype == dtype:
            return atom
        name = {"c": "complex", "f": "float", "i": "int", "b": "bool"}[dtype.kind]
        return b.emit(OPS[name], real_cotangent(b, atom, dtype, hint), hint=hint)
    if t.kind == "py" or t.dtype != dtype:
        if isinstance(atom, Const):
            return Const(dtype.type(atom.value))
        return b.emit(OPS["rt.astype"], real_cotangent(b, atom, dtype, hint), hint=hint, dtype=dtype)
    return atom


def is_inexact_for(t: Type) -> bool:
    """Is it an integer or a bool that a formula may not compute with as it is?"""
    return t.dtype.kind == "b" or t.kind != "py" and t.dtype.kind in "iu" and t.dtype != np.int64


def real_cotangent(b: Builder, atom: Atom, dtype: np.dtype, hint: str) -> Atom:
    """What of a complex tangent or cotangent belongs to a value of a real dtype.  It is the only place where complex
    numbers become real, and no formula conjugates: a partial derivative p of a real y(z) is that of dy = Re(p dz), and
    the cotangent of z is p times that of y.  So grad gives df/dx - i df/dy, as JAX's does."""
    return b.emit(OPS["np.real"], atom, hint=hint) if b.type(atom).dtype.kind == "c" != dtype.kind else atom


def conform(b: Builder, value, t: Type, hint: str | None = None) -> Atom:
    """The value, broadcast, summed over axes along which `t` is 1, and cast: exactly of type `t`."""
    atom = atom_of(value)
    hint = hint or (split_name(atom)[0] if isinstance(atom, str) else "t")
    have = b.type(atom)
    if have == t:
        return atom
    atom = sum_to(b, atom, t.dims, hint)
    have = b.type(atom)
    atom = cast(b, atom, t.kind, t.dtype, hint)
    if have.dims != t.dims:
        atom = b.emit(OPS["np.broadcast_to"], atom, *dim_atoms(b, t.dims), hint=hint)
    elif t.kind == "array" and t.rank == 0 and b.type(atom).kind != "array":
        atom = b.emit(OPS["np.asarray"], atom, hint=hint)
    elif t.kind == "np" and b.type(atom).kind == "array":
        atom = b.emit(OPS["getitem"], atom, hint=hint, index=())
    return atom


def sum_to(b: Builder, atom: Atom, dims: tuple[Dim, ...], hint: str) -> Atom:
    """Sum over the axes that broadcasting from `dims` has added or stretched."""
    have = b.type(atom).dims
    extra = len(have) - len(dims)
    if extra > 0:
        atom = b.emit(OPS["np.sum"], atom, hint=hint, axis=tuple(range(extra)), keepdims=False)
        have = have[extra:]
    stretched = tuple(k for k, d in enumerate(have) if not d.is_one and dims[k + max(0, -extra)].is_one)
    if stretched:
        atom = b.emit(OPS["np.sum"], atom, hint=hint, axis=stretched, keepdims=True)
    return atom


def exprs(b: Builder, atoms, hint) -> list[Formula]:
    return [Formula(b, a, hint) for a in atoms]


def add_all(b: Builder, terms: list[Atom], t: Type, hint: str) -> Atom | None:
    """The sum of cotangents or tangents that all conform to `t`; None for none."""
    terms = [x for x in terms if x is not None]
    if not terms:
        return None
    total = terms[0]
    for term in terms[1:]:
        total = conform(b, b.emit(OPS["add"], total, term, hint=hint), t, hint)
    return total


def dot_name(name: str) -> str:
    return f"{whose(name)}_dot"


def bar_name(name: Atom) -> str:
    return f"{whose(name)}_bar" if isinstance(name, str) else "bar"


# the kinds -----------------------------------------------------------------------------------
class Inactive(Op):
    """Results have no derivative: comparisons, integers, shapes, indices."""

    memory = OWN

    def __init__(self, name, fn, infer: Callable):
        super().__init__(name, fn)
        self._infer = infer

    def infer(self, b, args, params):
        result = self._infer(b, args, **params)
        return result if isinstance(result, tuple) else (result,)

    def jvp(self, b, let, tangents):
        return (None,) * len(let.names)

    def vjp(self, b, let, cotangents, wanted):
        return [None] * len(let.args)


FLAT, CURVED, LARGE, STEEP, POLE = range(5)


@functools.cache
def is_constant(partial: Callable, arguments: int) -> bool:
    """Is this formula a number, whatever it is called with?"""
    try:
        return isinstance(partial(*[None] * (arguments + 1)), (int, float, complex))
    except (TypeError, AttributeError, UnsupportedError):
        return False


class Elementwise(Op):
    """`partials[k]` is a formula for dy/dx_k, called with (y, *args); None: zero everywhere."""

    memory = OWN
    cheap = True

    def __init__(self, name, fn, *partials, symbol=None):
        super().__init__(name, fn, symbol)
        self.partials = partials

    def order(self, orders, params):
        return common_order(orders)

    def may_raise(self, let, types, known):
        """Python's numbers that NumPy's integers do not hold; what Python's operators refuse is their own matter."""
        return any(t.kind != "py" for t in types) and known.may_overflow(let.args, types)

    def infer(self, b, args, params):
        return (elementwise_type(self, b, args, tuple(params.items())),)

    def term(self, b: Builder, let: Let, k: int, g: Atom, hint: str, mask: Atom | None = None):
        """dy/dx_k * g: the Jacobian is diagonal, so tangents and cotangents share it.  Where `mask` does not hold
        nobody asks for the term, and it is computed of numbers at which the slope is finite."""
        if self.partials[k] is None:
            return None
        return self.partials[k](*self.operands(b, let, hint, mask)) * Formula(b, g, hint)

    def operands(self, b: Builder, let: Let, hint: str, mask: Atom | None) -> list[Formula]:
        """What a formula is called with: the result and the arguments."""
        atoms = exprs(b, (let.name, *self.as_computed(b, let)), hint)
        if mask is None or self.regular is None:
            return atoms
        return [np.where(Formula(b, mask, hint), e, self.regular) if isinstance(e.atom, str) and e.type.is_float else e
                for e in atoms]

    def curvature(self, let: Let, types) -> int:
        """FLAT: the slope is a constant.  CURVED: it depends on the operands.  LARGE, STEEP: it may be infinite where
        the result is, of large numbers or at a pole.  POLE: also where the result is finite, or not a number."""
        if self.regular is not None or self.overflows:
            return POLE if self.regular is not None else LARGE
        there = [partial for partial in self.partials if partial is not None]
        return FLAT if all([is_constant(partial, len(let.args)) for partial in there]) else CURVED

    def as_computed(self, b: Builder, let: Let) -> list[Atom]:
        """The arguments, Python's floats and complex numbers as NumPy's where NumPy computes: its quotients of 0 are
        infinite, Python's raise.  Bools, and integers that wrap around or are made short floats, are floats."""
        y = b.type(let.name)
        if y.kind == "py" or not y.is_float:
            return list(let.args)
        python, real = all(b.type(a).kind == "py" for a in let.args), y.dtype.type(0).real.dtype
        return [cast(b, a, "np", b.type(a).dtype, "x") if python and b.type(a).is_float
                else cast(b, a, "np", real, "x") if partial and not self.light and is_inexact_for(b.type(a))
                else a for a, partial in zip(let.args, self.partials)]

    def jvp(self, b, let, tangents):
        t = b.type(let.name)
        hint = dot_name(let.name)
        terms = [conform(b, term, t, hint) for k, g in enumerate(tangents) if g is not None
                 if (term := self.term(b, let, k, g, hint)) is not None]
        return (add_all(b, terms, t, hint),)

    def vjp(self, b, let, cotangents, wanted):
        (g,) = cotangents
        out = []
        for k, arg in enumerate(let.args):
            term = self.term(b, let, k, g, bar_name(arg)) if wanted[k] else None
            out.append(None if term is None else conform(b, term, b.type(arg), bar_name(arg)))
        return out


class Reduction(Op):
    """y = reduce(x, axis=(...), keepdims=...).

    `tangent(y, x, dx, reduce)` and `cotangent(y, x, g, count)` are formulas; y and g come with the
    reduced axes kept (so that they broadcast against x), `count` is the number of elements reduced.
    `joins` says how one more element is taken in: "+", "|", "&", ">" (the larger one) or "<"; `empty` is what it gives
    of no numbers: without it that raises.
    """

    memory = OWN
    share: Callable | None = None  # of an extreme, of (y, x, g, reduce): the part of g that each of them has

    def __init__(self, name, fn, joins, empty=None, tangent=None, cotangent=None):
        super().__init__(name, fn)
        self.joins, self.empty, self.tangent, self.cotangent = joins, empty, tangent, cotangent
        self.safe = empty is not None

    def order(self, orders, params):
        return common_order(orders)

    def may_raise(self, let, types, known):
        return self.empty is None and not known.has_elements(types[0])

    def infer(self, b, args, params):
        t = b.type(args[0])
        axis, keepdims = params["axis"], params["keepdims"]
        scalar = result_scalar(self, (), (Type("array", t.dtype, (ONE,)),))
        dims = tuple(ONE if k in axis else d for k, d in enumerate(t.dims) if keepdims or k not in axis)
        return (Type("array", scalar.dtype, dims) if dims else scalar,)

    def kept(self, b, let: Let, atom: Atom, hint: str) -> Formula:
        """A value shaped like the result, with the reduced axes kept."""
        axis, t = let.param("axis"), b.type(let.args[0])
        if let.param("keepdims") or len(axis) == t.rank:
            return Formula(b, atom, hint)
        index = tuple("n" if k in axis else ":" for k in range(t.rank))
        return Formula(b, b.emit(OPS["getitem"], atom, hint=hint, index=index), hint)

    def value(self, b, let: Let, hint: str) -> Formula:
        """The result, with the reduced axes kept. An extreme is that of these elements: where they are computed again,
        as a GPU may with other roundings, one of them equals it."""
        y = b.emit(self, let.args[0], hint=let.name, **dict(let.params)) if self.share else let.name
        return self.kept(b, let, y, hint)

    def jvp(self, b, let, tangents):
        if tangents[0] is None or self.tangent is None:
            return (None,)
        hint = dot_name(let.name)
        y = self.value(b, let, hint)
        x, dx = exprs(b, (let.args[0], tangents[0]), hint)
        reduce = lambda e, op="np.sum": e.apply(OPS[op], e, **dict(let.params))  # noqa: E731
        return (conform(b, self.tangent(y, x, dx, reduce), b.type(let.name), hint),)

    def vjp(self, b, let, cotangents, wanted):
        if self.cotangent is None or not wanted[0]:
            return [None]
        x, axis = let.args[0], let.param("axis")
        hint = bar_name(x)
        g = self.kept(b, let, cotangents[0], hint)
        y = self.value(b, let, hint)
        t = b.type(x)

        def count():
            size = ONE
            for k in axis:
                size = size * t.dims[k]
            return dim_atom(b, size)

        return [conform(b, self.cotangent(y, Formula(b, x, hint), g, count, self.summed(axis)), t, hint)]

    @staticmethod
    def summed(axis):
        return lambda e: e.apply(OPS["np.sum"], e, axis=axis, keepdims=True)


class Linear(Op):
    """Linear in its first `active` arguments (all, if None), jointly; `transpose(b, let, g)` gives their cotangents."""

    complex = True

    def __init__(self, name, fn, infer, transpose, active: int | None = None):
        super().__init__(name, fn)
        self._infer, self.transpose, self.active = infer, transpose, active

    def infer(self, b, args, params):
        return (self._infer(b, args, **params),)

    def jvp(self, b, let, tangents):
        active = len(let.args) if self.active is None else self.active
        if all(t is None for t in tangents[:active]):
            return (None,)
        hint = dot_name(let.name)
        filled = [zeros_of(b, b.type(a), hint) if t is None else t for t, a in zip(tangents[:active], let.args)]
        return (b.emit(self, *filled, *let.args[active:], hint=hint, **dict(let.params)),)

    def vjp(self, b, let, cotangents, wanted):
        active = len(let.args) if self.active is None else self.active
        terms = self.transpose(b, let, cotangents[0])
        out = [conform(b, g, b.type(a), bar_name(a)) if w and g is not None else None
               for g, a, w in zip(terms, let.args[:active], wanted)]
        return out + [None] * (len(let.args) - active)


class Bilinear(Op):
    """Linear in each of two arguments; `left(g, x, y)` and `right(g, x, y)` are their cotangents."""

    memory = OWN
    safe = complex = True

    def order(self, orders, params):
        return "C"

    def __init__(self, name, fn, infer, left, right, symbol=None):
        super().__init__(name, fn, symbol)
        self._infer, self.left, self.right = infer, left, right

    def infer(self, b, args, params):
        return (self._infer(b, args, **params),)

    def jvp(self, b, let, tangents):
        hint, (x, y), (dx, dy) = dot_name(let.name), let.args, tangents
        t = b.type(let.name)
        terms = [conform(b, b.emit(self, *pair, hint=hint), t, hint)
                 for d, pair in ((dx, (dx, y)), (dy, (x, dy))) if d is not None]
        return (add_all(b, terms, t, hint),)

    def vjp(self, b, let, cotangents, wanted):
        out = []
        for k, formula in enumerate((self.left, self.right)):
            hint = bar_name(let.args[k])
            if not wanted[k]:
                out.append(None)
                continue
            g = formula(*exprs(b, (cotangents[0], *let.args), hint))
            out.append(conform(b, g, b.type(let.args[k]), hint))
        return out
