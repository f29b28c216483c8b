"""Names back to what a person would write: `s`, `x_bar`, not `s__3`.

    s__1 = 0.0                        s = 0.0
    for i in range(n):                for i in range(n):
        s__2 = s__1 + x[i]                s = s + x[i]
        s__1 = s__2

Names with the same hint become one variable where no two of them are needed at the same time; else they are
numbered: x_bar, x_bar2.  Parameters keep their names.
"""
from __future__ import annotations

import itertools
import keyword
import re

from .code_tree import (Assign, Call, CodeTree, For, Stmt, Store, all_expressions, blocks_of, calls_of, names_bound_by,
                        names_of, walk_tree)
from .flow import LivenessFlow
from .hints import hint_of

MODULES = {"np", "math", "gs", "rt"}  # by these names generated source has them


def variables(tree: CodeTree, titles=()) -> dict[str, str]:
    """{name: the variable that it becomes}, none of which is called like a function of ours"""
    stmts = walk_tree(tree.body)
    hints = {n: tree.hint(n) for n in [*tree.params, *[n for s in stmts for n in names_bound_by(s)]]}
    hints |= other_counters(tree, stmts, hints)
    collisions, wishes = interference(tree, stmts, hints)
    groups: dict[str, list[list[str]]] = {}
    place: dict[str, int] = {}  # in the groups of its hint
    for p in tree.params:
        own = groups.setdefault(hints[p], [])
        place[p] = len(own)
        own.append([p])
    for name, hint in hints.items():
        if name in place:
            continue
        own = groups.setdefault(hint, [])
        wished = [place[w] for w in wishes.get(name, ()) if w in place and hints[w] == hint]
        closed = {place[other] for other in collisions.get(name, ())}
        place[name] = at = next((k for k in itertools.chain(wished, itertools.count()) if k not in closed))
        if at == len(own):
            own.append([])
        own[at].append(name)
    return numbered(stmts, groups, titles)


def other_counters(tree: CodeTree, stmts: list[Stmt], hints: dict[str, str]) -> dict[str, str]:
    """{counter that we have made and called like a parameter: what to call it instead}"""
    params = {hints[p] for p in tree.params}
    free = next((c for c in "ijklmn" if c not in hints.values()), "count")
    return {s.index: free for s in stmts if isinstance(s, For) and hints[s.index] in params
            and not re.match(rf"for\b.*\b{hints[s.index]}\b.* in\b", getattr(s.origin, "first_text", ""))}


def numbered(stmts: list[Stmt], groups: dict[str, list[list[str]]], titles) -> dict[str, str]:
    called = {name.partition(".")[0] for name in {c.op.name for s in stmts for e in all_expressions(s)
                                                  for c in calls_of(e)}}
    reserved = {*keyword.kwlist, *called, *titles, *MODULES, "len", "range"}
    taken = {*reserved, *groups}
    names: dict[str, str] = {}
    for hint, group_list in groups.items():
        number = 1
        for k, group in enumerate(group_list):
            text = hint if k == 0 and hint not in reserved else None
            while text is None or text != hint and text in taken:
                number += 1
                text = f"{hint}_{number}" if hint[-1].isdigit() else f"{hint}{number}"
            taken.add(text)
            names |= dict.fromkeys(group, text)
    return names


def interference(tree: CodeTree, stmts: list[Stmt], hints: dict[str, str]) -> tuple[dict[str, set[str]],
                                                                                dict[str, list[str]]]:
    """({name: those of its hint that are needed at the same time, and get their variable before it},
    names that would rather be one variable)"""
    collisions: dict[str, set[str]] = {}
    wishes: dict[str, list[str]] = {}
    alike: dict[str, set[str]] = {}
    turn = {name: k for k, name in enumerate(hints)}
    for name, hint in hints.items():
        alike.setdefault(hint, set()).add(name)

    def note(stmt: Stmt | None, names: tuple[str, ...], live: set[str]) -> None:
        for k, name in enumerate(names):
            copied = stmt.values[k] if isinstance(stmt, Assign) and len(stmt.values) == len(names) else None
            same = alike[hints[name]]
            others = {*same.intersection(live), *same.intersection(names)} - {name} if len(same) > 1 else set()
            if isinstance(copied, str) and copied not in names:
                others.discard(copied)
            later = [other for other in others if turn[other] > turn[name]]  # only where a loop comes round
            for other in later:
                collisions.setdefault(other, set()).add(name)
            if others:
                collisions.setdefault(name, set()).update(others.difference(later))

    LivenessFlow(note).function(tree)
    for stmt in stmts:
        if isinstance(stmt, Assign) and len(stmt.targets) == len(stmt.values):
            for target, value in zip(stmt.targets, stmt.values):
                if isinstance(value, str):
                    wishes.setdefault(target, []).append(value)
                    wishes.setdefault(value, []).append(target)
    return collisions, wishes


def tidy(tree: CodeTree, names: dict[str, str]) -> None:
    """Drop copies of a variable to itself; write parallel copies one by one where the order allows it."""
    def visit(block: list[Stmt]) -> None:
        out: list[Stmt] = []
        for stmt in block:
            for inner in blocks_of(stmt):
                visit(inner)
            if type(stmt) is Store and is_there_already(stmt, block, names):
                continue
            if type(stmt) is Assign and (len(stmt.values) != 1 or type(stmt.values[0]) is str):
                kept = [(t, v) for t, v in zip(stmt.targets, stmt.values)
                        if not (isinstance(v, str) and names[t] == names[v])]
                out += in_order(kept, names, stmt)
            else:
                out.append(stmt)
        block[:] = out

    visit(tree.body)


def is_there_already(stmt: Store, block: list[Stmt], names: dict[str, str]) -> bool:
    """Does it store what it reads from that place, as the tangent of `x[i] -= 1.0` does?

    Where the store into `x` itself stands beside it: that one raises if the index is too large.
    """
    match stmt.value:
        case Call(op=op, args=(str() as x, *atoms)) if op.name == "getitem" and not stmt.add:
            return (names[x] == names[stmt.target] and tuple(atoms) == stmt.atoms
                    and stmt.value.param("index") == stmt.index
                    and any([type(s) is Store and s.atoms == stmt.atoms and is_tangent_of(stmt.target, s.target)
                             for s in block]))
    return False


def is_tangent_of(name: str, other: str) -> bool:
    return hint_of(name) == f"{hint_of(other)}_dot"


def in_order(pairs, names, stmt: Assign) -> list[Stmt]:
    """Assignments of which each leaves alone what the later ones read; what is left over stays parallel."""
    out: list[Stmt] = []
    while pairs:
        for k, (target, _) in enumerate(pairs):
            read = {names[n] for j, (_, v) in enumerate(pairs) if j != k for n in names_of(v)}
            if names[target] not in read:
                break
        else:
            break
        target, value = pairs.pop(k)
        out.append(Assign((target,), (value,), stmt.origin))
    if pairs:
        out.append(Assign(tuple(t for t, _ in pairs), tuple(v for _, v in pairs), stmt.origin))
    return out
