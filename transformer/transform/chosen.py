"""A cotangent of which some is chosen: its mask waits beside it until no slope comes that may be infinite."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core import Atom, Builder, Fun, If, Let, walk
from ..core.types import Type
from ..rules.expr import Formula, atom_of
from ..rules.kinds import conform

BOOL = np.dtype(bool)


@dataclass(frozen=True)
class Chosen:
    """A cotangent that is `value` where `mask` holds, and 0 elsewhere, whatever `value` is there.

    least  from which curvature on the mask waits: CURVED where what was not chosen may be nan
    clean  is `value` 0 elsewhere?
    """

    value: Atom
    mask: Atom
    least: int
    clean: bool = False


Cotangent = Atom | Chosen


def settled(b: Builder, g: Cotangent | None, t: Type, hint: str) -> Atom | None:
    """The cotangent with its mask applied."""
    if not isinstance(g, Chosen):
        return g
    if g.clean:
        return g.value
    return conform(b, masked(b, g.mask, g.value, hint), t, hint)


def masked(b: Builder, mask: Atom, value: Atom, hint: str) -> Formula:
    return np.where(Formula(b, mask, hint), Formula(b, atom_of(value), hint), 0)


def both_masks(b: Builder, mask: Atom | None, other: Atom | None) -> Atom | None:
    """Where both hold; None: everywhere."""
    if mask is None or other is None or mask == other:
        return other if mask is None else mask
    return (Formula(b, mask) & Formula(b, other)).atom


@dataclass(frozen=True)
class ChosenSide:
    """The side of a branch on which a name has a derivative."""

    test: str
    then: bool


def sides_of(fun: Fun, active):
    for stmt in walk(fun.body):
        if isinstance(stmt, If) and isinstance(stmt.test, str):
            for name, *sides in zip(stmt.names, stmt.then.results, stmt.orelse.results):
                there = [side in active for side in sides]
                if sum(there) == 1:
                    yield name, ChosenSide(stmt.test, there[0])


def lets_of(fun: Fun) -> dict[str, Let]:
    """The statement that binds each name, of those that are no loop or branch."""
    return {name: stmt for stmt in walk(fun.body) if isinstance(stmt, Let) for name in stmt.names}
