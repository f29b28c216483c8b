"""Liveness on the tree, where names are bound again and loops may be left: what may share a variable."""
from __future__ import annotations

from collections import Counter
from typing import Callable

from ..core import Const
from .tree import Assign, Break, Call, Effect, For, If, Return, Stmt, Store, Tree, While, all_expressions, bound_by, expressions, names_of, walk


def reads(exprs) -> set[str]:
    return {n for e in exprs for n in names_of(e)}


def has_effect(stmt: Stmt) -> bool:
    return any([e.effect for e in all_expressions(stmt) if isinstance(e, Call)])


class Flow:
    """`visit(block, live after it)` gives the names live before it; `note(stmt, names bound, live after)` hears of each binding.

    needed: where it is given, what only feeds names that nobody reads is not live either, but for statements that are needed.
    """

    def __init__(self, note: Callable[[Stmt | None, tuple[str, ...], set[str]], None], needed: Callable[[Stmt], bool] | None = None):
        self.note, self.needed = note, needed
        self.heads: dict[int, set[str]] = {}  # what is known to be live at the head of a loop: visits only find more

    def function(self, tree: Tree) -> set[str]:
        live = self.visit(tree.body, set(), set())
        self.note(None, tree.params, live | set(tree.params))
        return live

    def visit(self, block: list[Stmt], live: set[str], left: set[str]) -> set[str]:
        """`left`: live where a break leads."""
        live = set(live)
        for stmt in reversed(block):
            live = self.before(stmt, live, left)
        return live

    def before(self, stmt: Stmt, live: set[str], left: set[str]) -> set[str]:
        match stmt:
            case Assign():
                self.note(stmt, stmt.targets, live)
                return (live - set(stmt.targets)) | reads(self.values(stmt, live))
            case Store() | Effect():
                return live | reads(expressions(stmt))
            case If():
                return self.visit(stmt.then, live, left) | self.visit(stmt.orelse, live, left) | reads([stmt.test])
            case Break():
                return set(left)
            case Return():
                return reads(stmt.values)
            case While():
                behind = set() if stmt.test == Const(True) else live
                return self.loop(stmt, behind | reads([stmt.test]), live, ())
            case For():
                return self.loop(stmt, live, live, (stmt.index,)) | reads(stmt.bounds)
        raise TypeError(stmt)

    def values(self, stmt: Assign, live: set[str]):
        """The values of an assignment that count as read."""
        if self.needed is None or live.issuperset(stmt.targets) or self.needed(stmt):
            return stmt.values
        if len(stmt.values) == len(stmt.targets):
            return [v for n, v in zip(stmt.targets, stmt.values) if n in live]
        return stmt.values if live & set(stmt.targets) else ()

    def loop(self, stmt: For | While, head: set[str], live: set[str], own: tuple[str, ...]) -> set[str]:
        head = head | self.heads.get(id(stmt), set())
        while True:
            self.heads[id(stmt)] = before = head
            inside = self.visit(stmt.body, head, live)
            if own:
                self.note(stmt, own, inside | head)
            head = head | (inside - set(own))
            if head == before:
                return head


def use_counts(tree: Tree) -> Counter:
    """How often each name is read in the text."""
    return Counter(n for stmt in walk(tree.body) for e in all_expressions(stmt) for n in names_of(e))


def bind_counts(tree: Tree) -> Counter:
    """How often each name is bound in the text, parameters included."""
    return Counter([*tree.params, *(n for stmt in walk(tree.body) for n in bound_by(stmt))])
