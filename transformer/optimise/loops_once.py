"""What a loop computes is not computed again by another loop, as by the forward sweeps of several derivatives.

    s = 0.0                                  s = 0.0
    for i in range(0, n, 1):                 tape = np.empty((n,))
        s = s * x + i                        for i in range(0, n, 1):
    tape, t = np.empty((n,)), 0.0                tape = rt.update(tape, s, np.s_[i])
    for i in range(0, n, 1):                     s = s * x + i
        tape = rt.update(tape, t, np.s_[i])  return (s, tape)
        t = t * x + i
    return (s, tape)

The second loop comes from the same place of the user's text, runs as often, and carries a float that the first does:
what it carries besides joins the first, if that can be computed there already.  Two names of one loop that are always
equal are one.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analyse.likeness import mentioned_names, origin_place
from ..analyse.numbers import NumberedLoop, ValueNumbers
from ..analyse.raising import Raising
from ..core import Block, For, Fun, Let, Stmt, While, all_bound, bound, walk
from ..core.types import PY_BOOL
from .cse import cse
from .dce import is_check
from .rewriter import Rewriter


def loops_once(fun: Fun) -> Fun:
    while may_be_equal(fun):
        numbers = ValueNumbers(fun)
        join = Joins(fun, numbers).first()
        if join is None:
            one = OfOne(fun, numbers).run()
            return fun if one is fun else cse(one)
        fun = cse(Joined(fun, join).run())
    return fun


def may_be_equal(fun: Fun) -> bool:
    """Are there loops from one place of the text, or a loop with names that may be equal?"""
    loops = [s for s in walk(fun.body) if isinstance(s, For | While)]
    places = {origin_place(s.origin) for s in loops}
    return len(places) < len(loops) or any(map(lambda loop: may_agree(fun, loop), loops))


def may_agree(fun: Fun, loop: For | While) -> bool:
    seen = [(fun.types[c], init if fun.types[c].kind in ("py", "np") else None)
            for c, init in zip(loop.carried, loop.inits) if fun.types[c] != PY_BOOL]
    return len(set(seen)) < len(seen)


@dataclass
class LoopJoin:
    """first, second  the loops that become one
    same   {a name of the second: the equal one of the first}
    more   what the second carries besides, and `extra`, the statements of its body that compute it: {one: how many
           statements of the first stand before it}
    moved  statements between the two that have to stand before the first
    """

    first: For | While
    second: For | While
    same: dict[str, str]
    more: list[str] = field(default_factory=list)
    extra: list[tuple[Stmt, int]] = field(default_factory=list)
    moved: list[Stmt] = field(default_factory=list)


class Joins:
    """Looks for loops to join."""

    def __init__(self, fun: Fun, numbers: ValueNumbers):
        self.fun, self.numbers, self.raising = fun, numbers, Raising(fun)

    def first(self) -> LoopJoin | None:
        return self.within(self.fun.body, [])

    def within(self, block: Block, around: list[For | While]) -> LoopJoin | None:
        """`around`: the loops before the block, in the blocks that it is in."""
        sight = list(around)
        for at, stmt in enumerate(block.stmts):
            if isinstance(stmt, For | While):
                loop = self.numbers.loops[id(stmt)]
                if loop.like and any(s is loop.like.stmt for s in sight):
                    if join := self.join(loop, block.stmts[:at]):
                        return join
                inner = (stmt.body,)
            else:
                inner = () if isinstance(stmt, Let) else (stmt.then, stmt.orelse)
            for body in inner:
                if join := self.within(body, sight):
                    return join
            if isinstance(stmt, For | While):
                sight.append(stmt)
        return None

    def join(self, loop: NumberedLoop, before: tuple[Stmt, ...]) -> LoopJoin | None:
        first, second = loop.like.stmt, loop.stmt
        extra = self.extra(loop)
        join = LoopJoin(first, second, self.same(loop, extra), [c for c in second.carried if c not in loop.pairs],
                        extra)
        if not all([self.silent(s) for s, _ in join.extra]):
            return None
        if not join.more:
            join.extra = []
            return join
        at = next((k for k, s in enumerate(before) if s is first), None)
        if at is None or not any([self.fun.types[c].is_float for c in loop.pairs]):
            return None
        self.raising.sure = self.raising.facts.places(Block(before[:at]))
        join.moved = self.to_move(self.needs(join), first, before[at + 1:])
        self.raising.sure = frozenset()
        return None if join.moved is None else join

    def needs(self, join: LoopJoin) -> set[str]:
        """What is bound outside of the second loop of which its part of the joined loop is made."""
        second, types = join.second, self.fun.types
        needs = {i for c, i in zip(second.carried, second.inits) if c in join.more}
        needs |= {n for c in join.more for n in types[c].names}
        needs |= {n for stmt, _ in join.extra for s in walk(Block((stmt,))) for n in mentioned_names(s, types)}
        return needs - {*all_bound(second.body), *second.carried, *([second.index] if isinstance(second, For) else ())}

    def same(self, loop: NumberedLoop, extra: list[tuple[Stmt, int]]) -> dict[str, str]:
        """{names in the second loop, and of it: those of the first that are equal}

        What an inner loop carries has its name in each of its rounds, too, where it is equal to nothing of the first:
        a loop that stays keeps its names.
        """
        names, first, second = self.numbers.names, loop.like.stmt, loop.stmt
        there = {names[n]: n for s in reversed(first.body.stmts) for n in bound(s)}
        stays = [s for s, _ in extra if isinstance(s, For | While)]
        same = {n: there[names[n]] for s in second.body.stmts if s not in stays
                for n in bound(s) if names[n] in there} | loop.pairs
        return same | ({second.index: first.index} if isinstance(second, For) else {})

    def extra(self, loop: NumberedLoop) -> list[tuple[Stmt, int]]:
        """What the second loop does and the first does not, and where it may stand: as early as in the second."""
        names, stmts = self.numbers.names, self.numbers.stmts
        does = {stmts[id(s)]: k for k, s in enumerate(loop.like.stmt.body.stmts)}
        gives = {names[n]: k for k, s in enumerate(loop.like.stmt.body.stmts) for n in bound(s)}
        extra, at = [], 0
        for stmt in loop.stmt.body.stmts:
            places = [gives[names[n]] for n in bound(stmt) if names[n] in gives]
            if stmts[id(stmt)] in does:
                places.append(does[stmts[id(stmt)]])
            elif len(places) < len(bound(stmt)) or not self.silent(stmt):
                extra.append((stmt, max([at, *[k + 1 for k in places]])))
            at = max([at, *[k + 1 for k in places]])
        return extra

    def silent(self, stmt: Stmt) -> bool:
        """Is it not missed where nothing reads what it gives, and does it always end?"""
        return not any([(s.op.effect or is_check(s) or self.fun.whole and self.raising.may(s)) if isinstance(s, Let)
                        else self.fun.whole and isinstance(s, While) for s in walk(Block((stmt,)))])

    def to_move(self, needs: set[str], first: For | While, between: tuple[Stmt, ...]) -> list[Stmt] | None:
        """The statements between the loops that compute this; None where one cannot stand before the first."""
        moved = []
        for stmt in reversed(between):
            if not needs.isdisjoint(bound(stmt)):
                if not isinstance(stmt, Let) or stmt.op.effect or self.raising.may(stmt):
                    return None
                needs |= set(mentioned_names(stmt, self.fun.types))
                moved.append(stmt)
        return moved[::-1] if needs.isdisjoint(first.carried) else None


class Joined(Rewriter):
    """The function with two loops as one."""

    def __init__(self, fun: Fun, join: LoopJoin):
        super().__init__(fun)
        self.join, self.moved = join, {n for s in join.moved for n in s.names}
        for name, other in join.same.items():
            self.alias(name, other)

    def let(self, let: Let) -> None:
        if self.moved.isdisjoint(let.names):
            self.emit(let)

    def loop(self, stmt: For | While) -> None:
        join = self.join
        if stmt.carried == join.first.carried:
            self.both(stmt)
        elif stmt.carried != join.second.carried:
            super().loop(stmt)

    def both(self, stmt: For | While) -> None:
        join, second = self.join, self.join.second
        for let in join.moved:
            self.emit(self.renamed(let))
        own = {c: pair for c, *pair in zip(second.carried, second.inits, second.body.results) if c in join.more}
        with self.b.block() as stmts:
            for k in range(len(stmt.body.stmts) + 1):
                self.statements(Block((*[s for s, at in join.extra if at == k], *stmt.body.stmts[k:k + 1])))
        nexts = self.atoms((*stmt.body.results, *[after for _, after in own.values()]))
        inits = self.atoms(tuple([init for init, _ in own.values()]))
        self.emit(replace(stmt, carried=(*stmt.carried, *own), inits=(*stmt.inits, *inits),
                          body=Block(tuple(stmts), nexts)))


class OfOne(Rewriter):
    """The function with one name for what a loop carries twice; flags stay apart, as readable source has the user's
    `break` and `return` of them."""

    def __init__(self, fun: Fun, numbers: ValueNumbers):
        super().__init__(fun)
        self.headers = {loop.stmt.carried: loop.headers for loop in numbers.loops.values()}

    def loop(self, stmt: For | While) -> None:
        firsts: dict[int, str] = {}
        for c, number in self.headers[stmt.carried].items():
            first = firsts.setdefault(number, c)
            if first != c and self.types[first] == self.types[c] != PY_BOOL:
                self.alias(c, first)
        stay = [k for k, c in enumerate(stmt.carried) if c not in self.aliases]
        if len(stay) == len(stmt.carried):
            return super().loop(stmt)
        carried, inits, nexts = (tuple([x[k] for k in stay]) for x in (stmt.carried, stmt.inits, stmt.body.results))
        stmt = replace(stmt, carried=carried, inits=inits, body=Block(stmt.body.stmts, nexts))
        super().loop(replace(stmt, test=self.atom(stmt.test)) if isinstance(stmt, While) else stmt)
