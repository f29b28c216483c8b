"""Is a rule for tangents linear in them?

What depends on the tangents is followed through computations and control flow.  Results may depend on them in ways that
have a derivative, which must not depend on them itself; not through tests, bounds of loops, indices, comparisons or
roundings.  (A constant that is added is not found.)
"""
from __future__ import annotations

from typing import Iterable

from ..core import Block, For, Fun, If, Let, While
from .activity import passes


def is_linear(rule: Fun, joint: Fun, tangents: Iterable[str]) -> bool:
    """Are the results of `rule` linear in these parameters?  `joint` is its vjp with respect to them."""
    _, hidden = dependent_names(rule, tangents)
    found, _ = dependent_names(joint, tangents)
    return hidden.isdisjoint(rule.body.results) and found.isdisjoint(joint.body.results[len(rule.body.results):])


def dependent_names(fun: Fun, params: Iterable[str]) -> tuple[set[str], set[str]]:
    """The names whose values depend on those of `params` (on more than their shapes),
    and those that do in a way without derivative."""
    found, hidden, before = set(params), set(), (-1, -1)
    while (len(found), len(hidden)) != before:  # what a loop hands on reaches its own header
        before = len(found), len(hidden)
        _sweep(fun.body, found, hidden)
    return found, hidden


def _sweep(block: Block, found: set[str], hidden: set[str]) -> None:
    for stmt in block.stmts:
        match stmt:
            case Let(op=op, args=args):
                if op.name == "rt.size" or found.isdisjoint(args):
                    continue
                found.update(stmt.names)
                if not hidden.isdisjoint(args) or not all(passes(op, k) for k, a in enumerate(args) if a in found):
                    hidden.update(stmt.names)
            case If(test=test, names=names):
                for side in (stmt.then, stmt.orelse):
                    _sweep(side, found, hidden)
                    for facts in (found, hidden):
                        facts.update(n for n, r in zip(names, side.results) if r in facts or test in found)
            case For() | While():
                _sweep(stmt.body, found, hidden)
                decided = not found.isdisjoint({stmt.start, stmt.stop, stmt.step}
                                               if isinstance(stmt, For) else {stmt.test})
                for facts in (found, hidden):
                    facts.update(c for c, i, r in zip(stmt.carried, stmt.inits, stmt.body.results)
                                 if decided or i in facts or r in facts)


__all__ = ["is_linear"]
