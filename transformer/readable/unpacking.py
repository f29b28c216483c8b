"""Elements and rows that the user unpacked are unpacked in one line.

    t = W @ x                         a, b = W @ x
    a = t[0]
    b = t[1]
"""
from __future__ import annotations

from collections import Counter

from ..core import Const
from .code_tree import UNPACK, Assign, Call, CodeTree, Stmt, Store, walk_tree
from .flow import bind_counts, use_counts


def unpackings(tree: CodeTree) -> bool:
    """Were there any?"""
    found = False
    for block in tree.blocks():
        for k in reversed(range(len(block))):
            found |= elements_in_order(tree, block, k)
    return rows_of_calls(tree) or found


def unpacked_part(tree: CodeTree, stmt: Stmt) -> tuple[str | None, int]:
    """(an array, the number of its element or row that a statement takes for the user)"""
    match stmt:
        case Assign(targets=(name,), values=(Call(args=(str() as t, Const(value=int() as k))) as item,)) if (
                item.op.name == "getitem" and not tree.is_temporary(name)
                and item.param("index") == ("i", *":" * (tree.types[t].rank - 1))):
            return t, k
    return None, 0


def elements_in_order(tree: CodeTree, block: list[Stmt], start: int) -> bool:
    """All elements of an array, one statement after the other from here on, but for what is saved for the mirror."""
    t, first = unpacked_part(tree, block[start]) if start < len(block) else (None, 0)
    if t is None or first:
        return False
    found, saved, k = [block[start]], [], start + 1
    while k < len(block):
        if unpacked_part(tree, block[k]) == (t, len(found)):
            found.append(block[k])
        elif type(block[k]) is Store and tree.hint(block[k].target).endswith("_tape"):
            saved.append(block[k])
        else:
            break
        k += 1
    names = tuple([stmt.targets[0] for stmt in found])
    if tree.types[t].dims[0] != len(found) or len(found) < 2 or t in names or len({*names}) < len(names):
        return False
    block[start:k] = [Assign(names, (Call(t, UNPACK, (t,)),), found[0].origin), *saved]
    return True


def rows_taken(tree: CodeTree, stmts: list[Stmt], bound: Counter) -> dict[str, dict[int, Assign]]:
    """{an array: {the number of a row: the statement that takes it for the user}}, of names that are bound once"""
    rows: dict[str, dict[int, Assign]] = {}
    for stmt in stmts:
        t, k = unpacked_part(tree, stmt)
        if t is not None and bound[stmt.targets[0]] == 1:
            rows.setdefault(t, {})[k] = stmt
    return rows


def rows_of_calls(tree: CodeTree) -> bool:
    """`t = f(x)`, `a = t[0]`, `b = t[1]` is `a, b = f(x)`, where that is all of `t`.  Was there any?"""
    stmts = walk_tree(tree.body)
    rows = rows_taken(tree, stmts, bind_counts(tree, stmts))
    if not rows:
        return False
    used, found = use_counts(stmts), False
    for block in tree.blocks():
        for stmt in list(block):
            match stmt:
                case Assign(targets=(t,), values=(Call(),)) if t in rows and tree.is_temporary(t):
                    parts = [rows[t][k] for k in sorted(rows[t])]
                    rest = [s for s in block if not any([s is part for part in parts])]
                    if (sorted(rows[t]) == [*range(len(parts))] and tree.types[t].dims[0] == len(parts) == used[t] > 1
                            and len(rest) == len(block) - len(parts)):
                        stmt.targets = tuple([s.targets[0] for s in parts])
                        block[:], found = rest, True
    return found
