"""How the mirror of a block gets the primal values that it reads.

The mirror of a loop's body, or of a side of a branch, names values of the block freely.  In order of preference
a value is

- alive still: bound outside the block, or constant in it;
- computed again by cheap operations from what is alive;
- read from the final array, where no later store can hit the element (`analyse.intervals`), or from the array before
  the loop, where no earlier store has hit it and keeping that array once is less than saving in each iteration;
- an array of which later stores are undone (`reads.undo_stores`);
- saved; of an array that is only read in parts, those parts (`reads`).  What is saved is the least (`analyse.cut`) from
  which the rest can be computed again.
"""
from __future__ import annotations

import math
from dataclasses import replace
from typing import Callable

from ..analyse.cut import least_cut
from ..analyse.intervals import Intervals
from ..core import (Atom, Block, Builder, Const, For, If, Let, Stmt, all_bound, blocks_of, bound, free_names,
                    names_among, operands, params_with_dims, rename)
from ..core.types import PY_INT, Dim, Type
from ..core.walking import kept_with_the_block
from ..rules import OPS
from ..rules.indexing import indexed_type, may_repeat

FEW = 8  # elements that are joined again as soon as read


def weight(t: Type) -> int:
    """Something like its number of elements: 1000 for every dim that is not known."""
    product = 1
    for d in t.dims:
        product *= 1000 if d.constant is None else max(1, d.constant)
    return product


def dim_names(t: Type) -> set[str]:
    return {n for d in t.dims for n in d.names}


def static_names(let: Let) -> set[str]:
    """The names of integers in the static parameters of a statement."""
    return {n for _, value in let.params for v in (value if isinstance(value, tuple) else (value,))
            if isinstance(v, Dim) for n in v.names}


def block_names_read(block: Block, types: dict[str, Type]) -> set[str]:
    """All names from outside that a block reads, and those that the types of its own names mention."""
    read, sized = mentioned(block, types)
    return {*read, *[d for name in sized for d in dim_names(types[name])]}


@kept_with_the_block
def mentioned(block: Block, types: dict[str, Type]) -> tuple[frozenset[str], tuple[str, ...]]:
    """(names from outside that the text of a block mentions, its own names that have lengths with names)"""
    read, own, sized = {*names_among(block.results)}, set(), []
    for stmt in block.stmts:
        read.update(names_among(operands(stmt)), static_names(stmt) if isinstance(stmt, Let) else ())
        names = [*bound(stmt), *([stmt.index] if isinstance(stmt, For) else [])]
        own.update(names)
        sized += [n for n in names if dim_names(types[n])]
        for read_inside, sized_inside in [mentioned(inner, types) for inner in blocks_of(stmt)]:
            read |= read_inside
            sized += sized_inside
    return frozenset(read - own), tuple(sized)


class Values:
    """The values of one block, for its mirror.

    owner    the loop or branch that the block belongs to
    block    the block, as the forward sweep runs it (with the tapes of inner loops)
    own      the names that the owner binds inside: loop index and carried names
    got      {name of the block: atom that stands for it in the mirror}
    """

    def __init__(self, b: Builder, facts: Intervals, owner: Stmt, block: Block, own: tuple[str, ...], mirror: Block):
        self.b, self.facts, self.owner, self.block, self.mirror = b, facts, owner, block, mirror
        self.own = own
        self.got: dict[str, Atom] = {}
        self.formulas: dict[str, Callable[[], Atom]] = {}  # what emits the closed form of a counter
        self.ways: dict[str, str | None] = {}
        self.sought: set[str] = set()  # the names that a way has been looked for
        self.undone: dict[str, Callable[[], Atom]] = {}  # (`reads.undo_stores`): what emits them
        self.olds: dict[str, list[str]] = {}  # what those are made of, which is not computed from them
        self.parts: dict[tuple, str] = {}  # parts of arrays that were made to be saved
        self.sure = facts.sure_places | facts.places(block)  # (place, length) pairs that exist whenever the block runs
        # statements to add behind the binding of a name (None: at the header)
        self.inserted: dict[str | None, list[Stmt]] = {}
        self.made_by: dict[str, Stmt | None] = dict.fromkeys(own)
        self.stored: dict[str, list[Let]] = {}  # {value: the updates that store it}
        for stmt in block.stmts:
            self.made_by.update(dict.fromkeys(bound(stmt), stmt))
            if isinstance(stmt, Let) and stmt.op.name == "rt.update" and isinstance(stmt.args[1], str):
                self.stored.setdefault(stmt.args[1], []).append(stmt)

    # the plan -------------------------------------------------------------------------------------
    def needs(self) -> list[str]:
        read = block_names_read(self.mirror, self.b.types).union(self.undone, *self.olds.values())
        return sorted(n for n in read if n in self.made_by)

    def cheap(self, name: str) -> bool:
        """Is computing it again no dearer than reading it from a tape?"""
        let = self.made_by[name]
        if not isinstance(let, Let) or any([name in olds for olds in self.olds.values()]):
            return False
        return let.op.cheap or let.op.cheap_of_few and all(
            None not in (sizes := [d.constant for d in self.b.types[n].dims]) and math.prod(sizes) <= FEW
            for n in let.names)

    def depends(self, name: str) -> list[str]:
        """The values of this block that a statement which computes `name` again reads."""
        let = self.made_by[name]
        if not isinstance(let, Let):
            return []
        names = set(names_among(let.args)) | static_names(let)
        for n in let.names:
            names |= dim_names(self.b.types[n])
        return sorted(n for n in names if n in self.made_by)

    def way(self, name: str) -> str | None:
        """How a value is had without saving anything: "alive", "formula", "again", "final", "undone"; None
        if it is not."""
        if name not in self.made_by or name in self.got or self.constant(name):
            return "alive"
        if name not in self.ways:
            for n in self.closure([name], lambda n: [] if n in self.ways else self.depends(n)):
                self.ways.setdefault(n, self.find_way(n))
        return self.ways[name]

    def find_way(self, name: str) -> str | None:
        if name in self.sought:  # stored at an index that it is part of
            return None
        self.sought.add(name)
        if name in self.formulas:
            return "formula"
        if name in self.undone:
            return "undone"
        if self.cheap(name) and all(map(self.way, self.depends(name))):
            return "again"
        return "final" if self.final(name) else None

    def undo(self, name: str, olds: list[str], emit: Callable[[], Atom]) -> None:
        """Have an array by undoing stores, out of values of the block that are had without it."""
        for n in olds:
            self.way(n)
        self.undone[name], self.olds[name] = emit, [n for n in olds if n in self.made_by]
        self.ways = {n: way for n, way in self.ways.items() if way is not None or n in olds}
        self.sought = {*self.ways}

    def closure(self, names: list[str], sources: Callable[[str], list[str]]) -> list[str]:
        """The values of the block that `names` come from, as the block binds them:
        a walk over them never looks ahead."""
        found: set[str] = set()
        todo = list(names)
        while todo:
            n = todo.pop()
            if n in self.made_by and n not in found:
                found.add(n)
                todo += sources(n)
        return [n for n in self.made_by if n in found]

    def constant(self, name: str) -> bool:
        """Is it carried, and handed on as it is?"""
        carried = () if isinstance(self.owner, If) else self.owner.carried
        return name in carried and self.block.results[carried.index(name)] == name

    def final(self, name: str):
        """(array outside the owner, index) where the value stands too: an element read, or one stored."""
        if isinstance(self.owner, If) and name in self.block.results:
            side = [k for k, r in enumerate(self.block.results) if r == name]
            return self.owner.names[side[0]], None
        let = self.made_by[name]
        places = [let] if isinstance(let, Let) and let.op.name == "getitem" else []
        places += self.stored.get(name, ())
        for place in places:
            stored = place is not let
            x, index = (place.name, place.args[2:]) if stored else (place.args[0], place.args[1:])
            if (stored and not self.stored_as_it_is(place) or x not in self.made_by
                    or not all(map(self.way, names_among(index)))):
                continue
            outside = self.survivor(x, place) if stored else self.outside(x, place, self.b.types[name])
            if outside is not None:
                return outside, (index, place.params)
        return None

    def region(self, x: str, place: Let):
        """The elements of x at the index of a statement."""
        atoms = place.args[1:] if place.op.name == "getitem" else place.args[2:]
        return self.facts.region(self.b.type(x), place.param("index"), atoms)

    def survivor(self, x: str, place: Let) -> str | None:
        """The array after the owner in which the elements of x at the index of a statement are what they are in x."""
        return self.facts.survivor(x, self.region(x, place), self.owner, self.block)

    def outside(self, x: str, place: Let, part: Type) -> Atom | None:
        """The array after the owner, or before a loop, in which they are that.  The one before is kept as it was, which
        may take a copy of all of it; so that one is only taken where a `part` for each iteration is more."""
        after = self.survivor(x, place)
        is_more = after is None and not isinstance(self.owner, If) and (
            self.iterations() * weight(part) > weight(self.b.types[x]))
        return self.facts.original(x, self.region(x, place), self.owner, self.block) if is_more else after

    def iterations(self) -> int:
        """How often the loop runs, as `weight` counts."""
        ends = (self.owner.start, self.owner.stop, self.owner.step) if isinstance(self.owner, For) else ()
        known = ends and all([isinstance(e, Const) for e in ends])
        return len(range(*[e.value for e in ends])) if known else 1000

    def final_token(self, name: str) -> str:
        """How the mirror names an array after the owner until `finish`: a carried name means another value inside."""
        token = name + "!"
        self.got[token], self.b.types[token] = name, self.b.types[name]
        return token

    def stored_as_it_is(self, update: Let) -> bool:
        """Does reading back what an update stores give the value, but perhaps for its kind?"""
        x, value, *index = update.args
        part = indexed_type(self.b, x, update.param("index"), index, update.param("dims"))
        v = self.b.type(value)
        return v.dtype == part.dtype and v.dims == part.dims and not may_repeat(update)

    def saved(self, needs: list[str]) -> list[str]:
        """What to save."""
        needed = [n for n in needs if not self.way(n)]
        depends: dict[str, list[str]] = {}
        todo = list(needed)
        while todo:
            n = todo.pop()
            if n not in depends and self.cheap(n):
                depends[n] = [m for m in self.depends(n) if not self.way(m)]
                todo += depends[n]
        cut = set(least_cut(depends, needed, lambda n: weight(self.b.types[n])))

        def had(n):
            stop = self.closure([n], lambda m: [] if m in cut or self.way(m) else self.depends(m))
            return all(m in cut or self.way(m) or self.cheap(m) for m in stop)

        while missing := sorted({d for n in cut for d in dim_names(self.b.types[n])
                                 if d in self.made_by and not had(d)}):
            cut.update(missing)  # the sizes of what is saved
        return sorted(cut)

    # the doing ------------------------------------------------------------------------------------
    def provide(self, save: Callable[[list[str]], dict[str, Callable[[], Atom]]]) -> list[Stmt]:
        """Obtain all that the mirror needs.  Gives the statements for the header of the mirror.

        `save(names)` arranges for values to be saved in the forward sweep, and gives for each what emits reading it.
        """
        needs = self.needs()
        self.reads = save(self.saved(needs))
        with self.b.block() as header:
            for n in self.closure(needs, self.sources):
                self.obtain(n)
        return header

    def sources(self, name: str) -> list[str]:
        """What obtaining a value takes."""
        if name in self.reads:
            return sorted(dim_names(self.b.types[name]))
        match self.way(name):
            case "alive" | "formula":
                return []
            case "undone":
                return self.olds[name]
            case "final":
                _, place = self.final(name)
                return [] if place is None else names_among(place[0])
        return self.depends(name)

    def obtain(self, atom: Atom) -> Atom:
        """The atom that stands for a value of the block in the mirror; emits what it takes."""
        if atom not in self.made_by or self.constant(atom):
            return atom
        if atom not in self.got:
            if atom in self.reads:
                self.got[atom] = self.reads[atom]()
            elif self.way(atom) == "formula":
                self.got[atom] = self.formulas[atom]()
            elif self.way(atom) == "final":
                self.got[atom] = self.read_final(atom)
            elif self.way(atom) == "undone":
                self.got[atom] = self.undone[atom]()
            else:
                self.again(self.made_by[atom])
        return self.got[atom]

    def dims(self, t: Type) -> Type:
        """A type of the block as it is in the mirror."""
        for n in sorted(dim_names(t)):
            self.obtain(n)
        return t.with_dims(self.in_mirror(d) for d in t.dims) if t.dims else t

    def in_mirror(self, d: Dim) -> Dim:
        return d.substitute({n: self.b.dim(self.got[n]) for n in d.names if n in self.got})

    def integers(self) -> dict[str, Dim]:
        return {n: self.b.dim(a) for n, a in self.got.items() if self.b.types[n] == PY_INT}

    def params(self, params: tuple) -> tuple:
        """Static parameters of the block as they are in the mirror."""
        return params_with_dims(params, self.integers()) if any(isinstance(v, tuple)
            and any(isinstance(d, Dim) for d in v) or isinstance(v, Dim)
                                                                for _, v in params) else params

    def again(self, let: Let) -> None:
        """Compute once more what a statement computes."""
        if let.op.name == "rt.match":  # checked once; the check is not repeated
            t = self.dims(self.b.types[let.name])
            self.got[let.name] = self.b.emit(OPS["retype"], self.obtain(let.args[0]), hint=let.name, dims=t.dims)
            return
        types = [self.dims(self.b.types[n]) for n in let.names]
        for n in sorted(static_names(let)):
            self.obtain(n)
        args = tuple(self.obtain(a) for a in let.args)
        names = tuple(self.b.fresh(n, t) for n, t in zip(let.names, types))
        self.b.append(replace(let, names=names, args=args, params=self.params(let.params)))
        self.got.update(zip(let.names, names))

    def read_final(self, name: str) -> Atom:
        after, place = self.final(name)
        if place is None:  # the branch hands it on, perhaps with other names of its lengths
            t = self.dims(self.b.types[name])
            same = self.b.type(after).dims == t.dims
            return after if same else self.b.emit(OPS["retype"], after, hint=name, dims=t.dims)
        index, params = place
        value = self.b.emit(OPS["getitem"], after, *map(self.obtain, index), hint=name, **dict(self.params(params)))
        return as_type(self.b, value, self.b.types[name], name)

    def finish(self, header: list[Stmt]) -> Block:
        """The mirror with its header, in terms of names that it can see."""
        dims = self.integers()
        block = rename(self.mirror, self.got, dims, self.is_as_it_was)
        for token in [n for n in self.got if n.endswith("!")]:
            del self.b.types[token]
        for name in all_bound(block) if dims else ():
            self.b.types[name] = self.b.types[name].substitute(dims)
            if name in self.b.polynomials:
                self.b.polynomials[name] = self.b.polynomials[name].substitute(dims)
        return Block((*header, *block.stmts), block.results)

    def is_as_it_was(self, block: Block) -> bool:
        """Does a block of the mirror mention nothing that has got another name?"""
        return self.got.keys().isdisjoint(block_names_read(block, self.b.types))

    def add(self, stmts: list[Stmt]) -> None:
        """Add statements to the block as early as what they read allows."""
        read = free_names(Block(tuple(stmts)))
        at = max((k + 1 for k, s in enumerate(self.block.stmts) if read & set(bound(s))), default=0)
        self.block = Block((*self.block.stmts[:at], *stmts, *self.block.stmts[at:]), self.block.results)
        for s in stmts:
            self.made_by.update(dict.fromkeys(bound(s), s))

    def replace_statement(self, old: Stmt, new: Stmt) -> None:
        self.block = Block(tuple([new if s is old else s for s in self.block.stmts]), self.block.results)
        self.made_by.update(dict.fromkeys(bound(new), new))

    def insert(self, behind: str, stmts: list[Stmt]) -> None:
        self.inserted.setdefault(None if behind in self.own else behind, []).extend(stmts)

    def forward(self) -> tuple[Stmt, ...]:
        """The statements of the block with what was inserted."""
        out = list(self.inserted.get(None, ()))
        for stmt in self.block.stmts:
            out.append(stmt)
            for name in bound(stmt):
                out += self.inserted.get(name, ())
        return tuple(out)


def as_type(b: Builder, value: Atom, t: Type, hint: str) -> Atom:
    """An element read from an array as the Python number, scalar or array of rank 0 that it was."""
    if t.kind == "py":
        return b.emit(OPS[t.python_type.__name__], value, hint=hint)
    if t.kind == "array" and t.rank == 0 and b.type(value).kind != "array":
        return b.emit(OPS["np.asarray"], value, hint=hint)
    return value
