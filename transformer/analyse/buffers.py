"""Which values share memory: views, what flows into the target of a store, and leases.

    t = x[i]                        # a view: shares the memory of x
    t2 = rt.update(t, v, np.s_[j])
    x2 = rt.update(x, t2, np.s_[i])   # writes the view back: t is *leased* from x
"""
from __future__ import annotations

from dataclasses import dataclass

from ..core import ANY, STORED, Block, Const, For, Fun, If, Let, Stmt, While, bound, names_among, operands, walk
from ..rules.indexing import Getitem, Update
from .activity import flows


def is_buffer(t) -> bool:
    """Has a value of this type memory that can be stored into?"""
    return t.kind not in ("py", "np")


def shared(let: Let) -> tuple[str, ...]:
    """The arguments whose memory a result may share: all, if we do not know the operation."""
    if let.op.own_memory(dict(let.params)):
        return ()
    return tuple(names_among(let.args if let.op.memory is ANY else let.args[:1]))


def is_update(stmt: Stmt) -> bool:
    return isinstance(stmt, Let) and stmt.op.memory is STORED


def stored_carried(fun: Fun) -> set[str]:
    """Carried names whose memory an update may want to store into: memory flows from an init or a next
    value to the carried name, from a branch to its name, from an array to its views and updates."""
    sources: dict[str, list] = {}
    targets: list = []
    carried: set[str] = set()
    for stmt in walk(fun.body):
        if type(stmt) is Let and not any([is_buffer(fun.types[name]) for name in stmt.names]):
            continue
        carried.update(getattr(stmt, "carried", ()))
        for source, name in flows(stmt):
            sources.setdefault(name, []).append(source)
        if is_update(stmt):
            targets.append(stmt.args[0])
            sources[stmt.name] = [stmt.args[0]]
        elif isinstance(stmt, Let):
            sources.update((name, shared(stmt)) for name in stmt.names)
    reached: set[str] = set()
    while targets:
        name = targets.pop()
        if isinstance(name, str) and name not in reached and is_buffer(fun.types[name]):
            reached.add(name)
            targets += sources.get(name, ())
    return reached & carried


@dataclass(frozen=True)
class Use:
    position: int
    loops: tuple[int, ...]  # those around it, by position
    stmt: Stmt | None  # None: a result of a block


def uses(fun: Fun, names: set[str]) -> tuple[dict[str, list[Use]], dict[str, tuple[int, ...]]]:
    """Where each of these names is read, in order; for all names, the loops around the place that binds them."""
    found: dict[str, list[Use]] = {name: [] for name in names}
    loops_of: dict[str, tuple[int, ...]] = {p: () for p in fun.params}
    position = 0

    def visit(block: Block, loops):
        nonlocal position
        for stmt in block.stmts:
            position += 1
            for name in operands(stmt):
                if name in names:
                    found[name].append(Use(position, loops, stmt))
            match stmt:
                case For() | While():
                    inside = loops + (position,)
                    loops_of.update((n, inside) for n in bound(stmt))
                    visit(stmt.body, inside)
                case If():
                    visit(stmt.then, loops)
                    visit(stmt.orelse, loops)
                    loops_of.update((n, loops) for n in stmt.names)
                case Let():
                    loops_of.update((n, loops) for n in stmt.names)
        position += 1
        for name in block.results:
            if name in names:
                found[name].append(Use(position, loops, None))

    visit(fun.body, ())
    return found, loops_of


def leases(fun: Fun) -> dict[str, str]:
    """{view: base} for views `t = x[index]` after which x is only read by one `update(x, ..., index)`.

    While a lease runs, a store into the view disturbs nobody: the part of x that it changes is
    overwritten before x is read again.
    """
    views = [s for s in walk(fun.body) if isinstance(s, Let) and isinstance(s.op, Getitem) and shared(s)]
    found, loops_of = uses(fun, {s.args[0] for s in views})
    return {s.name: s.args[0] for s in views if is_leased(s, found[s.args[0]], loops_of[s.args[0]])}


def is_leased(view: Let, reads: list[Use], loops: tuple[int, ...]) -> bool:
    """Is the base of a view, which has these reads and is bound in these loops, written back by the next of them?"""
    here = next(u for u in reads if u.stmt is view)
    if loops != here.loops and loops[:-1] != here.loops:  # neither bound beside it nor carried by a loop beside it
        return False
    later = [u for u in reads if u.stmt is not view and u.position > here.position
             and u.loops[:len(here.loops)] == here.loops]
    return len(later) == 1 and later[0].loops == here.loops and _writes_back(later[0].stmt, view)


def _writes_back(stmt: Stmt | None, view: Let) -> bool:
    match stmt:
        case Let(op=Update(add=False), args=(base, value, *atoms)):
            same = base == view.args[0] and tuple(atoms) == view.args[1:] and stmt.param("index") == view.param("index")
            return same and not isinstance(value, Const)
    return False
