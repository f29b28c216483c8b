"""Which statements of a block run example by example together, and in which order all of them stand."""
from __future__ import annotations

from dataclasses import dataclass

from ..core import Stmt, shows


@dataclass(frozen=True, eq=False)
class Node:
    """A statement of one example, what it reads and binds, and what it becomes for all:
    None, if it runs example by example."""

    stmt: Stmt
    reads: frozenset[str]
    binds: frozenset[str]
    stmts: list[Stmt] | None
    why: str = ""

    @property
    def shown(self) -> bool:
        """Does the user see what it does?"""
        return shows([self.stmt])


def example_groups(nodes: list[Node], ragged: set[str]) -> list[list[Node]]:
    """The groups that run example by example.

    A group has all readers of what it binds that has no form for all examples, and all that stands on a way from it to
    itself.  Groups between which nothing needs to stand are one, and so are those that need each other.
    """
    before = dependences(nodes)  # position -> those of the nodes that it needs, directly or not
    found: list[set[int]] = []
    for i, node in enumerate(nodes):
        if node.stmts is not None or any(i in g for g in found):
            continue
        found.append(closed({i}, nodes, before, ragged))
        found = merged(found, nodes, before)
    while (pair := entangled(found, before)) is not None:
        both = closed(pair[0] | pair[1], nodes, before, ragged)
        found = merged([*(g for g in found if g not in pair), both], nodes, before)
    return [[nodes[i] for i in sorted(g)] for g in found]


def dependences(nodes: list[Node]) -> list[set[int]]:
    binder: dict[str, int] = {}
    before: list[set[int]] = []
    shown: set[int] = set()  # the last of what the user sees
    for i, node in enumerate(nodes):
        direct = {binder[n] for n in node.reads if n in binder}
        if node.shown:
            direct, shown = direct | shown, {i}
        before.append(direct.union(*(before[j] for j in direct)))
        binder.update((n, i) for n in node.binds)
    return before


def entangled(found: list[set[int]], before: list[set[int]]):
    """Two groups of which each needs the other, neither of which can come first; None if there are none."""
    needs = [{k for k, other in enumerate(found) if other is not group and any(before[i] & other for i in group)}
             for group in found]
    for _ in found:
        needs = [n.union(*(needs[k] for k in n)) for n in needs]
    return next(((found[i], found[j]) for i, n in enumerate(needs) for j in n if j != i and i in needs[j]), None)


def convex(group: set[int], before: list[set[int]]) -> set[int]:
    """With all that stands on a way from the group to the group."""
    first, last = min(group), max(group)
    return group | {j for j in range(first, last) if before[j] & group and any(j in before[i] for i in group)}


def closed(group: set[int], nodes, before, ragged) -> set[int]:
    while True:
        escaping = {n for i in group for n in nodes[i].binds & ragged}
        more = convex(group | {j for j, node in enumerate(nodes) if node.reads & escaping}, before)
        if more == group:
            return group
        group = more
        ragged = ragged | {n for i in group for n in nodes[i].binds & ragged}


def merged(found: list[set[int]], nodes, before) -> list[set[int]]:
    """Groups that share a statement, or that nothing else stands between."""
    last = found.pop()
    for k, other in enumerate(found):
        both = convex(last | other, before)
        if last & other or both == last | other:
            return merged([*found[:k], *found[k + 1:], both], nodes, before)
    return [*found, last]


def nodes_in_order(nodes: list[Node], found: list[list[Node]]):
    """Nodes and groups so that each stands behind all that it needs, otherwise as the nodes stand."""
    unit = {id(node): group for group in found for node in group}
    binder = {n: node for node in nodes for n in node.binds}
    shown = [node for node in nodes if node.shown]
    earlier = {id(node): before for before, node in zip(shown, shown[1:])}
    done: set[int] = set()
    out: list = []

    def place(node):
        item = unit.get(id(node), node)
        if id(item) in done:
            return
        done.add(id(item))
        members = item if isinstance(item, list) else [item]
        for member in members:
            for needed in (*map(binder.get, sorted(member.reads)), earlier.get(id(member))):
                if needed is not None and unit.get(id(needed), needed) is not item:
                    place(needed)
        out.append(item)

    for node in nodes:
        group = unit.get(id(node))
        if group is None or node is group[-1]:
            place(node)
    return out
