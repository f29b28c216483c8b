"""Which names carry a derivative: those that depend on an active parameter and influence a chosen result.

    def f(x, y):                 with x active and the first result chosen:
        u = np.sin(x)            u is active
        v = np.cos(y)            v is not: it does not depend on x
        w = u * 2.0              w is not: nothing chosen depends on it
        return u * v, w
"""
from __future__ import annotations

from typing import Iterable

from ..core import Block, For, Fun, If, Let, Op, While, all_bound, blocks_of, names_among
from ..rules.kept_calls import Bridge, Inserted
from ..rules.kinds import Elementwise, Inactive, Reduction


def may_pass(op: Op, k: int) -> bool:
    """May a derivative pass from argument k to a result?  (Not through a comparison or floor.)"""
    match op:
        case Inactive():
            return False
        case Elementwise():
            return op.partials[k] is not None
        case Reduction():
            return op.cotangent is not None
        case Bridge(first=first):
            return k >= first
        case Inserted(count=count):
            return k < count
    return True


def active_names(fun: Fun, params: Iterable[str], results: Iterable) -> set[str]:
    """The float names on a differentiable path from one of `params` to one of `results`."""
    varied, useful = varied_names(fun, params, may_pass), set(names_among(results))
    _grow(useful, lambda: _backward(fun.body, useful))
    return {n for n in {*fun.params, *all_bound(fun.body)} if n in varied and n in useful and fun.types[n].is_float}


def passes_forward(op: Op, k: int) -> bool:
    """May the results have a tangent because argument k has one?"""
    return isinstance(op, (Bridge, Inserted)) or may_pass(op, k)


def varied_names(fun: Fun, params: Iterable[str], passes=passes_forward) -> set[str]:
    """The float names that depend on one of `params` through operations that a derivative passes."""
    varied = set(params)
    _grow(varied, lambda: _forward(fun.body, varied, passes, fun.types))
    return varied


def _grow(facts: set[str], sweep) -> None:
    """Sweep until nothing is added: what a loop hands on reaches its own header."""
    before = -1
    while len(facts) != before:
        before = len(facts)
        sweep()


def flows(stmt) -> Iterable[tuple]:
    """(from, to) pairs of atoms by which control flow hands values on."""
    match stmt:
        case For() | While():
            yield from zip(stmt.inits, stmt.carried)
            yield from zip(stmt.body.results, stmt.carried)
        case If():
            yield from zip(stmt.then.results, stmt.names)
            yield from zip(stmt.orelse.results, stmt.names)


def _forward(block: Block, varied: set[str], passes, types) -> None:
    for stmt in block.stmts:
        if isinstance(stmt, Let):
            if any(a in varied and passes(stmt.op, k) for k, a in enumerate(stmt.args) if isinstance(a, str)):
                varied.update([n for n in stmt.names if types[n].is_float])
            continue
        for inner in blocks_of(stmt):
            _hand_on(stmt, varied)
            _forward(inner, varied, passes, types)
        _hand_on(stmt, varied)


def _hand_on(stmt, varied: set[str]) -> None:
    varied.update(to for a, to in flows(stmt) if a in varied)


def _backward(block: Block, useful: set[str]) -> None:
    for stmt in reversed(block.stmts):
        if isinstance(stmt, Let):
            if any(n in useful for n in stmt.names):
                useful.update(a for k, a in enumerate(stmt.args) if isinstance(a, str) and may_pass(stmt.op, k))
            continue
        _hand_back(stmt, useful)
        for inner in blocks_of(stmt):
            _backward(inner, useful)
        _hand_back(stmt, useful)


def _hand_back(stmt, useful: set[str]) -> None:
    useful.update(a for a, to in flows(stmt) if to in useful and isinstance(a, str))
