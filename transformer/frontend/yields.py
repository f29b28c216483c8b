"""Generator functions as the specialiser runs them: `yield` is a statement of its own.

    yield from pairs(x)             for _gs_item_1 in pairs(x):
                                        yield _gs_item_1

Of a loop that may be left early the generator ends where it stands:

    yield v                         yield v
                                    if _gs_left: return
"""
from __future__ import annotations

from itertools import takewhile
from typing import Callable
from weakref import WeakKeyDictionary

import gast

from ..errors.messages import Problems, UnsupportedError
from .trees import SCOPES, Stmts, children, inner_blocks, map_blocks, quote

LEFT = "_gs_left"  # of a generator: has the loop over it been left?
USED = ("a yield whose value is used", "Write `yield value` as a statement of its own, and pass what it needs before.")
WITHIN = "a yield inside a try or with block", "Yield after the block, which Python leaves when the loop is left."
WITH_EXITS = (gast.Try, gast.TryStar, gast.With, gast.AsyncWith)


def is_generator(tree) -> bool:
    """Has a function a `yield` of its own?"""
    if tree not in _generators:
        _generators[tree] = bool(_yields(tree.body))
    return _generators[tree]


_generators: WeakKeyDictionary = WeakKeyDictionary()  # function's tree -> is it one?  It is asked at each call


def _yields(todo) -> list:
    found, todo = [], list(todo)
    for n in todo:
        if isinstance(n, (gast.Yield, gast.YieldFrom)):
            found.append(n)
        todo += [] if isinstance(n, (*SCOPES, gast.Lambda)) else children(n)
    return found


def makes_contexts(lines: list[str]) -> bool:
    """Is a function of these lines under `contextlib.contextmanager`, by that name?"""
    above = takewhile(lambda line: not line.lstrip().startswith("def "), lines)
    return any("contextmanager" in line for line in above)


def check_yields(tree: gast.FunctionDef, origin_of: Callable, within: bool) -> None:
    """Raises one UnsupportedError with all that cannot be expressed, placed by `origin_of`; `within`: a yield may stand
    in a try or with block, as in a generator under `contextlib.contextmanager`."""
    problems, blocks = Problems(), _blocks(tree.body)
    blocked = {id(n) for s in blocks if isinstance(s, WITH_EXITS) and not within for n in _yields([s])}
    alone = {id(s.value) for s in blocks if isinstance(s, gast.Expr)}
    for n in _yields(tree.body):
        if id(n) in blocked or id(n) not in alone:
            problems.add(UnsupportedError(origin_of(n), *(WITHIN if id(n) in blocked else USED)))
    problems.check()


def _blocks(stmts: Stmts) -> Stmts:
    return stmts + [s for stmt in stmts for holder, name in inner_blocks(stmt) for s in _blocks(getattr(holder, name))]


def yielding(tree: gast.FunctionDef, leaves: bool) -> gast.FunctionDef:
    """The tree itself, changed; `leaves`: the loop over it may be left early."""
    tree.body = _Yields(leaves).block(tree.body)
    return tree


class _Yields:
    def __init__(self, leaves: bool):
        self.leaves, self.loops = leaves, 0

    def block(self, stmts: Stmts) -> Stmts:
        return [new for stmt in stmts for new in self.stmt(stmt)]

    def stmt(self, stmt) -> Stmts:
        match stmt:
            case gast.Expr(value=gast.Yield()):
                return [stmt, *(quote("if left: return", stmt, left=LEFT) if self.leaves else [])]
            case gast.Expr(value=gast.YieldFrom(value=inner)):
                self.loops += 1
                return self.block(quote("for item in inner:\n    yield item", stmt, item=f"_gs_item_{self.loops}",
                                        inner=inner))
        return [map_blocks(stmt, self.block)]
