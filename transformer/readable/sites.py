"""Calls of our own functions in trees: what each is given, and what it gives."""
from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from ..core import Op
from ..core.types import Type
from ..optimise.outline import Routine
from .code_tree import Assign, Call, CodeTree, Return, all_expressions, names_of_all, walk_tree

HANDED = "residuals"
TUPLE = Type("tuple", np.dtype(object))


@dataclass
class CallSite:
    """A call of one of our functions: the statement, and the function whose tree has it."""

    tree: CodeTree
    stmt: Assign

    @property
    def call(self) -> Call:
        return self.stmt.values[0]

    def give(self, args) -> None:
        self.stmt.values = (Call(self.call.name, self.call.op, args, self.call.params),)


def sites_of(trees) -> dict[Routine, list[CallSite]]:
    """The calls of each function that gives something."""
    sites: dict[Routine, list[CallSite]] = {}
    for tree in trees:
        for stmt in walk_tree(tree.body):
            if type(stmt) is Assign and type(stmt.values[0]) is Call and isinstance(stmt.values[0].op, Routine):
                sites.setdefault(stmt.values[0].op, []).append(CallSite(tree, stmt))
    return sites


def keep(tree: CodeTree, sites: list[CallSite], kept: list[int], params=(), args=()) -> None:
    """The function with some of its parameters, and others behind them; `args`: what these are in each call."""
    tree.params = (*[tree.params[k] for k in kept], *params)
    for number, site in enumerate(sites):
        site.give((*[site.call.args[k] for k in kept], *args[number:number + 1]))


def keep_results(tree: CodeTree, sites: list[CallSite], kept: list[int]) -> None:
    """The function with some of its results."""
    for site in sites:
        site.stmt.targets = tuple([site.stmt.targets[k] for k in kept])
    for stmt in walk_tree(tree.body):
        if type(stmt) is Return:
            stmt.values = tuple([stmt.values[k] for k in kept])


def give_one(tree: CodeTree, sites: list[CallSite], op: Op, places: list[int], name: str = "") -> None:
    """One value of some results in place of them, called `name`; the calls have a name for it at the end."""
    for stmt in walk_tree(tree.body):
        if type(stmt) is Return:
            stmt.values = (*stmt.values, Call(name, op, tuple([stmt.values[k] for k in places])))
    keep_results(tree, sites, [k for k in range(len(sites[0].stmt.targets)) if k not in places])


def readers_of(sites: list[CallSite]) -> dict[tuple[int, str], list[tuple[int, int]]]:
    """{(a tree, a name in it): [(which of these calls reads it, as which argument)]}"""
    found = defaultdict(list)
    for number, site in enumerate(sites):
        for k, a in enumerate(site.call.args):
            if isinstance(a, str):
                found[id(site.tree), a].append((number, k))
    return found


def reads_of(tree: CodeTree) -> Counter:
    """How often each name is read."""
    return Counter(n for stmt in walk_tree(tree.body) for n in names_of_all(all_expressions(stmt)))


def of_tuple(tree: CodeTree, hint: str = HANDED) -> str:
    """A new name in a tree, of a tuple or another container."""
    name = next(name for k in itertools.count(len(tree.types)) if (name := f"{hint}__{k}") not in tree.types)
    tree.types = {**tree.types, name: TUPLE}
    return name
