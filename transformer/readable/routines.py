"""What one function computes for another alone is handed over as one: residuals.

    h, y = layer(W, x)                             y, residuals = layer(W, x)
    ...                                 ->         ...
    W_bar, x_bar = layer_adjoint(y_bar, W, h)      W_bar, x_bar = layer_adjoint(y_bar, W, residuals)

Trees as they are made of core: names are bound once, and each call is a statement.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain

from ..core import Op, walk as statements
from ..optimise.outline import Routine
from .code_tree import UNPACK, Assign, Call, CodeTree, all_expressions, names_of_all, replace_names, walk_tree
from .members import gather, give_containers, write_members
from .signature import ShownSignature
from .sites import CallSite, give_one, keep, keep_results, of_tuple, readers_of, reads_of, sites_of


class Pack(Op):
    """(a, b, c)"""

    def show(self, args, params):
        return f"({', '.join(args)})"


PACK = Pack("", None)


def routines_of(fun) -> list[Routine]:
    """The functions that a function of core calls, each behind those that it calls itself."""
    found: dict[Routine, None] = {}
    for routine in dict.fromkeys(s.op for s in statements(fun.body) if isinstance(getattr(s, "op", None), Routine)):
        found.update(dict.fromkeys([*routines_of(routine.fun), routine]))
    return list(found)


def hand_over(main: CodeTree, trees: dict[Routine, CodeTree], signature: ShownSignature |
              None) -> ShownSignature | None:
    """Rewrite the trees of a function and of those that it calls; the signature with containers that calls give."""
    access = {p: e for p, e in signature.access.items() if p not in signature.rows} if signature else {}
    every, titles = (main, *trees.values()), {routine.fun.name for routine in trees}
    sites = sites_of(every)
    trees = {routine: tree for routine, tree in trees.items() if routine in sites}
    for routine, tree in trees.items():
        merge_params(tree, sites[routine])
        keep_read(tree, sites[routine])
        gather(tree, sites[routine], access, titles)
    used = {id(tree): reads_of(tree) for tree in every}
    for routine, tree in trees.items():
        drop_unread(tree, sites[routine], used)
    for giver in trees:
        for taker in trees:
            pack(giver, taker, sites, trees, results_handed_on(sites[giver], readers_of(sites[taker]), used))
    write_members(main, [*chain.from_iterable(sites.values())], access)
    if signature is None:
        return None
    given = [(tree, sites[routine]) for routine, tree in trees.items()]
    return replace(signature, out=give_containers(main, given, signature.out, titles))


def merge_params(tree: CodeTree, sites: list[CallSite]) -> None:
    """Parameters that are one in all calls become one."""
    columns = list(zip(*[site.call.args for site in sites]))
    kept = [k for k, column in enumerate(columns) if column not in columns[:k]]
    replace_names(tree.body, {tree.params[k]: tree.params[columns.index(column)] for k, column in enumerate(columns)
                              if k not in kept})
    keep(tree, sites, kept)


def keep_read(tree: CodeTree, sites: list[CallSite]) -> None:
    """Only the parameters that the function reads stay."""
    read = {n for stmt in walk_tree(tree.body)
            for n in (*names_of_all(all_expressions(stmt)), getattr(stmt, "target", ""))}
    keep(tree, sites, [k for k, p in enumerate(tree.params) if p in read])


def drop_unread(tree: CodeTree, sites: list[CallSite], used: dict[int, Counter]) -> None:
    """Results that no caller reads, as sizes that only types are made of."""
    keep_results(tree, sites, [k for k in range(len(sites[0].stmt.targets))
                               if any([used[id(site.tree)][site.stmt.targets[k]] for site in sites])])


def results_handed_on(sites: list[CallSite], readers, used: dict[int, Counter]) -> list[dict[int, tuple[int, int]]]:
    """For each call {the number of a result that one call alone reads: (which of `readers` that is, as which argument)}
    """
    return [{place: readers[id(site.tree), name][0] for place, name in enumerate(site.stmt.targets)
             if len(readers[id(site.tree), name]) == 1 == used[id(site.tree)][name]} for site in sites]


def places_handed(handed: list[dict[int, tuple[int, int]]], takers: int) -> tuple[list[int], list[int]]:
    """(results that each call which hands any on hands to one call, as which arguments), if all `takers` are given some
    and they are several; else none."""
    own = [places for places in handed if places]
    places = [p for p in sorted(own[0] if own else ()) if all([p in o and o[p][1] == own[0][p][1] for o in own])]
    takes = [{o[p][0] for p in places} for o in own]
    if len(places) < 2 or max(map(len, takes)) > 1 or len(set().union(*takes)) < takers:
        return [], []
    return places, [own[0][p][1] for p in places]


def pack(giver: Routine, taker: Routine, sites, trees, handed: list[dict[int, tuple[int, int]]]) -> None:
    """Make one of the results that calls of `giver` hand to calls of `taker`, and to nothing else.

    Where no call of `taker` reads what a call gives, as at a first layer that has no such mirror, it is unpacked.
    """
    places, order = places_handed(handed, len(sites[taker]))
    if not places:
        return
    giving, taking = trees[giver], trees[taker]
    packed, given = of_tuple(giving), {}
    for mine, site in zip(handed, sites[giver]):
        name = of_tuple(site.tree)
        if mine:
            given[mine[places[0]][0]] = name
        else:
            unpack(site, tuple([site.stmt.targets[k] for k in places]), name)
        site.stmt.targets = (*site.stmt.targets, name)
    results = giving.body[-1].values
    taking.handed |= {taking.params[at]: (giving, results[k]) for k, at in zip(places, order)}
    give_one(giving, sites[giver], PACK, places, packed)
    taken = of_tuple(taking)
    taking.body.insert(0, Assign(tuple([taking.params[k] for k in order]), (Call(taken, UNPACK, (taken,)),)))
    keep(taking, sites[taker], [k for k in range(len(taking.params)) if k not in order], (taken,),
         [given[k] for k in range(len(sites[taker]))])


def unpack(site: CallSite, names: tuple[str, ...], packed: str) -> None:
    """Unpack what a call gives, before the first statement beside it that reads some of that."""
    block = next(block for block in site.tree.blocks() if any([stmt is site.stmt for stmt in block]))
    at = 1 + next(k for k, stmt in enumerate(block) if stmt is site.stmt)
    reads = [{n for inner in walk_tree([stmt]) for n in names_of_all(all_expressions(inner))} for stmt in block[at:]]
    first = next((k for k, read in enumerate(reads) if not read.isdisjoint(names)), 0)
    block.insert(at + first, Assign(names, (Call(packed, UNPACK, (packed,)),), block[at + first].origin))
