"""`gs.check`: the problems of a function, without running it."""
from __future__ import annotations

import functools
import types as pytypes
from typing import Any, Callable, Iterator

from .capture import INSTALLED, Captured, capture
from .dispatch import copied
from .errors import GradscribeError, Problem
from .specialise.refusals.findings import findings, known, outside
from .transformed import Primal, Transformed, kept


class Report(tuple[Problem, ...]):
    """Problems that print as an error would."""

    def __str__(self):
        return "\n\n".join(map(str, self)) or "no problems found"

    __repr__ = __str__


def check(fun: Callable, *args: Any, **kwargs: Any) -> Report:
    """List what Gradscribe cannot handle in a function, without running it.

    fun     a function, or what `grad`, `jit`, ... return
    args, kwargs   arguments like those of a call.  Without any, the text of the function, and of your functions that it
            mentions, is searched for syntax and for calls that have no rule; some of it may stand where the program
            never comes.  With arguments, it is what a call with them would refuse, types and shapes included.

    Returns a tuple of problems, each with `.origin`, `.message` and `.instead`; it prints as an error does, and is
    empty where there is none.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(x ** 2)
    >>> gs.check(f)
    no problems found
    >>> [problem.message for problem in gs.check(gs.grad(f), 3)]
    ['argument 0 has dtype int64, and only floats have derivatives']
    """
    try:
        if args or kwargs:
            transformed = fun if isinstance(fun, Transformed) else kept(Primal, fun)
            transformed._cache.lookup(copied(args), copied(kwargs))
            return Report()
        functions = [capture(unwrapped(fun))]
    except GradscribeError as error:
        return Report(error.problems)
    problems: dict[Problem, None] = {}
    for captured in mentioned(functions):
        problems.update(dict.fromkeys(findings(captured)))
    return Report(problems)


def unwrapped(fun):
    """The user's function under transformations and partials."""
    while isinstance(fun, (Transformed, functools.partial)):
        fun = fun.func if isinstance(fun, functools.partial) else fun.__wrapped__
    return fun


def mentioned(functions: list[Captured]) -> Iterator[Captured]:
    """The functions, and those of the user's own that they mention, and so on, each once."""
    seen = {id(c.node) for c in functions}
    while functions:
        captured = functions.pop(0)
        yield captured
        for _, value in outside(captured):
            value = unwrapped(value)
            if (not isinstance(value, pytypes.FunctionType) or known(value)
                    or value.__code__.co_filename.startswith(INSTALLED)):
                continue
            try:
                other = capture(value)
            except GradscribeError:  # no source: it is refused where it is called
                continue
            if id(other.node) not in seen:
                seen.add(id(other.node))
                functions.append(other)


__all__ = ["Report", "check"]
