"""Counters as formulas of the indices of the loops that count.

    c = d
    for j in range(0, d, 1):               c = d + (2 * j * (d - 1) - j * (j - 1)) // 2     at the header of this loop
        for i in range(j + 1, d, 1):       c = (that) + i - (j + 1)                         at the header of this one
            c__2 = c__1 + 1                c = (that) + d - j - 1                           behind it

An integer to which each iteration adds what is linear in the index has a closed form (Gauss's sum). A mirror computes
it where else a tape would save it, as long as the lengths of all inner loops of all iterations.
"""
from __future__ import annotations

from dataclasses import dataclass

from ..core import Atom, Builder, Const, For, all_bound
from ..core.types import PY_INT, Dim
from .intervals import Intervals


@dataclass(frozen=True)
class Form:
    """The integer top / below: a division that leaves nothing over."""

    top: Dim
    below: int = 1

    def substitute(self, mapping: dict[str, Dim]) -> Form:
        return Form(self.top.substitute(mapping), self.below)


def at_header(b: Builder, facts: Intervals, loop: For) -> dict[str, Form]:
    """{a counter that the loop carries: its form at the header, of the index and of names from outside}"""
    counters = [(c, init, after) for c, init, after in zip(loop.carried, loop.inits, loop.body.results)
                if b.types[c] == PY_INT and b.type(after) == PY_INT and c != after]
    if not isinstance(loop.step, Const) or loop.step.value not in (1, -1) or not counters:
        return {}
    inner: dict[str, Form | None] = {}
    for stmt in loop.body.stmts:
        inner |= form_behind(b, facts, stmt) if isinstance(stmt, For) else {}
    own = {*loop.carried, *all_bound(loop.body)}
    found = {c: counted_up(b, loop, c, init, at_the_end(b.dim(after), inner), own) for c, init, after in counters}
    return {c: form for c, form in found.items() if form is not None}


def counted_up(b: Builder, loop: For, c: str, init: Atom, after: Form | None, own: set[str]) -> Form | None:
    """A counter that is `after` behind an iteration, at the header; `own`: the names of the loop."""
    slope, rest = (None, Dim(())) if after is None else (after.top - Dim.of(c) * after.below).split(loop.index)
    if slope is None or own & (slope.names | rest.names) or loop.index in slope.names:
        return None
    start, step = b.dim(loop.start), loop.step.value
    number = (Dim.of(loop.index) - start) * step  # of iterations before
    # the first iteration adds slope * start + rest, and each one after it `slope * step` more
    top = 2 * after.below * b.dim(init) + 2 * number * (slope * start + rest) + slope * step * number * (number - 1)
    even = all(coefficient % 2 == 0 for _, coefficient in top.terms)
    return Form(half_of(top), after.below) if even else Form(top, 2 * after.below)


def half_of(top: Dim) -> Dim:
    return Dim(tuple((monomial, coefficient // 2) for monomial, coefficient in top.terms))


def form_behind(b: Builder, facts: Intervals, loop: For) -> dict[str, Form | None]:
    """{a name that the loop carries: its form behind the loop, if it has one}"""
    forms, step = at_header(b, facts, loop), loop.step.value if isinstance(loop.step, Const) else 0
    surely = forms and facts.at_least((b.dim(loop.stop) - b.dim(loop.start)) * step, 0)
    return {c: forms[c].substitute({loop.index: b.dim(loop.stop)}) if surely and c in forms else None
            for c in loop.carried}


def at_the_end(value: Dim, inner: dict[str, Form | None]) -> Form | None:
    """A polynomial at the end of a block with what its loops carry as it is behind these; None where that has no
    form."""
    form = Form(value)
    for name in reversed(inner):
        if name in form.top.names:
            (factor, rest), one = form.top.split(name), inner[name]
            if one is None or factor is None:
                return None
            form = Form(factor * one.top + rest * one.below, form.below * one.below)
    return form
