"""Dead code: what nothing reads is not computed.

    t = np.exp(x)           y = np.sin(x)
    y = np.sin(x)           return y
    return y

Effects stay, in order, but for checks that cannot fail; in the user's own function (`whole`) so does what may raise
IndexError or not end (a `while`), and in a derivative a look at a place (`checks`) that a store of that function might
not find.  A carried name is alive only if it is read after the loop or keeps another alive.

    while x * x > a:        y = np.sin(z)       # in a derivative
        x = 0.5 * x         return y
    y = np.sin(z)
    return y
"""
from __future__ import annotations

from dataclasses import replace
from typing import Callable

from ..analyse.buffers import is_update
from ..analyse.intervals import Intervals
from ..analyse.raising import Raising
from ..core import Block, Builder, Const, For, Fun, If, Let, Stmt, While, walk
from ..core.types import PY_INT, Dim
from ..core.walking import same_or_new, updated
from ..rules import OPS


def dce(fun: Fun) -> Fun:
    stays, body = there_to_raise(fun), without_certain_checks(fun)
    made, live = swept(fun, body, lambda stmt: stays(stmt) and not is_check(stmt))
    if any(map(is_check, walk(body))):
        stored = stored_spots(made)  # where the store itself is alive, it looks
        made, live = swept(fun, body, lambda stmt: stays(stmt) and not (is_check(stmt) and spot(stmt) in stored))
    used = live.union(fun.params, {n for p in fun.params for n in fun.types[p].names})
    types = {n: t for n, t in fun.types.items() if n in used}
    return fun if made is fun.body and len(types) == len(fun.types) else replace(fun, body=made, types=types)


def is_check(stmt: Stmt) -> bool:
    """Is it read only to see whether the place is there?"""
    return isinstance(stmt, Let) and bool(stmt.param("checks"))


def stored_spots(body: Block) -> set[tuple]:
    """Where the stores of the user's function stand that are alive."""
    return {spot(s) for s in walk(body) if is_update(s) and s.origin and not s.origin.adjoint}


def spot(let: Let) -> tuple | None:
    """Where in the user's text a statement, or what it mirrors, stands."""
    at = let.origin
    return at and (at.file, at.line, at.col, at.path)


def swept(fun: Fun, body: Block, stays: Callable[[Let | While], bool]) -> tuple[Block, set[str]]:
    """(the body without what is dead, the names in it)"""
    sizes, live = {n for p in fun.params for n in fun.types[p].names}, set()
    return sweep(body, fun.body.results, live, fun.types,
                 lambda stmt: isinstance(stmt, Let) and not sizes.isdisjoint(stmt.names) or stays(stmt)), live


def there_to_raise(fun: Fun) -> Callable[[Let | While], bool]:
    """Is a statement there to raise, or not to end, where the user's function does?  In that function (`whole`) all
    that may; in a derivative what is read to see whether the place is there."""
    raising = Raising(fun)
    return lambda stmt: (fun.whole or is_check(stmt)) and (isinstance(stmt, While) or raising.may(stmt))


def bound_to_raise(fun: Fun) -> set[str]:
    """The names of such statements."""
    stays = there_to_raise(fun)
    return {n for s in walk(fun.body) if isinstance(s, Let) and stays(s) for n in s.names}


def without_certain_checks(fun: Fun) -> Block:
    """The body without checks that a length is not negative where no argument could make it so."""
    flags = {s.args[0] for s in walk(fun.body) if type(s) is Let and s.op.name == "rt.require"}
    if not flags:
        return fun.body
    tests = {s.name: s.args[0] for s in walk(fun.body)
             if type(s) is Let and s.op.name == "greater_equal" and s.name in flags and s.args[1] == Const(0)}
    b = Builder(like=fun)
    facts = Intervals(b, fun)
    certain = {name for name, x in tests.items() if b.type(x) == PY_INT and facts.at_least(b.dim(x), 0)}

    def kept(block: Block) -> Block:
        return Block(tuple(inside(s) for s in block.stmts
            if not (isinstance(s, Let) and s.op.name == "rt.require" and s.args[0] in certain)), block.results)

    def inside(stmt):
        match stmt:
            case For() | While():
                return replace(stmt, body=kept(stmt.body))
            case If():
                return replace(stmt, then=kept(stmt.then), orelse=kept(stmt.orelse))
        return stmt

    return kept(fun.body) if certain else fun.body


def sweep(block: Block, results: tuple, live: set[str], types, keep: Callable[[Let | While], bool]) -> Block:
    """The block with these results, without its dead statements; `live` grows by all that it needs.

    `keep` says which statements stay although nothing reads what they compute.
    """
    need(results, live, types)
    kept = []
    for stmt in reversed(block.stmts):
        kind = type(stmt)
        if kind is Let:
            if live.isdisjoint(stmt.names):
                if (not stmt.op.effect or stmt.op.dispensable) and not keep(stmt):
                    continue
                if stmt.op.name == "rt.match":
                    stmt = check_alone(stmt, types)
            need(stmt.names, live, types)
            need(stmt.args, live, types)
            if stmt.params:
                need(sizes_in(stmt), live, types)
        else:
            stmt = (alive_if if kind is If else alive_loop)(stmt, live, types, keep)
        if stmt is not None:
            kept.append(stmt)
    return same_or_new(block, kept[::-1], results)


def check_alone(let: Let, types) -> Let:
    """The check of an array that nobody reads, without the array, where its lengths have names."""
    x, *numbers = let.args
    have = [types[x].dims[k] for k in let.param("axes")]
    if any([str(d) not in d.names and d.constant is None for d in have]):
        return let
    atoms = [Const(d.constant) if d.constant is not None else str(d) for d in have]
    params = (("count", len(have)), ("how", let.param("how")), ("kind", let.param("kind", "ValueError")))
    return Let((), OPS["rt.same_sizes"], (*atoms, *numbers), params, let.origin)


def need(atoms, live, types) -> None:
    """Mark names as read, and the integers that their types name."""
    for name in atoms:
        if isinstance(name, str) and name not in live:
            live.add(name)
            if types[name].dims:
                need(types[name].names, live, types)


def sizes_in(let: Let) -> list[str]:
    """The names in static parameters."""
    found: list[str] = []
    for _, value in let.params:
        for d in value if isinstance(value, tuple) else (value,):
            if isinstance(d, Dim):
                found += d.names
    return found


def alive_if(stmt: If, live, types, keep) -> If | None:
    chosen = [k for k, n in enumerate(stmt.names) if n in live]
    then, orelse = (sweep(side, picked(side.results, chosen), live, types, keep) for side in (stmt.then, stmt.orelse))
    if not chosen and not then.stmts and not orelse.stmts:
        return None
    names = picked(stmt.names, chosen)
    need([stmt.test, *names], live, types)
    return updated(stmt, names=names, then=then, orelse=orelse)


def alive_loop(stmt: For | While, live, types, keep) -> For | While | None:
    """A fixed point: which carried names are read after the loop, or in it by what is alive."""
    own = set(stmt.carried)
    wanted = own & live
    test = {stmt.test} if isinstance(stmt, While) else set()
    if wanted or test and keep(stmt):
        wanted |= test
    while True:
        chosen = [k for k, c in enumerate(stmt.carried) if c in wanted]
        inner = set(live)
        body = sweep(stmt.body, picked(stmt.body.results, chosen), inner, types, keep)
        more = wanted | own & inner | (test if body.stmts else set())
        if more == wanted:
            break
        wanted = more
    if not wanted and not body.stmts:
        return None
    live |= inner
    carried, inits = picked(stmt.carried, chosen), picked(stmt.inits, chosen)
    need([*carried, *inits], live, types)
    if isinstance(stmt, For):
        need([stmt.index, stmt.start, stmt.stop, stmt.step], live, types)
    return updated(stmt, carried=carried, inits=inits, body=body)


def picked(atoms: tuple, chosen: list[int]) -> tuple:
    """Those at some positions; the same tuple, if that is all."""
    return atoms if len(chosen) == len(atoms) else tuple([atoms[k] for k in chosen])
