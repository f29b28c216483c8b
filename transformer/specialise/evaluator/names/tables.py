"""What the machine does with each kind of expression, of statement and of what is called: three tables.

Above this module stands what fills them; it finds here how parts of itself are done: `evaluate` an expression,
`execute` statements, `call_value` a function.
"""
from __future__ import annotations

import gast

from ...domain import values as v
from ...domain.liveness import live_after_each
from ...refusals.syntax import refuse_syntax

EVALUATE: dict = {}  # kind of node -> handler(s, node): the value of an expression
EXECUTE: dict = {}  # kind of node -> handler(s, node), and of those that branch handler(s, node, live)
# kind of value, or of a function of the library's that is called as it is -> handler(s, function, args, kwargs)
CALL: dict = {}
BRANCHING = (gast.If, gast.For, gast.While, gast.Try, gast.With)


def entering(table: dict):
    """A decorator that enters a handler in a table, for all kinds that it is given."""
    def of(*kinds):
        def enter(handler):
            table.update(dict.fromkeys(kinds, handler))
            return handler
        return enter
    return of


OF_CLASS: dict = {}  # class of an object of Python's that is called -> handler(s, object, argument)
evaluates, executes, calls = entering(EVALUATE), entering(EXECUTE), entering(CALL)
calls_of_class = entering(OF_CLASS)


def evaluate(s, node):
    """The value of an expression."""
    outer, outer_origin, s.node = s.node, s.b.origin, node
    try:
        return EVALUATE.get(type(node), lambda s, _: refuse_syntax(s))(s, node)
    except Exception as error:
        s.located(error, node)
        raise
    finally:
        s.node, s.b.origin = outer, outer_origin


def execute(s, stmts, live: frozenset[str]):
    """Run statements; returns the value of a final `return`.  `live`: the variables read after them."""
    always = s.frames[-1].shared | s.frames[-1].kept
    for stmt, live in zip(stmts, live_after_each(stmts, live | always)):
        if isinstance(stmt, gast.Return):
            with s.b.at(s.origin(stmt)):
                return evaluate(s, stmt.value) if stmt.value is not None else v.Static(None)
        s.node = stmt
        with s.b.at(s.origin(stmt)):
            handler = EXECUTE.get(type(stmt))
            if handler is None:
                refuse_syntax(s)
            try:
                handler(s, stmt, live | always) if isinstance(stmt, BRANCHING) else handler(s, stmt)
            except Exception as error:
                s.located(error, stmt)
                raise
    return v.Static(None)


def call_value(s, function, args, kwargs):
    """What a call of a value, or of a function of the library's, gives."""
    handler = CALL.get(type(function))
    if handler is None:
        s.fail(f"{s.describe(function)} is called", "Only functions can be called.")
    return handler(s, function, args, kwargs)
