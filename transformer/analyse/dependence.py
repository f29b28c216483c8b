"""Is a rule for tangents linear in them?

What depends on the tangents is followed through computations and control flow.  Results may depend on them in ways that
have a derivative, which must not depend on them itself; not through tests, bounds of loops, indices, comparisons or
roundings.  (A constant that is added is not found.)
"""
from __future__ import annotations

from typing import Iterable

from ..core import Block, For, Fun, If, Let, While, blocks_of
from .activity import flows, may_pass


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
            case Let(op=op, args=args) if op.name != "rt.size" and not found.isdisjoint(args):
                found.update(stmt.names)
                if not hidden.isdisjoint(args) or not all(may_pass(op, k) for k, a in enumerate(args) if a in found):
                    hidden.update(stmt.names)
            case If() | For() | While():
                for inner in blocks_of(stmt):
                    _sweep(inner, found, hidden)
                decided = not found.isdisjoint({stmt.start, stmt.stop, stmt.step}
                                               if isinstance(stmt, For) else {stmt.test})
                for facts in (found, hidden):
                    facts.update(to for a, to in flows(stmt) if decided or a in facts)


__all__ = ["is_linear"]
