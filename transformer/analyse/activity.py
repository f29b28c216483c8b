"""Which names carry a derivative: those that depend on an active parameter and influence a chosen result.

    def f(x, y):                 with x active and the first result chosen:
        u = np.sin(x)            u is active
        v = np.cos(y)            v is not: it does not depend on x
        w = u * 2.0              w is not: nothing chosen depends on it
        return u * v, w
"""
from __future__ import annotations

from typing import Iterable

from ..core import Block, For, Fun, If, Let, Op, While, all_bound, names_in
from ..rules.kept_calls import Bridge, Inserted
from ..rules.kinds import Elementwise, Inactive, Reduction


def passes(op: Op, k: int) -> bool:
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
    varied, useful = varied_names(fun, params, passes), set(names_in(results))
    _grow(useful, lambda: _backward(fun.body, useful))
    return {n for n in {*fun.params, *all_bound(fun.body)} if n in varied and n in useful and fun.types[n].is_float}


def passes_forward(op: Op, k: int) -> bool:
    """May the results have a tangent because argument k has one?"""
    return isinstance(op, (Bridge, Inserted)) or passes(op, k)


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


def _flows(stmt, block_results) -> Iterable[tuple]:
    """(from, to) pairs of atoms by which control flow hands values on."""
    match stmt:
        case For() | While():
            yield from zip(stmt.inits, stmt.carried)
            yield from zip(block_results, stmt.carried)
        case If():
            yield from zip(stmt.then.results, stmt.names)
            yield from zip(stmt.orelse.results, stmt.names)


def _forward(block: Block, varied: set[str], passes, types) -> None:
    for stmt in block.stmts:
        match stmt:
            case Let():
                if any(a in varied and passes(stmt.op, k) for k, a in enumerate(stmt.args) if isinstance(a, str)):
                    varied.update([n for n in stmt.names if types[n].is_float])
            case For() | While():
                varied.update(c for a, c in zip(stmt.inits, stmt.carried) if a in varied)
                _forward(stmt.body, varied, passes, types)
                varied.update(c for a, c in zip(stmt.body.results, stmt.carried) if a in varied)
            case If():
                _forward(stmt.then, varied, passes, types)
                _forward(stmt.orelse, varied, passes, types)
                varied.update(to for a, to in _flows(stmt, ()) if a in varied)


def _backward(block: Block, useful: set[str]) -> None:
    for stmt in reversed(block.stmts):
        match stmt:
            case Let():
                if any(n in useful for n in stmt.names):
                    useful.update(a for k, a in enumerate(stmt.args) if isinstance(a, str) and passes(stmt.op, k))
            case For() | While():
                useful.update(a for a, c in _flows(stmt, stmt.body.results) if c in useful and isinstance(a, str))
                _backward(stmt.body, useful)
                useful.update(a for a, c in _flows(stmt, stmt.body.results) if c in useful and isinstance(a, str))
            case If():
                useful.update(a for a, to in _flows(stmt, ()) if to in useful and isinstance(a, str))
                _backward(stmt.then, useful)
                _backward(stmt.orelse, useful)
