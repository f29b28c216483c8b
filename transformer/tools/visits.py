"""Core run statement by statement, so that something can be done at each with the values there.

A loop is visited in a few of its rounds, the first two, one in the middle and the last, and where what it carries
becomes NaN or infinite; the others run as they are.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable

import numpy as np

from ..analyse.activity import varied_names
from ..core import (POLYNOMIAL, Block, Builder, Const, For, Fun, If, Let, While, bound, free_names, lengths_in_params,
                    runnable, walk)
from ..core.types import PY_INT
from ..optimise.inplace import inplace
from ..rules.kept_calls import CheckpointCall
from ..transform.opening import without_calls
from .nans import is_bad


def ready_to_run(fun: Fun) -> Callable:
    """A core function as one of Python, with bodies in place of calls."""
    return runnable(without_calls(fun, library=True))


def ready_with_stores(fun: Fun) -> Callable:
    """The same with stores in place, for what has loops."""
    return runnable(inplace(without_calls(fun, library=True)))


def integer_sums(fun: Fun) -> dict[str, Let]:
    """The statements of integers that lengths are polynomials of."""
    return {s.names[0]: s for s in walk(fun.body)
            if isinstance(s, Let) and s.op.symbol in POLYNOMIAL and fun.types[s.names[0]] == PY_INT}


def single_statement(let: Let, types: dict, sums: dict[str, Let]) -> Fun:
    """A statement as a function of what it reads, the integers of its lengths included: rules see of them what they
    see in the whole function."""
    params: dict[str, None] = {}
    before: dict[str, Let] = {}

    def need(name: str) -> None:
        if name in sums and name not in before and sums[name] is not let:
            for a in sums[name].args:
                if isinstance(a, str):
                    need(a)
            before[name] = sums[name]
        elif name not in before:
            params[name] = None
    read = [a for a in let.args if isinstance(a, str)]
    for name in [*read, *sorted(lengths_in_params(Block((let,)))),
                 *sorted({n for a in [*read, *let.names] for n in types[a].names} - {*let.names})]:
        need(name)
    known = {n: types[n] for n in [*params, *let.names, *[n for s in before.values() for n in s.names]]}
    return Fun("statement", tuple(params), Block((*before.values(), let), let.names), known, origin=let.origin)


class Visits:
    """Runs a core function, and calls visit(let, scope, values) before each statement that is visited; `scope` is the
    function in which it stands."""

    def __init__(self, visit: Callable[[Let, "Visited", dict], None]):
        self.visit = visit
        self.scopes: dict[int, Visited] = {}
        self.ready: dict[int, tuple] = {}  # what runs, by the statement that it was made of

    def function(self, fun: Fun, args, varied: frozenset[str]) -> list:
        """The results for these arguments; `varied`: the parameters that derivatives are taken with respect to."""
        key = (id(fun), varied)
        if key not in self.scopes:
            self.scopes[key] = Visited(fun, varied)
        scope, values = self.scopes[key], dict(zip(fun.params, args))
        for name in fun.params:  # lengths that types name, and nobody binds
            for dim, n in zip(fun.types[name].dims, np.shape(values[name])):
                if len(dim.names) == 1 and dim == (only := min(dim.names)):
                    values.setdefault(only, n)
        return self.block(fun.body, scope, values)

    def block(self, block: Block, scope: "Visited", values: dict) -> list:
        for stmt in block.stmts:
            match stmt:
                case Let():
                    self.let(stmt, scope, values)
                case For():
                    self.loop(stmt, scope, values)
                case While():
                    self.while_loop(stmt, scope, values)
                case If():
                    side = stmt.then if valued(stmt.test, values) else stmt.orelse
                    values.update(zip(stmt.names, self.block(side, scope, values)))
        return [valued(a, values) for a in block.results]

    def let(self, let: Let, scope: "Visited", values: dict) -> None:
        if type(let.op) is CheckpointCall:  # its statements are the user's as well
            inner, args = let.op.fun, [valued(a, values) for a in let.args]
            varied = frozenset([p for p, a in zip(inner.params, let.args) if a in scope.varied])
            values.update(zip(let.names, self.function(inner, args, varied)))
            return
        self.visit(let, scope, values)
        run, params = self.made(let, lambda: single_statement(let, scope.fun.types, scope.sums))
        values.update(zip(let.names, run(*[values[p] for p in params])))

    def made(self, stmt, make: Callable[[], Fun], ready=ready_to_run) -> tuple:
        """(what runs in place of a statement, its parameters)"""
        if id(stmt) not in self.ready:
            fun = make()
            self.ready[id(stmt)] = ready(fun), fun.params, stmt  # the statement lives as long as its number is known
        return self.ready[id(stmt)][:2]

    def loop(self, stmt: For, scope: "Visited", values: dict) -> None:
        rounds = range(*[int(valued(a, values)) for a in (stmt.start, stmt.stop, stmt.step)])
        values.update(zip(stmt.carried, [valued(a, values) for a in stmt.inits]))
        visited = sorted({0, 1, len(rounds) // 2, len(rounds) - 1} & {*range(len(rounds))})
        for k, then in zip(visited, [*visited[1:], len(rounds)]):
            values[stmt.index] = rounds[k]
            values.update(zip(stmt.carried, self.block(stmt.body, scope, values)))
            if rest := rounds[k + 1:then]:
                self.other_rounds(stmt, scope, values, rest)

    def other_rounds(self, stmt: For, scope: "Visited", values: dict, rest: range) -> None:
        run, params = self.made(stmt, lambda: several_rounds(stmt, scope.fun), ready_with_stores)
        carried = [values[c] for c in stmt.carried]
        read = [values[p] for p in params[3 + len(carried):]]
        after = run(rest.start, rest.stop, rest.step, *carried, *read)
        if turn_bad(carried, after):
            while len(rest) > 1:  # which round is it?
                half, end = rest[:len(rest) // 2], rest[len(rest) // 2:]
                middle = run(half.start, half.stop, half.step, *carried, *read)
                rest, carried = (half, carried) if turn_bad(carried, middle) else (end, middle)
            values.update(zip((stmt.index, *stmt.carried), (rest[0], *carried)))
            self.block(stmt.body, scope, values)
        values.update(zip(stmt.carried, after))

    def while_loop(self, stmt: While, scope: "Visited", values: dict) -> None:
        values.update(zip(stmt.carried, [valued(a, values) for a in stmt.inits]))
        count = 0
        while values[stmt.test]:
            if count in (0, 1) or count == 10 ** (len(str(count)) - 1):  # who knows which is the last?
                values.update(zip(stmt.carried, self.block(stmt.body, scope, values)))
            else:
                run, params = self.made(stmt, lambda: one_round(stmt, scope.fun))
                after = run(*[values[p] for p in params])
                if turn_bad([values[c] for c in stmt.carried], after):
                    self.block(stmt.body, scope, values)
                values.update(zip(stmt.carried, after))
            count += 1


class Visited:
    """A core function whose statements are visited."""

    def __init__(self, fun: Fun, params: frozenset[str]):
        self.fun, self.sums = fun, integer_sums(fun)
        self.varied = {n for n in varied_names(fun, params) if fun.types[n].is_float}


def turn_bad(before, after) -> bool:
    """Does a value become NaN or infinite that was neither?"""
    return any([is_bad(new, infs=True) and not is_bad(old, infs=True) for old, new in zip(before, after)])


def valued(atom, values: dict) -> Any:
    return atom.value if isinstance(atom, Const) else values[atom]


def read_by_rounds(stmt: For | While) -> list[str]:
    """The names that the rounds of a loop read from outside."""
    own = {stmt.index, *stmt.carried} if isinstance(stmt, For) else {*stmt.carried}
    inside = own | {n for s in walk(stmt.body) for n in bound(s)} | {s.index for s in walk(stmt.body) if type(s) is For}
    return sorted((set(free_names(stmt.body)) - own) | (lengths_in_params(stmt.body) - inside))


def several_rounds(stmt: For, fun: Fun) -> Fun:
    """(first, stop, step, what is carried, what is read) -> what is carried after these rounds"""
    b = Builder(like=fun)
    limits = [b.fresh(n, PY_INT) for n in ("first", "stop", "step")]
    inits = tuple([b.fresh(c, fun.types[c]) for c in stmt.carried])
    loop = replace(stmt, start=limits[0], stop=limits[1], step=limits[2], inits=inits)
    return Fun("rounds", (*limits, *inits, *read_by_rounds(stmt)), Block((loop,), stmt.carried), b.types)


def one_round(stmt: While, fun: Fun) -> Fun:
    return Fun("one_round", (*stmt.carried, *read_by_rounds(stmt)), stmt.body, fun.types)
