"""Core to source that people read: `readable(fun)`.

    functions -> inplace -> to_tree (exits back) -> hand_over -> denest -> variables -> unparse (Python's own tree)
  -> printer

The passes work on a tree of core's operations, with eight kinds of statement and one of expression (`tree`).  Only the
last step makes Python's syntax tree of it, which astor prints.

Imports transformer.analyse, transformer.core, transformer.errors, transformer.frontend, transformer.optimise,
transformer.pytree, transformer.rules.
"""
from __future__ import annotations

import ast
import functools
import hashlib
import linecache
from dataclasses import dataclass, replace
from typing import Any, Callable

from ..core import Fun, Let, walk
from ..optimise.dce import bound_to_raise
from ..optimise.functions import share_functions
from ..optimise.inplace import inplace
from .code_tree import CodeTree
from .denest import denest
from .exits import to_tree
from .lists import tapes_as_lists
from .members import members_in_place
from .naming import tidy, variables
from .ownership import unshared
from .printer import printed
from .routines import hand_over, routines_of
from .unparse import Unparser, module_of


@dataclass
class Source:
    """Generated source: `text` runs as it is; `tree` is what it says, as Python has it.

    The function takes and gives flat values; with one result its text returns that, and `function()` wraps it
    in a tuple.
    """

    text: str
    name: str
    tree: ast.Module
    results: int = 1

    @functools.cached_property
    def located(self) -> ast.Module:
        """The tree with the positions that its nodes have in the text."""
        for node, there in zip(ast.walk(self.tree), ast.walk(ast.parse(self.text))):
            ast.copy_location(node, there)
        return self.tree

    @functools.cached_property
    def line_map(self) -> dict[int, Any]:
        """{line, counted from 1: the user's place}"""
        stmts = [s for s in ast.walk(self.located) if getattr(s, "origin", None) is not None]
        return {line: s.origin for s in stmts for line in range(s.lineno,
            s.body[0].lineno if hasattr(s, "body") else s.end_lineno + 1)}

    @property
    def file(self) -> str:
        """What tracebacks call the text."""
        return f"<gradscribe {self.name} {hashlib.sha256(self.text.encode()).hexdigest()[:16]}>"

    def defined(self) -> Callable:
        """The function that the text defines."""
        file = self.file
        namespace: dict[str, Any] = {}
        exec(compile(self.text, file, "exec"), namespace)
        linecache.cache[file] = (len(self.text), None, self.text.splitlines(True), file)
        return namespace[self.name]

    def function(self) -> Callable:
        """The same of a flat source: flat arguments in, a tuple of flat results out."""
        function = self.defined()
        if self.results != 1:
            return function
        return lambda *args: (function(*args),)


def readable(fun: Fun, owned: frozenset[str] = frozenset(), signature=None, main=None, lengths=None,
             quiet: tuple = (), primal=None) -> Source:
    """The source of a core function; `owned` as for `inplace`.

    signature: a `Signature`, for the user's own parameters and results; flat without it.
    main: the user's function as captured, whose comments are kept.
    lengths: {a length of an argument: the variable that the user has it in}
    primal: the function as recorded, before its passes: it knows what the values were of which only adjoints are left
    quiet: what NumPy is to ignore in it, as in a part of the user's function: "divide", ...
    """
    name = signature.name if signature else fun.name
    fun = share_functions(fun, {fun.name, name, *(signature.params if signature else ())})
    routines = routines_of(fun)
    tree = tree_of(fun, owned)
    tree.hints |= lengths or {}
    if signature:
        tree.hints |= {p: e for p, e in signature.access.items() if e.isidentifier() and p not in signature.rows}
    trees = {routine: replace(tree_of(routine.fun), inner=True) for routine in routines}
    shown = hand_over(tree, trees, signature)
    titles = {routine.fun.name for routine in routines}
    made = [unparser(own, titles, primal=primal).function(routine.fun.name, routine.fun.origin)
            for routine, own in trees.items()]
    last = unparser(tree, titles, main, shown, primal)
    made.append(quietly(last.function(name, fun.origin), quiet))
    module = module_of(made, modules_of(fun, *[r.fun for r in routines]), signature.classes() if signature else ())
    return Source(printed(module), name, module, len(fun.body.results))


def modules_of(*funs: Fun) -> list[str]:
    """The modules that operations of these functions are called from."""
    return sorted({s.op.module for fun in funs for s in walk(fun.body) if isinstance(s, Let) and s.op.module})


def quietly(function: ast.FunctionDef, quiet: tuple) -> ast.FunctionDef:
    if quiet:
        kinds = ", ".join([f"{kind}='ignore'" for kind in (("all",) if "all" in quiet else quiet)])
        function.decorator_list = [ast.parse(f"np.errstate({kinds})", mode="eval").body]
    return function


def tree_of(fun: Fun, owned: frozenset[str] = frozenset()) -> CodeTree:
    return to_tree(inplace(fun, owned), frozenset(bound_to_raise(fun)))


def unparser(tree: CodeTree, titles: set[str], main=None, signature=None, primal=None) -> Unparser:
    tapes_as_lists(tree)
    denest(tree, primal)
    members_in_place(tree)
    names = variables(tree, titles)
    own = unshared(tree, names)
    tidy(tree, names)
    return Unparser(tree, names, own, main, signature)


__all__ = ["Source", "readable"]
