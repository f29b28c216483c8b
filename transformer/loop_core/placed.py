"""What a statement of loop core knows of the user's text."""
from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Placed:
    """A statement; `origins`: the places of the user's text of which it does something.

    A pass that makes a statement of another keeps them, and none decides by them: statements that differ in nothing
    else are equal.
    """

    origins: tuple = field(default=(), compare=False, repr=False, kw_only=True)
