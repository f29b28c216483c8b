"""Arrays that a mirror reads elements of: from the final array, or from the part of them that is read.

A mirror that reads `a[i, j]` in an inner loop over j, from an array that its own loop over i stores into,
needs that version of the array.  Where no later store can hit the element, the array after the loop will do.
Else the part a[i, :] will do, which is what is then saved: one row for each i.
"""
from __future__ import annotations

import functools
from dataclasses import replace

from ..core import Atom, Block, For, If, Let, Stmt, While, all_bound, names_among, operands, rename, walk
from ..core.index_codes import entries
from ..core.types import Dim
from ..rules import OPS
from ..rules.kinds import dim_atom, zeros_of
from .values import Values


def redirect(values: Values) -> None:
    """Rewrite such reads in the mirror, where all reads of an array can be."""
    same: dict[str, str] = {}  # what is read is a part itself
    for x, uses in sorted(element_reads(values).items()):
        if values.way(x):
            continue
        inner = set(all_bound(values.mirror)) | within(values.block)
        finals = [final_of(values, x, use) for use in uses]
        points = [points_of(values, use, inner) for use in uses]
        if all(f or p for f, p in zip(finals, points)):
            for use, final, places in zip(uses, finals, points):
                source, atoms, index = final or forward_part(values, x, use, places)
                if index:
                    params = tuple((k, index if k == "index" else v) for k, v in use.params)
                    values.mirror = with_statements(values.mirror,
                                                    {use.name: (replace(use, args=(source, *atoms), params=params),)})
                else:
                    values.mirror = with_statements(values.mirror, {use.name: ()})
                    same[use.name] = source
    values.mirror = rename(values.mirror, same)


def within(block: Block) -> set[str]:
    """Names that inner statements of a block bind; what a loop carries is another thing behind it than inside."""
    inner: set[str] = set()
    for stmt in block.stmts:
        if isinstance(stmt, For | While):
            inner.update(all_bound(Block((stmt,))))
        elif isinstance(stmt, If):
            inner.update(all_bound(stmt.then), all_bound(stmt.orelse))
    return inner


def element_reads(values: Values) -> dict[str, list[Let]]:
    """{array of the block: the statements of the mirror that read elements of it}, of arrays not read otherwise."""
    uses: dict[str, list[Let]] = {}
    if not any([values.b.types[x].rank for x in values.made_by if x in values.b.types]):
        return uses
    whole = {*names_among(values.mirror.results)}
    for stmt in walk(values.mirror):
        atoms = list(operands(stmt))
        if isinstance(stmt, Let) and stmt.op.name == "getitem":
            uses.setdefault(atoms.pop(0), []).append(stmt)
        whole |= set(names_among(atoms))
        for block in (stmt.body,) if isinstance(stmt, For | While) else (stmt.then,
                                                                         stmt.orelse) if isinstance(stmt, If) else ():
            whole |= set(names_among(block.results))
    return {x: found for x, found in uses.items() if x in values.made_by and x not in whole}


def final_of(values: Values, x: str, use: Let):
    """(array after the owner, atoms, index) where the elements read are then what they are in x; else None."""
    after = values.survivor(x, use)
    return None if after is None else (values.final_token(after), use.args[1:], use.param("index"))


def points_of(values: Values, use: Let, inner: set[str]) -> tuple[Dim | None, ...] | None:
    """For each entry of the index the place, where it is an integer that inner loops of the mirror do not change;
    None for no such."""
    index = entries(use.param("index"), use.args[1:])
    dims = [values.b.dim(own[0]) if code == "i" else None for code, own in index]
    places = tuple(None if d is None or d.names & inner else d for d in dims)
    return places if any(p is not None for p in places) and not any(code == "a" for code, _ in index) else None


def forward_part(values: Values, x: str, use: Let, places: tuple[Dim | None, ...]):
    """(part, atoms, index): the part of x at these places, made in the forward sweep, and the index into it."""
    index = entries(use.param("index"), use.args[1:])
    if (x, places) not in values.parts:
        values.parts[x, places] = make_part(values, x, [p for (code, _), p in zip(index, places) if code != "n"])
    rest = [(code, own) for (code, own), p in zip(index, places) if p is None]
    return (values.parts[x, places], tuple(a for _, own in rest for a in own if a is not None),
            tuple(code for code, _ in rest))


def make_part(values: Values, x: str, places: list[Dim | None]) -> str:
    """Add x at these places, or along the whole of axes, to the forward sweep.

    That inner loops may not run at all must not become an IndexError: a place that may not exist is asked for first.
    """
    b = values.b
    with b.block() as stmts:
        atoms = [dim_atom(b, p, "place") for p in places if p is not None]
        tests = [test for p, n in zip(places, b.type(x).dims) if p is not None for test in doubts(values, p, n)]
        with b.block() as read:
            part = b.emit(OPS["getitem"], x, *atoms, hint=x, index=tuple(":" if p is None else "i" for p in places))
        if not tests:
            b.stmts += read
        else:
            exists = functools.reduce(lambda one, other: b.emit(OPS["and_"], one, other, hint="exists"), tests)
            with b.block() as nothing:
                zeros = zeros_of(b, b.types[part])
            name = b.fresh(x, b.types[part])
            b.append(If(exists, (name,), Block(tuple(read), (part,)), Block(tuple(nothing), (zeros,))))
            part = name
    values.add(stmts)
    return part


def doubts(values: Values, place: Dim, length: Dim) -> list[Atom]:
    """Tests, as far as the answer is not known, whether an axis of this length has this place."""
    b, facts = values.b, values.facts
    if (place, length) in values.sure:
        return []
    low = facts.at_least(place, 0) or facts.at_least(place + length, 0)
    high = facts.at_least(length - 1 - place, 0)
    at, n = dim_atom(b, place, "place"), dim_atom(b, length)
    return ([] if low else [b.emit(OPS["less_equal"], dim_atom(b, -length), at, hint="exists")]) \
        + ([] if high else [b.emit(OPS["less"], at, n, hint="exists")])


def with_statements(block: Block, new: dict[str, tuple[Stmt, ...]]) -> Block:
    """The block with the statements that bind these names, wherever they stand, replaced."""
    out: list[Stmt] = []
    for stmt in block.stmts:
        match stmt:
            case For() | While():
                out.append(replace(stmt, body=with_statements(stmt.body, new)))
            case If():
                out.append(replace(stmt, then=with_statements(stmt.then, new),
                                   orelse=with_statements(stmt.orelse, new)))
            case _:
                out += new.get(stmt.names[0] if stmt.names else "", (stmt,))
    return Block(tuple(out), block.results)
