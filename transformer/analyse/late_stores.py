"""Whether a program that raises may have stored less into its arguments than Python has by then.

    y = x * 2.0                # x *= 2.0: what x holds now has memory of its own
    rt.require(y[0] > 0.0)     # and is not in the argument yet, if this fails
    x[:] = y
"""
from __future__ import annotations

from ..core import Block, Fun, Let, Stmt, walk
from .activity import flows
from .buffers import is_update
from .raising import Raising


def may_store_late(fun: Fun) -> bool:
    """May anything raise between a value that replaces an argument and its store into the argument?"""
    replacing = {name for param, k in fun.writes.items() for name in other_memory(fun, param, fun.body.results[k])}
    if not replacing:
        return False
    raising, begun = Raising(fun), False
    for stmt in fun.body.stmts:
        inside = walk(Block((stmt,), ()))
        begun = begun or any([not replacing.isdisjoint(s.names) for s in inside if isinstance(s, Let)])
        if begun and any([raising.may(s) for s in inside if isinstance(s, Let)]):
            return True
    return False


def other_memory(fun: Fun, param: str, result) -> set:
    """The values of other memory that reach the result, which is stored into the parameter in the end."""
    sources = memory_sources(walk(fun.body))
    found, met, todo = set(), {param}, [result]
    while todo:
        name = todo.pop()
        if name not in met:
            met.add(name)
            todo += sources.get(name, ())
            found |= set() if name in sources else {name}
    return found


def memory_sources(stmts: list[Stmt]) -> dict[str, list]:
    """{name: the values whose memory it has}, of updates and of what control flow hands on."""
    sources: dict[str, list] = {}
    for stmt in stmts:
        if is_update(stmt):
            sources[stmt.name] = [stmt.args[0]]
        for source, name in flows(stmt):
            sources.setdefault(name, []).append(source)
    return sources
