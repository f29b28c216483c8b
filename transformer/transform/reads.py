"""Arrays that a mirror reads elements of: from the final array, or from the part of them that is read.

A mirror that reads `a[i, j]` in an inner loop over j, from an array that its own loop over i stores into,
needs that version of the array.  Where no later store can hit the element, the array after the loop will do.
Else the part a[i, :] will do, which is what is then saved: one row for each i.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Block, For, If, Let, Stmt, While, all_bound, names_in, operands, rename, walk
from ..rules import OPS
from ..rules.indexing import entries
from ..rules.kinds import dim_atom
from ..types import Dim
from .values import Values


def redirect(values: Values) -> None:
    """Rewrite such reads in the mirror, where all reads of an array can be."""
    same: dict[str, str] = {}  # what is read is a part itself
    for x, uses in sorted(element_reads(values).items()):
        if values.way(x):
            continue
        inner = set(all_bound(values.mirror))
        sources = [final_of(values, x, use) or part_of(values, x, use, inner) for use in uses]
        if all(sources):
            for use, (source, atoms, index) in zip(uses, sources):
                if index:
                    params = tuple((k, index if k == "index" else v) for k, v in use.params)
                    values.mirror = swap(values.mirror, {use.name: (replace(use, args=(source, *atoms), params=params),)})
                else:
                    values.mirror = swap(values.mirror, {use.name: ()})
                    same[use.name] = source
    values.mirror = rename(values.mirror, same)


def element_reads(values: Values) -> dict[str, list[Let]]:
    """{array of the block: the statements of the mirror that read elements of it}, of arrays not read otherwise."""
    uses: dict[str, list[Let]] = {}
    whole = {*names_in(values.mirror.results)}
    for stmt in walk(values.mirror):
        atoms = list(operands(stmt))
        if isinstance(stmt, Let) and stmt.op.name == "getitem":
            uses.setdefault(atoms.pop(0), []).append(stmt)
        whole |= set(names_in(atoms))
        for block in (stmt.body,) if isinstance(stmt, For | While) else (stmt.then, stmt.orelse) if isinstance(stmt, If) else ():
            whole |= set(names_in(block.results))
    return {x: found for x, found in uses.items() if x in values.made_by and x not in whole}


def final_of(values: Values, x: str, use: Let):
    """(array after the owner, atoms, index) where the elements read are then what they are in x; else None."""
    after = values.survivor(x, use)
    return None if after is None else (values.final_token(after), use.args[1:], use.param("index"))


def part_of(values: Values, x: str, use: Let, inner: set[str]):
    """(part, atoms, index): the least part of x that holds what is read, made in the forward sweep, and the index into it.

    An axis is taken at a point where the integer does not change in inner loops of the mirror, else whole.  The
    point must surely exist: that inner loops may not run at all does not excuse an IndexError.
    """
    b, index = values.b, entries(use.param("index"), use.args[1:])
    if any(code == "a" for code, _ in index):
        return None
    lengths = iter(b.type(x).dims)
    places = [None if code == "n" else point(values, code, own, next(lengths), inner) for code, own in index]
    if all(p is None for p in places):
        return None
    part = values.parts.get((x, tuple(places)))
    if part is None:
        with b.block() as stmts:
            atoms = [dim_atom(b, p, "place") for p in places if p is not None]
            codes = tuple(":" if p is None else "i" for (code, _), p in zip(index, places) if code != "n")
            part = b.emit(OPS["getitem"], x, *atoms, hint=x, index=codes)
        values.add(stmts)
        values.parts[x, tuple(places)] = part
    rest = [(code, own) for (code, own), p in zip(index, places) if p is None]
    return part, tuple(a for _, own in rest for a in own if a is not None), tuple(code for code, _ in rest)


def point(values: Values, code: str, own, length: Dim, inner: set[str]) -> Dim | None:
    """The place an integer index names, if it is one that the block knows and that surely exists."""
    if code != "i" or values.b.dim(own[0]).names & inner:
        return None
    place = values.facts.place(own[0], length)
    sure = place is not None and values.facts.at_least(place, 0) and values.facts.at_least(length - 1 - place, 0)
    return place if sure else None


def swap(block: Block, new: dict[str, tuple[Stmt, ...]]) -> Block:
    """The block with the statements that bind these names, wherever they stand, replaced."""
    out: list[Stmt] = []
    for stmt in block.stmts:
        match stmt:
            case For() | While():
                out.append(replace(stmt, body=swap(stmt.body, new)))
            case If():
                out.append(replace(stmt, then=swap(stmt.then, new), orelse=swap(stmt.orelse, new)))
            case _:
                out += new.get(stmt.names[0] if stmt.names else "", (stmt,))
    return Block(tuple(out), block.results)
