"""The function that a command names, `FILE.py:FUNCTION`, and the arguments of `--at "x=np.ones(3), n=4"`."""
from __future__ import annotations

import ast
import contextlib
import difflib
import importlib
import inspect
import linecache
import math
import os
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Callable

import numpy as np

from gradscribe.transformer.errors.carets import caret
from gradscribe.transformer.errors.messages import Origin
from gradscribe.transformer.frontend.capture import is_compiled
from gradscribe.transformer.functions.check_report import unwrapped

from ._failures import place_of_exception

AT = "<--at>"  # what tracebacks call the text of --at


class BadUsage(Exception):
    """What the user has typed cannot be meant; it ends with the exit status 2."""


# modules ------------------------------------------------------------------------------------------
def module_at(where: str) -> ModuleType:
    """The module of a file, or of a dotted name; what it prints goes to stderr, as stdout is for what is asked."""
    with contextlib.redirect_stdout(sys.stderr):
        if where.endswith(".py") or os.sep in where or Path(where).is_file():
            return module_of_file(Path(where))
        return module_of_name(where)


def module_of_file(path: Path) -> ModuleType:
    """The module of a file, which is run as Python runs a script, but not as `__main__`."""
    if not path.is_file():
        raise BadUsage(f"there is no file {path}{did_you_mean(path.name, files_beside(path))}")
    file = os.path.abspath(path)
    first_on_path(str(path.resolve().parent))
    other = sys.modules.get(path.stem)
    if other is not None and getattr(other, "__file__", None) == file:
        return other
    module = ModuleType(path.stem if other is None else file)  # it takes the place of no other module
    module.__file__ = file
    sys.modules[module.__name__] = module  # where dataclasses and pickle look for it
    try:
        exec(compile(path.read_bytes(), file, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        del sys.modules[module.__name__]
        if isinstance(error, ImportError) and "no known parent package" in str(error):
            raise BadUsage(f"{path} imports from its package, which a file has not: name the module, "
                           f"{path.resolve().parent.name}.{path.stem}, from the folder above") from None
        if isinstance(error, (SyntaxError, ValueError)) and "null bytes" in str(error):
            raise BadUsage(f"{path} is no text of Python: it has null bytes") from None
        raise
    return module


def files_beside(path: Path) -> list[str]:
    return [other.name for other in path.parent.glob("*.py")] if path.parent.is_dir() else []


def module_of_name(name: str) -> ModuleType:
    if not all([part.isidentifier() for part in name.split(".")]):
        raise BadUsage(f"{name!r} is neither a file nor the name of a module")
    first_on_path(os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # a module that it imports
        raise BadUsage(f"there is no module {error.name!r}. Of a file write FILE.py:FUNCTION.") from None


def first_on_path(folder: str) -> None:
    """Imports look there first, as they do for a script."""
    if folder not in sys.path:
        sys.path.insert(0, folder)


# functions ----------------------------------------------------------------------------------------
def named_function(target: str) -> tuple[ModuleType, Callable]:
    """The module and the function of `FILE.py:FUNCTION` or `package.module:FUNCTION`."""
    where, colon, name = target.rpartition(":")
    if not colon and Path(target).is_file():
        raise BadUsage(f"{target}: which function? Write {target}:FUNCTION.{listed_names(names_in_text(Path(target)))}")
    if not where or not name:
        raise BadUsage(f"{target!r} names no function: write FILE.py:FUNCTION or package.module:FUNCTION")
    module = module_at(where)
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            names = list(functions_in(module)) if value is module else [n for n in dir(value) if n[:1] != "_"]
            raise BadUsage(f"{where} has no function {name!r}{did_you_mean(part, names) or '.' + listed_names(names)}")
        value = getattr(value, part)
    if not callable(value):
        raise BadUsage(f"{target} is no function, but of the type {type(value).__name__}")
    return module, value


def names_in_text(path: Path) -> list[str]:
    """The functions of a file that is not run."""
    try:
        return [node.name for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)]
    except (SyntaxError, ValueError):
        return []


def functions_in(module: ModuleType) -> dict[str, FunctionType]:
    """{name: function} of what is defined in a module itself, methods among it, in the order of the text."""
    found: dict[str, FunctionType] = {}
    for name, value in vars(module).items():
        methods = vars(value).values() if isinstance(value, type) and value.__module__ == module.__name__ else ()
        for each in (value, *methods):
            function = plain_function(each)
            if function is not None and function.__code__.co_filename == getattr(module, "__file__", None):
                found.setdefault(name if each is value else function.__qualname__, function)
    return dict(sorted(found.items(), key=lambda item: item[1].__code__.co_firstlineno))


def plain_function(value) -> FunctionType | None:
    """The function under transformations, decorators, properties and what numba has compiled."""
    value = unwrapped(value)
    match value:
        case staticmethod() | classmethod():
            value = value.__func__
        case property():
            value = value.fget
        case _ if is_compiled(value):
            value = value.py_func
    with contextlib.suppress(ValueError):  # it leads back to itself
        return inspect.unwrap(value) if isinstance(value, FunctionType) else None
    return None


def did_you_mean(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, 1)
    return f". Did you mean {near[0]}?" if near else ""


def listed_names(names: list[str]) -> str:
    return f" It has {', '.join(names[:12])}{', ...' * (len(names) > 12)}." if names else ""


# arguments ----------------------------------------------------------------------------------------
def arguments_at(text: str | None, module: ModuleType, function: Callable) -> tuple[tuple, dict]:
    """(args, kwargs) of --at; by position as far as that goes, since derivatives are by position."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = None
    if text is None:
        raise BadUsage("the source depends on the kinds and the shapes of the arguments: "
                       f'add --at "{sample_arguments(signature)}"')
    args, kwargs = evaluated_arguments(text, {"np": np, "math": math, **vars(module)})
    if signature is None:
        return args, kwargs
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        raise BadUsage(f"--at {text!r} does not fit {name}{signature}: {error}") from None
    return bound.args, bound.kwargs


def sample_arguments(signature: inspect.Signature | None) -> str:
    """Arguments to fill in."""
    parameters = [] if signature is None else signature.parameters.values()
    return ", ".join([f"{p.name}=..." for p in parameters
                      if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]) or "..."


def evaluated_arguments(text: str, names: dict) -> tuple[tuple, dict]:
    """The arguments of a call, of which `text` is what stands in its brackets."""
    linecache.cache[AT] = len(text), None, text.splitlines(True), AT
    collect = "_arguments_of_a_call"
    try:
        tree = ast.increment_lineno(ast.parse(f"{collect}(\n{text}\n)", mode="eval"), -1)
        code = compile(tree, AT, "eval")
    except SyntaxError as error:
        raise BadUsage(unreadable(text, error)) from None
    if not (isinstance(tree.body, ast.Call) and isinstance(tree.body.func, ast.Name)):
        raise BadUsage(f"--at is what stands in the brackets of a call, \"x=np.ones(3), n=4\", and not {text!r}")
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return eval(code, {**names, collect: lambda *args, **kwargs: (args, kwargs)})
    except Exception as error:
        where = place_of_exception(error)
        lines = caret(where) if where is not None and where.file == AT else []
        raise BadUsage("\n".join([f"--at: {type(error).__name__}: {error}", *lines])) from error


def unreadable(text: str, error: SyntaxError) -> str:
    """What is said of a text that is no Python, with a caret under the place; under its end for a bracket of ours."""
    lines, line, column = text.split("\n"), (error.lineno or 1) - 1, (error.offset or 1) - 1
    if not 1 <= line <= len(lines):
        line, column = len(lines), len(lines[-1])
    origin = Origin(AT, line, column, line, column + 1, lines[line - 1])
    return "\n".join([f"--at: {error.msg}", *caret(origin)])
