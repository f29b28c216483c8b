"""Zeros are stored where the sums begin that are added to them, also by the next iteration of a loop.

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

from ..core import Atom, Block, Const, For, Fun, Let, While, all_bound, read_counts, walk
from ..rules.kinds import dim_atom
from .rewriter import Rewriter
from .simplify import is_zero


def clears(fun: Fun) -> Fun:
    return Clears(fun).run()


class Clears(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.b.note_polynomials(walk(fun.body))
        self.waiting: dict[str, Let] = {}  # what is cleared and then only added to

    def statements(self, block: Block) -> None:
        cleared = {s.name: s for s in block.stmts if isinstance(s, Let) and is_clear(s)}
        if cleared:
            counts, sums = read_counts(block), first_sums(block)
            self.waiting |= {name: s for name, s in cleared.items() if name in sums and counts[name] == 1}
        super().statements(block)

    def let(self, let: Let) -> None:
        if len(let.names) == 1 and let.name in self.waiting:
            self.waiting[let.name] = let
            return
        if let.op.name == "rt.update_add" and let.args[0] in self.waiting:
            self.emit(self.waiting.pop(let.args[0]))
        self.emit(let)

    def loop(self, stmt: For | While) -> None:
        found = self.cleared_at_end(stmt) if isinstance(stmt, For) else {}
        if not found:
            return super().loop(stmt)
        results = list(stmt.body.results)
        for name, (clear, _) in found.items():
            results[stmt.carried.index(name)] = clear.args[0]
        last = {id(clear) for clear, _ in found.values()}
        first = {id(reader): name for name, (_, reader) in found.items()}
        with self.b.block() as body:
            for inner in stmt.body.stmts:
                if id(inner) in first:
                    name = first[id(inner)]
                    inner = replace(inner, args=(self.cleared(found[name][0], name), *inner.args[1:]))
                if id(inner) not in last:
                    self.b.append(inner)
        super().loop(replace(stmt, body=Block(tuple(body), tuple(results))))
        for name, (clear, _) in found.items():
            self.alias(name, self.cleared(clear, name))

    def cleared(self, clear: Let, array: str) -> str:
        """The array with these zeros, at a place where what is computed in the loop is not known."""
        name = self.b.fresh(array, self.types[array])
        places = [a if isinstance(a, Const) else dim_atom(self.b, self.b.dim(a)) for a in clear.args[2:]]
        self.emit(replace(clear, names=(name,), args=(array, clear.args[1], *places)))
        return name

    def cleared_at_end(self, stmt: For) -> dict[str, tuple[Let, Let]]:
        """{what a loop carries: (the store of zeros that is its last, the sum that reads it first)}"""
        made = {s.name: s for s in stmt.body.stmts if isinstance(s, Let) and len(s.names) == 1}
        candidates = [(c, made[after]) for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results)
                      if self.definition(init, "np.zeros") and after in made and is_clear(made[after])]
        if not candidates:
            return {}
        counts, sums = read_counts(stmt.body), first_sums(stmt.body)
        inside = {stmt.index, *stmt.carried, *all_bound(stmt.body)}
        return {c: (clear, sums[c]) for c, clear in candidates if counts[clear.name] == counts[c] == 1 and c in sums
                and all(self.is_known(a, inside) for a in clear.args[2:])}

    def is_known(self, place: Atom, inside: set[str]) -> bool:
        """Is a place the same in each iteration of a loop that binds these names?"""
        return isinstance(place, Const) or self.b.dim(place).names.isdisjoint(inside)


def first_sums(block: Block) -> dict[str, Let]:
    """{an array: the statement of a block that adds to a part of it}"""
    return {s.args[0]: s for s in block.stmts if isinstance(s, Let) and s.op.name == "rt.update_add" and has_slices(s)}


def is_clear(let: Let) -> bool:
    """Does it store zeros into a part of as many axes as the array has?"""
    return let.op.name == "rt.update" and is_zero(let.args[1]) and has_slices(let)


def has_slices(let: Let) -> bool:
    return all(code == ":" or code[0] == "s" for code in let.param("index"))
