"""Functions of the module that others call: each is written once, when a call of it is met.

    def layer(W, x):
        ...
        return (h, y)

    h, y = layer(W1, x)
"""
from __future__ import annotations

from ..analyse.ranges import Ranges
from ..checking import check
from ..core import For, Fun, Let, Store, bound, walk
from ..optimise.fuse import fuse
from ..optimise.inplace import inplace
from ..optimise.units import Circular


def for_writing(fun: Fun, owned: frozenset[str] = frozenset()) -> tuple[Fun, Fun]:
    """A function with its kernels, and the same with its stores back."""
    try:
        fused = check(fuse(fun), after="fuse", late=True)
    except Circular:  # right though slower: each operation is a loop of its own
        fused = fun
    return fused, check(inplace(fused, owned), after="inplace", late=True)


def write_call(s, let: Let) -> None:
    if let.op not in s.w.routines:
        s.w.routines[let.op] = write_function(s, let.op.fun)
    names = ", ".join(s.w.name(n) for n in let.names)
    args = ", ".join(s.w.atom(a) for a in let.args)
    s.w.line(f"{names}{',' * (len(let.names) == 1)} = {s.w.routines[let.op]}({args})" if names else f"{s.w.routines[let.op]}({args})")


def write_function(s, fun: Fun) -> str:
    """The name of a function whose text is added to the module: it takes no sizes for granted but what it is called with."""
    fused, stored = for_writing(fun)
    w = s.w.beside(stored.types, *bound_names(stored))
    lowerer = type(s)(stored, w, Ranges(fused), may_assume=False, parallel=s.parallel)
    lowerer.run(called=True)
    s.shared += lowerer.shared
    name = w.fresh(fun.name)
    w.functions.append("\n".join([f"def {name}({', '.join(w.name(p) for p in stored.params)}):", *w.lines]))
    return name


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
