"""Does a file of source compute what Gradscribe's own source computes, to the last bit, and need nothing of it?"""
from __future__ import annotations

import ast
import dataclasses
import sys
import types

import numpy as np

from ..errors.messages import GradscribeError
from ..frontend.module_names import package_of
from ..inputs.guards import Path
from ..programs.cache import copied_argument
from ..programs.program import unseen
from ..specialise.arguments import Fixed
from .literals import PRESENT


def check_text(g, text: str, name: str, args, kwargs) -> None:
    """Refuse a file that differs for these arguments: in a result, in what it stores into them, in what it raises."""
    packages = imported_packages(text)
    if not packages <= PRESENT:
        raise GradscribeError(None, f"the file would import {', '.join(sorted(packages - PRESENT))}",
                              "Let the function need NumPy and SciPy alone.")
    want = outcome(lambda args, kwargs: run_readable(g, args, kwargs), args, kwargs)
    got = outcome(lambda args, kwargs: loaded_text(text, name)(*args, **kwargs), args, kwargs)
    if not same_bits(want, got):
        raise GradscribeError(None, f"{name} gives {brief(got[1])} as a file, and {brief(want[1])} without",
                              "Pass what it sees from outside as arguments, and return numbers, arrays and containers "
                              "of them; for a function of the clock or of random numbers say check=False.")


def loaded_text(text: str, name: str):
    """The function that the text of a file defines."""
    module = types.ModuleType(f"_export_of_{name}")
    sys.modules[module.__name__] = module  # where a dataclass looks for it
    try:
        exec(compile(text, f"<export of {name}>", "exec", dont_inherit=True), vars(module))
    finally:
        del sys.modules[module.__name__]
    return vars(module)[name]


def imported_packages(text: str) -> set[str]:
    """The packages that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {a.name.partition(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def run_readable(g, args, kwargs):
    """A call as the readable source serves it, also of a function that would be compiled."""
    leaves: list = []
    program, flat = g._cache.find(*g._cache.fixed(args, kwargs), leaves)
    outside = [(x, x.copy()) for p, x in zip(program.spec.params, flat)
               if isinstance(p, Path) and isinstance(x, np.ndarray)]
    try:
        results = program.source().function()(*flat)
        for written, k in program.spec.fun.writes.items():
            if results[k] is not flat[program.core.params.index(written)]:
                raise GradscribeError(None, f"{program.core.name} cannot be written to a file: it stores into a copy "
                                      "of an argument, which is then copied back", "Return what it stores.")
        return program.given(flat, results)
    finally:
        for x, before in outside:
            if not same_bits(x, before):
                x[...] = before


def outcome(function, args, kwargs) -> tuple:
    """(whether it returns, what it returns or raises, its arguments afterwards)"""
    args, kwargs = [copied_argument(a) for a in args], {k: copied_argument(a) for k, a in kwargs.items()}
    with unseen():
        try:
            return True, function(args, kwargs), [*args, *kwargs.values()]
        except GradscribeError:
            raise
        except Exception as error:
            return False, (known_base(type(error)).__name__, str(error)), []


def known_base(cls: type) -> type:
    """The class of an exception; of those that Gradscribe makes of Python's own, Python's."""
    return next(c for c in cls.__mro__ if package_of(c) != "gradscribe")


def same_bits(x, y) -> bool:
    """Are two results the same: classes, dtypes, shapes and all bits?  (A file has classes of its own, of the same
    names.)"""
    if isinstance(x, Fixed):
        return True
    if type(x).__name__ != type(y).__name__:
        return False
    if isinstance(x, (np.ndarray, np.generic, float, complex)):
        return same_arrays(np.asarray(x), np.asarray(y))
    if isinstance(x, dict):
        return [*x] == [*y] and all([same_bits(x[k], y[k]) for k in x])
    if isinstance(x, (tuple, list)):
        return len(x) == len(y) and all(map(same_bits, x, y))
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return all([same_bits(getattr(x, f.name), getattr(y, f.name)) for f in dataclasses.fields(x)])
    return x is y or bool(x == y)


def same_arrays(x, y) -> bool:
    alike = x.dtype == y.dtype and x.shape == y.shape
    if alike and x.dtype == object:
        return all(map(same_bits, x.ravel(), y.ravel()))
    return alike and x.tobytes() == y.tobytes()


def brief(x) -> str:
    text = " ".join(repr(x).split())
    return text if len(text) < 60 else text[:56] + " ..."
