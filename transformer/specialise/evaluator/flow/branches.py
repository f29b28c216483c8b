"""Branches whose course only the run time knows: how the two sides become one."""
from __future__ import annotations

from dataclasses import dataclass, replace

from ....core import Atom, Block, Const, If, Let
from ....core.types import PY_BOOL
from ....rules.operators import Comparison
from ...domain import values as v
from ...domain.heap_join import join


class in_sight:
    """A set: the names bound before now, and the parameters, also those that are found later, since they stand before
    everything.  `names - known` and `known >= names` are those of sets."""

    def __init__(self, s):
        self.born, self.count, self.parameters = s.b.born, len(s.b.born), s.parameters

    def __contains__(self, name) -> bool:
        return self.born.get(name, self.count) < self.count or name in self.parameters

    def __ge__(self, names) -> bool:
        return all([n in self for n in names])

    def __rsub__(self, names):
        return {n for n in names if n not in self}


def learn(s, test: Atom, holds: bool, stmts) -> None:
    """Note the flags that the branch taken has tested:
    those behind `not`, `is True`, and what `and` and `or` are made of, too."""
    if isinstance(test, Const):
        return
    (s.sight.known_true if holds else s.sight.known_false).add(test)
    match binding(s, test, stmts):
        case Let(op=op, args=(inner,)) if op.name == "not ":
            learn(s, inner, not holds, stmts)
        case Let(op=op, args=(inner, Const(value=bool() as known))
                 | (Const(value=bool() as known), inner)) if op.name == "equal":
            learn(s, inner, known is holds, stmts)
        case Let(op=op, args=args) if op.name == "and_" and holds:
            for inner in args:
                learn(s, inner, True, stmts)
        case If(test=first, names=names, then=then, orelse=orelse):
            learn_of_branch(s, first, names.index(test), (then, orelse), names, holds, stmts)
        case Let(op=Comparison() as op, args=(str() as name, Const(value=bound))):
            learn_of_comparison(s, op, name, bound, holds, stmts)


def binding(s, name: str, stmts) -> Let | If | None:
    """The one of these statements that binds a name; what is older than the name does not."""
    born = s.b.born
    for x in reversed(stmts):
        if isinstance(x, (Let, If)) and x.names:
            if name in x.names:
                return x
            if born[x.names[0]] < born[name]:
                return None
    return None


def learn_of_branch(s, first: Atom, k: int, blocks, names, holds: bool, stmts) -> None:
    """What the k-th result of a branch tells: which side was taken, if the other one gives what it is not."""
    ends = [(block.stmts, block.results[k]) for block in blocks]
    for side in (0, 1):
        if ends[1 - side][1] == Const(not holds):  # that side was not taken
            s.sight.known_true |= {name for name, x in zip(names, blocks[side].results) if x == Const(True)}
            learn(s, first, side == 0, stmts)
            learn(s, ends[side][1], holds, [*stmts, *ends[side][0]])


def learn_of_comparison(s, op, name: str, bound, holds: bool, stmts) -> None:
    """What np.ndim(x) > 0 tells: which side of a branch gave the number that is compared, if both gave known ones."""
    chosen = binding(s, name, stmts)
    blocks = (chosen.then, chosen.orelse) if isinstance(chosen, If) else ()
    ends = [block.results[chosen.names.index(name)] for block in blocks]
    found = [bool(op.fn(end.value, bound)) for end in ends if isinstance(end, Const)]
    if sorted(found) == [False, True]:
        learn(s, chosen.test, found[0] is holds, stmts)


@dataclass
class Fork:
    """A branch on its way: what was before it, its sides, and which of them end in an exception that nothing
    catches."""

    test: Atom
    before: dict
    outer: in_sight
    sides: list
    stopped: list


def both_sides(s, fork: Fork, live):
    """The value of a branch; the heap is what both sides have made of it."""
    test, sides = fork.test, fork.sides
    if any(fork.stopped):
        return raising_side(s, test, sides, fork.stopped, fork.before)
    joiner, value = join(s, fork.before, sides, live, fork.outer, test)
    names, (a, b) = tuple(joiner.names), joiner.results
    s.heap = joiner.heap
    if test in s.branches:
        s.branches |= {name: s.branches[test] for name in names if s.b.types[name] == PY_BOOL}
    if names or any(side.stmts for side in sides):
        s.b.append(If(test, names, Block(tuple(sides[0].stmts), tuple(a)),
                      Block(tuple(sides[1].stmts), tuple(b)), s.b.origin))
    return value


def raising_side(s, test, sides, stopped, before):
    """One side ends in an exception: the other side goes on after the branch, not in it."""
    k = 0 if stopped[0] else 1
    learn(s, test, k == 1, s.b.stmts)
    stmts = sides[k].stmts
    if len(stmts) == 1 and isinstance(stmts[0], Let) and stmts[0].op.name == "rt.require":
        flag = s.emit("not ", test) if k == 0 else test
        s.b.append(replace(stmts[0], args=(flag, *stmts[0].args[1:])))
    else:
        blocks = [Block(tuple(stmts)), Block(())]
        s.b.append(If(test, (), *(blocks if k == 0 else reversed(blocks)), s.b.origin))
    other = sides[1 - k]
    for stmt in other.stmts:
        s.b.append(stmt)
    if all(stopped):
        s.heap = before
        raise v.CertainException
    s.heap = other.heap
    return other.value
