"""Common subexpressions: what was computed in this block or around it is not computed again.

    a = x * z               a = x * z
    b = z * x               y = a + a
    y = a + b

Names are bound once and mean one value, so that equal operations on equal atoms are equal: there is nothing to
invalidate.  A carried name is a name of its own, so that nothing crosses a loop's head.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Block, Const, For, Fun, If, Let, While, rename
from ..rules import OPS
from ..types import PY_INT

FRESH = {OPS[n] for n in ("np.zeros", "np.ones", "np.empty", "np.copy", "rt.full", "rt.tape", "rt.tape_zeros")}  # arrays to be stored into

CHECKS = {OPS["rt.match"], OPS["rt.require"]}  # what has passed once passes again

COMMUTE = {OPS[n] for n in ("add", "multiply", "equal", "not_equal")}


def cse(fun: Fun) -> Fun:
    same: dict[str, str] = {}
    body = visit(fun.body, {}, same)
    return replace(fun, body=body, types=retyped(fun.types, same))


def retyped(types, same):
    """The types, with the integers in them under their earlier names."""
    sizes = {n: int(a.value) if isinstance(a, Const) else a for n, a in same.items() if types[n] == PY_INT}
    return {n: t.with_dims(d.substitute(sizes) for d in t.dims) if t.dims else t for n, t in types.items()}


def visit(block: Block, known: dict, same: dict[str, str]) -> Block:
    """`known`: (op, args, params) -> name; `same`: name -> the earlier name for it."""
    known, out = dict(known), []
    for stmt in block.stmts:
        stmt = renamed(stmt, same)
        match stmt:
            case Let(names=(name,)) if not (stmt.op.effect and stmt.op not in CHECKS) and stmt.op not in FRESH:
                args = tuple(sorted(stmt.args, key=str)) if stmt.op in COMMUTE else stmt.args
                key = (stmt.op, args, stmt.params)
                if key in known:
                    same[name] = known[key]
                    continue
                known[key] = name
            case Let(names=()) if stmt.op in CHECKS:
                key = (stmt.op, stmt.args, stmt.params)
                if key in known:
                    continue
                known[key] = None
            case For() | While():
                stmt = replace(stmt, body=visit(stmt.body, known, same))
            case If():
                stmt = replace(stmt, then=visit(stmt.then, known, same), orelse=visit(stmt.orelse, known, same))
        out.append(stmt)
    return Block(tuple(out), rename(Block((), block.results), same).results)


def renamed(stmt, same):
    """The statement's own operands under their earlier names; its blocks are renamed when visited."""
    if not same:
        return stmt
    match stmt:
        case Let():
            return rename(Block((stmt,)), same).stmts[0]
        case For():
            return replace(stmt, start=same.get(stmt.start, stmt.start), stop=same.get(stmt.stop, stmt.stop), step=same.get(stmt.step, stmt.step),
                           inits=tuple(same.get(a, a) for a in stmt.inits))
        case While():
            return replace(stmt, inits=tuple(same.get(a, a) for a in stmt.inits))
        case If():
            return replace(stmt, test=same.get(stmt.test, stmt.test))
    return stmt
