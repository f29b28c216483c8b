"""Calls that have derivatives of their own: opened where a derivative is taken, gone where none is left to take."""
from __future__ import annotations

from dataclasses import replace

from ..core import Block, Builder, For, Fun, If, Let, While, inline, walk
from ..core.types import PY_INT
from ..rules import OPS
from ..rules.kept_calls import Bridge, CheckpointCall, CustomVjp, LibraryCall


def has_operation(fun: Fun, kind: type) -> bool:
    return any(isinstance(s, Let) and isinstance(s.op, kind) for s in walk(fun.body))


def without_calls(fun: Fun, library: bool = False) -> Fun:
    """The function with bodies in place of all calls; of those of the library too, or they stay."""
    def is_open(stmt) -> bool:
        return isinstance(stmt, Let) and isinstance(stmt.op, CheckpointCall) and (library or
                                                                                  not isinstance(stmt.op, LibraryCall))

    while any(map(is_open, walk(fun.body))):
        fun = rewritten(fun, lambda b, let: inline(b, let.op.fun, let.args) if is_open(let) else None)
    return fun


def open_calls(fun: Fun) -> Fun:
    """The function with the forward rule in place of each call that has a custom_vjp."""
    def open_(b: Builder, let: Let):
        if not isinstance(let.op, CustomVjp) or let.op.forward is None:
            return None
        values = inline(b, let.op.forward, let.args)
        b.append(Let(let.names, Bridge(let.op, len(values)), (*values, *let.args), (), let.origin))
        return let.names

    return rewritten(fun, open_) if has_operation(fun, CustomVjp) else fun


def crossed(fun: Fun) -> Fun:
    """The function after its derivative was taken: results are what the forward rule gave."""
    def cross(b: Builder, let: Let):
        return let.args[:len(let.names)] if isinstance(let.op, Bridge) else None

    return rewritten(fun, cross) if has_operation(fun, Bridge) else fun


def rewritten(fun: Fun, rule) -> Fun:
    """`rule(builder, let)` gives atoms for the names of a statement, which goes away; None: it stays."""
    b = Builder(like=fun)

    def block(old: Block) -> Block:
        with b.block() as stmts:
            for stmt in old.stmts:
                with b.at(stmt.origin):
                    one(stmt)
        return Block(tuple(stmts), old.results)

    def one(stmt):
        match stmt:
            case Let():
                atoms = rule(b, stmt)
                if atoms is None:
                    b.append(stmt)
                elif atoms != stmt.names:
                    for name, atom in zip(stmt.names, atoms):
                        bind(name, atom, stmt.origin)
            case If():
                b.append(replace(stmt, then=block(stmt.then), orelse=block(stmt.orelse)))
            case For() | While():
                b.append(replace(stmt, body=block(stmt.body)))

    def bind(name, atom, origin):
        t = b.types[name]
        if t == PY_INT:
            b.polynomials[name] = b.dim(atom)
        b.stmts.append(Let((name,), OPS["retype"], (atom,), (("dims", t.dims),), origin))

    body = block(fun.body)
    return replace(fun, body=body, types=b.types)

