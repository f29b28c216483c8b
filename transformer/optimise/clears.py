"""Zeros that a loop stores in the end, where the next iteration adds, are stored there.

    y_bar__1 = np.zeros((n,), dtype=np.float64)     y_bar__1 = np.zeros((n,), dtype=np.float64)
    for k in range(0, m, 1):                        for k in range(0, m, 1):
        y_bar__2 = rt.update_add(y_bar__1, ...)         y_bar__4 = rt.update(y_bar__1, 0.0, np.s_[1:-1])
        t = y_bar__2[1:-1]                              y_bar__2 = rt.update_add(y_bar__4, ...)
        y_bar__3 = rt.update(y_bar__2, 0.0, ...)        t = y_bar__2[1:-1]
        y_bar__1 = y_bar__3                             y_bar__1 = y_bar__2
                                                    y_bar__5 = rt.update(y_bar__1, 0.0, np.s_[1:-1])

The loops that store the sums then begin them with zero, where the adjoint of a stencil would go through the array once
more.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Block, Const, For, Fun, Let, While, read_counts
from .rewriter import Rewriter
from .simplify import is_zero


def clears(fun: Fun) -> Fun:
    return Clears(fun).run()


class Clears(Rewriter):
    def loop(self, stmt: For | While) -> None:
        if not isinstance(stmt, For):
            return super().loop(stmt)
        found = self.cleared_at_end(stmt)
        if not found:
            return super().loop(stmt)
        body, results = [], list(stmt.body.results)
        last = {id(clear) for clear, _ in found.values()}
        first = {id(reader): name for name, (_, reader) in found.items()}
        for inner in stmt.body.stmts:
            if id(inner) in first:
                name = first[id(inner)]
                clear = self.cleared(found[name][0], name)
                body.append(clear)
                inner = replace(inner, args=(clear.name, *inner.args[1:]))
            if id(inner) not in last:
                body.append(inner)
        for name, (clear, _) in found.items():
            results[stmt.carried.index(name)] = clear.args[0]
        super().loop(replace(stmt, body=Block(tuple(body), tuple(results))))
        for name, (clear, _) in found.items():
            again = self.cleared(clear, name)
            self.emit(again)
            self.alias(name, again.name)

    def cleared(self, clear: Let, array: str) -> Let:
        return replace(clear, names=(self.b.fresh(array, self.types[array]),), args=(array, *clear.args[1:]))

    def cleared_at_end(self, stmt: For) -> dict[str, tuple[Let, Let]]:
        """{what a loop carries: (the store of zeros that is its last, the sum that reads it first)}"""
        made = {s.name: s for s in stmt.body.stmts if isinstance(s, Let) and len(s.names) == 1}
        candidates = [(c, made[after]) for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results)
                      if self.definition(init, "np.zeros") and after in made and is_clear(made[after])]
        if not candidates:
            return {}
        counts = read_counts(stmt.body)
        first = {s.args[0]: s for s in made.values() if s.op.name == "rt.update_add" and has_slices(s)}
        return {c: (clear, first[c]) for c, clear in candidates if counts[clear.name] == counts[c] == 1 and c in first}


def is_clear(let: Let) -> bool:
    """A store of zeros at places that are the same in each iteration?"""
    return (let.op.name == "rt.update" and is_zero(let.args[1]) and has_slices(let)
            and all(isinstance(a, Const) for a in let.args[2:]))


def has_slices(let: Let) -> bool:
    """Does a store name a part of as many axes as the array has?"""
    return all(code == ":" or code[0] == "s" for code in let.param("index"))
