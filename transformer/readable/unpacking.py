"""Elements and rows that the user unpacked are unpacked in one line.

    t = W @ x                         a, b = W @ x
    a = t[0]
    b = t[1]
"""
from __future__ import annotations

from ..core import Const
from .code_tree import UNPACK, Assign, Call, CodeTree, Stmt, Store, blocks, walk
from .flow import bind_counts, use_counts
from .hints import is_temporary


def unpackings(tree: CodeTree) -> bool:
    """Were there any?"""
    found = False
    for block in [tree.body, *[b for stmt in walk(tree.body) for b in blocks(stmt)]]:
        for k in reversed(range(len(block))):
            found |= elements_in_order(tree, block, k)
    return rows_of_calls(tree) or found


def part_of(tree: CodeTree, stmt: Stmt) -> tuple[str | None, int]:
    """(an array, the number of its element or row that a statement takes for the user)"""
    match stmt:
        case Assign(targets=(name,), values=(Call(args=(str() as t, Const(value=int() as k))) as item,)) if (
                item.op.name == "getitem" and not is_temporary(tree.hint(name))
                and item.param("index") == ("i", *":" * (tree.types[t].rank - 1))):
            return t, k
    return None, 0


def elements_in_order(tree: CodeTree, block: list[Stmt], start: int) -> bool:
    """All elements of an array, one statement after the other from here on, but for what is saved for the mirror."""
    t, first = part_of(tree, block[start]) if start < len(block) else (None, 0)
    if t is None or first:
        return False
    found, saved, k = [block[start]], [], start + 1
    while k < len(block):
        if part_of(tree, block[k]) == (t, len(found)):
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


def rows_of_calls(tree: CodeTree) -> bool:
    """`t = f(x)`, `a = t[0]`, `b = t[1]` is `a, b = f(x)`, where that is all of `t`.  Was there any?"""
    stmts = walk(tree.body)
    rows: dict[str, dict[int, Assign]] = {}
    for stmt in stmts:
        t, k = part_of(tree, stmt)
        if t is not None:
            rows.setdefault(t, {})[k] = stmt
    if not rows:
        return False
    bound, used, found = bind_counts(tree, stmts), use_counts(stmts), False
    for block in [tree.body, *[b for stmt in stmts for b in blocks(stmt)]]:
        for stmt in list(block):
            match stmt:
                case Assign(targets=(t,), values=(Call(),)) if t in rows and is_temporary(tree.hint(t)):
                    parts, here = [rows[t][k] for k in sorted(rows[t])], {id(s) for s in block}
                    if (sorted(rows[t]) == [*range(len(parts))] and tree.types[t].dims[0] == len(parts) == used[t] > 1
                            and all([id(s) in here and bound[s.targets[0]] == 1 for s in parts])):
                        stmt.targets = tuple([s.targets[0] for s in parts])
                        block[:] = [s for s in block if not any([s is part for part in parts])]
                        found = True
    return found
