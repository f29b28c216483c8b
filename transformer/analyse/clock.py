"""What depends on a clock that the program reads: it may be shown, and decide what is shown, but be no result.

    began = rt.clock('perf_counter')
    y = np.sum(x)
    took = rt.clock('perf_counter') - began         of the clock
    print('took', took)                             shown, which is right
    return y                                        not of the clock
"""
from __future__ import annotations

from ..core import For, Fun, Let, While, bound, operands, walk
from .activity import flows


def result_of_clock(fun: Fun) -> Let | None:
    """The clock, or the call of a function that reads one, on which a result depends; None: there is none."""
    found: dict[str, Let] = {}  # names that depend on a clock -> the clock
    before = -1
    while before != len(found):
        before = len(found)
        for stmt in walk(fun.body):
            follow_clock(stmt, found)
    return next((found[a] for a in fun.body.results if a in found), None)


def follow_clock(stmt, found: dict[str, Let]) -> None:
    """What a statement hands on of a clock, and what it does because of one."""
    for a, to in flows(stmt):
        if a in found:
            found.setdefault(to, found[a])
    clock = next((found[a] for a in operands(stmt) if a in found), None)
    match stmt:
        case Let():
            clock, names = stmt if reads_clock(stmt) else clock, stmt.names
        case For():
            clock = next((found[a] for a in (stmt.start, stmt.stop, stmt.step) if a in found), None)
            names = (stmt.index, *stmt.carried)
        case While(test=test):
            clock, names = found.get(test), stmt.carried
        case _:
            names = bound(stmt)
    found.update({name: clock for name in names if clock is not None and name not in found})


def reads_clock(let: Let) -> bool:
    """Does it read a clock itself, or call a function with rules of its own that does?"""
    inner = getattr(let.op, "fun", None)
    return let.op.name == "rt.clock" or isinstance(inner, Fun) and any(
        [isinstance(s, Let) and reads_clock(s) for s in walk(inner.body)])
