"""Dead code: what nothing reads is not computed.

    t = np.exp(x)           y = np.sin(x)
    y = np.sin(x)           return y
    return y

Effects stay, in order, but for checks that cannot fail; in the user's own function (`whole`) so does what may raise
IndexError.  A carried name is alive only if it is read after the loop or keeps another alive.
"""
from __future__ import annotations

from dataclasses import replace

from ..analyse.intervals import Intervals
from ..analyse.raising import Raising
from ..core import Block, Builder, Const, For, Fun, If, Let, While, walk
from ..types import PY_INT, Dim


def dce(fun: Fun) -> Fun:
    live: set[str] = set()
    need(fun.body.results, live, fun.types)
    sizes = {n for p in fun.params for d in fun.types[p].dims for n in d.names}
    body = sweep(without_certain_checks(fun), live, fun.types, sizes | bound_to_raise(fun))
    used = {n for n in fun.types if n in live or n in fun.params}
    return replace(fun, body=body, types={n: t for n, t in fun.types.items() if n in used or n in sizes})


def bound_to_raise(fun: Fun) -> set[str]:
    """Names of statements that may raise, in a function that is no derivative."""
    if not fun.whole:
        return set()
    raising = Raising(fun)
    return {n for s in walk(fun.body) if isinstance(s, Let) and raising.may(s) for n in s.names}


def without_certain_checks(fun: Fun) -> Block:
    """The body without checks that a length is not negative where no argument could make it so."""
    flags = {s.args[0] for s in walk(fun.body) if isinstance(s, Let) and s.op.name == "rt.require"}
    tests = {s.name: s.args[0] for s in walk(fun.body) if isinstance(s, Let) and s.op.name == "greater_equal" and s.name in flags and s.args[1] == Const(0)}
    if not tests:
        return fun.body
    b = Builder(like=fun)
    facts = Intervals(b, fun)
    certain = {name for name, x in tests.items() if b.type(x) == PY_INT and facts.at_least(b.dim(x), 0)}

    def kept(block: Block) -> Block:
        return Block(tuple(inside(s) for s in block.stmts if not (isinstance(s, Let) and s.op.name == "rt.require" and s.args[0] in certain)), block.results)

    def inside(stmt):
        match stmt:
            case For() | While():
                return replace(stmt, body=kept(stmt.body))
            case If():
                return replace(stmt, then=kept(stmt.then), orelse=kept(stmt.orelse))
        return stmt

    return kept(fun.body) if certain else fun.body


def sweep(block: Block, live: set[str], types, keep) -> Block:
    """The block without its dead statements; `live` grows by all that it needs."""
    kept = []
    for stmt in reversed(block.stmts):
        new = alive(stmt, live, types, keep)
        if new is not None:
            kept.append(new)
    return Block(tuple(reversed(kept)), block.results)


def need(atoms, live, types) -> None:
    """Mark names as read, and the integers that their types name."""
    for name in atoms:
        if isinstance(name, str) and name not in live:
            live.add(name)
            for d in types[name].dims:
                need(d.names, live, types)


def alive(stmt, live, types, keep: set[str]):
    match stmt:
        case Let():
            if not (stmt.op.effect or any(n in live or n in keep for n in stmt.names)):
                return None
            need([*stmt.names, *stmt.args, *sizes_in(stmt)], live, types)
            return stmt
        case If():
            return alive_if(stmt, live, types, keep)
        case For() | While():
            return alive_loop(stmt, live, types, keep)
    return stmt


def sizes_in(let: Let) -> list[str]:
    """The names in static parameters."""
    dims = [d for _, value in let.params for d in (value if isinstance(value, tuple) else (value,)) if isinstance(d, Dim)]
    return [n for d in dims for n in d.names]


def alive_if(stmt: If, live, types, keep):
    chosen = [k for k, n in enumerate(stmt.names) if n in live]
    sides = []
    for side in (stmt.then, stmt.orelse):
        results = tuple(side.results[k] for k in chosen)
        need(results, live, types)
        sides.append(sweep(Block(side.stmts, results), live, types, keep))
    if not chosen and not any(side.stmts for side in sides):
        return None
    need([stmt.test, *(stmt.names[k] for k in chosen)], live, types)
    return replace(stmt, names=tuple(stmt.names[k] for k in chosen), then=sides[0], orelse=sides[1])


def alive_loop(stmt: For | While, live, types, keep):
    """A fixed point: which carried names are read after the loop, or in it by what is alive."""
    wanted = {c for c in stmt.carried if c in live}
    if isinstance(stmt, While):
        wanted.add(stmt.test)
    while True:
        chosen = [k for k, c in enumerate(stmt.carried) if c in wanted]
        inner = set(live)
        need([stmt.body.results[k] for k in chosen], inner, types)
        body = sweep(Block(stmt.body.stmts, tuple(stmt.body.results[k] for k in chosen)), inner, types, keep)
        more = {c for c in stmt.carried if c in inner} | wanted
        if more == wanted:
            break
        wanted = more
    if isinstance(stmt, For) and not body.stmts and not any(c in live for c in wanted):
        return None
    live |= inner
    need([stmt.carried[k] for k in chosen], live, types)
    atoms = tuple(stmt.inits[k] for k in chosen)
    need(atoms, live, types)
    if isinstance(stmt, For):
        need([stmt.index, stmt.start, stmt.stop, stmt.step], live, types)
    return replace(stmt, carried=tuple(stmt.carried[k] for k in chosen), inits=atoms, body=body)
