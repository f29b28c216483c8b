"""Where a slope may be infinite, and how far from there a choice has to be remembered.

    h = np.sqrt(x)                      the slope of h may be infinite
    t = h * 2.0                         so the cotangent of t, and of h,
    y = np.where(x > 0, t, 0.0)         has to say which elements were chosen, until it has passed the square root

    steepness:  {"h": STEEP, "t": STEEP}        and x, y are FLAT
"""
from __future__ import annotations

from typing import Callable

from ..core import MOVED, PASSED, Block, For, Fun, If, Let, While, blocks_of, bound, names_among, operands, walk
from ..rules import OPS
from ..rules.indexing import Getitem, Update
from ..rules.kinds import FLAT, LARGE, POLE, STEEP, Elementwise, Linear, Reduction
from ..rules.shape import Join


def takes_extremes(op) -> bool:
    return isinstance(op, Reduction) and op.joins in "<>"


def joins_elements(op) -> bool:
    """Is it a sum, or does it take an extreme?"""
    return isinstance(op, Reduction) and op.joins in "+<>"


def by_elements(op) -> bool:
    """Is the cotangent of an element that of elements of the result, as it is or times a slope?"""
    return isinstance(op, Elementwise) or moves(op) or joins_elements(op)


def moves(op) -> bool:
    """Is each element of the result an element of an argument, as it was?"""
    return isinstance(op, Join) or isinstance(op, Linear) and (op.elements in (PASSED, MOVED) or op.converts)


def steepness(fun: Fun, active, signs) -> dict[str, int]:
    """For each name the curvature of the steepest operation that its cotangent comes to, element by element."""
    found: dict[str, int] = {}
    _backwards(fun.body, fun.types, active, signs, found)
    return found


def _backwards(block: Block, types, active, signs, found: dict[str, int]) -> None:
    for stmt in block.stmts:
        match stmt:
            case Let(names=(name,), op=Getitem() | Update(), args=args):
                found[name] = found.get(args[0], FLAT)
            case Let(names=(name,), op=op, args=args) if by_elements(op):
                found[name] = max([signs.curvature(stmt, types), *[found.get(a, FLAT) for a in args if a in active]])
            case For() | While():
                _backwards(stmt.body, types, active, signs, found)
            case If():
                for side in (stmt.then, stmt.orelse):
                    _backwards(side, types, active, signs, found)
                for k, name in enumerate(stmt.names):
                    found[name] = max(found.get(side.results[k], FLAT) for side in (stmt.then, stmt.orelse))


def readers(fun: Fun, active) -> dict[str, list[Let | None]]:
    """Who reads each name and has a derivative himself: statements, or None for what control flow hands on."""
    found: dict[str, list[Let | None]] = {}
    stmts = walk(fun.body)
    for stmt in stmts:
        reader = stmt if isinstance(stmt, Let) else None
        if reader is None or any([n in active for n in stmt.names]):
            for name in names_among(operands(stmt)):
                found.setdefault(name, []).append(reader)
    for block in [fun.body, *[block for stmt in stmts for block in blocks_of(stmt)]]:
        for name in names_among(block.results):
            found.setdefault(name, []).append(None)
    return found


def read_in_parts(lets: dict[str, Let], readers: dict[str, list[Let | None]], steepness: dict[str, int],
                  types, chooses: Callable[[Let], bool]) -> set[str]:
    """The names of which, and of what is computed of them element by element, nothing is read but elements, or parts
    where the slope has a pole, so that there may be several; beside choices."""
    found: set[str] = set()
    for name in dict.fromkeys([*reversed(lets), *readers]):
        reads = [let for let in readers.get(name, ())
                 if let is None or not (chooses(let) or let.names[0] in found and keeps_elements(let, name, types))]
        parts = [let for let in reads if let and let.args[0] == name and isinstance(let.op, Getitem)]
        if len(parts) == len(reads) and (steepness.get(name, FLAT) == POLE or all(map(takes_one, parts))
                                         or len(readers[name]) == 1):
            found.add(name)
    return found


def keeps_elements(let: Let, name: str, types) -> bool:
    """Is each element of the result one of the array of this name, or computed of it alone?"""
    return moves(let.op) or isinstance(let.op, Elementwise) and types[let.name].dims == types[name].dims


def takes_one(part: Let) -> bool:
    """Is it one element that is read?"""
    return set(part.param("index")) == {"i"}


def steep_ahead(fun: Fun, active, signs) -> dict[str, int]:
    """The names whose tangents come, element by element, to a slope that may be infinite."""
    ahead: set[str] = set()
    before = -1
    while before != len(ahead):  # what a loop hands on comes to its header
        before = len(ahead)
        _ahead(fun.body, fun.types, active, signs, ahead)
    return dict.fromkeys(ahead, STEEP)


def _ahead(block: Block, types, active, signs, ahead: set[str]) -> None:
    for stmt in reversed(block.stmts):
        match stmt:
            case Let(names=(name,), op=op, args=args):
                goes_on = name in ahead and (isinstance(op, Elementwise) or moves(op) or op is OPS["getitem"])
                if goes_on or signs.curvature(stmt, types) >= LARGE:
                    ahead.update(a for a in args if a in active)
            case For() | While() | If():
                for inner in blocks_of(stmt):
                    ahead.update(a for a, n in zip(inner.results, bound(stmt)) if n in ahead and isinstance(a, str))
                    _ahead(inner, types, active, signs, ahead)
