"""Which function of a file a code object is: a file is compiled again, and its code objects compared with the one."""
from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from dataclasses import dataclass
from typing import Iterator

from .nesting import make_room, shallow
from .trees import children, nodes

DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class CompiledFunction:
    code: types.CodeType
    place: tuple[str, int, int]  # (kind, line, column) of the node: the same in the rewritten tree of pytest


@dataclass(frozen=True)
class FunctionContext:
    class_name: str | None  # the class whose body the function is in, for private names
    assigned: str | None  # the name a lambda is assigned to


class FunctionIndex:
    """All functions of a text, with the code that each compiles to."""

    def __init__(self, text: str, lines: list[str], flags: int):
        self.tree, marked_tree = _parse(text, flags), _parse(text, flags)
        self.text, self.flags = text, flags
        self.lines = [line.rstrip("\r\n") for line in lines]
        self.named: dict[str, list[CompiledFunction]] = {}  # by the name of the code
        for e in _entries(self.tree, shallow(marked_tree) if make_room(self.tree) else marked_tree, flags, text):
            self.named.setdefault(e.code.co_qualname, []).append(e)

    @functools.cached_property
    def pieces(self) -> list[CompiledFunction]:
        """As a notebook compiles its cells: each statement alone.
        A method of a module imported beside it is then called otherwise."""
        marked_tree = _parse(self.text, self.flags)
        pairs = zip(self.tree.body, marked_tree.body)
        return [e for stmt, other in pairs for e in _entries(ast.Module([stmt], []),
                                                             ast.Module([other], []), self.flags)]

    @functools.cached_property
    def contexts(self) -> dict[tuple, tuple[ast.AST, FunctionContext]]:
        """By place."""
        found = {}

        def visit(node, class_name, assigned):
            if isinstance(node, DEFS):
                found.setdefault(_place(node), (node, FunctionContext(class_name, assigned)))
            of_class = node.body if isinstance(node, ast.ClassDef) else ()
            named = node.value if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else None
            for child in children(node):
                visit(child, node.name if child in of_class else class_name,
                      node.targets[0].id if child is named else None)

        visit(self.tree, None, None)
        return found


_recent: dict[tuple[str, int], FunctionIndex] = {}


def functions_of_text(lines: list[str], flags: int) -> FunctionIndex:
    text = "".join(lines)
    if (text, flags) not in _recent:
        if len(_recent) >= 32:
            del _recent[next(iter(_recent))]
        _recent[text, flags] = FunctionIndex(text, lines, flags)
    return _recent[text, flags]


def _parse(text: str, flags: int) -> ast.Module:
    return _compile(text, flags | ast.PyCF_ONLY_AST)


def _compile(source, flags: int):
    try:
        return compile(source, "<text>", "exec", flags=flags, dont_inherit=True)
    except SyntaxError:  # a notebook cell may await at top level
        return compile(source, "<text>", "exec", flags=flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)


def _place(node) -> tuple[str, int, int]:
    return type(node).__name__, node.lineno, node.col_offset


def _entries(tree: ast.Module, marked_tree: ast.Module, flags: int, text: str | None = None) -> list[CompiledFunction]:
    """Pair each function of the tree with its code: compile the tree, or its text,
    and a copy whose functions bear numbers as lines."""
    real = list(_codes(_compile(text or tree, flags)))
    functions = [n for n in nodes(tree) if isinstance(n, DEFS)]
    base = 1_000_000
    for number, node in enumerate([n for n in nodes(marked_tree) if isinstance(n, DEFS)], base):
        mark = ast.Constant(None, lineno=number, end_lineno=number, col_offset=0, end_col_offset=0)
        if isinstance(node, ast.Lambda):
            ast.copy_location(node, mark)
        else:  # the first decorator gives a function's first line; it is compiled, never run
            node.decorator_list.insert(0, mark)
    marked = list(_codes(_compile(marked_tree, flags)))
    assert [c.co_name for c in real] == [c.co_name for c in marked]
    entries = []
    for code, other in zip(real, marked):
        number = other.co_firstlineno - base
        if number >= 0 and getattr(functions[number], "name", "<lambda>") == code.co_name:
            entries.append(CompiledFunction(code, _place(functions[number])))
    return entries


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _codes(const)


def best_match(entries: list[CompiledFunction], code) -> CompiledFunction | None:
    """The function with this very code; of several (two equal lambdas on a line) the one at the same place."""
    equal = [e for e in entries if e.code.co_qualname == code.co_qualname and _same(e.code, code)]
    positions = list(code.co_positions())

    def distance(entry):
        return abs(entry.code.co_firstlineno - code.co_firstlineno), list(entry.code.co_positions()) != positions

    return min(equal, key=distance, default=None)


def _same(a, b) -> bool:
    """Do two code objects do the same?  Where they stand in a file does not matter."""
    parts = ("co_name", "co_qualname", "co_code", "co_names", "co_varnames", "co_freevars",
             "co_cellvars", "co_argcount",
             "co_posonlyargcount", "co_kwonlyargcount", "co_exceptiontable")
    flags = (a.co_flags ^ b.co_flags) & ~inspect.CO_ITERABLE_COROUTINE  # which types.coroutine sets later
    return not flags and all(getattr(a, p) == getattr(b, p) for p in parts) and _same_const(a.co_consts, b.co_consts)


def _same_const(a, b) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, types.CodeType):
        return _same(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_same_const, a, b))
    if isinstance(a, frozenset):
        return {(type(v), repr(v)) for v in a} == {(type(v), repr(v)) for v in b}
    return repr(a) == repr(b)  # tells 0.0 from -0.0; nan equals itself


def with_asserts_rewritten(text: str, flags: int, file: str) -> list[CompiledFunction]:
    """The functions of a test module as pytest compiled them, its asserts rewritten."""
    try:
        rewrite = sys.modules["_pytest.assertion.rewrite"].rewrite_asserts
        trees = [_parse(text, flags) for _ in range(2)]
        for tree in trees:
            rewrite(tree, text.encode(), file)
        return _entries(*trees, flags)
    except Exception:  # another pytest: its functions with asserts are refused, the others are found as they are
        return []
