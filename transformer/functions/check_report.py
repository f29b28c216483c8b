"""`gs.check`: the problems of a function, without running it."""
from __future__ import annotations

import functools
import types as pytypes
from typing import Any, Callable, Iterator

import numpy as np

from ..core import STORED, Fun, Let, walk
from ..core.types import type_of_number
from ..errors.messages import GradscribeError, Problem
from ..frontend.capture import INSTALLED, Captured, capture
from ..programs.cache import copied_argument
from ..specialise.refusals.findings import findings, is_known_function, outside_names
from .sweeps import Primal
from .transformed import Transformed


class Report(tuple[Problem, ...]):
    """Problems that print as an error would."""

    def __str__(self):
        return "\n\n".join(map(str, self)) or "no problems found"

    __repr__ = __str__


def check(fun: Callable, *args: Any, **kwargs: Any) -> Report:
    """List what Gradscribe cannot handle in a function, without running it.

    Parameters
    ----------
    fun : callable
        A function, or what `grad`, `jit`, ... return.
    *args, **kwargs : any
        Arguments like those of a call.  Without any, the text of the function, and of your functions that it mentions,
        is searched for syntax and for calls that have no rule; some of it may stand where the program never comes.
        With arguments, it is what a call with them would refuse, types and shapes included; of a program whose floats
        are all float32, it is also where they become float64.

    Returns
    -------
    Report
        A tuple of problems, each with `.origin`, `.message` and `.instead`; it prints as an error does, and is empty
        where there is none.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(x ** 2)
    >>> gs.check(f)
    no problems found
    >>> [problem.message for problem in gs.check(gs.grad(f), 3)]
    ['argument 0 has dtype int64, and only floats have derivatives']
    >>> def mean(x): return np.sum(x) / np.sqrt(len(x))
    >>> [problem.message for problem in gs.check(mean, np.ones(3, np.float32))]
    ['float32 becomes float64 here']
    """
    try:
        if args or kwargs:
            transformed = fun if isinstance(fun, Transformed) else Primal(fun)
            return Report(widened(transformed._cache.lookup(copied_argument(args), copied_argument(kwargs)).core))
        functions = [capture(unwrapped(fun))]
    except GradscribeError as error:
        return Report(error.problems)
    problems: dict[Problem, None] = {}
    for captured in mentioned_functions(functions):
        problems.update(dict.fromkeys(findings(captured)))
    return Report(problems)


def widened(fun: Fun) -> list[Problem]:
    """Where float32 meets float64 in a function whose own floats are all float32."""
    def widths(atoms):
        types = [fun.types[a] if isinstance(a, str) else type_of_number(a.value) for a in atoms]
        return {t.dtype for t in types if t.is_float and t.kind in ("np", "array")}

    if widths(fun.params) != {np.dtype(np.float32)}:
        return []
    own = [s for s in walk(fun.body)
           if isinstance(s, Let) and s.origin and not s.origin.derivative and s.op.memory is not STORED]
    last = {s.origin: s for s in own}  # what a function of NumPy computes in float64 inside may be float32 again
    places = [s.origin for s in own if np.dtype(np.float32) in widths(s.args)
              and widths(s.names) == widths(last[s.origin].names) == {np.dtype(np.float64)}]
    instead = ("This is NumPy's rule: np.zeros(n) and np.sqrt of an int are float64. "
               "Write np.zeros(n, dtype=x.dtype), np.float32(np.sqrt(n)).")
    return [Problem(place, "float32 becomes float64 here", instead) for place in dict.fromkeys(places)]


def unwrapped(fun):
    """The user's function under transformations and partials."""
    while isinstance(fun, (Transformed, functools.partial)):
        fun = fun.func if isinstance(fun, functools.partial) else fun.__wrapped__
    return fun


def mentioned_functions(functions: list[Captured]) -> Iterator[Captured]:
    """The functions, and those of the user's own that they mention, and so on, each once."""
    seen = {id(c.node) for c in functions}
    while functions:
        captured = functions.pop(0)
        yield captured
        for _, value in outside_names(captured):
            value = unwrapped(value)
            if (not isinstance(value, pytypes.FunctionType) or is_known_function(value)
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
