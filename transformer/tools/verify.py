"""`gs.verify`: is a derivative right?  Each statement at the values that it meets, then the whole function.

A statement of core is a function of one operation, with derivatives by the very rules that a gradient uses; `slopes`
compares them.  So a mistake in a rule, ours or the user's, has the line that calls it.
"""
from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core import Block, Fun, Let
from ..errors.messages import GradscribeError, Origin
from ..optimise import FINISHED
from ..optimise.pipeline import optimise
from ..programs.runtime_notes import tell
from ..programs.unseen import unseen
from ..readable import readable
from ..rules import OPS
from ..rules.host import Host
from ..rules.kept_calls import Inserted, LibraryCall, MovingAs
from ..transform.opening import without_calls
from ..transform.vjp import vjp
from .advice import advice
from .slopes import (FIXED, REFUSED, RIGHT, SINGULARITIES, UNDECIDED, WRONG, BothModes, Point, SlopeCheck,
                     cotangent_for, worst)
from .visits import Visited, Visits, ready_with_stores, single_statement

MOST = 64  # checks of a place of the text: a loop that is written out has it once for each round
ON_PURPOSE = (Inserted, MovingAs)  # whose derivative is not that of its value, and is meant so
WIDTH = 60  # of the user's text in the table


@dataclass
class VerifiedLine:
    """What was checked of a line of the user's, or of the whole function.

    origin      the line; None where its text is not known
    checks      how often a statement of it was checked
    found       the worst verdict, with the largest errors of all
    op          the operation that has it
    instead     what to do, where it fails
    """

    origin: Origin | None
    checks: int = 0
    found: SlopeCheck = SlopeCheck(FIXED)
    op: Any = None
    instead: str = ""

    @property
    def line(self) -> int:
        return self.origin.line if self.origin else 0

    @property
    def file(self) -> str:
        return self.origin.file if self.origin else ""

    @property
    def text(self) -> str:
        return self.origin.first_text if self.origin else ""

    @property
    def verdict(self) -> str:
        return self.found.verdict

    @property
    def dot(self) -> float | None:
        """The largest relative error of the dot-product test."""
        return self.found.dot

    @property
    def difference(self) -> float | None:
        """The largest relative error against differences."""
        return self.found.difference

    def add(self, found: SlopeCheck, op) -> None:
        self.checks += 1
        merged = worst([self.found, found])
        self.op = op if self.op is None or merged.verdict != self.found.verdict else self.op
        self.found = merged

    def row(self, place: str, text: str) -> tuple[str, ...]:
        """Its row in the table."""
        errors = ["" if x is None else f"{x:.0e}" for x in (self.dot, self.difference)]
        return place, text if len(text) <= WIDTH else f"{text[:WIDTH - 3]}...", *errors, self.verdict


@dataclass
class Certificate:
    """What was found of a derivative: true where all of it is right; it prints as a table.

    lines     of the function, and of those that it calls: those on which a derivative depends
    whole     the function as a whole
    failures  those of them that are not right
    """

    name: str
    lines: list[VerifiedLine]
    whole: VerifiedLine
    failures: list[VerifiedLine]

    def __bool__(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        one_file = len({line.file for line in self.lines}) == 1
        rows = [(None, ("line", "", "dot product", "differences", ""))]
        rows += [(line, line.row(str(line.line) if one_file or not line.origin else line.origin.place, line.text))
                 for line in self.lines]
        rows.append((self.whole, self.whole.row("", "the whole function")))
        a, b, c, d = [max([len(row[k]) for _, row in rows]) for k in range(4)]
        shown = [f"the derivative of {self.name} is {'right' if self else 'not right'}: "
                 f"{sum([line.checks for line in self.lines])} checks of {len(self.lines)} "
                 f"line{'s' * (len(self.lines) != 1)}, and the whole"]
        for line, row in rows:
            fails = any([line is failure for failure in self.failures])
            shown.append(f"{'> '[not fails]} {row[0]:>{a}}  {row[1]:<{b}}  {row[2]:>{c}}  {row[3]:>{d}}  {row[4]}")
            shown += [f"      {part}" for part in (line.instead.split("\n") if fails else ())]
        return "\n".join([text.rstrip() for text in shown])

    __repr__ = __str__


class Verification:
    """One run of a function that checks statements on its way."""

    def __init__(self, fun: Fun, count: int, origin: Origin | None):
        self.fun, self.origin = fun, origin
        self.moved = tuple([p for p in fun.params[:count] if fun.types[p].is_float])
        self.lines: dict[tuple, VerifiedLine] = {}
        self.met: Counter = Counter()
        self.derivatives: dict[int, tuple[BothModes, Let]] = {}  # by the number of the statement, which lives as long
        self.rng = np.random.default_rng(0)
        self.on_purpose = False  # does the user's text give a derivative that is not that of the value?

    def run(self, values: list) -> tuple[list[VerifiedLine], VerifiedLine]:
        with unseen(), np.errstate(all="ignore"):
            try:
                Visits(self.statement).function(self.fun, values, frozenset(self.moved))
            except GradscribeError:
                raise
            except Exception:
                self.raise_as_a_call_does(values)
                raise
            whole = VerifiedLine(self.origin, 1, self.whole(values))
        first = self.origin.file if self.origin else ""
        return sorted(self.lines.values(), key=lambda line: (line.file != first, line.file, line.line)), whole

    def raise_as_a_call_does(self, values: list) -> None:
        """Raise what a call of the function, or else of its gradient, raises, with the user's line."""
        fun = self.of_floats()
        results = run_with_places(fun, values)
        with contextlib.suppress(GradscribeError):  # there may be no reverse mode
            backward = vjp(fun, tuple([p in self.moved for p in fun.params]))
            run_with_places(backward, [*values, *[cotangent_for(x, self.rng) for x in results]])

    def statement(self, let: Let, scope: Visited, values: dict) -> None:
        """Check a statement that hands a derivative on."""
        moved = tuple(dict.fromkeys([a for a in let.args if isinstance(a, str) and a in scope.varied]))
        results = tuple([n for n in let.names if scope.fun.types[n].is_float])
        if not moved or not results or let.op.effect or isinstance(let.op, LibraryCall):
            return
        line = self.line_of(let)
        if isinstance(let.op, ON_PURPOSE) or let.op is OPS["rt.stop_gradient"]:
            # our own functions hold values fixed in formulas for what they have found, which are right as a whole
            self.on_purpose |= isinstance(let.op, Inserted) or "stop_gradient" in line.text
            line.add(SlopeCheck(FIXED), let.op)
        elif self.is_checked(let):
            derivative = self.derivative(let, scope, moved, results)
            line.add(Point(derivative, [values[p] for p in derivative.fun.params], self.rng).slope(), let.op)

    def line_of(self, let: Let) -> VerifiedLine:
        origin = let.origin or self.origin
        return self.lines.setdefault((origin.file, origin.line) if origin else (), VerifiedLine(origin))

    def is_checked(self, let: Let) -> bool:
        """Has its place not been checked often already?"""
        place = let.origin and let.origin.start, let.op, let.params
        self.met[place] += 1
        return self.met[place] <= MOST

    def derivative(self, let: Let, scope: Visited, moved: tuple, results: tuple) -> BothModes:
        if id(let) not in self.derivatives:
            fun = single_statement(let, scope.fun.types, scope.sums)
            fun = replace(fun, body=Block(fun.body.stmts, results))
            self.derivatives[id(let)] = BothModes(fun, moved, ready_with_stores, isinstance(let.op, Host)), let
        return self.derivatives[id(let)][0]

    def of_floats(self) -> Fun:
        """The function with the results that have derivatives."""
        floats = [r for r in self.fun.body.results if isinstance(r, str) and self.fun.types[r].is_float]
        return replace(self.fun, body=Block(self.fun.body.stmts, tuple(dict.fromkeys(floats))), writes={})

    def whole(self, values: list) -> SlopeCheck:
        fun = self.of_floats()
        if not fun.body.results:
            return SlopeCheck(RIGHT)
        derivative = BothModes(fun, self.moved, lambda f: ready_with_stores(optimise(f, FINISHED)), loose=True)
        found = Point(derivative, values, self.rng).slope(together=True)
        return replace(found, verdict=FIXED) if self.on_purpose and found.verdict in (WRONG, UNDECIDED) else found


def run_with_places(fun: Fun, values: list) -> tuple:
    """The results; an exception has the user's line."""
    source = readable(optimise(without_calls(fun, library=True), FINISHED))
    try:
        return source.function()(*values)
    except Exception as error:
        tell(error, source)
        raise error from None


def certificate(name: str, fun: Fun, values: list, count: int, origin: Origin | None) -> Certificate:
    """Check the derivative of a core function with respect to its first `count` arguments."""
    verification = Verification(fun, count, origin)
    if not verification.moved:
        raise GradscribeError(origin, f"{name} has no float among its positional arguments, so there is no "
                              "derivative to verify", f"Pass what is to be moved by position: gs.verify({name}, x).")
    lines, whole = verification.run(values)
    # what has no part in the derivative of the whole, as what np.where does not choose, may be infinite
    bad = (WRONG, REFUSED, *(SINGULARITIES if whole.verdict in SINGULARITIES else ()))
    failures = [line for line in (*lines, whole) if line.verdict in bad]
    for line in failures:
        line.instead = advice(line, alone=len(failures) == 1 and line is whole)
    return Certificate(name, lines, whole, failures)
