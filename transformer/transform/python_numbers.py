"""Which class a number of a result has, where only the run time knows.

    if c:                                         if c:
        t = rt.astype(x, np.float64)                  t, python = rt.astype(x, np.float64), True
    else:                                  ->     else:
        t = a[0]                                      t, python = a[0], False
    return (t,)                                   return t, python

A name that is Python's number on one path and NumPy's on another has NumPy's type, and one that is an int on one path
and a float on another is a float (`specialise/domain/branch_join.py`); the conversion is marked as ours. Here flags go
along with each such name that a result comes from. The classes have an order, in which NumPy's numbers are the last: a
flag says that the class is one before a certain one, and what is computed of several numbers is of the last of their
classes. A loop of which each iteration makes it the last class leaves it another only where there is no iteration.
"""
from __future__ import annotations

import math
import operator
from dataclasses import replace
from itertools import product

from ..core import Atom, Block, Builder, Const, For, Fun, If, JoinedConstant, Let, Stmt, While, all_bound, walk
from ..core.types import PY_BOOL, Type
from ..errors.messages import UnsupportedError
from ..rules import OPS

CLASSES = {"b": (1, bool), "i": (2, int), "u": (2, int), "f": (3, float), "c": (4, complex)}
INT, FLOAT, NUMPY = 2, 3, 5
BY_RANK = dict(CLASSES.values())
RANKS = {cls: n for n, cls in BY_RANK.items()}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
BEFORE = {2: "is_bool", 3: "is_int", 4: "is_real", 5: "python"}  # what a flag is called that says so
GROWS = {"+": operator.add, "-": operator.add, "*": operator.mul, "**": operator.pow}  # how far, but for signs
MOST = 2 ** 53  # below it each int is a float, and what is computed is not rounded
EITHER = "a result that is a number of Python's or one of NumPy's, by which of them a list or dict holds here"
ROUNDED = ("an int of more than 53 bits is a float on another path: it would lose its last digits; give both one type: "
           "float(...)")


def rank(t: Type) -> int:
    """That of the class which a number of this type has, where nothing else is known."""
    return CLASSES[t.dtype.kind][0] if t.kind == "py" else NUMPY


class Kinds:
    """What each name may be: ranks of classes."""

    def __init__(self, fun: Fun):
        self.fun = fun
        self.paths: dict[str, tuple[Atom, ...]] = {}  # names that are one of these
        self.made: dict[str, Let] = {}  # names that are computed of others
        for stmt in walk(fun.body):
            match stmt:
                case If(names=names, then=then, orelse=orelse):
                    self.paths.update(zip(names, zip(then.results, orelse.results)))
                case For(carried=names, inits=inits, body=body) | While(carried=names, inits=inits, body=body):
                    self.paths.update(zip(names, zip(inits, body.results)))
                case Let(names=(name,)) if (stmt.param("joined") or stmt.op.symbol and stmt.op.symbol != "@"
                                            or stmt.op in (OPS["abs"], OPS["retype"])):
                    self.made[name] = stmt
        self.found: dict[str, frozenset[int]] = {}

    def of(self, atom: Atom) -> frozenset[int]:
        if isinstance(atom, Const):
            return frozenset([RANKS.get(atom.python if isinstance(atom, JoinedConstant) else type(atom.value), NUMPY)])
        return self.found.get(atom, frozenset())

    def sources(self, name: str) -> tuple[Atom, ...]:
        t = self.fun.types[name]
        if t.rank or not (t.kind == "np" or t.kind == "py" and t.dtype.kind in "ifc"):
            return ()
        return self.made[name].args if name in self.made else self.paths.get(name, ())

    def solve(self, results) -> None:
        """What the results, and all that they are made of, may be."""
        todo, users = [x for x in results if isinstance(x, str)], {}  # name -> what is made of it
        while todo:
            name = todo.pop()
            if name not in self.found:
                self.found[name] = frozenset()
                for x in self.sources(name):
                    if isinstance(x, str):
                        users.setdefault(x, []).append(name)
                        todo.append(x)
        waiting = dict.fromkeys(reversed(self.found))  # what is computed first comes first, mostly
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            if (new := self.one(name)) != self.found[name]:
                self.found[name] = new
                waiting |= dict.fromkeys(users.get(name, ()))

    def one(self, name: str) -> frozenset[int]:
        if not self.sources(name):
            return frozenset([rank(self.fun.types[name])])
        if name in self.made and self.made[name].param("joined") == "either":
            return frozenset([CLASSES[self.fun.types[name].dtype.kind][0], NUMPY])
        found = [self.of(x) for x in self.sources(name)]
        if name in self.paths:
            return frozenset().union(*found)
        return frozenset([self.computed(self.made[name], ranks) for ranks in product(*found)])

    def computed(self, let: Let, ranks) -> int:
        """The class of what is computed of numbers of these classes."""
        symbol, last = let.op.symbol, max(ranks)
        if last == NUMPY:
            return NUMPY
        if let.op.name == "abs":
            return min(FLOAT, max(INT, last))
        if symbol == "/" or symbol == "**" and isinstance(let.args[1], Const) and let.args[1].value < 0:
            return max(FLOAT, last)
        return 1 if symbol in COMPARISONS else last if symbol in ("&", "|", "^", None) else max(INT, last)

    def rounded(self, results) -> set[str]:
        """The names that may be an int of more than 53 bits, computed as a float, of which one of the results is an
        int."""
        todo, names = [x for x in results if INT in self.of(x)], {}
        while todo:
            name = todo.pop()
            if name not in names:
                names[name] = 0.0
                todo += [x for x in self.sources(name) if isinstance(x, str) and INT in self.of(x)]
        order, rounds, before = [*reversed(names)], 0, None
        while before != names:  # the largest int that each may be; what still grows after some rounds has none
            before, rounds = dict(names), rounds + 1
            for name in order:
                largest = self.largest(name, names)
                names[name] = math.inf if rounds > 8 and largest > names[name] else largest
        return {n for n in names if names[n] >= MOST and self.fun.types[n].is_float
                and n in self.made and self.made[n].op.symbol in GROWS}

    def largest(self, name: str, known: dict[str, float]) -> float:
        """The largest int, but for its sign, that a name may be."""
        let = self.made.get(name)
        if not self.sources(name) or let is not None and let.param("joined"):
            return MOST - 1.0  # of an argument: one that is too large is refused where it becomes a float
        sizes = [known.get(x, 0.0) if isinstance(x, str) else abs(x.value) if min(self.of(x)) <= INT else 0.0
                 for x in self.sources(name)]
        if let is None or let.op.symbol not in GROWS or len(sizes) < 2:
            return max(sizes)
        try:
            found = float(GROWS[let.op.symbol](*sizes))
        except OverflowError:
            return math.inf
        return math.inf if math.isnan(found) else found  # of 0 * inf

    def refuse_unknown(self, results) -> None:
        """Refuse a result whose class depends on that of a number which a list holds among others."""
        todo, seen = [x for x in results if self.splits(x)], set()
        while todo:
            name = todo.pop()
            if name in seen or not isinstance(name, str):
                continue
            seen.add(name)
            let = self.made.get(name)
            if let is not None and let.param("joined") == "either":
                raise UnsupportedError(let.origin, EITHER, instead="Make it one of Python's: float(...).")
            todo += [x for x in self.sources(name) if self.splits(x)]

    def splits(self, atom: Atom) -> list[int]:
        """The classes that an atom may have, but the first."""
        return sorted(self.of(atom))[1:]


class Flags:
    """Writes the function with flags beside each name that may have several classes."""

    def __init__(self, fun: Fun, kinds: Kinds):
        self.fun, self.kinds, self.b = fun, kinds, Builder(like=fun)
        self.flags: dict[tuple[str, int], Atom] = {}  # (name, class) -> is it of one before?
        self.rounded = kinds.rounded(fun.body.results)

    def flag(self, atom: Atom, last: int) -> Atom:
        """Is it of a class before `last`?"""
        classes = self.kinds.of(atom)
        if max(classes) < last or min(classes) >= last:
            return Const(max(classes) < last)
        return self.flags[atom, min([c for c in classes if c >= last])]

    def fresh(self, names, wanted) -> tuple[str, ...]:
        """New flags of these names."""
        made = {(names[k], c): self.b.fresh(BEFORE[c], PY_BOOL) for k, c in wanted}
        self.flags.update(made)
        return tuple(made.values())

    def block(self, block: Block, wanted=()) -> Block:
        """The block, its results followed by the flags of those that are `wanted`: (place, class)."""
        with self.b.block() as stmts:
            for stmt in block.stmts:
                self.stmt(stmt)
            flags = tuple(self.flag(block.results[k], c) for k, c in wanted)
        return Block(tuple(stmts), block.results + flags)

    def stmt(self, stmt: Stmt) -> None:
        match stmt:
            case Let():
                self.let(stmt)
            case If(names=names):
                wanted = [(k, c) for k, n in enumerate(names) for c in self.kinds.splits(n)]
                then, orelse = self.block(stmt.then, wanted), self.block(stmt.orelse, wanted)
                self.b.append(replace(stmt, names=names + self.fresh(names, wanted), then=then, orelse=orelse))
            case For() | While():
                self.loop(stmt)

    def let(self, stmt: Let) -> None:
        self.b.append(replace(stmt, params=tuple(p for p in stmt.params if p[0] != "joined")))
        if len(stmt.names) == 1:
            for last in self.kinds.splits(stmt.name):
                flag: Atom = Const(True)
                for atom in dict.fromkeys(self.flag(x, last) for x in stmt.args):
                    flag = (atom if flag == Const(True) else flag if atom == Const(True)
                            else self.b.emit(OPS["and_"], flag, atom, hint=BEFORE[last]))
                self.flags[stmt.name, last] = flag
            if stmt.name in self.rounded:
                self.exact(stmt)

    def exact(self, stmt: Let) -> None:
        """An int that is computed as a float is refused where the float may have rounded it."""
        with self.b.at(stmt.origin):
            large = self.b.emit(OPS["greater_equal"], self.b.emit(OPS["abs"], stmt.name), Const(float(MOST)),
                                hint="large")
            whole = self.flag(stmt.name, FLOAT)
            bad = large if whole == Const(True) else self.b.emit(OPS["and_"], whole, large, hint="bad")
            self.b.emit(OPS["rt.require"], self.b.emit(OPS["not "], bad, hint="ok"), kind="RefusedRange",
                        message=ROUNDED)

    def loop(self, stmt: For | While) -> None:
        wanted = [(k, c) for k, n in enumerate(stmt.carried) for c in self.kinds.splits(n)]
        inside = {x for n in (*all_bound(stmt.body), *stmt.carried) if self.kinds.splits(n)
                  for x in self.kinds.sources(n)}
        never = [(k, c) for k, c in wanted if stmt.carried[k] not in inside
                 and self.kinds.of(stmt.body.results[k]) == {max(self.kinds.of(stmt.carried[k]))}]
        kept = [pair for pair in wanted if pair not in never]
        inits = tuple(self.flag(stmt.inits[k], c) for k, c in kept)
        self.flags.update({(stmt.carried[k], c): self.untouched(stmt, self.flag(stmt.inits[k], c)) for k, c in never})
        flags = self.fresh(stmt.carried, kept)
        self.b.append(replace(stmt, carried=stmt.carried + flags, inits=stmt.inits + inits,
                              body=self.block(stmt.body, kept)))

    def untouched(self, stmt: For | While, flag: Atom) -> Atom:
        """Is a name what it was before a loop that gives it the last of its classes: of one before, by the flag, and is
        there no iteration?  Computed before the loop."""
        if isinstance(stmt, While):
            none = self.b.emit(OPS["not "], stmt.inits[stmt.carried.index(stmt.test)], hint="python")
        else:
            trips = self.b.emit(OPS["rt.trip_count"], stmt.start, stmt.stop, stmt.step, hint="trips")
            none = self.b.emit(OPS["equal"], trips, Const(0), hint="python")
        return none if flag == Const(True) else self.b.emit(OPS["and_"], flag, none, hint="python")


def with_flags(fun: Fun, count: int) -> tuple[Fun, dict[int, tuple]]:
    """The function without marks, and of its first `count` results those that may have another class than their type
    says: {place: its classes, as `containers.number_of` has them}.

    The flags are its last results.
    """
    results = fun.body.results[:count]
    numbers = [k for k, x in enumerate(results) if isinstance(x, str) and not fun.types[x].rank
               and fun.types[x].kind in ("np", "py")]
    if not numbers and not any([isinstance(s, Let) and s.param("joined") for s in walk(fun.body)]):
        return fun, {}
    kinds = Kinds(fun)
    kinds.solve(results)
    kinds.refuse_unknown(map(results.__getitem__, numbers))
    either = [k for k in numbers if kinds.of(results[k]) != {rank(fun.types[results[k]])}]
    flagged = [(k, c) for k in either for c in kinds.splits(results[k])]
    writer = Flags(fun, kinds)
    body = writer.block(fun.body, flagged)
    places = {pair: len(fun.body.results) + j for j, pair in enumerate(flagged)}

    def choice(k):
        classes = sorted(kinds.of(results[k]))
        return tuple([(places.get((k, after)), BY_RANK.get(c)) for c, after in zip(classes, [*classes[1:], None])])
    return replace(fun, body=body, types=writer.b.types), {k: choice(k) for k in either}


def without_flags(fun: Fun, flags: int) -> Fun:
    """The function as it was, to be shown: of `flags` results fewer."""
    results = fun.body.results
    return replace(fun, body=replace(fun.body, results=results[:len(results) - flags]))
