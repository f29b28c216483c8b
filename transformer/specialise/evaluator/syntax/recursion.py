"""Recursions that the run time ends: a few calls are read, and a further one is refused when it runs."""
from __future__ import annotations

import gast

from ....frontend.trees import nodes
from ...domain import values as v
from ...domain.plans import Plan, Way

MOST_CALLS = 8  # in each other


def bound_recursion(s) -> None:
    """Where the run time decides whether a function calls itself again, it is read a few times only: begin again so."""
    for frame in reversed(s.frames):
        again = [f for f in s.frames if f.node is frame.node]
        plan = Plan(Way.BOUNDED, str(frame.captured.origin_of(frame.node)))
        if len(again) > MOST_CALLS and again[-1].block is not again[-2].block and plan not in s.static_paths:
            raise v.Restart(frozenset({plan}))


def end_recursion(s, node, tree, name: str) -> None:
    """Of a recursion that the run time ends: what comes to a further call is refused when it runs."""
    around = [f for f in s.frames if f.node is tree]
    if not around or Plan(Way.BOUNDED, str(around[-1].captured.origin_of(tree))) not in s.static_paths:
        return
    calls_itself = [n for n in nodes(node) if isinstance(n, gast.Call)
                    and name in (getattr(n.func, "id", ""), getattr(n.func, "attr", ""))]
    most = MOST_CALLS if len(calls_itself) == 1 else 4 if len(calls_itself) == 2 else 3
    if len(around) > most and around[-1].block is not s.b.stmts:
        s.stop("RefusedValue", f"{name} calls itself more than {most} times in each other here; write a loop")
