"""Array work that a loop repeats unchanged is done once, before it.

    for i in range(0, n, 1):              t = np.exp(b)
        t = np.exp(b)                     for i in range(0, n, 1):
        s__2 = s__1 + t                       s__2 = s__1 + t

Only what cannot raise moves, because the loop may not run at all; arithmetic on numbers stays where the user wrote
it, because a compiler moves it anyway.  Allocations stay: each iteration may store into its own.
"""
from __future__ import annotations

from ..core import For, Fun, Let, Stmt, While, bound, names_in
from ..rules.kinds import Bilinear, Elementwise
from .rewriter import Rewriter, same_or_new, updated

SAFE = {"np.transpose", "np.broadcast_to", "np.sum", "np.mean", "np.outer"}


def hoist(fun: Fun) -> Fun:
    return Hoist(fun).run()


class Hoist(Rewriter):
    def loop(self, stmt: For | While) -> None:
        body = self.block(stmt.body)
        inside = {*stmt.carried, *([stmt.index] if isinstance(stmt, For) else [])}
        stays: list[Stmt] = []
        for inner in body.stmts:
            if isinstance(inner, Let) and self.may_move(inner) and not self.reads(inner) & inside:
                self.emit(inner)
            else:
                stays.append(inner)
                inside |= set(bound(inner))
        self.emit(updated(stmt, body=same_or_new(body, stays, body.results)))

    def reads(self, let: Let) -> set[str]:
        dims = {n for name in let.names for d in self.types[name].dims for n in d.names}
        return set(names_in(let.args)) | dims

    def may_move(self, let: Let) -> bool:
        if not any(self.types[a].kind == "array" for a in names_in(let.args)):
            return False
        if isinstance(let.op, Elementwise):
            return all(self.types[n].is_float or self.types[n].dtype.kind == "b" for n in let.names)
        return isinstance(let.op, Bilinear) or let.op.name in SAFE
