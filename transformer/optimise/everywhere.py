"""What kernels compute at each place, instead of arrays of it: outer products, and what is for true elements of a mask.

    y = np.outer(a, b)                a_column = a[:, None]
                                      y = a_column * b
    p = np.flatnonzero(m)             t = 2 * x
    t = 2 * x[p]                      x_bar__1 = np.where(m, t, 0.0)
    x_bar = np.zeros((n,))
    x_bar__1 = rt.update(x_bar, t, p)

To find the true elements and to go by their places takes longer than some sums and products of all elements, of which
vectors of the processor make several at a time.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Atom, Const, Fun, Let, walk
from ..rules import OPS
from ..rules.kinds import Elementwise
from .rewriter import Rewriter

FEW = 8  # operations that take no longer than to go by places, however few elements are true


def everywhere(fun: Fun) -> Fun:
    ops = {stmt.op for stmt in walk(fun.body) if isinstance(stmt, Let)}
    return Everywhere(fun).run() if OPS["np.outer"] in ops or OPS["np.flatnonzero"] in ops else fun


class Everywhere(Rewriter):
    def let(self, let: Let) -> None:
        if let.op.name == "np.outer":
            a, b = let.args
            with self.b.at(let.origin):
                column = self.b.emit(OPS["getitem"], a, hint="column", index=(":", "n"))
            let = replace(let, op=OPS["multiply"], args=(column, b), params=())
        elif let.op.name == "rt.update" and let.param("index") == ("a",):
            let = self.where_true(let)
        self.emit(let)

    def where_true(self, let: Let) -> Let:
        zeros, value, at = let.args
        places, found, t = self.definition(at, "np.flatnonzero"), {}, self.types[let.name]
        if (places is None or not self.definition(zeros, "np.zeros") or self.types[places.args[0]].dims != t.dims
                or not t.is_float or not self.light(value, at, t, found)):
            return let
        whole: dict[Atom, Atom] = {}
        with self.b.at(let.origin):
            for name, step in found.items():
                args = [whole.get(a, a) for a in step.args]
                whole[name] = (self.b.emit(step.op, *args, hint=name, **dict(step.params))
                               if isinstance(step.op, Elementwise) else args[0])
        chosen = whole.get(value, value), Const(t.dtype.type(0))
        return replace(let, op=OPS["np.where"], args=(places.args[0], *chosen), params=())

    def light(self, value: Atom, at: Atom, t, found: dict[Atom, Let]) -> bool:
        """Are only a few light operations between a value and numbers, or elements at these places of arrays of type t?
        They are put in `found`, each after what it needs."""
        if value in found or not self.b.type(value).rank:
            return True
        step = self.definition(value)
        match step:
            case Let(op=op, args=(x, where)) if op.name == "getitem" and step.param("index") == ("a",):
                light = where == at and self.b.type(x) == t
            case Let(op=op, args=(x, *_)) if op.name == "np.broadcast_to":
                light = not self.b.type(x).rank
            case Let(op=Elementwise() as op, args=args):
                light = op.light and self.b.type(value).dtype == t.dtype and all(
                    [self.light(a, at, t, found) for a in args])
            case _:
                return False
        found[value] = step
        return light and len(found) <= FEW
