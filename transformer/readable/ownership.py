"""Arrays that one variable alone has, so that `x_bar += y_bar` may store into them.

    x_bar = np.zeros_like(x)                        x_bar = np.broadcast_to(1.0, n)     (cannot be stored into)
    x_bar = x_bar + y_bar   ->  x_bar += y_bar      h_bar = states_bar[i]               (another's memory)
"""
from __future__ import annotations

from .code_tree import Assign, Call, CodeTree, Effect, For, Stmt, names_bound_by, walk_tree
from .denest import memories


def unshared(tree: CodeTree, variables: dict[str, str]) -> set[str]:
    """The names whose memory no other variable has a part of, was made here, and is kept by nothing else."""
    stmts = walk_tree(tree.body)
    memory = memories(tree, stmts)
    refused = {memory(p) for p in tree.params}
    shown: dict[str, set[str]] = {}
    for stmt in stmts:
        for name in names_bound_by(stmt):
            shown.setdefault(memory(name), set()).add(variables[name])
        refused.update(map(memory, seen_elsewhere(stmt)))
    return {name for stmt in stmts for name in names_bound_by(stmt)
            if memory(name) not in refused and len(shown[memory(name)]) == 1}


def seen_elsewhere(stmt: Stmt) -> list[str]:
    """The names of a statement whose memory is not made here, or is kept."""
    match stmt:
        case For(index=item, bounds=(str(),)):
            return [item]
        case Assign():
            return [name for name in stmt.targets if not is_made(stmt, name)]
        case Effect():
            return stmt.call.names
    return []


def is_made(stmt: Assign, name: str) -> bool:
    """Has it memory of its own, or that of a name that is looked at as well?"""
    if len(stmt.values) != len(stmt.targets):
        return False
    value = stmt.values[stmt.targets.index(name)]
    return type(value) is str or type(value) is Call and value.op.own_memory(dict(value.params))
