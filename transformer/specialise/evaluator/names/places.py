"""Where in the user's text a function stands, returns, or has a parameter."""
from __future__ import annotations

import gast

from ....errors.messages import UnsupportedError
from ....frontend.capture import capture
from ....frontend.trees import children
from ...domain import values as v


def place(function, parameter: int | None = None):
    """Where in the user's text a function returns, or has its parameter of this number; None if it has no text."""
    node, origin_of, skip = _definition(function)
    if node is None:
        return None
    parameters = [*node.args.posonlyargs, *node.args.args]
    if parameter is not None:
        k = parameter + skip
        return origin_of(parameters[k] if k < len(parameters) else node)
    returns = [n for stmt in node.body for n in returns_of(stmt)]
    return origin_of(returns[0] if len(returns) == 1 else node)


def place_of_none(function):
    """Where in the user's text a function returns None, if that is one place; else where `place` has it."""
    node, origin_of, _ = _definition(function)
    returns = [n for stmt in ([] if node is None else node.body) for n in returns_of(stmt)
               if n.value is None or isinstance(n.value, gast.Constant) and n.value.value is None]
    return origin_of(returns[0]) if len(returns) == 1 else place(function)


def _definition(function):
    """(tree, origin_of, number of arguments that are bound) of a function's value."""
    match function:
        case v.Closure(node=node, frame=frame):
            return node, frame.captured.origin_of, 0
        case v.Static(value=f):
            while hasattr(f, "__gradscribe_call__") and hasattr(f, "__wrapped__"):
                f = f.__wrapped__
            try:
                captured = capture(f)
            except UnsupportedError:
                return None, None, 0
            return captured.node, captured.origin_of, len(captured.bound)
        case v.Derived(function=inner):
            return _definition(inner)
    return None, None, 0


def returns_of(node) -> list:
    """The return statements of a statement, those of nested functions apart."""
    if isinstance(node, gast.Return):
        return [node]
    nested = isinstance(node, (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.AsyncFunctionDef))
    return [] if nested else [n for child in children(node) for n in returns_of(child)]
