"""Results that the caller allocates.

    def f(x):                                        def f(x, y_out):
        x_len = x.shape[0]                               x_len = x.shape[0]
        y = rm.empty((x_len,), np.float64)      ->       y = rm.fresh(y_out)
        ...                                              ...
        return (y, total)                                return (total,)

NumPy makes an array object in a third of the time that numba takes to wrap one that it has allocated, and keeps large
ones in large pages.  It takes part where a result is allocated once, outside loops and branches, with lengths that are
constants or those of arguments.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Callable

import numpy as np

from ..core.types import Type
from .core import Alloc, Assign, Copy, Do, Expr, Function, Length, Name, Num, Stmt, integer, rm
from .walking import blocks, bound_by


@dataclass(frozen=True)
class Output:
    """An array that the caller hands in, after the arguments: each length is an int, or (argument, axis)."""

    lengths: tuple[int | tuple[int, int], ...]
    dtype: np.dtype


@dataclass(frozen=True)
class Taken:
    """A function whose results are: ("out", k) for output k, ("returned", k) for item k of what it returns."""

    function: Function
    outputs: tuple[Output, ...]
    results: tuple[tuple[str, int], ...]


def hand_in(f: Function, types: dict[str, Type], fresh: Callable[[str], str]) -> Taken:
    """`types` are those of the parameters; `fresh` gives names that nothing has."""
    facts = TopLevel(f, types)
    sources = [facts.origin(value) for value in f.results]
    made = {name: output for name in dict.fromkeys(sources) if (output := facts.output(name)) is not None}
    titles = dict(zip(reversed(sources), reversed(f.results)))  # what a result is called where it is returned
    outs = {name: Name(fresh(f"{titles[name].id.strip('_')}_out"), name.dtype) for name in reversed(made)}
    body: list[Stmt] = []
    for stmt in f.body:
        body += filled_output(stmt, outs[stmt.name]) if isinstance(stmt,
                                                                   (Alloc, Copy)) and stmt.name in made else [stmt]
    kept = tuple(value for value, source in zip(f.results, sources) if source not in made)
    number, places = list(made), iter(range(len(kept)))
    results = tuple(("out", number.index(s)) if s in made else ("returned", next(places)) for s in sources)
    function = Function(f.name, (*f.params, *(outs[name] for name in made)), tuple(body), kept)
    return Taken(function, tuple(made.values()), results)


def filled_output(stmt: Alloc | Copy, out: Name) -> list[Stmt]:
    """What stands in the place of an allocation."""
    if isinstance(stmt, Copy):
        return [Assign(stmt.name, rm.copy_to(stmt.source, out))]
    return [Assign(stmt.name, rm.fresh(out))] + [Do(rm.clear(stmt.name))] * stmt.zeroed


class TopLevel:
    """What the top level of a function says of its names."""

    def __init__(self, f: Function, types: dict[str, Type]):
        self.types, counts = types, binds(f.body)
        simple = [s for s in f.body if isinstance(s, (Assign, Alloc, Copy))]
        self.bound = {s.name: s for s in simple if counts[s.name.id] == 1}

    def origin(self, value: Expr) -> Expr:
        """The name that this one was first, where it is only another name for it."""
        while isinstance(stmt := self.bound.get(value), Assign) and isinstance(stmt.value, Name):
            value = stmt.value
        return value

    def output(self, name: Expr) -> Output | None:
        """The array that the name stands for, where the caller can allocate it."""
        stmt = self.bound.get(name)
        if isinstance(stmt, Copy):
            return self.copy_of(self.origin(stmt.source))
        if not isinstance(stmt, Alloc) or stmt.early:
            return None
        lengths = [self.length(n) for n in stmt.shape]
        return None if None in lengths else Output(tuple(lengths), name.dtype)

    def copy_of(self, name: Name) -> Output | None:
        """A copy of an argument; one of several axes keeps its order, which is not known here."""
        t = self.types.get(name.id)
        return Output(((list(self.types).index(name.id), 0),), t.dtype) if t is not None and t.rank == 1 else None

    def length(self, e: Expr) -> int | tuple[int, int] | None:
        match e:
            case Num() if integer(e) >= 0:
                return integer(e)
            case Name() if isinstance(stmt := self.bound.get(e), Assign):
                return self.length(stmt.value)
            case Length(array=Name(id=array), axis=axis) if array in self.types:
                return (list(self.types).index(array), axis)
        return None


def binds(stmts) -> Counter:
    """How often names are bound."""
    found: Counter = Counter()
    for stmt in stmts:
        found.update(n.id for n in bound_by(stmt))
        for block in blocks(stmt):
            found += binds(block)
    return found
