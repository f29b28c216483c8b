"""From a function to its syntax tree, the names it sees, and where each node stands in the user's file.

We start from the function's own `__code__`, never from `__wrapped__` (a decorator that scales the result must not
vanish), and never execute the user's text.  The text of the file is compiled; the function is the code object in it
that is equal to the loaded one.  If there is none the text is newer than what was loaded, and is refused.
"""
from __future__ import annotations
import __future__

import ast
import builtins
import functools
import inspect
import io
import os
import re
import sys
import sysconfig
import tokenize
import types
import weakref
from dataclasses import dataclass, field
from typing import Any, Callable

import gast

from ..errors.messages import Origin, UnsupportedError
from .functions_of_text import FunctionContext, FunctionIndex, best_match, functions_of_text, with_asserts_rewritten
from .module_names import module_of
from .trees import nodes
from .user_texts import DYNAMIC, UserText, possible_texts

FUTURE = 0
for _name in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _name).compiler_flag
OPAQUE = "__gradscribe_opaque__"  # an attribute of a wrapper that is not to be read (`gs.opaque`)
INSTALLED = tuple(sysconfig.get_paths()[name] + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib"))
@dataclass(frozen=True)
class Captured:
    """A Python function, taken apart.

    node        gast.FunctionDef without decorators; a lambda becomes one that returns its body.  Lines and columns
                are those of the user's file (columns in UTF-8 bytes, as in `ast`).  Shared: copy it before changing it.
    name        an identifier: the function's name, or what the lambda is assigned to, or "lambda_"
    origin_of   gast node -> Origin; nodes without a place give the function's own
    comments    {line: "# text"}; on a line of its own or trailing, see `owns_line`
    lines       the user's lines of the function, as written; lines[0] is line `first_line`
    bound       the arguments that are bound already: (self,) of a method, else ()
    freevars    {name: closure cell}
    """

    function: types.FunctionType
    node: gast.FunctionDef
    name: str
    file: str
    first_line: int
    lines: list[str]
    comments: dict[int, str]
    origin_of: Callable[[Any], Origin]
    bound: tuple = ()
    globals: dict[str, Any] = field(default_factory=dict, repr=False)
    freevars: dict[str, types.CellType] = field(default_factory=dict)
    defaults: tuple = ()
    kwdefaults: dict[str, Any] = field(default_factory=dict)

    @property
    def ours(self) -> bool:
        """Is it a function of this library, such as gs.lax.scan, and none of the user's?"""
        return self.globals.get("__name__", "").partition(".")[0] == "gradscribe" or self.library

    @functools.cached_property
    def library(self) -> bool:
        """Is it one of NumPy's functions, written in NumPy (`library`)?"""
        return (self.globals.get("__name__", "").startswith("gradscribe.transformer.library.")
                or hasattr(self.function, "__gradscribe_library__"))

    @functools.cached_property
    def foreign(self) -> bool:
        """Is it of this library, of Python's, or of one that is installed, whose text says nothing to the user?"""
        return self.ours or self.file.startswith(INSTALLED)

    def line(self, number: int) -> str:
        """The user's line of that number in the file."""
        return self.lines[number - self.first_line]

    def owns_line(self, number: int) -> bool:
        """Is there nothing but a comment on this line?"""
        return self.line(number).lstrip().startswith("#")

    def lookup(self, name: str) -> tuple[str, Any]:
        """("cell" | "global" | "builtin", value) of a name that is not local; NameError if there is none."""
        if name in self.freevars:
            try:
                return "cell", self.freevars[name].cell_contents
            except ValueError:
                raise NameError(f"cannot access free variable '{name}': it has no value yet") from None
        if name in self.globals:
            return "global", self.globals[name]
        scope = self.globals.get("__builtins__", builtins)
        scope = scope if isinstance(scope, dict) else vars(scope)
        if name in scope:
            return "builtin", scope[name]
        raise NameError(f"name '{name}' is not defined")


def capture(fun: Callable) -> Captured:
    """Take apart a function, a lambda, a method, or an object whose class defines `__call__` in Python."""
    function, bound = python_function(fun)
    found = _found(function)
    cells = function.__closure__ or ()
    return Captured(
        function=function, node=found.node, name=found.node.name, file=found.text.file,
        first_line=found.first_line, lines=found.lines, comments=found.comments, origin_of=found.origin_of, bound=bound,
        globals=function.__globals__, freevars=dict(zip(function.__code__.co_freevars, cells)),
        defaults=function.__defaults__ or (), kwdefaults=dict(function.__kwdefaults__ or {}))


def python_function(fun: Callable) -> tuple[types.FunctionType, tuple]:
    """The function written in Python behind a callable, and the arguments that are bound already."""
    match fun:
        case types.FunctionType():
            return python_function(fun.__wrapped__) if vars(fun).get(OPAQUE) else (fun, ())
        case types.MethodType(__func__=function, __self__=self):
            inner, bound = python_function(function)
            return inner, (*bound, self)
        case staticmethod():
            return python_function(fun.__func__)
    if is_compiled(fun):
        return python_function(fun.py_func)
    call = getattr(type(fun), "__call__", None)
    if isinstance(call, types.FunctionType) and not made_by_numba(fun):
        return call, (fun,)
    raise UnsupportedError(None, *not_python(fun))


def made_by_numba(fun) -> bool:
    """Has numba made it of a Python function?"""
    return module_of(type(fun)).partition(".")[0] == "numba"


def is_compiled(fun) -> bool:
    """Has numba compiled it for CPUs, as `njit` and `jit` do, so that it computes what its Python function does?"""
    return made_by_numba(fun) and type(fun).__name__ == "CPUDispatcher"


def not_python(fun) -> tuple[str, str]:
    """(why there is no Python source to read, what to do)"""
    name = getattr(fun, "__qualname__", None) or getattr(fun, "__name__", None) or repr(fun)
    if isinstance(fun, type):
        return (f"{name} is a class, not a function",
                f"Write a function that builds and uses it: lambda *args: {name}(*args)")
    if hasattr(fun, "py_func"):
        return f"{name} is compiled by numba already", f"Pass the Python function: {name}.py_func"
    if isinstance(getattr(fun, "__wrapped__", None), types.FunctionType):
        return (f"{name} is wrapped by {type(fun).__name__}, which has no Python source",
                f"Pass the function that is wrapped: {name}.__wrapped__")
    if not callable(fun):
        shown = repr(fun) if len(repr(fun)) < 40 else f"what is of type {type(fun).__name__}"
        return f"{shown} is not a function", "Pass a function, a lambda or a method."
    return (f"{name} is not written in Python, so there is no source to read",
            f"Call it from a function: lambda x: {name}(x)")


def by_name(x) -> str | None:
    """The name by which a module has this very object, as pickle finds functions; None if it has not."""
    found = sys.modules.get(module_of(x))
    name = getattr(x, "__qualname__", "")
    for part in name.split("."):
        found = getattr(found, part, None)
    return name if found is x else None


# the source of a code object ----------------------------------------------------------------
def text_behind(function: types.FunctionType) -> UserText | None:
    """The text that a function is in, once it has been compared; None if there is none."""
    try:
        return _found(function).text
    except UnsupportedError:
        return None


@dataclass(frozen=True)
class _Found:
    text: UserText
    node: gast.FunctionDef
    first_line: int
    lines: list[str]
    comments: dict[int, str]
    origin_of: Callable[[Any], Origin]


_by_code: dict[int, tuple[weakref.ref, _Found]] = {}  # by identity: equal code objects may come from different files


def _found(function: types.FunctionType) -> _Found:
    code = function.__code__
    entry = _by_code.get(id(code))
    if entry is None or entry[0]() is not code:
        key = id(code)
        entry = weakref.ref(code, lambda _: _by_code.pop(key, None)), _find(function)
        _by_code[key] = entry
    return entry[1]


def _find(function: types.FunctionType) -> _Found:
    code = function.__code__
    whole, index, (node, context) = _located(code, function.__globals__)
    tree, text = _as_def(node, context), index.lines
    origin_of = _originator(whole.file, text, tree, code.co_name)
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise UnsupportedError(origin_of(tree), f"{code.co_name} is a coroutine",
                               instead="Wait outside of the transformed function, and pass it the result.")
    first, last = node.lineno, node.end_lineno
    return _Found(whole, tree, first, text[first - 1:last], _comments(whole.lines[first - 1:last], first), origin_of)


def _no_source(code):
    name, file = code.co_name, code.co_filename
    if file == "<stdin>":
        raise UnsupportedError(None, f"there is no source text for {name}, which was typed at Python's own prompt, or "
                                     "read from standard input", (
            "Python keeps no text of that, before 3.13 at the prompt, and of standard input at all: define it in a "
            "file and import it, or start IPython, or work in a notebook. A script is run by its name: "
            "python script.py"))
    if file == DYNAMIC:
        raise UnsupportedError(None, f"there is no source text for {name}, which came from another process", (
            "A transformed function takes the texts with it: transform it where it is written, and send that, as "
            "gs.jit or gs.grad gives it. Or define it in a file that both can import."))
    raise UnsupportedError(None, f"there is no source text for {name} (it was compiled from {file})", instead=(
        "Define it in a file or in a notebook cell. If exec makes it, give its text a name of its own that Python "
        "knows: "
        "linecache.cache[name] = (len(text), None, text.splitlines(True), name); exec(compile(text, name, 'exec'))"))


# which function of the text is it? ----------------------------------------------------------
def _located(code, namespace) -> tuple[UserText, FunctionIndex, tuple[ast.AST, FunctionContext]]:
    there_is_text = False
    for text in possible_texts(code, namespace):
        if found := _locate(code, namespace, text.lines):
            return text, *found
        there_is_text = there_is_text or text.file == code.co_filename and bool("".join(text.lines).strip())
    (_changed if there_is_text else _no_source)(code)


def _locate(code, namespace, lines: list[str]) -> tuple[FunctionIndex, tuple[ast.AST, FunctionContext]] | None:
    flags = code.co_flags & FUTURE
    try:
        plain = functions_of_text(lines, flags)
    except (SyntaxError, ValueError):
        return None
    entry = best_match(plain.named.get(code.co_qualname, ()), code) or best_match(plain.pieces, code)
    if entry is None and "@pytest_ar" in namespace:
        entry = best_match(with_asserts_rewritten(plain.text, flags, code.co_filename), code)
    return (plain, plain.contexts[entry.place]) if entry else None


def _changed(code):
    file, line = code.co_filename, code.co_firstlineno
    if file == "<string>":  # what Python 3.13 has under this name is the text of `python -c`, and not that of an exec
        _no_source(code)
    raise UnsupportedError(Origin(file, line, 0, line, 0, "", code.co_name),
                           f"the source of {code.co_name} changed since it was loaded: its text and its code no "
                           f"longer agree",
                           instead="Import the module again (importlib.reload, or a new session), or run the cell "
                                   "again.")


# the tree ------------------------------------------------------------------------------------
def _as_def(node: ast.AST, context: FunctionContext) -> gast.FunctionDef:
    tree = gast.ast_to_gast(node)
    if context.class_name and context.class_name.strip("_"):
        _mangle(tree, "_" + context.class_name.lstrip("_"))
    if not isinstance(tree, gast.Lambda):
        tree.decorator_list = []
        return tree
    body = gast.copy_location(gast.Return(value=tree.body), tree.body)
    made = gast.FunctionDef(name=context.assigned or "lambda_", args=tree.args, body=[body], decorator_list=[],
                            returns=None, type_comment=None, type_params=[])
    return gast.copy_location(made, tree)


def _mangle(tree, prefix: str) -> None:
    """Private names inside a class, as Python reads them: `self.__w` is `self._Model__w`."""
    for node in nodes(tree):
        match node:
            case gast.Name(id=name) if _private(name):
                node.id = prefix + name
            case gast.Attribute(attr=name) if _private(name):
                node.attr = prefix + name


def _private(name: str) -> bool:
    return bool(re.fullmatch(r"__\w*(?<!__)", name))


def _originator(file: str, lines: list[str], root: gast.AST, function: str) -> Callable[[Any], Origin]:
    def column(line: int, offset: int) -> int:  # from bytes to characters
        text = lines[line - 1]
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))

    @functools.cache
    def between(line: int, offset: int, end: int, end_offset: int) -> Origin:
        return Origin(file, line, column(line, offset), end, column(end, end_offset),
                      "\n".join(lines[line - 1:end]), function)

    def origin_of(node) -> Origin:
        at = node if getattr(node, "lineno", None) else root
        return between(at.lineno, at.col_offset, at.end_lineno or at.lineno, at.end_col_offset)

    return origin_of


def _comments(lines: list[str], first: int) -> dict[int, str]:
    found = {}
    if not any(["#" in line for line in lines]):
        return found
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0] + first - 1] = token.string
    except (tokenize.TokenError, SyntaxError):  # a lambda inside brackets: its lines are only part of a statement
        pass
    return found
