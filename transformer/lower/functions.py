"""Functions of loop core that others call: each is written once, when a call of it is met.

    def layer(W, x):
        ...
        return (h, y)

    h, y = layer(W1, x)
"""
from __future__ import annotations

from ..analyse.ranges import Ranges
from ..core import For, Fun, Let, Store, bound, walk
from ..core.types import Type
from ..core.verifier import verify
from ..loop_core import checking as loops
from ..loop_core.core import Assigns, Call, Do, Function
from ..loop_core.elements import few_as_numbers
from ..loop_core.first_block import with_first_block
from ..loop_core.hoist import hoist
from ..loop_core.naming import name_values
from ..loop_core.share import part_out
from ..loop_core.strips import in_strips
from ..optimise.fuse import fuse
from ..optimise.inplace import inplace
from ..optimise.units import Circular
from .course import axes_given, write_passed


def for_writing(fun: Fun, owned: frozenset[str] = frozenset()) -> tuple[Fun, Fun]:
    """A function with its kernels, and the same with its stores back."""
    try:
        fused = verify(fuse(fun), after="fuse", late=True)
    except Circular:  # right though slower: each operation is a loop of its own
        fused = fun
    return fused, verify(inplace(fused, owned), after="inplace", late=True)


def loop_passes(f: Function, types: dict[str, Type], fresh, share=lambda f, ranks: f) -> list[Function]:
    """The function, and after it those of its loops that threads share,
    through all passes that make no difference to a caller; `share` says of more loops that threads share them."""
    ranks = {name: t.rank for name, t in types.items() if t.rank}
    f = few_as_numbers(name_values(loops.verify_loops(f, "lowering"), fresh), ranks, fresh)
    main, parts = part_out(share(loops.verify_loops(f, "elements"), ranks), fresh)
    return [loops.verify_loops(in_strips(with_first_block(hoist(loops.verify_loops(part, "share"))), fresh), "hoist")
            for part in (main, *parts)]


def write_call(s, let: Let) -> None:
    write_passed(s.w, axes_given(let))
    if let.op not in s.w.routines:
        s.w.routines[let.op] = write_function(s, let.op.fun)
    call = Call(s.w.routines[let.op], tuple(map(s.w.atom, let.args)))
    s.w.add(Assigns(tuple(map(s.w.name, let.names)), (call,)) if let.names else Do(call))


def write_function(s, fun: Fun) -> str:
    """The name of a function that is added to the module: it takes no sizes for granted but what it is called with."""
    fused, stored = for_writing(fun)
    w = s.w.beside(stored.types, *bound_names(stored))
    # all calls stand in one block: in a part of a loop that threads share, or not
    alone = not any(scope.kind == "shared" for scope in s.w.scopes)
    lowerer = type(s)(stored, w, Ranges(fused), may_assume=False, parallel=alone and s.parallel)
    made = Function(w.fresh(fun.name), tuple(map(w.name, stored.params)), *lowerer.run(called=True))
    made, *parts = loop_passes(made, {w.name(p).id: w.type(p) for p in stored.params}, w.fresh)
    s.shared += lowerer.shared
    w.functions += [*parts, made]
    return made.name


def bound_names(fun: Fun) -> tuple[set[str], set[str]]:
    """The names that the function binds, and those of them that it binds once."""
    names, rebound = set(fun.params), set()
    for stmt in walk(fun.body):
        if isinstance(stmt, Store):
            continue
        own = set(bound(stmt)) | ({stmt.index} if isinstance(stmt, For) else set())
        rebound |= own & names if isinstance(stmt, Let) else set(bound(stmt))
        names |= own
    return names, names - rebound
