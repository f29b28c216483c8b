"""Sums that a loop adds up term by term and looks at only when it has ended.

    for k in range(n):
        s = s - x[k] * y[k] + z[k]         # both operations: running_sums(loop) names their results

Nothing sees the order of the terms, so that they may be added in any, as in `np.sum`: several at a time.
"""
from __future__ import annotations

from collections import Counter

from ..core import For, Let, blocks_of, bound, names_among, operands, walk
from ..core.types import Type

SIDES = {"+": (0, 1), "-": (0,)}  # the operands of a sum or a difference that may be the sum so far


def running_sums(loop: For, types: dict[str, Type]) -> set[str]:
    """The names of the additions and subtractions that a loop's float sums consist of."""
    uses = Counter(name for stmt in walk(loop.body) for name in names_among(names_used(stmt)))
    uses.update(names_among(loop.body.results))
    steps = {s.name: s for s in loop.body.stmts if isinstance(s, Let) and s.op.symbol in SIDES and len(s.args) == 2
             and types[s.name].is_float
             and types[s.name].kind != "array" and uses[s.name] == 1}
    rebound = Counter(n for stmt in walk(loop.body) for n in bound(stmt))
    found: set[str] = set()
    for carried, result in zip(loop.carried, loop.body.results):
        if uses[carried] == 1 and not rebound[carried]:
            found |= steps_of_sum(result, carried, steps)
    return found


def steps_of_sum(result, carried: str, steps: dict[str, Let]) -> set[str]:
    """The steps from the carried name to the result; none where there is no such way."""
    if result not in steps:
        return set()
    step = steps[result]
    for side in SIDES[step.op.symbol]:
        if step.args[side] == carried:
            return {result}
        if rest := steps_of_sum(step.args[side], carried, steps):
            return {result} | rest
    return set()


def names_used(stmt) -> tuple:
    """What a statement reads itself, and what its blocks hand on."""
    return (*operands(stmt), *(atom for block in blocks_of(stmt) for atom in block.results))
