"""Walks over core: what statements bind and read, and core with other names."""
from __future__ import annotations

import functools
import operator
from collections import Counter
from dataclasses import replace
from typing import Iterator

from .terms import Atom, Block, For, If, Let, Stmt, Store, While
from .types import Dim


def blocks_of(stmt: Stmt) -> tuple[Block, ...]:
    match stmt:
        case For() | While():
            return (stmt.body,)
        case If():
            return (stmt.then, stmt.orelse)
    return ()


def walk(block: Block) -> list[Stmt]:
    """All statements, outer before inner, in order."""
    found: list[Stmt] = []
    _walk(block, found)
    return found


def shows(stmts) -> bool:
    """Does the user see what one of these statements does: print, or a warning?"""
    return any([isinstance(s, Let) and s.op.shown for s in walk(Block(tuple(stmts)))])


def _walk(block: Block, found: list[Stmt]) -> None:
    for stmt in block.stmts:
        found.append(stmt)
        if type(stmt) is not Let:
            for inner in blocks_of(stmt):
                _walk(inner, found)


def bound(stmt: Stmt) -> tuple[str, ...]:
    """The names a statement binds for the statements after it."""
    kind = type(stmt)
    if kind is Let or kind is If:
        return stmt.names
    return () if kind is Store else stmt.carried


def operands(stmt: Stmt) -> tuple[Atom, ...]:
    """The atoms a statement itself reads, its blocks apart."""
    if type(stmt) is Let:
        return stmt.args
    match stmt:
        case For():
            return (stmt.start, stmt.stop, stmt.step, *stmt.inits)
        case While():
            return stmt.inits
        case If():
            return (stmt.test,)
        case Store():
            return (stmt.target, *stmt.atoms, stmt.value)


def names_among(atoms) -> list[str]:
    return [a for a in atoms if isinstance(a, str)]


def read_counts(block: Block) -> Counter:
    """How often each name is read in a block and in those in it."""
    stmts = walk(block)
    blocks = [block, *[inner for stmt in stmts for inner in blocks_of(stmt)]]
    return Counter(names_among([a for stmt in stmts for a in operands(stmt)]
                               + [a for inner in blocks for a in inner.results]))


def kept_with_the_block(find):
    """What `find(block, ...)` finds, found once: each block around it asks, and a block does not change."""
    key = f"_{find.__name__}"

    @functools.wraps(find)
    def found(block: Block, *more):
        known = vars(block)
        if key not in known:
            known[key] = find(block, *more)
        return known[key]

    return found


@kept_with_the_block
def free_names(block: Block) -> frozenset[str]:
    """Names read in a block and bound outside it."""
    free: set[str] = set()
    inner: set[str] = set()
    for stmt in block.stmts:
        if type(stmt) is Let:
            free.update([a for a in stmt.args if isinstance(a, str) and a not in inner])
            inner.update(stmt.names)
            continue
        free |= set(names_among(operands(stmt))) - inner
        own = ({stmt.index, *stmt.carried} if isinstance(stmt, For)
               else set(stmt.carried) if isinstance(stmt, While) else set())
        for b in blocks_of(stmt):
            free |= free_names(b) - own - inner
        inner |= set(bound(stmt))
    return frozenset(free.union([a for a in block.results if isinstance(a, str) and a not in inner]))


def lengths_in_params(block: Block) -> set[str]:
    """The integers that static parameters of operations name, as those of a store name the lengths of its part."""
    def found(value) -> set[str]:
        if isinstance(value, Dim):
            return set(value.names)
        return set().union(*map(found, value)) if isinstance(value, tuple) else set()

    return set().union(*[found(tuple(v for _, v in s.params)) for s in walk(block) if type(s) is Let])


def params_with_dims(params: tuple, dims: dict[str, Dim]) -> tuple:
    """The static parameters of an operation, the dims among them with names replaced."""
    def one(value):
        if isinstance(value, Dim):
            return value.substitute(dims)
        return tuple(map(one, value)) if isinstance(value, tuple) else value

    return tuple([(key, one(value)) for key, value in params]) if dims else params


def rename(block: Block, mapping: dict[str, Atom], dims: dict[str, Dim] | None = None, stays=None) -> Block:
    """The block with names replaced, where they are read and where they are bound.

    dims   the polynomials that replaced names of integers stand for, where they are not the new names
    stays  is there nothing to replace in a block? Without it, blocks are gone through.
    """
    if dims is None:
        dims = {n: Dim.of(x if isinstance(x, str) else int(x.value)) for n, x in mapping.items()
                if isinstance(x, str) or isinstance(x.value, int)}

    if not mapping and not dims or stays is not None and stays(block):
        return block

    def a(atom):
        return mapping.get(atom, atom) if isinstance(atom, str) else atom

    def each(atoms):
        return tuple([mapping.get(x, x) if isinstance(x, str) else x for x in atoms])

    def one(stmt):
        if type(stmt) is Let:
            return Let(each(stmt.names), stmt.op, each(stmt.args), params_with_dims(stmt.params, dims), stmt.origin)
        match stmt:
            case Store():
                return Store(a(stmt.target), stmt.index, each(stmt.atoms), a(stmt.value), stmt.add, stmt.origin,
                             stmt.distinct)
            case For():
                return For(a(stmt.index), a(stmt.start), a(stmt.stop), a(stmt.step),
                           each(stmt.carried), each(stmt.inits),
                           rename(stmt.body, mapping, dims, stays), stmt.origin)
            case While():
                return While(a(stmt.test), each(stmt.carried), each(stmt.inits),
                             rename(stmt.body, mapping, dims, stays), stmt.origin)
            case If():
                return If(a(stmt.test), each(stmt.names), rename(stmt.then, mapping, dims, stays),
                          rename(stmt.orelse, mapping, dims, stays), stmt.origin)

    return Block(tuple(map(one, block.stmts)), each(block.results))


def all_bound(block: Block) -> Iterator[str]:
    for stmt in walk(block):
        if type(stmt) is For:
            yield stmt.index
        yield from bound(stmt)


def updated(stmt: Stmt, **fields):
    """The statement with these fields; the same one, if it has them."""
    for name, value in fields.items():
        if getattr(stmt, name) is not value:
            return replace(stmt, **fields)
    return stmt


def same_or_new(block: Block, stmts: list[Stmt], results: tuple[Atom, ...]) -> Block:
    """A block of these statements and results; the same one, if it has them."""
    same = results == block.results and len(stmts) == len(block.stmts) and all(map(operator.is_, stmts, block.stmts))
    return block if same else Block(tuple(stmts), results)
