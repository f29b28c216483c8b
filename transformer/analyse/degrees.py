"""Of which degree names are in what is differentiated: which slopes of norms are those of vectors that move in lines.

    d = a - b                 {"d": 1, "s": 2, "r": 1}: r is the length of a vector that moves as a and b do, so that it
    s = np.sum(d * d)         stays 0 where nothing moves it
    r = np.sqrt(s)

    y = 1 - np.cos(a)         "y" has no degree: its slope is 0 where it is, and it moves all the same, which the second
    s = np.sum(y * y)         derivative of np.sqrt(s) would have to know
"""
from __future__ import annotations

import math

from ..core import Block, For, Fun, If, Let, While
from ..rules import OPS
from ..rules.control import Pop, Push
from ..rules.indexing import Getitem, Update
from ..rules.kinds import Bilinear
from ..rules.norms import Slope, Times
from ..rules.operators import Selection
from .norms import is_root, is_straight, is_whole_power
from .steepness import joins_elements

ROUNDS = 3  # of a loop, in which a degree that does not grow has become what it is


def degrees(fun: Fun, active) -> dict[str, float]:
    """{name: its degree}, infinite where it is no polynomial of what has a derivative."""
    found: dict[str, float] = {}
    _forwards(fun.body, fun.types, active, found)
    return found


def _forwards(block: Block, types, active, found: dict[str, float]) -> None:
    def degree(atom) -> float:
        return found.get(atom, 1) if isinstance(atom, str) and atom in active else 0

    for stmt in block.stmts:
        match stmt:
            case Let():
                found.update(dict.fromkeys(stmt.names, of_statement(stmt, types, [degree(a) for a in stmt.args])))
            case If():
                for side in (stmt.then, stmt.orelse):
                    _forwards(side, types, active, found)
                for name, *sides in zip(stmt.names, stmt.then.results, stmt.orelse.results):
                    found[name] = max(map(degree, sides))
            case For() | While():
                # what it grew to in an earlier round of a loop around it, it need not grow to again
                for header, init in zip(stmt.carried, stmt.inits):
                    found[header] = max(degree(init), found.get(header, 0))
                for k in range(ROUNDS + 1):
                    _forwards(stmt.body, types, active, found)
                    grown = [(header, degree(after)) for header, after in zip(stmt.carried, stmt.body.results)
                             if degree(after) > found[header]]
                    found.update((header, after if k < ROUNDS else math.inf) for header, after in grown)
                    if not grown:
                        break


def of_statement(let: Let, types, given: list[float]) -> float:
    op = let.op
    if not any(given):
        return 0
    if op is OPS["multiply"] or isinstance(op, Bilinear):
        return sum(given)
    if op is OPS["np.square"]:
        return given[0] * 2
    if is_whole_power(let):
        return given[0] * int(let.args[1].value)
    if op is OPS["divide"]:
        return math.inf if given[1] else given[0]
    if is_root(let, types) and not isinstance(op, Slope):
        return 1 if given[0] == 2 else math.inf
    straight = (isinstance(op, (Selection, Getitem, Update, Push, Pop)) or op is OPS["abs"] or joins_elements(op)
                or is_straight(let, types))
    return max(given) if straight else math.inf


def curved(let: Let, found: dict[str, float]) -> bool:
    """Is it the slope of a norm of what does not move in lines?"""
    return found.get(let.args[0 if isinstance(let.op, Times) else 1], 0) > 1
