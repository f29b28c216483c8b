"""In loops, derivatives multiply by reciprocals, which need not wait for what is divided.

    x_dot__1 = t_dot / q                      r = 1.0 / q
    y_dot__1 = u_dot / q                      x_dot__1 = t_dot * r
                                              y_dot__1 = u_dot * r

A tangent or cotangent waits for that of the iteration before; a division on this way takes three times as long as a
product. The function's own values are divided as NumPy divides them. The same for slopes of norms, which divide by a
root; there its reciprocal is nan where the root is 0, and `rt.times` lets a zero count for more than that.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Const, For, Fun, Let, While
from ..rules import OPS
from ..rules.norms import BY_RECIPROCAL
from .rewriter import Remembering


def reciprocals(fun: Fun) -> Fun:
    return Reciprocals(fun).run()


class Reciprocals(Remembering):
    known: dict[tuple, str]  # a number, what gives its reciprocal, and a type -> the reciprocal of that type

    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.loops = 0
        self.roots: set[str] = set()  # of float numbers, whose reciprocals are finite: a root is 0 or at least 1e-162

    def loop(self, stmt: For | While) -> None:
        self.loops += 1
        super().loop(stmt)
        self.loops -= 1

    def let(self, let: Let) -> None:
        if let.op.name in ("np.sqrt", "math.sqrt"):
            self.roots.add(let.name)
        self.emit(self.product(let) or let)

    def product(self, let: Let) -> Let | None:
        if not self.loops or let.op.name not in BY_RECIPROCAL or not (let.origin and let.origin.derivative):
            return None
        x, q = let.args
        t = self.types[let.name]
        if not isinstance(q, str) or isinstance(x, Const) or t.rank:
            return None
        if let.op.name != "divide" and (q not in self.roots or t.dtype.kind == "c"):
            return None
        inverse, multiply = [OPS[name] for name in BY_RECIPROCAL[let.op.name]]
        key = q, inverse, t
        if key not in self.known:
            one = replace(let, op=inverse, args=(Const(1.0 if t.kind == "py" else t.dtype.type(1)), q))
            if one.op.infer(self.b, one.args, {}) != (t,):
                return None
            self.known[key] = self.b.fresh("r", t)
            self.emit(replace(one, names=(self.known[key],)))
        return replace(let, op=multiply, args=(x, self.known[key]))
