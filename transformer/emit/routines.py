"""What one function computes for another alone is handed over as one: residuals.

    h, y = layer(W, x)                             y, residuals = layer(W, x)
    ...                                 ->         ...
    W_bar, x_bar = layer_adjoint(y_bar, W, h)      W_bar, x_bar = layer_adjoint(y_bar, W, residuals)

Trees as they are made of core: names are bound once, and each call is a statement.
"""
from __future__ import annotations

import itertools
import keyword
import re
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from ..core import VIEW, Op, walk as statements
from ..optimise.outline import Routine
from ..types import Type
from .flow import bind_counts
from .hints import hint_of
from .code_tree import (UNPACK, Assign, Call, CodeTree, Return, Store, all_expressions, blocks, names_in,
                        replace_names, walk)

HANDED = "residuals"
MEMBER = re.compile(r"""(?P<container>.+?)(?P<last>\["[^"]*"\]|\[\d+\]|\.\w+)""")
TUPLE = Type("tuple", np.dtype(object))


class Pack(Op):
    """(a, b, c)"""

    def show(self, args, params):
        return f"({', '.join(args)})"


class Text(Op):
    """Text around what it is of: `p["W"]` of `p`."""

    memory = VIEW

    def __init__(self, text: str):
        super().__init__("", None)
        self.text = text

    def show(self, args, params):
        return "".join(args) + self.text


PACK = Pack("", None)


@dataclass
class Site:
    """A call of one of our functions: the statement, and the function whose tree has it."""

    tree: CodeTree
    stmt: Assign

    @property
    def call(self) -> Call:
        return self.stmt.values[0]

    def give(self, args) -> None:
        self.stmt.values = (Call(self.call.name, self.call.op, args, self.call.params),)


def routines_of(fun) -> list[Routine]:
    """The functions that a function of core calls, each behind those that it calls itself."""
    found: dict[Routine, None] = {}
    for routine in dict.fromkeys(s.op for s in statements(fun.body) if isinstance(getattr(s, "op", None), Routine)):
        found.update(dict.fromkeys([*routines_of(routine.fun), routine]))
    return list(found)


def hand_over(main: CodeTree, trees: dict[Routine, CodeTree], access: dict[str, str]) -> None:
    """Rewrite the trees of a function and of those that it calls; `access`: where the user has its parameters."""
    every, titles = (main, *trees.values()), {routine.fun.name for routine in trees}
    sites = sites_of(every)
    trees = {routine: tree for routine, tree in trees.items() if routine in sites}
    for routine, tree in trees.items():
        merge_params(tree, sites[routine])
        read = {n for stmt in walk(tree.body) for n in (*names_in(all_expressions(stmt)), getattr(stmt, "target", ""))}
        keep(tree, sites[routine], [k for k, p in enumerate(tree.params) if p in read])
        gather(tree, sites[routine], access, titles)
    used = {id(tree): Counter(n for stmt in walk(tree.body) for n in names_in(all_expressions(stmt))) for tree in every}
    for routine, tree in trees.items():
        drop_unread(tree, sites[routine], used)
    for giver in trees:
        for taker in trees:
            readers = readers_of(sites[taker])
            pack(giver, taker, sites, trees, [{place: readers[id(site.tree), name][0]
                                               for place, name in enumerate(site.stmt.targets)
                                               if len(readers[id(site.tree), name]) == 1 == used[id(site.tree)][name]}
                                              for site in sites[giver]])
    write_members(main, [site for own in sites.values() for site in own if site.tree is main], access)


def sites_of(trees) -> dict[Routine, list[Site]]:
    """The calls of each function that gives something."""
    sites: dict[Routine, list[Site]] = {}
    for tree in trees:
        for stmt in walk(tree.body):
            if type(stmt) is Assign and type(stmt.values[0]) is Call and isinstance(stmt.values[0].op, Routine):
                sites.setdefault(stmt.values[0].op, []).append(Site(tree, stmt))
    return sites


def write_members(main: CodeTree, sites: list[Site], access: dict[str, str]) -> None:
    """Members of the user's containers that only our functions are given need no variable: layer(x, layers[0])."""
    used = Counter(n for stmt in walk(main.body) for n in names_in(all_expressions(stmt)))
    readers = readers_of(sites)
    given = {a: Call("", Text(access[a]), ()) for a in access
             if MEMBER.fullmatch(access[a]) and used[a] == len(readers[id(main), a])}
    for site in sites:
        site.give(tuple([given.get(a, a) if isinstance(a, str) else a for a in site.call.args]))


def merge_params(tree: CodeTree, sites: list[Site]) -> None:
    """Parameters that are one in all calls become one."""
    columns = list(zip(*[site.call.args for site in sites]))
    kept = [k for k, column in enumerate(columns) if column not in columns[:k]]
    replace_names(tree.body, {tree.params[k]: tree.params[columns.index(column)] for k, column in enumerate(columns)
                              if k not in kept})
    keep(tree, sites, kept)


def keep(tree: CodeTree, sites: list[Site], kept: list[int], params=(), args=()) -> None:
    """The function with some of its parameters, and others behind them; `args`: what these are in each call."""
    tree.params = (*[tree.params[k] for k in kept], *params)
    for number, site in enumerate(sites):
        site.give((*[site.call.args[k] for k in kept], *args[number:number + 1]))


def drop_unread(tree: CodeTree, sites: list[Site], used: dict[int, Counter]) -> None:
    """Results that no caller reads, as sizes that only types are made of."""
    keep_results(tree, sites, [k for k in range(len(sites[0].stmt.targets))
                               if any([used[id(site.tree)][site.stmt.targets[k]] for site in sites])])


def keep_results(tree: CodeTree, sites: list[Site], kept: list[int]) -> None:
    """The function with some of its results."""
    for site in sites:
        site.stmt.targets = tuple([site.stmt.targets[k] for k in kept])
    for stmt in walk(tree.body):
        if type(stmt) is Return:
            stmt.values = tuple([stmt.values[k] for k in kept])


def gather(tree: CodeTree, sites: list[Site], access: dict[str, str], titles: set[str]) -> None:
    """Parameters that are the members of one container in each call become that: layer(x, params["layers"][0])."""
    found: dict[tuple[str, ...], dict[int, str]] = {}
    for k, column in enumerate(zip(*[site.call.args for site in sites])):
        paths = [MEMBER.fullmatch(access.get(a, "")) if isinstance(a, str) else None for a in column]
        if all(paths) and len({path["last"] for path in paths}) == 1:
            found.setdefault(tuple([path["container"] for path in paths]), {})[k] = paths[0]["last"]
        elif all(paths) and all([path["last"][1:2].isdigit() for path in paths]):  # one after the other: not `ws_7`
            tree.words = {**tree.words, hint_of(tree.params[k]): named_after(paths[0].group(), titles)}
    for containers, members in found.items():
        name = named_after(containers[0], titles)
        tree.words = {**tree.words, **{hint_of(tree.params[k]): member_name(name, last) for k, last in members.items()
                                       if len(members) > 1 or last[1:2].isdigit()}}
    for containers, members in found.items():
        if len(members) < 2:
            continue
        name = of_tuple(tree, named_after(containers[0], titles))
        items = {tree.params[k]: Call(tree.params[k], Text(last), (name,)) for k, last in members.items()}
        tree.body.insert(0, Assign((*items,), (*items.values(),)))
        keep(tree, sites, [k for k in range(len(tree.params)) if k not in members], (name,),
             [Call(of_tuple(site.tree), Text(container), ()) for site, container in zip(sites, containers)])
        return gather(tree, sites, access, titles)


def in_place(tree: CodeTree) -> None:
    """Members that are looked up by name are written so wherever they are read; W, b = layer[0], layer[1] stays."""
    changed = bind_counts(tree, walk(tree.body))
    changed.update([stmt.target for stmt in walk(tree.body) if type(stmt) is Store])
    for stmt in list(tree.body):
        if type(stmt) is Assign and all([type(v) is Call and isinstance(v.op, Text) for v in stmt.values]):
            inside = {n: v for n, v in zip(stmt.targets, stmt.values)
                      if changed[n] == 1 and not v.op.text[1:2].isdigit()}
            pairs = [(n, v) for n, v in zip(stmt.targets, stmt.values) if n not in inside]
            stmt.targets, stmt.values = tuple([n for n, _ in pairs]), tuple([v for _, v in pairs])
            if not pairs:
                tree.body.remove(stmt)
            replace_names(tree.body, inside)


def named_after(container: str, titles: set[str]) -> str:
    """What to call a member of it: `layer` for params["layers"][0].

    >>> [named_after(text, {"head"}) for text in ('params["layers"][0]', "params[0]", "net.head", 'p["a b"]', "dec[1]")]
    ['layer', 'param', 'p', 'p', 'p']
    """
    whole = re.match(r"""(.*?)(\[\d+\])*$""", container)[1]  # of a list: its name, without an s
    found = re.search(r"""(?:^|\.|\[")([A-Za-z_]\w*)(?:"\])?$""", whole)
    name = found[1] if found else "p"
    name = name if whole == container else name.removesuffix("s")
    unclear = found and whole != container and name == found[1]  # of a list, and called like it
    return "p" if name in titles or keyword.iskeyword(name) or unclear else name


def member_name(name: str, last: str) -> str:
    """What to call a member of what is called so: W of ["W"], layer_0 of [0]."""
    key = last.strip("[].\"'")
    return key if key.isidentifier() and not keyword.iskeyword(key) else f"{name}_{key}" if key.isdigit() else name


def readers_of(sites: list[Site]) -> dict[tuple[int, str], list[tuple[int, int]]]:
    """{(a tree, a name in it): [(which of these calls reads it, as which argument)]}"""
    found = defaultdict(list)
    for number, site in enumerate(sites):
        for k, a in enumerate(site.call.args):
            if isinstance(a, str):
                found[id(site.tree), a].append((number, k))
    return found


def pack(giver: Routine, taker: Routine, sites, trees, handed: list[dict[int, tuple[int, int]]]) -> None:
    """Make one of the results that calls of `giver` hand to calls of `taker`, and to nothing else.

    Where no call of `taker` reads what a call gives, as at a first layer that has no such mirror, it is unpacked.
    """
    own = [places for places in handed if places]
    places = [p for p in sorted(own[0] if own else ()) if all([p in o and o[p][1] == own[0][p][1] for o in own])]
    takes = [{o[p][0] for p in places} for o in own]
    if len(places) < 2 or any([len(calls) > 1 for calls in takes]) or len({c for (c,) in takes}) < len(sites[taker]):
        return
    giving, taking = trees[giver], trees[taker]
    order, packed = [own[0][p][1] for p in places], of_tuple(giving)
    for stmt in walk(giving.body):
        if type(stmt) is Return:
            stmt.values = (*stmt.values, Call(packed, PACK, tuple([stmt.values[k] for k in places])))
    given = {}
    for mine, site in zip(handed, sites[giver]):
        name = of_tuple(site.tree)
        if mine:
            given[mine[places[0]][0]] = name
        else:
            unpack(site, tuple([site.stmt.targets[k] for k in places]), name)
        site.stmt.targets = (*site.stmt.targets, name)
    keep_results(giving, sites[giver], [k for k in range(len(sites[giver][0].stmt.targets)) if k not in places])
    taken = of_tuple(taking)
    taking.body.insert(0, Assign(tuple([taking.params[k] for k in order]), (Call(taken, UNPACK, (taken,)),)))
    keep(taking, sites[taker], [k for k in range(len(taking.params)) if k not in order], (taken,),
         [given[k] for k in range(len(sites[taker]))])


def unpack(site: Site, names: tuple[str, ...], packed: str) -> None:
    """Unpack what a call gives, before the first statement beside it that reads some of that."""
    whole = [site.tree.body, *[block for stmt in walk(site.tree.body) for block in blocks(stmt)]]
    block = next(block for block in whole if any([stmt is site.stmt for stmt in block]))
    at = 1 + next(k for k, stmt in enumerate(block) if stmt is site.stmt)
    reads = [{n for inner in walk([stmt]) for n in names_in(all_expressions(inner))} for stmt in block[at:]]
    first = next((k for k, read in enumerate(reads) if not read.isdisjoint(names)), 0)
    block.insert(at + first, Assign(names, (Call(packed, UNPACK, (packed,)),), block[at + first].origin))


def of_tuple(tree: CodeTree, hint: str = HANDED) -> str:
    """A new name in a tree, of a tuple or another container."""
    name = next(name for k in itertools.count(len(tree.types)) if (name := f"{hint}__{k}") not in tree.types)
    tree.types = {**tree.types, name: TUPLE}
    return name
