"""Loops that are better run whole for each example than for all examples at once, where an example is a thread.

    for t in range(n):              for k in range(N):
        v = v - 0.1 * x      or         for t in range(n):
        x = x + 0.1 * v                     v_k = v_k - 0.1 * x_k
                                            x_k = x_k + 0.1 * v_k

The first launches for each t, the second once, with x and v in registers.  It is for loops of numbers, one step after
the other, where the examples are all the threads that there could be.  What an iteration does with long arrays has more
threads if it is done for all examples at once, and what a library does has one call for all of them.
"""
from __future__ import annotations

from ..core import SAME, STORED, VIEW, Block, For, If, Let, Stmt, While, bound, walk
from ..core.types import Type
from ..rules.collectives import Collective
from ..rules.host import Host
from ..rules.kept_calls import CheckpointCall
from ..rules.order import Argsort, Places
from ..rules.shape import SizeOp

FEW = 16  # elements, or rounds, that one thread does as well as many
OF_MANY = (Host, CheckpointCall, Collective, Argsort, Places)
EACH_A_THREAD = "each is a thread of the GPU"


def is_for_threads(loop: Stmt, types: dict[str, Type]) -> bool:
    """Is it a loop of numbers, one step after the other?"""
    if not isinstance(loop, For) or not reads_previous(loop, types):
        return False
    names = {n for stmt in walk(Block((loop,))) for n in bound(stmt)}
    sizes = {m for n in names for d in types[n].dims for m in d.names}
    return (not names & sizes and all(types[n].kind != "tape" for n in names)
            and all(is_few(stmt, types) for stmt in walk(loop.body)))


def is_few(stmt: Stmt, types: dict[str, Type]) -> bool:
    """Is it for a few numbers, or a loop that could not be threads itself?"""
    if isinstance(stmt, For):
        rounds = [x.value for x in (stmt.start, stmt.stop, stmt.step) if not isinstance(x, str)]
        return len(rounds) == 3 and len(range(*rounds)) <= FEW or reads_previous(stmt, types)
    if not isinstance(stmt, Let):
        return True
    if isinstance(stmt.op, OF_MANY) or stmt.op.shown:
        return False
    if stmt.op.memory is STORED:
        made = stmt.args[1:]
    elif isinstance(stmt.op, SizeOp) or stmt.op.memory in (VIEW, SAME) and not stmt.op.own_memory(dict(stmt.params)):
        made = ()
    else:
        made = (*stmt.names, *stmt.args)
    return all(few(types[n]) for n in made if isinstance(n, str))


def few(t: Type) -> bool:
    size = 1
    for d in t.dims:
        size *= FEW + 1 if d.constant is None else d.constant
    return size <= FEW


def reads_previous(loop: For, types: dict[str, Type]) -> bool:
    """Does an iteration read what the one before has made: a number, or an array that it does more with than store into
    it?"""
    mine = set(loop.carried)
    if any(not types[n].rank for n in mine):
        return True
    size = 0
    while size < (size := len(mine)):
        for stmt in walk(loop.body):
            match stmt:
                case For() | While():
                    mine.update(c for c, init in zip(stmt.carried, stmt.inits) if init in mine)
                case If():
                    mine.update(n for n, *ends in zip(stmt.names, stmt.then.results, stmt.orelse.results)
                                if not mine.isdisjoint(ends))
                case Let() if not mine.isdisjoint(stmt.args):
                    if stmt.op.memory not in (STORED, SAME) or not mine.isdisjoint(stmt.args[1:]):
                        return True
                    mine.update(stmt.names)
    return False
