"""Assignments that nobody reads go, also those that only feed themselves around a loop."""
from __future__ import annotations

from .flow import Flow, has_effect
from .tree import Assign, If, Stmt, Tree, blocks, calls_of, expressions


def sweep(tree: Tree) -> None:
    """Drop assignments that nobody reads, until there are none; what is there to raise stays."""
    def needed(stmt: Stmt) -> bool:
        return has_effect(stmt) or any([c.name in tree.risky for e in expressions(stmt) for c in calls_of(e)])

    while True:
        unread: dict[int, set[str]] = {}

        def note(stmt, names, live):  # of loops the last word counts: what is live only grows
            if isinstance(stmt, Assign):
                unread[id(stmt)] = set() if live.issuperset(names) or needed(stmt) else set(names) - live

        Flow(note, needed).function(tree)
        if not _drop(tree.body, unread, needed):
            return


def _drop(block: list[Stmt], unread: dict[int, set[str]], needed) -> bool:
    """Without the targets that are not read; did anything change?"""
    changed = False
    for stmt in list(block):
        changed |= any([_drop(inner, unread, needed) for inner in blocks(stmt)])
        gone = unread.get(id(stmt), set())
        if gone and isinstance(stmt, Assign):
            if len(stmt.targets) == len(stmt.values):
                kept = [k for k, n in enumerate(stmt.targets) if n not in gone]
                stmt.targets, stmt.values = tuple(stmt.targets[k] for k in kept), tuple(stmt.values[k] for k in kept)
                changed = True
            elif gone == set(stmt.targets):
                stmt.targets = ()
        if isinstance(stmt, Assign) and not stmt.targets or isinstance(stmt, If) and not (stmt.then or stmt.orelse) and not needed(stmt):
            remove(block, stmt)
            changed = True
    return changed


def remove(block: list[Stmt], stmt: Stmt) -> None:
    del block[next(k for k, s in enumerate(block) if s is stmt)]
