"""Assignments that nobody reads go, also those that only feed themselves around a loop."""
from __future__ import annotations

from collections import Counter

from .code_tree import Assign, CodeTree, If, Stmt, Store, blocks_of, calls_of, expressions, walk_tree
from .flow import LivenessFlow, statement_has_effect, use_counts

LENGTHS = "length_tape"  # what no text of the user's has


def sweep_dead(tree: CodeTree) -> None:
    """Drop assignments that nobody reads, until there are none; what is there to raise stays."""
    def needed(stmt: Stmt) -> bool:
        return (statement_has_effect(stmt) or bool(tree.risky)
                and any([c.name in tree.risky for e in expressions(stmt) for c in calls_of(e)]))

    while True:
        unread: dict[int, set[str]] = {}

        def note(stmt, names, live):  # of loops the last word counts: what is live only grows
            if live.issuperset(names) or type(stmt) is not Assign or needed(stmt):
                unread.pop(id(stmt), None)
                return None
            unread[id(stmt)] = gone = set(names) - live
            if len(stmt.values) == len(names):
                return [v for n, v in zip(names, stmt.values) if n not in gone]
            return () if len(gone) == len(names) else None

        LivenessFlow(note).function(tree)
        if not _drop(tree.body, unread, needed):
            return


def _drop(block: list[Stmt], unread: dict[int, set[str]], needed) -> bool:
    """Without the targets that are not read.  Did an `if` go,
    and with it what its test reads?  The rest has been counted out already."""
    gone_if = False
    kept: list[Stmt] = []
    for stmt in block:
        for inner in blocks_of(stmt):
            gone_if |= _drop(inner, unread, needed)
        if id(stmt) in unread:
            drop_targets(stmt, unread[id(stmt)])
        if type(stmt) is If and not (stmt.then or stmt.orelse) and not needed(stmt):
            gone_if = True
        elif type(stmt) is not Assign or stmt.targets:
            kept.append(stmt)
    block[:] = kept
    return gone_if


def drop_targets(stmt: Assign, gone: set[str]) -> None:
    """Without these of its targets; those of one call only all together."""
    if len(stmt.targets) == len(stmt.values):
        pairs = [(t, v) for t, v in zip(stmt.targets, stmt.values) if t not in gone]
        stmt.targets, stmt.values = tuple([t for t, _ in pairs]), tuple([v for _, v in pairs])
    elif gone == set(stmt.targets):
        stmt.targets = ()


def remove_statement(block: list[Stmt], stmt: Stmt) -> None:
    """Take out a statement, which is likely to be one of the last."""
    del block[next(k for k in reversed(range(len(block))) if block[k] is stmt)]


def drop_unread_tapes(tree: CodeTree) -> bool:
    """Tapes of lengths that are only stored into, as positions are no longer counted.  Were there any?"""
    stmts = walk_tree(tree.body)
    stores = Counter([s.target for s in stmts if type(s) is Store and LENGTHS not in getattr(s.origin, "text", "")])
    used = use_counts(stmts)
    unread = {n for n, count in stores.items() if tree.hint(n) == LENGTHS and used[n] == count}
    for block in tree.blocks() if unread else ():
        block[:] = [s for s in block if type(s) is not Store or s.target not in unread]
    return bool(unread)
