"""What ends an evaluation: it must be done again knowing more, or comes to an exception of the user's program."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import Atom
from ...core.size_assumptions import Constant

if TYPE_CHECKING:
    from .values import UnraisedException


class NeedStatic(Exception):
    """A value is needed before the program runs: an axis, a container's index, the number of unrolled steps."""

    def __init__(self, atom: Atom, why: str, origin=None, instead: str | None = None, special: bool = False):
        super().__init__(why)
        self.atom, self.why, self.origin = atom, why, origin
        self.special = special  # is it a length that programs for many lengths leave out?
        self.instead = instead  # the key of what is done where it cannot be known


class Restart(Exception):
    """Something must be known now, or done now, that was left to the run time: specialise again with it.

    constant: why sizes become constants, where they do
    """

    def __init__(self, static: frozenset, constant: Constant | None = None):
        self.static, self.constant = static, constant


class Conflict(Exception):
    """Two values cannot become one at the end of a branch or an iteration:
    why, and what to write instead where it is not the usual."""


class CertainException(Exception):
    """An exception, of the class `kind`, is certain from here on: what follows on this path is never run."""

    def __init__(self, kind: str = "", problem: UnraisedException | None = None):
        super().__init__(kind)
        self.kind, self.problem = kind, problem  # which exception, where it is of the user's making


class Caught(Exception):
    """An exception that is certain has come to where it is caught; `check`: the statement that would raise it."""

    def __init__(self, kind: str, problem: UnraisedException | None, check):
        self.kind, self.problem, self.check = kind, problem, check


class Grows(Exception):
    """A list has another length, or a dict another key, after an iteration.

    origin       where it is changed
    ref, items   which, and what it holds at the end (or an item of a type that its rows do not have)
    heap         the heap then
    """

    def __init__(self, origin=None, ref=None, items=(), heap=None):
        self.origin, self.ref, self.items, self.heap = origin, ref, items, heap
