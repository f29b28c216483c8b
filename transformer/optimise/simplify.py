"""Local identities that are exact: the same bits, kind, dtype and dims.

    u = np.broadcast_to(g, (n,))          x_bar = x * g
    t = x * u                             y_bar = 2 * x_bar
    x_bar = t * 1                         z_bar = np.zeros((n,), dtype=np.float64)
    y_bar = x_bar + x_bar                 z_bar__1 = rt.update(z_bar, g, np.s_[0])
    z_bar = np.zeros((n,), dtype=np.float64)
    z_bar__1 = rt.update_add(z_bar, g, np.s_[0])

Constants that meet in a derivative are the exception: there rounding may differ.

A rule takes the pass and a statement and gives an atom that the result is, another statement, or None.  `x + 0` is
not among them: it turns -0.0 into 0.0.
"""
from __future__ import annotations

import functools
from collections import Counter
from dataclasses import replace

import numpy as np

from ..core import Atom, Const, Fun, If, JoinedConstant, Let, Op, read_counts, signed, walk
from ..rules import OPS
from ..rules.kinds import Elementwise
from .rewriter import Rewriter, is_number

RULES: dict[str, list] = {}


def of(*names):
    """The operations whose statements a rule is tried on, in the order of the rules here."""
    def enter(rule):
        for name in names:
            RULES.setdefault(name, []).append(rule)
        return rule
    return enter


def rules_of(op: Op) -> list:
    return [*RULES.get(op.name, ()), *([wide_or_weighted] if isinstance(op, Elementwise) else ())]


def simplify(fun: Fun) -> Fun:
    return Simplify(fun).run()


class Simplify(Rewriter):
    @functools.cached_property
    def uses(self) -> Counter:
        """How often each name is used in the function that comes in."""
        return read_counts(self.fun.body)

    def used_once(self, name: str) -> bool:
        """Is this the only use of a name?"""
        return self.uses[name] == 1 and name not in self.aliases.values()

    @functools.cached_property
    def pythons(self) -> set[str]:
        """The names that are Python's number on a path, where they have NumPy's type."""
        made_of: dict[Atom, list[str]] = {}  # {an atom: the names that may be it, or are computed of it}
        waiting: list = []
        for stmt in walk(self.fun.body):
            light = isinstance(stmt, Let) and (stmt.op.symbol or stmt.op.light)
            pairs = [(stmt.name, x) for x in stmt.args] if light else joined_atoms(stmt)
            waiting += [x for _, x in pairs if not light and isinstance(x, JoinedConstant)]
            for name, x in pairs:
                made_of.setdefault(x, []).append(name)
        found: set = set()
        while waiting:
            if (x := waiting.pop()) not in found:
                found.add(x)
                waiting += made_of.get(x, ())
        return found

    def let(self, let: Let) -> None:
        while True:
            for rule in rules_of(let.op):
                new = rule(self, let)
                if new is not None:
                    break
            else:
                return self.emit(let)
            if not isinstance(new, Let):
                return self.alias(let.name, new)
            let = new

    def same_type(self, atom: Atom, let: Let) -> Atom | None:
        """The atom, if it may stand for the result as it is."""
        return atom if self.b.type(atom) == self.types[let.name] else None

    def typed(self, let: Let) -> Let | None:
        """A new form of a statement, if it has the type of the old one."""
        try:
            return let if let.op.infer(self.b, let.args, dict(let.params)) == (self.types[let.name],) else None
        except Exception:  # dims that are not known to agree
            return None


def joined_atoms(stmt) -> list[tuple[str, Atom]]:
    """(a name, an atom that it may be) of a branch or a loop."""
    if isinstance(stmt, Let):
        return []
    if isinstance(stmt, If):
        return [(n, x) for n, *ends in zip(stmt.names, stmt.then.results, stmt.orelse.results) for x in ends]
    return [(n, x) for n, *ends in zip(stmt.carried, stmt.inits, stmt.body.results) for x in ends]


# arithmetic --------------------------------------------------------------------------------------
@of("multiply", "divide", "power")
def times_one(s: Simplify, let: Let):
    x, y = let.args
    if isinstance(x, str) and isinstance(y, str) or is_complex_product(s, let):
        return None
    if let.op.name != "multiply":
        return s.same_type(x, let) if is_number(y, 1) else None
    for x, y in ((x, y), (y, x)):
        if is_number(y, -1) and isinstance(x, str) and s.types[x].is_float:
            return s.typed(replace(let, op=OPS["negative"], args=(x,)))
        if is_number(y, 1):
            # np.float64(1.0), too: a result of another type is refused
            return s.same_type(x, let) or as_scalar(s, x, let)
    return None


def is_complex_product(s: Simplify, let: Let) -> bool:
    """Is it one of the user's in complex numbers?  (1+0j) * -1 is -1+0j, and -(1+0j) on the other side of the branch
    cut; 1 * infj has a nan."""
    return s.types[let.name].dtype.kind == "c" and not is_derivative(let)


def as_scalar(s: Simplify, x: Atom, let: Let):
    """The NumPy scalar of a Python number."""
    t = s.types[let.name]
    if t.kind == "np" and t.is_float and s.b.type(x).kind == "py" and s.b.type(x).dtype.kind in "fi":
        return s.typed(replace(let, op=OPS["rt.astype"], args=(x,), params=(("dtype", t.dtype),)))
    return None


@of("multiply")
def constants_meet(s: Simplify, let: Let):
    """2 * (3.0 * x), 2 * (0.5 / x), 2 * -x: in derivatives, of which rounding is not promised to the bit."""
    for c, y in (let.args, let.args[::-1]):
        inner = s.definition(y)
        if not (isinstance(c, Const) and inner and is_derivative(let) and is_derivative(inner) and s.used_once(y)
                and s.types[y].dtype == s.types[let.name].dtype and s.types[y].is_float):
            continue
        joined, x, op = joined_constant(c.value, inner)
        if isinstance(x, str) and abs(np.log(float(abs(joined)) or np.inf)) < room_of(s.types[y].dtype):
            return s.typed(replace(let, op=OPS[op], args=(Const(joined), x)))
    return None


def joined_constant(c, inner: Let) -> tuple:
    """c times what a constant is in already: the constant of both, what is left, and the operation of the two."""
    match inner:
        case Let(op=Op(name="negative"), args=(x,)):
            return -c, x, "multiply"
        case Let(op=Op(name="multiply"), args=(Const() as d, x) | (x, Const() as d)):
            return c * d.value, x, "multiply"
        case Let(op=Op(name="divide"), args=(Const() as d, x)):
            return c * d.value, x, "divide"
    return None, None, None


def room_of(dtype: np.dtype) -> float:
    """The logarithm of a number that may be multiplied twice by itself and is still far from overflow."""
    return np.log(float(np.finfo(dtype).max)) / 3


def is_derivative(let: Let) -> bool:
    return getattr(let.origin, "derivative", False)


@of("subtract", "add")
def plus_or_minus_nothing(s: Simplify, let: Let):
    x, y = let.args
    exact = let.op.name == "subtract" or s.types[let.name].dtype.kind in "iu"  # -0.0 + 0 is 0.0
    return s.same_type(x, let) if exact and is_zero(y) else None  # -0.0 - -0.0 is 0.0


@of("add")
def twice(s: Simplify, let: Let):
    x, y = let.args
    if x == y and isinstance(x, str) and s.types[x].is_float and not is_complex_product(s, let):
        return s.typed(replace(let, op=OPS["multiply"], args=(Const(2), x)))
    return None


@of("add", "subtract")
def plus_minus(s: Simplify, let: Let):
    """x + -y, x - -y"""
    x, y = let.args
    minus = s.definition(y, "negative")
    if minus and s.types[y].is_float:
        return s.typed(replace(let, op=OPS["subtract" if let.op.name == "add" else "add"], args=(x, minus.args[0])))
    return None


@of("negative")
def minus_minus(s: Simplify, let: Let):
    inner = s.definition(let.args[0], "negative")
    return s.same_type(inner.args[0], let) if inner and s.types[let.name].is_float else None


@of("negative")
def minus_product(s: Simplify, let: Let):
    """-(x * -y), -(x / -y)"""
    inner = s.definition(let.args[0])
    if inner and inner.op.symbol in ("*", "/") and s.types[let.name].is_float and not is_complex_product(s, let):
        for k, arg in enumerate(inner.args):
            minus = s.definition(arg, "negative")
            if minus:
                return s.typed(replace(let, op=inner.op,
                                       args=inner.args[:k] + minus.args + inner.args[k + 1:], params=()))
    return None


def wide_or_weighted(s: Simplify, let: Let):
    """Elementwise operations broadcast and convert by themselves."""
    for arg in let.args:
        if s.definition(arg, "np.broadcast_to") or s.definition(arg, "rt.astype"):
            return unbroadcast(s, let) or unweighted(s, let) or broadcast_later(s, let)
    return None


def unweighted(s: Simplify, let: Let):
    """np.sin(np.float64(y)) of a Python number is np.sin(y), beside what is surely NumPy's."""
    if not s.pythons.isdisjoint(let.args):
        return None
    for k, arg in enumerate(let.args):
        cast = s.definition(arg, "rt.astype")
        if cast and s.b.type(cast.args[0]).kind == "py" and s.b.type(cast.args[0]).dtype == s.types[arg].dtype:
            new = s.typed(replace(let, args=let.args[:k] + cast.args + let.args[k + 1:]))
            if new:
                return new
    return None


def unbroadcast(s: Simplify, let: Let):
    """np.broadcast_to(x, (n,)) + y of a y of this shape is x + y."""
    for k, arg in enumerate(let.args):
        wide = s.definition(arg, "np.broadcast_to")
        if wide:
            new = s.typed(replace(let, args=let.args[:k] + (wide.args[0],) + let.args[k + 1:]))
            if new:
                return new
    return None


def broadcast_later(s: Simplify, let: Let):
    """0.5 * np.broadcast_to(g, (n,)) is a broadcast of 0.5 * g."""
    wide = [s.definition(a, "np.broadcast_to") for a in let.args]
    if not any(wide) or any(s.b.type(w.args[0] if w else a).rank for w, a in zip(wide, let.args)):
        return None
    args = tuple(w.args[0] if w else a for w, a in zip(wide, let.args))
    (t,) = let.op.infer(s.b, args, dict(let.params))
    first = next(w for w in wide if w)
    if t.dtype != s.types[let.name].dtype or s.types[first.name].dims != s.types[let.name].dims:
        return None
    number = s.b.fresh(let.name, t)
    s.emit(replace(let, names=(number,), args=args))
    return replace(let, op=first.op, args=(number, *first.args[1:]), params=first.params)


@of("rt.require")
def required(s: Simplify, let: Let):
    """Not x != y, of a line `if x != y: raise`."""
    negated = s.definition(let.args[0], "not ")
    inner = negated and (s.definition(negated.args[0], "not_equal") or s.definition(negated.args[0], "equal"))
    if not inner:
        return None
    flag = s.b.fresh(negated.name, s.types[inner.name])
    s.emit(replace(inner, names=(flag,), op=OPS["equal" if inner.op.name == "not_equal" else "not_equal"]))
    return replace(let, args=(flag, *let.args[1:]))


@of("rt.match", "retype")
def matched_already(s: Simplify, let: Let):
    return s.same_type(let.args[0], let)


@of("rt.trip_count")
def count_of_length(s: Simplify, let: Let):
    """range(0, n, 1) of a length n runs n times."""
    start, stop, step = let.args
    return s.same_type(stop, let) if start == Const(0) and step == Const(1) and s.definition(stop, "rt.size") else None


# choices -----------------------------------------------------------------------------------------
@of("np.where", "rt.choose")
def chosen_twice(s: Simplify, let: Let):
    """where(not c, x, y), where(c, where(c, x, y), z), where(c, z, where(c, x, y)), where(c | not c, x, y)"""
    c, *sides = let.args
    either = s.definition(c, "or_")
    for one, other in (either.args, either.args[::-1]) if either else ():
        negated = s.definition(one, "not ") or s.definition(one, "np.logical_not")
        if negated and negated.args[0] == other and s.b.type(other).dtype.kind == "b":
            return s.same_type(sides[0], let)
    negated = s.definition(c, "not ") or s.definition(c, "np.logical_not")
    if negated and s.b.type(negated.args[0]).dtype.kind == "b":
        return s.typed(replace(let, args=(negated.args[0], *reversed(sides))))
    for k, side in enumerate(sides):
        inner = s.definition(side)
        if inner and inner.op is let.op and inner.args[0] == c:
            new = s.typed(replace(let, args=(c, *sides[:k], inner.args[k + 1], *sides[k + 1:])))
            if new:
                return new
    return None


@of("and_", "or_")
def known_side(s: Simplify, let: Let):
    """x and True, x or False, x or x"""
    if let.args[0] == let.args[1]:
        return s.same_type(let.args[0], let)
    neutral = let.op.symbol == "&"
    for x, y in (let.args, let.args[::-1]):
        if isinstance(y, Const) and isinstance(y.value, (bool, np.bool_)):
            return s.same_type(x, let) if y.value == neutral else s.same_type(y, let)
    return None


def is_zero(atom: Atom) -> bool:
    return (isinstance(atom, Const) and not isinstance(atom.value, (bool, np.bool_)) and atom.value == 0
            and not signed(atom.value))
