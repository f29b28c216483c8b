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

import ast
from dataclasses import dataclass

import numpy as np

from ..types import Type

ALLOCATE = {"rm.empty", "rm.zeros", "rm.copy"}


@dataclass(frozen=True)
class Output:
    """An array that the caller hands in, after the arguments: each length is an int, or (argument, axis)."""

    lengths: tuple[int | tuple[int, int], ...]
    dtype: np.dtype


@dataclass(frozen=True)
class Taken:
    """A function's text whose results are: ("out", k) for output k, ("returned", k) for item k of what it returns."""

    lines: list[str]
    params: list[str]
    outputs: tuple[Output, ...]
    results: tuple[tuple[str, int], ...]


def hand_in(params: dict[str, Type], lines: list[str], fresh) -> Taken:
    """The function with the lines of its body, whose last one returns a tuple; `fresh` gives names that nothing has."""
    body = ast.parse("def f():\n" + "\n".join(lines)).body[0]
    *stmts, last = body.body
    facts = Facts(params, body)
    values = [ast.unparse(value) for value in last.value.elts]
    sources = [facts.origin(value) for value in values]
    made = {name: output for name in dict.fromkeys(sources) if (output := facts.output(name)) is not None}
    titles = dict(zip(reversed(sources), reversed(values)))  # what a result is called where it is returned
    lines, outs = lines[:-1], {name: fresh(f"{titles[name].strip('_')}_out") for name in made}
    for stmt in reversed(stmts):
        if facts.is_allocation(stmt) and (name := stmt.targets[0].id) in made:
            lines[stmt.lineno - 2:stmt.end_lineno - 1] = filled(stmt, outs[name])
    kept = [value for value, source in zip(values, sources) if source not in made]
    lines.append(f"    return ({', '.join(kept)}{',' if len(kept) == 1 else ''})")
    number, places = list(made), iter(range(len(kept)))
    results = tuple(("out", number.index(s)) if s in made else ("returned", next(places)) for s in sources)
    return Taken(lines, [*params, *outs.values()], tuple(made.values()), results)


def filled(stmt: ast.Assign, out: str) -> list[str]:
    """The lines in the place of an allocation."""
    name = stmt.targets[0].id
    match ast.unparse(stmt.value.func):
        case "rm.zeros":
            return [f"    {name} = rm.fresh({out})", f"    rm.clear({name})"]
        case "rm.copy":
            return [f"    {name} = rm.copy_to({ast.unparse(stmt.value.args[0])}, {out})"]
    return [f"    {name} = rm.fresh({out})"]


class Facts:
    """What the top level of a function says of its names."""

    def __init__(self, params: dict[str, Type], body: ast.FunctionDef):
        self.params = params
        stored = [n.id for n in ast.walk(body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        once = {n for n in stored if stored.count(n) == 1}
        self.bound = {s.targets[0].id: s for s in body.body if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
                      and s.targets[0].id in once}

    def origin(self, name: str) -> str:
        """The name that this one was first, where it is only another name for it."""
        while name in self.bound and isinstance(self.bound[name].value, ast.Name):
            name = self.bound[name].value.id
        return name

    @staticmethod
    def is_allocation(stmt: ast.stmt) -> bool:
        return isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Call) and ast.unparse(stmt.value.func) in ALLOCATE

    def output(self, name: str) -> Output | None:
        """The array that the name stands for, where the caller can allocate it."""
        stmt = self.bound.get(name)
        if stmt is None or not self.is_allocation(stmt):
            return None
        if ast.unparse(stmt.value.func) == "rm.copy":
            return self.copy_of(self.origin(stmt.value.args[0].id))
        shape, dtype = stmt.value.args
        lengths = [self.length(n) for n in shape.elts]
        return None if None in lengths else Output(tuple(lengths), np.dtype(dtype.attr))

    def copy_of(self, name: str) -> Output | None:
        """A copy of an argument; one of several axes keeps its order, which is not known here."""
        t = self.params.get(name)
        return Output(((list(self.params).index(name), 0),), t.dtype) if t is not None and t.rank == 1 else None

    def length(self, node: ast.expr) -> int | tuple[int, int] | None:
        match node:
            case ast.Constant(value=int(n)) if n >= 0:
                return n
            case ast.Name(id=name) if name in self.bound:
                return self.length(self.bound[name].value)
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=array), attr="shape"), slice=ast.Constant(value=axis)) if array in self.params:
                return (list(self.params).index(array), axis)
        return None
