"""What is known of integers: which arithmetic fits into 64 bits, and which indices are in range.

    for i in range(1, n - 1):        i is in [1, n - 2]: i + 1 fits, and x[i + 1] is in range
        y[i] = x[i + 1]              where x has n elements

Bounds are of two kinds.  Numbers: a size is at most MOST, which allocation and the entry check, so that a
product of two sizes fits; a loop counts no further than a computer can count in years.  Polynomials over
sizes and arguments: an index is eliminated by the ends of its range.  What cannot be proved from the types may
still follow from a condition on the arguments (`A.shape[1] >= A.shape[0]`), which the entry tests once.
"""
from __future__ import annotations

from typing import Callable

from ..core import Atom, Block, Builder, Const, For, Fun, If, Let, While
from ..core.types import PY_INT, Dim
from ..rules import OPS
from ..rules.operators import Comparison
from .spaces import Equalities

MOST = 3_037_000_499  # its square fits into 64 bits
LOW, HIGH = -(2**63), 2**63 - 1
COUNT = 2**58  # no loop runs more often: it would take years
PACE = 16  # how much a counter may grow in an iteration
Interval = tuple[int, int]
ALL: Interval = (LOW, HIGH)


class Ranges:
    """Facts about the integers of a function with single binding."""

    def __init__(self, fun: Fun):
        self.fun, self.b = fun, Builder(like=fun)
        self.numbers: dict[str, Interval] = {}
        self.exact: dict[str, Interval] = {}  # of results before they are checked
        self.loops: dict[str, tuple[Dim | None, Dim | None]] = {}
        # indices of loops that start near 0 and go in small steps: it takes months to count further than a float can
        self.counted: set[str] = set()
        self.entry: dict[str, tuple[str, int] | None] = {}  # sizes and int arguments: where they come from
        self.equal = Equalities()
        self.facts: list[Dim] = []  # polynomials that are not negative here
        self.fitting: set[str] = set()  # integers that do not overflow here
        self.tests: dict[str, Let] = {}
        for p in fun.params:
            t = fun.types[p]
            if t == PY_INT:
                self.entry[p] = None
            for k, d in enumerate(t.dims):
                for n in d.names:
                    self.numbers[n] = (0, MOST)
                if len(d.names) == 1 and str(d) in d.names:
                    self.entry.setdefault(str(d), (p, k))
        self.block(fun.body)

    # numbers -------------------------------------------------------------------------------------
    def interval(self, atom: Atom) -> Interval:
        if isinstance(atom, Const):
            return (int(atom.value), int(atom.value)) if isinstance(atom.value, int) else ALL
        return self.numbers.get(atom, ALL)

    def fits(self, let: Let) -> bool:
        """Does this arithmetic on Python ints surely not overflow?"""
        if let.names[0] in self.fitting:
            return True
        low, high = self.exact.get(let.names[0], (LOW - 1, HIGH + 1))
        return LOW <= low and high <= HIGH

    def is_float(self, atom: Atom) -> bool:
        """Is an int surely one that a float is too?"""
        low, high = self.interval(atom)
        return -2**53 <= low and high <= 2**53 or atom in self.counted

    def block(self, block: Block) -> None:
        for stmt in block.stmts:
            match stmt:
                case Let():
                    self.let(stmt)
                case If():
                    self.block(stmt.then)
                    self.block(stmt.orelse)
                    for name, x, y in zip(stmt.names, stmt.then.results, stmt.orelse.results):
                        self.numbers[name] = union(self.interval(x), self.interval(y))
                case For():
                    self.loop_index(stmt)
                    self.carried(stmt)
                case While():
                    self.carried(stmt)

    def loop_index(self, stmt: For) -> None:
        (first, last), (low, high) = self.interval(stmt.start), self.interval(stmt.stop)
        if not isinstance(stmt.step, Const):
            self.loops[stmt.index] = (None, None)
            return
        step = int(stmt.step.value)
        reach = COUNT * abs(step)
        if -2**52 <= first and last <= 2**52 and abs(step) <= PACE:
            self.counted.add(stmt.index)
        start, stop = self.b.dim(stmt.start), self.b.dim(stmt.stop)
        if step > 0:
            self.numbers[stmt.index] = (first, max(first, min(high - 1, last + reach)))
            self.loops[stmt.index] = (start, stop - 1)
        else:
            self.numbers[stmt.index] = (min(last, max(low + 1, first - reach)), last)
            self.loops[stmt.index] = (stop + 1, start)

    def carried(self, stmt: For | While) -> None:
        """A counter stays small; of other carried ints nothing is known, but what is read in both is in both."""
        for c in stmt.carried:
            self.numbers.pop(c, None)
        for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results):
            if self.fun.types[c] != PY_INT:
                continue
            low, high = self.interval(init)
            pace = self.pace(after, c, stmt.body)
            if pace is not None and -(2**61) <= low and high <= 2**61:
                self.numbers[c] = (low + min(pace[0], 0) * COUNT, high + max(pace[1], 0) * COUNT)
        self.block(stmt.body)

    def pace(self, atom: Atom, c: str, block: Block) -> Interval | None:
        """By how much a carried int changes in one run of a block: small constants only."""
        if atom == c:
            return (0, 0)
        for stmt in reversed(block.stmts):
            match stmt:
                case Let(names=(name,), op=op, args=(x, y)) if name == atom and op.symbol in ("+", "-"):
                    return self.pace_of_sum(op.symbol, x, y, c, block)
                case If(names=names) if atom in names:
                    k = names.index(atom)
                    sides = [self.pace_in(side, side.results[k], c, block) for side in (stmt.then, stmt.orelse)]
                    return None if None in sides else union(*sides)
                case For() | While() if atom in stmt.carried:
                    k = stmt.carried.index(atom)
                    before = self.pace(stmt.inits[k], c, block)
                    each = self.pace(stmt.body.results[k], atom, stmt.body)
                    return None if before is None or each is None else small(union(before, interval_sum(before, each)))
        return None

    def pace_of_sum(self, symbol: str, x: Atom, y: Atom, c: str, block: Block) -> Interval | None:
        """The same of an int to which a constant is added, or from which it is subtracted."""
        if symbol == "+" and isinstance(x, Const):
            x, y = y, x
        if not isinstance(y, Const) or not isinstance(y.value, int) or abs(y.value) > PACE:
            return None
        inner, step = self.pace(x, c, block), y.value if symbol == "+" else -y.value
        return None if inner is None else small(interval_sum(inner, (step, step)))

    def pace_in(self, side: Block, atom: Atom, c: str, outer: Block) -> Interval | None:
        return self.pace(atom, c, Block(outer.stmts + side.stmts))

    def let(self, let: Let) -> None:
        op, name = let.op.name, let.names[0] if let.names else ""
        if not name or self.fun.types[name].kind != "py":
            return
        if isinstance(let.op, Comparison) or op == "and_":
            self.tests[name] = let
        if self.fun.types[name] != PY_INT:
            return
        result = arithmetic(op, [self.interval(a) for a in let.args])
        if result is None and let.op.length:
            self.numbers[name] = (0, MOST)
            if op == "rt.size" and let.args[0] in self.fun.params:
                self.entry[name] = (let.args[0], let.param("axis"))
        elif result is not None:
            self.exact[name] = result
            self.numbers[name] = (max(result[0], LOW), min(result[1], HIGH))

    # polynomials -------------------------------------------------------------------------------------
    def learn(self, test: Atom, holds: bool) -> None:
        """A comparison that is known to hold, or not to, from here on."""
        let = self.tests.get(test) if isinstance(test, str) else None
        if let is None:
            return
        if let.op.name == "and_":
            if holds:
                for a in let.args:
                    self.learn(a, True)
            return
        if any(self.b.type(a) != PY_INT for a in let.args):
            return
        x, y = (self.b.dim(a) for a in let.args)
        self.facts += (let.op if holds else OPS[let.op.opposite]).holds(x, y)

    def enter(self, loop: For) -> None:
        """Inside a loop its range is not empty."""
        low, high = self.loops.get(loop.index, (None, None))
        if low is not None and high is not None:
            self.facts.append(high - low)

    def in_range(self, atom: Atom, length: Dim, assume: Callable[[Dim], bool]) -> bool:
        """Is an index surely in [0, length), as it stands or under conditions on the arguments?"""
        if isinstance(atom, Const) and int(atom.value) < 0:
            needs = [length + int(atom.value)]
        else:
            value = self.b.dim(atom)
            needs = [value, length - 1 - value]
        open_ones = [e for e in needs if not self.not_negative(e)]
        conditions = [self.at_entry(e) for e in open_ones]
        return all(c is not None for c in conditions) and all(assume(c) for c in conditions)

    def holds(self, e: Dim, assume: Callable[[Dim], bool]) -> bool:
        """Is a polynomial surely not negative, as it stands or under a condition on the arguments?"""
        if self.not_negative(e):
            return True
        condition = self.at_entry(e)
        return condition is not None and assume(condition)

    def same(self, x: Dim, y: Dim) -> bool:
        return self.equal.canonical(x) == self.equal.canonical(y)

    def not_negative(self, e: Dim) -> bool:
        e = self.equal.canonical(e)
        if self.positive(e):
            return True
        facts = [self.equal.canonical(f) for f in self.facts]
        return any(self.positive(e - f) for f in facts) or any(
            self.positive(e - f - g) for k, f in enumerate(facts[-8:]) for g in facts[-8:][:k])

    def eliminated(self, e: Dim) -> Dim | None:
        """A lower bound of e without indices of loops."""
        for _ in range(20):
            names = sorted(e.names & self.loops.keys())
            name = next((n for n in names if not any(self.mentions(o, n) for o in names)), None)
            if name is None:
                return e if not names else None
            factor, rest = e.split(name)
            sign = None if factor is None else self.sign(factor)
            bound = None if sign is None else self.loops[name][0 if sign > 0 else 1]
            if bound is None:
                return None
            e = self.equal.canonical(factor * bound + rest)
        return None

    def mentions(self, other: str, name: str) -> bool:
        return any(b is not None and name in self.equal.canonical(b).names for b in self.loops[other])

    def sign(self, e: Dim) -> int | None:
        low, high = self.bounds(e)
        return 1 if low >= 0 else -1 if high <= 0 else None

    def bounds(self, e: Dim) -> Interval:
        """The interval of a polynomial."""
        total = (0, 0)
        for monomial, c in e.terms:
            part = (c, c)
            for name in monomial:
                part = interval_product(part, self.numbers.get(name, ALL))
            total = interval_sum(total, part)
        return total

    def positive(self, e: Dim) -> bool:
        """Not negative, whatever the sizes?"""
        e = self.eliminated(e)
        return e is not None and self.bounds(e)[0] >= 0

    def at_entry(self, e: Dim) -> Dim | None:
        """A condition on arguments that makes e not negative; None where there is none that could hold."""
        e = self.eliminated(self.equal.canonical(e))
        if e is None or e.constant is not None or not e.names <= self.entry.keys() or self.bounds(e)[1] < 0:
            return None
        return e if len(e.terms) <= 4 and all(len(m) <= 2 and abs(c) <= 1024 for m, c in e.terms) else None


def union(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])


def small(a: Interval) -> Interval | None:
    return a if max(abs(a[0]), abs(a[1])) <= PACE else None


def interval_sum(a: Interval, b: Interval) -> Interval:
    return a[0] + b[0], a[1] + b[1]


def interval_product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def magnitude(a: Interval) -> Interval:
    """The interval of abs(a)."""
    return 0 if a[0] <= 0 <= a[1] else min(map(abs, a)), max(map(abs, a))


def floor_quotient(a: Interval, b: Interval) -> Interval:
    if b[0] > 0:
        return min(a[0], 0), max(a[1], 0)
    return min(a[0], -a[1], 0), max(a[1], -a[0], 0)


def remainders(a: Interval, b: Interval) -> Interval:
    return (0, b[1] - 1) if b[0] > 0 else (min(b[0] + 1, 0), max(b[1] - 1, 0))


def trip_counts(start: Interval, stop: Interval, step: Interval) -> Interval:
    most = max(stop[1] - start[0] if step[1] > 0 else 0, start[1] - stop[0] if step[0] < 0 else 0)
    return 0, min(max(most, 0), COUNT)


ARITHMETIC = {
    "add": interval_sum, "subtract": lambda a, b: (a[0] - b[1], a[1] - b[0]), "multiply": interval_product,
    "negative": lambda a: (-a[1], -a[0]), "abs": magnitude, "floor_divide": floor_quotient, "mod": remainders,
    "power": lambda a, b: interval_product(magnitude(a), magnitude(a)) if b == (2, 2) else None,
    "np.where": lambda _, a, b: union(a, b), "np.maximum": union, "np.minimum": union, "rt.trip_count": trip_counts,
    "int": lambda a: a, "retype": lambda a: a}


def arithmetic(op: str, args: list[Interval]) -> Interval | None:
    """The interval of an operation's exact result."""
    return ARITHMETIC[op](*args) if op in ARITHMETIC else None
