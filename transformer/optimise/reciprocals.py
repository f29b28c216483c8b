"""In loops, derivatives multiply by reciprocals, which need not wait for what is divided.

    x_dot__1 = t_dot / q                      r = 1.0 / q
    y_dot__1 = u_dot / q                      x_dot__1 = t_dot * r
                                              y_dot__1 = u_dot * r

A tangent or cotangent waits for that of the iteration before; a division on this way takes three times as long as a
product, and each element of a small array with it. So do divisions of arrays by the same array, as in the gradient of a
quotient. The function's own values are divided as NumPy divides them, but for those that nothing reads any more but a
product in the derivative, which rounds anyway. What is new here is for float64, of which no number that anybody divides
by has an infinite reciprocal. The same for slopes of norms, which divide by a root; there its reciprocal is nan where
the root is 0, and `rt.times` lets a zero count for more than that.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ..core import Atom, Const, For, Fun, Let, While, blocks_of, operands, walk
from ..core.types import Type
from ..rules import OPS
from ..rules.norms import BY_RECIPROCAL
from .rewriter import Remembering
from .simplify import is_derivative


def reciprocals(fun: Fun) -> Fun:
    return Reciprocals(fun).run()


def factors_of_derivatives(fun: Fun) -> set[str]:
    """The names that nothing reads but products in derivatives."""
    found, others = set(), set(fun.body.results)
    for stmt in walk(fun.body):
        is_product = isinstance(stmt, Let) and stmt.op.name == "multiply" and is_derivative(stmt)
        (found if is_product else others).update(operands(stmt))
        others.update(*(b.results for b in blocks_of(stmt)))
    return found - others


class Reciprocals(Remembering):
    known: dict[tuple, str]  # a divisor, what gives its reciprocal, and a type -> the reciprocal of that type

    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.loops = 0
        self.factors = factors_of_derivatives(fun)
        self.roots: set[str] = set()  # of float numbers, whose reciprocals are finite: a root is 0 or at least 1e-162
        self.divisions = Counter(s.args[1] for s in walk(fun.body) if isinstance(s, Let) and self.rounds(s))

    def rounds(self, let: Let) -> bool:
        """Is it a division in a derivative, or for one?"""
        return (let.op.name in BY_RECIPROCAL and is_derivative(let)
                or let.op.name == "divide" and let.name in self.factors)

    def loop(self, stmt: For | While) -> None:
        self.loops += 1
        super().loop(stmt)
        self.loops -= 1

    def let(self, let: Let) -> None:
        if let.op.name in ("np.sqrt", "math.sqrt"):
            self.roots.add(let.name)
        self.emit(self.product(let) or let)

    def product(self, let: Let) -> Let | None:
        if not self.rounds(let) or not self.is_worth(let, *let.args):
            return None
        x, q = let.args
        r = self.reciprocal(let, q, self.type_of_reciprocal(let, q))
        return r and replace(let, op=OPS[BY_RECIPROCAL[let.op.name][1]], args=(x, r))

    def type_of_reciprocal(self, let: Let, q: str) -> Type:
        t, own = self.types[let.name], self.types[q]
        if own.rank:
            return replace(own, dtype=t.dtype)
        return t.scalar() if t.rank else t

    def reciprocal(self, let: Let, q: str, t: Type) -> str | None:
        inverse = OPS[BY_RECIPROCAL[let.op.name][0]]
        if (q, inverse, t) not in self.known:
            one = replace(let, op=inverse, args=(Const(1.0 if t.kind == "py" else t.dtype.type(1)), q))
            if one.op.infer(self.b, one.args, {}) != (t,):
                return None
            self.known[q, inverse, t] = self.b.fresh("r", t)
            self.emit(replace(one, names=(self.known[q, inverse, t],)))
        return self.known[q, inverse, t]

    def is_worth(self, let: Let, x: Atom, q: Atom) -> bool:
        """By a number in a loop, or several by one array."""
        if not isinstance(q, str) or isinstance(x, Const):
            return False
        t, is_array = self.types[let.name], self.types[q].rank > 0
        if not is_array and not t.rank and is_derivative(let):
            return self.loops > 0 and (let.op.name == "divide" or q in self.roots and t.dtype.kind != "c")
        several = self.divisions[q] > 1 if is_array else self.loops > 0
        return several and let.op.name == "divide" and t.dtype == np.float64
