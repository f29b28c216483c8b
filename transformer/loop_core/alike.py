"""Nests of a large function become functions of the module, and those that are alike one of them.

    for i in range(n):                              @rm.apart
        y[i] = 2.0 * x[i]                           def f_nest(n, y, x, c):
    ...                                     ->          for i in range(n):
    for j in range(m):                                      y[i] = c * x[i]
        b[j] = 3.0 * a[j]
                                                    f_nest(n, y, x, 2.0)
                                                    f_nest(m, b, a, 3.0)

What LLVM does with a function grows faster than the function, and a large gradient has many nests of few kinds: those
of layers, `np.roll` in ten places, adjoints of sums.  A small function stays as it is: a call shows where arrays are
small.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Callable, Iterator

from .core import Alloc, Assign, Assigns, Call, Check, Copy, Do, Expr, Function, If, Loop, Name, Num, Stmt, While
from .facts import ARRAYS, Arrays, accesses, covered, walk_loops
from .walking import blocks, bound_by, mapped, names_bound, names_in, reads

FEW = 24    # nests that a function may have
MANY = 5    # nests that are alike, from which on a function is worth its calls
LARGE = 60  # statements of a nest that may as well be a part of the function around it


@dataclass
class CandidateNest:
    """A nest that may be a function: what it is given, what it stores into, and what it leaves.

    key      what it has in common with those that are alike: all but its names and its floats
    numbers  its floats, in their order
    """

    loop: Loop
    taken: tuple[Name, ...]
    stored: tuple[Name, ...]
    left: tuple[Name, ...]
    key: tuple = ()
    numbers: tuple[Num, ...] = ()


def part_nests(f: Function, ranks: dict[str, int], fresh: Callable[[str], str]) -> tuple[Function, list[Function]]:
    """The function, and those that its nests have become; `ranks`: {its parameters that are arrays: how many axes}."""
    found = Finder(f, ranks).nests
    if len(found) <= FEW:
        return f, []
    alike: dict[tuple, list[CandidateNest]] = {}
    for nest in found.values():
        nest_key(nest)
        alike.setdefault(nest.key, []).append(nest)
    functions, calls = [], {}
    for group in [group for group in alike.values() if len(group) >= MANY]:
        function, differing = made_function(group, f"{f.name}_nest", fresh)
        functions.append(function)
        for nest in group:
            call = Call(function.name, (*nest.taken, *[nest.numbers[k] for k in differing]))
            places = covered(nest.loop)
            calls[id(nest.loop)] = (Assigns(nest.left, (call,), origins=places) if nest.left
                                    else Do(call, origins=places))

    def block(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple([calls.get(id(s)) or mapped(s, lambda e: e, block) for s in stmts])

    return replace(f, body=block(f.body)), functions


class Finder:
    """Collects the nests of a function that may be functions: {id of the loop: the nest}."""

    def __init__(self, f: Function, ranks: dict[str, int]):
        self.arrays = Arrays(f, dict.fromkeys(arrays_in(f.body)) | ranks)  # functions give some, new ones
        self.mentioned = Counter(n.id for r in f.results or () for n in names_in(r)) + mention_counts(f.body)
        self.nests: dict[int, CandidateNest] = {}
        self.block(f.body, {p.id for p in f.params})

    def block(self, stmts: tuple[Stmt, ...], known: set[str]) -> None:
        """`known`: the names that are bound for sure; it gets those that the block binds."""
        for stmt in stmts:
            nest = self.nest(stmt, known) if isinstance(stmt, Loop) else None
            if nest is not None:
                self.nests[id(stmt)] = nest
                continue
            sides = [set(known) for _ in blocks(stmt)]
            for inner, side in zip(blocks(stmt), sides):
                self.block(inner, side)
            known.update(n.id for n in bound_by(stmt))
            if isinstance(stmt, If):
                known |= set.intersection(*sides)

    def nest(self, loop: Loop, known: set[str]) -> CandidateNest | None:
        """None where it allocates, may stop, is large, calls others for what they do, or leaves what it may not have
        bound, or stores into an array of which it may have another name.  (Loops that threads share are parted before.)
        """
        stmts = list(walk_loops((loop,)))
        if len(stmts) > LARGE or any(map(keeps_in, stmts)):
            return None
        inside, bound, names = mention_counts((loop,)), names_bound((loop,)), first_names(stmts)
        left = [n for i, n in names.items() if i in bound and self.mentioned[i] > inside[i]]
        taken = [n for i, n in names.items() if n.dtype is not None and (i not in bound or n in left)]
        stored = self.stored(loop, taken, bound)
        if stored is None or any(n.id in self.arrays.ranks or n.id not in known for n in left):
            return None
        return CandidateNest(loop, tuple(taken), stored, tuple(left),
                             (tuple((n.dtype, self.arrays.ranks.get(n.id)) for n in taken),))

    def stored(self, loop: Loop, taken: list[Name], bound: set[str]) -> tuple[Name, ...] | None:
        """The arrays that a loop stores into; None where it makes one of them, or may have another name of it."""
        ranks, memory = self.arrays.ranks, self.arrays.memory
        found = {name for name, _, stores in accesses((loop,), self.arrays) if stores}
        shared = Counter(memory(n.id) for n in taken if n.id in ranks)
        if any(name not in ranks or name in bound or shared[memory(name)] > 1 for name in found):
            return None
        return tuple([n for n in taken if n.id in found])


def keeps_in(stmt: Stmt) -> bool:
    """Is it a statement that stays in its function?"""
    return isinstance(stmt, (Alloc, Copy, Check, While)) or isinstance(stmt, Do) and not stmt.call.function.startswith(
        ("rs.", "rp.one"))


def first_names(stmts) -> dict[str, Name]:
    """The names that statements read or bind, each as it is met first."""
    found: dict[str, Name] = {}
    for s in stmts:
        for n in (*names_in_all(s), *bound_by(s)):
            found.setdefault(n.id, n)
    return found


def names_in_all(stmt: Stmt) -> Iterator[Name]:
    for e in reads(stmt):
        yield from names_in(e)


def arrays_in(stmts) -> Iterator[str]:
    """The names that are used as arrays."""
    waiting: list = list(walk_loops(stmts))
    while waiting:
        node = waiting.pop()
        for e in (getattr(node, "array", None), getattr(node, "source", None)):
            if isinstance(e, Name):
                yield e.id
        if isinstance(node, Call) and node.function in ARRAYS:
            yield from (n.id for n in names_in(node.args[0]))
        waiting += reads(node)


def mention_counts(stmts) -> Counter:
    """How often statements read or bind each name."""
    found: Counter = Counter()
    for s in walk_loops(stmts):
        found.update(n.id for n in bound_by(s))
        found.update(n.id for n in names_in_all(s))
    return found


# those that are alike --------------------------------------------------------------------------------
def nest_key(nest: CandidateNest) -> None:
    """Give a nest its key, and its floats."""
    order: dict[str, Name] = {}
    numbers: list[Num] = []

    def called(e: Expr) -> Expr:
        if isinstance(e, Num) and e.dtype.kind == "f":
            numbers.append(e)
            return Name("", e.dtype)
        if isinstance(e, Name):
            return e if e.dtype is None else order.setdefault(e.id, Name(str(len(order)), e.dtype))
        return mapped(e, called)

    body = renamed_statement(nest.loop, called)
    parts = [tuple(called(n).id for n in names) for names in (nest.taken, nest.stored, nest.left)]
    nest.key, nest.numbers = (*nest.key, body, *parts), tuple(numbers)


def renamed_statement(stmt: Stmt, called: Callable[[Expr], Expr]) -> Stmt:
    """A statement with other names, those that it binds too."""
    new = mapped(stmt, called, lambda stmts: tuple([renamed_statement(s, called) for s in stmts]))
    match new:
        case Loop():
            return replace(new, index=called(new.index))
        case Assign():
            return replace(new, name=called(new.name))
        case Assigns():
            return replace(new, names=tuple(map(called, new.names)))
    return new


def made_function(group: list[CandidateNest], hint: str, fresh) -> tuple[Function, list[int]]:
    """The function of nests that are alike, and which of their floats it is given: those that differ."""
    first = group[0]
    differing = [k for k, values in enumerate(zip(*[n.numbers for n in group])) if len(set(values)) > 1]
    given = {k: Name(fresh("c"), first.numbers[k].dtype) for k in differing}
    count = iter(range(len(first.numbers)))

    def called(e: Expr) -> Expr:
        if isinstance(e, Num) and e.dtype.kind == "f":
            return given.get(next(count), e)
        return mapped(e, called)

    loop = renamed_statement(first.loop, called) if given else first.loop
    return Function(fresh(hint), (*first.taken, *given.values()), (loop,), first.left or None, apart=True), differing
