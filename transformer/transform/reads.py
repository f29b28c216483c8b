"""Arrays that a mirror reads: from the final array, from the part of them that is read, or with stores undone.

A mirror that reads `a[i, j]` in an inner loop over j, from an array that its own loop over i stores into,
needs that version of the array.  Where no later store can hit the element, the array after the loop will do.
Else the part a[i, :] will do, which is what is then saved: one row for each i.  Where there is no such part, and no
earlier store has hit what is read, the array before the loop will do.

An array that each iteration stores a little into is had by undoing the stores: what they overwrite is saved, and not
the array.

    for i in range(n):                        for i__1 in range(n - 1, -1, -1):
        old_tape[i] = x[i]                        x[i__1] = old_tape[i__1]
        x[i] = np.tanh(W[i] @ x)                  W_bar[i__1] += t_bar * x

The mirror carries the array from its value after the loop.  An iteration needs one version of it: the stores that
follow that version are undone at first, those before it at last, so that all happens in the memory of the one array.
"""
from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Callable

from ..analyse.intervals import follow, up_to
from ..core import (PASSED, Atom, Block, Builder, For, If, Let, Stmt, While, all_bound, names_among, operands, rename,
                    walk)
from ..core.index_codes import entries
from ..core.types import Dim
from ..rules import OPS
from ..rules.kinds import dim_atom, zeros_of
from .values import Values, dim_names, weight


def redirect(values: Values) -> None:
    """Rewrite such reads in the mirror, where all reads of an array can be."""
    same: dict[str, str] = {}  # what is read is a part itself
    for x, uses in sorted(element_reads(values).items()):
        if values.way(x):
            continue
        inner = set(all_bound(values.mirror)) | within(values.block)
        points = [points_of(values, use, inner) for use in uses]
        finals = [final_of(values, x, use, not p) for use, p in zip(uses, points)]
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


def final_of(values: Values, x: str, use: Let, or_first: bool):
    """(array after the owner, atoms, index) where the elements read are then what they are in x; else None.  With
    `or_first` that may be the array before a loop."""
    outside = values.outside(x, use, values.b.types[x]) if or_first else values.survivor(x, use)
    return None if outside is None else (values.final_token(outside), use.args[1:], use.param("index"))


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


# stores undone --------------------------------------------------------------------------------
LEAST = 16  # so many times smaller than the array is what is saved instead: of a small one a copy is as good

Places = tuple[Dim | None, ...]  # of a part, for each axis; None: along all of it


@dataclass(frozen=True)
class Old:
    """A part of an array as it was before a store: a value of the block, where it lies, and `index` into the array."""

    part: str
    atoms: tuple[Atom, ...]
    index: tuple[str, ...]


def undo_stores(values: Values) -> list[tuple[str, str]]:
    """Arrange for arrays to be had so.  [(name that the mirror is to carry, the name of its value after an iteration)]:
    at first it is what the loop carries, after the loop."""
    found = []
    for c, init, result in zip(values.owner.carried, values.owner.inits, values.block.results):
        t = values.b.types[c]
        if t.rank and not any(n in values.made_by for n in dim_names(t)):
            versions = follow(values.block, {c})[0]
            saved = {given_on(values, n) for n in values.saved(values.needs())} & versions
            if len(saved) == 1 and (pair := undone(values, c, *saved, result)) is not None:
                values.facts.restored[pair[0]] = init
                found.append((c, *pair))
    return found


def given_on(values: Values, name: str) -> str:
    """The array that a statement gives on, perhaps under other names of its lengths."""
    while isinstance(let := values.made_by.get(name), Let) and let.op.elements is PASSED and let.op.cheap:
        name = let.args[0]
    return name


def undone(values: Values, c: str, version: str, result: Atom) -> tuple[str, str] | None:
    """Have a version of a carried array by undoing the stores that lead from it to `result`, if what they overwrite is
    known and small."""
    b, t, block = values.b, values.b.types[c], values.block
    last, now = before_inner_loop(values, version)
    early, late = up_to(block, last, values.owner), up_to(block, version, values.owner)
    made_early, stores_early = follow(early, {c})
    made_late, stores_late = follow(replace(block, stmts=block.stmts[len(late.stmts):]), {version})
    if last not in made_early or result not in made_late:
        return None
    early_places, late_places = [dict.fromkeys([store_places(values, let) for let in stores])
                                 for stores in (stores_early, stores_late)]
    sizes = [weight(t.with_dims(d for d, p in zip(t.dims, own) if p is None)) for own in (*early_places, *late_places)]
    if LEAST * sum(sizes) > weight(t):
        return None
    back = b.fresh(c, t)
    late_parts = [old_part(values, version, own) for own in late_places]
    early_parts = [old_part(values, c, own) for own in early_places]
    values.undo(version, [n for old in late_parts for n in (old.part, *names_among(old.atoms))],
                lambda: restored(b, back, late_parts, values.obtain))
    with b.block() as stmts:
        now = restored(b, now, early_parts, lambda atom: atom)
    values.mirror = replace(values.mirror, stmts=(*values.mirror.stmts, *stmts))
    return back, now


def before_inner_loop(values: Values, version: str) -> tuple[str, str]:
    """(an earlier version, its name behind the mirror): where the mirror has undone the stores of the inner loop that
    gives `version`, the one before that loop."""
    for stmt in values.mirror.stmts:
        for name, init in zip(stmt.carried, stmt.inits) if isinstance(stmt, For) else ():
            if init == version and name in values.facts.restored:
                return values.facts.restored[name], name
    return version, version


def store_places(values: Values, store: Let) -> Places:
    """Where a store is, as far as the block itself knows it and it is sure to exist."""
    b, dims, inner = values.b, values.b.type(store.args[0]).dims, within(values.block)
    index = [(code, own) for code, own in entries(store.param("index"), store.args[2:]) if code != "n"]
    if any([code == "a" for code, _ in index]):
        return (None,) * len(dims)
    places = [b.dim(own[0]) if code == "i" else None for code, own in index]
    places += [None] * (len(dims) - len(places))
    with b.block():  # what `doubts` emits for its tests is not needed
        return tuple([p if p is not None and not p.names & inner and not doubts(values, p, n) else None
                      for p, n in zip(places, dims)])


def old_part(values: Values, x: str, places: Places) -> Old:
    """The part of x at these places as a value of the block: one that it has, or one that is added."""
    b, index = values.b, tuple([":" if p is None else "i" for p in places])
    for let in values.block.stmts:
        if isinstance(let, Let) and let.op is OPS["getitem"] and let.args[0] == x and let.param("index") == index and \
                tuple(map(b.dim, let.args[1:])) == tuple([p for p in places if p is not None]):
            return Old(let.name, let.args[1:], index)
    with b.block() as stmts:
        atoms = tuple([dim_atom(b, p, "place") for p in places if p is not None])
        part = b.emit(OPS["getitem"], x, *atoms, hint=x, index=index)
    values.add(stmts)
    return Old(part, atoms, index)


def restored(b: Builder, x: str, olds: list[Old], atom: Callable[[Atom], Atom]) -> str:
    """x with parts as they were before; `atom` gives what stands there for a value of the block."""
    for old in olds:
        x = b.emit(OPS["rt.update"], x, atom(old.part), *map(atom, old.atoms), hint=x, index=old.index)
    return x
