"""What a large program does again and again becomes a function of its own, which is compiled once.

    h = W1 @ x                             def layer(W, x):
    y = np.tanh(h)                             h = W @ x
    h__1 = W2 @ y                 ->           y = np.tanh(h)
    y__1 = np.tanh(h__1)                       return h, y
    t = y__1 * y__1
                                           h, y = layer(W1, x)
                                           h__1, y__1 = layer(W2, y)
                                           t = y__1 * y__1

The calls that a function makes of another, and the rounds of a loop over a list, are written out when core is made; so
are their mirrors. Here they are found again, by what statements do and where in the user's text they come from. Views
are not handed on, but taken again after the call: a result has memory of its own. A call takes time to compile, too,
for each value that it hands over, and to run, since loops are not fused across it: only large programs have functions.
"""
from __future__ import annotations

import functools
import itertools
import operator
from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..analyse.buffers import is_buffer
from ..analyse.likeness import Likeness, dims_in, mentioned_names, names_bound, repeats, sketch, with_factors
from ..analyse.raising import Raising
from ..core import (OWN, SAME, STORED, VIEW, Block, Builder, Fun, Let, Op, Stmt, all_bound, blocks_of, bound,
                    names_among, operands, rename, runnable, walk)
from ..core.types import PY_FLOAT, Dim
from ..rules import OPS
from .cse import CHECKS
from .inplace import inplace
from .units import has_effect

# What takes time to compile is measured in operations on arrays, of which each becomes loops.
NUMBER = 0.25  # an operation on numbers
CALL = 0.5  # handing an array over in a call; a number costs less, as above
LARGE = 250  # a program that takes some seconds
TRIED = 8  # ways to cut a repetition that are compared
INNER = ("body", "then", "orelse")  # where statements have blocks
END = Let((), Op("end", None), ())  # between the statements of two blocks


class Routine(Op):
    """A call of a function: `fun` is its core."""

    memory = OWN

    def __init__(self, fun: Fun):
        super().__init__(f"call.{fun.name}", lambda *args: unpacked(runnable(fun)(*args)))
        self.fun, self.effect = fun, any(map(has_effect, fun.body.stmts))

    def show(self, args, params):
        return f"{self.fun.name}({', '.join(args)})"

    def may_raise(self, let, types, known):
        return True


def unpacked(results: tuple):
    return results[0] if len(results) == 1 else results


def outline_repeats(fun: Fun) -> Fun:
    """The function with calls in place of what it repeats."""
    return Outliner(fun).run() if sum(compile_cost(stmt, fun.types) for stmt in fun.body.stmts) >= LARGE else fun


def compile_cost(stmt: Stmt, types) -> float:
    return sum([own_cost(s, types) for s in walk(Block((stmt,)))])


def own_cost(stmt: Stmt, types) -> float:
    """What it takes to compile a statement, its blocks apart."""
    return 1 if any([is_buffer(types[n]) for n in (*bound(stmt), *names_among(operands(stmt)))]) else NUMBER


class Known(NamedTuple):
    """What is looked up of a statement again and again.

    stmt       itself: as long as it lives no other has its id
    key        the same number for statements that may be alike
    cost       of compiling it
    mentioned  the names that it has to do with
    """

    stmt: Stmt
    key: int
    cost: float
    mentioned: list[str]


@dataclass
class Cut:
    """Runs of statements that are alike.

    starts   where they start
    run      the first of them
    likes    what the names of the first are in each
    taken    of the first: views of what it has from outside that the function takes itself
    results  of the first: what they hand on
    views    where in a run the views stand that are taken again after it
    types    of all names
    """

    starts: list[int]
    run: tuple[Stmt, ...]
    likes: list[Likeness]
    taken: tuple[Stmt, ...]
    results: list[str]
    views: list[int]
    types: dict

    @functools.cached_property
    def lengths(self) -> dict[str, tuple[str, int]]:
        """{name of a length: the array that has it, the axis}, of what the first has from outside."""
        found = {str(d): (p, k) for p in self.likes[0].outside for k, d in enumerate(self.types[p].dims)}
        return {n: found[n] for n in self.likes[0].outside if n in found}

    @property
    def params(self) -> list[str]:
        return [p for p in self.likes[0].outside if p not in self.lengths]

    def size(self, sizes: list[float]) -> float:
        """Of the function, where these are the sizes of all statements."""
        return sum(sizes[self.starts[0] + k] for k in range(len(self.run)) if k not in self.views)


class Outliner:
    least = 24  # operations in a function
    worth = 40  # operations that need not be compiled

    def __init__(self, fun: Fun):
        self.fun, self.b = fun, Builder(like=fun)
        self.types = self.b.types
        self.raising = Raising(fun)
        self.numbers: dict[tuple, int] = {}
        self.known: dict[int, Known] = {}

    def run(self) -> Fun:
        body = before = self.ordered(self.fun.body)
        while (found := self.best(body)) is not None:
            body = with_calls(body, *found, self.types)
        return self.fun if body is before else replace(self.fun, body=body, types=self.types)

    def ordered(self, block: Block) -> Block:
        """The block, and those within, with what is shared in front."""
        return Block(tuple(self.shared_first([self.inside(stmt) for stmt in block.stmts])), block.results)

    def shared_first(self, stmts: list[Stmt]) -> list[Stmt]:
        """What is computed of sizes alone goes up: what several calls share stood in the first of them."""
        sizes, first, rest = {n for p in self.fun.params for n in self.types[p].names}, [], []
        for stmt in stmts:
            if isinstance(stmt, Let) and (stmt.op.length and stmt.args[0] in self.fun.params
                                          or self.is_of(sizes, stmt)):
                sizes.update(stmt.names)
                first.append(stmt)
            else:
                rest.append(stmt)
        return first + rest

    def is_of(self, sizes: set[str], let: Let) -> bool:
        read = {*names_among(let.args), *(d for n in let.names for d in self.types[n].names - {n})}
        return (read <= sizes and not let.op.effect and not let.op.to_fill and let.op.memory is not STORED
                and not self.raising.may(let))

    def inside(self, stmt: Stmt) -> Stmt:
        inner = {name: self.ordered(getattr(stmt, name)) for name in INNER if hasattr(stmt, name)}
        return replace(stmt, **inner) if inner else stmt

    def best(self, body: Block) -> tuple[Cut, Routine] | None:
        """What to cut out, and the function for it."""
        stmts = [stmt for block in all_blocks(body) for stmt in (*block.stmts, END)]
        sizes = [self.of(stmt).cost for stmt in stmts]
        if sum(sizes[:len(body.stmts)]) < self.worth:
            return None
        read = Counter([*(name for stmt in body.stmts for name in self.of(stmt).mentioned), *names_among(body.results)])
        for cut in self.cuts(stmts, sizes, read):
            routine = self.routine(cut)
            if stores_apart(routine.fun) and gives_its_lengths(cut) and self.compiles(routine.fun):
                return cut, routine
        return None

    def cuts(self, stmts, sizes: list[float], read: Counter):
        """What may be cut out, that first which is worth most; others are compared once that is taken."""
        waiting = sorted([(-(len(starts) - 1) * sum(sizes[starts[0]:starts[0] + length]), k, starts, length)
                          for k, (starts, length) in enumerate(self.candidates(stmts, sizes))])
        found = []
        while waiting or found:
            if found and not (waiting and -waiting[0][0] >= found[0][0]):  # none is worth as much that waits
                yield found.pop(0)[-1]
                continue
            _, k, *run = waiting.pop(0)
            cut = self.cut(stmts, *run, read)
            if cut is not None and (worth := self.value(cut, sizes)) >= self.worth:
                found.append((worth, -cut.starts[0], -k, cut))
                found.sort(key=lambda item: item[:3], reverse=True)

    def compiles(self, fun: Fun) -> bool:
        """Has it the names of lengths that it checks by computing them (n - 5)?"""
        own = {*fun.params, *all_bound(fun.body), *(str(d) for p in fun.params for d in fun.types[p].dims)}
        asked = [d for s in walk(fun.body) if getattr(s, "op", None) in CHECKS for d in dims_in(s.params)]
        return all([str(d) in d.names or d.names <= own for d in asked])

    def candidates(self, stmts, sizes) -> list[tuple[list[int], int]]:
        """(starts, length) of runs that may be alike."""
        return repeats(self.keys(stmts), sizes, self.least, self.worth)[:TRIED]

    def keys(self, stmts) -> list[int]:
        """The same number for statements that may be alike; one of its own for the end of each block."""
        ends = itertools.count(-1, -1)
        return [next(ends) if stmt is END else self.of(stmt).key for stmt in stmts]

    def of(self, stmt: Stmt) -> Known:
        """What is known of a statement."""
        if (known := self.known.get(id(stmt))) is None:
            blocks = [[self.of(s) for s in block.stmts] for block in blocks_of(stmt)]
            inner = [part for own in blocks for part in own]
            key = sketch(stmt, self.types, [tuple([part.key for part in own]) for own in blocks])
            known = self.known[id(stmt)] = Known(
                stmt, self.numbers.setdefault(key, len(self.numbers)),
                own_cost(stmt, self.types) + sum([part.cost for part in inner]),
                mentioned_names(stmt, self.types) + [n for part in inner for n in part.mentioned])
        return known

    def value(self, cut: Cut, sizes: list[float]) -> float:
        """What there is less to compile."""
        size = cut.size(sizes)
        call = CALL * sum(1 if is_buffer(self.types[n]) else NUMBER for n in (*cut.params, *cut.results))
        return (len(cut.starts) - 1) * size - len(cut.starts) * call if size >= self.least else 0.0

    def cut(self, stmts, starts: list[int], length: int, read: Counter) -> Cut | None:
        """Those of these runs that are alike."""
        first, taken = stmts[starts[0]:starts[0] + length], self.taken(stmts, starts, length)
        likes = {}
        for start in starts:
            like = Likeness(self.b)
            if like.runs((*taken[starts[0]], *first), (*taken[start], *stmts[start:start + length])):
                likes[start] = like
        if len(likes) < 2:
            return self.cut(stmts, starts[1:], length, read) if len(starts) > 2 else None
        first = self.with_constants(first, [*likes.values()])
        handed: set[str] = set()
        for start, like in likes.items():
            own = Counter(name for stmt in stmts[start:start + length] for name in self.of(stmt).mentioned)
            handed |= {x for stmt in first for x in bound(stmt) if read[like.atoms[x]] > own[like.atoms[x]]}
        results, views = names_given(first, handed, self.types)
        return Cut(list(likes), tuple(first), list(likes.values()), taken[starts[0]], results, views, self.types)

    def with_constants(self, run, likes: list[Likeness]):
        """The first run with names for the constants that are not the same in all; equal ones have one."""
        names: dict[int, str] = {}
        made: dict[tuple, str] = {}
        for k, values in enumerate(zip(*[[y for _, y in like.factors] for like in likes])):
            if len(set(values)) > 1:
                if values not in made:
                    made[values] = self.b.fresh("c", PY_FLOAT)
                    for like, value in zip(likes, values):
                        like.atoms[made[values]] = value
                        like.outside.append(made[values])
                names[k] = made[values]
        return with_factors(run, names) if names else run

    def taken(self, stmts, starts: list[int], length: int) -> dict[int, tuple[Stmt, ...]]:
        """{start: views that a function of the statements there takes itself}"""
        return dict.fromkeys(starts, ())

    def routine(self, cut: Cut) -> Routine:
        """The function, with names of its own."""
        lengths = [Let((n,), OPS["rt.size"], (x,), (("axis", k),)) for n, (x, k) in cut.lengths.items()]
        first = (*lengths, *cut.taken, *cut.run)
        names = {n: self.b.fresh(n if n.strip("_0123456789") else "i") for n in [*cut.params, *names_bound(first)]}
        for name in sorted({d for n in names for d in self.types[n].names} - names.keys()):
            names[name] = self.b.fresh(name)
        dims = {n: Dim.of(new) for n, new in names.items()}
        types = {new: self.types[n].substitute(dims) for n, new in names.items() if n in self.types}
        self.types.update(types)
        body = rename(Block(first, tuple(cut.results)), names, dims)
        return Routine(Fun(self.title(cut.run), tuple([names[p] for p in cut.params]), body, types))

    def title(self, stmts) -> str:
        """What the function is called: as the user's function that most of it comes from."""
        origins = [s.origin for s in walk(Block(stmts)) if getattr(s.origin, "function", "")]
        (name, adjoint, tangent), _ = (Counter((o.function, o.adjoint, o.tangent) for o in origins).most_common(1)[0]
                                       if origins else (("part", False, False), 0))
        return (name if name.isidentifier() else "part") + "_adjoint" * adjoint + "_tangent" * tangent


def names_given(stmts, wanted: set[str], types) -> tuple[list[str], list[int]]:
    """(the names that a function of these statements gives,
    where the views stand that are taken again) for names that are wanted of it."""
    views, results = [], []
    wanted = set(wanted)
    for k in range(len(stmts) - 1, -1, -1):
        stmt = stmts[k]
        mine = [n for n in bound(stmt) if n in wanted]
        if not mine:
            continue
        wanted |= {d for n in mine for d in types[n].names}
        if isinstance(stmt, Let) and is_view(stmt, types):
            views.insert(0, k)
            wanted |= set(mentioned_names(stmt, types))
        else:
            results = mine + results
    return results, views


def all_blocks(body: Block) -> list[Block]:
    """A block and those within, each before its own."""
    found = [body]
    for block in found:
        found += [inner for stmt in block.stmts for inner in blocks_of(stmt)]
    return found


def with_calls(body: Block, cut: Cut, routine: Routine, types) -> Block:
    """A block with calls in place of the runs, in it and within."""
    places, at = dict(zip(cut.starts, cut.likes)), 0
    new: dict[int, Block] = {}
    for block in all_blocks(body):
        own = {start - at: like for start, like in places.items() if at <= start < at + len(block.stmts)}
        stmts = calls_for_repeats(list(block.stmts), own, cut, routine, types) if own else ()
        new[id(block)] = Block(tuple(stmts), block.results) if own else block
        at += len(block.stmts) + 1

    def visit(block: Block) -> Block:
        made = new[id(block)]
        stmts = tuple(map(inside, made.stmts))
        return made if all(map(operator.is_, stmts, made.stmts)) else Block(stmts, made.results)

    def inside(stmt: Stmt) -> Stmt:
        old = {name: getattr(stmt, name) for name in INNER if hasattr(stmt, name)}
        inner = {name: visit(block) for name, block in old.items()}
        return replace(stmt, **inner) if any([inner[name] is not old[name] for name in old]) else stmt

    return visit(body)


def calls_for_repeats(stmts: list[Stmt], places: dict, cut: Cut, routine: Routine, types) -> list[Stmt]:
    """The statements of a block with calls in place of the runs; `places`: {where one starts: its likeness}"""
    out, at = [], 0
    for start, like in sorted(places.items(), key=lambda item: item[0]):
        own = stmts[start:start + len(cut.run)]
        out += stmts[at:start]
        out.append(Let(tuple(like.atoms[r] for r in cut.results), routine, tuple(like.atoms[p] for p in cut.params),
                       (), own[0].origin))
        out += [again(own[k], types) for k in cut.views]
        at = start + len(cut.run)
    return out + stmts[at:]


def is_view(let: Let, types) -> bool:
    """Whether a statement gives memory of its first argument another look (`np.asarray` of a number does not:
    it makes an array)."""
    shares = let.op.memory in (VIEW, SAME) and not let.op.own_memory(dict(let.params))
    return shares and all(isinstance(n, str) and n in types and types[n].kind == "array"
                          for n in (let.names[0], *let.args[:1]))


def again(let: Let, types) -> Let:
    """A view once more; what was checked on the way to it has been."""
    if let.op.memory is VIEW:
        return let
    return Let(let.names, OPS["retype"], let.args[:1], (("dims", types[let.name].dims),), let.origin)


def stores_apart(fun: Fun) -> bool:
    """Does it store only into what is its own?  Another stores into a copy of an argument."""
    def copies(f):
        return sum(isinstance(s, Let) and s.op.name == "np.copy" for s in walk(f.body))

    return copies(inplace(fun)) <= copies(fun)


def gives_its_lengths(cut: Cut) -> bool:
    """Are lengths of what each run hands on, which it makes, among that?"""
    own = {*names_bound(cut.run)} - {*cut.results, *names_bound([cut.run[k] for k in cut.views])}
    return all([{like.atoms[n] for n in own}.isdisjoint(cut.types[like.atoms[r]].names)
                for like in cut.likes for r in cut.results])
