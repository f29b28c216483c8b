"""Which results are Python's numbers, where only the run time knows.

    if c:                                         if c:
        t = rt.astype(x, np.float64)                  t, python = rt.astype(x, np.float64), True
    else:                                  ->     else:
        t = a[0]                                      t, python = a[0], False
    return (t,)                                   return t, python

A name that is Python's number on one path and NumPy's on another has NumPy's type (`specialise/heap/join.py`), and the
conversion is marked as one of ours. Here a flag goes along with each such name that a result comes from: what is
computed of Python's numbers alone is Python's. A loop whose iterations make it NumPy's leaves it Python's only where
there is none.
"""
from __future__ import annotations

from dataclasses import replace
from itertools import product

from ..core import Atom, Block, Builder, Const, For, Fun, If, Joined, Let, Stmt, While, all_bound, walk
from ..rules import OPS
from ..types import PY_BOOL

NUMPY = 0
CLASSES = {"b": (1, bool), "i": (2, int), "u": (2, int), "f": (3, float), "c": (4, complex)}
BY_RANK = dict(CLASSES.values())
RANKS = {cls: n for n, cls in BY_RANK.items()}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}


def rank(dtype) -> int:
    return CLASSES[dtype.kind][0]


class Kinds:
    """What each name may be: NUMPY, or the rank of a class of Python's."""

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
                                            or stmt.op.name == "abs"):
                    self.made[name] = stmt
        self.found: dict[str, frozenset[int]] = {}

    def of(self, atom: Atom) -> frozenset[int]:
        if isinstance(atom, Const):
            return frozenset([RANKS.get(atom.python if isinstance(atom, Joined) else type(atom.value), NUMPY)])
        return self.found.get(atom, frozenset())

    def sources(self, name: str) -> tuple[Atom, ...]:
        t = self.fun.types[name]
        if t.kind != "np" or name not in self.made and name not in self.paths:
            return ()
        return self.made[name].args if name in self.made else self.paths[name]

    def solve(self, results) -> None:
        """What the results, and all that they are made of, may be."""
        todo, names = [x for x in results if isinstance(x, str)], {}
        while todo:
            name = todo.pop()
            if name not in names:
                names[name] = None
                todo += [x for x in self.sources(name) if isinstance(x, str)]
        before = None
        while before != self.found:
            before = dict(self.found)
            self.found.update({name: self.one(name) for name in names})

    def one(self, name: str) -> frozenset[int]:
        t = self.fun.types[name]
        if t.kind == "py":
            return frozenset([rank(t.dtype)])
        if not self.sources(name):
            return frozenset([NUMPY])
        found = [self.of(x) for x in self.sources(name)]
        if name in self.paths:
            return frozenset().union(*found)
        return frozenset([self.computed(self.made[name].op, ranks) for ranks in product(*found)])

    def computed(self, op, ranks) -> int:
        if NUMPY in ranks:
            return NUMPY
        if op.symbol == "/":
            return max(3, *ranks)
        if op.name == "abs":
            return min(3, *ranks)
        return 1 if op.symbol in COMPARISONS else max(ranks) if op.symbol in ("&", "|", "^", None) else max(2, *ranks)

    def varies(self, atom: Atom) -> bool:
        return len(self.of(atom)) > 1 and NUMPY in self.of(atom)


class Flags:
    """Writes the function with a flag beside each name that may be either."""

    def __init__(self, fun: Fun, kinds: Kinds):
        self.fun, self.kinds, self.b = fun, kinds, Builder(like=fun)
        self.flags: dict[str, Atom] = {}

    def flag(self, atom: Atom) -> Atom:
        return self.flags[atom] if self.kinds.varies(atom) else Const(NUMPY not in self.kinds.of(atom))

    def block(self, block: Block, wanted=()) -> Block:
        """The block, its results followed by the flags of those that are `wanted`."""
        with self.b.block() as stmts:
            for stmt in block.stmts:
                self.stmt(stmt)
            flags = tuple(self.flag(block.results[k]) for k in wanted)
        return Block(tuple(stmts), block.results + flags)

    def stmt(self, stmt: Stmt) -> None:
        match stmt:
            case Let():
                self.let(stmt)
            case If(names=names):
                wanted = [k for k, n in enumerate(names) if self.kinds.varies(n)]
                then, orelse = self.block(stmt.then, wanted), self.block(stmt.orelse, wanted)
                self.flags.update({names[k]: self.b.fresh("python", PY_BOOL) for k in wanted})
                self.b.append(replace(stmt, names=names + tuple(self.flags[names[k]] for k in wanted),
                                      then=then, orelse=orelse))
            case For() | While():
                self.loop(stmt)

    def let(self, stmt: Let) -> None:
        self.b.append(replace(stmt, params=tuple(p for p in stmt.params if p[0] != "joined")))
        if len(stmt.names) == 1 and self.kinds.varies(stmt.name):
            flag: Atom = Const(True)
            for atom in dict.fromkeys(self.flag(x) for x in stmt.args):
                flag = (atom if flag == Const(True) else flag if atom == Const(True)
                        else self.b.emit(OPS["and_"], flag, atom, hint="python"))
            self.flags[stmt.name] = flag

    def loop(self, stmt: For | While) -> None:
        wanted = [k for k, n in enumerate(stmt.carried) if self.kinds.varies(n)]
        inside = {x for n in (*all_bound(stmt.body), *stmt.carried) if self.kinds.varies(n)
                  for x in self.kinds.sources(n)}
        never = [k for k in wanted if self.kinds.of(stmt.body.results[k]) == {NUMPY} and stmt.carried[k] not in inside]
        kept = [k for k in wanted if k not in never]
        inits = tuple(self.flag(stmt.inits[k]) for k in kept)
        ran = {stmt.carried[k]: self.untouched(stmt, stmt.inits[k]) for k in never}
        self.flags.update({stmt.carried[k]: self.b.fresh("python", PY_BOOL) for k in kept})
        self.flags.update(ran)
        body = self.block(stmt.body, kept)
        self.b.append(replace(stmt, carried=stmt.carried + tuple(self.flags[stmt.carried[k]] for k in kept),
                              inits=stmt.inits + inits, body=body))

    def untouched(self, stmt: For | While, init: Atom) -> Atom:
        """Is a name what it was before a loop that makes it NumPy's:
        was it Python's, and is there no iteration?  Computed before the loop."""
        if isinstance(stmt, While):
            none = self.b.emit(OPS["not "], stmt.inits[stmt.carried.index(stmt.test)], hint="python")
        else:
            trips = self.b.emit(OPS["rt.trip_count"], stmt.start, stmt.stop, stmt.step, hint="trips")
            none = self.b.emit(OPS["equal"], trips, Const(0), hint="python")
        flag = self.flag(init)
        return none if flag == Const(True) else self.b.emit(OPS["and_"], flag, none, hint="python")


def with_flags(fun: Fun, count: int) -> tuple[Fun, dict[int, tuple]]:
    """The function without marks, and of its first `count` results those that may be Python's: {place: (that of its
    flag or None, class)}.

    The flags are its last results.
    """
    results = fun.body.results[:count]
    numbers = [k for k, x in enumerate(results) if isinstance(x, str) and fun.types[x].kind == "np"]
    if not numbers and not any([isinstance(s, Let) and s.param("joined") for s in walk(fun.body)]):
        return fun, {}
    kinds = Kinds(fun)
    kinds.solve(results)
    either = [k for k in numbers if kinds.of(results[k]) != {NUMPY}]
    flagged = [k for k in either if kinds.varies(results[k])]
    writer = Flags(fun, kinds)
    body = writer.block(fun.body, flagged)
    places = {k: len(fun.body.results) + j for j, k in enumerate(flagged)}
    return (replace(fun, body=body, types=writer.b.types),
            {k: (places.get(k), BY_RANK[max(kinds.of(results[k]))]) for k in either})


def without_flags(fun: Fun, flags: int) -> Fun:
    """The function as it was, to be shown: of `flags` results fewer."""
    results = fun.body.results
    return replace(fun, body=replace(fun.body, results=results[:len(results) - flags]))
