"""Raise statements: the exception is made of values of the run time, where the program comes to it.

    raise ValueError(f"bad {x}")        rt.require(ok, x, kind='ValueError', error=((('text', 'bad {}', 0),), ()))
"""
from __future__ import annotations

from dataclasses import replace

import gast

from ...domain import values as v
from ..flow.sides import divided
from ..names.problems import is_exception, raised
from ..names.tables import evaluate
from ..objects.texts import text_parts
from .expressions import arguments

NOTHING = "No active exception to reraise"
NO_EXCEPTION = "exceptions must derive from BaseException"
NO_CAUSE = "exception causes must derive from BaseException"


def certain(s, node) -> None:
    """A raise statement."""
    if node.exc is None:
        s.stop("RuntimeError", NOTHING)
    problem = exception(s, node.exc, NO_EXCEPTION)
    cause = exception(s, node.cause, NO_CAUSE) if node.cause is not None else ()
    raised_on_sides(s, problem, cause)


def raised_on_sides(s, problem, cause) -> None:
    """Where it tells which of two strings, or of two functions, something is: raised on each side of a branch."""
    def again(x):
        raised_on_sides(s, replace(problem, args=(*problem.args[:k], x, *problem.args[k + 1:])), cause)

    for k, x in enumerate(problem.args):
        if isinstance(x, v.OneOf) and not x.optional:
            return divided(s, x, again)
        for n, part in enumerate(x.parts if isinstance(x, v.RunTimeText) else ()):
            if not isinstance(part, str) and isinstance(part[0], v.OneOf):
                conversion, _, spec = part[1][1:-1].partition(":")
                return divided(s, part[0], lambda y: again(
                    v.text([*x.parts[:n], *text_parts(s, y, conversion, spec, part[2]), *x.parts[n + 1:]])))
    raised(s, problem, cause)


def exception(s, node, otherwise: str):
    """The exception that an expression of a raise statement is; None is one as a cause."""
    if isinstance(node, gast.Call):
        function = evaluate(s, node.func)
        if is_exception(function):
            args, kwargs = arguments(s, node, function)
            return v.UnraisedException(function.value, tuple(args), tuple(kwargs.items()))
    value = evaluate(s, node)
    if is_exception(value):
        return v.UnraisedException(value.value)
    if isinstance(value, v.UnraisedException) or otherwise is NO_CAUSE and isinstance(value,
                                                                                      v.Static) and value.value is None:
        return value
    if isinstance(value, v.Static) and isinstance(value.value, BaseException) or isinstance(value, v.OneOf):
        s.fail(f"{s.describe(value)} is raised", "Make the exception where it is raised: raise ValueError(...)")
    s.stop("TypeError", otherwise)
