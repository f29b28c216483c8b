"""Trees that are deep: Python parses a sum of 2,000 terms, and each term is a level of its tree."""
from __future__ import annotations

import ast
import sys

from .trees import children, nodes

MOST = 40  # levels for which Python's own limit of calls in each other is enough, wherever we are called
CALLS = 20  # in each other for a level; reading, evaluating and printing take up to 9
CODE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp,
        ast.DictComp, ast.NamedExpr)  # the last binds a name, which `nonlocal` may want


def make_room(tree: ast.AST) -> bool:
    """Raise Python's limit of calls in each other to what passes need that follow a tree down; is it a deep one?

    The limit stays: what is made of a deep function is shown, compiled and transformed again later."""
    levels, level = 0, [tree]
    while level:
        levels, level = levels + 1, [child for node in level for child in children(node)]
    if levels <= MOST:
        return False
    room_for(levels)
    return True


def room_for(levels: int) -> None:
    """Raise Python's limit of calls in each other to what so many levels, of a tree or of the user's calls, need."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + CALLS * levels))


def shallow(tree: ast.AST) -> ast.AST:
    """The tree, changed in place, with a constant for each chain of operators that has no code of its own in it: what
    it compiles to has the same functions.  Python 3.12 compiles no tree of more than some 1,200 levels, though it does
    so with its text."""
    order = nodes(tree)
    kept = {id(node) for node in order if isinstance(node, CODE)}
    for node in reversed(order):
        if any([id(child) in kept for child in children(node)]):
            kept.add(id(node))

    def short(part):
        chain = isinstance(part, ast.BinOp) and ast.BinOp in (type(part.left), type(part.right))
        return ast.copy_location(ast.Constant(None), part) if chain and id(part) not in kept else part

    for node in order:
        for name, part in ast.iter_fields(node):
            setattr(node, name, [short(x) for x in part] if isinstance(part, list) else short(part))
    return tree
