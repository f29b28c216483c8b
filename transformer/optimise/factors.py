"""Systems of equations with one matrix, or with its transpose, share the factors of it.

    x = np.linalg.solve(a, b)                 factors, rows = rt.factorise(a)
    t = np.transpose(a, axes=(1, 0))          x = rt.substitute(factors, rows, b)
    y = np.linalg.solve(t, g)                 t = np.transpose(a, axes=(1, 0))
                                              y = rt.substitute(factors, rows, g, transposed=True)

A system and its derivatives are such.  `Host.parts` says which operations have factors, and of what.  For compiled code
only: a reader wants to see the systems.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..core import Fun, Let, walk
from ..rules.host import Host
from .rewriter import Remembering


def factors(fun: Fun) -> Fun:
    lets = [s for s in walk(fun.body) if isinstance(s, Let)]
    return Factors(fun, lets).run() if any(has_parts(let) for let in lets) else fun


def has_parts(let: Let) -> bool:
    return isinstance(let.op, Host) and bool(let.op.parts)


class Factors(Remembering):
    known: dict[tuple, tuple[str, ...]]  # (what factorises, a matrix) -> its factors

    def __init__(self, fun: Fun, lets: list[Let]):
        super().__init__(fun)
        self.transposed = {let.name: let.args[0] for let in lets if is_transpose(let)}
        self.systems = Counter([self.transposed.get(let.args[0], let.args[0]) for let in lets if has_parts(let)])

    def let(self, let: Let) -> None:
        self.emit(self.substitution(let) if has_parts(let) else let)

    def substitution(self, let: Let) -> Let:
        factorise, straight, turned = let.op.parts
        key, op = (factorise, let.args[0]), straight
        source = self.transposed.get(let.args[0])
        if source is not None and let.origin and let.origin.derivative and (factorise, source) in self.known:
            key, op = (factorise, source), turned  # where the user factorises the transpose rounding differs
        if key not in self.known:
            dtypes = {self.b.type(a).dtype for a in (*let.names, *let.args)}
            if self.systems[source or let.args[0]] < 2 or len(dtypes) > 1:
                return let
            with self.b.at(let.origin):
                self.known[key] = self.b.emit(factorise, let.args[0], hint="factors")
        return replace(let, op=op, args=(*self.known[key], *let.args[1:]))


def is_transpose(let: Let) -> bool:
    """Does it exchange the last two axes, and leave the others?"""
    axes = let.param("axes", ()) if let.op.name == "np.transpose" else ()
    return len(axes) > 1 and axes == (*range(len(axes) - 2), len(axes) - 1, len(axes) - 2)
