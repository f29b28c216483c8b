"""Array work that a loop repeats unchanged is done once, before it.

    for i in range(0, n, 1):              t = np.exp(b)
        t = np.exp(b)                     for i in range(0, n, 1):
        s__2 = s__1 + t                       s__2 = s__1 + t

Only what cannot raise moves, because the loop may not run at all; arithmetic on numbers stays where the user wrote
it, because a compiler moves it anyway.  Allocations stay: each iteration may store into its own.
"""
from __future__ import annotations

from ..core import Fun, Let, names_among
from ..core.before_loops import before_loops
from ..rules.kinds import Elementwise


def hoist_invariants(fun: Fun) -> Fun:
    def may_move(let: Let) -> bool:
        if not any([fun.types[a].kind == "array" for a in names_among(let.args)]):
            return False
        if isinstance(let.op, Elementwise):
            return all(fun.types[n].is_float or fun.types[n].dtype.kind == "b" for n in let.names)
        return let.op.safe

    return before_loops(fun, may_move)
