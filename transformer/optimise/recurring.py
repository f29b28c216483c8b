"""What an iteration computes last, and the next one first of all again, is handed on.

    x, going = x0, ...                        t = x0 * x0 - a
    while going:                              x, going, t = x0, ..., t
        t = x * x - a                         while going:
        u = 2.0 * x                               u = 2.0 * x
        x__1 = x - t / u                          x__1 = x - t / u
        t__1 = x__1 * x__1 - a                    t__1 = x__1 * x__1 - a
        going__1 = abs(t__1) > 1e-9               going__1 = abs(t__1) > 1e-9
        x, going = x__1, going__1                 x, going, t = x__1, going__1, t__1

Newton's method is written so: the test of a `while` asks for what the step then takes.  Only numbers of the
floating-point kinds, and what cannot raise, because it is computed once before the loop too.  For compiled code only: a
reader would look for the formula.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Atom, Block, For, Fun, Let, Stmt, While, all_bound, blocks_of, names_among, operands
from ..core.walking import updated
from ..rules.kinds import Elementwise
from .rewriter import Remembering


def recurring(fun: Fun) -> Fun:
    return Recurring(fun).run()


class Recurring(Remembering):
    known: dict[tuple, str]  # elementwise operations on arrays -> their names

    def let(self, let: Let) -> None:
        if isinstance(let.op, Elementwise) and self.types[let.name].rank == 1:
            self.known[value_key(let, let.args)] = let.name
        self.emit(let)

    def loop(self, stmt: For | While) -> None:
        stmt = updated(stmt, body=self.block(stmt.body))
        again = self.computed_again(stmt)
        handed = self.worth_it(stmt.body, again)
        if handed:
            first = dict(zip(stmt.carried, stmt.inits))
            for let in self.needed(stmt.body, handed, again):
                first[let.name] = self.computed_first(replace(let, args=tuple(first.get(a, a) for a in let.args)))
            body = Block(tuple(s for s in stmt.body.stmts
                               if not (isinstance(s, Let) and s.names[:1] and s.names[0] in handed)),
                         stmt.body.results + tuple(again[n] for n in handed))
            stmt = replace(stmt, carried=stmt.carried + handed,
                           inits=stmt.inits + tuple(first[n] for n in handed), body=body)
        self.emit(stmt)

    def computed_first(self, let: Let) -> str:
        """The value for the first iteration: an element, where the same is computed of whole arrays, as `vmap` does."""
        reads = [self.definition(a, "getitem") for a in let.args]
        whole = tuple(a if read is None else read.args[0] for a, read in zip(let.args, reads))
        read = next((read for read in reads if read), None)
        array = self.known.get(value_key(let, whole))
        if array and all(r is None or r.param("index") == ("i",) and r.args[1] == read.args[1] for r in reads):
            element = replace(read, args=(array, read.args[1]))
            if element.op.infer(self.b, element.args, dict(element.params)) == (self.types[let.name],):
                let = element
        name = self.b.fresh(let.name, self.types[let.name])
        self.emit(replace(let, names=(name,)))
        return name

    def computed_again(self, stmt: For | While) -> dict[str, str]:
        """{name: what the body calls the value that it will have in the next iteration}"""
        nexts: dict[Atom, Atom] = dict(zip(stmt.carried, stmt.body.results))
        inside = {*all_bound(stmt.body), *([stmt.index] if isinstance(stmt, For) else [])} - nexts.keys()
        lets = [s for s in stmt.body.stmts if isinstance(s, Let) and self.may_be(s)]
        known = {value_key(let, let.args): let.name for let in lets}
        again: dict[str, str] = {}
        for let in lets:
            if nexts.keys().isdisjoint(let.args) or not inside.isdisjoint(names_among(let.args)):
                continue
            later = known.get(value_key(let, tuple(nexts.get(a, a) for a in let.args)))
            if later is not None and later != let.name and self.types[later] == self.types[let.name]:
                nexts[let.name] = again[let.name] = later
                inside.discard(let.name)
        return again

    def may_be(self, let: Let) -> bool:
        if not isinstance(let.op, Elementwise) or let.op.effect or len(let.names) != 1:
            return False
        t = self.types[let.name]
        return t.is_float and (t.kind == "np" or t.kind == "py" and let.op.light)

    def worth_it(self, body: Block, again: dict[str, str]) -> tuple[str, ...]:
        """Of these, the ones to hand on: what is read elsewhere and takes more than
        one operation on numbers at hand."""
        if not again:
            return ()
        read: set[str] = set(names_among(body.results))
        cost: dict[str, int] = {}
        for stmt in body.stmts:
            name = stmt.name if isinstance(stmt, Let) and len(stmt.names) == 1 else None
            if name in again:
                cost[name] = (1 if stmt.op.light else 10) + sum(cost.get(a, 0) for a in names_among(stmt.args))
            else:
                read |= names_read_within(stmt)
        return tuple(n for n in again if n in read and cost[n] > 1)

    def needed(self, body: Block, handed: tuple[str, ...], again: dict[str, str]) -> list[Let]:
        """The statements that compute what is handed on, in order."""
        wanted, found = set(handed), []
        for stmt in reversed(body.stmts):
            if isinstance(stmt, Let) and stmt.names[:1] and stmt.names[0] in wanted:
                found.append(stmt)
                wanted |= {a for a in names_among(stmt.args) if a in again}
        return found[::-1]


def value_key(let: Let, args: tuple[Atom, ...]):
    return let.op, frozenset(args) if let.op.commutes else args, let.params


def names_read_within(stmt: Stmt) -> set[str]:
    """All names that a statement reads, its blocks included."""
    found = set(names_among(operands(stmt)))
    for block in blocks_of(stmt):
        found |= set(names_among(block.results)).union(*map(names_read_within, block.stmts))
    return found
