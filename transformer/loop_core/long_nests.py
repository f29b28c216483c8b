"""Loops with much to do, for threads to share: the loops of lowering, and a user's own.

    for i in range(n):                            if n * 21 > LONG:
        y[i] = 2.0 * x[i]           ->                for i in range(n):  [shared]
                                                          y[i] = 2.0 * x[i]
                                                  else:
                                                      for i in range(n):
                                                          y[i] = 2.0 * x[i]

What threads of a GPU could do, those of a CPU can (`nests.py`), and reductions are taken in the same two stages
(`partials.py`): lowering's own sums have the blocks that they have in one thread, and are the same to the bit.  All
this is in a program of its own (`Lowered.threads`), which takes over from the one for a single thread where that sees
at its beginning (`short_condition`) that there is so much to do.  What is stored into is made in the function, or is an
argument that overlaps neither itself nor what the loop reads.
"""
from __future__ import annotations

import functools
import itertools
import operator
from collections import Counter
from dataclasses import replace

from .coalesce import coalesced
from .core import (BOOL, I8, ONE, Alloc, Assign, Binary, Call, Check, Copy, Do, Expr, Function, If, Length, Load, Loop,
                   Name, Num, Share, Stmt, Store, While, expr, integer, rp)
from .facts import Arrays, loads, meanings, replaced, walk_loops
from .nests import Nests
from .partials import staged
from .rounds import loop_trip_count
from .stops import may_stop
from .walking import blocks, bound_by, mapped, names_bound, names_in, names_read, reads

LONG = 2_400_000  # work, as `work` counts it, for which threads pay: 15 us of vectors
FUNCTION = 40  # the work of an elementary function, in additions
LEAST = 48  # that of a round: much of it waits for memory, and loops over the same arrays are to be shared alike
ROUNDS = 4  # of a loop of which nothing is known
DEEPEST, LARGEST = 5, 250  # loops in each other, and statements, of functions in which such loops are looked for
GRAIN, FEW = 256, 16  # iterations that one vector instruction computes are fewer; rounds that a compiler writes out


def for_many_threads(f: Function, ranks: dict[str, int], fresh) -> Function:
    """A function in which threads share what has much to do.

    ranks  of the parameters that are arrays
    """
    return shared_nests(f, ranks, fresh)[0]


def short_condition(f: Function, ranks: dict[str, int]) -> Expr | None:
    """A condition, at the beginning of a function, that there is little to do in the loops that threads would share;
    None where that cannot be said there, or holds always."""
    names = itertools.count()
    _, found = shared_nests(f, ranks, lambda hint: f"{hint}__{next(names)}")
    meant = meanings(f.body)
    once = {n for n, count in Counter(n.id for s in walk_loops(f.body) for n in bound_by(s)).items() if count == 1}
    known = {p.id for p in f.params} | names_bound(first_checks(f)) & once
    said: dict[Expr, None] = {}
    for works in found:
        works = least_works([replaced(work, meant) for work in works])
        if not any(loads(work) or any(n.id not in known for n in names_in(work)) for work in works):
            said[functools.reduce(operator.or_, [work <= LONG for work in works])] = None
    return functools.reduce(operator.and_, said) if said else None


def first_checks(f: Function) -> tuple[Stmt, ...]:
    """The statements before anything is computed or made: lengths, and checks."""
    return tuple(itertools.takewhile(is_first, f.body))


def is_first(stmt: Stmt) -> bool:
    return (isinstance(stmt, Check) or isinstance(stmt, Do) and stmt.call.function == "rs.check_sizes"
            or isinstance(stmt, Assign) and is_length(stmt.value))


def is_length(e: Expr) -> bool:
    """A length, or what sums and products make of some: it is known whatever the elements are, and raises nothing."""
    match e:
        case Length() | Name():
            return e.dtype == I8
        case Binary("+" | "-" | "*", x, y):
            return is_length(x) and is_length(y)
    return integer(e) is not None


def shared_nests(f: Function, ranks, fresh) -> tuple[Function, list[list[Expr]]]:
    """The function with loops that threads share where they have much to do, and for each how much it, and those that
    are shared with it, have to do."""
    if not is_looked_through(f):
        return f, []
    f = coalesced(f, Arrays(f, ranks).ranks)
    refused: list[Loop] = []  # two stages of which the first cannot be shared
    while True:
        stages = Stages(f, ranks, fresh, refused)
        nests = LongNests(replace(f, body=stages.body), ranks, stages.instead)
        body = nests.shared_block(stages.body)
        if not nests.refused:
            return replace(f, body=body), nests.found
        refused += nests.refused


def is_looked_through(f: Function) -> bool:
    """Has it loops, and is it no larger than what can be looked through in little time?"""
    depth = max([nesting_of(s) for s in f.body], default=0)
    return 0 < depth <= DEEPEST and sum(1 for _ in walk_loops(f.body)) <= LARGEST


def nesting_of(stmt: Stmt) -> int:
    """How many loops in each other a statement has."""
    inner = max([nesting_of(s) for block in blocks(stmt) for s in block], default=0)
    return inner + isinstance(stmt, (Loop, While))


class Stages:
    """Reductions that have much to do, in two stages.

    body     the body of a function with them
    instead  [(the two stages, as the first side of an `if`, the loop in the place of which they are)]
    """

    def __init__(self, f: Function, ranks, fresh, refused: list[Loop]):
        self.nests, self.fresh, self.refused = LongNests(f, ranks), fresh, refused
        self.instead: list[tuple[If, Loop]] = []
        self.body = self.block(f.body)

    def block(self, stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map(self.statement, stmts))

    def statement(self, stmt: Stmt) -> Stmt:
        nests = self.nests
        if isinstance(stmt, Loop):
            if stmt.share or nests.can_share(stmt):
                return stmt
            if nests.may_be_long(stmt) and not any(stmt is loop for loop in self.refused):
                stages = staged(stmt, nests.lasting(stmt), nests.arrays.ranks, self.fresh, in_runs=True)
                if stages:
                    self.instead.append((If(Num(True, BOOL), tuple(stages), ()), stmt))
                    return self.instead[-1][0]
        return mapped(stmt, lambda e: e, self.block)


class LongNests(Nests):
    """What is asked of the loops of a function, for a CPU."""

    def __init__(self, f: Function, ranks: dict[str, int], instead=()):
        super().__init__(f, ranks, lambda name: name[:3] in ("rs.", "vm.", "rc.", "np."))
        self.instead, self.refused = instead, []
        self.found: list[list[Expr]] = []  # the work of loops that are shared
        self.params = {p.id for p in f.params}
        self.made = {s.name.id for s in walk_loops(f.body) if isinstance(s, (Alloc, Copy))}
        self.changing: set[str] = set()  # names that have other values in other rounds of a loop

    def inside(self, stmt: Stmt, own=()) -> bool:
        return isinstance(stmt, Do) and stmt.call.function == "rs.natural" or super().inside(stmt, own)

    def stored_apart(self, stmt: Loop) -> tuple[list[Name], list[Name]] | None:
        """The arrays that a loop stores into: those that the function has made, and an argument, of which the elements
        must be apart; None where others might overlap."""
        inner = names_bound([stmt])
        stored = dict.fromkeys(s.array for s in walk_loops([stmt]) if isinstance(s, Store) and s.array.id not in inner)
        made = [n for n in stored if n.id in self.made and self.bound[n.id] == 1]
        given = [n for n in stored if n not in made]
        return None if given and not self.is_alone(given, stmt) else (made, given)

    def is_alone(self, given: list[Name], stmt: Loop) -> bool:
        """Is it one argument, and the loop of lowering touches nothing else that is not made here, nor stops?"""
        others = {n.id for n in names_read(stmt) if n.id in self.arrays.ranks} - self.made - names_bound([stmt])
        return (stmt.kind == "independent" and others == {n.id for n in given} <= self.params and len(given) == 1
                and not any(map(may_stop_at, walk_loops([stmt]))))

    def can_share(self, stmt: Stmt) -> bool:
        """Is it a loop of which each iteration may be another thread's?"""
        nest = self.nest(stmt) if isinstance(stmt, Loop) and not stmt.share else None
        return (nest is not None and stmt in nest.loops and names_bound([stmt]).issuperset(nest.private)
                and self.stored_apart(stmt) is not None)

    # what there is to do ---------------------------------------------------------------------------------
    def may_be_long(self, stmt: Stmt) -> bool:
        if not isinstance(stmt, (Loop, If)):
            return False
        work = integer(self.all_work(stmt))
        return work is None or work > LONG

    def all_work(self, stmt: Stmt) -> Expr:
        """How much a statement does, of what is known before it."""
        self.changing = names_bound([stmt])
        return self.work([stmt], {})

    def work(self, stmts, known: dict[Name, Expr]) -> Expr:
        """How much statements do, in additions or so; `known`: indices -> one of their values."""
        total: Expr = expr(0)
        for stmt in stmts:
            own: Expr = expr(max(1, sum(map(work_of, reads(stmt)))))
            inside = known | {stmt.index: replaced(middle_index(stmt), known)} if isinstance(stmt, Loop) else known
            for block in blocks(stmt):
                own = more_work(own, self.work(block, inside))
            if isinstance(stmt, (Loop, While)):
                own = work_times(self.rounds(stmt, known), expr(max(LEAST, integer(own))) if integer(own) else own)
            total = more_work(total, own)
        return total

    def rounds(self, stmt: Loop | While, known) -> Expr:
        match stmt:
            case Loop(stop=Call("rs.blocks")):
                return expr(1)  # it goes with the loop over a block, which counts for all
            case Loop(stop=Call("rs.block_end", (_, count))):
                pass
            case Loop(step=Num()):
                count = replaced(loop_trip_count(stmt), known)
            case _:
                return expr(ROUNDS)
        here = not loads(count) and not any(n.id in self.changing for n in names_in(count))
        return count if here else expr(ROUNDS)

    # threads ---------------------------------------------------------------------------------------------
    def shared_block(self, stmts: tuple[Stmt, ...], again: bool = False) -> tuple[Stmt, ...]:
        """
        again  is it done many times?  Arrays then wander from core to core, unless all its loops are shared
        """
        long = [s for s in map(self.as_one_thread, stmts) if self.may_be_long(s)]
        stays = again and not all(self.is_staged(s) or self.can_share(s) for s in long if isinstance(s, Loop))
        works = [self.all_work(s) for s in long if isinstance(s, Loop)] if again else []
        here = names_bound(stmts) if works else ()  # what is not known before the first of them
        together = [work for work in works if not any(n.id in here for n in names_in(work))]
        return tuple([self.shared_statement(s, again, stays, together) for s in stmts])

    def as_one_thread(self, stmt: Stmt) -> Stmt:
        return next((loop for stages, loop in self.instead if stages is stmt), stmt)

    def is_staged(self, stmt: Stmt) -> bool:
        return any(loop is stmt for _, loop in self.instead)

    def shared_statement(self, stmt: Stmt, again: bool, stays: bool, together: list[Expr]) -> Stmt:
        loop = self.as_one_thread(stmt)
        if loop is not stmt:
            return self.shared_stages(stmt, loop, stays, together)
        if not isinstance(stmt, Loop) or stays or not self.may_be_long(stmt) or not self.can_share(stmt):
            again = again or isinstance(stmt, (Loop, While))
            return (stmt if isinstance(stmt, Loop) and stmt.share
                    else mapped(stmt, lambda e: e, lambda block: self.shared_block(block, again)))
        return self.where_long(stmt, stmt, (self.with_share(stmt),), together)

    def shared_stages(self, stages: If, loop: Loop, stays: bool, together: list[Expr]) -> Stmt:
        """The two stages if the first can be shared, which is the first loop in them."""
        *made, first, second = stages.then
        if stays or not self.can_share(first):
            self.refused.append(loop)
            return loop
        return self.where_long(loop, first, (*made, self.with_share(first), second), together)

    def where_long(self, loop: Loop, first: Loop, shared: tuple[Stmt, ...], together: list[Expr]) -> Stmt:
        """`together`: the work of loops that are to be shared with it."""
        works = least_works([*together, self.all_work(loop)])
        self.found.append(works)
        tests = [*[work > LONG for work in works], *map(rp.elements_apart, self.stored_apart(first)[1])]
        return If(functools.reduce(operator.and_, tests), shared, (loop,))

    def with_share(self, loop: Loop) -> Loop:
        grain = 1 if has_long_loops(loop) else GRAIN
        return replace(loop, share=Share(tuple(self.stored_apart(loop)[0]), grain, True))


def may_stop_at(stmt: Stmt) -> bool:
    return isinstance(stmt, Check) or any(map(may_stop, reads(stmt)))


def more_work(a: Expr, b: Expr) -> Expr:
    """The sum, of which numbers are no part where there are loops beside them."""
    known = integer(a), integer(b)
    if None not in known:
        return expr(known[0] + known[1])
    return b if known[0] is not None else a if known[1] is not None else a + b


def work_times(a: Expr, b: Expr) -> Expr:
    """The product, its number last."""
    (a, m), (b, n) = work_factors(a), work_factors(b)
    rest = b if a == ONE else a if b == ONE else a * b
    return expr(m * n) if rest == ONE else rest if m * n == 1 else rest * expr(m * n)


def work_factors(e: Expr) -> tuple[Expr, int]:
    """An expression as a product of one without a number and a number."""
    if integer(e) is not None:
        return ONE, integer(e)
    match e:
        case Binary("*", x, y) if integer(y) is not None:
            return x, integer(y)
    return e, 1


def least_works(works: list[Expr]) -> list[Expr]:
    """The works without those that are more of the same."""
    least: dict[Expr, int] = {}
    for counts, number in map(work_factors, works):
        least[counts] = min(number, least.get(counts, number))
    return [work_times(counts, expr(number)) for counts, number in least.items()]


def work_of(e: Expr) -> int:
    """The work of an expression."""
    own = FUNCTION if isinstance(e, Call) and e.function[:3] in ("vm.", "rc.") else isinstance(e, (Binary, Load, Call))
    return own + sum(map(work_of, reads(e)))


def middle_index(loop: Loop) -> Expr:
    """The index of a loop half way through."""
    return (loop.start + loop.stop) // 2


def has_long_loops(loop: Loop) -> bool:
    """Has it loops inside that stay loops?  Vector instructions then belong to these."""
    return any(isinstance(s, While) or isinstance(s, Loop) and ((n := integer(loop_trip_count(s))) is None or n >= FEW)
               for s in walk_loops(loop.body))
