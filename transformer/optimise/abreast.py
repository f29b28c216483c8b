"""Rounds that walk down columns, and do not depend on each other, go abreast: along rows, element beside element.

    for j in range(0, m, 1):                      if 16 <= m:
        t = b[k:, j]                                  t = b[k:, :]
        s = a @ t                                     s = a @ t
        b = rt.update(b, s, np.s_[i, j])              b = rt.update(b, s, np.s_[i, :])
                                                  else:
                                                      for j in range(0, m, 1): ...

What differs between the rounds has their axis last.  An array that the loop carries is read and stored into at the
round's own place of one axis, or it is only added to, by one sum over the rounds then.  The loop as it was runs where
there are few rounds, or where places are not there, so that it raises what it raises.
"""
from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace

from ..analyse.raising import Raising
from ..core import PASSED, Atom, Block, Const, For, Fun, If, Let
from ..core.index_codes import codes_of_axes, entries
from ..core.types import PY_INT, Dim, Type
from ..rules import OPS
from ..rules.indexing import Update
from ..rules.inference import Unbatchable
from ..rules.kinds import Elementwise, conform, dim_atom
from ..transform.values import dim_names, static_names
from .rewriter import Rewriter

FEW = 16  # rounds for which it is not worth it
CHECKS = (OPS["rt.require"], OPS["rt.match"])


@dataclass(frozen=True)
class RoundPlace:
    """Where a round has its own part of an array: along this axis, so far behind the index of the loop."""

    axis: int
    offset: Dim


@dataclass
class RoundsAbreast:
    """A loop whose rounds go abreast: `count` of them, the least index is `low`.

    versions  {name: the array that the loop carries of which it is a version}
    places    {such an array: where a round reads and stores; None: it is added to}
    parts     {what reads or stores at a place of the round: that place}
    integers  the index, and what differs from it by what is the same for all
    differs   the values that are not the same for all rounds
    before    statements that are the same for all, and raise nothing; `late`: the names that the others bind
    needed    numbers that must not be negative
    """

    loop: For
    count: Dim
    low: Dim
    versions: dict[str, str]
    integers: set[str]
    places: dict[str, RoundPlace | None] = field(default_factory=dict)
    parts: dict[str, RoundPlace] = field(default_factory=dict)
    differs: set[str] = field(default_factory=set)
    before: list[Let] = field(default_factory=list)
    late: set[str] = field(default_factory=set)
    needed: list[Dim] = field(default_factory=list)
    columns: bool = False  # does a part that is longer than one element lie across rows?


def abreast(fun: Fun) -> Fun:
    """Not where arguments are stored into: what they hold after an exception would be of other rounds, too."""
    return fun if fun.writes else Abreast(fun).run()


# which loops ------------------------------------------------------------------------------------
def across_rows(index: tuple[str, ...]) -> bool:
    """May a part that an index names be longer than an element, and lie across rows?"""
    first = next((k for k, code in enumerate(index) if code not in "in"), len(index))
    return "i" in index[first:]


class RoundsFinder:
    def __init__(self, raising: Raising):
        self.raising = raising

    def find(self, loop: For) -> RoundsAbreast | None:
        walks = [across_rows(let.param("index", ())) if isinstance(let, Let) else None for let in loop.body.stmts]
        if loop.step not in (Const(1), Const(-1)) or None in walks or not any(walks):
            return None
        count, low = self.span(loop)
        rounds = RoundsAbreast(loop, count, low, {c: c for c in loop.carried}, {loop.index})
        if count.constant is not None and count.constant < FEW or not all(
                [self.takes(rounds, let) for let in loop.body.stmts]):
            return None
        last = [rounds.versions.get(r) for r in loop.body.results]
        return rounds if rounds.columns and last == [*loop.carried] and self.is_one_chain(rounds) else None

    def span(self, loop: For) -> tuple[Dim, Dim]:
        """(how many rounds there are, the least index)"""
        start, stop = self.raising.b.dim(loop.start), self.raising.b.dim(loop.stop)
        return (stop - start, start) if loop.step == Const(1) else (start - stop, stop + 1)

    def takes(self, rounds: RoundsAbreast, let: Let) -> bool:
        """May this statement be done for all rounds at once, as far as it alone says?"""
        types, changing = self.raising.b.types, rounds.differs | rounds.integers | rounds.versions.keys()
        rounds.late.update(let.names)  # until it is known to be of `before`
        if static_names(let).union(*[dim_names(types[n]) for n in let.names]) & (changing | rounds.late):
            return False
        read = changing.intersection(let.args)
        if not read:
            return self.takes_same(rounds, let)
        if isinstance(let.op, Update):
            return self.takes_store(rounds, let, changing)
        if let.op is OPS["getitem"] and not rounds.integers.isdisjoint(let.args[1:]):
            return self.takes_read(rounds, let)
        if not rounds.versions.keys().isdisjoint(read):
            return self.takes_sum(rounds, let)
        if len(let.names) != 1 or let.op not in CHECKS and (let.op.effect or self.raising.may(let)):
            return False
        if types[let.name] == PY_INT:
            rounds.integers.add(let.name)
            return not self.offset(rounds, let.name).names & changing
        rounds.differs.add(let.name)
        return rounds.differs.issuperset(read) and self.is_float(let.name)

    def takes_same(self, rounds: RoundsAbreast, let: Let) -> bool:
        """What is the same for all rounds: before them, unless it may raise, as it may not where there are none."""
        if not let.op.effect and not self.raising.may(let) and rounds.late.isdisjoint(let.args):
            rounds.before.append(let)
            rounds.late.difference_update(let.names)
        return not let.op.effect or let.op in CHECKS

    def is_float(self, name: str) -> bool:
        t = self.raising.b.types[name]
        return t.kind != "py" and t.dtype.kind in "fc"

    def offset(self, rounds: RoundsAbreast, atom: Atom) -> Dim:
        return self.raising.b.dim(atom) - Dim.of(rounds.loop.index)

    def takes_read(self, rounds: RoundsAbreast, let: Let) -> bool:
        x = let.args[0]
        place = self.place(rounds, let)
        if place is None or x in rounds.differs or x in rounds.versions and x not in rounds.loop.carried:
            return False
        rounds.differs.add(let.name)
        return self.is_float(let.name) and (x not in rounds.versions or rounds.places.setdefault(x, place) == place)

    def takes_store(self, rounds: RoundsAbreast, let: Let, changing: set[str]) -> bool:
        array, value = rounds.versions.get(let.args[0]), let.args[1]
        if array is None or value in rounds.versions or value in rounds.integers:
            return False
        rounds.versions[let.name] = array
        if changing.isdisjoint(let.args[2:]):
            return let.op.add and value in rounds.differs and rounds.places.setdefault(array, None) is None
        place = self.place(rounds, let)
        return place is not None and rounds.places.setdefault(array, place) == place

    def takes_sum(self, rounds: RoundsAbreast, let: Let) -> bool:
        sums, terms = [a for a in let.args if a in rounds.versions], [a for a in let.args if a in rounds.differs]
        if let.op is not OPS["add"] or len(sums) != 1 or len(terms) != 1:
            return False
        array = rounds.versions[let.name] = rounds.versions[sums[0]]
        types = self.raising.b.types
        return (types[sums[0]] == types[let.name] and self.is_float(let.name)
                and types[terms[0]].dims == types[let.name].dims and rounds.places.setdefault(array, None) is None)

    def place(self, rounds: RoundsAbreast, let: Let) -> RoundPlace | None:
        """Where the statement has an array, which each round has elsewhere."""
        b, axis, found = self.raising.b, 0, []
        dims, changing = b.types[let.args[0]].dims, rounds.integers | rounds.differs
        index = codes_of_axes(let.param("index"), len(dims))
        for code, own in entries(index, let.args[let.op.index_at:]):
            if not changing.isdisjoint(own):
                found.append(RoundPlace(axis, self.offset(rounds, own[0])) if code == "i" else None)
            axis += code != "n"
        if "a" in index or len(found) != 1 or found[0] is None or found[0].offset.names & changing:
            return None
        first = rounds.low + found[0].offset
        rounds.needed += [number for number in (first, dims[found[0].axis] - first - rounds.count)
                          if not self.raising.facts.at_least(number, 0) and number not in rounds.needed]
        rounds.columns |= across_rows(index[:found[0].axis + index.count("n") + 1])
        rounds.parts[let.name] = found[0]
        return found[0]

    def is_one_chain(self, rounds: RoundsAbreast) -> bool:
        """Does each version of an array lead to one other, and is one that is added to read by nothing else?"""
        stmts, results = rounds.loop.body.stmts, rounds.loop.body.results
        for name, array in rounds.versions.items():
            readers = [let for let in stmts if name in let.args]
            stores = [let for let in readers if let.names and let.name in rounds.versions]
            if len(stores) + results.count(name) != 1 or len(readers) > len(stores) and not rounds.places.get(array):
                return False
        return True


# all rounds at once -----------------------------------------------------------------------------
class Abreast(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.raising, self.depth = Raising(fun), 0

    def loop(self, stmt) -> None:
        rounds = RoundsFinder(self.raising).find(stmt) if self.depth and isinstance(stmt, For) else None
        made = None if rounds is None else self.all_rounds(rounds)
        self.depth += 1
        if made is None:
            super().loop(stmt)
        else:
            self.either(rounds, made)
        self.depth -= 1

    def either(self, rounds: RoundsAbreast, made: Block) -> None:
        """All rounds abreast, where there are many and all places are there; else the loop."""
        loop, b = rounds.loop, self.b
        names = tuple([b.fresh(c, self.types[c]) for c in loop.carried])
        for let in rounds.before:
            self.emit(self.renamed(let))
        with b.at(loop.origin):
            tests = [b.emit(OPS["less_equal"], Const(least), dim_atom(b, d), hint="many" if least else "is_there")
                     for least, d in ((FEW, rounds.count), *[(0, d) for d in rounds.needed])]
            test = functools.reduce(lambda one, other: b.emit(OPS["and_"], one, other, hint="ok"), tests)
        rest = tuple([let for let in loop.body.stmts if not rounds.late.isdisjoint(let.names) or not let.names])
        with b.block() as alone:
            super().loop(replace(loop, body=replace(loop.body, stmts=rest)))
        self.emit(If(test, names, made, Block(tuple(alone), loop.carried), loop.origin))
        for c, name in zip(loop.carried, names):
            self.alias(c, name)

    def all_rounds(self, rounds: RoundsAbreast) -> Block | None:
        """The statements of all rounds, with what the loop carries behind it."""
        doing = AllRounds(self, rounds)
        with self.b.block() as stmts:
            try:
                for let in rounds.loop.body.stmts:
                    if (not let.names or let.names[0] in rounds.late) and rounds.integers.isdisjoint(let.names):
                        with self.b.at(let.origin):
                            doing.let(self.renamed(let))
            except Unbatchable:
                return None
        return Block(tuple(stmts), tuple([doing.now[r] for r in rounds.loop.body.results]))


class AllRounds:
    """now: {name of the loop's body: what stands for it}, of values that differ with the axis of the rounds last."""

    def __init__(self, rewriter: Rewriter, rounds: RoundsAbreast):
        self.b, self.rounds = rewriter.b, rounds
        self.now: dict[str, Atom] = dict(zip(rounds.loop.carried, rounds.loop.inits))
        self.made: dict[str, Let] = {}  # what makes the values that differ

    def let(self, let: Let) -> None:
        rounds = self.rounds
        args, params = [self.now.get(a, a) for a in let.args], dict(let.params)
        if isinstance(let.op, Update) and let.args[0] in rounds.versions:
            self.now[let.name] = self.store(let, args, params)
        elif not rounds.versions.keys().isdisjoint(let.names):
            terms = [self.total(a) if a in rounds.differs else self.now[a] for a in let.args]
            self.now[let.name] = self.b.emit(let.op, *terms, hint=let.name)
        elif not rounds.parts.keys().isdisjoint(let.names):
            part, params, at = self.part(let, params)
            whole = self.b.emit(let.op, args[0], *part, hint=let.name, **params)
            self.now[let.name] = self.turned(whole, at, self.b.type(whole).rank - 1)
        elif any([a in rounds.differs for a in let.args]):
            self.now[let.name] = self.lifted(let, args, params)
            self.made[let.name] = let
        else:
            new = tuple([self.b.fresh(n, self.b.types[n]) for n in let.names])
            self.b.append(replace(let, names=new, args=tuple(args)))
            self.now |= dict(zip(let.names, new))

    def lifted(self, let: Let, args: list[Atom], params: dict) -> Atom:
        """The value of a statement for all rounds."""
        emit = functools.partial(self.b.emit, hint=let.name)
        differ = [a in self.rounds.differs for a in let.args]
        if isinstance(let.op, Elementwise):
            return emit(let.op, *[self.beside(*x, self.b.types[let.name]) for x in zip(let.args, args)], **params)
        if let.op is OPS["np.sum"] and min(params["axis"]) >= 0:
            return emit(let.op, args[0], **params)
        if let.op.elements is PASSED and "dims" in params:
            return emit(let.op, *args, **params | {"dims": (*params["dims"], self.rounds.count)})
        if let.op is OPS["getitem"] and "a" not in params["index"]:
            index = codes_of_axes(params["index"], self.b.types[let.args[0]].rank)
            dims = (*self.b.types[let.name].dims, self.rounds.count)
            return emit(let.op, *args, **params | {"index": (*index, ":"), "dims": dims})
        if let.op is OPS["matmul"] and all([self.b.types[a].rank == 1 for a in let.args]):
            return self.product(let, *(zip(differ, args) if differ[1] else zip(differ[::-1], args[::-1])))
        raise Unbatchable(f"{let.op.name} has no form for all rounds")

    def product(self, let: Let, one: tuple[bool, Atom], other: tuple[bool, Atom]) -> Atom:
        """Of a vector, which may differ, and one that differs."""
        emit = functools.partial(self.b.emit, hint=let.name)
        (differs, x), (_, y) = one, other
        wanted = (self.b.type(y).dims[0], *self.b.type(x).dims[1:])
        x = x if self.b.type(x).dims == wanted else emit(OPS["retype"], x, dims=wanted)
        return emit(OPS["np.sum"], emit(OPS["multiply"], x, y), axis=(0,), keepdims=False) if differs else emit(
            let.op, x, y)

    def beside(self, name: Atom, value: Atom, result: Type) -> Atom:
        """An operand as it stands beside others that have the axis of the rounds, under the lengths of the result."""
        own = self.b.type(name).dims
        wanted = tuple([d if d.is_one else e for d, e in zip(own, result.dims[result.rank - len(own):])])
        if name in self.rounds.differs:
            wanted = (*wanted, self.rounds.count)
        if self.b.type(value).dims != wanted:
            value = self.b.emit(OPS["retype"], value, hint=name, dims=wanted)
        return self.after(value) if own and name not in self.rounds.differs else value

    def after(self, value: Atom) -> Atom:
        """What is the same for all rounds, with an axis of length 1 for theirs."""
        index = (":",) * self.b.type(value).rank + ("n",)
        return self.b.emit(OPS["getitem"], value, hint=value, index=index)

    def store(self, let: Let, args: list[Atom], params: dict) -> Atom:
        x, value, *index = args
        emit = functools.partial(self.b.emit, let.op, hint=let.name)
        if let.name not in self.rounds.parts:
            return emit(x, self.total(let.args[1]), *index, **params)
        t = let.op.part(self.b, let)
        part, params, at = self.part(let, params)
        if self.b.type(value).rank:
            whole = Type("array", self.b.type(value).dtype, (*t.dims, self.rounds.count))
            value = self.turned(conform(self.b, self.beside(let.args[1], value, t), whole), t.rank, at)
        return emit(x, value, *part, **params)

    def total(self, name: str) -> Atom:
        """The sum over the rounds of a value: of vectors times numbers a product with a matrix."""
        value, made = self.now[name], self.made.get(name)
        if made is not None and self.b.types[name].rank == 1 and self.rounds.differs.issuperset(made.args):
            number, vector = sorted(made.args, key=lambda a: self.b.types[a].rank)[:2] if len(made.args) == 2 else "??"
            if made.op is OPS["multiply"] and not self.b.types[number].rank:
                return self.b.emit(OPS["matmul"], self.now[vector], self.now[number], hint=value)
            if made.op is OPS["add"] and self.b.types[number].rank:
                return self.b.emit(made.op, *map(self.total, made.args), hint=value)
        return self.b.emit(OPS["np.sum"], value, hint=value, axis=(self.b.types[name].rank,), keepdims=False)

    def part(self, let: Let, params: dict) -> tuple[list[Atom], dict, int]:
        """(atoms, parameters, axis of the rounds) of the parts of all rounds."""
        rounds, b, place = self.rounds, self.b, self.rounds.parts[let.name]
        n, first = b.types[let.args[0]].dims[place.axis], rounds.low + place.offset
        codes, atoms, at, axis = [], [], 0, 0
        for code, own in entries(codes_of_axes(params["index"], b.types[let.args[0]].rank),
                                 let.args[let.op.index_at:]):
            if code != "n" and axis == place.axis:
                at = sum([c != "i" for c in codes])
                whole = first == 0 and n == rounds.count
                code, own = (":", ()) if whole else ("s110", (dim_atom(b, first), dim_atom(b, first + rounds.count)))
            codes.append(code)
            atoms += [self.now.get(a, a) for a in own if a is not None]
            axis += code != "n"
        dims = let.op.part(b, let).dims if isinstance(let.op, Update) else b.types[let.name].dims
        return atoms, params | {"index": tuple(codes), "dims": (*dims[:at], rounds.count, *dims[at:])}, at

    def turned(self, x: Atom, axis: int, to: int) -> Atom:
        """x with an axis at another place."""
        axes = [k for k in range(self.b.type(x).rank) if k != axis]
        axes.insert(to, axis)
        return x if axis == to else self.b.emit(OPS["np.transpose"], x, hint=x, axes=tuple(axes))
