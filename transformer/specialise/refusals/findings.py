"""What will be refused of a function, found in its text: no arguments, and nothing runs.

    def f(x):
        print(x)                      input or output
        return {v * 2 for v in x}     a set comprehension

`gs.check` lists it, and an error at one place of a function is completed with what there is at the others.  Whether a
place is ever reached is not known here, so that nothing is refused because of a finding alone.
"""
from __future__ import annotations

import functools
import inspect
import random
import types as pytypes
from typing import Any, Iterator

import gast
import numpy as np

from ...errors.messages import GradscribeError, ImpurityError, MissingAttribute, MissingName, Problem, UnsupportedError
from ...frontend.capture import INSTALLED, Captured, capture
from ...frontend.desugar import desugar, inserts_code
from ...frontend.exits import structured
from ...frontend.module_names import package_of
from ...frontend.trees import children, nodes
from ...frontend.yields import check_yields, makes_contexts
from ...library.indexes import makes_known
from ...library.registry import handler_of, method_handler
from ..domain.classes import UNCHANGING, makeable
from . import impure
from .impure import title_of
from .syntax import REFUSED, refusal
from .words import no_attribute, no_class, no_rule, undefined

UNKNOWN = object()


class Lacking:
    """An attribute that its holder has not."""

    def __init__(self, holder):
        self.holder = holder


COROUTINE = inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE | inspect.CO_ASYNC_GENERATOR
# attributes read without effect
OPEN = (pytypes.ModuleType, type, np.ufunc, np.random.Generator, np.random.RandomState, random.Random)


def findings(captured: Captured) -> list[Problem]:
    """All that can be said of a function, those nested in it included, in the order of the text."""
    node, at = captured.node, captured.origin_of
    errors = [*_refused_syntax(captured), *_refused_names(captured)]
    try:
        check_yields(node, at, makes_contexts(captured.lines))
        structured(desugar(node, at), at)
    except GradscribeError as error:
        errors.append(error)
    problems = dict.fromkeys(p for error in errors for p in error.problems)
    return sorted(problems, key=lambda p: (p.origin.line, p.origin.col))


def complete(error: GradscribeError, captured: Captured) -> None:
    """Add to an error that arose in this function what else there is in it."""
    whole, place = captured.origin_of(captured.node), error.origin
    if place is not None and place.file == whole.file and whole.line <= place.line <= whole.end_line:
        error.also(findings(captured))


# syntax ------------------------------------------------------------------------------------------
def _refused_syntax(captured: Captured) -> Iterator[GradscribeError]:
    for node in reachable_nodes(captured.node):
        match node:
            case _ if type(node).__name__ in REFUSED and not inserts_code(node):
                yield refusal(node, captured.origin_of(node))


def reachable_nodes(node) -> list[gast.AST]:
    """The nodes of a function that may be evaluated, in the order of the text.

    Left out: what a literal constant rules out (`if False:`), annotations, and the insides of what is refused as a
    whole.
    """
    match node:
        case gast.ClassDef() | gast.AsyncFunctionDef():
            below = []
        case gast.With() if inserts_code(node):
            below = children(node)
        case gast.AsyncWith(body=below):
            pass
        case gast.If(test=gast.Constant(value=value), body=body, orelse=orelse):
            below = body if value else orelse
        case gast.While(test=gast.Constant(value=value), orelse=below) if not value:
            pass
        case gast.IfExp(test=gast.Constant(value=value), body=body, orelse=orelse):
            below = [body if value else orelse]
        case _:
            fields = [value for name, value in gast.iter_fields(node)
                      if name not in ("annotation", "returns", "type_params")]
            below = [child for value in fields for child in (value if isinstance(value, list) else [value])]
    return [node, *(n for child in below if isinstance(child, gast.AST) for n in reachable_nodes(child))]


# names from outside ------------------------------------------------------------------------------
def _refused_names(captured: Captured, deep=True) -> Iterator[GradscribeError]:
    for node, value in outside_names(captured):
        origin = captured.origin_of(node)
        if isinstance(node, gast.Name) and value is UNKNOWN:
            yield MissingName(origin, *undefined(node.id))
        elif isinstance(node, gast.Attribute) and isinstance(value, Lacking):
            yield MissingAttribute(origin, *no_attribute(value.holder, node.attr))
        elif isinstance(node, gast.Call) and value is not UNKNOWN and not isinstance(value, Lacking):
            if why := impurity(value):
                yield ImpurityError(origin, *why)
            elif why := refused_call(value, deep):
                yield UnsupportedError(origin, *why)


def outside_names(captured: Captured) -> Iterator[tuple[gast.AST, Any]]:
    """(node, object) of names that are not the function's own, and of what is called by such a name;
    UNKNOWN if there is none."""
    own = set().union(*map(bound_at_node, nodes(captured.node)))

    def value_of(node):
        match node:
            case gast.Name(id=name) if name not in own:
                try:
                    return captured.lookup(name)[1]
                except NameError:
                    return UNKNOWN
            case gast.Attribute(value=base, attr=attr):
                holder = value_of(base)
                if isinstance(holder, (pytypes.ModuleType, type)) and not hasattr(holder, attr):
                    return Lacking(holder)
                return getattr(holder, attr, UNKNOWN) if isinstance(holder, OPEN) else UNKNOWN
        return UNKNOWN

    for node in reachable_nodes(captured.node):
        match node:
            case gast.Name(id=name, ctx=gast.Load()) if name not in own:
                yield node, value_of(node)
            case gast.Attribute():
                yield node, value_of(node)
            case gast.Call(func=function):
                yield node, value_of(function)


def bound_at_node(node) -> set[str]:
    """The names that a node itself binds."""
    match node:
        case gast.Name(id=name, ctx=gast.Store() | gast.Param() | gast.Del()):
            return {name}
        case gast.FunctionDef(name=name) | gast.AsyncFunctionDef(name=name) | gast.ClassDef(name=name):
            return {name}
        case gast.alias(name=name, asname=other):
            return {other or name.split(".")[0]}
        case gast.MatchAs(name=str(name)) | gast.MatchStar(name=str(name)) | gast.MatchMapping(rest=str(name)):
            return {name}
    return set()


# what is called ----------------------------------------------------------------------------------
def is_known_function(f) -> bool:
    return handler_of(f) is not None or method_handler(f) is not None or hasattr(f, "__gradscribe_call__")


def impurity(f) -> tuple[str, str] | None:
    why = None if is_known_function(f) else impure.reason(f)
    return why and impure.worded(f, why)


@functools.lru_cache(256)
def foreign(f) -> tuple[str, str] | None:
    """Of a function of an installed library, whose text is read as a user's is, but not that of what it calls."""
    try:
        captured = capture(f)
        return no_rule(f) if [*_refused_syntax(captured), *_refused_names(captured, deep=False)] else None
    except GradscribeError:
        return no_rule(f)


def refused_call(f, deep=True) -> tuple[str, str] | None:
    """(message, what to do instead) of a function that is refused whatever its arguments are."""
    match f:
        case _ if is_known_function(f) or makes_known(f):
            return None
        case functools.partial(func=inner) | pytypes.MethodType(__func__=inner):
            return refused_call(inner, deep)
        case pytypes.FunctionType() if f.__code__.co_flags & COROUTINE:
            return f"{title_of(f)} is a coroutine", "Wait outside of the transformed function, and pass it the result."
        case pytypes.FunctionType() if package_of(f) == "numpy":
            return no_rule(f)
        case pytypes.FunctionType() if deep and f.__code__.co_filename.startswith(INSTALLED):
            return foreign(f)
        case pytypes.FunctionType() | functools._lru_cache_wrapper():
            return None
        case type():
            return None if issubclass(f, (np.generic, BaseException, *UNCHANGING)) or makeable(f) else no_class(f)
    if isinstance(getattr(type(f), "__call__", None), pytypes.FunctionType):
        return None
    return no_rule(f) if callable(f) else None
