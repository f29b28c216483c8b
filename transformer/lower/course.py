"""Where devices of a `pmap` could take collectives for one that are not: what their programs tell `rc.passed`.

    for j in range(n):                       for j in range(n):
        t = rt.psum(axis_i, x)       ->          passed(axis_i, 7)
                                                 failed = sum_kernel(axis_i, x, t, 3)

Each collective has a number of its own, which is not enough in a loop: where one device goes round twice and then once,
another once and then twice, they meet as often. So a round has a number as well, and a call of a function in which
devices meet; what they publish is a hash of all these numbers in their order.
"""
from __future__ import annotations

from gradscribe.runtime.plain import collectives as rc

from ..core import Block, Let, walk
from ..loop_core.core import Call, View, expr
from ..optimise.outline import Routine
from ..rules.host import Host
from .host import WHOLE


def axes_met(block: Block) -> list[str]:
    """The axes along which devices meet in a block."""
    found = []
    for stmt in walk(block):
        if isinstance(stmt, Let) and isinstance(stmt.op, Host) and stmt.op.placed:
            found.append(stmt.args[0])
        elif isinstance(stmt, Let) and isinstance(stmt.op, Routine):
            found += axes_given(stmt)
    return list(dict.fromkeys(found))


def axes_given(let: Let) -> list[str]:
    """The axes along which devices meet in the function that is called."""
    fun = let.op.fun
    return [let.args[fun.params.index(axis)] for axis in axes_met(fun.body)] if let.op.effect else []


def write_passed(w, axes: list[str]) -> None:
    """A round, or a call, in which devices meet begins."""
    for axis in axes:
        if rc.passed not in w.imports:
            w.imports[rc.passed] = w.fresh("passed")
        w.call(Call(w.imports[rc.passed], (View(w.name(axis), (WHOLE, WHOLE)), expr(next(w.places)))))
