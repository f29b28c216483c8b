"""Sums over devices that do not wait for each other go together: one message for what is small, and not one for each.

    a = rt.psum(axis, x)                      t = y * y
    b = a / 2.0                               a, c = rt.psums(axis, x, t)
    t = y * y                    ->           b = a / 2.0
    c = rt.psum(axis, t)

What needs a sum comes after all of them; of what may raise, all stays in its order.  Devices run the same text, so all
of them do it.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analyse.raising import Raising
from ..core import Block, Fun, Let, Stmt, bound, walk
from ..library.devices import PSUM, PSUMS
from .rewriter import Rewriter
from .units import has_effect, needs


@dataclass
class SumGroup:
    """Sums that go together: `since` is all from the first on, `before` what needs none of them, `after` what does."""

    sums: list[Let] = field(default_factory=list)
    since: list[Stmt] = field(default_factory=list)
    before: list[Stmt] = field(default_factory=list)
    after: list[Stmt] = field(default_factory=list)
    names: set[str] = field(default_factory=set)  # that need them
    raises: bool = False  # may something raise in what comes after?

    def takes(self, stmt: Stmt, types) -> bool:
        return (is_sum(stmt) and not self.names & needs(stmt)
                and (not self.sums or key_of(stmt, types) == key_of(self.sums[0], types)))

    def add(self, stmt: Stmt, raises: bool) -> None:
        self.since.append(stmt)
        waits = bool(self.names & needs(stmt)) or raises and self.raises
        self.raises |= raises and waits
        (self.sums if is_sum(stmt) else self.after if waits else self.before).append(stmt)
        if is_sum(stmt) or waits:
            self.names |= set(bound(stmt))

    def joined(self) -> list[Stmt]:
        if len(self.sums) < 2:
            return self.since
        first = self.sums[0]
        names, operands = [let.name for let in self.sums], [let.args[1] for let in self.sums]
        of_all = replace(first, names=tuple(names), op=PSUMS, args=(first.args[0], *operands))
        return [*self.before, of_all, *self.after]


def is_sum(stmt: Stmt) -> bool:
    return isinstance(stmt, Let) and stmt.op is PSUM


def key_of(let: Let, types) -> tuple:
    return let.args[0], types[let.name].dtype


def together(fun: Fun) -> Fun:
    return Together(fun).run()


class Together(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.raising = Raising(fun)

    def raises(self, stmt: Stmt) -> bool:
        return not is_sum(stmt) and any([isinstance(s, Let) and self.raising.may(s) for s in walk(Block((stmt,)))])

    def statements(self, block: Block) -> None:
        super().statements(Block(self.joined(block), block.results))

    def joined(self, block: Block) -> tuple[Stmt, ...]:
        if sum(map(is_sum, block.stmts)) < 2:
            return block.stmts
        out, group = [], SumGroup()
        for stmt in block.stmts:
            if group.takes(stmt, self.types) or group.sums and not has_effect(stmt):
                group.add(stmt, self.raises(stmt))
                continue
            out += group.joined()
            group = SumGroup()
            if group.takes(stmt, self.types):
                group.add(stmt, False)
            else:
                out.append(stmt)
        return (*out, *group.joined())
