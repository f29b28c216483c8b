"""Liveness on the tree, where names are bound again and loops may be left: what may share a variable."""
from __future__ import annotations

from collections import Counter
from typing import Callable, Sequence

from ..core import Const
from .code_tree import (Assign, Break, Call, CodeTree, Effect, Expr, For, If, Return, Stmt, Store, While,
                        all_expressions, expressions, names_bound_by, names_of, names_of_all)


def statement_has_effect(stmt: Stmt) -> bool:
    return any([e.effect for e in all_expressions(stmt) if type(e) is Call])


class LivenessFlow:
    """`visit(block, live after it)` gives the names live before it; `note(stmt, names bound, live after)` hears of each
    binding.

    `note` may say which values of an assignment count as read, if not all of them do.  It must not keep the set, which
    changes from one statement to the next.
    """

    def __init__(self, note: Callable[[Stmt | None, tuple[str, ...], set[str]], Sequence[Expr] | None]):
        self.note = note
        self.headers: dict[int, set[str]] = {}  # what is live at the header of a loop: visits only find more

    def function(self, tree: CodeTree) -> set[str]:
        live = self.visit(tree.body, set(), set())
        self.note(None, tree.params, live | set(tree.params))
        return live

    def visit(self, block: list[Stmt], live: set[str], left: set[str]) -> set[str]:
        """`left`: live where a break leads."""
        live = set(live)  # from here on ours
        for stmt in reversed(block):
            if type(stmt) is Assign:
                read = self.note(stmt, stmt.targets, live)
                live.difference_update(stmt.targets)
                for value in stmt.values if read is None else read:
                    live.update(names_of(value))
            else:
                live = self.before(stmt, live, left)
        return live

    def before(self, stmt: Stmt, live: set[str], left: set[str]) -> set[str]:
        """The same of one statement that is no assignment."""
        match stmt:
            case Store() | Effect():
                return live.union(names_of_all(expressions(stmt)))
            case If():
                return self.visit(stmt.then, live, left).union(self.visit(stmt.orelse, live, left),
                                                               names_of_all([stmt.test]))
            case Break():
                return set(left)
            case Return():
                return set(names_of_all(stmt.values))
            case While():
                behind = set() if stmt.test == Const(True) else live
                return self.loop(stmt, behind.union(names_of_all([stmt.test])), live, ())
            case For():
                return self.loop(stmt, live, live, (stmt.index,)).union(names_of_all(stmt.bounds))
        raise TypeError(stmt)

    def loop(self, stmt: For | While, header: set[str], live: set[str], own: tuple[str, ...]) -> set[str]:
        header = header | self.headers.get(id(stmt), set())
        while True:
            self.headers[id(stmt)] = before = header
            inside = self.visit(stmt.body, header, live)
            if own:
                self.note(stmt, own, inside | header)
            header = header | (inside - set(own))
            if header == before:
                return header


def use_counts(stmts: list[Stmt]) -> Counter:
    """How often each name is read in the text of these statements."""
    return Counter(names_of_all([e for stmt in stmts for e in all_expressions(stmt)]))


def bind_counts(tree: CodeTree, stmts: list[Stmt]) -> Counter:
    """How often each name is bound in these statements of a tree, parameters included."""
    return Counter([*tree.params, *[n for stmt in stmts for n in names_bound_by(stmt)]])
