"""Where loops over one array's axes read another: views seen as maps of axes, and dims that checks made equal."""
from __future__ import annotations

from ..core import PASSED, Const, Let
from ..core.index_codes import entries
from ..core.types import Dim, Type

ONE = "one"  # an axis of length 1, read at 0
Places = tuple  # for each axis of a value: the loop that runs over it, ONE, or None (elsewhere)


def aligned(t: Type, rank: int) -> Places:
    """The loops over an operand that broadcasts to a space of `rank` loops."""
    return tuple(ONE if d.is_one else k + rank - t.rank for k, d in enumerate(t.dims))


def base_space(view: Let, base: Type, result: Type, places: Places) -> Places:
    """The loops over the base of a view, given those over the view."""
    op = view.op.name
    if view.op.elements is PASSED and base.rank == result.rank:
        return places
    if view.op.elements is PASSED or op == "np.broadcast_to":
        return tuple(ONE if d.is_one else p for d, p in zip(base.dims, places[len(places) - base.rank:]))
    if op == "np.transpose":
        out = [None] * base.rank
        for p, axis in zip(places, view.param("axes")):
            out[axis] = p
        return tuple(out)
    if op == "np.reshape":
        return _without_ones(base, result, places)
    if op == "np.roll":
        return tuple(None if k == view.param("axis") else p for k, p in enumerate(places))
    if op == "getitem":
        return _indexed(view, base, places)
    return (None,) * base.rank


def _without_ones(base: Type, result: Type, places: Places) -> Places:
    """Of a reshape that only adds or drops axes of length 1."""
    rest = [p for p, d in zip(places, result.dims) if not d.is_one]
    return tuple(ONE if d.is_one else rest.pop(0) for d in base.dims)


def _indexed(view: Let, base: Type, places: Places) -> Places:
    if "a" in view.param("index"):
        return (None,) * base.rank
    rest, out = list(places), []
    for code, own in entries(view.param("index"), view.args[1:]):
        if code == "n":
            rest.pop(0)
        elif code == "i":
            out.append(None)
        else:
            p = rest.pop(0)
            whole = code == ":" or own[:2] == (None, None) and own[2] in (None, Const(1))
            out.append(p if whole else None)
    out += rest
    return tuple(ONE if d.is_one else p for d, p in zip(base.dims, out))


def keeps_ones(base: Type, result: Type) -> bool:
    """Does a reshape only add or drop axes of length 1?"""
    return [d for d in base.dims if not d.is_one] == [d for d in result.dims if not d.is_one]


class Equalities:
    """Dims that a check has proved equal have one canonical form."""

    def __init__(self):
        self.known: dict[str, Dim] = {}

    def canonical(self, dim: Dim) -> Dim:
        while not self.known.keys().isdisjoint(dim.names):
            dim = dim.substitute(self.known)
        return dim

    def dims(self, t: Type) -> tuple[Dim, ...]:
        return tuple(map(self.canonical, t.dims))

    def learn(self, x: Dim, y: Dim) -> None:
        """x == y, solved for a name that occurs in one term only, on its own: n - 2 == m - 2 says n == m."""
        rest = self.canonical(x) - self.canonical(y)
        for monomial, c in rest.terms:
            if len(monomial) == 1 and abs(c) == 1 and sum(monomial[0] in other for other, _ in rest.terms) == 1:
                (name,) = monomial
                self.known[name] = (Dim.of(name) - rest) if c == 1 else (Dim.of(name) + rest)
                return

    def note(self, let: Let, types) -> None:
        """Learn from a statement that passes a value on under other dims."""
        if let.op.elements is PASSED and isinstance(let.args[0], str):
            for x, y in zip(types[let.args[0]].dims, types[let.name].dims):
                self.learn(x, y)
