"""Members of one container travel as that container, to our functions and back.

    W_bar, b_bar, x_bar = layer_adjoint(x_bar, W, b)               layer_bar, x_bar = layer_adjoint(x_bar, params[0])
    return [{"W": W_bar, "b": b_bar}, ...]               ->        return [layer_bar, ...]
"""
from __future__ import annotations

import keyword
import re
from collections import Counter

from ..core import VIEW, Op, quoted
from .code_tree import Assign, Call, CodeTree, Return, Store, replace_names, walk_tree
from .flow import bind_counts
from .hints import hint_of
from .signature import spelled
from .sites import CallSite, give_one, keep, of_tuple, readers_of, reads_of
from .sweep import drop_targets

PLAIN = ("leaf", "static", "python", "either")  # parts of a result that are no containers, or not always
ROLE = re.compile(r"(_bar|_dot)?$")
STEP = re.compile(r"""\["[^"]*"\]|\[\d+\]|\.\w+""")


class MemberText(Op):
    """Text around what it is of: `p["W"]` of `p`."""

    memory = VIEW

    def __init__(self, text: str):
        super().__init__("", None)
        self.text = text

    def show(self, args, params):
        return "".join(args) + self.text


class Build(Op):
    """A container of what it is given: {"W": W_bar, "b": b_bar}; its leaves have numbers in the order of `places`."""

    def __init__(self, structure, places):
        super().__init__("", None)
        self.structure, self.places = structure, places

    def show(self, args, params):
        return spelled(self.structure, dict(zip(self.places, args)))


# what a function is given ---------------------------------------------------------------------------
def write_members(main: CodeTree, sites: list[CallSite], access: dict[str, str]) -> None:
    """Members of the user's containers that only our functions are given need no variable: layer(x, layers[0])."""
    used, readers = reads_of(main), readers_of(sites)
    given = {a: Call("", MemberText(access[a]), ()) for a in access
             if len(steps(access[a])) > 1 and used[a] == len(readers[id(main), a])}
    for site in sites:
        if site.tree is main:
            site.give(tuple([given.get(a, a) if isinstance(a, str) else a for a in site.call.args]))


def gather(tree: CodeTree, sites: list[CallSite], access: dict[str, str], titles: set[str]) -> None:
    """Parameters that are the members of one container in each call become that: layer(x, params["layers"][0])."""
    found = by_container(tree, sites, access, titles)
    for containers, members in found.items():
        name = named_after(containers[0], titles)
        tree.words = {**tree.words, **{hint_of(tree.params[k]): member_name(name, last) for k, last in members.items()
                                       if len(members) > 1 or last[1:2].isdigit()}}
    for containers, members in found.items():
        if len(members) < 2:
            continue
        name = of_tuple(tree, named_after(containers[0], titles))
        items = {tree.params[k]: Call(tree.params[k], MemberText(last), (name,)) for k, last in members.items()}
        tree.body.insert(0, Assign((*items,), (*items.values(),)))
        keep(tree, sites, [k for k in range(len(tree.params)) if k not in members], (name,),
             [Call(of_tuple(site.tree), MemberText(container), ()) for site, container in zip(sites, containers)])
        return gather(tree, sites, access, titles)


def by_container(tree: CodeTree, sites: list[CallSite], access: dict[str, str],
                 titles: set[str]) -> dict[tuple[str, ...], dict[int, str]]:
    """{the container of each call: {the number of a parameter: its lookup in it}}; others of a list have its name."""
    found: dict[tuple[str, ...], dict[int, str]] = {}
    for k, column in enumerate(zip(*[site.call.args for site in sites])):
        paths = [steps(access.get(a, "")) if isinstance(a, str) else [] for a in column]
        if (depth := common_lookups(paths)):
            found.setdefault(tuple(["".join(path[:-depth]) for path in paths]), {})[k] = "".join(paths[0][-depth:])
        elif all([path and path[-1][1:2].isdigit() for path in paths]):  # one after the other: not `ws_7`
            tree.words = {**tree.words, hint_of(tree.params[k]): named_after("".join(paths[0]), titles)}
    return found


def steps(path: str) -> list[str]:
    """The lookups of an expression, none where it is of another form.

    >>> steps('net.layers[0]["W"]'), steps("x + 1")
    (['net', '.layers', '[0]', '["W"]'], [])
    """
    root = re.match(r"\w*", path)[0]
    found = [root, *STEP.findall(path[len(root):])]
    return found if root and "".join(found) == path else []


def common_lookups(paths: list[list[str]]) -> int:
    """How many lookups at their ends all paths share, below where they part; the last where they are one path.

    >>> common_lookups([["p", "[0]", '["b"]', '["W"]'], ["p", "[1]", '["b"]', '["W"]']])
    2
    >>> common_lookups([["p", ".W"]] * 2), common_lookups([["p", ".W"], []])
    (1, 0)
    """
    if all([path == paths[0] for path in paths]):
        return min(1, max(0, len(paths[0]) - 1))
    ends = zip(*[path[:0:-1] for path in paths])
    return next((k for k, last in enumerate(ends) if len({*last}) > 1), max(0, min(map(len, paths)) - 1))


def members_in_place(tree: CodeTree) -> None:
    """Members that are looked up by name are written so wherever they are read; W, b = layer[0], layer[1] stays."""
    changed = bind_counts(tree, walk_tree(tree.body))
    changed.update([stmt.target for stmt in walk_tree(tree.body) if type(stmt) is Store])
    for stmt in list(tree.body):
        if type(stmt) is Assign and all([type(v) is Call and isinstance(v.op, MemberText) for v in stmt.values]):
            inside = {n: v for n, v in zip(stmt.targets, stmt.values)
                      if changed[n] == 1 and not v.op.text[1:2].isdigit()}
            drop_targets(stmt, set(inside))
            if not stmt.targets:
                tree.body.remove(stmt)
            replace_names(tree.body, inside)


# what a function gives ------------------------------------------------------------------------------
def give_containers(main: CodeTree, routines: list[tuple[CodeTree, list[CallSite]]], out, titles: set[str]):
    """Results that every call of a function puts into one container of the user's, and nowhere else, are given as it.

    `out` is the structure of what the user gets; in what comes back a container that a function gives is a leaf.
    """
    returns = [stmt for stmt in walk_tree(main.body) if type(stmt) is Return]
    if len(returns) != 1:
        return out
    values, used = [*returns[0].values], reads_of(main)
    for tree, sites in routines:
        made = [made_by(site, values, used, out) for site in sites if site.tree is main]
        shapes = [shape for shape in made[0] if all(shape in own for own in made)] if len(made) == len(sites) else []
        for shape in shapes:
            places, path = leaf_numbers(shape), made[0][shape][0]
            hint = named_after(path, titles) + ROLE.search(hint_of(sites[0].stmt.targets[places[0]]))[0]
            for site, own in zip(sites, made):
                name, part = of_tuple(main, hint), own[shape][1]
                site.stmt.targets = (*site.stmt.targets, name)
                for k in leaf_numbers(part):
                    values[k] = name
                out = swapped_part(out, part, ("leaf", leaf_numbers(part)[0]))
            give_one(tree, sites, Build(shape, places), places)
    returns[0].values = tuple(values)
    return out


def made_by(site: CallSite, values: list, used: Counter, out) -> dict:
    """{a container of the results of a call: (where it is in what the user gets, what is there)}"""
    leaves = {values.index(n): k for k, n in enumerate(site.stmt.targets) if n in values and used[n] == 1}
    return {shape: (path, part) for path, part, shape in parts_made(out, leaves)}


def parts_made(structure, places: dict[int, int], path: str = "") -> list[tuple]:
    """[(path, container, the same with places for leaves)] of the outermost containers whose leaves all have places."""
    if structure[0] in PLAIN:
        return []
    cls, keys, parts = structure
    found = leaf_numbers(structure)
    if len(found) > 1 and all([k in places for k in found]):
        return [(path, structure, renumbered(structure, places))]
    within = ([f"[{quoted(k)}]" if issubclass(cls, dict) else f".{k}" for k in keys] if keys
              else [f"[{k}]" for k in range(len(parts))])
    return [each for part, step in zip(parts, within) for each in parts_made(part, places, path + step)]


def leaf_numbers(structure) -> list:
    """The numbers of its leaves; None for what is none and no container of such."""
    if structure[0] in PLAIN:
        return [structure[1] if structure[0] == "leaf" else None]
    return [k for part in structure[2] for k in leaf_numbers(part)]


def renumbered(structure, numbers):
    """The same container, its leaves with other numbers."""
    if structure[0] == "leaf":
        return ("leaf", numbers[structure[1]])
    return (*structure[:2], tuple([renumbered(part, numbers) for part in structure[2]]))


def swapped_part(structure, part, other):
    """The same with another part in place of one."""
    if structure == part:
        return other
    if structure[0] in PLAIN:
        return structure
    return (*structure[:2], tuple([swapped_part(inner, part, other) for inner in structure[2]]))


# names ----------------------------------------------------------------------------------------------
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
    """What to call a member of what is called so.

    >>> [member_name("layer", last) for last in ('["W"]', "[0]", '.norms[0]["gain"]', '["a b"]')]
    ['W', 'layer_0', 'norms_gain', 'layer']
    """
    keys = [step.strip("[].\"'") for step in STEP.findall(last)]
    words = [key for key in keys if key.isidentifier() and not keyword.iskeyword(key)]
    if words[-1:] == keys[-1:]:
        return "_".join(words)
    return f"{name}_{keys[-1]}" if keys[-1].isdigit() else name
