"""Syntax that is refused, in words, and what to write instead: the one table of it.

It is refused where it is met, since a branch that is never taken may hold anything; the error then names all that is
refused in the function (`findings`).
"""
from __future__ import annotations

from ...errors.messages import GradscribeError, UnsupportedError

AWAIT = "Wait outside of the transformed function, and pass it the result."
TEST = "Test for the bad case with an if before it happens."
REFUSED = {  # kind of node -> what it is called, what to write instead
    # statements
    "AsyncFor": ("an async for", AWAIT),
    "AsyncFunctionDef": ("an async function", AWAIT),
    "AsyncWith": ("an async with block", AWAIT),
    "ClassDef": ("a class inside a function", "Define the class at the top of the module."),
    "TryStar": ("try / except*", TEST),
    "TypeAlias": ("a type statement", "Define the type at the top of the module."),
    # expressions
    "Await": ("an await expression", AWAIT),
}


def refusal(node, origin) -> GradscribeError:
    """The error of a node that has no meaning here."""
    kind = type(node).__name__
    what, instead = REFUSED.get(kind, (f"the syntax {kind}",
                                       "Write it with the constructs listed in docs/language.md."))
    return UnsupportedError(origin, f"cannot transform {what}", instead=instead)


def refuse_syntax(s) -> None:
    """Refuse the node that the machine is at; `findings.complete` adds what else there is in its function."""
    raise refusal(s.node, s.origin())
