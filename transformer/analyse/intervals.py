"""Intervals of indices: does a store surely miss the elements that were read?

    for j in range(n):                 the element read, L[j, k] with k <= j - 1, is stored into neither
        for k in range(j):             by the store below (column j) nor in a later iteration (column
            s = s + L[j, k] ** 2       j' >= j + 1): its final value is the value read
        L[j, j] = ...

One dimension in which the two are apart is enough.  Bounds are polynomials over names of integers; loop
indices are eliminated, innermost first, by the ends of their ranges.
"""
from __future__ import annotations

from ..core import PASSED, Atom, Block, Builder, Const, For, Fun, If, Let, Stmt, While, all_bound, bound, walk
from ..core.index_codes import entries
from ..core.types import PY_INT, Dim, Type
from ..rules.indexing import Update

Bounds = tuple[Dim | None, Dim | None]  # lowest and highest value; None: not known


class Intervals:
    """ranges: {loop index: its bounds}; lengths: names of integers that are not negative; restored: {name that a loop
    backwards carries: the array that it is behind it}."""

    def __init__(self, b: Builder, fun: Fun):
        self.b = b
        self.ranges: dict[str, Bounds] = {}
        self.restored: dict[str, Atom] = {}
        self.sure_places: frozenset[tuple[Dim, Dim]] = frozenset()  # of the blocks around the one at hand
        self.lengths = {n for p in fun.params for d in fun.types[p].dims for n in d.names}
        self.note(fun.body)

    def note(self, block: Block) -> None:
        """Learn the loops and lengths of a block."""
        for stmt in walk(block):
            match stmt:
                case For():
                    self.ranges[stmt.index] = self.bounds_of(stmt)
                case While():
                    for c, (init, step) in counters(self.b, stmt).items():
                        self.ranges[c] = (self.b.dim(init), None) if step > 0 else (None, self.b.dim(init))
                case Let(names=(name,)) if stmt.op.length:
                    self.lengths.add(name)

    def bounds_of(self, loop: For) -> Bounds:
        if not isinstance(loop.step, Const):
            return None, None
        start, stop = self.b.dim(loop.start), self.b.dim(loop.stop)
        return (start, stop - 1) if loop.step.value > 0 else (stop + 1, start)

    def places(self, block: Block) -> frozenset[tuple[Dim, Dim]]:
        """(place, length of the axis) that the statements of a block itself read or store at:
        they exist whenever it runs."""
        found = set()
        for let in block.stmts:
            if isinstance(let, Let) and let.op.index_at is not None:
                lengths = iter(self.b.type(let.args[0]).dims)
                for code, own in entries(let.param("index"), let.args[let.op.index_at:]):
                    length = None if code == "n" else next(lengths)
                    if code == "i":
                        found.add((self.b.dim(own[0]), length))
        return frozenset(found)

    # proofs -------------------------------------------------------------------------------------
    def at_least(self, e: Dim, least: int, ranges: dict[str, Bounds] | None = None) -> bool:
        """Is e >= least whatever the sizes?  False: not known."""
        ranges = self.ranges if ranges is None else ranges
        while (name := _innermost(e, ranges)) is not None:
            factor, rest = e.split(name)
            sign = None if factor is None else self.sign(factor)
            bound = None if sign is None else ranges[name][0 if sign > 0 else 1]
            if bound is None:
                return False
            e = factor * bound + rest
        constant = dict(e.terms).get((), 0)
        return constant >= least and (e - constant).terms == tuple(
            (m, c) for m, c in e.terms if m and c > 0 and self.lengths.issuperset(m))

    def sign(self, e: Dim) -> int | None:
        """1: never negative, -1: never positive, None: not known."""
        if all(self.lengths.issuperset(m) for m, _ in e.terms):
            if all(c > 0 for _, c in e.terms):
                return 1
            if all(c < 0 for _, c in e.terms):
                return -1
        return None

    # regions ------------------------------------------------------------------------------------
    def region(self, t: Type, index: tuple[str, ...], atoms: tuple[Atom, ...]) -> tuple[Bounds, ...]:
        """The places that an index names, one interval per axis of an array of type t."""
        out: list[Bounds] = []
        for code, own in entries(index, atoms):
            if code == "n":
                continue
            n = t.dims[len(out)]
            if code == "i":
                place = self.place(own[0], n)
                out.append((place, place))
            elif code[0] == "s" and own[2] in (None, Const(1)):
                low = Dim.of(0) if own[0] is None else self.place(own[0], n) or Dim.of(0)
                stop = None if own[1] is None else self.place(own[1], n)
                out.append((low, n - 1 if stop is None else stop - 1))
            else:
                out.append((Dim.of(0), n - 1))
        return tuple(out) + tuple((Dim.of(0), d - 1) for d in t.dims[len(out):])

    def place(self, atom: Atom, n: Dim) -> Dim | None:
        """The place that an integer names on an axis of length n; None where its sign is not known."""
        value = self.b.dim(atom)
        if value.constant is not None and value.constant < 0:
            return n + value
        return value if self.at_least(value, 0) else None

    def apart(self, one: tuple[Bounds, ...], other: tuple[Bounds, ...], ranges: dict[str, Bounds]) -> bool:
        """Have two regions surely no place in common?"""
        def below(x: Bounds, y: Bounds) -> bool:
            return x[1] is not None and y[0] is not None and self.at_least(y[0] - x[1], 1, ranges)

        return any(below(x, y) or below(y, x) for x, y in zip(one, other))

    # what becomes of an array -------------------------------------------------------------------
    def survivor(self, x: str, read: tuple[Bounds, ...], owner: Stmt, block: Block) -> str | None:
        """The name, after `owner`, under which the places `read` of array x still have the values they have in x.

        `block` is the body of the loop `owner`, or a side of the branch; None: a later store may hit them.
        """
        handed_on = owner.names if isinstance(owner, If) else owner.carried
        versions, stores = follow(block, {x})
        now = self.from_outside(block)
        for name, result in zip(handed_on, block.results):
            if result not in versions or not self.missed(read, stores, *now):
                continue
            if isinstance(owner, If):
                return name
            versions_later, stores_later = follow(block, {name})
            if result in versions_later and self.missed(read, stores_later, *self.other_iteration(owner, block, 1)):
                return name
        return None

    def original(self, x: str, read: tuple[Bounds, ...], loop: For | While, block: Block) -> Atom | None:
        """What is carried into `loop`, where the places `read` of array x of its body still have the values they had
        there; None: a store of an earlier iteration, or one before x in this, may have hit them.
        """
        now = self.from_outside(block)
        for name, init, result in zip(loop.carried, loop.inits, block.results):
            made_x, stores = follow(up_to(block, x, loop), {name})
            if x not in made_x or not self.missed(read, stores, *now):
                continue
            versions, stores_earlier = follow(block, {name})
            if result in versions and self.missed(read, stores_earlier, *self.other_iteration(loop, block, -1)):
                return init
        return None

    def missed(self, read, stores: list[Let], ranges, primes: dict[str, str]) -> bool:
        """Does every one of the stores miss the places read?"""
        for let in stores:
            store = self.region(self.b.type(let.args[0]), let.param("index"), let.args[2:])
            store = tuple(tuple(None if e is None else e.substitute(primes) for e in bounds) for bounds in store)
            if not self.apart(read, store, ranges):
                return False
        return True

    def from_outside(self, block: Block) -> tuple[dict[str, Bounds], dict[str, str]]:
        """Ranges and names of the stores in inner loops:
        in a loop a carried name is its header, which outside is called c'."""
        inner = [s for s in walk(block) if isinstance(s, For | While)]
        primes = {c: c + "'" for s in inner for c in s.carried}
        indices = [s.index for s in inner if isinstance(s, For)]
        return self.renamed(indices + [c for c in primes if c in self.ranges], primes), primes

    def renamed(self, indices: list[str], primes: dict[str, str]) -> dict[str, Bounds]:
        """The ranges, those of some indices under new names."""
        ranges = dict(self.ranges)
        for i in indices:
            ranges[primes.get(i, i)] = tuple(None if e is None else e.substitute(primes) for e in self.ranges[i])
        return ranges

    def other_iteration(self, loop: For | While, block: Block, way: int) -> tuple[dict[str, Bounds], dict[str, str]]:
        """Ranges and names of a later iteration (way: 1) or an earlier one (-1), in which every name i of the body is
        called i'."""
        inner = [*all_bound(block), *loop.carried]
        primes = {name: name + "'" for name in inner}
        if isinstance(loop, For):
            primes[loop.index] = loop.index + "'"
        ranges = self.renamed([name for name in inner if name in self.ranges], primes)

        def apart_by(name: str, step: int, low: Dim | None, high: Dim | None) -> Bounds:
            there = Dim.of(name) + way * step
            return (there, high) if way * step > 0 else (low, there)

        if isinstance(loop, For):
            step = loop.step.value if isinstance(loop.step, Const) else None
            ranges[primes[loop.index]] = (None, None) if step is None else apart_by(loop.index, step,
                                                                                   *self.ranges[loop.index])
        else:
            for c, (_, step) in counters(self.b, loop).items():
                ranges[primes[c]] = apart_by(c, step, *self.ranges[c])
        return ranges, primes


def counters(b: Builder, loop: While) -> dict[str, tuple[Atom, int]]:
    """{carried integer to which each iteration adds the same number: (what it is at first, that number)}"""
    found = {}
    for c, init, after in zip(loop.carried, loop.inits, loop.body.results):
        if b.types[c] == PY_INT and b.type(after) == PY_INT:
            step = (b.dim(after) - Dim.of(c)).constant
            if step:
                found[c] = init, step
    return found


def _innermost(e: Dim, ranges: dict[str, Bounds]) -> str | None:
    """An index in e that the bounds of no other index in e depend on, also by way of indices that are not in e."""
    names = sorted(e.names & ranges.keys())
    before = {n: _depends_on(n, ranges) for n in names}
    return next((n for n in names if not any(n in before[o] for o in names)), None)


def _depends_on(name: str, ranges: dict[str, Bounds]) -> set[str]:
    """The names that the bounds of an index depend on."""
    found: set[str] = set()
    todo = [name]
    while todo:
        direct = {n for b in ranges.get(todo.pop(), ()) if b is not None for n in b.names}
        todo += direct - found
        found |= direct
    return found


def up_to(block: Block, name: str, loop: For | While) -> Block:
    """The statements of a loop's body until a name is bound."""
    if name in loop.carried:
        return Block((), ())
    end = next((k + 1 for k, stmt in enumerate(block.stmts) if name in bound(stmt)), 0)
    return Block(block.stmts[:end], ())


def follow(block: Block, names: set[str]) -> tuple[set[str], list[Let]]:
    """The later versions of an array in a block, and the updates that make them."""
    versions, stores = set(names), []
    for stmt in block.stmts:
        match stmt:
            case Let(op=Update()) if stmt.args[0] in versions:
                versions.add(stmt.name)
                stores.append(stmt)
            case Let(op=op) if op.elements is PASSED and stmt.args[0] in versions:
                versions.add(stmt.name)
            case For() | While():
                for name, init, after in zip(stmt.carried, stmt.inits, stmt.body.results):
                    inner, made = follow(stmt.body, {name}) if init in versions else (set(), [])
                    if after in inner:
                        versions.add(name)
                        stores += made
            case If():
                follow_branch(stmt, versions, stores)
    return versions, stores


def follow_branch(stmt: If, versions: set[str], stores: list[Let]) -> None:
    """Add the names under which both sides of a branch give a version, and the updates of either."""
    sides = [follow(side, versions) for side in (stmt.then, stmt.orelse)]
    for name, *after in zip(stmt.names, stmt.then.results, stmt.orelse.results):
        if all(a in inner for a, (inner, _) in zip(after, sides)):
            versions.add(name)
            stores += [s for _, made in sides for s in made if s not in stores]
